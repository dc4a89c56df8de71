//! Turns: a member works while its seat has been granted something.
//!
//! Every member of the team has a thread of its own, which sleeps at its
//! [`Seat`] until it is granted a piece of work and comes back to the seat
//! when that is done. Nothing is ever begun anew, and as turns are counted in
//! nodes and effort, a team on one processor always takes the same course.
//!
//! The team shares one purse of memory. When it is overdrawn, the member that
//! holds most has to leave.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use planoku_engine::{Cancel, Stop, Turn, Turns};

/// What all members hold together.
#[derive(Default)]
pub(super) struct Purse {
    limit: Option<u64>,
    held: Mutex<Vec<Arc<AtomicU64>>>,
}

impl Purse {
    pub(super) fn new(limit: Option<u64>) -> Purse {
        Purse {
            limit,
            held: Mutex::default(),
        }
    }

    fn may_hold(&self, own: &AtomicU64, bytes: u64) -> bool {
        own.store(bytes, Ordering::Relaxed);
        let Some(limit) = self.limit else {
            return true;
        };
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let amounts = || held.iter().map(|it| it.load(Ordering::Relaxed));
        let total: u64 = amounts().sum();
        // Some slack, so that the largest is asked before the others starve.
        total <= limit || bytes < amounts().max().unwrap_or(0) && total <= limit + limit / 8
    }
}

/// Where one member waits for its turn.
pub(super) struct Seat {
    state: Mutex<State>,
    bell: Condvar,
    cancel: Cancel,
    purse: Arc<Purse>,
    held: Arc<AtomicU64>,
}

struct State {
    granted: Turn,
    /// What the member had spent when it last came to wait.
    nodes: u64,
    effort: u64,
    /// The nodes that grants have answered with.
    told: u64,
    waiting: bool,
    over: bool,
}

impl Seat {
    pub(super) fn new(cancel: Cancel, purse: Arc<Purse>) -> Seat {
        let held = Arc::new(AtomicU64::new(0));
        let mut all = purse.held.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(held.clone());
        drop(all);
        Seat {
            state: Mutex::new(State {
                granted: Turn { work: 0, nodes: 0 },
                nodes: 0,
                told: 0,
                effort: 0,
                waiting: false,
                over: false,
            }),
            bell: Condvar::new(),
            cancel,
            purse,
            held,
        }
    }

    /// Lets the member work off `amount`, but at most so many nodes, and waits
    /// until it has. Answers with the nodes it spent, and whether it may be
    /// granted more.
    pub(super) fn grant(&self, amount: u64, nodes: u64) -> (u64, bool) {
        // What a member has spent is known once it waits: a thread that has
        // just begun may not have come so far.
        let mut state = self.until_it_waits(self.lock());
        state.granted = Turn {
            work: state.nodes + state.effort + amount,
            nodes: state.told.saturating_add(nodes),
        };
        state.waiting = state.granted.is_over(state.nodes, state.effort);
        self.bell.notify_all();
        state = self.until_it_waits(state);
        let spent = state.nodes - state.told;
        state.told = state.nodes;
        (spent, !state.over)
    }

    fn until_it_waits<'a>(&self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        while !state.waiting && !state.over {
            state = self.sleep(state);
        }
        state
    }

    /// The member has come to its end, having spent so many nodes.
    pub(super) fn leave(&self, nodes: u64) {
        let mut state = self.lock();
        state.nodes = nodes;
        state.over = true;
        self.held.store(0, Ordering::Relaxed);
        self.bell.notify_all();
    }

    /// Wakes whoever sleeps here, because the switch was pressed.
    pub(super) fn ring(&self) {
        let _state = self.lock();
        self.bell.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A member that broke leaves counters behind, and these are sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sleep<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.bell
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turns for Seat {
    fn wait(&self, nodes: u64, effort: u64) -> Turn {
        let mut state = self.lock();
        state.nodes = nodes;
        state.effort = effort;
        while state.granted.is_over(nodes, effort) {
            if self.cancel.is_cancelled() {
                return Turn::ENDLESS;
            }
            state.waiting = true;
            self.bell.notify_all();
            state = self.sleep(state);
        }
        state.granted
    }

    fn hold(&self, bytes: u64) -> Result<(), Stop> {
        match self.purse.may_hold(&self.held, bytes) {
            true => Ok(()),
            false => Err(Stop::Memory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planoku_engine::Run;

    #[test]
    fn a_member_works_off_what_it_is_granted_and_not_more() {
        let cancel = Cancel::new();
        let seat = Arc::new(Seat::new(cancel.clone(), Arc::default()));
        let member = seat.clone();
        let thread = std::thread::spawn(move || {
            let mut run = Run::limit(1).with_turns(member.clone()).with_cancel(cancel);
            while run.nodes() < 25 && run.tick().is_ok() {}
            member.leave(run.nodes());
        });
        let turns: Vec<(u64, bool)> = (0..3).map(|_| seat.grant(10, u64::MAX)).collect();
        thread.join().unwrap();
        assert_eq!(turns.iter().map(|turn| turn.0).sum::<u64>(), 25);
        let goes_on: Vec<bool> = turns.iter().map(|turn| turn.1).collect();
        assert_eq!(goes_on, [true, true, false]);
    }

    #[test]
    fn a_turn_does_not_depend_on_who_comes_first() {
        for late in [false, true] {
            let cancel = Cancel::new();
            let seat = Arc::new(Seat::new(cancel.clone(), Arc::default()));
            let member = seat.clone();
            let thread = std::thread::spawn(move || {
                if late {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                let mut run = Run::limit(1).with_turns(member.clone()).with_cancel(cancel);
                run.check().unwrap();
                while run.nodes() < 25 && run.tick().is_ok() {}
                member.leave(run.nodes());
            });
            if !late {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            assert_eq!(seat.grant(10, u64::MAX), (10, true), "late: {late}");
            assert_eq!(seat.grant(100, u64::MAX), (15, false));
            thread.join().unwrap();
        }
    }

    #[test]
    fn a_sleeping_member_hears_the_switch() {
        let cancel = Cancel::new();
        let seat = Arc::new(Seat::new(cancel.clone(), Arc::default()));
        let (member, switch) = (seat.clone(), cancel.clone());
        let thread = std::thread::spawn(move || {
            let mut run = Run::limit(1).with_turns(member).with_cancel(switch);
            run.check()
        });
        cancel.cancel();
        seat.ring();
        assert_eq!(thread.join().unwrap(), Err(Stop::Cancelled));
    }

    #[test]
    fn the_largest_leaves_when_the_purse_is_overdrawn() {
        let purse = Arc::new(Purse::new(Some(1000)));
        let seats: Vec<Seat> = (0..2)
            .map(|_| Seat::new(Cancel::new(), purse.clone()))
            .collect();
        assert_eq!(seats[0].hold(700), Ok(()));
        assert_eq!(seats[1].hold(310), Ok(()));
        assert_eq!(seats[0].hold(700), Err(Stop::Memory));
        seats[0].leave(0);
        assert_eq!(seats[1].hold(900), Ok(()));
    }
}
