//! What is said of a puzzle: labels with a stated meaning.
//!
//! Each label depends on the puzzle alone, so that anybody can compute it again
//! and `check` does.

use std::cell::RefCell;

use planoku_engine::{Cancel, End, Run, Stop};
use planoku_human::{Path, Rated, Rater, Unrated};
use planoku_sudoku::canon::Canonizer;
use planoku_sudoku::native::{self, Cells, Isa};
use planoku_sudoku::{Cell, Digit, Grid, Shape, verify_cells};
use planoku_workbench::SudokuEngine;
use serde::Deserialize;

use crate::id::Id;
use crate::table::{ColumnValues, Table};

/// Labels that take time, so that they can be left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// ER, EP, ED, the hardest technique, steps and techniques.
    #[serde(default = "yes")]
    pub rating: bool,
    /// Engines whose nodes are counted.
    #[serde(default)]
    pub engines: Vec<String>,
    /// The most nodes an engine may spend; beyond, the label is missing.
    #[serde(default = "a_million")]
    pub nodes: u64,
}

impl Default for Labels {
    fn default() -> Labels {
        Labels {
            rating: true,
            engines: Vec::new(),
            nodes: a_million(),
        }
    }
}

fn yes() -> bool {
    true
}

fn a_million() -> u64 {
    1_000_000
}

impl Labels {
    /// What is wrong with it, in words.
    pub fn check(&self) -> Result<(), String> {
        for name in &self.engines {
            planoku_workbench::find(name).map_err(|error| {
                format!("expected an engine that `planoku engines` lists; {error}")
            })?;
        }
        Ok(())
    }

    /// The name of the column for the nodes of an engine.
    pub fn nodes_column(engine: &str) -> String {
        format!("nodes_{}", engine.replace([':', '-', '+'], "_"))
    }

    /// Each column with what it means.
    pub fn meanings(&self) -> Vec<(String, String)> {
        let mut list: Vec<(String, String)> = MEANINGS
            .iter()
            .filter(|(name, _)| self.rating || !RATING_COLUMNS.contains(name))
            .map(|(name, meaning)| (name.to_string(), meaning.to_string()))
            .collect();
        for engine in &self.engines {
            let meaning = format!(
                "nodes the engine `{engine}` needs to find the solution and to prove it the only \
                 one; missing past {}",
                self.nodes
            );
            list.push((Labels::nodes_column(engine), meaning));
        }
        list
    }
}

const RATING_COLUMNS: [&str; 6] = ["er", "ep", "ed", "hardest", "steps", "techniques"];

const MEANINGS: [(&str, &str); 15] = [
    (
        "status",
        "unique, several (solutions), none, or invalid (a digit twice in a house)",
    ),
    ("solution", "the only solution, 81 digits"),
    (
        "puzzle_id",
        "first 32 hexadecimal digits of the SHA-256 of the puzzle's minlex form",
    ),
    ("solution_id", "the same of the solution"),
    (
        "automorphisms",
        "ways to turn the puzzle into itself, doing nothing included",
    ),
    ("clues", "digits given"),
    (
        "minimal",
        "no clue can be removed without a second solution",
    ),
    (
        "er",
        "rating of the hardest step on the path of Sudoku Explainer 1.2.1",
    ),
    (
        "ep",
        "rating of the hardest step up to the first digit placed",
    ),
    ("ed", "rating of the first step"),
    ("hardest", "the first technique that needed the rating er"),
    ("steps", "steps of that path"),
    (
        "techniques",
        "steps by technique, `key:count`, the easiest first",
    ),
    ("puzzle", "81 characters in reading order, `.` for a blank"),
    ("bucket", "the bucket of the recipe it was made for"),
];

/// Whether a puzzle is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Exactly one solution.
    Unique,
    /// More than one.
    Several,
    /// No solution, though no digit stands twice.
    None,
    /// A digit stands twice in a house, or the board is not 9x9.
    Invalid,
}

impl Status {
    /// The word in the column `status`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Several => "several",
            Status::None => "none",
            Status::Invalid => "invalid",
        }
    }
}

