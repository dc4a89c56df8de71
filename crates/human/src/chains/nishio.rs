//! Which assumptions about one digit end in a contradiction, before they are
//! walked: the same consequences, without writing down the links.

use crate::board::Board;
use crate::tables::{HOUSE_CELLS, HOUSES_OF, PLACE_IN, members};

/// The places of one digit, and the cells that have to have it, in a queue.
#[derive(Clone, Copy)]
pub(crate) struct Plane {
    places: [u16; 27],
    true_cells: [u8; 32],
    length: usize,
}

impl Plane {
    /// As it stands on the board.
    pub(crate) fn new(board: &Board, digit: usize) -> Plane {
        Plane {
            places: std::array::from_fn(|house| board.places(house, digit)),
            true_cells: [0; 32],
            length: 0,
        }
    }

    /// Whether the digit runs out of places somewhere if this cell has it (or,
    /// with `on` false, has not).
    pub(crate) fn refutes(mut self, cell: usize, on: bool) -> bool {
        if on {
            self.force(cell);
        } else if self.strike(cell) {
            return true;
        }
        let mut next = 0;
        while next < self.length {
            let cell = usize::from(self.true_cells[next]);
            next += 1;
            for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACE_IN[cell]) {
                let house = usize::from(house);
                for other in members(self.places[house] & !(1 << place)) {
                    if self.strike(HOUSE_CELLS[house][other].into()) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn force(&mut self, cell: usize) {
        let known = &self.true_cells[..self.length];
        if !known.contains(&(cell as u8)) {
            self.true_cells[self.length] = cell as u8;
            self.length += 1;
        }
    }

    /// Strikes one place; `true` if a house has none left.
    fn strike(&mut self, cell: usize) -> bool {
        for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACE_IN[cell]) {
            let house = usize::from(house);
            let left = self.places[house] & !(1 << place);
            self.places[house] = left;
            if left == 0 {
                return true;
            }
            if left & (left - 1) == 0 {
                let last = HOUSE_CELLS[house][left.trailing_zeros() as usize];
                self.force(last.into());
            }
        }
        false
    }
}
