//! Hidden sets: digits of a house that need as many places as they are.
//!
//! If two digits have the same two places in a house, those cells have no room
//! for anything else; the same with three and four. Where that leaves another
//! digit with a single place in the house, the step is *direct*.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Pattern, Sink};
use crate::step::Role;
use crate::tables::{HOUSE_CELLS, count, members};
use crate::techniques::tuples;
use crate::{Step, Technique};

/// Digits and the places they need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HiddenSet {
    pub(crate) house: u8,
    pub(crate) digits: u16,
    pub(crate) places: u16,
    /// The cell and digit of the hidden single that is left.
    single: Option<(u8, u8)>,
}

/// Those that leave a hidden single at once.
pub(crate) fn direct(board: &Board, size: usize, sink: &mut impl Sink<HiddenSet>) -> bool {
    (0..27).any(|house| {
        board.blank_count(house) > size
            && tuples(board.places_of(house), size, &mut |digits, places| {
                single_left(board, house, digits, places).is_some_and(|single| {
                    sink.take(HiddenSet {
                        house: house as u8,
                        digits,
                        places,
                        single: Some(single),
                    })
                })
            })
    })
}

/// Those that strike something.
pub(crate) fn plain(board: &Board, size: usize, sink: &mut impl Sink<HiddenSet>) -> bool {
    (0..27).any(|house| {
        board.blank_count(house) > 2 * size
            && tuples(board.places_of(house), size, &mut |digits, places| {
                let cells = || members(places).map(|place| HOUSE_CELLS[house][place]);
                cells().any(|cell| board.digits(cell.into()) & !digits != 0)
                    && sink.take(HiddenSet {
                        house: house as u8,
                        digits,
                        places,
                        single: None,
                    })
            })
    })
}

/// The first other digit that loses all places but one.
fn single_left(board: &Board, house: usize, digits: u16, places: u16) -> Option<(u8, u8)> {
    members(!digits & 511).find_map(|digit| {
        let before = board.places(house, digit);
        let after = before & !places;
        (count(before) > 1 && count(after) == 1).then(|| {
            (
                HOUSE_CELLS[house][after.trailing_zeros() as usize],
                digit as u8,
            )
        })
    })
}

impl Pattern for HiddenSet {
    fn technique(&self) -> Technique {
        match (count(self.digits), self.single) {
            (2, Some(_)) => Technique::DirectHiddenPair,
            (_, Some(_)) => Technique::DirectHiddenTriplet,
            (2, None) => Technique::HiddenPair,
            (3, None) => Technique::HiddenTriplet,
            (_, None) => Technique::HiddenQuad,
        }
    }

    fn placement(&self) -> Option<(usize, usize)> {
        self.single.map(|(cell, digit)| (cell.into(), digit.into()))
    }

    fn strikes(&self, board: &Board) -> CandidateSet {
        let mut set = CandidateSet::NONE;
        for place in members(self.places) {
            let cell = HOUSE_CELLS[usize::from(self.house)][place].into();
            set.insert_digits(cell, board.digits(cell) & !self.digits);
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