/// The labels of one puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Whether it is a puzzle at all; if not unique, what depends on the
    /// solution is missing.
    pub status: Status,
    /// The solution.
    pub solution: Option<Grid>,
    /// The canonical id of the puzzle.
    pub puzzle_id: Option<Id>,
    /// The canonical id of the solution.
    pub solution_id: Option<Id>,
    /// Of the puzzle.
    pub automorphisms: Option<u64>,
    /// How many.
    pub clues: u64,
    /// Whether every clue is needed.
    pub minimal: Option<bool>,
    /// The rating, if asked for.
    pub rated: Option<Rated>,
    /// Nodes of each engine asked for.
    pub nodes: Vec<Option<u64>>,
}

/// Labels puzzles one after the other; each thread keeps one.
pub struct Labeller {
    labels: Labels,
    canonizer: Canonizer,
    rater: Rater,
    engines: Vec<SudokuEngine>,
}

impl Labeller {
    /// For these labels; engines that do not exist are left out, which
    /// [`Labels::check`] tells.
    pub fn new(labels: &Labels) -> Labeller {
        Labeller {
            canonizer: Canonizer::new(),
            rater: Rater::new(),
            engines: labels
                .engines
                .iter()
                .filter_map(|name| planoku_workbench::engine(name))
                .collect(),
            labels: labels.clone(),
        }
    }

    /// All labels of a puzzle.
    pub fn label(&mut self, puzzle: &Grid, cancel: &Cancel) -> Result<Label, Stop> {
        let (mut label, _) = self.label_with(puzzle, cancel, false)?;
        if self.labels.rating && label.status == Status::Unique {
            let mut run = Run::limit(1).with_cancel(cancel.clone());
            label.rated = rated(self.rater.rate(puzzle, &mut run))?;
        }
        Ok(label)
    }

    /// All labels of a puzzle, and its path.
    pub fn label_and_path(
        &mut self,
        puzzle: &Grid,
        cancel: &Cancel,
    ) -> Result<(Label, Option<Path>), Stop> {
        let (mut label, path) = self.label_with(puzzle, cancel, true)?;
        if self.labels.rating {
            label.rated = path.as_ref().map(|path| path.rated.clone());
        }
        Ok((label, path))
    }

    fn label_with(
        &mut self,
        puzzle: &Grid,
        cancel: &Cancel,
        path: bool,
    ) -> Result<(Label, Option<Path>), Stop> {
        let canonical = self.canonizer.canonical(puzzle);
        let cells = native::to_cells(puzzle).filter(|_| canonical.is_some());
        let answer = cells.map(|cells| native::solve_cells(&cells, 2, Isa::best()));
        let status = match &answer {
            None => Status::Invalid,
            Some(answer) => match answer.count {
                0 => Status::None,
                1 => Status::Unique,
                _ => Status::Several,
            },
        };
        let mut label = Label {
            status,
            solution: None,
            puzzle_id: canonical.as_ref().map(|found| Id::of_form(&found.form)),
            solution_id: None,
            automorphisms: canonical.map(|found| found.automorphisms),
            clues: puzzle.clue_count() as u64,
            minimal: None,
            rated: None,
            nodes: vec![None; self.engines.len()],
        };
        let unique = cells.zip(answer.and_then(|answer| answer.first));
        let Some((cells, solved)) = unique.filter(|_| status == Status::Unique) else {
            return Ok((label, None));
        };
        assert!(
            verify_cells(&cells, &solved),
            "a wrong solution of {puzzle}"
        );
        let solution = native::from_cells(&solved).expect("nine digits");
        let form = self.canonizer.canonical(&solution).expect("a full board");
        label.solution_id = Some(Id::of_form(&form.form));
        label.solution = Some(solution);
        label.minimal = Some(is_minimal(&cells, &solved));
        for (engine, nodes) in self.engines.iter().zip(&mut label.nodes) {
            let mut run = Run::limit(2)
                .with_nodes(self.labels.nodes)
                .with_cancel(cancel.clone());
            let ended = planoku_workbench::solve::count(&**engine, puzzle, &mut run);
            *nodes = match ended {
                Ok(counted) => match counted.end {
                    End::Stopped(Stop::Cancelled) => return Err(Stop::Cancelled),
                    End::Exhausted => Some(counted.stats.nodes),
                    _ => None,
                },
                Err(_) => None,
            };
        }
        if !path {
            return Ok((label, None));
        }
        let mut run = Run::limit(1).with_cancel(cancel.clone());
        Ok((label, rated(self.rater.path(puzzle, &mut run))?))
    }
}

