//! Is this grid a solution of that puzzle, and if not, why not?
//!
//! Written from the rules alone; shares nothing with any engine, because it
//! judges all of them.

use std::fmt;

use crate::{Cell, Digit, Grid, House, Shape};

/// `Ok` if `solution` fills every cell of `puzzle`, keeps its clues, and no
/// house repeats a digit; otherwise the first rule broken.
pub fn verify(puzzle: &Grid, solution: &Grid) -> Result<(), Broken> {
    let shape = puzzle.shape();
    if solution.shape() != shape {
        return Err(Broken::OtherShape {
            expected: shape,
            found: solution.shape(),
        });
    }
    for cell in shape.all_cells() {
        let Some(digit) = solution.get(cell) else {
            return Err(Broken::Blank { shape, cell });
        };
        if let Some(clue) = puzzle.get(cell)
            && clue != digit
        {
            return Err(Broken::ClueChanged {
                shape,
                cell,
                clue,
                found: digit,
            });
        }
    }
    no_repeats(solution)
}

/// `Ok` if no house of the grid, full or not, holds a digit twice.
///
/// Clues that already repeat a digit make a puzzle that has no solution, and
/// this says why without any search.
pub fn no_repeats(grid: &Grid) -> Result<(), Broken> {
    let shape = grid.shape();
    for house in shape.houses() {
        let mut first: [Option<Cell>; 25] = [None; 25];
        for cell in shape.house_cells(house) {
            let Some(digit) = grid.get(cell) else {
                continue;
            };
            if let Some(earlier) = first[digit.index()].replace(cell) {
                return Err(Broken::Repeated {
                    shape,
                    house,
                    digit,
                    cells: [earlier, cell],
                });
            }
        }
    }
    Ok(())
}

/// The rule a grid breaks, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The boards have different sizes.
    OtherShape {
        /// The puzzle's.
        expected: Shape,
        /// The solution's.
        found: Shape,
    },
    /// A cell is not filled.
    Blank {
        /// The board.
        shape: Shape,
        /// The empty cell.
        cell: Cell,
    },
    /// A clue of the puzzle was overwritten.
    ClueChanged {
        /// The board.
        shape: Shape,
        /// Where.
        cell: Cell,
        /// What the puzzle says.
        clue: Digit,
        /// What stands there.
        found: Digit,
    },
    /// A house holds a digit twice.
    Repeated {
        /// The board.
        shape: Shape,
        /// The house.
        house: House,
        /// The digit.
        digit: Digit,
        /// The first two cells that hold it.
        cells: [Cell; 2],
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |shape: Shape, cell| (shape.row(cell) + 1, shape.column(cell) + 1);
        match *self {
            Broken::OtherShape { expected, found } => {
                write!(f, "the puzzle is {expected}, the solution {found}")
            }
            Broken::Blank { shape, cell } => {
                let (row, column) = place(shape, cell);
                write!(f, "row {row}, column {column} is blank")
            }
            Broken::ClueChanged {
                shape,
                cell,
                clue,
                found,
            } => {
                let (row, column) = place(shape, cell);
                write!(
                    f,
                    "row {row}, column {column}: the clue is {clue}, the solution has {found}"
                )
            }
            Broken::Repeated {
                shape,
                house,
                digit,
                cells,
            } => {
                let [(r1, c1), (r2, c2)] = cells.map(|cell| place(shape, cell));
                write!(
                    f,
                    "{house} holds {digit} twice: row {r1}, column {c1} and row {r2}, column {c2}"
                )
            }
        }
    }
}

impl std::error::Error for Broken {}
