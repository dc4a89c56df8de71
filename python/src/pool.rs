//! The threads that work on batches.
//!
//! They belong to a process: a child made by `fork`, as `multiprocessing` makes
//! them, has none of its parent's threads, and would wait for them forever. So
//! the pool remembers whose it is, and a child makes one of its own.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use planoku_engine::Cancel;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::interrupt::interruptible;

struct Pool {
    process: u32,
    threads: ThreadPool,
}

static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// Does some work on all cores, or on as many as `RAYON_NUM_THREADS` says;
/// without the GIL, and with an ear for Ctrl-C.
pub fn on_all_cores<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Cancel) -> T + Send,
) -> PyResult<T> {
    let threads = threads()?;
    interruptible(py, |cancel| threads.install(|| work(cancel)))
}

fn threads() -> PyResult<&'static ThreadPool> {
    let process = std::process::id();
    let known = POOL.load(Ordering::Acquire);
    // SAFETY: it is null, or came from `Box::into_raw` below and is never freed.
    if let Some(pool) = unsafe { known.as_ref() }
        && pool.process == process
    {
        return Ok(&pool.threads);
    }
    let threads = ThreadPoolBuilder::new()
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
    let made = Box::into_raw(Box::new(Pool { process, threads }));
    let kept = POOL.compare_exchange(known, made, Ordering::AcqRel, Ordering::Acquire);
    // A parent's pool is left alone: its threads are not here to be ended.
    let ours = match kept {
        Ok(_) => made,
        Err(other) => {
            // SAFETY: nobody else has seen it.
            drop(unsafe { Box::from_raw(made) });
            other
        }
    };
    // SAFETY: made by this function, by this thread or another, and never freed.
    Ok(unsafe { &(*ours).threads })
}
