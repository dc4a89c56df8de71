//! What became of one puzzle: an attempt for each engine.
//!
//! There are two ways to solve a puzzle here, alone or in a batch, and both
//! fill the same record. What was measured stands in it; what was not is `None`.

use std::borrow::Cow;
use std::time::Duration;

use planoku_engine::{End, EngineError, Stop};
use planoku_sudoku::Grid;
use planoku_sudoku::native::Cells;

use crate::exit::Exit;
use crate::input::Item;

/// A puzzle, or a mistake in its place, and what the engines made of it.
pub struct Record<'a> {
    pub place: Place<'a>,
    pub puzzle: Result<Board<'a>, &'a str>,
    pub attempts: &'a [Attempt],
}

/// Where a puzzle stands.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub source: &'a str,
    pub line: usize,
    pub column: usize,
}

impl<'a> Place<'a> {
    pub fn of(item: &'a Item) -> Place<'a> {
        Place {
            source: &item.source,
            line: item.line,
            column: item.column,
        }
    }
}

/// A board of any size, or 9x9 cells on their way through a batch.
#[derive(Clone, Copy)]
pub enum Board<'a> {
    Grid(&'a Grid),
    Cells(&'a Cells),
}

impl Board<'_> {
    /// Writes its symbols, as [`Grid`] shows them.
    pub fn write(&self, text: &mut Vec<u8>) {
        match self {
            Board::Grid(grid) => text.extend_from_slice(grid.to_string().as_bytes()),
            Board::Cells(cells) => text.extend_from_slice(&cells.map(symbol)),
        }
    }

    /// The board as a grid.
    pub fn to_grid(self) -> Option<Grid> {
        match self {
            Board::Grid(grid) => Some(grid.clone()),
            Board::Cells(cells) => planoku_sudoku::native::from_cells(cells),
        }
    }
}

fn symbol(digit: u8) -> u8 {
    match digit {
        0 => b'.',
        _ => b'0' + digit,
    }
}

/// One engine's work on one puzzle.
pub struct Attempt {
    pub engine: Cow<'static, str>,
    /// How it ended, or why it could not go on.
    pub end: Result<End, EngineError>,
    /// Solutions found. Every one of them has passed the verifier.
    pub found: u64,
    /// The first of them, if it was kept.
    pub first: Option<First>,
    /// Search nodes, as the engine counts them.
    pub nodes: Option<u64>,
    /// Time for this puzzle alone.
    pub time: Option<Duration>,
    pub counters: Vec<(&'static str, u64)>,
}

/// A solution that is kept.
pub enum First {
    Grid(Grid),
    Cells(Cells),
}

impl First {
    pub fn board(&self) -> Board<'_> {
        match self {
            First::Grid(grid) => Board::Grid(grid),
            First::Cells(cells) => Board::Cells(cells),
        }
    }
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

impl Verdict {
    /// The word for it in tables.
    pub fn status(self) -> &'static str {
        match self {
            Verdict::Exactly(0) => "none",
            Verdict::Exactly(1) => "unique",
            Verdict::Exactly(_) | Verdict::AtLeast(_) => "several",
            Verdict::Solved => "solved",
            Verdict::GaveUp => "gave-up",
            Verdict::Stopped(..) => "stopped",
        }
    }
}

impl Attempt {
    /// What it says about the puzzle, if the engine could take it.
    pub fn verdict(&self) -> Option<Verdict> {
        let end = *self.end.as_ref().ok()?;
        Some(match (end, self.found) {
            // More than one settles that the puzzle is not proper.
            (End::Exhausted, found) => Verdict::Exactly(found),
            (End::Stopped(stop), found) => Verdict::Stopped(stop, found),
            (End::Enough | End::Incomplete, found @ 2..) => Verdict::AtLeast(found),
            (End::Enough | End::Incomplete, 1) => Verdict::Solved,
            (End::Enough | End::Incomplete, _) => Verdict::GaveUp,
        })
    }

    /// Whether what was found passed the verifier; `None` if nothing was found,
    /// since then there was nothing to verify.
    pub fn verified(&self) -> Option<bool> {
        (self.found > 0).then_some(true)
    }

    /// Whether the puzzle has exactly one solution, if that is proved.
    pub fn unique(&self) -> Option<bool> {
        match self.verdict()? {
            Verdict::Exactly(found) => Some(found == 1),
            Verdict::AtLeast(_) | Verdict::Stopped(_, 2..) => Some(false),
            _ => None,
        }
    }

    /// The code this attempt alone would end with.
    pub fn exit(&self) -> Exit {
        match (&self.end, self.verdict()) {
            (Err(EngineError::Internal(_)), _) => Exit::Fault,
            (Err(EngineError::Unsupported(_)), _) => Exit::BadInput,
            (_, Some(Verdict::Exactly(0))) => Exit::Proved,
            (_, Some(Verdict::GaveUp)) => Exit::GaveUp,
            (_, Some(Verdict::Stopped(..))) => Exit::Stopped,
            _ => Exit::Done,
        }
    }
}

impl Record<'_> {
    /// The code this puzzle alone would end with.
    pub fn exit(&self) -> Exit {
        if self.puzzle.is_err() {
            return Exit::BadInput;
        }
        let worst = self.attempts.iter().map(Attempt::exit).max();
        match self.disagreement() {
            Some(_) => Exit::Fault,
            None => worst.unwrap_or(Exit::Done),
        }
    }

    /// The first solution any engine found.
    pub fn first_solution(&self) -> Option<Board<'_>> {
        let mut firsts = self.attempts.iter().filter_map(|attempt| {
            let first = attempt.first.as_ref()?;
            Some(first.board())
        });
        firsts.next()
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
        let place = || format!("{}:{}", self.place.source, self.place.line);
        let failed = self.attempts.iter().filter_map(|attempt| {
            let error = attempt.end.as_ref().err()?;
            Some(format!("{}: {}: {error}", place(), attempt.engine))
        });
        let disagreement = self.disagreement();
        let disagreement = disagreement.map(|what| format!("{}: {what}", place()));
        failed.chain(disagreement).collect()
    }

    /// Two engines that cannot both be right.
    fn disagreement(&self) -> Option<String> {
        if self.attempts.len() < 2 {
            return None;
        }
        let proofs = self
            .attempts
            .iter()
            .filter_map(|attempt| match attempt.verdict()? {
                Verdict::Exactly(n) => Some((attempt, n)),
                _ => None,
            });
        for (prover, proved) in proofs {
            for other in self.attempts {
                let Ok(end) = other.end else { continue };
                let found = other.found;
                let fewer = end == End::Exhausted && found < proved;
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
