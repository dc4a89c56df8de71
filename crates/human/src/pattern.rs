//! What a technique finds: a small plain record that says everything about a
//! step except the words. Each technique has its own; [`crate::found::Found`]
//! is any of them.

use planoku_sudoku::House;

use crate::board::Board;
use crate::candidate::{Candidate, CandidateSet};
use crate::step::{Cause, Role};
use crate::tables::{HOUSE_CELLS, house, members};
use crate::{Rating, Step, Technique};

/// A pattern on the board that allows a conclusion.
pub(crate) trait Pattern {
    fn technique(&self) -> Technique;

    fn rating(&self) -> Rating {
        self.technique().base()
    }

    /// The candidate that must be true, as cell and digit.
    fn placement(&self) -> Option<(usize, usize)> {
        None
    }

    /// The candidates that must be false.
    fn strikes(&self, _board: &Board) -> CandidateSet {
        CandidateSet::NONE
    }

    /// Adds to the step what the pattern consists of.
    fn explain(&self, board: &Board, step: &mut Step);
}

impl Step {
    /// Adds the candidates of a cell that are among `digits`.
    pub(crate) fn add_cell(&mut self, board: &Board, role: Role, cell: usize, digits: u16) {
        self.causes
            .extend(members(digits & board.digits(cell)).map(|digit| Cause {
                role,
                candidate: Candidate::at(cell, digit),
            }));
    }

    /// Adds the places of a digit in a house.
    pub(crate) fn add_places(&mut self, board: &Board, role: Role, house: usize, digit: usize) {
        for place in members(board.places(house, digit)) {
            let cell = HOUSE_CELLS[house][place].into();
            self.add_cell(board, role, cell, 1 << digit);
        }
    }

    pub(crate) fn add_house(&mut self, number: usize) {
        let house: House = house(number);
        if !self.houses.contains(&house) {
            self.houses.push(house);
        }
    }
}

/// Receives patterns of a kind as they are found; `true` says that it has
/// enough.
pub(crate) trait Sink<P> {
    fn take(&mut self, pattern: P) -> bool;
}
