//! Many boards in slices: one bit per candidate and board.
//!
//! ```text
//!                      board 0 1 2 3 4 ...                     (one vector)
//! left[digit][cell]          1 0 0 1 1 ...   may this cell hold this digit?
//! ```
//!
//! No rule shifts or looks anything up: it joins whole vectors with `and` and
//! `or`, and so acts on all boards at once. One [sweep](Board::sweep) is the
//! round of `nine`, rule by rule:
//!
//! 1. within every band, the minirows of a digit must match rows with boxes,
//!    each once; a minirow on no such matching is struck;
//! 2. within every stack, the same with columns and bands;
//! 3. a digit with one place in a row takes the cell (hidden single);
//! 4. a cell with one digit claims it for its row (naked single).
//!
//! The claims of a sweep are carried out by the next one, where they cost least.
//! A sweep ends with a [tally](Tally): which boards are refuted, which have
//! cells left open, which have moved.

// Several arrays share one index in most loops here; iterators would hide it.
#![allow(clippy::needless_range_loop)]

use super::super::lanes::Bits;
use super::State;
use super::place::{MOST_BYTES, Place};

/// The candidates of `8 * B::BYTES` boards.
pub(super) struct Board<B> {
    left: [[B; 81]; 9],
    /// The cells with two or more candidates, when last looked at.
    open: [B; 81],
}

/// What a sweep found, a bit for each board.
#[derive(Clone, Copy)]
pub(super) struct Tally<B> {
    /// A cell without a digit or a row without a place for one.
    pub refuted: B,
    /// Cells with two or more candidates are left.
    pub open: B,
    /// A cell has been settled.
    pub progress: B,
}

impl<B: Bits> Tally<B> {
    /// The boards for which another sweep may do something.
    #[inline(always)]
    pub fn moving(&self) -> B {
        (self.open & self.progress).without(self.refuted)
    }
}

impl<B: Bits> Board<B> {
    pub fn new(token: B::Token) -> Board<B> {
        let none = B::filled(token, 0);
        Board {
            left: [[none; 81]; 9],
            open: [none; 81],
        }
    }

    /// What shows that the processor has such vectors.
    #[inline(always)]
    pub fn token(&self) -> B::Token {
        self.open[0].token()
    }

    /// The slices of a digit in a band.
    #[inline(always)]
    pub fn band(&self, digit: usize, band: usize) -> &[B] {
        &self.left[digit][27 * band..27 * band + 27]
    }

    /// The slices of a digit in a band, to be changed.
    #[inline(always)]
    pub fn band_mut(&mut self, digit: usize, band: usize) -> &mut [B] {
        &mut self.left[digit][27 * band..27 * band + 27]
    }

    /// Takes the candidates of one slot out, bit by bit; for a few slots that is
    /// cheaper than turning all.
    #[inline(always)]
    pub fn peek(&self, slot: usize, state: &mut State) {
        let Place { byte, bit } = Place::of::<B>(slot);
        for nth in 0..27 {
            let mut word = 0;
            for (cell, slice) in self.band(nth % 9, nth / 9).iter().enumerate() {
                word |= u32::from(slice.byte(byte) >> bit & 1) << cell;
            }
            state.words[nth] = word.to_le_bytes();
        }
    }

    /// Takes a candidate away from one slot.
    #[inline(always)]
    pub fn strike(&mut self, digit: usize, cell: usize, slot: usize) {
        let Place { byte, bit } = Place::of::<B>(slot);
        let mut bytes = [u8::MAX; MOST_BYTES];
        bytes[byte] = !(1 << bit);
        let left = &mut self.left[digit][cell];
        *left = *left & B::load(left.token(), &bytes);
    }

