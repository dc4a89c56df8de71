//! Work without the GIL that hears Ctrl-C.
//!
//! The work runs on a thread of its own; the thread of the interpreter sleeps
//! without the GIL and looks for signals twenty times a second. Ctrl-C presses
//! the switch, waits for the work to end, and raises `KeyboardInterrupt`.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use planoku_engine::Cancel;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Planners recurse deeply; untouched stack costs nothing.
pub const STACK: usize = 256 << 20;

/// Does some work that looks at the switch now and then.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Cancel) -> T + Send,
) -> PyResult<T> {
    let cancel = Cancel::new();
    let (done, wake) = (Mutex::new(false), Condvar::new());
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || {
                let _end = End(&done, &wake);
                work(&cancel)
            });
        let worker = worker.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let mut interrupted = Ok(());
        loop {
            let over = py.detach(|| {
                let over = done.lock().unwrap_or_else(PoisonError::into_inner);
                let sleep = Duration::from_millis(50);
                let woken = wake.wait_timeout_while(over, sleep, |over| !*over);
                *woken.unwrap_or_else(PoisonError::into_inner).0
            });
            if over {
                break;
            }
            if interrupted.is_ok() {
                interrupted = py.check_signals();
                if interrupted.is_err() {
                    cancel.cancel();
                }
            }
        }
        let result = worker.join();
        interrupted?;
        result.map_err(|_| PyRuntimeError::new_err("planoku made a mistake; please report it"))
    })
}

/// Tells that the thread has ended, however it ended.
struct End<'a>(&'a Mutex<bool>, &'a Condvar);

impl Drop for End<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.1.notify_all();
    }
}
