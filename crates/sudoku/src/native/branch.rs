//! Where to split when the rules have said all they know.
//!
//! A cell with two candidates is best, since both halves learn something; of
//! several, the one with the most unsolved peers, where a guess travels
//! furthest. (On the hardest puzzles this halves the nodes against taking the
//! first; counting the candidates a guess would strike prunes no better and
//! costs more. See `bench/notes`.) Without such a cell, one with three, chosen
//! alike; a digit with two places in a house makes more nodes.

use super::nine::ByDigit;

/// A candidate to split on.
pub(super) struct Choice {
    pub band: usize,
    /// The bit of the cell in its band.
    pub cell: u32,
    /// Counted from 0.
    pub digit: usize,
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

/// The best candidate to split on.
#[inline(always)]
pub(super) fn busiest(left: &ByDigit) -> Choice {
    let counts = [counts(&left[0]), counts(&left[1]), counts(&left[2])];
    let unsolved = [counts[0][1], counts[1][1], counts[2][1]];
    let exactly = |count: usize| {
        let cells = |band: usize| counts[band][count - 1] & !counts[band][count];
        most_peers([cells(0), cells(1), cells(2)], unsolved)
    };
    let choice = exactly(2).or_else(|| exactly(3));
    let any = || most_peers(unsolved, unsolved);
    let (band, cell) = choice.or_else(any).unwrap_or((0, 1));
    let digit = left[band].iter().position(|left| left & cell != 0);
    Choice {
        band,
        cell,
        digit: digit.unwrap_or(0),
    }
}

/// Of these cells, the one with the most unsolved peers.
#[inline(always)]
fn most_peers(cells: [u32; 3], unsolved: [u32; 3]) -> Option<(usize, u32)> {
    let (mut most, mut best) = (0, None);
    for (band, cells) in cells.into_iter().enumerate() {
        let mut rest = cells;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let peers = &PEERS[27 * band + cell];
            let count = (unsolved[0] & peers[0]).count_ones()
                + (unsolved[1] & peers[1]).count_ones()
                + (unsolved[2] & peers[2]).count_ones();
            if count >= most {
                (most, best) = (count + 1, Some((band, 1 << cell)));
            }
        }
    }
    best
}

/// A random candidate of a random cell among those with the fewest.
#[inline(always)]
pub(super) fn random(left: &ByDigit, mut pick: impl FnMut(u32) -> u32) -> Choice {
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
    let cell = 1 << pick(cells);
    let digits = (0..9).filter(|digit| left[band][*digit] & cell != 0);
    let digit = pick(digits.fold(0, |all, digit| all | 1 << digit));
    Choice {
        band,
        cell,
        digit: digit as usize,
    }
}

/// The peers of a cell in the three bands.
#[inline(always)]
pub(super) fn peers_of(band: usize, cell: u32) -> &'static [u32; 3] {
    &PEERS[27 * band + cell.trailing_zeros() as usize]
}

/// For each cell, its peers in the three bands.
static PEERS: [[u32; 3]; 81] = peers();

const fn peers() -> [[u32; 3]; 81] {
    let mut peers = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            let row = cell / 9 == other / 9;
            let column = cell % 9 == other % 9;
            let square = cell / 27 == other / 27 && cell % 9 / 3 == other % 9 / 3;
            if cell != other && (row || column || square) {
                peers[cell][other / 27] |= 1 << (other % 27);
            }
            other += 1;
        }
        cell += 1;
    }
    peers
}
