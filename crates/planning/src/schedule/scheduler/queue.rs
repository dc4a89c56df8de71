//! Whose turn it is.
//!
//! Every member has had so much: its work, divided by what such a planner does
//! in a second and by its share. Who has had least is next; newcomers begin
//! where those served last stand, so that nobody has to catch up. A share may
//! be another one when a member is out of its first [`BREATH`]: some planners
//! find a plan soon or not at all.
//!
//! Half of the time goes beside that to who is nearly there. How much work a
//! member still needs follows from how its lowest estimate has fallen so far: if
//! half of the way took a second, so will the other half. (Who only walks on, with
//! no end in sight, says nothing of how far it is.) Somebody who needs no longer
//! than twice what the whole team has worked so far has every other turn, and the
//! others wait twice as long as they would without; while nobody does, shares are
//! all there is.
//!
//! Who holds much waits for that as for time: what a member comes to hold beyond
//! what is anybody's costs turns as if it had worked instead. So who takes
//! memory ten times as fast as others does not hold ten times as much when one of
//! those finds the plan. And whoever has to wait for long that way is dismissed
//! meanwhile: it holds nothing in its sleep and begins anew when it is called. As
//! it is dismissed again only when it holds twice as much, that repeats no more
//! than it does anyway.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use planoku_engine::Cancel;

use super::worker::{MemoryPool, Worker};
use crate::schedule::teams::Share;

/// Parts of a second, as counted.
const SECOND: u64 = 1 << 20;

/// The shortest and the longest turn, in parts of a second: long enough that
/// changing places costs nothing, and a part of what was had before, so that
/// nobody waits for long.
const TURN: (u64, u64) = (SECOND / 250, SECOND / 10);

/// How long a member's first share holds: 0.7 seconds of its own.
const BREATH: u64 = SECOND * 7 / 10;

/// Memory is counted in these: a few bytes more or less change nothing.
const UNIT: u64 = 1 << 20;

/// What a likely member may hold for nothing, in units: what is found soon is found
/// as if memory did not count.
const LIGHT: u64 = 64;

/// Who holds less is not dismissed: it would be repeated for little.
const LEAST: u64 = 8;

/// Beyond what is free so many units cost a second. Those that hold most take 200 to 400
/// of them in a second, as counted.
const UNITS_PER_SECOND: u64 = 32;

/// Somebody new, and what it is to do.
pub(super) struct Arrival<J> {
    pub(super) name: &'static str,
    pub(super) job: J,
    pub(super) speed: f64,
    pub(super) share: Share,
    /// Seconds, as counted, that those who are there are ahead by.
    pub(super) after: f64,
    /// What part of [`LIGHT`] it may hold for nothing, and waits for memory beyond
    /// that as for time. What everybody needs is free.
    pub(super) light: Option<f64>,
    /// Bytes that it waits for before it begins.
    pub(super) brings: u64,
}

/// A member that waits for its turn, or has it.
pub(super) struct Queued<J> {
    pub(super) name: &'static str,
    pub(super) job: J,
    pub(super) worker: Arc<Worker>,
    /// Its worker has a thread, which it gets with its first turn.
    pub(super) begun: bool,
    /// What it does in a second, as counted.
    speed: u64,
    /// The same times its share, in its first breath and later.
    pace: (u64, u64),
    /// What is left of the work of its first breath.
    breath: u64,
    /// What it has had so far by its share: work divided by pace, in parts of a
    /// second.
    had: u64,
    /// What it has had for being nearly there: work divided by speed.
    favour: u64,
    /// Its last turn was one of these, and took so long.
    favoured: bool,
    last: u64,
    remains: Remains,
    /// The most it has held, in units, as far as that was free or it has paid for
    /// it. What everybody needs is free.
    held: Option<u64>,
    /// What it holds, in units, when it is next dismissed.
    least: u64,
    /// Among equals, who came first.
    number: usize,
}

/// What a member has told of how much remains.
struct Remains {
    first: u64,
    least: u64,
    /// How often that has fallen.
    steps: u32,
    /// All its work, and how much of it had been done when it fell last.
    work: u64,
    fell: u64,
}

/// Beyond this nobody estimates: it only says that the way grows, not how long it
/// will be.
const BOUNDLESS: u64 = u32::MAX as u64 / 2;

/// Somebody is nearly there who needs at most this many times what all have worked.
const NEARLY: u64 = 2;

impl Remains {
    fn unknown() -> Remains {
        Remains {
            first: u64::MAX,
            least: u64::MAX,
            steps: 0,
            work: 0,
            fell: 0,
        }
    }

    /// Notes what remains after so much more work.
    fn note(&mut self, work: u64, least: u64) {
        self.work += work;
        if least < self.least {
            if self.steps == 0 {
                self.first = least;
            }
            (self.least, self.fell) = (least, self.work);
            self.steps += 1;
        }
    }

