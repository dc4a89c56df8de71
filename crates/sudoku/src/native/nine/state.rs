//! The state of a board, all nine digits at once.
//!
//! A *band* is three rows, 27 cells, so the places left for one digit in one
//! band fit a 32-bit lane:
//!
//! ```text
//!              column 0 1 2 3 4 5 6 7 8
//! row 0 of the band   0 . . . . . . . 8   9      bit = 10 * row + column
//! row 1              10 . . . . . .  18  19      three neighbours of a row
//! row 2              20 . . . . . .  28  29      inside one box: a *minirow*
//!                                       guard
//! ```
//!
//! The bit above each row is always zero. A sum that runs over its row lands
//! there, which tells in two operations which rows hold anything.
//!
//! Four registers of eight lanes hold everything:
//!
//! ```text
//! bands[0]   digit 1 | digit 2 | ... | digit 8      rows 0..3
//! bands[1]   digit 1 | digit 2 | ... | digit 8      rows 3..6
//! bands[2]   digit 1 | digit 2 | ... | digit 8      rows 6..9
//! ninth      band 0 | 1 | 2 | 2 | band 0 | 1 | 2 | 2      digit 9 alone
//! ```
//!
//! What is the same for all digits, such as the cells that are settled, is kept
//! *by band*, in the order of `ninth`: there the halves of a register are alike,
//! and bands change places without leaving their half, which is cheap.
//!
//! (On a processor with registers of four lanes, `ninth` is one of those.)
//!
//! One round of [`State::propagate`] applies to the whole board:
//!
//! 1. *Rows.* Within a band a digit needs one minirow in every row and every
//!    box: a perfect matching of a 3x3 matrix. A minirow on no matching is
//!    struck. That is locked candidates, both ways, and half of the hidden
//!    singles.
//! 2. *Columns.* The same with columns of a box instead of minirows, across
//!    the three bands.
//! 3. *Hidden singles.* A row with one place for a digit gives it that cell;
//!    the other digits leave the cell.
//! 4. *Naked singles.* A cell with one digit left takes it; the digit leaves
//!    the rest of the row, and the matchings of the next round clear box and
//!    column.
//!
//! Rounds repeat until they bring no more singles. The operations themselves
//! stand in `rules`.
//!
//! Keeping candidates as 27-bit bands per digit is the idea of JCZSolve and
//! FastBandSolver; working on whole boards with vector instructions that of
//! tdoku. The rounds here are our own.

use super::branch::{self, Marks};
use super::rules::*;
use super::{ByDigit, Cells, Visitor};
use crate::native::lanes::{Alone, Fours, Lanes, Quads, Twins, Words};

/// A function of each band. Not `array::map`: a closure that the standard
/// library calls is compiled without the vector instructions of its caller,
/// and then nothing that it calls can be inlined.
macro_rules! each {
    ($bands:expr, $function:expr) => {{
        let [first, second, third] = $bands;
        [$function(first), $function(second), $function(third)]
    }};
}

/// All bits of the lane that holds a digit; none for the ninth.
static LANE_OF: [[u32; 8]; 9] = {
    let mut lanes = [[0; 8]; 9];
    let mut digit = 0;
    while digit < 8 {
        lanes[digit][digit] = u32::MAX;
        digit += 1;
    }
    lanes
};

/// All bits for the ninth digit, none for the others.
#[inline(always)]
fn ninth_or_none<L: Alone>(token: L::Token, digit: usize) -> L::Half {
    L::Half::filled(token, u32::from(digit == 8).wrapping_neg())
}

/// How far the rules went.
pub(super) enum Progress {
    Solved,
    Open,
    Conflict,
}

/// What a round found, a bit for each board.
#[derive(Clone, Copy)]
pub(super) struct Verdicts {
    pub conflict: u32,
    pub solved: u32,
    /// Neither of the two, and no more singles.
    pub open: u32,
}

impl Verdicts {
    /// Nothing is known.
    pub const NONE: Verdicts = Verdicts {
        conflict: 0,
        solved: 0,
        open: 0,
    };

    /// The boards of which something is known.
    #[inline(always)]
    pub fn any(self) -> u32 {
        self.conflict | self.solved | self.open
    }

    /// Those of the second board become those of the first.
    #[inline(always)]
    pub fn second(self) -> Verdicts {
        Verdicts {
            conflict: self.conflict >> 1,
            solved: self.solved >> 1,
            open: self.open >> 1,
        }
    }
}

/// Every candidate of the board; see the picture above.
#[derive(Clone, Copy)]
pub(super) struct State<L: Lanes> {
    bands: [L; 3],
    ninth: L::Half,
    /// The cells that have claimed their digit, in the order of `ninth`.
    settled: L::Half,
}

