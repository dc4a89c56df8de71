//! Several searches on one processor: who may go on, and how far.

use crate::Stop;

/// Decides when a run may go on, so that several searches share a processor
/// without one of them beginning anew.
///
/// Turns are measured in what a run counts itself, its nodes and its effort,
/// never by a clock: with one search at a time, all of them repeat.
pub trait Turns: Send + Sync {
    /// Called by a run that has used up what it was granted, with all it has
    /// spent so far. Blocks until the run may go on, and answers how far; with
    /// nothing if it has to end and give back what it holds, which the run takes
    /// for [`Stop::Memory`], now and whenever it asks again.
    fn wait(&self, nodes: u64, effort: u64) -> Option<Turn>;

    /// Called by a run that holds so many bytes, itself or what it estimates:
    /// may it?
    fn hold(&self, bytes: u64) -> Result<(), Stop>;

    /// Told once in each turn, if the run can tell: how much remains at best.
    /// Numbers of one run compare with each other and with nothing else.
    fn hear(&self, _remains: u64) {}
}

/// How far a run may go until it has to wait again, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The sum of nodes and effort.
    pub work: u64,
    /// Nodes alone.
    pub nodes: u64,
}

impl Turn {
    /// As far as it likes.
    pub const ENDLESS: Turn = Turn {
        work: u64::MAX,
        nodes: u64::MAX,
    };

    /// True if a run that has spent this much has come to its end.
    pub fn is_over(self, nodes: u64, effort: u64) -> bool {
        nodes >= self.nodes || nodes + effort >= self.work
    }
}