    /// How much work is still to be done, if it goes on like this. The first
    /// steps are everybody's and say nothing, and who has come no nearer in the
    /// later half of its work does not go on like this.
    fn left(&self) -> Option<u64> {
        let times = |work: u64, of: u64, by: u64| {
            let work = u128::from(work) * u128::from(of) / u128::from(by);
            u64::try_from(work).unwrap_or(u64::MAX)
        };
        match self.least {
            _ if self.steps <= 2 || self.fell < self.work / 2 => None,
            BOUNDLESS.. => None,
            least => Some(times(self.work, least, self.first - least)),
        }
    }
}

impl<J> Queued<J> {
    /// How long it still needs, if it goes on like this.
    fn left(&self) -> Option<u64> {
        self.remains.left().map(|work| time_of(work, self.speed))
    }

    /// The work of the next turn.
    fn quantum(&self) -> u64 {
        let (had, pace) = match (self.favoured, self.breath) {
            (true, _) => (self.favour, self.speed),
            (false, 0) => (self.had, self.pace.1),
            (false, _) => (self.had, self.pace.0),
        };
        work_in((had / 8).clamp(TURN.0, TURN.1), pace) + 1
    }

    /// Notes what a turn has cost, and says how many seconds that is.
    pub(super) fn charge(&mut self, work: u64) -> f64 {
        self.remains.note(work, self.worker.remains());
        let time = time_of(work, self.speed);
        self.last = time;
        let price = work.saturating_add(self.dues_for(self.worker.held() / UNIT));
        match self.favoured {
            true => self.favour += time_of(price, self.speed),
            false => {
                let first = price.min(self.breath);
                self.breath -= first;
                self.had += time_of(first, self.pace.0) + time_of(price - first, self.pace.1);
            }
        }
        time as f64 / SECOND as f64
    }

    /// What so many units cost beyond what it has paid for, as work.
    fn dues_for(&mut self, units: u64) -> u64 {
        let Some(held) = &mut self.held else {
            return 0;
        };
        let grown = units.saturating_sub(*held);
        *held += grown;
        work_in(grown * SECOND / UNITS_PER_SECOND, self.speed)
    }
}

/// How long work takes at a pace, in parts of a second.
fn time_of(work: u64, pace: u64) -> u64 {
    (u128::from(work) * u128::from(SECOND)).div_ceil(u128::from(pace)) as u64
}

/// What is done in parts of a second at a pace.
fn work_in(length: u64, pace: u64) -> u64 {
    (u128::from(length) * u128::from(pace) / u128::from(SECOND)) as u64
}

/// What comes of looking for somebody whose turn it is.
pub(super) enum Next<J> {
    /// A turn of that much work and, a part of it, that many nodes.
    Turn(Queued<J>, u64, u64),
    /// Somebody waits, but all nodes are spent.
    Spent,
    /// All have left.
    Nobody,
}

/// The members of a team, and what they may spend.
pub(super) struct RunQueue<J> {
    state: Mutex<State<J>>,
    /// Somebody came, or nobody is left.
    changed: Condvar,
    cancel: Cancel,
    pool: Arc<MemoryPool>,
}

struct State<J> {
    waiting: Vec<Queued<J>>,
    /// Everyone who ever came, to be woken at the end.
    workers: Vec<Arc<Worker>>,
    /// How many members came.
    members: usize,
    /// How many have their turn now.
    busy: usize,
    /// What those who were served last had had before: newcomers begin here.
    time: u64,
    /// The same for those who are nearly there.
    favour: u64,
    /// How long all have worked together.
    worked: u64,
    /// How much longer turns by share have been than turns for those who are
    /// nearly there, which are due while this is more than nothing.
    credit: i64,
    /// Nodes that nobody has spent and nobody is granted.
    nodes: Option<u64>,
}

impl<J> State<J> {
    /// Who has had least by its share.
    fn by_share(&self) -> Option<usize> {
        let waiting = self.waiting.iter().enumerate();
        let next = waiting.min_by_key(|(_, member)| (member.had, member.number));
        next.map(|(place, _)| place)
    }

    /// True if, going by shares, a member is so far ahead of the others that its
    /// next turn comes when a quarter more has been done than so far. Whoever is
    /// alone or nearly there is not.
    fn sleeps_long(&self, member: &Queued<J>) -> bool {
        let ahead = member.had.saturating_sub(self.time);
        let alone = self.waiting.is_empty() && self.busy <= 1;
        let nearly = member.left().is_some_and(|left| self.is_near(left));
        ahead > self.time / 4 + TURN.1 && !alone && !nearly
    }

