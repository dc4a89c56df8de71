//! The implications of a position as it stands.
//!
//! A candidate that is true makes the others of its cell and the same digit of
//! its houses false. A candidate that is false makes another one true where
//! only two were left, in its cell or in one of its houses. The order of the
//! links is that of the scale: cell, box, row, column.

use crate::board::Board;
use crate::tables::{COLUMNS, HOUSE_CELLS, HOUSES_OF, PLACE_IN, ROWS, count, members};

/// A link is by a cell, a box, a row or a column.
pub(crate) type By = u8;
/// Nothing led here: it is assumed.
pub(crate) const ASSUMED: By = 0;
/// The cell has one digit.
pub(crate) const BY_CELL: By = 1;
/// The digit has one place in the box.
pub(crate) const BY_BOX: By = 2;
/// The digit has one place in the row.
pub(crate) const BY_ROW: By = 3;
/// The digit has one place in the column.
pub(crate) const BY_COLUMN: By = 4;
/// Another technique, at the place that is stored instead of a parent.
pub(crate) const BY_TECHNIQUE: By = 5;

/// The three kinds of houses in the order of the links: which of the houses of
/// a cell, and what a link through it is by.
pub(crate) const HOUSE_LINKS: [(usize, By); 3] = [(0, BY_BOX), (2, BY_ROW), (1, BY_COLUMN)];

/// The house of a cell that a link is by.
pub(crate) fn house_of(cell: usize, by: By) -> usize {
    let nth = match by {
        BY_BOX => 0,
        BY_ROW => 2,
        _ => 1,
    };
    HOUSES_OF[cell][nth].into()
}

/// What kind of link goes through this house.
pub(crate) fn by_house(house: usize) -> By {
    match house {
        0..COLUMNS => BY_BOX,
        COLUMNS..ROWS => BY_COLUMN,
        _ => BY_ROW,
    }
}

/// What makes a candidate false that this one, being true, forbids.
pub(crate) fn by_which(on: usize, off: usize) -> By {
    let [one, other] = [on / 9, off / 9];
    if one == other {
        return BY_CELL;
    }
    let shared = |nth: usize| HOUSES_OF[one][nth] == HOUSES_OF[other][nth];
    let by = HOUSE_LINKS.into_iter().find(|(nth, _)| shared(*nth));
    by.map_or(BY_COLUMN, |(_, by)| by)
}

/// Calls `visit` for every candidate that becomes false when this one is true;
/// ends early where that says `true`.
#[inline]
pub(crate) fn forbidden(
    board: &Board,
    cell: usize,
    digit: usize,
    in_cell: bool,
    mut visit: impl FnMut(usize, By) -> bool,
) -> bool {
    if in_cell {
        for other in members(board.digits(cell) & !(1 << digit)) {
            if visit(cell * 9 + other, BY_CELL) {
                return true;
            }
        }
    }
    let [in_box, in_column, in_row] = PLACE_IN[cell];
    let [the_box, column, row] = HOUSES_OF[cell];
    // The places of row and column that the box has already named.
    let masks = [
        1 << in_box,
        0b111 << (in_row / 3 * 3),
        0b111 << (in_column / 3 * 3),
    ];
    for ((house, mask), by) in [the_box, row, column]
        .into_iter()
        .zip(masks)
        .zip([BY_BOX, BY_ROW, BY_COLUMN])
    {
        let house = usize::from(house);
        for place in members(board.places(house, digit) & !mask) {
            if visit(usize::from(HOUSE_CELLS[house][place]) * 9 + digit, by) {
                return true;
            }
        }
    }
    false
}

/// The candidates that become true when this one is false, each once.
fn forced(board: &Board, cell: usize, digit: usize) -> Forced {
    let mut forced = Forced::default();
    let digits = board.digits(cell);
    if count(digits) == 2 {
        let other = (digits & !(1 << digit)).trailing_zeros() as usize;
        forced.push(cell * 9 + other, BY_CELL);
    }
    for (nth, by) in HOUSE_LINKS {
        let house = usize::from(HOUSES_OF[cell][nth]);
        let others = board.places(house, digit) & !(1 << PLACE_IN[cell][nth]);
        if others != 0 && others & (others - 1) == 0 {
            let other = usize::from(HOUSE_CELLS[house][others.trailing_zeros() as usize]);
            forced.push(other * 9 + digit, by);
        }
    }
    forced
}

/// At most four links.
#[derive(Clone, Copy, Default)]
struct Forced {
    links: [(u16, By); 4],
    length: u8,
}

