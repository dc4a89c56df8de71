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
    keeps_clues(puzzle, solution) && is_full(solution)
}

fn keeps_clues(puzzle: &[u8; 81], solution: &[u8; 81]) -> bool {
    let mut changed = 0;
    for (clue, digit) in puzzle.iter().zip(solution) {
        changed |= if *clue == 0 { 0 } else { clue ^ digit };
    }
    changed == 0
}

/// True if every house holds every digit.
fn is_full(solution: &[u8; 81]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("ssse3") {
        // SAFETY: the processor has just been asked.
        return unsafe { is_full_by_rows(solution) };
    }
    is_full_cell_by_cell(solution)
}

fn is_full_cell_by_cell(solution: &[u8; 81]) -> bool {
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
    complete == ALL_DIGITS
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

/// True if a full board keeps the rules, looked at a row of nine bytes at a time.
///
/// A byte has eight bits, so the digits from 1 to 8 are looked for in every
/// house, and 9 in the columns only. That is enough: a house that holds the
/// eight others has room for one 9 at most, so nine of them, one in each
/// column, are also one in each row and each box.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "ssse3")]
fn is_full_by_rows(solution: &[u8; 81]) -> bool {
    use std::arch::x86_64::*;

    let bit_of = _mm_setr_epi8(0, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0);
    let (none, all) = (_mm_setzero_si128(), _mm_set1_epi8(-1));
    let (mut columns, mut nines, mut any) = (none, none, none);
    let (mut every_row, mut every_box) = (all, all);
    for band in 0..3 {
        let mut boxes = none;
        for row in 3 * band..3 * band + 3 {
            // The last row would end after the board: it is taken from before.
            let first = (9 * row).min(65);
            let bytes = &solution[first..first + 16];
            // SAFETY: the slice holds sixteen bytes.
            let bytes = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
            let digits = match row {
                8 => _mm_srli_si128::<7>(bytes),
                _ => bytes,
            };
            let bits = _mm_shuffle_epi8(bit_of, digits);
            any = _mm_or_si128(any, digits);
            nines = _mm_or_si128(nines, _mm_cmpeq_epi8(digits, _mm_set1_epi8(9)));
            columns = _mm_or_si128(columns, bits);
            boxes = _mm_or_si128(boxes, bits);
            let thirds = next_three(bits);
            let row = _mm_or_si128(thirds, _mm_srli_si128::<3>(thirds));
            let row = _mm_or_si128(row, _mm_srli_si128::<6>(thirds));
            every_row = _mm_and_si128(every_row, row);
        }
        every_box = _mm_and_si128(every_box, next_three(boxes));
    }
    // The lookup sees the lowest four bits of what is less than 128.
    let digits = _mm_cmpeq_epi8(_mm_and_si128(any, _mm_set1_epi8(-16)), none);
    let columns = _mm_and_si128(_mm_cmpeq_epi8(columns, all), _mm_and_si128(nines, digits));
    let has = |vector, places| _mm_movemask_epi8(vector) & places == places;
    has(columns, 0b1_1111_1111)
        && has(_mm_cmpeq_epi8(every_row, all), 1)
        && has(_mm_cmpeq_epi8(every_box, all), 0b100_1001)
}

/// Each byte with the two that follow.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "ssse3")]
fn next_three(bytes: std::arch::x86_64::__m128i) -> std::arch::x86_64::__m128i {
    use std::arch::x86_64::*;

    let two = _mm_or_si128(bytes, _mm_srli_si128::<1>(bytes));
    _mm_or_si128(two, _mm_srli_si128::<2>(bytes))
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

    #[test]
    fn every_exchange_of_two_cells_and_every_other_byte_is_seen() {
        let full = native::solve_cells(&[0; 81], 1, Isa::Portable).first;
        let full: Cells = full.expect("the empty board has solutions");
        assert!(is_full(&full) && is_full_cell_by_cell(&full));
        for cell in 0..81 {
            for byte in (0..=255).filter(|byte| *byte != full[cell]) {
                let mut wrong = full;
                wrong[cell] = byte;
                assert!(!is_full(&wrong), "{byte} in cell {cell}");
                assert!(!is_full_cell_by_cell(&wrong), "{byte} in cell {cell}");
            }
            for other in 0..cell {
                let mut wrong = full;
                wrong.swap(cell, other);
                let same = full[cell] == full[other];
                assert_eq!(is_full(&wrong), same, "cells {cell} and {other}");
                assert_eq!(is_full_cell_by_cell(&wrong), same);
            }
        }
    }

    #[test]
    fn rows_columns_and_boxes_are_each_looked_at() {
        // Two of the three kinds of house in order, the third not.
        let digit = |value: usize| (value % 9 + 1) as u8;
        let rows_and_columns: Cells = std::array::from_fn(|cell| digit(cell / 9 + cell % 9));
        let rows_and_boxes: Cells = std::array::from_fn(|cell| digit(3 * (cell / 9) + cell % 9));
        let columns_and_boxes: Cells =
            std::array::from_fn(|cell| rows_and_boxes[9 * (cell % 9) + cell / 9]);
        for wrong in [rows_and_columns, rows_and_boxes, columns_and_boxes] {
            assert!(!is_full(&wrong), "{wrong:?}");
            assert!(!is_full_cell_by_cell(&wrong), "{wrong:?}");
        }
    }
}