    /// Begins anew with the candidates that stand in the slices.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.open = [B::filled(self.token(), u32::MAX); 81];
    }

    /// One round of all rules. What the cells settled by the sweep before
    /// [claim](Board::claim) comes first if `CLAIM` says so: here the rows are at
    /// hand, and a pass over all slices is saved.
    #[inline(always)]
    pub fn sweep<const CLAIM: bool>(&mut self) -> Tally<B> {
        for left in &mut self.left {
            for band in 0..3 {
                if CLAIM {
                    for row in 3 * band..3 * band + 3 {
                        claim_row(left, &self.open, 9 * row);
                    }
                }
                match_lines(left, 27 * band, 9, 3, 1);
            }
            for stack in 0..3 {
                match_lines(left, 3 * stack, 1, 27, 9);
            }
        }
        self.settle()
    }

    /// Hidden and naked singles of all rows.
    #[inline(always)]
    fn settle(&mut self) -> Tally<B> {
        let none = B::filled(self.token(), 0);
        let mut tally = Tally {
            refuted: none,
            open: none,
            progress: none,
        };
        for row in 0..9 {
            self.settle_row(9 * row, &mut tally);
        }
        tally
    }

    #[inline(always)]
    fn settle_row(&mut self, first: usize, tally: &mut Tally<B>) {
        let none = B::filled(self.token(), 0);
        let mut everywhere = B::filled(self.token(), u32::MAX);
        // The digits with more than one place in the row.
        let mut several = [none; 9];
        for digit in 0..9 {
            let (some, more) = one_or_more(row_of(&self.left[digit], first));
            everywhere = everywhere & some;
            several[digit] = more;
        }
        for nth in 0..9 {
            let cell = first + nth;
            let mut taken = none;
            for digit in 0..9 {
                taken = taken | self.left[digit][cell].without(several[digit]);
            }
            let mut digits = [none; 9];
            for digit in 0..9 {
                let left = self.left[digit][cell].without(several[digit] & taken);
                self.left[digit][cell] = left;
                digits[digit] = left;
            }
            // More than one digit, once hidden singles have theirs.
            let (some, more) = one_or_more(digits);
            everywhere = everywhere & some;
            tally.open = tally.open | more;
            tally.progress = tally.progress | self.open[cell].without(more);
            self.open[cell] = more;
        }
        tally.refuted = tally.refuted | B::filled(self.token(), u32::MAX).without(everywhere);
    }

    /// Every settled cell claims its digit for its row. A sweep leaves this to
    /// the next one; whoever takes the candidates out has to ask for it.
    #[inline(always)]
    pub fn claim(&mut self) {
        for left in &mut self.left {
            for row in 0..9 {
                claim_row(left, &self.open, 9 * row);
            }
        }
    }

    /// The boards on which a row holds a digit in two settled cells. (The
    /// matchings empty a cell where that happens in a box or a column.)
    #[inline(always)]
    pub fn doubled(&self) -> B {
        let mut doubled = B::filled(self.token(), 0);
        for left in &self.left {
            for row in 0..9 {
                let mut some = B::filled(self.token(), 0);
                for cell in 9 * row..9 * row + 9 {
                    let settled = left[cell].without(self.open[cell]);
                    doubled = doubled | (some & settled);
                    some = some | settled;
                }
            }
        }
        doubled
    }

    /// The boards on which every column and every box has a place for every
    /// digit. A board without open cells that passes, and on which no row is
    /// [`doubled`](Board::doubled), is a solution: 81 cells with a digit each, and
    /// 9 digits in each house, leave nothing to spare.
    #[inline(always)]
    pub fn complete(&self) -> B {
        let mut all = B::filled(self.token(), u32::MAX);
        for left in &self.left {
            for nth in 0..9 {
                let corner = 27 * (nth / 3) + 3 * (nth % 3);
                all = all & any_of(nine_of(left, nth, 9, 27));
                all = all & any_of(nine_of(left, corner, 1, 9));
            }
        }
        all
    }

    /// Where to branch, for every board without progress, in two bytes: bits 0
    /// to 6 number the cell, bits 7 to 15 are its digits. A board with no open
    /// cell gets 0.
    ///
    /// The cell is the one `branch::busiest` would like: two candidates are
    /// better than three, three better than more; of several cells, the one
    /// with most open cells in its row, column and box.
    #[inline(always)]
    pub fn choose(&self) -> [[B; 8]; 2] {
        let none = B::filled(self.token(), 0);
        let mut columns = [[none; 4]; 9];
        for nth in 0..9 {
            columns[nth] = count_nine(nine_of(&self.open, nth, 9, 27));
        }
        // Where a cell scores more than all cells before it.
        let mut better = [none; 81];
        let mut best = [none; 7];
        for row in 0..9 {
            let in_row = count_nine(nine_of(&self.open, 9 * row, 1, 3));
            // The two other rows of the band.
            let (above, below) = (9 * others(row).0, 9 * others(row).1);
            for column in 0..9 {
                let (left, right) = others(column);
                let cell = 9 * row + column;
                let open = self.open[cell];
                let (one, two) = add(
                    self.open[above + left],
                    self.open[above + right],
                    self.open[below + left],
                );
                let lines = sum(in_row, columns[column], self.open[below + right]);
                let [a, b, c, d, e] = raise_by(lines, one, two);
                let (three, four) = three_or_more(cell_of(&self.left, cell));
                let score = [a, b, c, d, e, open.without(four), open.without(three)];
                better[cell] = raise(&mut best, score, open);
            }
        }
        // The last of these is the one.
        let mut found = none;
        let (mut rows, mut columns, mut digits) = ([none; 9], [none; 9], [none; 9]);
        for row in (0..9).rev() {
            let mut here = [none; 9];
            for column in (0..9).rev() {
                let better = better[9 * row + column];
                here[column] = better.without(found);
                found = found | better;
                columns[column] = columns[column] | here[column];
            }
            rows[row] = any_of(here);
            for digit in 0..9 {
                let left = row_of(&self.left[digit], 9 * row);
                for column in 0..9 {
                    digits[digit] = digits[digit] | (here[column] & left[column]);
                }
            }
        }
        let [row, column] = [number(rows), number(columns)];
        let [a, b, c, d, e] = sum(row, column, none);
        let [d, e, f, g, _] = sum([d, e, none, none], row, none);
        let [one, rest @ ..] = digits;
        [[a, b, c, d, e, f, g, one], rest]
    }

    /// The four bits of the digit in a settled cell.
    #[inline(always)]
    pub fn digit(&self, cell: usize) -> [B; 4] {
        let [a, b, c, d, e, f, g, h, i] = cell_of(&self.left, cell);
        let (low, high) = (f | g, h | i);
        [a | c | e | g | i, b | c | low, d | e | low, high]
    }

    /// Sets a cell from the four bits of a digit; 0 and anything above 9 leave
    /// it blank.
    #[inline(always)]
    pub fn set_digit(&mut self, cell: usize, [one, two, four, eight]: [B; 4]) {
        let every = B::filled(self.token(), u32::MAX);
        let low = [
            every.without(one | two),
            one.without(two),
            two.without(one),
            one & two,
        ];
        let high = [
            every.without(four | eight),
            four.without(eight),
            eight.without(four),
        ];
        let mut given = [B::filled(self.token(), 0); 9];
        let mut any = B::filled(self.token(), 0);
        for digit in 1..10 {
            given[digit - 1] = low[digit % 4] & high[digit / 4];
            any = any | given[digit - 1];
        }
        let blank = every.without(any);
        for digit in 0..9 {
            self.left[digit][cell] = given[digit] | blank;
        }
        self.open[cell] = blank;
    }
}

