//! Turns: a member works while its worker has been granted something.
//!
//! Every member of the team has a thread of its own, a [`Worker`], which sleeps
//! until it is granted a piece of work, and sleeps again when that is done. As
//! turns are counted in nodes and effort, a team on one processor always takes
//! the same course. A member that is about to sleep for long may be dismissed: it
//! gives back what it holds, its thread ends, and another worker begins its search
//! anew when it is called again.
//!
//! The team shares one pool of memory. When it is exceeded, the member that
//! holds most has to leave, asleep or not, and whoever asked waits until it
//! has left; nobody else has to leave before that. What a member holds is what
//! its thread has allocated, where the allocator counts that, else what it says
//! itself.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use planoku_engine::memory::{self, Account};
use planoku_engine::{Cancel, Stop, Turn, Turns, usable};

/// What all members hold together.
#[derive(Default)]
pub(super) struct MemoryPool {
    limit: Option<u64>,
    workers: Mutex<Vec<Weak<Worker>>>,
}

impl MemoryPool {
    pub(super) fn new(limit: Option<u64>) -> MemoryPool {
        MemoryPool {
            limit,
            workers: Mutex::default(),
        }
    }

    /// Those who have not left.
    fn present(&self) -> Vec<Arc<Worker>> {
        let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.retain(|worker| worker.upgrade().is_some_and(|worker| !worker.lock().over));
        workers.iter().filter_map(Weak::upgrade).collect()
    }

    fn is_exceeded(&self) -> bool {
        let Some(limit) = self.limit else {
            return false;
        };
        match memory::in_use() {
            Some(held) => held > usable(limit),
            None => {
                self.present()
                    .iter()
                    .map(|worker| worker.held())
                    .sum::<u64>()
                    > limit
            }
        }
    }
}

/// Where one member waits for its turn.
pub(super) struct Worker {
    state: Mutex<State>,
    wake: Condvar,
    cancel: Cancel,
    pool: Arc<MemoryPool>,
    /// What the member says it holds.
    estimate: AtomicU64,
    /// How much remains at best, as it has told.
    remains: AtomicU64,
    /// Where its thread's allocations are counted.
    account: OnceLock<Account>,
    /// It has to leave.
    evicted: AtomicBool,
    /// It has to leave as well, but is called again.
    dismissed: AtomicBool,
}

struct State {
    granted: Turn,
    /// What the member had spent when it last came to wait.
    nodes: u64,
    effort: u64,
    /// The nodes and the work that grants have answered with.
    told: Spent,
    waiting: bool,
    over: bool,
}

/// What a turn has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) nodes: u64,
    /// Nodes and effort.
    pub(super) work: u64,
}

impl Worker {
    pub(super) fn new(cancel: Cancel, pool: Arc<MemoryPool>) -> Arc<Worker> {
        Arc::new(Worker {
            state: Mutex::new(State {
                granted: Turn { work: 0, nodes: 0 },
                nodes: 0,
                effort: 0,
                told: Spent::default(),
                waiting: false,
                over: false,
            }),
            wake: Condvar::new(),
            cancel,
            pool,
            estimate: AtomicU64::new(0),
            remains: AtomicU64::new(u64::MAX),
            account: OnceLock::new(),
            evicted: AtomicBool::new(false),
            dismissed: AtomicBool::new(false),
        })
    }

    /// From now on it has a thread, and what that holds counts.
    pub(super) fn begin(self: &Arc<Worker>) {
        let mut all = (self.pool.workers.lock()).unwrap_or_else(PoisonError::into_inner);
        all.push(Arc::downgrade(self));
    }

    /// Lets the member work off `amount`, but at most so many nodes, and waits
    /// until it has. Answers with what it spent, which may be more, and
    /// whether it may be granted more.
    pub(super) fn grant(&self, amount: u64, nodes: u64) -> (Spent, bool) {
        // What a member has spent is known once it waits: a thread that has
        // just begun may not have come so far.
        let mut state = self.until_it_waits(self.lock());
        state.granted = Turn {
            work: state.nodes + state.effort + amount,
            nodes: state.told.nodes.saturating_add(nodes),
        };
        state.waiting = state.granted.is_over(state.nodes, state.effort);
        self.wake.notify_all();
        state = self.until_it_waits(state);
        let now = Spent {
            nodes: state.nodes,
            work: state.nodes + state.effort,
        };
        let spent = Spent {
            nodes: now.nodes - state.told.nodes,
            work: now.work - state.told.work,
        };
        state.told = now;
        (spent, !state.over)
    }

