//! Bivalue universal grave: if every empty cell had two candidates, and every
//! digit two places in every house, the puzzle would have two solutions.
//!
//! So when only a few candidates keep a board from that, one of them is true:
//!
//! - type 1: they are in one cell, which loses all others;
//! - type 2: they are one digit, and who sees all of them loses it;
//! - type 3: they form a naked set with other cells of a house;
//! - type 4: they are in two cells of a house that share another candidate,
//!   which one of them must then be.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Pattern, Sink};
use crate::step::Role;
use crate::tables::{
    BOXES, COLUMNS, HOUSE_CELLS, HOUSE_SET, HOUSES_OF, PEER_SET, ROWS, cells_in, count, members,
};
use crate::{Rating, Step, Technique};

/// The candidates in the way, and what follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bug {
    /// 1 to 4.
    kind: u8,
    /// The size of the naked set of type 3.
    size: u8,
    cells: u128,
    extra: CandidateSet,
    helpers: u128,
    house: Option<u8>,
    strikes: CandidateSet,
}

/// At most one kind of grave exists on a board.
pub(crate) fn find(board: &Board, sink: &mut impl Sink<Bug>) -> bool {
    let Some(grave) = Grave::dig(board).filter(|grave| grave.cells != 0) else {
        return false;
    };
    match (grave.cells.count_ones(), count(grave.digits)) {
        (1, _) => grave.first(sink),
        (cells, 1) => grave.second(sink) || (cells == 2 && grave.fourth(sink)),
        _ if grave.common == 0 => false,
        (cells, _) => (cells == 2 && grave.fourth(sink)) || grave.third(sink),
    }
}

/// The few candidates too many.
struct Grave<'a> {
    board: &'a Board,
    /// Their cells, and for each cell which digits.
    cells: u128,
    extra: [u16; 81],
    /// Their digits.
    digits: u16,
    /// The cells that see all of theirs, if there are any such cells.
    common: u128,
}

