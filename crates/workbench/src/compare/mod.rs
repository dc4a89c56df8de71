//! The same puzzles through many engines, timed side by side and held against
//! each other.
//!
//! A [`Contest`] runs every engine on every puzzle, several rounds, interleaved:
//! within a round the engines take turns on each puzzle, so that whatever else
//! the machine is doing falls on all of them alike. Each thread runs one
//! search at a time. A search that hits its budget is not repeated.
//!
//! What comes first in a [`EngineComparison`] is not speed but [disagreement](Disagreement):
//! two engines cannot both be right if one finds a solution and another proves
//! that there is none.

mod judge;
mod summary;

pub use judge::{Disagreement, disagreements};
pub use summary::{Spread, Summary, summaries};

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use planoku_engine::{Budget, Cancel, End, Run, Stop};
use planoku_sudoku::Grid;

use crate::registry::SudokuEngine;
use crate::solve::solve;

/// What to run, and how often.
pub struct Contest {
    /// Who takes part.
    pub engines: Vec<SudokuEngine>,
    /// On what.
    pub puzzles: Vec<Grid>,
    /// What each search may spend.
    pub budget: Budget,
    /// How often each pair is timed.
    pub rounds: usize,
    /// How many searches run at once.
    pub threads: usize,
}

/// Everything measured.
pub struct EngineComparison {
    /// The engines' names, in the order they took part.
    pub engines: Vec<String>,
    /// The puzzles.
    pub puzzles: Vec<Grid>,
    /// One per puzzle and engine that was reached: puzzle by puzzle.
    pub results: Vec<Measured>,
    /// What each search was allowed.
    pub budget: Budget,
    /// Timed rounds.
    pub rounds: usize,
    /// True if someone stopped the contest early.
    pub cut_short: bool,
}

/// One engine on one puzzle.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Index into [`EngineComparison::engines`].
    pub engine: usize,
    /// Index into [`EngineComparison::puzzles`].
    pub puzzle: usize,
    /// How it ended.
    pub claim: Claim,
    /// Search nodes, as the engine counts them.
    pub nodes: u64,
    /// Wall-clock times, one a round, ascending.
    pub times: Vec<Duration>,
}

impl Measured {
    /// The middle of the times.
    pub fn time(&self) -> Duration {
        self.times
            .get(self.times.len() / 2)
            .copied()
            .unwrap_or_default()
    }
}

/// What an engine says of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Here is a solution; it has been verified.
    Solved(Grid),
    /// There is none; the engine looked everywhere.
    None,
    /// Nothing found, nothing proved.
    GaveUp,
    /// The budget ran out.
    Stopped(Stop),
    /// The engine does not take this puzzle; the text says why.
    Refused(String),
    /// The engine was caught in a mistake.
    Wrong(String),
}

impl Claim {
    /// The word used in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Claim::Solved(_) => "solved",
            Claim::None => "no solution",
            Claim::GaveUp => "gave up",
            Claim::Stopped(_) => "stopped",
            Claim::Refused(_) => "refused",
            Claim::Wrong(_) => "wrong",
        }
    }
}

impl Contest {
    /// Runs everything. `progress` is told how many of how many puzzles are
    /// done; `cancel` ends the contest after the searches under way.
    pub fn run(
        &self,
        cancel: &Cancel,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> EngineComparison {
        let next = AtomicUsize::new(0);
        let done = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        let warm_up = self.puzzles.first();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, self.puzzles.len().max(1)) {
                scope.spawn(|| {
                    // Tables are built and pages touched before any clock runs.
                    for engine in &self.engines {
                        if let Some(puzzle) = warm_up {
                            self.search(engine, puzzle, cancel);
                        }
                    }
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= self.puzzles.len() || cancel.is_cancelled() {
                            return;
                        }
                        let measured = self.one_puzzle(index, cancel);
                        results
                            .lock()
                            .expect("no panic while held")
                            .extend(measured);
                        progress(done.fetch_add(1, Ordering::Relaxed) + 1, self.puzzles.len());
                    }
                });
            }
        });
        let mut results = results.into_inner().expect("no panic while held");
        results.sort_by_key(|measured: &Measured| (measured.puzzle, measured.engine));
        EngineComparison {
            engines: self
                .engines
                .iter()
                .map(|engine| engine.profile().name.into())
                .collect(),
            puzzles: self.puzzles.clone(),
            results,
            budget: self.budget,
            rounds: self.rounds,
            cut_short: cancel.is_cancelled(),
        }
    }

    fn one_puzzle(&self, index: usize, cancel: &Cancel) -> Vec<Measured> {
        let puzzle = &self.puzzles[index];
        let mut measured: Vec<Measured> = Vec::new();
        for round in 0..self.rounds.max(1) {
            for (engine, entrant) in self.engines.iter().enumerate() {
                if cancel.is_cancelled() {
                    break;
                }
                if round == 0 {
                    let (claim, nodes, time) = self.search(entrant, puzzle, cancel);
                    if claim != Claim::Stopped(Stop::Cancelled) {
                        let times = vec![time];
                        measured.push(Measured {
                            engine,
                            puzzle: index,
                            claim,
                            nodes,
                            times,
                        });
                    }
                } else if let Some(known) = measured.iter_mut().find(|m| m.engine == engine)
                    && !matches!(known.claim, Claim::Stopped(_))
                {
                    known.times.push(self.search(entrant, puzzle, cancel).2);
                }
            }
        }
        measured.iter_mut().for_each(|m| m.times.sort_unstable());
        measured
    }

    fn search(
        &self,
        engine: &SudokuEngine,
        puzzle: &Grid,
        cancel: &Cancel,
    ) -> (Claim, u64, Duration) {
        let mut run = Run::limit(1)
            .with_budget(self.budget)
            .with_cancel(cancel.clone());
        match solve(&**engine, puzzle, &mut run) {
            Ok(outcome) => {
                let (nodes, time) = (outcome.stats.nodes, outcome.stats.time);
                let claim = match (outcome.answers.into_iter().next(), outcome.end) {
                    (Some(solution), _) => Claim::Solved(solution.grid),
                    (None, End::Exhausted) => Claim::None,
                    (None, End::Stopped(stop)) => Claim::Stopped(stop),
                    (None, End::Incomplete | End::Enough) => Claim::GaveUp,
                };
                (claim, nodes, time)
            }
            Err(planoku_engine::EngineError::Unsupported(why)) => {
                (Claim::Refused(why), 0, run.elapsed())
            }
            Err(error) => (Claim::Wrong(error.to_string()), run.nodes(), run.elapsed()),
        }
    }
}
