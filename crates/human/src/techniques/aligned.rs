//! Aligned exclusion: cells whose combinations of digits others exclude.
//!
//! Take two or three cells and try all their digits together. A combination
//! that repeats a digit in a house, or uses up all candidates of a cell that
//! sees every one of them, is impossible. A candidate that no possible
//! combination uses can go.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Pattern, Sink};
use crate::searched::Searched;
use crate::step::Role;
use crate::tables::{PEER_SET, SEES, cells_in, count, members};
use crate::{Step, Technique};

/// The cells, and who excludes combinations of their digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aligned {
    cells: [u8; 3],
    size: u8,
    excluders: u128,
    strikes: CandidateSet,
}

/// Looks for aligned exclusion, and remembers where there is none.
#[derive(Default)]
pub(crate) struct Search {
    searched: Searched,
    bases: u128,
}

impl Search {
    /// All pairs (or triplets) that strike something. The size is always the
    /// same for one search.
    pub(crate) fn find(
        &mut self,
        board: &Board,
        size: usize,
        sink: &mut impl Sink<Aligned>,
    ) -> bool {
        let [singles, small, large] = by_size(board, size);
        let is_base = |cell: &usize| PEER_SET[*cell] & singles == 0 && PEER_SET[*cell] & small != 0;
        let mut base_set = 0_u128;
        for cell in cells_in(small | large).filter(is_base) {
            base_set |= 1 << cell;
        }
        let changed = self.searched.changed(board);
        let new = changed | (base_set & !self.bases);
        let new_thirds = base_set & small & new;
        let mut found_any = false;
        let mut take = |found: Option<Aligned>| {
            found_any |= found.is_some();
            found.is_some_and(|found| sink.take(found))
        };
        for second in cells_in(base_set) {
            let beside = PEER_SET[second];
            let second_is_new = new >> second & 1 != 0;
            // Two cells that are as they were, as are all that see both, exclude
            // nothing; a third one has to be new, or to see one that is.
            let anywhere = second_is_new || (size == 3 && new_thirds != 0);
            let firsts = match anywhere {
                true => base_set,
                false => base_set & (new | seen_from(beside & changed)),
            };
            for first in cells_in(firsts & ((1 << second) - 1)) {
                let around = PEER_SET[first];
                let mut thirds = base_set & small;
                if !second_is_new && new >> first & 1 == 0 {
                    let between = around & beside & changed;
                    thirds &= new_thirds | seen_from(between);
                    let idle = match size {
                        2 => between,
                        _ => thirds & (around | beside),
                    };
                    if idle == 0 {
                        continue;
                    }
                }
                let both = around & beside & small;
                if both & both.wrapping_sub(1) == 0 {
                    continue;
                }
                let near = SEES[first][second];
                let fewest = count(board.digits(first)).min(count(board.digits(second)));
                // Each of them excludes one digit beside another at most.
                if size == 2 && both.count_ones() as usize + usize::from(near) < fewest {
                    continue;
                }
                let pair = Excluded::new(board, [first, second], both, size - 2);
                if size == 2 {
                    if take(pair.test_two()) {
                        return true;
                    }
                    continue;
                }
                // The third cell is one that excludes with the first, or else
                // with the second.
                let others = thirds & pair.thirds() & !(1 << first | 1 << second);
                let thirds = cells_in(around & others).chain(cells_in(beside & !around & others));
                for third in thirds {
                    if !tested_before(first, second, third, small) && take(pair.test_three(third)) {
                        return true;
                    }
                }
            }
        }
        if !found_any {
            self.searched.found_nothing(board);
            self.bases = base_set;
        }
        false
    }
}

/// The cells with one candidate, with up to so many, and with more.
fn by_size(board: &Board, size: usize) -> [u128; 3] {
    let mut sets = [0_u128; 3];
    for (cell, digits) in board.all_digits().iter().enumerate() {
        let set = match count(*digits) {
            0 => continue,
            1 => 0,
            few if few <= size => 1,
            _ => 2,
        };
        sets[set] |= 1 << cell;
    }
    sets
}

/// The cells that see one of these.
fn seen_from(cells: u128) -> u128 {
    cells_in(cells).fold(0, |set, cell| set | PEER_SET[cell])
}

/// Whether three cells came up with another one as the third: first the lower
/// two, then the lowest and the highest. Nothing was found then.
fn tested_before(first: usize, second: usize, third: usize, small: u128) -> bool {
    let fits = |third: usize, one: usize, other: usize| {
        small >> third & 1 != 0 && (SEES[third][one] || SEES[third][other])
    };
    if third > second {
        false
    } else if third > first {
        fits(second, first, third)
    } else {
        fits(second, third, first) || fits(first, third, second)
    }
}

/// Whether enough combinations of three cells may be excluded for one candidate
/// to have none left. The cells have so many candidates; `near` says whether the
/// first two, the outer two and the last two see each other; so many `pairs` and
/// `triplets` of candidates may be used up.
fn may_strike(sizes: [usize; 3], near: [bool; 3], pairs: usize, triplets: usize) -> bool {
    let [a, b, c] = sizes;
    let [ab, ac, bc] = near.map(usize::from);
    // Two cells beside the candidate's own: each of its neighbours excludes a
    // row of combinations, a pair with it a row either way, anything else two.
    let strikes = |one: usize, other: usize, near_one: usize, near_other: usize, both: usize| {
        let rows = near_one * other + near_other * one + both * one.min(other);
        rows + pairs * (one + other) + triplets * 2 >= one * other
    };
    strikes(b, c, ab, ac, bc) || strikes(a, c, ab, bc, ac) || strikes(a, b, ac, bc, ab)
}

