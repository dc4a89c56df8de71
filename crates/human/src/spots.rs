//! Where each candidate stands, for walks that strike one after the other: its
//! houses in the order of the links (box, row, column) and its bit in the sets
//! of places of its digit there.

use crate::tables::{HOUSE_CELLS, HOUSES_OF, PLACE_IN};

/// One candidate of the board.
pub(crate) struct Spot {
    pub(crate) cell: u8,
    pub(crate) digit: u8,
    /// Box, row and column.
    pub(crate) houses: [u8; 3],
    /// The numbers of their sets of places for this digit.
    pub(crate) sets: [u8; 3],
    /// The places without this one.
    pub(crate) keep: [u16; 3],
    /// The other places, without those that an earlier house has named already.
    pub(crate) others: [u16; 3],
}

/// All candidates by `9 * cell + digit`.
pub(crate) static SPOTS: [Spot; 729] = {
    let mut table = [const {
        Spot {
            cell: 0,
            digit: 0,
            houses: [0; 3],
            sets: [0; 3],
            keep: [0; 3],
            others: [0; 3],
        }
    }; 729];
    let mut candidate = 0;
    while candidate < 729 {
        table[candidate] = spot(candidate / 9, candidate % 9);
        candidate += 1;
    }
    table
};

/// Nine times each cell of each house: its first candidate.
pub(crate) static FIRST_OF: [[u16; 9]; 27] = {
    let mut table = [[0; 9]; 27];
    let mut house = 0;
    while house < 27 {
        let mut place = 0;
        while place < 9 {
            table[house][place] = HOUSE_CELLS[house][place] as u16 * 9;
            place += 1;
        }
        house += 1;
    }
    table
};

/// Whether a set has one member.
#[inline]
pub(crate) fn is_one(set: u16) -> bool {
    set != 0 && set & (set - 1) == 0
}

const fn spot(cell: usize, digit: usize) -> Spot {
    let [the_box, column, row] = HOUSES_OF[cell];
    let [in_box, in_column, in_row] = PLACE_IN[cell];
    let keep = [
        511 & !(1 << in_box),
        511 & !(1 << in_row),
        511 & !(1 << in_column),
    ];
    let in_same_box = [0, 0b111 << (in_row / 3 * 3), 0b111 << (in_column / 3 * 3)];
    Spot {
        cell: cell as u8,
        digit: digit as u8,
        houses: [the_box, row, column],
        sets: [
            (the_box as usize * 9 + digit) as u8,
            (row as usize * 9 + digit) as u8,
            (column as usize * 9 + digit) as u8,
        ],
        keep,
        others: [
            keep[0],
            keep[1] & !in_same_box[1],
            keep[2] & !in_same_box[2],
        ],
    }
}
