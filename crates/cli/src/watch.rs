//! The last resort when work hears neither the clock nor a signal.
//!
//! Everything that may take long goes by its [`Run`](planoku_engine::Run) and
//! ends by itself, with what it has found. A command that arms the [`Watch`]
//! is ended, with the exit code of a limit, if it has not come to its end a
//! moment after it should have. Armed only while there is nothing to lose.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use planoku_engine::Cancel;

use crate::memory;

/// How long work may take to end by itself.
const GRACE: Duration = Duration::from_millis(900);

/// How often the watch looks.
const PERIOD: Duration = Duration::from_millis(50);

/// Watches over one command.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    armed: bool,
    started: bool,
    deadline: Option<Instant>,
    grace: Duration,
}

impl Watch {
    /// Ends the process if it is still armed a moment after `time` has passed
    /// or the switch was pressed.
    pub fn arm(&self, time: Option<Duration>, cancel: &Cancel) {
        self.arm_with(GRACE, time, cancel);
    }

    /// Arms for work that listens to nobody: there is no moment to wait
    /// for.
    pub fn arm_for_the_deaf(&self, time: Option<Duration>, cancel: &Cancel) {
        self.arm_with(Duration::ZERO, time, cancel);
    }

    fn arm_with(&self, grace: Duration, time: Option<Duration>, cancel: &Cancel) {
        let mut state = self.lock();
        state.armed = true;
        state.grace = grace;
        state.deadline = time.and_then(|time| Instant::now().checked_add(time));
        if !state.started {
            let (watch, cancel) = (self.clone(), cancel.clone());
            let thread = std::thread::Builder::new().stack_size(64 << 10);
            // Without the thread, limits hold as far as work hears them.
            state.started = thread.spawn(move || watch.look_on(&cancel)).is_ok();
        }
    }

    /// Arms again what was armed before, with what is left of its time.
    pub fn rearm(&self) {
        self.lock().armed = true;
    }

    /// From here on nothing is ended from outside: there are results to write.
    pub fn disarm(&self) {
        self.lock().armed = false;
    }

    fn look_on(&self, cancel: &Cancel) {
        let mut cancelled = None;
        loop {
            std::thread::sleep(PERIOD);
            if cancel.is_cancelled() {
                cancelled.get_or_insert_with(Instant::now);
            }
            let state = self.lock();
            let late = |since: Option<Instant>| since.is_some_and(|it| it.elapsed() > state.grace);
            let passed = state.deadline.filter(|it| *it <= Instant::now());
            if state.armed && late(cancelled) {
                memory::end("stopped by Ctrl-C\n");
            }
            if state.armed && late(passed) {
                memory::end("stopped by time\n");
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