/// A cell with one digit claims it for its row.
#[inline(always)]
fn claim_row<B: Bits>(left: &mut [B; 81], open: &[B; 81], first: usize) {
    let mut claimed = open[first].splat(0);
    for cell in first..first + 9 {
        claimed = claimed | left[cell].without(open[cell]);
    }
    for cell in first..first + 9 {
        left[cell] = left[cell].without(claimed & open[cell]);
    }
}

/// Strikes what lies on no perfect matching of three lines with three boxes.
///
/// Piece `j` of line `i` is the three cells `origin + i * line + j * piece + k
/// * step`. It stays if the two other lines can share the two other boxes.
#[inline(always)]
fn match_lines<B: Bits>(left: &mut [B; 81], origin: usize, line: usize, piece: usize, step: usize) {
    let mut any = [[left[0].splat(0); 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            let at = origin + i * line + j * piece;
            any[i][j] = left[at] | left[at + step] | left[at + 2 * step];
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let (next, last) = (any[(i + 1) % 3], any[(i + 2) % 3]);
            let kept =
                (next[(j + 1) % 3] & last[(j + 2) % 3]) | (next[(j + 2) % 3] & last[(j + 1) % 3]);
            let at = origin + i * line + j * piece;
            for k in 0..3 {
                left[at + k * step] = left[at + k * step] & kept;
            }
        }
    }
}

#[inline(always)]
fn row_of<B: Bits>(left: &[B; 81], first: usize) -> [B; 9] {
    let mut row = [left[0].splat(0); 9];
    row.copy_from_slice(&left[first..first + 9]);
    row
}

#[inline(always)]
fn cell_of<B: Bits>(left: &[[B; 81]; 9], cell: usize) -> [B; 9] {
    let mut digits = [left[0][0].splat(0); 9];
    for (digit, left) in digits.iter_mut().zip(left) {
        *digit = left[cell];
    }
    digits
}

