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

/// True if [`verify`] would say `Ok`: the same rules for those who check 9x9
/// boards by the million. Blanks of the puzzle are 0.
///
/// Nine cells hold nine different digits exactly if every digit is among them.
///
/// ```
/// use planoku_sudoku::{native, verify_cells};
///
/// let solution = native::solve_cells(&[0; 81], 1, native::Isa::best()).first.unwrap();
/// assert!(verify_cells(&[0; 81], &solution));
/// assert!(!verify_cells(&[1; 81], &solution));
/// ```
pub fn verify_cells(puzzle: &[u8; 81], solution: &[u8; 81]) -> bool {
    let mut clues_kept = true;
    for (clue, digit) in puzzle.iter().zip(solution) {
        clues_kept &= (*clue == 0) | (clue == digit);
    }
    let mut columns = [0; 9];
    let mut complete = ALL_DIGITS;
    for band in solution.as_chunks::<27>().0 {
        let mut boxes = [0; 3];
        for row in band.as_chunks::<9>().0 {
            let bits = row.map(|digit| DIGIT_BIT[usize::from(digit)]);
            let parts = [
                bits[0] | bits[1] | bits[2],
                bits[3] | bits[4] | bits[5],
                bits[6] | bits[7] | bits[8],
            ];
            complete &= parts[0] | parts[1] | parts[2];
            for (cells, part) in boxes.iter_mut().zip(parts) {
                *cells |= part;
            }
            for (cells, bit) in columns.iter_mut().zip(bits) {
                *cells |= bit;
            }
        }
        complete &= boxes[0] & boxes[1] & boxes[2];
    }
    let complete = columns.iter().fold(complete, |all, column| all & column);
    clues_kept && complete == ALL_DIGITS
}

const ALL_DIGITS: u16 = 0b11_1111_1110;

/// The bit of each digit; none for a byte that is no digit.
const DIGIT_BIT: [u16; 256] = {
    let mut bits = [0; 256];
    let mut digit = 1;
    while digit <= 9 {
        bits[digit] = 1 << digit;
        digit += 1;
    }
    bits
};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::{self, Cells, Isa};
    use crate::rng::Rng;

    #[test]
    fn both_ways_of_verifying_agree() {
        let mut rng = Rng::new(11);
        let full = native::solve_cells(&[0; 81], 1, Isa::Portable).first;
        let full: Cells = full.expect("the empty board has solutions");
        let mut seen = [0; 2];
        for nth in 0..2000 {
            let (mut puzzle, mut solution) = (full, full);
            for cell in &mut puzzle {
                *cell *= (rng.below(3) == 0) as u8;
            }
            // An exchange of two cells keeps the count of every digit.
            let (one, other) = (rng.below(81), rng.below(81));
            match nth % 4 {
                0 => solution.swap(one, other),
                1 => solution[one] = rng.below(10) as u8,
                2 => puzzle[one] = rng.below(10) as u8,
                _ => {}
            }
            let grids = [puzzle, solution].map(|cells| native::from_cells(&cells).unwrap());
            let right = verify(&grids[0], &grids[1]).is_ok();
            assert_eq!(verify_cells(&puzzle, &solution), right, "{solution:?}");
            seen[usize::from(right)] += 1;
        }
        assert!(seen.iter().all(|seen| *seen > 300), "{seen:?}");
    }
}