/// A split, and a guess beyond it.
pub(super) struct Leap<L: Lanes> {
    pub guess: State<L>,
    pub rest: State<L>,
    /// The guess, with this digit in this cell beside it.
    pub further: State<L>,
    pub cell: &'static Marks,
    pub digit: usize,
}

/// One board.
impl<L: Alone> State<L> {
    #[inline(always)]
    pub(super) fn new(token: L::Token, puzzle: &Cells) -> State<L> {
        let mut places = L::places(token, puzzle);
        for band in &mut places {
            let mut given = 0;
            for places in band.iter() {
                given |= places;
            }
            for places in band {
                *places |= !given;
            }
        }
        State::from_places(token, &places)
    }

    /// The state with these candidates.
    #[inline(always)]
    pub(super) fn from_places(token: L::Token, places: &ByDigit) -> State<L> {
        let mut bands = [L::filled(token, 0); 3];
        for (band, places) in bands.iter_mut().zip(places) {
            let eight = places.first_chunk().expect("eight of nine");
            *band = parted(L::eight(token, eight));
        }
        let [a, b, c] = [places[0][8], places[1][8], places[2][8]];
        State {
            bands,
            ninth: parted(L::Half::four(token, &[a, b, c, c])),
            settled: L::Half::filled(token, 0),
        }
    }

    #[inline(always)]
    fn token(&self) -> L::Token {
        self.ninth.token()
    }

    /// Rounds until they bring no more singles.
    ///
    /// An open state may then still have a candidate that another matching
    /// would strike. Going on until nothing at all changes saves one node in
    /// twenty and costs a round per node, which is more.
    #[inline(always)]
    pub(super) fn propagate(&mut self) -> Progress {
        let full = self.ninth.splat(BAND);
        loop {
            self.match_rows();
            self.match_columns();
            if L::any_zero(self.bands, self.ninth) != 0 {
                return Progress::Conflict;
            }
            let Some((settled, _)) = self.settle() else {
                return Progress::Conflict;
            };
            if (settled ^ full).all_zero() {
                return match self.complete() {
                    0 => Progress::Conflict,
                    _ => Progress::Solved,
                };
            }
            if (settled ^ self.settled).all_zero() {
                return Progress::Open;
            }
            self.settled = settled;
        }
    }

    /// The clues claim their digits, each for its row: nothing else can be seen
    /// before they act.
    #[inline(always)]
    pub(super) fn claim_clues(&mut self) {
        let (_, clues) = self.count_digits();
        for (band, clues) in self.bands.iter_mut().zip(each_band::<L>(clues)) {
            *band = band.without(claimed_rows(*band, clues));
        }
        self.ninth = self.ninth.without(claimed_rows(self.ninth, clues));
        self.settled = clues;
    }

    /// Splits on one candidate: the state with it chosen, and without it.
    #[inline(always)]
    pub(super) fn branch<V: Visitor>(&self, visitor: &mut V) -> (State<L>, State<L>) {
        let marks = match V::RANDOM {
            true => branch::random(&self.by_digit(), |bits| visitor.pick(bits)),
            false => self.busiest(),
        };
        let digits = self.digits_at(marks);
        let guess = match V::RANDOM {
            true => visitor.pick(digits),
            false => digits.trailing_zeros(),
        };
        self.split(marks, digits, guess as usize)
    }

    /// The state with one of the digits of a cell chosen, and without it.
    #[inline(always)]
    fn split(&self, marks: &Marks, digits: u32, guess: usize) -> (State<L>, State<L>) {
        let others = digits & !(1 << guess);
        let rest = match others.is_power_of_two() {
            true => self.place(marks, others.trailing_zeros() as usize),
            false => self.strike(marks, guess),
        };
        (self.place(marks, guess), rest)
    }

    /// Two guesses at once, in cells that do not see each other, if there are
    /// two as good as any.
    #[inline(always)]
    pub(super) fn leap(&self) -> Option<Leap<L>> {
        let (cells, open) = self.choices();
        let (first, second) = branch::two_busiest(cells, open);
        let cell = second?;
        let digits = self.digits_at(first);
        let (guess, rest) = self.split(first, digits, digits.trailing_zeros() as usize);
        let digit = self.digits_at(cell).trailing_zeros() as usize;
        Some(Leap {
            further: guess.place(cell, digit),
            guess,
            rest,
            cell,
            digit,
        })
    }

