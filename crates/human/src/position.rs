//! How far somebody has come with a puzzle, and what is wrong with it.
//!
//! Before any hint a position is compared with the solution: from a wrong
//! digit, or a mark struck out that should not be, no step leads anywhere.

use std::fmt;

use planoku_sudoku::{Broken, Candidates, Cell, Digit, Grid, Shape, native, no_repeats};

use crate::{BadBoard, Board, Depth};

/// How far somebody has come with a 9x9 puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The digits that were given, as far as that is known.
    pub clues: Grid,
    /// All digits on the board.
    pub grid: Grid,
    /// The candidates noted in each cell; none where nothing is noted.
    pub marks: Vec<Candidates>,
}

/// What is wrong in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionMistake {
    /// A digit that is not that of the solution.
    Entry(Cell, Digit),
    /// The digit of the solution was struck out.
    Struck(Cell, Digit),
}

/// Why a position leads to no one solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Astray {
    /// Two givens contradict each other.
    Repeats(Broken),
    /// The givens have no solution.
    NoSolution,
    /// The givens have several solutions.
    Several,
}

impl Position {
    /// A position from its givens, all its digits, and the marks, if there are
    /// any.
    pub fn new(clues: Grid, grid: Grid, marks: Option<Vec<Candidates>>) -> Position {
        let marks = marks.unwrap_or_else(|| vec![Candidates::default(); grid.shape().cells()]);
        Position { clues, grid, marks }
    }

    /// The candidates of a cell: those noted, as far as the digits allow them.
    pub fn candidates(&self, cell: Cell) -> Candidates {
        let (noted, allowed) = (self.marks[cell.index()], self.grid.candidates(cell));
        match noted.is_empty() {
            true => allowed,
            false => Candidates(noted.0 & allowed.0),
        }
    }

    /// The position as techniques see it.
    pub fn board(&self) -> Result<Board, BadBoard> {
        let marks = |cell: Cell| Some(self.marks[cell.index()]).filter(|marks| !marks.is_empty());
        Board::with_marks(&self.grid, marks).or_else(|_| Board::new(&self.clues))
    }

    /// The solution that the position is to lead to.
    pub fn solution(&self) -> Result<Grid, Astray> {
        no_repeats(&self.clues).map_err(Astray::Repeats)?;
        let cells = native::to_cells(&self.clues).ok_or(Astray::NoSolution)?;
        let answer = native::solve_cells(&cells, 2, native::Isa::best());
        match (answer.count, answer.first) {
            (1, Some(first)) => native::from_cells(&first).ok_or(Astray::NoSolution),
            (0, _) => Err(Astray::NoSolution),
            _ => Err(Astray::Several),
        }
    }

    /// What is wrong, in reading order.
    pub fn mistakes(&self, solution: &Grid) -> Vec<PositionMistake> {
        let judge = |cell: Cell| {
            let right = solution.get(cell)?;
            let marks = self.marks[cell.index()];
            match self.grid.get(cell) {
                Some(digit) => (digit != right).then_some(PositionMistake::Entry(cell, digit)),
                None => (!marks.is_empty() && !marks.contains(right))
                    .then_some(PositionMistake::Struck(cell, right)),
            }
        };
        Shape::Three.all_cells().filter_map(judge).collect()
    }
}

impl PositionMistake {
    /// Where it is.
    pub fn cell(self) -> Cell {
        match self {
            PositionMistake::Entry(cell, _) | PositionMistake::Struck(cell, _) => cell,
        }
    }

    /// As a JSON object; rows and columns are counted from 1.
    pub fn json(self) -> String {
        let (kind, cell, digit) = match self {
            PositionMistake::Entry(cell, digit) => ("wrong", cell, digit),
            PositionMistake::Struck(cell, digit) => ("struck", cell, digit),
        };
        let (row, column) = (cell.index() / 9 + 1, cell.index() % 9 + 1);
        format!("{{\"kind\":\"{kind}\",\"row\":{row},\"column\":{column},\"digit\":{digit}}}")
    }

    /// As much about some mistakes as `depth` allows.
    pub fn hint(mistakes: &[PositionMistake], depth: Depth) -> String {
        match depth {
            Depth::Technique => {
                let entry =
                    |mistake: &PositionMistake| matches!(mistake, PositionMistake::Entry(..));
                let what = match mistakes.iter().any(entry) {
                    true => "A digit is wrong",
                    false => "A candidate was struck out that belongs there",
                };
                format!("{what}. Mend that first.")
            }
            Depth::Where => {
                let boxes = mistakes.iter();
                let mut boxes: Vec<usize> = boxes
                    .map(|mistake| Shape::Three.box_of(mistake.cell()) + 1)
                    .collect();
                boxes.sort_unstable();
                boxes.dedup();
                let boxes: Vec<String> = boxes.iter().map(usize::to_string).collect();
                format!(
                    "Look for a mistake in box {}. Mend that first.",
                    boxes.join(", ")
                )
            }
            Depth::Everything => {
                let sentences: Vec<String> =
                    mistakes.iter().map(PositionMistake::to_string).collect();
                sentences.join("\n")
            }
        }
    }
}

impl fmt::Display for PositionMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |cell: Cell| format!("r{}c{}", cell.index() / 9 + 1, cell.index() % 9 + 1);
        match *self {
            PositionMistake::Entry(cell, digit) => write!(f, "{} is not {digit}.", name(cell)),
            PositionMistake::Struck(cell, digit) => {
                write!(f, "{digit} belongs in {}, but was struck out.", name(cell))
            }
        }
    }
}

impl fmt::Display for Astray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Astray::Repeats(broken) => broken.fmt(f),
            Astray::NoSolution => write!(f, "no solution: a digit is wrong"),
            Astray::Several => write!(
                f,
                "expected a puzzle with one solution, found several: a clue may be missing"
            ),
        }
    }
}

impl std::error::Error for Astray {}
