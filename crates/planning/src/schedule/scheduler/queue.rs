//! Whose turn it is.
//!
//! Every member has had so much by its share (`queued`). Who has had least is next;
//! newcomers begin where those served last stand, so that nobody has to catch up.
//!
//! Half of the time goes beside that to who is nearly there. Somebody who needs no
//! longer than twice what the whole team has worked so far has every other turn, and
//! the others wait twice as long as they would without; while nobody does, shares are
//! all there is.
//!
//! Who holds much waits for that as for time, and who has to wait for long that way is
//! dismissed meanwhile: it holds nothing in its sleep and begins anew when it is
//! called. As it is dismissed again only when it holds twice as much, it does no more
//! than twice the work.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use planoku_engine::Cancel;

use super::queued::{Arrival, Queued, SECOND, TURN};
use super::worker::{MemoryPool, Worker};

/// Somebody is nearly there who needs at most this many times what all have worked.
const NEARLY: u64 = 2;

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
        let place = (state.time, state.favour);
        let queued = Queued::new(arrival, worker.clone(), place, state.members);
        state.members += 1;
        state.workers.push(worker);
        state.waiting.push(queued);
        self.changed.notify_all();
    }

    /// Dismisses a member after its turn if it will sleep for long and holds much.
    pub(super) fn dismiss_sleeper(&self, member: &mut Queued<J>) {
        if member.may_be_dismissed() && self.lock().sleeps_long(member) {
            member.dismiss(Worker::new(self.cancel.clone(), self.pool.clone()));
            self.lock().workers.push(member.worker.clone());
        }
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

    use super::super::queued::UNIT;
    use super::super::worker::Spent;
    use super::*;
    use crate::schedule::teams::Share;

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
            member.charge(Spent { nodes: work, work });
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