impl Grave<'_> {
    /// Takes away what is too many, if the rest is a grave.
    fn dig(board: &Board) -> Option<Grave<'_>> {
        let mut grave = Grave {
            board,
            cells: 0,
            extra: [0; 81],
            digits: 0,
            common: u128::MAX,
        };
        // While only one digit is too many anywhere, its cells are remembered
        // even where a house cannot tell which of them it is.
        let mut only: Option<(usize, u128)> = None;
        let mut one_digit = true;
        for kind in [BOXES, ROWS, COLUMNS] {
            for (house, cells) in HOUSE_CELLS.iter().enumerate().skip(kind).take(9) {
                for digit in 0..9 {
                    let places = board.places(house, digit);
                    if matches!(count(places), 0 | 2) {
                        continue;
                    }
                    let large = members(places)
                        .map(|place| usize::from(cells[place]))
                        .filter(|cell| count(board.digits(*cell)) >= 3)
                        .fold(0_u128, |set, cell| set | 1 << cell);
                    match &mut only {
                        None => only = Some((digit, large)),
                        Some((first, all)) if one_digit && *first == digit => *all |= large,
                        Some(_) => one_digit = false,
                    }
                    match large.count_ones() {
                        0 => return None,
                        1 => {
                            grave.digits |= 1 << digit;
                            grave.add(large.trailing_zeros() as usize, digit)?;
                        }
                        _ => {}
                    }
                }
            }
        }
        if let Some((digit, cells)) = only
            && one_digit
            && cells.count_ones() > grave.cells.count_ones()
        {
            for cell in cells_in(cells & !grave.cells) {
                grave.add(cell, digit)?;
            }
        }
        grave.is_complete().then_some(grave)
    }

    fn add(&mut self, cell: usize, digit: usize) -> Option<()> {
        self.cells |= 1 << cell;
        self.extra[cell] |= 1 << digit;
        self.common &= PEER_SET[cell] & !self.cells;
        let hopeless = self.cells.count_ones() > 1 && count(self.digits) > 1 && self.common == 0;
        (!hopeless).then_some(())
    }

    /// Two candidates in every cell and two places in every house are left.
    fn is_complete(&self) -> bool {
        let board = self.board;
        let left = |cell: usize| board.digits(cell) & !self.extra[cell];
        let cells = (0..81).all(|cell| board.value(cell) != 0 || count(left(cell)) == 2);
        cells
            && (0..27).all(|house| {
                (0..9).all(|digit| {
                    let places = HOUSE_CELLS[house]
                        .iter()
                        .filter(|cell| left(usize::from(**cell)) >> digit & 1 != 0);
                    matches!(places.count(), 0 | 2)
                })
            })
    }

    fn first(&self, sink: &mut impl Sink<Bug>) -> bool {
        let cell = self.cells.trailing_zeros() as usize;
        let mut strikes = CandidateSet::NONE;
        strikes.insert_digits(cell, self.board.digits(cell) & !self.digits);
        sink.take(self.found(1, strikes))
    }

    fn second(&self, sink: &mut impl Sink<Bug>) -> bool {
        let digit = self.digits.trailing_zeros() as usize;
        let mut strikes = CandidateSet::NONE;
        for cell in cells_in(self.common & self.board.cells_with(digit)) {
            strikes.insert(cell * 9 + digit);
        }
        !strikes.is_empty() && sink.take(self.found(2, strikes))
    }

    fn third(&self, sink: &mut impl Sink<Bug>) -> bool {
        (2..=6).any(|size| {
            [BOXES, ROWS, COLUMNS].into_iter().any(|kind| {
                self.shared_house(kind)
                    .is_some_and(|house| self.third_in(house, size, sink))
            })
        })
    }

    fn third_in(&self, house: usize, size: usize, sink: &mut impl Sink<Bug>) -> bool {
        let near: Vec<usize> = cells_in(self.common & HOUSE_SET[house]).collect();
        if near.len() < size {
            return false;
        }
        (0_u16..1 << near.len()).any(|set| {
            if count(set) != size - 1 {
                return false;
            }
            let helpers = || members(set).map(|nth| near[nth]);
            let union = helpers().fold(0, |union, cell| union | self.board.digits(cell));
            let naked = count(union) == size
                && helpers().all(|cell| count(self.board.digits(cell)) > 1)
                && count(self.digits) > 1
                && count(union | self.digits) == size;
            if !naked {
                return false;
            }
            let mut strikes = CandidateSet::NONE;
            for nth in members(!set & 511).filter(|nth| *nth < near.len()) {
                strikes.insert_digits(near[nth], self.board.digits(near[nth]) & union);
            }
            !strikes.is_empty()
                && sink.take(Bug {
                    size: size as u8,
                    helpers: helpers().fold(0, |set, cell| set | 1 << cell),
                    house: Some(house as u8),
                    ..self.bug(3, strikes)
                })
        })
    }

    fn fourth(&self, sink: &mut impl Sink<Bug>) -> bool {
        let one = self.cells.trailing_zeros() as usize;
        let other = 127 - self.cells.leading_zeros() as usize;
        let common = self.board.digits(one) & self.board.digits(other) & !self.digits;
        if count(common) != 1 {
            return false;
        }
        [BOXES, ROWS, COLUMNS].into_iter().any(|kind| {
            self.shared_house(kind).is_some_and(|house| {
                let mut strikes = CandidateSet::NONE;
                for cell in [one, other] {
                    let digits = self.board.digits(cell) & !self.extra[cell] & !common;
                    strikes.insert_digits(cell, digits);
                }
                sink.take(Bug {
                    house: Some(house as u8),
                    ..self.bug(4, strikes)
                })
            })
        })
    }

    /// The house of this kind that holds all cells with too many candidates.
    fn shared_house(&self, kind: usize) -> Option<usize> {
        let cell = self.cells.trailing_zeros() as usize;
        let house = usize::from(HOUSES_OF[cell][kind / 9]);
        (self.cells & !HOUSE_SET[house] == 0).then_some(house)
    }

    fn bug(&self, kind: u8, strikes: CandidateSet) -> Bug {
        let mut extra = CandidateSet::NONE;
        cells_in(self.cells).for_each(|cell| extra.insert_digits(cell, self.extra[cell]));
        Bug {
            kind,
            size: 0,
            cells: self.cells,
            extra,
            helpers: 0,
            house: None,
            strikes,
        }
    }

    fn found(&self, kind: u8, strikes: CandidateSet) -> Bug {
        self.bug(kind, strikes)
    }
}

impl Pattern for Bug {
    fn technique(&self) -> Technique {
        Technique::Bug
    }

    fn rating(&self) -> Rating {
        Rating(match self.kind {
            1 => 56,
            3 => 57 + self.size - 1,
            _ => 57,
        })
    }

    fn strikes(&self, _board: &Board) -> CandidateSet {
        self.strikes
    }

    fn explain(&self, board: &Board, step: &mut Step) {
        step.variant = Some(["type 1", "type 2", "type 3", "type 4"][usize::from(self.kind) - 1]);
        for cell in cells_in(self.cells) {
            let is_extra = |digit: &usize| self.extra.contains(cell * 9 + digit);
            let extra = members(511)
                .filter(is_extra)
                .fold(0, |set, digit| set | 1 << digit);
            step.add_cell(board, Role::Extra, cell, extra);
        }
        cells_in(self.helpers).for_each(|cell| step.add_cell(board, Role::Helper, cell, 511));
        if let Some(house) = self.house {
            step.add_house(house.into());
        }
    }
}
