//! How a search ended, and at what cost.

use std::time::Duration;

use crate::Stop;

/// How a search ended that handed its answers to somebody else.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Why the search is over.
    pub end: End,
    /// What it cost.
    pub stats: Stats,
}

/// Why a search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Everything was looked at: there are no answers beyond those returned.
    Exhausted,
    /// As many answers as wanted were found; there may be more.
    Enough,
    /// The engine has nothing left to try, and that proves nothing.
    Incomplete,
    /// A budget ran out or someone cancelled.
    Stopped(Stop),
}

impl End {
    /// The word used in JSON and on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            End::Exhausted => "exhausted",
            End::Enough => "enough",
            End::Incomplete => "incomplete",
            End::Stopped(_) => "stopped",
        }
    }

    /// What stopped the search, if something did.
    pub fn stopped_by(self) -> Option<Stop> {
        match self {
            End::Stopped(stop) => Some(stop),
            _ => None,
        }
    }
}

/// What a search cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Search nodes: each engine documents what it counts as one.
    pub nodes: u64,
    /// Wall-clock time inside the engine.
    pub time: Duration,
    /// Whatever else the engine counts, by name, in a stable order.
    pub counters: Vec<(&'static str, u64)>,
    /// Mistakes of ours that the engine noticed and survived, in words: a part
    /// of it that broke, or found something that was refused.
    pub faults: Vec<String>,
}

impl Stats {
    /// Adds to the named counter, creating it if need be.
    pub fn add(&mut self, name: &'static str, amount: u64) {
        match self.counters.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += amount,
            None => self.counters.push((name, amount)),
        }
    }

    /// The named counter, 0 if the engine does not keep it.
    pub fn get(&self, name: &str) -> u64 {
        self.counters
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(0, |&(_, count)| count)
    }
}