    fn until_it_waits<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        while !state.waiting && !state.over {
            state = self.sleep(state);
        }
        state
    }

    /// The member has come to its end, having spent so much.
    pub(super) fn leave(&self, nodes: u64, work: u64) {
        let mut state = self.lock();
        state.nodes = state.nodes.max(nodes);
        state.effort = state.effort.max(work.saturating_sub(nodes));
        state.over = true;
        self.wake.notify_all();
    }

    /// How much remains at best, as the member has told in its turns so far.
    pub(super) fn remains(&self) -> u64 {
        self.remains.load(Ordering::Relaxed)
    }

    /// True if it had to leave so that others could stay.
    pub(super) fn is_evicted(&self) -> bool {
        self.evicted.load(Ordering::Relaxed)
    }

    /// True if it had to leave and will be called again.
    pub(super) fn is_dismissed(&self) -> bool {
        self.dismissed.load(Ordering::Relaxed)
    }

    /// Sends away the member, who sleeps, and waits until it has given back what it
    /// holds.
    pub(super) fn dismiss(&self) {
        let mut state = self.lock();
        self.dismissed.store(true, Ordering::Relaxed);
        self.wake.notify_all();
        while !state.over {
            state = self.sleep(state);
        }
    }

    /// Wakes whoever sleeps here, because the switch was pressed.
    pub(super) fn notify(&self) {
        let _state = self.lock();
        self.wake.notify_all();
    }

    /// What the member holds.
    pub(super) fn held(&self) -> u64 {
        match self.account.get() {
            Some(account) => account.balance(),
            None => self.estimate.load(Ordering::Relaxed),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A member that broke leaves counters behind, and these are sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sleep<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.wake
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the member has left, or a little while.
    fn until_it_left(&self) {
        let state = self.lock();
        if !state.over {
            let _ = self.wake.wait_timeout(state, Duration::from_millis(5));
        }
    }
}

impl Turns for Worker {
    fn wait(&self, nodes: u64, effort: u64) -> Option<Turn> {
        if let Some(account) = Account::of_this_thread() {
            let _ = self.account.set(account);
        }
        let mut state = self.lock();
        state.nodes = nodes;
        state.effort = effort;
        while state.granted.is_over(nodes, effort) {
            if self.cancel.is_cancelled() {
                return Some(Turn::ENDLESS);
            }
            if self.is_evicted() || self.is_dismissed() {
                return None;
            }
            state.waiting = true;
            self.wake.notify_all();
            state = self.sleep(state);
        }
        Some(state.granted)
    }

    fn hear(&self, remains: u64) {
        self.remains.fetch_min(remains, Ordering::Relaxed);
    }

    fn hold(&self, bytes: u64) -> Result<(), Stop> {
        self.estimate.store(bytes, Ordering::Relaxed);
        while !self.is_evicted() {
            if self.cancel.is_cancelled() || !self.pool.is_exceeded() {
                return Ok(());
            }
            // Whoever is leaving gives back what it holds bit by bit: until it
            // has, others look larger without being in the way.
            let present = self.pool.present();
            let leaving = present.iter().find(|worker| worker.is_evicted());
            let largest = || present.iter().max_by_key(|worker| worker.held());
            match leaving.or_else(largest) {
                Some(other) if !std::ptr::eq(&**other, self) => {
                    other.evicted.store(true, Ordering::Relaxed);
                    other.notify();
                    other.until_it_left();
                }
                _ => self.evicted.store(true, Ordering::Relaxed),
            }
        }
        Err(Stop::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planoku_engine::Run;

    #[test]
    fn a_member_works_off_what_it_is_granted_and_not_more() {
        let cancel = Cancel::new();
        let worker = Worker::new(cancel.clone(), Arc::default());
        let member = worker.clone();
        let thread = std::thread::spawn(move || {
            let mut run = Run::limit(1).with_turns(member.clone()).with_cancel(cancel);
            while run.nodes() < 25 && run.tick().is_ok() {}
            member.leave(run.nodes(), run.work());
        });
        let turns: Vec<(Spent, bool)> = (0..3).map(|_| worker.grant(10, u64::MAX)).collect();
        thread.join().unwrap();
        assert_eq!(turns.iter().map(|turn| turn.0.nodes).sum::<u64>(), 25);
        assert_eq!(turns.iter().map(|turn| turn.0.work).sum::<u64>(), 25);
        let goes_on: Vec<bool> = turns.iter().map(|turn| turn.1).collect();
        assert_eq!(goes_on, [true, true, false]);
    }

    #[test]
    fn a_turn_does_not_depend_on_who_comes_first() {
        for late in [false, true] {
            let cancel = Cancel::new();
            let worker = Worker::new(cancel.clone(), Arc::default());
            let member = worker.clone();
            let thread = std::thread::spawn(move || {
                if late {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                let mut run = Run::limit(1).with_turns(member.clone()).with_cancel(cancel);
                run.check().unwrap();
                while run.nodes() < 25 && run.tick().is_ok() {}
                member.leave(run.nodes(), run.work());
            });
            if !late {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            let spent = |nodes, work| Spent { nodes, work };
            let turn = worker.grant(10, u64::MAX);
            assert_eq!(turn, (spent(10, 11), true), "late: {late}");
            assert_eq!(worker.grant(100, u64::MAX), (spent(15, 15), false));
            thread.join().unwrap();
        }
    }

    #[test]
    fn a_sleeping_member_hears_the_switch() {
        let cancel = Cancel::new();
        let worker = Worker::new(cancel.clone(), Arc::default());
        let (member, switch) = (worker.clone(), cancel.clone());
        let thread = std::thread::spawn(move || {
            let mut run = Run::limit(1).with_turns(member).with_cancel(switch);
            run.check()
        });
        cancel.cancel();
        worker.notify();
        assert_eq!(thread.join().unwrap(), Err(Stop::Cancelled));
    }

    #[test]
    fn work_that_was_not_done_in_pieces_is_answered_for() {
        let cancel = Cancel::new();
        let worker = Worker::new(cancel.clone(), Arc::default());
        let member = worker.clone();
        let thread = std::thread::spawn(move || {
            let mut run = Run::limit(1).with_turns(member.clone()).with_cancel(cancel);
            run.check().unwrap();
            run.effort(1000).unwrap();
            member.leave(run.nodes(), run.work());
        });
        assert_eq!(worker.grant(10, u64::MAX).0.work, 1001);
        assert!(!worker.grant(10, u64::MAX).1);
        thread.join().unwrap();
    }

    fn begun(number: usize, pool: &Arc<MemoryPool>) -> Vec<Arc<Worker>> {
        let one = |_| Worker::new(Cancel::new(), pool.clone());
        let workers: Vec<Arc<Worker>> = (0..number).map(one).collect();
        workers.iter().for_each(Worker::begin);
        workers
    }

    #[test]
    fn who_is_dismissed_has_given_back_what_it_held() {
        let worker = Worker::new(Cancel::new(), Arc::default());
        let (member, held) = (worker.clone(), Arc::new(()));
        let holds = held.clone();
        let thread = std::thread::spawn(move || {
            let mut run = Run::limit(1).with_turns(member.clone());
            while run.tick().is_ok() {}
            let stop = run.check();
            drop(holds);
            member.leave(run.nodes(), run.work());
            stop
        });
        assert!(worker.grant(10, u64::MAX).1);
        worker.dismiss();
        assert_eq!(Arc::strong_count(&held), 1);
        assert_eq!(thread.join().unwrap(), Err(Stop::Memory));
    }

    #[test]
    fn the_largest_leaves_when_the_pool_is_exceeded() {
        let pool = Arc::new(MemoryPool::new(Some(1000)));
        let workers = begun(2, &pool);
        assert_eq!(workers[0].hold(700), Ok(()));
        let asleep = workers[0].clone();
        let thread = std::thread::spawn(move || {
            let mut run =
                Run::limit(1)
                    .with_turns(asleep.clone())
                    .with_budget(planoku_engine::Budget {
                        memory: Some(1000),
                        ..Default::default()
                    });
            let stop = run.check().and_then(|()| run.check_memory(700));
            asleep.leave(0, 0);
            stop
        });
        // It is asked to leave in its sleep, and the smaller one goes on.
        assert_eq!(workers[1].hold(310), Ok(()));
        assert_eq!(thread.join().unwrap(), Err(Stop::Memory));
        assert!(workers[0].is_evicted() && !workers[1].is_evicted());
        assert_eq!(workers[1].hold(900), Ok(()));
        assert_eq!(workers[1].hold(1100), Err(Stop::Memory));
    }

    /// Once, all had to leave: giving back gigabytes takes longer than a look,
    /// and whoever had begun to was no longer the largest.
    #[test]
    fn nobody_else_leaves_while_one_is_leaving() {
        let pool = Arc::new(MemoryPool::new(Some(1000)));
        let workers = begun(3, &pool);
        assert_eq!(workers[0].hold(500), Ok(()));
        assert_eq!(workers[1].hold(450), Ok(()));
        let leaving = workers[0].clone();
        let thread = std::thread::spawn(move || {
            while !leaving.is_evicted() {
                std::thread::yield_now();
            }
            leaving.estimate.store(440, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(20));
            leaving.leave(0, 0);
        });
        assert_eq!(workers[2].hold(300), Ok(()));
        thread.join().unwrap();
        assert!(!workers[1].is_evicted());
    }
}