/// Where at least one, and at least two, of nine are set.
#[inline(always)]
fn one_or_more<B: Bits>([a, b, c, d, e, f, g, h, i]: [B; 9]) -> (B, B) {
    if B::TERNARY {
        let (first, second, third) = (a | b | c, d | e | f, g | h | i);
        let within = a.majority(b, c) | d.majority(e, f) | g.majority(h, i);
        let across = first.majority(second, third);
        return (first | second | third, within | across);
    }
    let (ab, cd, ef, gh) = (a | b, c | d, e | f, g | h);
    let pairs = (a & b) | (c & d) | (e & f) | (g & h);
    let (front, back) = (ab | cd, ef | gh);
    let halves = (ab & cd) | (ef & gh);
    let eight = front | back;
    (eight | i, pairs | halves | (front & back) | (eight & i))
}

/// Where at least three, and at least four, of nine are set.
#[inline(always)]
fn three_or_more<B: Bits>([a, b, c, d, e, f, g, h, i]: [B; 9]) -> (B, B) {
    let (ones, twos) = (add(a, b, c), add(d, e, f));
    let rest = add(g, h, i);
    let (one, two) = add(ones.0, twos.0, rest.0);
    // Four numbers of two each.
    let (front, back) = (ones.1 | twos.1, rest.1 | two);
    let many = (ones.1 & twos.1) | (rest.1 & two) | (front & back);
    (many | (one & (front | back)), many)
}

/// Which of nine is set, in binary, counted from 0.
#[inline(always)]
fn number<B: Bits>([_, b, c, d, e, f, g, h, i]: [B; 9]) -> [B; 4] {
    let (high, top) = (f | h, g | h);
    [b | d | high, c | d | top, e | f | top, i]
}

/// The nine cells `first + i * inner + j * outer`.
#[inline(always)]
fn nine_of<B: Bits>(cells: &[B; 81], first: usize, inner: usize, outer: usize) -> [B; 9] {
    let mut nine = [cells[0].splat(0); 9];
    for i in 0..3 {
        for j in 0..3 {
            nine[3 * i + j] = cells[first + i * inner + j * outer];
        }
    }
    nine
}

#[inline(always)]
fn any_of<B: Bits>([a, b, c, d, e, f, g, h, i]: [B; 9]) -> B {
    a | b | c | d | e | f | g | h | i
}

/// Sum and carry of three bits.
#[inline(always)]
fn add<B: Bits>(a: B, b: B, c: B) -> (B, B) {
    (a ^ b ^ c, a.majority(b, c))
}

/// How many of nine are set, in binary.
#[inline(always)]
fn count_nine<B: Bits>([a, b, c, d, e, f, g, h, i]: [B; 9]) -> [B; 4] {
    let (ones, twos) = (add(a, b, c), add(d, e, f));
    let rest = add(g, h, i);
    let (one, carry) = add(ones.0, twos.0, rest.0);
    let (two, four) = add(ones.1, twos.1, rest.1);
    let more = two & carry;
    [one, two ^ carry, four ^ more, four & more]
}

/// The two other lines of the same band or stack.
#[inline(always)]
const fn others(line: usize) -> (usize, usize) {
    let first = line - line % 3;
    (first + (line + 1) % 3, first + (line + 2) % 3)
}

/// The sum of two numbers and a bit, in binary.
#[inline(always)]
fn sum<B: Bits>(left: [B; 4], right: [B; 4], mut carry: B) -> [B; 5] {
    let mut result = [carry; 5];
    for bit in 0..4 {
        (result[bit], carry) = add(left[bit], right[bit], carry);
    }
    result[4] = carry;
    result
}

/// Adds one and two; the sum must stay below 32.
#[inline(always)]
fn raise_by<B: Bits>([a, b, c, d, e]: [B; 5], one: B, two: B) -> [B; 5] {
    let carry = a & one;
    let (b, more) = add(b, two, carry);
    let most = c & more;
    [a ^ one, b, c ^ more, d ^ most, e | (d & most)]
}

/// Replaces `best` where `score` is greater and `eligible`, and says where.
#[inline(always)]
fn raise<B: Bits>(best: &mut [B; 7], score: [B; 7], eligible: B) -> B {
    let mut greater = eligible.splat(0);
    let mut differ = [eligible.splat(0); 7];
    for bit in 0..7 {
        differ[bit] = best[bit] ^ score[bit];
        greater = greater.without(differ[bit]) | score[bit].without(best[bit]);
    }
    let greater = greater & eligible;
    for bit in 0..7 {
        best[bit] = best[bit] ^ (differ[bit] & greater);
    }
    greater
}
