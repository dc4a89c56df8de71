//! The papers' tables with ours beside them.
//!
//! Planoku grew from five documents. Each makes claims that can be checked;
//! here they are checked. A [`Chapter`] is one paper: what it claims, what we
//! measured, and for every row a [`ClaimVerdict`], which [`PaperFigure::verdict`] computes
//! from both.

mod blocks;
mod csp;
mod hddl;
mod pddl;
mod text;
pub mod verdict;

pub use text::text;
pub use verdict::{ClaimVerdict, PaperFigure, Published};

use planoku_engine::{Cancel, Run};

/// What can be reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Paper {
    /// "The CSP Sudoku".
    Csp,
    /// "A Block World Problem Based Sudoku Solver".
    Blocks,
    /// "Planning Sudoku", paper and slides.
    Hddl,
    /// The note on a PDDL encoding.
    Pddl,
}

impl Paper {
    /// Every paper, in the order of the report.
    pub const ALL: [Paper; 4] = [Paper::Csp, Paper::Blocks, Paper::Hddl, Paper::Pddl];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Paper::Csp => "csp",
            Paper::Blocks => "blocks",
            Paper::Hddl => "hddl",
            Paper::Pddl => "pddl",
        }
    }
}

/// One paper, checked.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Which.
    pub paper: Paper,
    /// Its title, authors and year.
    pub citation: &'static str,
    /// What was checked and what came out, in a few sentences.
    pub summary: Vec<String>,
    /// The tables.
    pub tables: Vec<FigureTable>,
}

/// Figures side by side.
#[derive(Clone, Debug)]
pub struct FigureTable {
    /// What it shows.
    pub title: String,
    /// The heads of the columns; the verdict comes after them.
    pub head: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<ClaimRow>,
    /// What to keep in mind when reading it.
    pub notes: Vec<String>,
}

/// One claim.
#[derive(Clone, Debug)]
pub struct ClaimRow {
    /// One text per column.
    pub cells: Vec<String>,
    /// What we say to it.
    pub verdict: ClaimVerdict,
}

/// How much work to put in, and who listens.
pub struct Effort<'a> {
    /// Under half a minute, by smaller samples.
    pub quick: bool,
    /// Stops the work; what is done until then is returned.
    pub cancel: &'a Cancel,
    /// Told what is being done.
    pub progress: &'a dyn Fn(&str),
}

impl Effort<'_> {
    fn run(&self, limit: u64) -> Run<'static> {
        Run::limit(limit).with_cancel(self.cancel.clone())
    }

    /// The first in quick runs, the second in long ones.
    fn pick<T>(&self, quick: T, long: T) -> T {
        if self.quick { quick } else { long }
    }
}

/// Checks one paper.
pub fn reproduce(paper: Paper, effort: &Effort<'_>) -> Chapter {
    (effort.progress)(paper.name());
    match paper {
        Paper::Csp => csp::chapter(effort),
        Paper::Blocks => blocks::chapter(effort),
        Paper::Hddl => hddl::chapter(effort),
        Paper::Pddl => pddl::chapter(effort),
    }
}

/// A row with the verdict that its claims came to.
fn row<const N: usize>(cells: [String; N], verdict: ClaimVerdict) -> ClaimRow {
    ClaimRow {
        cells: cells.into(),
        verdict,
    }
}

/// Names in a sentence: "a", "a and b", "a, b and c".
fn listed(names: &[String]) -> String {
    match names {
        [] => "none".into(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}
