//! Where to split when the rules have said all they know.
//!
//! A cell with two candidates is best, since both halves learn something; of
//! several, the one with the most unsolved peers, where a guess travels
//! furthest. (On the hardest puzzles this halves the nodes against taking the
//! first; counting the candidates a guess would strike prunes no better and
//! costs more. See `bench/notes`.) Without such a cell, one with three, chosen
//! alike; a digit with two places in a house makes more nodes.
//!
//! The peers are counted in slices, all cells at once, and the greatest count is
//! found bit by bit: a walk over the cells would be about as many instructions,
//! but the processor cannot foresee where it ends.

use super::ByDigit;
use super::rules::{all_rows, next_band, next_row, rows};
use crate::native::lanes::{Fours, Quads};

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

/// Of these cells, the first with the most unsolved peers. Both sets are kept by
/// band, as in `nine`.
#[inline(always)]
pub(super) fn busiest<L: Fours>(cells: L, unsolved: L) -> &'static Marks {
    first_with_most(cells, &unsolved_peers(unsolved))
}

/// The same, and the best of those that do not see it.
#[inline(always)]
pub(super) fn two_busiest<L: Fours>(
    cells: L,
    unsolved: L,
) -> (&'static Marks, Option<&'static Marks>) {
    let peers = unsolved_peers(unsolved);
    let first = first_with_most(cells, &peers);
    let token = cells.token();
    let seen = L::four(token, &first.cell) | L::four(token, &first.peers);
    let others = cells.without(seen);
    let second = first_with_most(others, &peers);
    (first, (!others.all_zero()).then_some(second))
}

#[inline(always)]
fn first_with_most<L: Fours>(cells: L, counts: &[L; 5]) -> &'static Marks {
    let (mut best, mut last) = cells.to_words();
    for bit in counts.iter().rev() {
        let (bit, bit_last) = bit.to_words();
        let (more, more_last) = (best & bit, last & bit_last);
        let any = more | u64::from(more_last) != 0;
        best = if any { more } else { best };
        last = if any { more_last } else { last };
    }
    // Bands 0 and 1 stand in the two halves of the first word.
    let at = match best {
        0 => 64 + last.trailing_zeros() % 32,
        _ => best.trailing_zeros(),
    };
    &MARKS[at as usize]
}

/// How many peers of each cell are unsolved, in binary, by band.
///
/// They are counted for all cells at once: a vector for each bit of the sum.
/// Twelve peers lie outside the box of the cell; the others (and the cell, which
/// does not change the order) are what is unsolved in the box.
#[inline(always)]
fn unsolved_peers<L: Quads>(unsolved: L) -> [L; 5] {
    // The minirows, each at its first bit: none to three are unsolved.
    let heads = unsolved.splat(rows(0o111));
    let (one, two) = add(unsolved, unsolved.shr::<1>(), unsolved.shr::<2>());
    let (one, two) = (one & heads, two & heads);
    let boxed = add_three([one, two], each_row(one), each_row(two));
    let row = add_two(each_box(one), each_box(two));
    let [a, b, c, d] = add_numbers(boxed, row);
    let row = [spread(a), spread(b), spread(c), spread(d)];
    // The same three cells of a column, each at its place in the first row.
    let (one, two) = add(unsolved, unsolved.shr::<10>(), unsolved.shr::<20>());
    let column = add_two(each_band(one), each_band(two));
    let first = unsolved.splat(0o777);
    let column = [
        all_rows(column[0] & first),
        all_rows(column[1] & first),
        all_rows(column[2] & first),
    ];
    let (a, carry) = (row[0] ^ column[0], row[0] & column[0]);
    let (b, carry) = add(row[1], column[1], carry);
    let (c, carry) = add(row[2], column[2], carry);
    [a, b, c, row[3] ^ carry, row[3] & carry]
}

/// Sum and carry of three bits.
#[inline(always)]
fn add<L: Quads>(a: L, b: L, c: L) -> (L, L) {
    let differ = a ^ b;
    (differ ^ c, (a & b) | (c & differ))
}

/// The sum of three numbers of two bits, none above three; given are the first,
/// and the bits of the two others.
#[inline(always)]
fn add_three<L: Quads>([one, two]: [L; 2], ones: [L; 2], twos: [L; 2]) -> [L; 4] {
    let (a, carry) = add(one, ones[0], ones[1]);
    let (b, four) = add(two, twos[0], twos[1]);
    let more = b & carry;
    [a, b ^ carry, four ^ more, four & more]
}

/// The sum of two numbers of two bits.
#[inline(always)]
fn add_two<L: Quads>(ones: [L; 2], twos: [L; 2]) -> [L; 3] {
    let carry = ones[0] & ones[1];
    let (b, c) = add(twos[0], twos[1], carry);
    [ones[0] ^ ones[1], b, c]
}

