//! The models: which robots there are, and what each calls a valid position.
//!
//! Models 1 to 4 are those of Abednego and Nugraheni, "A Block World Problem
//! Based Sudoku Solver". Model 1 is backtracking with two robots. In the others
//! one robot per number looks for a *valid position*: an empty cell whose row,
//! column and box lack the number, and a further condition on the other cells
//! of the box, which is all that tells the models apart.
//!
//! The conditions printed for models 3 and 4 do not look at the cells of the
//! box that share neither row nor column with the position, so a robot may
//! place a box where another cell was still possible. Printed model 4 is even
//! the same as printed model 3: the case it adds, "all cells of row *r* in the
//! box are filled", contains the case that is already there, "the cell in row
//! *r* is filled". The paper's own results cannot come from these; they
//! do come from the [`Interpretation::Sound`] one, which asks for every other
//! cell of the box why the number cannot go there.
//!
//! Models 5 and 6 are ours: 5 argues about rows and columns as 4 does about
//! boxes (players say: all hidden singles), 6 also lets a robot fill a cell
//! that nobody else could (naked singles).

use std::fmt;
use std::str::FromStr;

use planoku_sudoku::{Cell, Digit};

use planoku_engine::UnknownName;

use super::table::KnownBoard;

/// Which robots work, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RobotModel {
    /// Backtracking: a placer and a remover.
    M1,
    /// Every other row and column of the box has the number.
    M2,
    /// As 2, or the neighbours of the position in the box are filled.
    M3,
    /// Every other cell of the box is filled or seen by the number.
    M4,
    /// Model 4 to its fixed point, then model 1 on what is left.
    M4Then1,
    /// Model 4 for rows and columns too.
    M5,
    /// Model 5, and cells with one candidate.
    M6,
}

impl RobotModel {
    /// All models, in the order they are listed.
    pub const ALL: [RobotModel; 7] = [
        RobotModel::M1,
        RobotModel::M2,
        RobotModel::M3,
        RobotModel::M4,
        RobotModel::M4Then1,
        RobotModel::M5,
        RobotModel::M6,
    ];

    /// The name given to `--model`.
    pub fn name(self) -> &'static str {
        match self {
            RobotModel::M1 => "1",
            RobotModel::M2 => "2",
            RobotModel::M3 => "3",
            RobotModel::M4 => "4",
            RobotModel::M4Then1 => "4+1",
            RobotModel::M5 => "5",
            RobotModel::M6 => "6",
        }
    }

    /// One line on how the robots think.
    pub fn summary(self) -> &'static str {
        match self {
            RobotModel::M1 => {
                "two robots: one places the lowest legal box, one takes the last back"
            }
            RobotModel::M2 => "a robot per number: every other row and column of the box has it",
            RobotModel::M3 => "a robot per number: as 2, or the neighbours in the box are filled",
            RobotModel::M4 => "a robot per number: it has one cell left in a box",
            RobotModel::M4Then1 => "model 4 to its fixed point, then model 1 on what is left",
            RobotModel::M5 => "a robot per number: it has one cell left in a box, row or column",
            RobotModel::M6 => "model 5, and cells that only one number can fill",
        }
    }

    /// True if the model was printed with two meanings.
    pub fn has_readings(self) -> bool {
        matches!(self, RobotModel::M3 | RobotModel::M4 | RobotModel::M4Then1)
    }

    /// True if the model was printed at all, so that asking for it as printed
    /// makes sense.
    pub fn is_printed(self) -> bool {
        !matches!(self, RobotModel::M5 | RobotModel::M6)
    }

    /// What runs one after the other.
    pub fn stages(self) -> &'static [RobotModel] {
        match self {
            RobotModel::M1 => &[RobotModel::M1],
            RobotModel::M2 => &[RobotModel::M2],
            RobotModel::M3 => &[RobotModel::M3],
            RobotModel::M4 => &[RobotModel::M4],
            RobotModel::M4Then1 => &[RobotModel::M4, RobotModel::M1],
            RobotModel::M5 => &[RobotModel::M5],
            RobotModel::M6 => &[RobotModel::M6],
        }
    }
}

impl fmt::Display for RobotModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RobotModel {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<RobotModel, UnknownName> {
        RobotModel::ALL
            .into_iter()
            .find(|model| model.name() == name)
            .ok_or_else(|| UnknownName::new("1, 2, 3, 4, 4+1, 5 or 6", name))
    }
}

/// How the definitions of models 3 and 4 are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Interpretation {
    /// Cell by cell, as the authors must have run them.
    #[default]
    Sound,
    /// To the letter; robots may place wrong boxes.
    Printed,
}

impl Interpretation {
    /// Both readings.
    pub const ALL: [Interpretation; 2] = [Interpretation::Sound, Interpretation::Printed];

