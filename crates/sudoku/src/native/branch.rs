//! Where to split when the rules have said all they know.
//!
//! A cell with two candidates is best, since both halves learn something; of
//! several, the one with the most unsolved peers, where a guess travels
//! furthest. (On the hardest puzzles this halves the nodes against taking the
//! first; counting the candidates a guess would strike prunes no better and
//! costs more. See `bench/notes`.) Without such a cell, a digit with two places
//! in a row or a box does as well; without that, a cell with the fewest
//! candidates.

use super::nine::ByDigit;

/// A candidate to split on.
pub(super) struct Choice {
    pub band: usize,
    /// The bit of the cell in its band.
    pub cell: u32,
    pub digit: u32,
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
    let mut best = (0, 0, 0);
    for (band, [_, two, three, _]) in counts.into_iter().enumerate() {
        let mut rest = two & !three;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let peers = &PEERS[27 * band + cell];
            let unsolved = (counts[0][1] & peers[0]).count_ones()
                + (counts[1][1] & peers[1]).count_ones()
                + (counts[2][1] & peers[2]).count_ones();
            if unsolved >= best.0 {
                best = (unsolved + 1, band, 1 << cell);
            }
        }
    }
    if best.2 != 0 {
        return lowest_digit(left, best.1, best.2);
    }
    if let Some(choice) = two_places(left) {
        return choice;
    }
    for (band, [_, two, three, four]) in counts.into_iter().enumerate() {
        if three & !four != 0 {
            best = (0, band, three & !four);
            break;
        } else if two != 0 {
            best = (0, band, two);
        }
    }
    lowest_digit(left, best.1, best.2 & best.2.wrapping_neg())
}

/// A digit with two places in a row or a box.
#[inline(always)]
fn two_places(left: &ByDigit) -> Option<Choice> {
    const ROWS: [u32; 6] = [
        0o777,
        0o777_000,
        0o777_000_000,
        0o007_007_007,
        0o070_070_070,
        0o700_700_700,
    ];
    for (band, left) in left.iter().enumerate() {
        for (digit, places) in (0..).zip(left) {
            for house in ROWS {
                let places = places & house;
                let after = places & places.wrapping_sub(1);
                if after != 0 && after & (after - 1) == 0 {
                    let cell = places & !after;
                    return Some(Choice { band, cell, digit });
                }
            }
        }
    }
    None
}

#[inline(always)]
fn lowest_digit(left: &ByDigit, band: usize, cell: u32) -> Choice {
    let digit = (0..).zip(&left[band]).find(|(_, left)| *left & cell != 0);
    Choice {
        band,
        cell,
        digit: digit.map_or(0, |(digit, _)| digit),
    }
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
    Choice { band, cell, digit }
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