    /// The state without a digit in a cell, unless the cell has no other.
    #[inline(always)]
    pub(super) fn otherwise(&self, cell: &Marks, digit: usize) -> Option<State<L>> {
        let digits = self.digits_at(cell);
        (digits != 1 << digit).then(|| self.split(cell, digits, digit).1)
    }

    /// The best cell to split on.
    #[inline(always)]
    fn busiest(&self) -> &'static Marks {
        let (cells, open) = self.choices();
        branch::busiest(cells, open)
    }

    /// The cells to choose from: with two digits if there are any, else with
    /// three; and all with two or more.
    #[inline(always)]
    fn choices(&self) -> (L::Half, L::Half) {
        let [two, three, four] = several(self.bands, self.ninth);
        let mut cells = two.without(three);
        if cells.all_zero() {
            cells = three.without(four);
            if cells.all_zero() {
                cells = two;
            }
        }
        (cells, two)
    }

    /// The digits that a cell may hold, a bit each.
    #[inline(always)]
    fn digits_at(&self, marks: &Marks) -> u32 {
        let cell = L::Half::four(self.token(), &marks.cell);
        let bits = each_band::<L>(cell);
        let here =
            (self.bands[0] & bits[0]) | (self.bands[1] & bits[1]) | (self.bands[2] & bits[2]);
        let ninth = !(self.ninth & cell).all_zero();
        here.used() | u32::from(ninth) << 8
    }

    /// The state with a digit in a cell: no other digit there, and the digit
    /// nowhere else in the houses of the cell.
    #[inline(always)]
    fn place(&self, marks: &Marks, digit: usize) -> State<L> {
        let (cell, peers) = (
            L::Half::four(self.token(), &marks.cell),
            L::Half::four(self.token(), &marks.peers),
        );
        let (bits, others) = (each_band::<L>(cell), each_band::<L>(peers));
        let (lane, ninth) = (
            L::eight(self.token(), &LANE_OF[digit]),
            ninth_or_none::<L>(self.token(), digit),
        );
        let mut state = *self;
        for band in 0..3 {
            let lost = bits[band].or_where(lane, others[band]);
            state.bands[band] = state.bands[band].without(lost);
        }
        state.ninth = state.ninth.without(cell.or_where(ninth, peers));
        state.settled = state.settled | cell;
        state
    }

    /// The state without one digit in a cell.
    #[inline(always)]
    fn strike(&self, marks: &Marks, digit: usize) -> State<L> {
        let cell = L::Half::four(self.token(), &marks.cell);
        let bits = each_band::<L>(cell);
        let (lane, ninth) = (
            L::eight(self.token(), &LANE_OF[digit]),
            ninth_or_none::<L>(self.token(), digit),
        );
        let mut state = *self;
        for (band, bits) in state.bands.iter_mut().zip(bits) {
            *band = band.without(bits & lane);
        }
        state.ninth = state.ninth.without(cell & ninth);
        state
    }

    /// The places of each digit, by band.
    #[inline(always)]
    fn by_digit(&self) -> ByDigit {
        let (words, third) = closed(self.ninth).to_words();
        let ninth = [words as u32, (words >> 32) as u32, third];
        let mut left = [[0; 9]; 3];
        for band in 0..3 {
            left[band][..8].copy_from_slice(&closed(self.bands[band]).to_array());
            left[band][8] = ninth[band];
        }
        left
    }

    /// Takes a candidate away.
    #[inline(always)]
    pub(super) fn bar(&mut self, cell: usize, digit: usize) {
        *self = self.strike(Marks::of(cell), digit);
    }

    /// The digits of a solved board.
    #[inline(always)]
    pub(super) fn cells(&self) -> Cells {
        let mut cells = [0; 81];
        L::write(self.token(), &self.by_digit(), &mut cells);
        cells
    }
}

/// The rules, for all boards there are.
impl<L: Lanes> State<L> {
    /// One round of the rules for all boards; none is left out because it has
    /// ended.
    #[inline(always)]
    pub(super) fn round(&mut self) -> Verdicts {
        let full = self.ninth.splat(BAND);
        self.match_rows();
        self.match_columns();
        let mut conflict = L::any_zero(self.bands, self.ninth);
        let Some((settled, uncovered)) = self.settle() else {
            return Verdicts {
                conflict: L::BOARDS,
                ..Verdicts::NONE
            };
        };
        conflict |= uncovered;
        let filled = (settled ^ full).empty();
        let mut solved = 0;
        if filled & !conflict != 0 {
            solved = self.complete() & filled & !conflict;
            conflict |= filled & !solved;
        }
        let open = (settled ^ self.settled).empty() & !(conflict | filled);
        self.settled = settled;
        Verdicts {
            conflict,
            solved,
            open,
        }
    }

