//! A value computed once, within the limits of whoever asks first.
//!
//! [`std::sync::OnceLock`] cannot be stopped: here a computation may end with
//! a [`Stop`], and then the cell is as empty as before and the next who asks
//! begins anew. The same if it panics.
//!
//! While somebody computes, others wait. Planners that take turns must not
//! block, for the one they wait for may be asleep until its next turn: they
//! spend their turns waiting instead, which costs no time and is charged to
//! them, as the analysis is theirs too.

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use planoku_engine::{Run, Stop};

/// A value that is computed when it is first asked for.
pub(super) struct Once<T> {
    value: OnceLock<T>,
    /// Somebody is computing it.
    busy: Mutex<bool>,
    idle: Condvar,
}

impl<T> Default for Once<T> {
    fn default() -> Once<T> {
        Once {
            value: OnceLock::new(),
            busy: Mutex::new(false),
            idle: Condvar::new(),
        }
    }
}

/// What a planner is charged each time it looks whether the value is there.
const LOOK: u64 = 1000;

impl<T> Once<T> {
    /// The value, if it is there.
    pub(super) fn ready(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value, computed unless it is there.
    pub(super) fn get(
        &self,
        run: &mut Run<'_>,
        compute: impl FnOnce(&mut Run<'_>) -> Result<T, Stop>,
    ) -> Result<&T, Stop> {
        loop {
            if let Some(value) = self.value.get() {
                return Ok(value);
            }
            let mut busy = self.lock();
            if !*busy {
                *busy = true;
                break;
            }
            if run.takes_turns() {
                drop(busy);
                run.effort(LOOK)?;
            } else {
                let pause = Duration::from_millis(5);
                drop(self.idle.wait_timeout(busy, pause));
                run.check()?;
            }
        }
        let _computing = Computing(self);
        // Somebody may have been ready between the look and the lock.
        if self.value.get().is_none() {
            let _ = self.value.set(compute(run)?);
        }
        Ok(self.value.get().expect("it has just been set"))
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// However the computation ends, the next may begin.
struct Computing<'a, T>(&'a Once<T>);

impl<T> Drop for Computing<'_, T> {
    fn drop(&mut self) {
        *self.0.lock() = false;
        self.0.idle.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planoku_engine::{Turn, Turns};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn what_was_stopped_begins_anew_and_what_is_there_is_not_computed_again() {
        let cell = Once::default();
        let mut tired = Run::default().with_nodes(2);
        let slow = |run: &mut Run<'_>| {
            for _ in 0..5 {
                run.tick()?;
            }
            Ok(7)
        };
        assert_eq!(cell.get(&mut tired, slow), Err(Stop::Nodes));
        let mut run = Run::default();
        assert_eq!(cell.get(&mut run, slow), Ok(&7));
        assert_eq!(cell.get(&mut run, |_| panic!("computed again")), Ok(&7));
        assert_eq!(run.nodes(), 5);
    }

    #[test]
    fn a_panic_does_not_poison_it() {
        let cell: Once<u32> = Once::default();
        let broken = std::panic::AssertUnwindSafe(|| {
            let _ = cell.get(&mut Run::default(), |_| panic!("broken"));
        });
        assert!(std::panic::catch_unwind(broken).is_err());
        assert_eq!(cell.get(&mut Run::default(), |_| Ok(1)), Ok(&1));
    }

    #[test]
    fn several_threads_compute_it_once() {
        let cell = Once::default();
        let computed = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let value = cell.get(&mut Run::default(), |_| {
                        std::thread::sleep(Duration::from_millis(20));
                        Ok(computed.fetch_add(1, Ordering::Relaxed))
                    });
                    assert_eq!(value, Ok(&0));
                });
            }
        });
        assert_eq!(computed.into_inner(), 1);
    }

    /// Grants a little at a time and counts how often it was asked.
    #[derive(Default)]
    struct Little(AtomicU64);

    impl Turns for Little {
        fn wait(&self, nodes: u64, effort: u64) -> Option<Turn> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Some(Turn {
                work: nodes + effort + 5000,
                nodes: u64::MAX,
            })
        }

        fn hold(&self, _: u64) -> Result<(), Stop> {
            Ok(())
        }
    }

    #[test]
    fn who_takes_turns_waits_by_ending_them() {
        let cell = Once::default();
        let turns = Arc::new(Little::default());
        let asked = turns.clone();
        std::thread::scope(|scope| {
            let (begun, wait) = std::sync::mpsc::channel();
            let cell = &cell;
            scope.spawn(move || {
                let value = cell.get(&mut Run::default(), |_| {
                    let _ = begun.send(());
                    // Not before the other has come to the end of a turn.
                    while asked.0.load(Ordering::Relaxed) < 3 {
                        std::thread::yield_now();
                    }
                    Ok(3)
                });
                assert_eq!(value, Ok(&3));
            });
            wait.recv().unwrap();
            let mut run = Run::default().with_turns(turns);
            assert_eq!(cell.get(&mut run, |_| Ok(4)), Ok(&3));
            assert!(run.work() >= 2 * LOOK);
        });
    }
}