    fn is_near(&self, left: u64) -> bool {
        left <= self.worked * NEARLY
    }

    /// Who needs least of those who are nearly there, if it is their turn.
    fn nearly_there(&self) -> Option<usize> {
        let waiting = self.waiting.iter().enumerate();
        let left = waiting.filter_map(|(place, member)| {
            let left = member.left().filter(|&left| self.is_near(left))?;
            Some((left, member.number, place))
        });
        let next = left.min().map(|(.., place)| place);
        next.filter(|_| self.credit > 0)
    }
}

impl<J> RunQueue<J> {
    /// Nobody yet; so many nodes and bytes for all.
    pub(super) fn new(cancel: Cancel, nodes: Option<u64>, memory: Option<u64>) -> RunQueue<J> {
        RunQueue {
            state: Mutex::new(State {
                waiting: Vec::new(),
                workers: Vec::new(),
                members: 0,
                busy: 0,
                time: 0,
                favour: 0,
                worked: 0,
                credit: 0,
                nodes,
            }),
            changed: Condvar::new(),
            cancel,
            pool: Arc::new(MemoryPool::new(memory)),
        }
    }

    /// Somebody new waits for a first turn.
    pub(super) fn join(&self, arrival: Arrival<J>) {
        let worker = Worker::new(self.cancel.clone(), self.pool.clone());
        let mut state = self.lock();
        let pace = |share: f64| ((arrival.speed * share) as u64).max(1);
        let mut queued = Queued {
            name: arrival.name,
            job: arrival.job,
            worker: worker.clone(),
            begun: false,
            speed: pace(1.0),
            pace: (pace(arrival.share.first), pace(arrival.share.later)),
            breath: work_in(BREATH, pace(1.0)),
            had: state.time + (arrival.after * SECOND as f64) as u64,
            favour: state.favour,
            favoured: false,
            last: 0,
            remains: Remains::unknown(),
            held: arrival.light.map(|part| (part * LIGHT as f64) as u64),
            least: LEAST,
            number: state.members,
        };
        let dues = queued.dues_for(arrival.brings / UNIT);
        queued.had += time_of(dues, queued.pace.0);
        state.members += 1;
        state.workers.push(worker);
        state.waiting.push(queued);
        self.changed.notify_all();
    }

    /// Dismisses a member after its turn if it will sleep for long and holds much.
    pub(super) fn dismiss_sleeper(&self, member: &mut Queued<J>) {
        let held = member.worker.held() / UNIT;
        if !self.lock().sleeps_long(member) || held < member.least {
            return;
        }
        member.worker.dismiss();
        member.worker = Worker::new(self.cancel.clone(), self.pool.clone());
        member.begun = false;
        member.least = 2 * held;
        self.lock().workers.push(member.worker.clone());
    }

