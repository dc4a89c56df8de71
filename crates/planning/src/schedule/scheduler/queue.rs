//! Whose turn it is.
//!
//! Every member has had so much: its work, divided by what such a planner does
//! in a second and by its share. Who has had least is next; newcomers begin
//! where those served last stand, so that nobody has to catch up. A share may
//! be another one when a member is out of its first [`BREATH`]: some planners
//! find a plan soon or not at all.

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

/// Somebody new.
pub(super) struct Arrival {
    pub(super) name: &'static str,
    pub(super) speed: f64,
    pub(super) share: Share,
    /// Seconds, as counted, that those who are there are ahead by.
    pub(super) after: f64,
}

/// A member that waits for its turn, or has it.
pub(super) struct Queued {
    pub(super) name: &'static str,
    pub(super) worker: Arc<Worker>,
    /// What it does in a second, as counted.
    speed: u64,
    /// The same times its share, in its first breath and later.
    pace: (u64, u64),
    /// What is left of the work of its first breath.
    breath: u64,
    /// What it has had so far: work divided by pace, in parts of a second.
    had: u64,
    /// Among equals, who came first.
    number: usize,
}

impl Queued {
    /// The work of the next turn.
    fn quantum(&self) -> u64 {
        let length = (self.had / 8).clamp(TURN.0, TURN.1);
        let pace = match self.breath {
            0 => self.pace.1,
            _ => self.pace.0,
        };
        work_in(length, pace) + 1
    }

    /// Notes what a turn has cost, and says how many seconds that is.
    pub(super) fn charge(&mut self, work: u64) -> f64 {
        let first = work.min(self.breath);
        self.breath -= first;
        self.had += time_of(first, self.pace.0) + time_of(work - first, self.pace.1);
        time_of(work, self.speed) as f64 / SECOND as f64
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
pub(super) enum Next {
    /// A turn of that much work and, a part of it, that many nodes.
    Turn(Queued, u64, u64),
    /// Somebody waits, but all nodes are spent.
    Spent,
    /// All have left.
    Nobody,
}

/// The members of a team, and what they may spend.
pub(super) struct RunQueue {
    state: Mutex<State>,
    /// Somebody came, or nobody is left.
    changed: Condvar,
    cancel: Cancel,
    pool: Arc<MemoryPool>,
}

#[derive(Default)]
struct State {
    waiting: Vec<Queued>,
    /// Everyone who ever came, to be woken at the end.
    workers: Vec<Arc<Worker>>,
    /// How many have their turn now.
    busy: usize,
    /// What those who were served last had had before: newcomers begin here.
    time: u64,
    /// Nodes that nobody has spent and nobody is granted.
    nodes: Option<u64>,
}

impl RunQueue {
    /// Nobody yet; so many nodes and bytes for all.
    pub(super) fn new(cancel: Cancel, nodes: Option<u64>, memory: Option<u64>) -> RunQueue {
        RunQueue {
            state: Mutex::new(State {
                nodes,
                ..State::default()
            }),
            changed: Condvar::new(),
            cancel,
            pool: Arc::new(MemoryPool::new(memory)),
        }
    }

    /// A worker for somebody new, who waits for a first turn.
    pub(super) fn join(&self, arrival: Arrival) -> Arc<Worker> {
        let worker = Worker::new(self.cancel.clone(), self.pool.clone());
        let mut state = self.lock();
        let pace = |share: f64| ((arrival.speed * share) as u64).max(1);
        let queued = Queued {
            name: arrival.name,
            worker: worker.clone(),
            speed: pace(1.0),
            pace: (pace(arrival.share.first), pace(arrival.share.later)),
            breath: work_in(BREATH, pace(1.0)),
            had: state.time + (arrival.after * SECOND as f64) as u64,
            number: state.workers.len(),
        };
        state.workers.push(worker.clone());
        state.waiting.push(queued);
        self.changed.notify_all();
        worker
    }

    /// Whose turn it is, and what is granted. Nodes are taken from the budget
    /// before they are spent, so that turns on several threads never spend the
    /// same ones; while others may give some back, nobody says that all are
    /// spent.
    pub(super) fn next(&self) -> Next {
        let mut state = self.lock();
        loop {
            if self.cancel.is_cancelled() {
                return Next::Nobody;
            }
            let waiting = state.waiting.iter().enumerate();
            let next = waiting.min_by_key(|(_, member)| (member.had, member.number));
            match next.map(|(place, _)| place) {
                Some(place) if state.nodes != Some(0) => {
                    let member = state.waiting.swap_remove(place);
                    state.busy += 1;
                    state.time = state.time.max(member.had);
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
    pub(super) fn put_back(&self, member: Option<Queued>, granted: u64, spent: u64) {
        let mut state = self.lock();
        state.busy -= 1;
        state.nodes = state
            .nodes
            .map(|left| left.saturating_add(granted).saturating_sub(spent));
        state.waiting.extend(member);
        self.changed.notify_all();
    }

    /// Tells everyone to stop.
    pub(super) fn close(&self) {
        self.cancel.cancel();
        let state = self.lock();
        state.workers.iter().for_each(|worker| worker.notify());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
