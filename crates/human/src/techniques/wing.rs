//! XY- and XYZ-wings: a cell that sees two others, with three digits among
//! them.
//!
//! If a cell with the candidates x and y sees one with x and z and one with y
//! and z, one of the two must be z, whatever the first is; who sees both loses
//! z. If the cell in the middle may be z itself, one must see that as well.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Pattern, Sink};
use crate::step::Role;
use crate::tables::{PEER_SET, cells_in, count};
use crate::{Step, Technique};

/// The cell in the middle, the two others, and the digit they share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wing {
    pivot: u8,
    wings: [u8; 2],
    digit: u8,
    /// Whether the cell in the middle has the digit too.
    three: bool,
}

/// All that strike something.
pub(crate) fn find(board: &Board, three: bool, sink: &mut impl Sink<Wing>) -> bool {
    let pairs = board.cells_with_two();
    (0..81).any(|pivot| {
        let middle = board.digits(pivot);
        if count(middle) != if three { 3 } else { 2 } || pairs & PEER_SET[pivot] == 0 {
            return false;
        }
        // Both others leave out exactly one digit of the middle.
        let mut near = [(0, 0); 20];
        let mut length = 0;
        for cell in cells_in(pairs & PEER_SET[pivot]) {
            let digits = board.digits(cell);
            if count(middle & !digits) == 1 {
                near[length] = (cell as u8, digits);
                length += 1;
            }
        }
        let near = &near[..length];
        near.iter().any(|(one, first)| {
            near.iter().any(|(other, second)| {
                let shared = middle & first & second;
                let fits =
                    count(middle | first | second) == 3 && count(shared) == usize::from(three);
                if !fits {
                    return false;
                }
                let wing = Wing {
                    pivot: pivot as u8,
                    wings: [*one, *other],
                    digit: (first & second).trailing_zeros() as u8,
                    three,
                };
                board.cells_with(wing.digit.into()) & wing.seen() != 0 && sink.take(wing)
            })
        })
    })
}

impl Wing {
    /// The cells that see everything that may be the digit.
    fn seen(&self) -> u128 {
        let pivot = usize::from(self.pivot);
        let [one, other] = self.wings.map(|cell| PEER_SET[usize::from(cell)]);
        let near = if self.three {
            PEER_SET[pivot]
        } else {
            u128::MAX
        };
        one & other & near & !(1 << pivot)
    }
}

impl Pattern for Wing {
    fn technique(&self) -> Technique {
        if self.three {
            Technique::XyzWing
        } else {
            Technique::XyWing
        }
    }

    fn strikes(&self, board: &Board) -> CandidateSet {
        let digit = self.digit.into();
        let mut set = CandidateSet::NONE;
        for cell in cells_in(board.cells_with(digit) & self.seen()) {
            set.insert(cell * 9 + digit);
        }
        set
    }

    fn explain(&self, board: &Board, step: &mut Step) {
        step.add_cell(board, Role::Pivot, self.pivot.into(), 511);
        for wing in self.wings {
            step.add_cell(board, Role::Pattern, wing.into(), 511);
        }
    }
}