    /// Whose turn it is, and what is granted. Nodes are taken from the budget
    /// before they are spent, so that turns on several threads never spend the
    /// same ones; while others may give some back, nobody says that all are
    /// spent.
    pub(super) fn next(&self) -> Next<J> {
        let mut state = self.lock();
        loop {
            if self.cancel.is_cancelled() {
                return Next::Nobody;
            }
            let nearly = state.nearly_there();
            match nearly.or_else(|| state.by_share()) {
                Some(place) if state.nodes != Some(0) => {
                    let mut member = state.waiting.swap_remove(place);
                    state.busy += 1;
                    member.favoured = nearly.is_some();
                    match member.favoured {
                        true => state.favour = state.favour.max(member.favour),
                        false => state.time = state.time.max(member.had),
                    }
                    let work = member.quantum();
                    let nodes = state.nodes.map_or(work, |left| left.min(work));
                    state.nodes = state.nodes.map(|left| left - nodes);
                    return Next::Turn(member, work, nodes);
                }
                _ if state.busy > 0 => {}
                Some(_) => return Next::Spent,
                None => return Next::Nobody,
            }
            let woken = self.changed.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The end of a turn, after which the member waits for another or is gone.
    /// What was granted in nodes and not spent is given back; what was spent
    /// beyond it, by a step that counts many, is charged.
    pub(super) fn put_back(&self, member: Option<Queued<J>>, granted: u64, spent: u64) {
        let mut state = self.lock();
        state.busy -= 1;
        state.worked += member.as_ref().map_or(0, |member| member.last);
        state.nodes = state
            .nodes
            .map(|left| left.saturating_add(granted).saturating_sub(spent));
        if let Some(member) = member {
            state.credit = match member.favoured {
                true => state.credit - member.last as i64,
                // What nobody has claimed lapses.
                false => (state.credit + member.last as i64).min(SECOND as i64),
            };
            state.waiting.push(member);
        }
        self.changed.notify_all();
    }

    /// Tells everyone to stop.
    pub(super) fn close(&self) {
        self.cancel.cancel();
        let state = self.lock();
        state.workers.iter().for_each(|worker| worker.notify());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use planoku_engine::Turns;

    use super::*;

    /// Lets members with these shares take turns, each as long as it is granted,
    /// until the first has worked so many seconds, and says for how many each has
    /// then. `remains` says of how much is left after how much work.
    fn worked(
        shares: &[f64],
        remains: impl Fn(usize, u64) -> u64,
        until: impl Fn(&[f64]) -> bool,
    ) -> Vec<f64> {
        worked_holding(shares, remains, |_, _| 0, until)
    }

    /// The same; `holds` says how many bytes a member holds after how much work.
    fn worked_holding(
        shares: &[f64],
        remains: impl Fn(usize, u64) -> u64,
        holds: impl Fn(usize, u64) -> u64,
        until: impl Fn(&[f64]) -> bool,
    ) -> Vec<f64> {
        const SPEED: f64 = 1e6;
        let queue = RunQueue::new(Cancel::new(), None, None);
        for &share in shares {
            queue.join(Arrival {
                name: "somebody",
                job: (),
                speed: SPEED,
                share: Share {
                    first: share,
                    later: share,
                },
                after: 0.0,
                light: Some(1.0),
                brings: 0,
            });
        }
        let mut worked = vec![0; shares.len()];
        loop {
            let Next::Turn(mut member, work, nodes) = queue.next() else {
                panic!("nobody waits");
            };
            let place = member.number;
            worked[place] += work;
            member.worker.hear(remains(place, worked[place]));
            member.worker.hold(holds(place, worked[place])).unwrap();
            member.charge(work);
            queue.put_back(Some(member), nodes, work);
            let seconds: Vec<f64> = worked.iter().map(|&work| work as f64 / SPEED).collect();
            if until(&seconds) {
                return seconds;
            }
        }
    }

    fn sum(worked: &[f64]) -> f64 {
        worked.iter().sum()
    }

    #[track_caller]
    fn assert_parts(worked: &[f64], parts: &[f64]) {
        for (part, seconds) in parts.iter().zip(worked) {
            let found = seconds / sum(worked);
            assert!((part - found).abs() < 0.03, "{worked:?}");
        }
    }

    #[test]
    fn while_nobody_comes_nearer_shares_decide() {
        let all = worked(&[1.0, 1.0, 2.0], |_, _| 7, |all| sum(all) > 100.0);
        assert_parts(&all, &[0.25, 0.25, 0.5]);
    }

    /// By its share alone the first would be done when all have worked 40 seconds.
    /// It is nearly there after 4.4, and has five eighths of the time from then on.
    #[test]
    fn who_is_nearly_there_has_half_beside_its_share() {
        let remains = |place: usize, work: u64| match place {
            0 => 10_000 - (work / 1_000).min(10_000),
            _ => 7,
        };
        let all = worked(&[1.0, 1.0, 2.0], remains, |all| all[0] >= 10.0);
        assert!((17.0..21.0).contains(&sum(&all)), "{all:?}");
    }

    #[test]
    fn who_only_walks_on_has_its_share() {
        let remains = |place: usize, work: u64| match place {
            0 => u64::MAX - work,
            _ => 7,
        };
        let all = worked(&[1.0, 1.0, 2.0], remains, |all| sum(all) > 100.0);
        assert_parts(&all, &[0.25, 0.25, 0.5]);
    }

    #[test]
    fn who_stands_still_half_way_is_as_good_as_any() {
        let remains = |place: usize, work: u64| match place {
            0 => 100_000 - work.min(50_000),
            _ => 7,
        };
        let all = worked(&[1.0, 1.0, 2.0], remains, |all| sum(all) > 100.0);
        assert_parts(&all, &[0.25, 0.25, 0.5]);
    }

    /// The first two take 320 and 32 units a second.
    #[test]
    fn who_takes_much_memory_waits_for_it() {
        let holds = |place: usize, work: u64| match place {
            0 => work * 320 * UNIT / 1_000_000,
            1 => work * 32 * UNIT / 1_000_000,
            _ => 0,
        };
        let all = worked_holding(&[1.0, 1.0, 1.0], |_, _| 7, holds, |all| all[0] >= 0.15);
        assert_parts(&all, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
        let all = worked_holding(&[1.0, 1.0, 1.0], |_, _| 7, holds, |all| sum(all) > 1_000.0);
        // A second costs the first eleven, the second two.
        let parts = [1.0 / 11.0, 1.0 / 2.0, 1.0].map(|it| it / (1.0 + 0.5 + 1.0 / 11.0));
        assert_parts(&all, &parts);
    }
}
