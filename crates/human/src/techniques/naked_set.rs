//! Naked sets: cells of a house with as many digits between them as they are.
//!
//! If two cells of a house have the same two candidates, they will use both
//! digits up, and the rest of the house loses them; the same with three cells
//! and three digits, four and four.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Pattern, Sink};
use crate::step::Role;
use crate::tables::{HOUSE_CELLS, count, members};
use crate::techniques::tuples;
use crate::{Step, Technique};

/// Cells and the digits they share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NakedSet {
    pub(crate) house: u8,
    pub(crate) places: u16,
    pub(crate) digits: u16,
}

/// All that strike something.
pub(crate) fn find(board: &Board, size: usize, sink: &mut impl Sink<NakedSet>) -> bool {
    (0..27).any(|house| {
        if board.blank_count(house) < 2 * size {
            return false;
        }
        let mut cells = [0; 9];
        for (digits, cell) in cells.iter_mut().zip(HOUSE_CELLS[house]) {
            *digits = board.digits(cell.into());
        }
        tuples(&cells, size, &mut |places, digits| {
            members(!places & 511).any(|place| cells[place] & digits != 0)
                && sink.take(NakedSet {
                    house: house as u8,
                    places,
                    digits,
                })
        })
    })
}

impl Pattern for NakedSet {
    fn technique(&self) -> Technique {
        match count(self.places) {
            2 => Technique::NakedPair,
            3 => Technique::NakedTriplet,
            _ => Technique::NakedQuad,
        }
    }

    fn strikes(&self, board: &Board) -> CandidateSet {
        let mut set = CandidateSet::NONE;
        for place in members(!self.places & 511) {
            let cell = HOUSE_CELLS[usize::from(self.house)][place].into();
            set.insert_digits(cell, board.digits(cell) & self.digits);
        }
        set
    }

    fn explain(&self, board: &Board, step: &mut Step) {
        step.add_house(self.house.into());
        for place in members(self.places) {
            let cell = HOUSE_CELLS[usize::from(self.house)][place].into();
            step.add_cell(board, Role::Pattern, cell, self.digits);
        }
    }
}