/// The sum of up to nine in the box and up to six beside it.
#[inline(always)]
fn add_numbers<L: Quads>(left: [L; 4], right: [L; 3]) -> [L; 4] {
    let carry = left[0] & right[0];
    let (b, carry) = add(left[1], right[1], carry);
    let (c, carry) = add(left[2], right[2], carry);
    [left[0] ^ right[0], b, c, left[3] ^ carry]
}

/// For each minirow, those of the same box in the two other rows.
#[inline(always)]
fn each_row<L: Quads>(heads: L) -> [L; 2] {
    let all = heads.splat(rows(0o777));
    let next = next_row(heads) & all;
    [next, next_row(next) & all]
}

/// For each minirow, those of the same row in the two other boxes.
#[inline(always)]
fn each_box<L: Quads>(heads: L) -> [L; 2] {
    let (first, last) = (heads.splat(rows(0o011)), heads.splat(rows(0o100)));
    let (begin, rest) = (heads.splat(rows(0o001)), heads.splat(rows(0o110)));
    [
        (heads.shr::<3>() & first) | (heads.shl::<6>() & last),
        (heads.shr::<6>() & begin) | (heads.shl::<3>() & rest),
    ]
}

/// The two other bands.
#[inline(always)]
fn each_band<L: Quads>(lanes: L) -> [L; 2] {
    let next = next_band(lanes);
    [next, next_band(next)]
}

/// The first bit of each minirow in all three.
#[inline(always)]
fn spread<L: Quads>(heads: L) -> L {
    let heads = heads & heads.splat(rows(0o111));
    heads.shl::<3>() - heads
}

/// A random cell among those with the fewest candidates.
#[inline(always)]
pub(super) fn random(left: &ByDigit, mut pick: impl FnMut(u32) -> u32) -> &'static Marks {
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
    Marks::of(27 * band + pick(cells) as usize)
}

/// For each cell, its peers in the three bands: 27 bits each, row by row.
pub(in super::super) static PEERS: [[u32; 3]; 81] = peers();

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

/// A cell and its peers as bits of the three bands, in the order of `nine`; the
/// fourth word repeats the third.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    pub cell: [u32; 4],
    pub peers: [u32; 4],
}

impl Marks {
    /// Those of a cell, counted row by row.
    #[inline(always)]
    pub fn of(cell: usize) -> &'static Marks {
        &MARKS[32 * (cell / 27) + bit_of(cell % 27)]
    }
}

/// The bit of a cell in its band, in the order of `nine`.
const fn bit_of(cell: usize) -> usize {
    cell / 9 * 10 + cell % 9
}

/// At 32 times the band and the bit of the cell.
static MARKS: [Marks; 96] = marks();

const fn marks() -> [Marks; 96] {
    let blank = Marks {
        cell: [0; 4],
        peers: [0; 4],
    };
    let mut marks = [blank; 96];
    let mut cell = 0;
    while cell < 81 {
        let band = cell / 27;
        let marks = &mut marks[32 * band + bit_of(cell % 27)];
        marks.cell[band] = 1 << bit_of(cell % 27);
        marks.cell[3] = marks.cell[2];
        let mut word = 0;
        while word < 4 {
            let peers = PEERS[cell][if word < 3 { word } else { 2 }];
            marks.peers[word] =
                peers & 0o777 | (peers & 0o777_000) << 1 | (peers & 0o777_000_000) << 2;
            word += 1;
        }
        cell += 1;
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::lanes::Four;
    use crate::rng::Rng;

    #[test]
    fn peers_counted_in_slices_are_those_counted_one_by_one() {
        let mut rng = Rng::new(9);
        for _ in 0..200 {
            let unsolved: [bool; 81] = std::array::from_fn(|_| rng.below(3) > 0);
            let mut bands = [0; 4];
            for cell in (0..81).filter(|cell| unsolved[*cell]) {
                bands[cell / 27] |= 1 << bit_of(cell % 27);
            }
            bands[3] = bands[2];
            let slices = unsolved_peers(Four::four((), &bands)).map(|slice| {
                let (words, third) = slice.to_words();
                [words as u32, (words >> 32) as u32, third]
            });
            for cell in 0..81 {
                let counted = (0..5)
                    .map(|bit| (slices[bit][cell / 27] >> bit_of(cell % 27) & 1) << bit)
                    .sum::<u32>();
                let peers = (0..81)
                    .filter(|other| PEERS[cell][other / 27] >> (other % 27) & 1 != 0)
                    .filter(|other| unsolved[*other])
                    .count() as u32;
                assert_eq!(counted, peers + u32::from(unsolved[cell]), "cell {cell}");
            }
        }
    }
}
