//! Locked candidates: a digit that a house can only spend inside another one.
//!
//! If every candidate for a digit inside a box lies on one line, the box will
//! spend the digit there, so the rest of the line loses it (pointing). The same
//! holds with box and line exchanged (claiming). Where the loss leaves another
//! house with a single place for the digit, the step is *direct*: it places a
//! digit without a pencil.

use std::ops::ControlFlow;

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Pattern, Sink};
use crate::step::Role;
use crate::tables::{BOXES, COLUMNS, HOUSE_CELLS, HOUSES_OF, OVERLAP, ROWS, count, members};
use crate::{Step, Technique};

/// A digit locked in the intersection of two houses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Locked {
    /// Where the digit is locked.
    pub(crate) base: u8,
    /// Where it is struck.
    pub(crate) cover: u8,
    pub(crate) digit: u8,
    /// The cell that becomes a hidden single, and in which house.
    single: Option<(u8, u8)>,
}

/// The orders of base and cover.
const KINDS: [(usize, usize); 4] = [
    (BOXES, COLUMNS),
    (BOXES, ROWS),
    (COLUMNS, BOXES),
    (ROWS, BOXES),
];

/// Those that leave a hidden single at once.
pub(crate) fn direct(board: &Board, sink: &mut impl Sink<Locked>) -> bool {
    let found = each(board, |locked, kind| {
        for house in kind..kind + 9 {
            if house == usize::from(locked.base) || OVERLAP[house][usize::from(locked.cover)] == 0 {
                continue;
            }
            let places = board.places(house, locked.digit.into());
            if count(places) < 2 {
                continue;
            }
            let left = places & !OVERLAP[house][usize::from(locked.cover)];
            if count(left) == 1 {
                let cell = HOUSE_CELLS[house][left.trailing_zeros() as usize];
                let single = Some((cell, house as u8));
                if sink.take(Locked { single, ..locked }) {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    });
    found.is_break()
}

/// Those that strike something.
pub(crate) fn plain(board: &Board, sink: &mut impl Sink<Locked>) -> bool {
    let found = each(board, |locked, _| {
        let (base, cover) = (usize::from(locked.base), usize::from(locked.cover));
        let outside = board.places(cover, locked.digit.into()) & !OVERLAP[cover][base];
        if outside != 0 && sink.take(locked) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found.is_break()
}

/// Every digit of every house that lies within another one.
fn each(board: &Board, mut visit: impl FnMut(Locked, usize) -> ControlFlow<()>) -> ControlFlow<()> {
    for (base_kind, cover_kind) in KINDS {
        for digit in 0..9 {
            for base in base_kind..base_kind + 9 {
                let places = board.places(base, digit);
                // More than three never fit, one is a hidden single.
                if !(2..=3).contains(&count(places)) {
                    continue;
                }
                if let Some(cover) = cover(base, places, cover_kind) {
                    let locked = Locked {
                        base: base as u8,
                        cover: cover as u8,
                        digit: digit as u8,
                        single: None,
                    };
                    visit(locked, base_kind)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The house of a kind that holds all these places of another house.
fn cover(base: usize, places: u16, kind: usize) -> Option<usize> {
    let first = HOUSE_CELLS[base][places.trailing_zeros() as usize];
    let cover = usize::from(HOUSES_OF[usize::from(first)][kind / 9]);
    (places & !OVERLAP[base][cover] == 0).then_some(cover)
}

impl Pattern for Locked {
    fn technique(&self) -> Technique {
        match (usize::from(self.base) < COLUMNS, self.single) {
            (true, Some(_)) => Technique::DirectPointing,
            (false, Some(_)) => Technique::DirectClaiming,
            (true, None) => Technique::Pointing,
            (false, None) => Technique::Claiming,
        }
    }

    fn placement(&self) -> Option<(usize, usize)> {
        self.single
            .map(|(cell, _)| (cell.into(), self.digit.into()))
    }

    fn strikes(&self, board: &Board) -> CandidateSet {
        let (base, cover) = (usize::from(self.base), usize::from(self.cover));
        let digit = usize::from(self.digit);
        let mut set = CandidateSet::NONE;
        for place in members(board.places(cover, digit) & !OVERLAP[cover][base]) {
            set.insert(usize::from(HOUSE_CELLS[cover][place]) * 9 + digit);
        }
        set
    }

    fn explain(&self, board: &Board, step: &mut Step) {
        step.add_places(board, Role::Pattern, self.base.into(), self.digit.into());
        step.add_house(self.base.into());
        step.add_house(self.cover.into());
        if let Some((_, house)) = self.single {
            step.add_house(house.into());
        }
    }
}