/// Two cells and those that exclude combinations of their digits.
struct Excluded<'a> {
    board: &'a Board,
    cells: [usize; 2],
    /// Whether the two see each other.
    near: bool,
    excluders: u128,
    /// Cells and candidates of those that can be used up.
    sets: [(u8, u16); 20],
    length: usize,
    /// The cells that see one of these, and those that see two that exclude.
    sees_set: u128,
    sees_two: u128,
}

impl Excluded<'_> {
    /// Other cells may use up `others` candidates of those that exclude.
    fn new(board: &Board, cells: [usize; 2], excluders: u128, others: usize) -> Excluded<'_> {
        let mut sets = [(0, 0); 20];
        let mut length = 0;
        let (mut sees_set, mut sees_one, mut sees_two) = (0, 0, 0);
        let used = board.digits(cells[0]) | board.digits(cells[1]);
        for cell in cells_in(excluders) {
            let set = board.digits(cell);
            if others > 0 {
                sees_two |= sees_one & PEER_SET[cell];
                sees_one |= PEER_SET[cell];
            }
            if count(set & !used) <= others {
                sets[length] = (cell as u8, set);
                length += 1;
                sees_set |= PEER_SET[cell];
            }
        }
        Excluded {
            board,
            cells,
            near: SEES[cells[0]][cells[1]],
            excluders,
            sets,
            length,
            sees_set,
            sees_two,
        }
    }

    /// Where a third cell can be: two that exclude see it. Unless one of them
    /// can be used up, only three cells that see each other exclude anything.
    fn thirds(&self) -> u128 {
        let [first, second] = self.cells.map(|cell| PEER_SET[cell]);
        let all_near = if self.near { first & second } else { 0 };
        self.sees_two & (self.sees_set | all_near)
    }

    fn test_two(&self) -> Option<Aligned> {
        let [first, second] = self.cells.map(|cell| self.board.digits(cell));
        // As few as that exclude no digit beside all others.
        if self.length + usize::from(self.near) < count(first).min(count(second)) {
            return None;
        }
        let mut possible = [0; 2];
        for one in members(first) {
            let mut others = second & !if self.near { 1 << one } else { 0 };
            for (_, set) in &self.sets[..self.length] {
                // A pair with this digit excludes its other one.
                if set >> one & 1 != 0 {
                    others &= !set | 1 << one;
                }
            }
            if others != 0 {
                possible[0] |= 1 << one;
                possible[1] |= others;
            }
        }
        self.aligned(&self.cells, &possible, self.excluders)
    }

    fn test_three(&self, third: usize) -> Option<Aligned> {
        let sees_third = &SEES[third];
        let [first, second] = self.cells.map(|cell| self.board.digits(cell));
        let last = self.board.digits(third);
        let used = first | second | last;
        let mut sets = [0; 20];
        let mut length = 0;
        for (cell, set) in &self.sets[..self.length] {
            sets[length] = *set;
            length += usize::from(sees_third[usize::from(*cell)] && set & !used == 0);
        }
        let sets = &sets[..length];
        let [near_first, near_second] = self.cells.map(|cell| sees_third[cell]);
        let pairs = sets.iter().filter(|set| count(**set) == 2).count();
        let near = [self.near, near_first, near_second];
        if !may_strike(
            [first, second, last].map(count),
            near,
            pairs,
            length - pairs,
        ) {
            return None;
        }
        // The digits of the third cell that are possible beside these two.
        let beside = |one: usize, other: usize| {
            if one == other && self.near {
                return 0;
            }
            let used = 1 << one | 1 << other;
            let mut left = last;
            left &= !(u16::from(near_first) << one | u16::from(near_second) << other);
            for set in sets {
                // All of its digits used up, or all but one.
                let rest = set & !used;
                if rest == 0 {
                    return 0;
                }
                if rest & (rest - 1) == 0 {
                    left &= !rest;
                }
            }
            left
        };
        // One combination proves three candidates possible, so each is asked
        // for only while that is unknown.
        let mut possible = [0_u16; 3];
        for one in members(first) {
            let others = members(second & !possible[1]).chain(members(second & possible[1]));
            for other in others {
                let left = beside(one, other);
                if left != 0 {
                    possible[0] |= 1 << one;
                    possible[1] |= 1 << other;
                    possible[2] |= left;
                    break;
                }
            }
        }
        for other in members(second & !possible[1]) {
            for one in members(first) {
                let left = beside(one, other);
                possible[2] |= left;
                if left != 0 {
                    possible[1] |= 1 << other;
                    break;
                }
            }
        }
        if possible[2] != last {
            for one in members(first) {
                members(second).for_each(|other| possible[2] |= beside(one, other));
            }
        }
        if possible == [first, second, last] {
            return None;
        }
        let [one, other] = self.cells;
        let excluders = self.excluders & PEER_SET[third];
        self.aligned(&[one, other, third], &possible, excluders)
    }

    /// What can be struck from these cells.
    fn aligned(&self, cells: &[usize], possible: &[u16], excluders: u128) -> Option<Aligned> {
        let mut strikes = CandidateSet::NONE;
        let mut names = [0; 3];
        for (nth, (cell, possible)) in cells.iter().zip(possible).enumerate() {
            strikes.insert_digits(*cell, self.board.digits(*cell) & !possible);
            names[nth] = *cell as u8;
        }
        (!strikes.is_empty()).then_some(Aligned {
            cells: names,
            size: cells.len() as u8,
            excluders,
            strikes,
        })
    }
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
