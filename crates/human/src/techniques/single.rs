//! Singles: the last empty cell of a house, the only place for a digit in a
//! house, the only digit for a cell.
//!
//! Most steps of most puzzles are singles, so the search runs over whole
//! vectors of places and looks closer only where it must.

use crate::board::Board;
use crate::pattern::{Pattern, Sink};
use crate::step::Role;
use crate::tables::{COLUMNS, HOUSE_CELLS};
use crate::{Step, Technique};

/// A digit that must go into a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single {
    technique: Technique,
    /// The house that has no other place, or [`NO_HOUSE`] for a naked single.
    house: u8,
    cell: u8,
    digit: u8,
}

const NO_HOUSE: u8 = u8::MAX;

/// Hidden singles: last empty cells first, then boxes, columns, rows.
pub(crate) fn hidden(board: &Board, sink: &mut impl Sink<Single>) -> bool {
    let blanks = board.all_blanks();
    if any_single(blanks) {
        for house in (0..27).filter(|house| is_single(blanks[*house])) {
            let place = blanks[house].trailing_zeros() as usize;
            let cell = HOUSE_CELLS[house][place];
            let digits = board.digits(cell.into());
            if digits != 0 {
                let single = Single {
                    technique: Technique::FullHouse,
                    house: house as u8,
                    cell,
                    digit: digits.trailing_zeros() as u8,
                };
                if sink.take(single) {
                    return true;
                }
            }
        }
    }
    for (block, places) in board.all_places().chunks_exact(32).enumerate() {
        if !any_single(places.try_into().expect("32 of them")) {
            continue;
        }
        for (nth, set) in places.iter().enumerate() {
            let (house, digit) = ((block * 32 + nth) / 9, (block * 32 + nth) % 9);
            if is_single(*set) && !is_single(blanks[house]) {
                let single = Single {
                    technique: match house {
                        0..COLUMNS => Technique::HiddenSingleBox,
                        _ => Technique::HiddenSingleLine,
                    },
                    house: house as u8,
                    cell: HOUSE_CELLS[house][set.trailing_zeros() as usize],
                    digit: digit as u8,
                };
                if sink.take(single) {
                    return true;
                }
            }
        }
    }
    false
}

/// Cells with one candidate.
pub(crate) fn naked(board: &Board, sink: &mut impl Sink<Single>) -> bool {
    board.all_digits().iter().enumerate().any(|(cell, digits)| {
        is_single(*digits)
            && sink.take(Single {
                technique: Technique::NakedSingle,
                house: NO_HOUSE,
                cell: cell as u8,
                digit: digits.trailing_zeros() as u8,
            })
    })
}

#[inline]
fn is_single(set: u16) -> bool {
    set != 0 && set & (set - 1) == 0
}

/// Without a branch in the loop, so that it becomes vector instructions.
#[inline]
fn any_single(sets: &[u16; 32]) -> bool {
    let mut any = 0;
    for set in sets {
        any |= u16::from(*set != 0) & u16::from(set & set.wrapping_sub(1) == 0);
    }
    any != 0
}

impl Pattern for Single {
    fn technique(&self) -> Technique {
        self.technique
    }

    fn placement(&self) -> Option<(usize, usize)> {
        Some((self.cell.into(), self.digit.into()))
    }

    fn explain(&self, board: &Board, step: &mut Step) {
        step.add_cell(board, Role::Pattern, self.cell.into(), 1 << self.digit);
        if self.house != NO_HOUSE {
            step.add_house(self.house.into());
        }
    }
}
