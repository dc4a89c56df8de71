//! How a search ended, with what, and at what cost.

use std::time::Duration;

use crate::{EngineError, Sink, Stop};

/// How a search ended that handed its answers to somebody else.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Why the search is over.
    pub end: End,
    /// What it cost.
    pub stats: Stats,
}

/// What one call of an engine brought back.
#[derive(Clone, Debug)]
pub struct Outcome<A> {
    /// The answers, in the order they were found; at most as many as wanted.
    pub answers: Vec<A>,
    /// Why the search is over.
    pub end: End,
    /// What it cost.
    pub stats: Stats,
}

impl<A> Outcome<A> {
    /// Keeps the answers of a search.
    pub fn collect(
        search: impl FnOnce(&mut Sink<'_, A>) -> Result<Ended, EngineError>,
    ) -> Result<Outcome<A>, EngineError> {
        let mut answers = Vec::new();
        let Ended { end, stats } = search(&mut |answer| {
            answers.push(answer);
            Ok(())
        })?;
        Ok(Outcome {
            answers,
            end,
            stats,
        })
    }

    /// Hands the answers on to a sink, which may want fewer of them.
    pub fn hand_to(self, sink: &mut Sink<'_, A>) -> Result<Ended, EngineError> {
        let end = match self.answers.into_iter().try_for_each(sink) {
            Ok(()) => self.end,
            Err(leave) => leave.end()?,
        };
        Ok(Ended {
            end,
            stats: self.stats,
        })
    }

    /// The same outcome with every answer translated; the first failure wins.
    pub fn try_map<B, E>(self, translate: impl FnMut(A) -> Result<B, E>) -> Result<Outcome<B>, E> {
        let answers = self
            .answers
            .into_iter()
            .map(translate)
            .collect::<Result<_, E>>()?;
        Ok(Outcome {
            answers,
            end: self.end,
            stats: self.stats,
        })
    }

    /// True if the search proved that there is no answer at all.
    pub fn proves_none(&self) -> bool {
        self.answers.is_empty() && self.end == End::Exhausted
    }
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
