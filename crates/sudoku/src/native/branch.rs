//! Where to split when the rules have said all they know.
//!
//! A cell with two candidates is best, since both halves learn something; of
//! several, the one with the most unsolved peers, where a guess travels
//! furthest. (On the hardest puzzles this halves the nodes against taking the
//! first; counting the candidates a guess would strike prunes no better and
//! costs more. See `bench/notes`.) Without such a cell, one with three, chosen
//! alike; a digit with two places in a house makes more nodes.

use super::nine::ByDigit;

/// Where to split.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub band: usize,
    /// The number of the cell in its band.
    pub cell: usize,
}

/// The cells of a band with at least one, two, three and four candidates.
#[inline(always)]
fn counts(left: &[u32; 9]) -> [u32; 4] {
    let (mut one, mut two, mut three, mut four) = (0, 0, 0, 0);
    for places in left {
        four |= three & places;
        three |= two & places;
        two |= one & places;
        one |= places;
    }
    [one, two, three, four]
}

/// The best cell to split on.
///
/// There is no closure in here on purpose: see `each` in `nine`.
#[inline(always)]
pub(super) fn busiest(left: &ByDigit) -> Place {
    let counts = [counts(&left[0]), counts(&left[1]), counts(&left[2])];
    let unsolved = [counts[0][1], counts[1][1], counts[2][1]];
    let mut cells = [0; 3];
    for wanted in 2..5 {
        for (cells, counts) in cells.iter_mut().zip(&counts) {
            *cells = match wanted {
                2 => counts[1] & !counts[2],
                3 => counts[2] & !counts[3],
                _ => counts[1],
            };
        }
        if cells[0] | cells[1] | cells[2] != 0 {
            break;
        }
    }
    most_peers(cells, unsolved)
}

/// Of these cells, the first with the most unsolved peers.
#[inline(always)]
fn most_peers(cells: [u32; 3], unsolved: [u32; 3]) -> Place {
    // The count above, the cell below, counted down: the greatest wins. So the
    // processor has nothing to guess.
    let mut best = 0;
    for (band, cells) in cells.into_iter().enumerate() {
        let mut rest = cells;
        while rest != 0 {
            let cell = 27 * band + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let peers = &PEERS[cell];
            let count = (unsolved[0] & peers[0]).count_ones()
                + (unsolved[1] & peers[1]).count_ones()
                + (unsolved[2] & peers[2]).count_ones();
            best = best.max((count + 1) << 7 | (80 - cell as u32));
        }
    }
    let cell = 80 - (best & 127) as usize;
    Place {
        band: cell / 27,
        cell: cell % 27,
    }
}

/// A random cell among those with the fewest candidates.
#[inline(always)]
pub(super) fn random(left: &ByDigit, mut pick: impl FnMut(u32) -> u32) -> Place {
    let mut best = (u32::MAX, 0, 1);
    for (band, left) in left.iter().enumerate() {
        let [_, two, three, four] = counts(left);
        for (count, cells) in (2..).zip([two & !three, three & !four, four]) {
            if cells != 0 && count < best.0 {
                best = (count, band, cells);
            }
        }
    }
    let (_, band, cells) = best;
    Place {
        band,
        cell: pick(cells) as usize,
    }
}

impl Place {
    /// The cell as a bit of its band.
    #[inline(always)]
    pub fn bit(self) -> u32 {
        1 << self.cell
    }

    /// The peers of the cell in the three bands: three times, but for the last.
    #[inline(always)]
    pub fn peers(self) -> &'static [u32; 8] {
        &PEERS[27 * self.band + self.cell]
    }
}

/// For each cell, its peers in the three bands, laid out like `ninth`.
static PEERS: [[u32; 8]; 81] = peers();

const fn peers() -> [[u32; 8]; 81] {
    let mut peers = [[0; 8]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            let row = cell / 9 == other / 9;
            let column = cell % 9 == other % 9;
            let square = cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3;
            if cell != other && (row || column || square) {
                let mut lane = other / 27;
                while lane < 8 {
                    peers[cell][lane] |= 1 << (other % 27);
                    lane += 3;
                }
            }
            other += 1;
        }
        cell += 1;
    }
    peers
}
