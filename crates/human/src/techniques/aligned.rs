//! Aligned exclusion: cells whose combinations of digits others exclude.
//!
//! Take two or three cells and try all their digits together. A combination
//! that repeats a digit in a house, or uses up all candidates of a cell that
//! sees every one of them, is impossible. A candidate that no possible
//! combination uses can go.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Found, Pattern, Sink};
use crate::step::Role;
use crate::tables::{PEER_SET, cells_in, count, members};
use crate::{Step, Technique};

/// The cells, and who excludes combinations of their digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aligned {
    cells: [u8; 3],
    size: u8,
    excluders: u128,
    strikes: CandidateSet,
}

/// All pairs (or triplets) that strike something.
pub(crate) fn find(board: &Board, size: usize, sink: &mut impl Sink) -> bool {
    let with = |wanted: std::ops::RangeInclusive<usize>| {
        (0..81)
            .filter(|cell| wanted.contains(&count(board.digits(*cell))))
            .fold(0_u128, |set, cell| set | 1 << cell)
    };
    let (singles, small) = (with(1..=1), with(2..=size));
    let bases: Vec<usize> = cells_in(with(2..=9))
        .filter(|cell| PEER_SET[*cell] & singles == 0 && PEER_SET[*cell] & small != 0)
        .collect();
    let base_set = bases.iter().fold(0_u128, |set, cell| set | 1 << cell);
    for (nth, second) in bases.iter().enumerate() {
        for first in &bases[..nth] {
            let [around, beside] = [first, second].map(|cell| PEER_SET[*cell] & small);
            if size == 2 {
                let test = test(board, &[*first, *second], around & beside);
                if test.is_some_and(|found| sink.take(Found::Aligned(found))) {
                    return true;
                }
                continue;
            }
            let both = around & beside;
            if both & both.wrapping_sub(1) == 0 {
                continue;
            }
            // The third cell is one that excludes with the first, or else with
            // the second.
            let others = base_set & !(1 << first | 1 << second);
            let thirds = cells_in(around & others).chain(cells_in(beside & !around & others));
            for third in thirds {
                let test = test(board, &[*first, *second, third], both & PEER_SET[third]);
                if test.is_some_and(|found| sink.take(Found::Aligned(found))) {
                    return true;
                }
            }
        }
    }
    false
}

/// What can be struck from these cells.
fn test(board: &Board, cells: &[usize], excluders: u128) -> Option<Aligned> {
    if excluders & excluders.wrapping_sub(1) == 0 {
        return None;
    }
    let mut sets = [0; 20];
    let mut length = 0;
    for cell in cells_in(excluders) {
        sets[length] = board.digits(cell);
        length += 1;
    }
    let sets = &sets[..length];
    let excluded = |digits: u16| sets.iter().any(|set| set & !digits == 0);
    let sees = |one: usize, other: usize| PEER_SET[cells[one]] >> cells[other] & 1 != 0;
    let mut possible = [0_u16; 3];
    let near = sees(0, 1);
    if let [first, second] = *cells {
        for one in members(board.digits(first)) {
            for other in members(board.digits(second)) {
                let clash = one == other && near;
                if !clash && !excluded(1 << one | 1 << other) {
                    possible[0] |= 1 << one;
                    possible[1] |= 1 << other;
                }
            }
        }
    } else {
        let (near_first, near_second) = (sees(0, 2), sees(1, 2));
        let all = [0, 1, 2].map(|nth| board.digits(cells[nth]));
        'combinations: for one in members(all[0]) {
            for other in members(all[1]).filter(|other| !(one == *other && near)) {
                for third in members(all[2]) {
                    let new = possible[0] >> one & possible[1] >> other & possible[2] >> third & 1;
                    let clash = (one == third && near_first) || (other == third && near_second);
                    if new == 0 && !clash && !excluded(1 << one | 1 << other | 1 << third) {
                        possible[0] |= 1 << one;
                        possible[1] |= 1 << other;
                        possible[2] |= 1 << third;
                        if possible == all {
                            break 'combinations;
                        }
                    }
                }
            }
        }
    }
    let mut strikes = CandidateSet::NONE;
    for (cell, possible) in cells.iter().zip(possible) {
        strikes.insert_digits(*cell, board.digits(*cell) & !possible);
    }
    let mut names = [0; 3];
    cells
        .iter()
        .zip(&mut names)
        .for_each(|(cell, name)| *name = *cell as u8);
    (!strikes.is_empty()).then_some(Aligned {
        cells: names,
        size: cells.len() as u8,
        excluders,
        strikes,
    })
}

impl Pattern for Aligned {
    fn technique(&self) -> Technique {
        match self.size {
            2 => Technique::AlignedPair,
            _ => Technique::AlignedTriplet,
        }
    }

    fn strikes(&self, _board: &Board) -> CandidateSet {
        self.strikes
    }

    fn explain(&self, board: &Board, step: &mut Step) {
        for cell in &self.cells[..self.size.into()] {
            step.add_cell(board, Role::Pattern, (*cell).into(), 511);
        }
        cells_in(self.excluders).for_each(|cell| step.add_cell(board, Role::Helper, cell, 511));
    }
}