    /// The name given to `--reading`.
    pub fn name(self) -> &'static str {
        match self {
            Interpretation::Sound => "sound",
            Interpretation::Printed => "printed",
        }
    }
}

impl fmt::Display for Interpretation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Interpretation {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Interpretation, UnknownName> {
        Interpretation::ALL
            .into_iter()
            .find(|reading| reading.name() == name)
            .ok_or_else(|| UnknownName::new("sound or printed", name))
    }
}

/// True if a robot of that model calls the cell a valid position for its
/// number, given what it believes about the board.
///
/// # Panics
/// For models 1 and 4+1, which have no such notion.
pub fn is_valid(
    model: RobotModel,
    reading: Interpretation,
    board: &KnownBoard,
    position: Cell,
    digit: Digit,
) -> bool {
    if board.forbids(position, digit).is_some() {
        return false;
    }
    let at = Position::new(board, position, digit);
    match (model, reading) {
        (RobotModel::M2, _) => at.other_rows(|_| false) && at.other_columns(|_| false),
        (RobotModel::M3, Interpretation::Printed) => {
            at.other_rows(|row| at.filled(row, at.column))
                && at.other_columns(|column| at.filled(at.row, column))
        }
        (RobotModel::M4, Interpretation::Printed) => {
            at.other_rows(|row| {
                at.filled(row, at.column) || at.columns().all(|column| at.filled(row, column))
            }) && at.other_columns(|column| {
                at.filled(at.row, column) || at.rows().all(|row| at.filled(row, column))
            })
        }
        (RobotModel::M3, Interpretation::Sound) => at.other_box_cells(|row, column| {
            let beside = row == at.row || column == at.column;
            beside && at.filled(row, column) || at.line_has(row, column)
        }),
        (RobotModel::M4, Interpretation::Sound) => at.last_in_box(),
        (RobotModel::M5, _) => at.last_in_box() || at.last_in_row() || at.last_in_column(),
        (RobotModel::M6, _) => {
            board.candidates(position).len() == 1
                || at.last_in_box()
                || at.last_in_row()
                || at.last_in_column()
        }
        (RobotModel::M1 | RobotModel::M4Then1, _) => {
            panic!("model {model} has no notion of a valid position")
        }
    }
}

/// A cell with a number in mind: the words the definitions are made of.
struct Position<'a> {
    board: &'a KnownBoard,
    digit: Digit,
    row: usize,
    column: usize,
    top: usize,
    left: usize,
}

impl<'a> Position<'a> {
    fn new(board: &'a KnownBoard, cell: Cell, digit: Digit) -> Position<'a> {
        let shape = board.shape();
        let (row, column) = (shape.row(cell), shape.column(cell));
        Position {
            board,
            digit,
            row,
            column,
            top: row - row % shape.box_rows(),
            left: column - column % shape.box_columns(),
        }
    }

    /// The rows of the box.
    fn rows(&self) -> std::ops::Range<usize> {
        self.top..self.top + self.board.shape().box_rows()
    }

    /// The columns of the box.
    fn columns(&self) -> std::ops::Range<usize> {
        self.left..self.left + self.board.shape().box_columns()
    }

    fn filled(&self, row: usize, column: usize) -> bool {
        self.board.filled(self.board.shape().cell(row, column))
    }

    /// The row or the column has the number.
    fn line_has(&self, row: usize, column: usize) -> bool {
        self.board.row_has(row, self.digit) || self.board.column_has(column, self.digit)
    }

    /// Every other row of the box has the number, or `otherwise` holds for it.
    fn other_rows(&self, otherwise: impl Fn(usize) -> bool) -> bool {
        self.rows()
            .all(|row| row == self.row || self.board.row_has(row, self.digit) || otherwise(row))
    }

    /// Every other column of the box has the number, or `otherwise` holds.
    fn other_columns(&self, otherwise: impl Fn(usize) -> bool) -> bool {
        self.columns().all(|column| {
            column == self.column || self.board.column_has(column, self.digit) || otherwise(column)
        })
    }

    /// `excluded` holds for every other cell of the box.
    fn other_box_cells(&self, excluded: impl Fn(usize, usize) -> bool) -> bool {
        self.rows().all(|row| {
            self.columns()
                .all(|column| (row, column) == (self.row, self.column) || excluded(row, column))
        })
    }

    fn last_in_box(&self) -> bool {
        self.other_box_cells(|row, column| self.filled(row, column) || self.line_has(row, column))
    }

    fn last_in_row(&self) -> bool {
        (0..self.board.shape().side())
            .all(|column| column == self.column || self.cannot_take(self.row, column))
    }

    fn last_in_column(&self) -> bool {
        (0..self.board.shape().side())
            .all(|row| row == self.row || self.cannot_take(row, self.column))
    }

    fn cannot_take(&self, row: usize, column: usize) -> bool {
        let cell = self.board.shape().cell(row, column);
        self.board.forbids(cell, self.digit).is_some()
    }
}