impl Forced {
    fn push(&mut self, candidate: usize, by: By) {
        let known = &self.links[..self.length.into()];
        if !known
            .iter()
            .any(|(known, _)| usize::from(*known) == candidate)
        {
            self.links[usize::from(self.length)] = (candidate as u16, by);
            self.length += 1;
        }
    }
}

/// All links of one position, laid out for quick walks. Only the candidates
/// that stand are numbered, in the order of the board.
#[derive(Default)]
pub(crate) struct Links {
    /// The candidates by number, and their numbers.
    candidates: Vec<u16>,
    numbers: Vec<u16>,
    /// The candidates each one forbids, those of its cell first.
    off: Vec<u16>,
    starts: Vec<u32>,
    in_cell: Vec<u8>,
    /// The candidates each one forces by being false.
    on: Vec<Forced>,
    /// Two links at once: what each one forbids, and what that forces; those
    /// inside its cell first.
    pairs: Vec<(u16, u16, By)>,
    pair_starts: Vec<(u32, u32)>,
}

impl Links {
    /// Reads all links of a board.
    pub(crate) fn read(&mut self, board: &Board) {
        self.candidates.clear();
        self.off.clear();
        self.starts.clear();
        self.in_cell.clear();
        self.on.clear();
        self.numbers.resize(729, 0);
        for cell in 0..81 {
            for digit in members(board.digits(cell)) {
                self.numbers[cell * 9 + digit] = self.candidates.len() as u16;
                self.candidates.push((cell * 9 + digit) as u16);
            }
        }
        for nth in 0..self.candidates.len() {
            let index = usize::from(self.candidates[nth]);
            let (cell, digit) = (index / 9, index % 9);
            self.starts.push(self.off.len() as u32);
            self.in_cell.push(count(board.digits(cell)) as u8 - 1);
            forbidden(board, cell, digit, true, |other, _| {
                self.off.push(self.numbers[other]);
                false
            });
            let mut links = forced(board, cell, digit);
            for (link, _) in &mut links.links[..links.length.into()] {
                *link = self.numbers[usize::from(*link)];
            }
            self.on.push(links);
        }
        self.starts.push(self.off.len() as u32);
    }

    /// Reads pairs of links, once all links are known.
    pub(crate) fn read_pairs(&mut self) {
        self.pairs.clear();
        self.pair_starts.clear();
        for number in 0..self.len() {
            let start = self.pairs.len() as u32;
            let [from, to] = [self.starts[number], self.starts[number + 1]];
            let in_cell = from + u32::from(self.in_cell[number]);
            let mut after_cell = start;
            for at in from..to {
                let off = self.off[at as usize];
                if at == in_cell {
                    after_cell = self.pairs.len() as u32;
                }
                let Forced { links, length } = &self.on[usize::from(off)];
                let forced = links[..usize::from(*length)].iter();
                self.pairs.extend(forced.map(|(on, by)| (off, *on, *by)));
            }
            if in_cell == to {
                after_cell = self.pairs.len() as u32;
            }
            self.pair_starts.push((start, after_cell));
        }
        let end = self.pairs.len() as u32;
        self.pair_starts.push((end, end));
    }

    /// What this one, being true, forbids and thereby forces.
    #[inline]
    pub(crate) fn pairs(&self, number: usize, in_cell: bool) -> &[(u16, u16, By)] {
        let (start, after_cell) = self.pair_starts[number];
        let start = if in_cell { start } else { after_cell };
        let (end, _) = self.pair_starts[number + 1];
        &self.pairs[start as usize..end as usize]
    }

    /// How many candidates there are.
    pub(crate) fn len(&self) -> usize {
        self.candidates.len()
    }

    /// The candidate with this number.
    #[inline]
    pub(crate) fn candidate(&self, number: usize) -> usize {
        self.candidates[number].into()
    }

    /// The number of a candidate that stands.
    #[inline]
    pub(crate) fn number(&self, candidate: usize) -> usize {
        self.numbers[candidate].into()
    }

    /// How many others its cell has.
    #[inline]
    pub(crate) fn in_cell(&self, number: usize) -> u8 {
        self.in_cell[number]
    }

    /// The candidates that this one, being true, forbids.
    #[inline]
    pub(crate) fn forbidden(&self, number: usize, in_cell: bool) -> &[u16] {
        let skipped = if in_cell {
            0
        } else {
            self.in_cell[number].into()
        };
        let [start, end] = [
            self.starts[number] as usize,
            self.starts[number + 1] as usize,
        ];
        &self.off[start + skipped..end]
    }

    /// The candidates that this one, being false, forces.
    #[inline]
    pub(crate) fn forced(&self, number: usize) -> &[(u16, By)] {
        let Forced { links, length } = &self.on[number];
        &links[..usize::from(*length)]
    }
}
