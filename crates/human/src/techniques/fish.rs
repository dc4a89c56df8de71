//! Fish: lines that share their places for a digit.
//!
//! If a digit has the same two places in two columns, it will stand in both of
//! the rows through them, and the rest of these rows loses it. Two lines are an
//! X-wing, three a swordfish, four a jellyfish; columns and rows may be
//! exchanged.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Pattern, Sink};
use crate::step::Role;
use crate::tables::{COLUMNS, HOUSE_CELLS, ROWS, count, members};
use crate::techniques::tuples;
use crate::{Step, Technique};

/// Base lines and the lines that cover their places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fish {
    /// The first of the base kind: `COLUMNS` or `ROWS`.
    base_kind: u8,
    /// Which lines, and which lines across them.
    base: u16,
    cover: u16,
    pub(crate) digit: u8,
}

/// All that strike something: columns as base first, then by lines, then by
/// digit.
pub(crate) fn find(board: &Board, size: usize, sink: &mut impl Sink<Fish>) -> bool {
    let mut lasting = 0_u16;
    for digit in 0..9 {
        lasting |= u16::from(board.placed(digit) + 2 * size <= 9) << digit;
    }
    [COLUMNS, ROWS].into_iter().any(|base_kind| {
        // The fish of each digit come in the order of their lines; the next one
        // of all is that with the lowest lines, then the lowest digit.
        let mut fish = [(0, 0, 0); MOST];
        let mut length = 0;
        for digit in members(lasting) {
            let mut lines = [0; 9];
            for (line, places) in lines.iter_mut().enumerate() {
                *places = board.places(base_kind + line, digit);
            }
            tuples(&lines, size, &mut |base, cover| {
                let outside = members(cover)
                    .any(|line| board.places(across(base_kind) + line, digit) & !base != 0);
                if outside && length < MOST {
                    fish[length] = (base, digit as u8, cover);
                    length += 1;
                }
                false
            });
        }
        fish[..length].sort_unstable();
        fish[..length].iter().any(|(base, digit, cover)| {
            sink.take(Fish {
                base_kind: base_kind as u8,
                base: *base,
                cover: *cover,
                digit: *digit,
            })
        })
    })
}

/// More fish than a board has on one kind of line; further ones would have to
/// wait for their turn, since none is lost by taking others first.
const MOST: usize = 128;

fn across(base_kind: usize) -> usize {
    COLUMNS + ROWS - base_kind
}

impl Fish {
    /// The base lines as houses.
    pub(crate) fn bases(&self) -> impl Iterator<Item = usize> + Clone {
        let kind = usize::from(self.base_kind);
        members(self.base).map(move |line| kind + line)
    }

    /// The lines across them.
    pub(crate) fn covers(&self) -> impl Iterator<Item = usize> + Clone {
        let kind = across(self.base_kind.into());
        members(self.cover).map(move |line| kind + line)
    }
}

impl Pattern for Fish {
    fn technique(&self) -> Technique {
        match count(self.base) {
            2 => Technique::XWing,
            3 => Technique::Swordfish,
            _ => Technique::Jellyfish,
        }
    }

    fn strikes(&self, board: &Board) -> CandidateSet {
        let mut set = CandidateSet::NONE;
        for cover in self.covers() {
            for place in members(board.places(cover, self.digit.into()) & !self.base) {
                let cell = usize::from(HOUSE_CELLS[cover][place]);
                set.insert(cell * 9 + usize::from(self.digit));
            }
        }
        set
    }

    fn explain(&self, board: &Board, step: &mut Step) {
        for base in self.bases() {
            step.add_house(base);
            step.add_places(board, Role::Pattern, base, self.digit.into());
        }
        self.covers().for_each(|cover| step.add_house(cover));
    }
}
