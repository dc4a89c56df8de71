//! A beat some two hundred times a second, so that no search has to guess when
//! to look at the clock.
//!
//! What a node costs differs between engines, and within one engine between
//! its beginning and its end, by factors of millions. So one thread beats, and
//! a [`Run`](crate::Run) compares one number per tick: when it has changed, it
//! is time to look at clock, switch and memory. The thread sleeps for good
//! when nobody has looked for a while.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

const PERIOD: Duration = Duration::from_millis(5);

/// Beats without a look after which the thread goes to sleep.
const PATIENCE: u32 = 200;

static BEAT: AtomicU64 = AtomicU64::new(0);
static LOOKED: AtomicBool = AtomicBool::new(false);
static AWAKE: AtomicBool = AtomicBool::new(false);
static THREAD: Mutex<Option<Thread>> = Mutex::new(None);

/// The number of the last beat.
#[inline]
pub(crate) fn beat() -> u64 {
    BEAT.load(Ordering::Relaxed)
}

/// Says that somebody looked; sees to it that there will be another beat.
/// False if there is no thread to be had for that.
pub(crate) fn listen() -> bool {
    if !cfg!(feature = "threads") {
        return false;
    }
    LOOKED.store(true, Ordering::Relaxed);
    AWAKE.load(Ordering::Acquire) || wake()
}

#[cold]
fn wake() -> bool {
    let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(thread) = &*thread {
        AWAKE.store(true, Ordering::Release);
        thread.unpark();
        return true;
    }
    let spawned = thread::Builder::new()
        .name("heartbeat".into())
        .stack_size(64 << 10)
        .spawn(run);
    match spawned {
        Ok(handle) => {
            AWAKE.store(true, Ordering::Release);
            *thread = Some(handle.thread().clone());
            true
        }
        Err(_) => false,
    }
}

fn run() {
    let mut quiet = 0;
    loop {
        thread::sleep(PERIOD);
        BEAT.fetch_add(1, Ordering::Relaxed);
        quiet = match LOOKED.swap(false, Ordering::Relaxed) {
            true => 0,
            false => quiet + 1,
        };
        if quiet > PATIENCE {
            AWAKE.store(false, Ordering::Release);
            // Whoever ticks next shall look, and so wake this thread.
            BEAT.fetch_add(1, Ordering::Relaxed);
            while !AWAKE.load(Ordering::Acquire) {
                thread::park();
            }
            quiet = 0;
        }
    }
}