/// A rating, none if the scale has none, or that the work was stopped.
fn rated<T>(found: Result<T, Unrated>) -> Result<Option<T>, Stop> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Unrated::Stopped(stop)) => Err(stop),
        Err(_) => Ok(None),
    }
}

fn is_minimal(puzzle: &Cells, solution: &Cells) -> bool {
    (0..81).filter(|at| puzzle[*at] != 0).all(|at| {
        let mut fewer = *puzzle;
        fewer[at] = 0;
        let digit = Digit::new(solution[at]).expect("a full board");
        native::differs(&fewer, Cell::new(at), digit)
    })
}

thread_local! {
    /// What a thread labels with, and for which labels.
    static LABELLER: RefCell<Option<(String, Labeller)>> = const { RefCell::new(None) };
}

/// Lets the thread's own labeller do something.
pub(crate) fn with_labeller<T>(labels: &Labels, work: impl FnOnce(&mut Labeller) -> T) -> T {
    let key = format!("{labels:?}");
    LABELLER.with_borrow_mut(|kept| {
        if kept.as_ref().is_none_or(|(known, _)| *known != key) {
            *kept = Some((key, Labeller::new(labels)));
        }
        let (_, labeller) = kept.as_mut().expect("just made");
        work(labeller)
    })
}

/// Labels as columns, in the order they are written.
pub fn columns(rows: &[Label], labels: &Labels) -> Table {
    let mut table = Table::default();
    let text = |value: &dyn Fn(&Label) -> Option<String>| {
        ColumnValues::Text(rows.iter().map(value).collect())
    };
    let number = |value: &dyn Fn(&Label) -> Option<u64>| {
        ColumnValues::Number(rows.iter().map(value).collect())
    };
    table.push("status", text(&|row| Some(row.status.name().to_string())));
    table.push(
        "solution",
        text(&|row| row.solution.as_ref().map(Grid::to_string)),
    );
    table.push(
        "puzzle_id",
        text(&|row| row.puzzle_id.map(|id| id.to_string())),
    );
    table.push(
        "solution_id",
        text(&|row| row.solution_id.map(|id| id.to_string())),
    );
    table.push("automorphisms", number(&|row| row.automorphisms));
    table.push("clues", number(&|row| Some(row.clues)));
    table.push(
        "minimal",
        ColumnValues::Flag(rows.iter().map(|row| row.minimal).collect()),
    );
    if labels.rating {
        let rating = |value: &dyn Fn(&Rated) -> planoku_human::Rating| {
            ColumnValues::Rating(
                rows.iter()
                    .map(|row| row.rated.as_ref().map(value))
                    .collect(),
            )
        };
        table.push("er", rating(&|rated| rated.er));
        table.push("ep", rating(&|rated| rated.ep));
        table.push("ed", rating(&|rated| rated.ed));
        let hardest = |row: &Label| Some(row.rated.as_ref()?.hardest?.key().to_string());
        table.push("hardest", text(&hardest));
        table.push(
            "steps",
            number(&|row| Some(row.rated.as_ref()?.steps() as u64)),
        );
        table.push(
            "techniques",
            text(&|row| Some(histogram(row.rated.as_ref()?))),
        );
    }
    for (nth, engine) in labels.engines.iter().enumerate() {
        table.push(
            Labels::nodes_column(engine),
            number(&|row| row.nodes.get(nth).copied()?),
        );
    }
    table
}

/// Steps by technique, such as `hidden-single-box:30 naked-pair:2`.
pub fn histogram(rated: &Rated) -> String {
    let counts = rated.histogram();
    let words: Vec<String> = counts
        .map(|(technique, count)| format!("{}:{count}", technique.key()))
        .collect();
    words.join(" ")
}

/// The only board there are data sets of.
pub const SHAPE: Shape = Shape::Three;
