//! Unique rectangles and loops: two digits in a ring of cells would allow two
//! solutions.
//!
//! If the cells of a loop share two candidates, and every house the loop visits
//! holds exactly two of them, the digits could be exchanged all around without
//! anybody noticing. A puzzle with one solution must therefore keep one cell
//! from having only these two:
//!
//! - type 1: one cell has more candidates, so it loses the two;
//! - type 2: the extra candidates are one digit, so who sees all of them loses
//!   it;
//! - type 3: two cells have extra digits and form a naked or hidden set with
//!   others of their house;
//! - type 4: two cells have extra digits, and one of the two digits has no other
//!   place in their house, so they lose the other one.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::{Pattern, Sink};
use crate::searched::Searched;
use crate::step::Role;
use crate::tables::{
    BOXES, COLUMNS, HOUSE_CELLS, HOUSE_SET, HOUSES_OF, PEER_SET, ROWS, cells_in, count, members,
    sets_of,
};
use crate::{Rating, Step, Technique};

/// The order in which the neighbours of a cell are looked at.
const KINDS: [usize; 3] = [BOXES, ROWS, COLUMNS];

/// A loop visits every box at most twice.
const LONGEST: usize = 18;

/// A loop and how one escapes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UniqueLoop {
    cells: [u8; LONGEST],
    length: u8,
    digits: u16,
    /// 1 to 4.
    kind: u8,
    /// Exactly as the scale computes it, for the order of the steps.
    difficulty: f64,
    /// Types 3 and 4: the house of the two cells, the cells of the set in it,
    /// its digits.
    house: Option<u8>,
    helpers: u16,
    helper_digits: u16,
    strikes: CandidateSet,
}

/// Looks for loops, and remembers where there are none.
#[derive(Default)]
pub(crate) struct Loops {
    searched: Searched,
    /// The pairs of digits that had loops then, though none to escape from.
    idle: u128,
}

impl Loops {
    /// All loops, the easiest first; among equals the lower type.
    pub(crate) fn find(&mut self, board: &Board, sink: &mut impl Sink<UniqueLoop>) -> bool {
        let mut found: Vec<UniqueLoop> = Vec::new();
        let pairs = board.cells_with_two();
        let cells_with: [u128; 9] = std::array::from_fn(|digit| board.cells_with(digit));
        let changed = self.searched.changed(board);
        let mut idle = 0;
        for cell in cells_in(pairs) {
            let digits = board.digits(cell);
            let [first, second] = pair(digits);
            // A loop through an earlier cell with these two candidates alone has
            // been found from there.
            let with_both = cells_with[first] & cells_with[second];
            let earlier = with_both & pairs & ((1 << cell) - 1);
            let with_both = with_both & !earlier;
            // Where there was no loop, one of its cells must have changed.
            let known = 1_u128 << (first * 9 + second);
            let hopeless = with_both & changed == 0 && self.idle & known == 0;
            if hopeless || with_both.count_ones() < 4 {
                continue;
            }
            let with_both = paired(with_both);
            if with_both >> cell & 1 != 0 {
                let mut search = Search {
                    board,
                    digits,
                    with_both,
                    on_path: 0,
                    path: [0; LONGEST],
                    length: 0,
                    visited: [0; 2],
                    closed: false,
                    found: &mut found,
                };
                search.walk(cell, 2, 0, usize::MAX);
                if search.closed {
                    idle |= known;
                }
            }
        }
        if found.is_empty() {
            self.searched.found_nothing(board);
            self.idle = idle;
            return false;
        }
        found.sort_by(|one, other| {
            let difficulty = one.difficulty.total_cmp(&other.difficulty);
            difficulty.then(one.kind.cmp(&other.kind))
        });
        let mut found = found.into_iter();
        found.any(|each| sink.take(each))
    }
}

/// The cells that can be part of a loop: each of their houses has another one.
fn paired(mut cells: u128) -> u128 {
    loop {
        let mut alone = 0;
        for house in &HOUSE_SET {
            let inside = cells & house;
            if inside & inside.wrapping_sub(1) == 0 {
                alone |= inside;
            }
        }
        if alone == 0 {
            return cells;
        }
        cells &= !alone;
    }
}

struct Search<'a> {
    board: &'a Board,
    digits: u16,
    with_both: u128,
    on_path: u128,
    path: [u8; LONGEST],
    length: usize,
    /// The houses of the cells at even and at odd places of the path.
    visited: [u32; 2],
    /// Whether any path came back to its start.
    closed: bool,
    found: &'a mut Vec<UniqueLoop>,
}

