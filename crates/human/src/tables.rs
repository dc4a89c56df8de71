//! The geometry of the 9x9 board as constant tables.
//!
//! Houses are numbered in the order the scale looks at them: boxes 0 to 8,
//! columns 9 to 17, rows 18 to 26. Sets of digits and of places within a house
//! are nine bits of a `u16`.

use planoku_sudoku::{House, HouseKind};

/// The first box, column and row among the houses.
pub(crate) const BOXES: usize = 0;
/// See [`BOXES`].
pub(crate) const COLUMNS: usize = 9;
/// See [`BOXES`].
pub(crate) const ROWS: usize = 18;

/// The cells of each house, in reading order.
pub(crate) const HOUSE_CELLS: [[u8; 9]; 27] = {
    let mut table = [[0; 9]; 27];
    let mut house = 0;
    while house < 9 {
        let mut nth = 0;
        while nth < 9 {
            table[BOXES + house][nth] =
                ((house / 3 * 3 + nth / 3) * 9 + house % 3 * 3 + nth % 3) as u8;
            table[COLUMNS + house][nth] = (nth * 9 + house) as u8;
            table[ROWS + house][nth] = (house * 9 + nth) as u8;
            nth += 1;
        }
        house += 1;
    }
    table
};

/// Box, column and row of each cell.
pub(crate) const HOUSES_OF: [[u8; 3]; 81] = {
    let mut table = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        table[cell] = [
            (BOXES + row / 3 * 3 + column / 3) as u8,
            (COLUMNS + column) as u8,
            (ROWS + row) as u8,
        ];
        cell += 1;
    }
    table
};

/// Which place of its box, column and row each cell is.
pub(crate) const PLACE_IN: [[u8; 3]; 81] = {
    let mut table = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        table[cell] = [(row % 3 * 3 + column % 3) as u8, row as u8, column as u8];
        cell += 1;
    }
    table
};

/// The cells that share a house with each cell, ascending.
pub(crate) const PEERS: [[u8; 20]; 81] = {
    let mut table = [[0; 20]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (mut other, mut count) = (0, 0);
        while other < 81 {
            if other != cell && shares_house(cell, other) {
                table[cell][count] = other as u8;
                count += 1;
            }
            other += 1;
        }
        cell += 1;
    }
    table
};

/// The cells that share a house with each cell, as a set: bit `n` for cell `n`.
pub(crate) const PEER_SET: [u128; 81] = {
    let mut table = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut nth = 0;
        while nth < 20 {
            table[cell] |= 1 << PEERS[cell][nth];
            nth += 1;
        }
        cell += 1;
    }
    table
};

/// Whether two cells share a house.
pub(crate) const SEES: [[bool; 81]; 81] = {
    let mut table = [[false; 81]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut nth = 0;
        while nth < 20 {
            table[cell][PEERS[cell][nth] as usize] = true;
            nth += 1;
        }
        cell += 1;
    }
    table
};

/// All sets of nine, smaller ones first, then as binary numbers.
const BY_SIZE: [u16; 512] = {
    let mut table = [0; 512];
    let (mut size, mut length) = (0, 0);
    while size <= 9 {
        let mut set: u16 = 0;
        while set < 512 {
            if set.count_ones() == size {
                table[length] = set;
                length += 1;
            }
            set += 1;
        }
        size += 1;
    }
    table
};

/// The sets of so many out of nine, as binary numbers ascending.
pub(crate) fn sets_of(size: usize) -> &'static [u16] {
    const STARTS: [usize; 11] = [0, 1, 10, 46, 130, 256, 382, 466, 502, 511, 512];
    &BY_SIZE[STARTS[size]..STARTS[size + 1]]
}

/// The cells of each house as a set.
pub(crate) const HOUSE_SET: [u128; 27] = {
    let mut table = [0; 27];
    let mut house = 0;
    while house < 27 {
        let mut nth = 0;
        while nth < 9 {
            table[house] |= 1 << HOUSE_CELLS[house][nth];
            nth += 1;
        }
        house += 1;
    }
    table
};

/// The places of one house that lie in another one.
pub(crate) const OVERLAP: [[u16; 27]; 27] = {
    let mut table = [[0; 27]; 27];
    let mut house = 0;
    while house < 27 {
        let mut other = 0;
        while other < 27 {
            let mut place = 0;
            while place < 9 {
                if HOUSE_SET[other] >> HOUSE_CELLS[house][place] & 1 != 0 {
                    table[house][other] |= 1 << place;
                }
                place += 1;
            }
            other += 1;
        }
        house += 1;
    }
    table
};

/// How many bits each set of nine has: quicker than counting, since not every
/// processor we compile for has an instruction for it.
pub(crate) const COUNT: [u8; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        table[set] = (set as u16).count_ones() as u8;
        set += 1;
    }
    table
};

const fn shares_house(one: usize, other: usize) -> bool {
    one / 9 == other / 9
        || one % 9 == other % 9
        || (one / 27 == other / 27 && one % 9 / 3 == other % 9 / 3)
}

/// How many members a set of nine has.
pub(crate) fn count(set: u16) -> usize {
    usize::from(COUNT[usize::from(set & 511)])
}

/// The numbers in a set of nine, ascending from 0.
pub(crate) fn members(set: u16) -> impl Iterator<Item = usize> + Clone {
    let mut rest = set;
    std::iter::from_fn(move || {
        let next = rest.trailing_zeros() as usize;
        (rest != 0).then(|| {
            rest &= rest - 1;
            next
        })
    })
}

/// The cells in a set of cells, ascending.
pub(crate) fn cells_in(set: u128) -> impl Iterator<Item = usize> + Clone {
    let mut rest = set;
    std::iter::from_fn(move || {
        let next = rest.trailing_zeros() as usize;
        (rest != 0).then(|| {
            rest &= rest - 1;
            next
        })
    })
}

/// The house with this number, in the words of `planoku_sudoku`.
pub(crate) fn house(number: usize) -> House {
    let kind = match number {
        0..COLUMNS => HouseKind::Box,
        COLUMNS..ROWS => HouseKind::Column,
        _ => HouseKind::Row,
    };
    House {
        kind,
        index: (number % 9) as u8,
    }
}
