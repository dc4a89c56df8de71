//! What became of one puzzle: an attempt for each engine.

use std::borrow::Cow;

use planoku_engine::{End, EngineError, Outcome, Stop};
use planoku_sudoku::Grid;
use planoku_workbench::Solution;

use crate::exit::Exit;
use crate::input::Item;

/// A puzzle, or a mistake in its place, and what the engines made of it.
pub struct Record {
    pub item: Item,
    pub attempts: Vec<Attempt>,
}

/// One engine's work on one puzzle.
pub struct Attempt {
    pub engine: Cow<'static, str>,
    pub result: Result<Outcome<Solution>, EngineError>,
}

/// What an attempt says about the puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proved: exactly this many solutions.
    Exactly(u64),
    /// This many were found, more than one, and there may be more.
    AtLeast(u64),
    /// A solution; whether it is the only one was not decided.
    Solved,
    /// No solution, no proof.
    GaveUp,
    /// Stopped before it could say, with this many solutions in hand.
    Stopped(Stop, u64),
}

impl Attempt {
    /// What it says about the puzzle, if the engine could take it.
    pub fn verdict(&self) -> Option<Verdict> {
        let outcome = self.result.as_ref().ok()?;
        let found = outcome.answers.len() as u64;
        Some(match (outcome.end, found) {
            // More than one settles that the puzzle is not proper.
            (End::Exhausted, found) => Verdict::Exactly(found),
            (End::Stopped(stop), found) => Verdict::Stopped(stop, found),
            (End::Enough | End::Incomplete, 2..) => Verdict::AtLeast(found),
            (End::Enough | End::Incomplete, 1) => Verdict::Solved,
            (End::Enough | End::Incomplete, _) => Verdict::GaveUp,
        })
    }

    /// The code this attempt alone would end with.
    pub fn exit(&self) -> Exit {
        match (&self.result, self.verdict()) {
            (Err(EngineError::Internal(_)), _) => Exit::Fault,
            (Err(EngineError::Unsupported(_)), _) => Exit::BadInput,
            (_, Some(Verdict::Exactly(0))) => Exit::Proved,
            (_, Some(Verdict::GaveUp)) => Exit::GaveUp,
            (_, Some(Verdict::Stopped(..))) => Exit::Stopped,
            _ => Exit::Done,
        }
    }
}

impl Record {
    /// The code this puzzle alone would end with.
    pub fn exit(&self) -> Exit {
        if self.item.puzzle.is_err() {
            return Exit::BadInput;
        }
        let worst = self.attempts.iter().map(Attempt::exit).max();
        match self.disagreement() {
            Some(_) => Exit::Fault,
            None => worst.unwrap_or(Exit::Done),
        }
    }

    /// True if Ctrl-C came before any engine looked at the puzzle.
    pub fn never_started(&self) -> bool {
        let untouched = |attempt: &Attempt| {
            attempt.result.as_ref().is_ok_and(|outcome| {
                outcome.end == End::Stopped(Stop::Cancelled)
                    && outcome.answers.is_empty()
                    && outcome.stats.nodes == 0
            })
        };
        !self.attempts.is_empty() && self.attempts.iter().all(untouched)
    }

    /// The first solution any engine found.
    pub fn first_solution(&self) -> Option<&Grid> {
        let outcomes = self.attempts.iter().filter_map(|a| a.result.as_ref().ok());
        outcomes
            .flat_map(|outcome| &outcome.answers)
            .map(|solution| &solution.grid)
            .next()
    }

    /// How many solutions the puzzle has, as far as anyone could tell: 0 and 1
    /// are proofs, 2 or more means several. `None` if nobody could tell.
    pub fn solution_count(&self) -> Option<u64> {
        self.attempts
            .iter()
            .find_map(|attempt| match attempt.verdict()? {
                Verdict::Exactly(n) => Some(n),
                Verdict::AtLeast(n) => Some(n),
                Verdict::Stopped(_, n @ 2..) => Some(n),
                _ => None,
            })
    }

    /// What must be said about engines that failed or contradict each other.
    pub fn complaints(&self) -> Vec<String> {
        let place = format!("{}:{}", self.item.source, self.item.line);
        let failed = self.attempts.iter().filter_map(|attempt| {
            let error = attempt.result.as_ref().err()?;
            Some(format!("{place}: {}: {error}", attempt.engine))
        });
        failed
            .chain(self.disagreement().map(|what| format!("{place}: {what}")))
            .collect()
    }

    /// Two engines that cannot both be right.
    fn disagreement(&self) -> Option<String> {
        let proofs = self
            .attempts
            .iter()
            .filter_map(|attempt| match attempt.verdict()? {
                Verdict::Exactly(n) => Some((attempt, n)),
                _ => None,
            });
        for (prover, proved) in proofs {
            for other in &self.attempts {
                let Ok(outcome) = &other.result else { continue };
                let found = outcome.answers.len() as u64;
                let fewer = outcome.end == End::Exhausted && found < proved;
                if found > proved || fewer {
                    return Some(format!(
                        "{} proves {proved} solutions, {} finds {found}: one of them is wrong",
                        prover.engine, other.engine
                    ));
                }
            }
        }
        None
    }
}