impl Search<'_> {
    /// Goes on from a cell. `allowed` is how many cells may still have any extra
    /// candidates, `extra` the extra candidates so far, `last_kind` the kind of
    /// house that led here.
    fn walk(&mut self, cell: usize, allowed: i8, extra: u16, last_kind: usize) {
        let houses = HOUSES_OF[cell]
            .into_iter()
            .fold(0, |set, house| set | 1_u32 << house);
        let parity = self.length % 2;
        // A house that is visited twice from the same side spoils the loop.
        if self.length == LONGEST || self.visited[parity] & houses != 0 {
            return;
        }
        self.path[self.length] = cell as u8;
        self.on_path |= 1 << cell;
        self.length += 1;
        self.visited[parity] |= houses;
        for kind in KINDS.into_iter().filter(|kind| *kind != last_kind) {
            let house = usize::from(HOUSES_OF[cell][kind / 9]);
            let start = usize::from(self.path[0]);
            let free = !self.on_path | 1 << start;
            for next in cells_in(self.with_both & HOUSE_SET[house] & free) {
                if next == start {
                    if self.length < 4 {
                        continue;
                    }
                    if self.visited[0] == self.visited[1] {
                        self.closed = true;
                        self.escapes();
                    }
                } else {
                    let candidates = self.board.digits(next);
                    let more = (extra | candidates) & !self.digits;
                    let plain = count(candidates) == 2;
                    if plain || count(more) == 1 || allowed > 0 {
                        self.walk(next, allowed - i8::from(!plain), more, kind);
                    }
                }
            }
        }
        self.visited[parity] &= !houses;
        self.on_path &= !(1 << cell);
        self.length -= 1;
    }

    /// The path is a loop: who has to escape, and how?
    fn escapes(&mut self) {
        let path = self.path;
        let mut escaping = [0; LONGEST];
        let mut length = 0;
        for cell in &path[..self.length] {
            if count(self.board.digits((*cell).into())) > 2 {
                escaping[length] = usize::from(*cell);
                length += 1;
            }
        }
        let escaping = &escaping[..length];
        let extra = escaping
            .iter()
            .fold(0, |set, cell| set | self.board.digits(*cell));
        let extra = extra & !self.digits;
        match *escaping {
            [] => {}
            [cell] => {
                let mut strikes = CandidateSet::NONE;
                strikes.insert_digits(cell, self.digits);
                self.add(1, 0.0, strikes);
            }
            [one, other] => {
                if count(extra) == 1 {
                    self.second(escaping, extra);
                } else {
                    self.third(one, other, extra);
                }
                self.fourth(one, other);
            }
            _ => self.second(escaping, self.board.digits(escaping[0]) & !self.digits),
        }
    }

    fn second(&mut self, escaping: &[usize], extra: u16) {
        let digit = extra.trailing_zeros() as usize;
        let seen = escaping
            .iter()
            .fold(u128::MAX, |seen, cell| seen & PEER_SET[*cell]);
        let mut strikes = CandidateSet::NONE;
        for cell in cells_in(seen & self.board.cells_with(digit)) {
            strikes.insert(cell * 9 + digit);
        }
        self.add(2, 0.0, strikes);
    }

    /// The two cells together act as one with the extra candidates.
    fn third(&mut self, one: usize, other: usize, extra: u16) {
        let board = self.board;
        for size in 2..=7 {
            for kind in KINDS {
                let house = usize::from(HOUSES_OF[one][kind / 9]);
                if house != usize::from(HOUSES_OF[other][kind / 9]) {
                    continue;
                }
                let blanks = board.blank_count(house);
                if 2 * size <= blanks && size >= count(extra) {
                    self.third_naked(one, other, extra, size, house);
                }
                if 2 * size < blanks {
                    self.third_hidden(one, other, extra, size, house);
                }
            }
        }
    }

    fn third_naked(&mut self, one: usize, other: usize, extra: u16, size: usize, house: usize) {
        let board = self.board;
        let cells = HOUSE_CELLS[house].map(|cell| board.digits(cell.into()));
        let [first, second] = [one, other].map(|cell| 1 << place_in(house, cell));
        let both = extra & board.digits(one) & board.digits(other);
        // Other cells of the set: the first cell is part of it, the second not.
        let sets = sets_of(size).iter().copied();
        let sets = sets.filter(|set| set & first != 0 && set & second == 0);
        for set in sets {
            let others = || members(set & !first).map(|place| cells[place]);
            let union = others().fold(0, |union, digits| union | digits);
            let naked = count(union | both) == size
                && count(extra) > 1
                && others().all(|digits| count(digits) > 1)
                && count(union | extra) == size;
            if naked {
                let mut strikes = CandidateSet::NONE;
                for place in members(!(set | second) & 511) {
                    let cell = HOUSE_CELLS[house][place].into();
                    strikes.insert_digits(cell, cells[place] & (union | extra));
                }
                let helpers = Some((house, set & !first, union | extra));
                self.add_with(3, tenth((size - 1) as f64), strikes, helpers);
            }
        }
    }

    fn third_hidden(&mut self, one: usize, other: usize, extra: u16, size: usize, house: usize) {
        let board = self.board;
        let [first, second] = [one, other].map(|cell| 1_u16 << place_in(house, cell));
        let free = !(self.digits | extra) & 511;
        if free == 0 {
            return;
        }
        let sets = sets_of(size - 2).iter().copied();
        for set in sets.filter(|set| set & !free == 0) {
            let hidden = set | self.digits;
            let places = || members(hidden).map(|digit| board.places(house, digit) & !second);
            let union = places().fold(0, |union, places| union | places);
            if count(union) == size && places().all(|places| places != 0) {
                let helpers = union & !(first | second);
                let mut strikes = CandidateSet::NONE;
                for place in members(helpers) {
                    let cell = HOUSE_CELLS[house][place].into();
                    strikes.insert_digits(cell, board.digits(cell) & !hidden);
                }
                let toll = tenth(count(helpers) as f64 - 1.0);
                self.add_with(3, toll, strikes, Some((house, helpers, hidden)));
            }
        }
    }

    fn fourth(&mut self, one: usize, other: usize) {
        let locked = pair(self.digits).map(|digit| {
            let mut shared = KINDS.into_iter().filter_map(|kind| {
                let house = HOUSES_OF[one][kind / 9];
                (house == HOUSES_OF[other][kind / 9]).then_some(usize::from(house))
            });
            shared.rfind(|house| count(self.board.places(*house, digit)) == 2)
        });
        let [first, second] = pair(self.digits);
        let (house, struck) = match locked {
            [Some(house), _] => (house, second),
            [None, Some(house)] => (house, first),
            [None, None] => return,
        };
        let mut strikes = CandidateSet::NONE;
        strikes.insert(one * 9 + struck);
        strikes.insert(other * 9 + struck);
        self.add_with(4, 0.0, strikes, Some((house, 0, 0)));
    }

    fn add(&mut self, kind: u8, toll: f64, strikes: CandidateSet) {
        self.add_with(kind, toll, strikes, None);
    }

    fn add_with(
        &mut self,
        kind: u8,
        toll: f64,
        strikes: CandidateSet,
        set: Option<(usize, u16, u16)>,
    ) {
        if strikes.is_empty() {
            return;
        }
        let base = match self.length {
            0..6 => 4.5,
            6..8 => 4.5 + 0.1,
            8..10 => 4.5 + 0.2,
            _ => 4.5 + 0.3 + 0.2,
        };
        let new = UniqueLoop {
            cells: self.path,
            length: self.length as u8,
            digits: self.digits,
            kind,
            difficulty: base + toll,
            house: set.map(|(house, _, _)| house as u8),
            helpers: set.map_or(0, |(_, helpers, _)| helpers),
            helper_digits: set.map_or(0, |(_, _, digits)| digits),
            strikes,
        };
        if !self.found.iter().any(|old| old.is_same(&new)) {
            self.found.push(new);
        }
    }
}

