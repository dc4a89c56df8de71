//! What can be done with a column of puzzles, whoever holds it: a file, Python,
//! a cluster.
//!
//! Each puzzle is worked on alone, so columns may be cut anywhere.

use std::str::FromStr;

use planoku_engine::{Cancel, Run, Stop, UnknownName};
use planoku_human::{Rated, Rater, Unrated};
use planoku_sudoku::canon::Canonizer;
use planoku_sudoku::native::{self, Cells, Isa};
use planoku_sudoku::{Grid, Shape, verify_cells};
use rayon::prelude::*;

use crate::id::Id;
use crate::label::{self, Labels, histogram};
use crate::relabel::label_all;
use crate::table::{ColumnValues, Table};

/// What is done.
#[derive(Clone, Debug)]
pub enum Work {
    /// `solution` and `solutions`: how many there are, 2 for two or more.
    Solve,
    /// `er`, `ep`, `ed`, `hardest`, `steps`, `techniques`.
    Rate,
    /// `canonical`, `puzzle_id`, `automorphisms`.
    Canon,
    /// Everything that the module `label` says.
    Label(Labels),
}

impl FromStr for Work {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Work, UnknownName> {
        match text {
            "solve" => Ok(Work::Solve),
            "rate" => Ok(Work::Rate),
            "canon" => Ok(Work::Canon),
            "label" => Ok(Work::Label(Labels::default())),
            _ => Err(UnknownName::new("solve, rate, canon or label", text)),
        }
    }
}

/// Puzzles a thread works on between two looks at the switch.
const PIECE: usize = 512;

impl Work {
    /// Does it to all puzzles, on the threads of the current pool. What is no
    /// 9x9 puzzle has no values.
    pub fn on<T: AsRef<str> + Sync>(
        &self,
        puzzles: &[Option<T>],
        cancel: &Cancel,
    ) -> Result<Table, Stop> {
        let pieces: Result<Vec<Table>, Stop> = puzzles
            .par_chunks(PIECE)
            .map(|puzzles| match cancel.is_cancelled() {
                true => Err(Stop::Cancelled),
                false => self.piece(puzzles, cancel),
            })
            .collect();
        let mut table = Table::default();
        for piece in pieces? {
            table.append(&piece);
        }
        if table.columns.is_empty() {
            table = self.piece(&[] as &[Option<T>], cancel)?;
        }
        Ok(table)
    }

    fn piece<T: AsRef<str>>(&self, puzzles: &[Option<T>], cancel: &Cancel) -> Result<Table, Stop> {
        let grids = || puzzles.iter().map(|puzzle| read(puzzle.as_ref()?.as_ref()));
        match self {
            Work::Solve => {
                let cells = |puzzle: &Option<T>| read_cells(puzzle.as_ref()?.as_ref());
                Ok(solve(&puzzles.iter().map(cells).collect::<Vec<_>>()))
            }
            Work::Rate => rate(grids(), cancel),
            Work::Canon => Ok(canon(grids())),
            Work::Label(labels) => {
                let grids: Vec<Option<Grid>> = grids().collect();
                let found = label_all(grids.iter().map(Option::as_ref).collect(), labels, cancel)?;
                Ok(label::columns(&found, labels))
            }
        }
    }
}

/// A 9x9 board of 81 characters.
fn read(text: &str) -> Option<Grid> {
    let grid: Grid = text.trim().parse().ok()?;
    (grid.shape() == Shape::Three).then_some(grid)
}

/// A puzzle as cells, by the shortest way if its symbols are the usual ones.
pub fn read_cells(text: &str) -> Option<Cells> {
    let bytes: &[u8; 81] = text.trim().as_bytes().try_into().ok()?;
    let mut cells = [0; 81];
    for (cell, symbol) in cells.iter_mut().zip(bytes) {
        *cell = match symbol {
            b'1'..=b'9' => symbol - b'0',
            b'.' | b'0' => 0,
            _ => return native::to_cells(&read(text)?),
        };
    }
    Some(cells)
}

fn solve(puzzles: &[Option<Cells>]) -> Table {
    // What is no puzzle is solved as if it were empty, and forgotten.
    let cells: Vec<Cells> = puzzles
        .iter()
        .map(|cells| cells.unwrap_or([0; 81]))
        .collect();
    let answers = native::solve_batch(&cells, 2, Isa::best());
    let mut solutions = Vec::with_capacity(cells.len());
    let mut counts = Vec::with_capacity(cells.len());
    for (puzzle, answer) in puzzles.iter().zip(answers) {
        counts.push(puzzle.map(|_| answer.count));
        let first = puzzle
            .as_ref()
            .zip(answer.first)
            .filter(|_| answer.count > 0);
        solutions.push(first.map(|(puzzle, solution)| {
            assert!(verify_cells(puzzle, &solution), "a wrong solution");
            solution
                .iter()
                .map(|digit| char::from(b'0' + digit))
                .collect()
        }));
    }
    let mut table = Table::default();
    table.push("solution", ColumnValues::Text(solutions));
    table.push("solutions", ColumnValues::Number(counts));
    table
}

fn rate(puzzles: impl Iterator<Item = Option<Grid>>, cancel: &Cancel) -> Result<Table, Stop> {
    thread_local! {
        static RATER: std::cell::RefCell<Rater> = std::cell::RefCell::new(Rater::new());
    }
    let mut rows: Vec<Option<Rated>> = Vec::new();
    for puzzle in puzzles {
        let mut run = Run::limit(1).with_cancel(cancel.clone());
        let rated =
            puzzle.map(|puzzle| RATER.with_borrow_mut(|rater| rater.rate(&puzzle, &mut run)));
        rows.push(match rated {
            Some(Err(Unrated::Stopped(stop))) => return Err(stop),
            Some(Ok(rated)) => Some(rated),
            _ => None,
        });
    }
    let all = |value: &dyn Fn(&Rated) -> planoku_human::Rating| {
        ColumnValues::Rating(rows.iter().map(|row| row.as_ref().map(value)).collect())
    };
    let mut table = Table::default();
    table.push("er", all(&|rated| rated.er));
    table.push("ep", all(&|rated| rated.ep));
    table.push("ed", all(&|rated| rated.ed));
    let text = |value: &dyn Fn(&Rated) -> Option<String>| {
        ColumnValues::Text(rows.iter().map(|row| value(row.as_ref()?)).collect())
    };
    table.push(
        "hardest",
        text(&|rated| Some(rated.hardest?.key().to_string())),
    );
    let steps = rows.iter().map(|row| Some(row.as_ref()?.steps() as u64));
    table.push("steps", ColumnValues::Number(steps.collect()));
    table.push("techniques", text(&|rated| Some(histogram(rated))));
    Ok(table)
}

fn canon(puzzles: impl Iterator<Item = Option<Grid>>) -> Table {
    let mut canonizer = Canonizer::new();
    let forms: Vec<_> = puzzles
        .map(|puzzle| {
            let found = canonizer.canonical(&puzzle?)?;
            Some((found.form.to_string(), found.automorphisms))
        })
        .collect();
    let mut table = Table::default();
    let ids = forms
        .iter()
        .map(|found| Some(Id::of_text(found.as_ref()?.0.as_bytes()).to_string()));
    let ids = ColumnValues::Text(ids.collect());
    let automorphisms = forms.iter().map(|found| Some(found.as_ref()?.1)).collect();
    table.push(
        "canonical",
        ColumnValues::Text(forms.into_iter().map(|found| Some(found?.0)).collect()),
    );
    table.push("puzzle_id", ids);
    table.push("automorphisms", ColumnValues::Number(automorphisms));
    table
}