    /// Of boards with no digit twice in a row: those where every column and every
    /// box has every digit, and every cell one. Since a digit then stands in
    /// nine cells, no cell has two.
    #[inline(always)]
    fn complete(&self) -> u32 {
        let [first, second, third] = each!(self.bands, columns_used);
        let columns = first | second | third;
        let ninth = columns_used(self.ninth);
        let next = next_band(ninth);
        let ninth = ninth | next | next_band(next);
        let boxes = each!(self.bands, boxes_used);
        let boxes = boxes[0] & boxes[1] & boxes[2];
        let missing = columns.splat(0o777).without(columns) | boxes.splat(0o111).without(boxes);
        let cells = union(self.bands) | self.ninth;
        let missing_ninth =
            ninth.splat(0o777).without(ninth) | ninth.splat(0o111).without(boxes_used(self.ninth));
        let blank = cells.splat(BAND).without(cells);
        missing.empty() & (missing_ninth | blank).empty()
    }

    #[inline(always)]
    fn match_rows(&mut self) {
        self.bands = each!(self.bands, match_minirows);
        self.ninth = match_minirows(self.ninth);
    }

    #[inline(always)]
    fn match_columns(&mut self) {
        let columns = each!(self.bands, columns_used);
        let turned = each!(columns, turn_once);
        let again = each!(columns, turn_twice);
        for (band, next, last) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            let kept = (turned[next] & again[last]) | (again[next] & turned[last]);
            self.bands[band] = self.bands[band] & all_rows(kept);
        }
        let columns = columns_used(self.ninth);
        let (turned, again) = (turn_once(columns), turn_twice(columns));
        let kept = (turned & next_band(again)) | (again & next_band(turned));
        self.ninth = self.ninth & all_rows(next_band(kept));
    }

    /// Hidden and naked singles, side by side: the cells with one of either, and
    /// the boards with a cell that has no digit left. None if all boards have.
    ///
    /// A hidden single makes its cell a naked one, but that has nothing more to
    /// claim: it is alone in its row already. So neither kind has to wait for
    /// the other.
    #[inline(always)]
    fn settle(&mut self) -> Option<(L::Half, u32)> {
        let single = each!(self.bands, single_in_row);
        let single_ninth = single_in_row(self.ninth);
        let hidden = union(single) | single_ninth;
        let (covered, naked) = self.count_digits();
        let covered = (covered ^ covered.splat(BAND)).empty();
        if covered == 0 {
            return None;
        }
        let (taken, claiming) = (each_band::<L>(hidden), each_band::<L>(naked));
        for band in 0..3 {
            let lost = taken[band].without(single[band]);
            let places = self.bands[band];
            self.bands[band] = places.without(lost | claimed_rows(places, claiming[band]));
        }
        let lost = hidden.without(single_ninth);
        let places = self.ninth;
        self.ninth = places.without(lost | claimed_rows(places, naked));
        Some((hidden | naked, covered ^ L::BOARDS))
    }

    /// The cells with a digit, and those with one only, by band.
    #[inline(always)]
    fn count_digits(&self) -> (L::Half, L::Half) {
        let (some, more) = one_or_more(self.bands);
        let more = more | (some & self.ninth);
        let some = some | self.ninth;
        (some, some.without(more))
    }
}

/// Two boards side by side; see `twins`.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
impl<L: Twins> State<L> {
    #[inline(always)]
    pub(super) fn of(token: L::Token, first: &State<L::One>, second: &State<L::One>) -> State<L> {
        let mut bands = [L::filled(token, 0); 3];
        for (band, both) in bands
            .iter_mut()
            .zip(first.bands.into_iter().zip(second.bands))
        {
            *band = L::of(token, both.0, both.1);
        }
        State {
            bands,
            ninth: L::of(token, first.ninth, second.ninth),
            settled: L::of(token, first.settled, second.settled),
        }
    }

    #[inline(always)]
    pub(super) fn first(&self) -> State<L::One> {
        State {
            bands: each!(self.bands, L::first),
            ninth: self.ninth.first(),
            settled: self.settled.first(),
        }
    }

    /// The second board in the place of the first, which is gone.
    #[inline(always)]
    pub(super) fn second_twice(&self, token: L::Token) -> State<L> {
        let second = self.second();
        State::of(token, &second, &second)
    }

    #[inline(always)]
    pub(super) fn second(&self) -> State<L::One> {
        State {
            bands: each!(self.bands, L::second),
            ninth: self.ninth.second(),
            settled: self.settled.second(),
        }
    }
}