/// What the scale adds for a set of type 3.
fn tenth(times: f64) -> f64 {
    times * 0.1
}

fn pair(digits: u16) -> [usize; 2] {
    let first = digits.trailing_zeros() as usize;
    [first, (digits & (digits - 1)).trailing_zeros() as usize]
}

fn place_in(house: usize, cell: usize) -> usize {
    usize::from(crate::tables::PLACE_IN[cell][house / 9])
}

impl UniqueLoop {
    fn path(&self) -> &[u8] {
        &self.cells[..self.length.into()]
    }

    /// The same cells escaping in the same way, whatever the direction.
    fn is_same(&self, other: &UniqueLoop) -> bool {
        let set = |path: &[u8]| path.iter().fold(0_u128, |set, cell| set | 1 << cell);
        self.kind == other.kind
            && set(self.path()) == set(other.path())
            && (self.kind != 3
                || (self.house, self.helpers, self.helper_digits)
                    == (other.house, other.helpers, other.helper_digits))
    }
}

impl Pattern for UniqueLoop {
    fn technique(&self) -> Technique {
        match self.length {
            4 => Technique::UniqueRectangle,
            _ => Technique::UniqueLoop,
        }
    }

    fn rating(&self) -> Rating {
        Rating((self.difficulty * 10.0).round() as u8)
    }

    fn strikes(&self, _board: &Board) -> CandidateSet {
        self.strikes
    }

    fn explain(&self, board: &Board, step: &mut Step) {
        step.variant = Some(["type 1", "type 2", "type 3", "type 4"][usize::from(self.kind) - 1]);
        for cell in self.path() {
            step.add_cell(board, Role::Pattern, (*cell).into(), self.digits);
        }
        for cell in self.path() {
            step.add_cell(board, Role::Extra, (*cell).into(), !self.digits);
        }
        if let Some(house) = self.house {
            step.add_house(house.into());
            for place in members(self.helpers) {
                let cell = HOUSE_CELLS[usize::from(house)][place].into();
                step.add_cell(board, Role::Helper, cell, self.helper_digits);
            }
        }
    }
}
