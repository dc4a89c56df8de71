//! A board with digits on it: a puzzle, a solution, or anything between.

use std::fmt;
use std::str::FromStr;

use crate::{Candidates, Cell, Digit, Shape};

/// A board with a digit, or nothing, in each cell.
///
/// A grid may break the rules; [`crate::verify`] and the engines notice.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid {
    shape: Shape,
    cells: Box<[Option<Digit>]>,
}

impl Grid {
    /// The board with nothing on it.
    pub fn empty(shape: Shape) -> Grid {
        Grid {
            shape,
            cells: vec![None; shape.cells()].into(),
        }
    }

    /// A board from the content of its cells, row by row. `None` if there is
    /// no board of so many cells, or one so small has no such digit.
    pub fn from_cells(cells: impl IntoIterator<Item = Option<Digit>>) -> Option<Grid> {
        let cells: Box<[Option<Digit>]> = cells.into_iter().collect();
        let shape = Shape::from_cells(cells.len())?;
        let fits = cells
            .iter()
            .flatten()
            .all(|digit| digit.index() < shape.side());
        fits.then_some(Grid { shape, cells })
    }

    /// The size of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What stands in a cell.
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        self.cells[cell.index()]
    }

    /// Puts a digit into a cell, or clears it.
    ///
    /// # Panics
    /// If the cell is off the board or the board has no such digit.
    pub fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        assert!(
            digit.is_none_or(|digit| digit.index() < self.shape.side()),
            "no such digit here"
        );
        self.cells[cell.index()] = digit;
    }

    /// The content of all cells, row by row.
    pub fn cells(&self) -> &[Option<Digit>] {
        &self.cells
    }

    /// The filled cells with their digits, in reading order.
    pub fn clues(&self) -> impl Iterator<Item = (Cell, Digit)> + '_ {
        self.shape
            .all_cells()
            .filter_map(|cell| Some((cell, self.get(cell)?)))
    }

    /// The cells with nothing in them, in reading order.
    pub fn blanks(&self) -> impl Iterator<Item = Cell> + '_ {
        self.shape
            .all_cells()
            .filter(|cell| self.get(*cell).is_none())
    }

    /// How many cells are filled.
    pub fn clue_count(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    /// True if no cell is blank. The rules may still be broken.
    pub fn is_full(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }

    /// The digits that no peer of the cell holds, whatever the cell holds itself.
    pub fn candidates(&self, cell: Cell) -> Candidates {
        let seen = self
            .shape
            .peers(cell)
            .iter()
            .filter_map(|peer| self.get(*peer));
        seen.fold(Candidates::all(self.shape), Candidates::without)
    }
}

/// One line, row by row, `.` for a blank: the form every tool exchanges.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells.iter().try_for_each(|cell| match cell {
            Some(digit) => write!(f, "{digit}"),
            None => write!(f, "."),
        })
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({} {self})", self.shape)
    }
}

/// Why a text is not a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no board with this many cells.
    WrongLength {
        /// Cells found.
        found: usize,
    },
    /// A symbol that is neither a digit of this board nor a blank.
    BadSymbol {
        /// Counted from 1.
        row: usize,
        /// Counted from 1.
        column: usize,
        /// What stands there.
        symbol: char,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ReadError::WrongLength { found } => {
                write!(f, "expected 81 cells (or 16, 36, 256, 625), found {found}")
            }
            ReadError::BadSymbol {
                row,
                column,
                symbol,
            } => {
                write!(
                    f,
                    "row {row}, column {column}: `{}` is neither a digit of this board nor `.`",
                    symbol.escape_default()
                )
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads the one-line form; `.`, `0`, `*`, `_`, `x`, `-` and `?` are blanks.
impl FromStr for Grid {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Grid, ReadError> {
        let found = text.chars().count();
        let shape = Shape::from_cells(found).ok_or(ReadError::WrongLength { found })?;
        let mut grid = Grid::empty(shape);
        for (cell, symbol) in shape.all_cells().zip(text.chars()) {
            let bad = || ReadError::BadSymbol {
                row: shape.row(cell) + 1,
                column: shape.column(cell) + 1,
                symbol,
            };
            let value = match symbol {
                '.' | '0' | '*' | '_' | 'x' | 'X' | '-' | '?' => continue,
                '1'..='9' => symbol as u8 - b'0',
                'A'..='P' => symbol as u8 - b'A' + 10,
                'a'..='p' => symbol as u8 - b'a' + 10,
                _ => return Err(bad()),
            };
            match Digit::new(value) {
                Some(digit) if digit.index() < shape.side() => grid.set(cell, Some(digit)),
                _ => return Err(bad()),
            }
        }
        Ok(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_line_form_survives_a_round_trip() {
        for text in [
            "1...2.........4.",
            &"A".repeat(256),
            &".".repeat(81),
            &"P".repeat(625),
        ] {
            assert_eq!(text.parse::<Grid>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn errors_name_row_and_column() {
        let error = "1.........5.....".parse::<Grid>().unwrap_err();
        assert_eq!(
            error,
            ReadError::BadSymbol {
                row: 3,
                column: 3,
                symbol: '5'
            }
        );
        assert_eq!(
            "12".parse::<Grid>(),
            Err(ReadError::WrongLength { found: 2 })
        );
    }
}
