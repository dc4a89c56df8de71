//! What a search may spend, and what stops it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a caller is willing to pay. Any combination is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Search nodes, as the engine counts them: repeatable on any machine.
    pub nodes: Option<u64>,
    /// Bytes that may be held at once: by the whole process where the
    /// allocator counts them (see [`crate::memory`]), else by the engine as it
    /// estimates them itself.
    pub memory: Option<u64>,
}

/// What stopped a search before its natural end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The time is up.
    Time,
    /// The node budget is spent.
    Nodes,
    /// The memory budget would be exceeded.
    Memory,
    /// Someone called [`Cancel::cancel`].
    Cancelled,
}

impl Stop {
    /// The word used in JSON and on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::error::Error for Stop {}

/// A switch that stops every run holding a clone of it. Safe to use from a
/// signal handler or another thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch nobody has pressed.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Asks every run holding a clone to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How much of a memory budget is used before a search stops: the rest is for
/// what it does between two looks, and for stopping.
pub fn usable(memory: u64) -> u64 {
    memory - memory / 16
}
