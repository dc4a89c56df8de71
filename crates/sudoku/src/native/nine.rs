//! The ordinary board, all nine digits at once.
//!
//! A *band* is three rows, 27 cells, so the places left for one digit in one
//! band fit a 32-bit lane:
//!
//! ```text
//!              column 0 1 2 3 4 5 6 7 8
//! row 0 of the band   0 . . . . . . . 8      bit = 9 * row + column
//! row 1               9 . . . . . . 17       three neighbours of a row inside
//! row 2              18 . . . . . . 26       one box are a *minirow*
//! ```
//!
//! Four registers of eight lanes hold everything:
//!
//! ```text
//! bands[0]   digit 1 | digit 2 | ... | digit 8      rows 0..3
//! bands[1]   digit 1 | digit 2 | ... | digit 8      rows 3..6
//! bands[2]   digit 1 | digit 2 | ... | digit 8      rows 6..9
//! ninth      band 0 | band 1 | band 2 | band 0 | band 1 | ...   digit 9 alone
//! ```
//!
//! One [round](State::round) applies to the whole board:
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
//!    the rest of the row, and the matchings clear box and column.
//!
//! Rounds repeat until nothing changes, then [`branch`] splits on a candidate.
//!
//! Keeping candidates as 27-bit bands per digit is the idea of JCZSolve and
//! FastBandSolver; working on whole boards with vector instructions that of
//! tdoku. The rounds here are our own.

use planoku_engine::Leave;

use super::branch;
use super::lanes::{Lanes, Portable};

/// A 9x9 board, row by row, 0 for a blank.
pub type Cells = [u8; 81];

/// The places left for each digit, by band.
pub(super) type ByDigit = [[u32; 9]; 3];

/// Who is told what the search meets, and may end it.
pub(super) trait Visitor {
    /// Another state is about to be propagated.
    fn node(&mut self) -> Result<(), Leave>;
    /// A solution.
    fn solution(&mut self, solution: &Cells) -> Result<(), Leave>;

    /// A cell and a digit, both counted from 0, that no solution may join.
    #[inline(always)]
    fn barred(&self) -> Option<(usize, usize)> {
        None
    }

    /// Whether to branch at random instead of well.
    const RANDOM: bool = false;

    /// One of the set bits, for those who branch at random.
    #[inline(always)]
    fn pick(&mut self, bits: u32) -> u32 {
        bits.trailing_zeros()
    }
}

/// The instructions a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// Plain Rust, for any processor.
    Portable,
    /// 256-bit vectors of x86-64.
    Avx2,
}

impl Isa {
    /// Those this processor knows, the best last.
    pub fn available() -> Vec<Isa> {
        let mut available = vec![Isa::Portable];
        if knows_avx2() {
            available.push(Isa::Avx2);
        }
        available
    }

    /// The best there is on this processor.
    #[inline]
    pub fn best() -> Isa {
        if knows_avx2() {
            Isa::Avx2
        } else {
            Isa::Portable
        }
    }

    /// The word used in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "avx2",
        }
    }
}

/// True if the processor knows AVX2 and the small instructions that have come
/// with it on every processor so far.
#[inline]
fn knows_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as detected;
        detected!("avx2") && detected!("bmi1") && detected!("bmi2") && detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Visits every solution of the puzzle. Instructions that the processor does
/// not know are replaced by plain Rust.
#[inline]
pub(super) fn search(puzzle: &Cells, isa: Isa, visitor: &mut impl Visitor) -> Result<(), Leave> {
    #[cfg(target_arch = "x86_64")]
    if isa == Isa::Avx2 && knows_avx2() {
        // SAFETY: the processor has just said that it knows AVX2.
        return unsafe { search_avx2(puzzle, visitor) };
    }
    let _ = isa;
    search_with::<Portable>(puzzle, visitor)
}

/// The search on AVX2.
///
/// # Safety
/// [`knows_avx2`] must hold.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn search_avx2(puzzle: &Cells, visitor: &mut impl Visitor) -> Result<(), Leave> {
    search_with::<super::lanes::Avx2>(puzzle, visitor)
}

#[inline(always)]
fn search_with<L: Lanes>(puzzle: &Cells, visitor: &mut impl Visitor) -> Result<(), Leave> {
    let mut open: Vec<State<L>> = Vec::new();
    let mut state = State::<L>::new(puzzle);
    if let Some((cell, digit)) = visitor.barred() {
        state.bar(cell, digit);
    }
    loop {
        visitor.node()?;
        match state.propagate() {
            Progress::Open => {
                let (guess, rest) = state.branch(visitor);
                open.push(rest);
                state = guess;
                continue;
            }
            Progress::Solved => visitor.solution(&state.cells())?,
            Progress::Conflict => {}
        }
        match open.pop() {
            Some(next) => state = next,
            None => return Ok(()),
        }
    }
}

/// A function of each band. Not `array::map`: a closure that the standard
/// library calls is compiled without the vector instructions of its caller,
/// and then nothing that it calls can be inlined.
macro_rules! each {
    ($bands:expr, $function:expr) => {{
        let [first, second, third] = $bands;
        [$function(first), $function(second), $function(third)]
    }};
}

/// All 27 cells of a band.
pub(super) const BAND: u32 = (1 << 27) - 1;
/// The first cell of each row.
const ROW_FIRST: u32 = 0o001_001_001;
/// The last cell of each row.
const ROW_LAST: u32 = 0o400_400_400;
/// The first cell of each minirow.
const MINIROW_FIRST: u32 = 0o111_111_111;

enum Progress {
    Solved,
    Open,
    Conflict,
}

/// Every candidate of the board; see the picture above.
#[derive(Clone, Copy)]
struct State<L> {
    bands: [L; 3],
    ninth: L,
}

impl<L: Lanes> State<L> {
    #[inline(always)]
    fn new(puzzle: &Cells) -> State<L> {
        let places = L::places(puzzle);
        let mut state = State {
            bands: [L::splat(0); 3],
            ninth: L::splat(0),
        };
        let mut ninth = [0; 8];
        for band in 0..3 {
            let given = places[band].iter().fold(0, |all, digit| all | digit);
            let blank = BAND & !given;
            let left: [u32; 8] = std::array::from_fn(|digit| blank | places[band][digit]);
            state.bands[band] = L::new(left);
            for lane in (band..8).step_by(3) {
                ninth[lane] = blank | places[band][8];
            }
        }
        state.ninth = L::new(ninth);
        state
    }

    /// Rounds until nothing changes.
    #[inline(always)]
    fn propagate(&mut self) -> Progress {
        loop {
            let before = *self;
            let Some(many) = self.round() else {
                return Progress::Conflict;
            };
            if !self.differs(&before) {
                return if many {
                    Progress::Open
                } else {
                    Progress::Solved
                };
            }
        }
    }

    #[inline(always)]
    fn differs(&self, other: &State<L>) -> bool {
        let changed = (self.bands[0] ^ other.bands[0])
            | (self.bands[1] ^ other.bands[1])
            | (self.bands[2] ^ other.bands[2])
            | (self.ninth ^ other.ninth);
        !changed.all_zero()
    }

    /// One application of every rule. `None` on a contradiction, else whether
    /// some cell still has more than one candidate.
    #[inline(always)]
    fn round(&mut self) -> Option<bool> {
        self.match_rows();
        self.match_columns();
        self.hidden_singles();
        self.naked_singles()
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
        let kept = (next_band(turned) & last_band(again)) | (next_band(again) & last_band(turned));
        self.ninth = self.ninth & all_rows(kept);
    }

    #[inline(always)]
    fn hidden_singles(&mut self) {
        let single = each!(self.bands, single_in_row);
        let single_ninth = single_in_row(self.ninth);
        let [first, second, third] = each!(single, or_lanes);
        let taken = [
            first | single_ninth.broadcast::<0>(),
            second | single_ninth.broadcast::<1>(),
            third | single_ninth.broadcast::<2>(),
        ];
        for band in 0..3 {
            let lost = taken[band].without(single[band]);
            self.bands[band] = self.bands[band].without(lost);
        }
        let lost = by_band(taken).without(single_ninth);
        self.ninth = self.ninth.without(lost);
    }

    #[inline(always)]
    fn naked_singles(&mut self) -> Option<bool> {
        let full = L::splat(BAND);
        let counts = [
            count_digits(self.bands[0], self.ninth.broadcast::<0>()),
            count_digits(self.bands[1], self.ninth.broadcast::<1>()),
            count_digits(self.bands[2], self.ninth.broadcast::<2>()),
        ];
        let covered = counts[0].0 & counts[1].0 & counts[2].0;
        let naked = [
            counts[0].0.without(counts[0].1),
            counts[1].0.without(counts[1].1),
            counts[2].0.without(counts[2].1),
        ];
        let settled = naked[0] & naked[1] & naked[2];
        let empty = self.bands[0].any_zero()
            | self.bands[1].any_zero()
            | self.bands[2].any_zero()
            | self.ninth.any_zero();
        if empty | !(covered ^ full).all_zero() {
            return None;
        }
        for (band, naked) in self.bands.iter_mut().zip(naked) {
            *band = claim_rows(*band, naked);
        }
        self.ninth = claim_rows(self.ninth, by_band(naked));
        Some(!(settled ^ full).all_zero())
    }

    /// Splits on one candidate: the state with it chosen, and without it.
    #[inline(always)]
    fn branch<V: Visitor>(&self, visitor: &mut V) -> (State<L>, State<L>) {
        let left = self.by_digit();
        let choice = match V::RANDOM {
            true => branch::random(&left, |bits| visitor.pick(bits)),
            false => branch::busiest(&left),
        };
        let digit = 1 << choice.digit;
        (
            self.strike(choice.band, choice.cell, 0o777 & !digit),
            self.strike(choice.band, choice.cell, digit),
        )
    }

    /// The places of each digit, by band.
    #[inline(always)]
    fn by_digit(&self) -> ByDigit {
        let ninth = self.ninth.to_array();
        let mut left = [[0; 9]; 3];
        for band in 0..3 {
            left[band][..8].copy_from_slice(&self.bands[band].to_array());
            left[band][8] = ninth[band];
        }
        left
    }

    /// Takes a candidate away.
    #[inline(always)]
    fn bar(&mut self, cell: usize, digit: usize) {
        *self = self.strike(cell / 27, 1 << (cell % 27), 1 << digit);
    }

    /// The state without these digits in one cell of a band.
    #[inline(always)]
    fn strike(&self, band: usize, cell: u32, digits: u32) -> State<L> {
        let lost = |digit: usize| cell * (digits >> digit & 1);
        let in_band = |lane: usize| if lane % 3 == band { lost(8) } else { 0 };
        let (lost, lost_ninth) = (std::array::from_fn(lost), std::array::from_fn(in_band));
        let mut state = *self;
        state.bands[band] = state.bands[band].without(L::new(lost));
        state.ninth = state.ninth.without(L::new(lost_ninth));
        state
    }

    /// The digits of a solved board.
    #[inline(always)]
    fn cells(&self) -> Cells {
        L::cells(&self.by_digit())
    }
}

/// Strikes every minirow that lies on no perfect matching of rows and boxes.
#[inline(always)]
fn match_minirows<L: Lanes>(places: L) -> L {
    // Which boxes each row can use: three bits at the bottom of each row,
    // written twice so that turning the boxes is a plain shift.
    let any = (places | places.shr::<1>() | places.shr::<2>()) & L::splat(MINIROW_FIRST);
    let boxes = (any | any.shr::<2>() | any.shr::<4>()) & L::splat(0o007_007_007);
    let twice = boxes | boxes.shl::<3>();
    let next = twice.shr::<9>() | twice.shl::<18>();
    let last = twice.shr::<18>() | twice.shl::<9>();
    // Box b is open to a row if the other two rows can share the other two.
    let kept = (next.shr::<1>() & last.shr::<2>()) | (next.shr::<2>() & last.shr::<1>());
    let kept = kept & boxes;
    let spread = (kept | kept.shl::<2>() | kept.shl::<4>()) & L::splat(MINIROW_FIRST);
    places & (spread.shl::<3>() - spread)
}

/// The columns a digit can use in a band: nine bits.
#[inline(always)]
fn columns_used<L: Lanes>(places: L) -> L {
    (places | places.shr::<9>() | places.shr::<18>()) & L::splat(0o777)
}

/// Column `c` of each box from column `c + 1`.
#[inline(always)]
fn turn_once<L: Lanes>(columns: L) -> L {
    (columns.shr::<1>() & L::splat(0o333)) | (columns.shl::<2>() & L::splat(0o444))
}

/// Column `c` of each box from column `c + 2`.
#[inline(always)]
fn turn_twice<L: Lanes>(columns: L) -> L {
    (columns.shr::<2>() & L::splat(0o111)) | (columns.shl::<1>() & L::splat(0o666))
}

/// The same nine columns in all three rows.
#[inline(always)]
fn all_rows<L: Lanes>(columns: L) -> L {
    columns | columns.shl::<9>() | columns.shl::<18>()
}

/// In `ninth`, each band's value from the band after it.
#[inline(always)]
fn next_band<L: Lanes>(ninth: L) -> L {
    ninth.permute([1, 2, 0, 1, 2, 0, 1, 2])
}

/// In `ninth`, each band's value from the band before it.
#[inline(always)]
fn last_band<L: Lanes>(ninth: L) -> L {
    ninth.permute([2, 0, 1, 2, 0, 1, 2, 0])
}

/// Three values, one per band, laid out like `ninth`.
#[inline(always)]
fn by_band<L: Lanes>(values: [L; 3]) -> L {
    const ALL: u32 = u32::MAX;
    (values[0] & L::new([ALL, 0, 0, ALL, 0, 0, ALL, 0]))
        | (values[1] & L::new([0, ALL, 0, 0, ALL, 0, 0, ALL]))
        | (values[2] & L::new([0, 0, ALL, 0, 0, ALL, 0, 0]))
}

/// All nine bits of each row that holds at least one.
#[inline(always)]
fn whole_rows<L: Lanes>(places: L) -> L {
    let but_last = L::splat(0o377_377_377);
    let some = ((places & but_last) + but_last) | places;
    let flag = some & L::splat(ROW_LAST);
    flag.shl::<1>() - flag.shr::<8>()
}

/// The places that are alone in their row. (A row with none is a conflict
/// that the matching has already turned into an empty lane.)
#[inline(always)]
fn single_in_row<L: Lanes>(places: L) -> L {
    let but_first = places & (places - L::splat(ROW_FIRST));
    places.without(whole_rows(but_first))
}

/// Where `cells` holds one of the digit's places, its row keeps no other.
#[inline(always)]
fn claim_rows<L: Lanes>(places: L, cells: L) -> L {
    let claimed = places & cells;
    places.without(whole_rows(claimed).without(claimed))
}

/// The union of all lanes, in every lane.
#[inline(always)]
fn or_lanes<L: Lanes>(lanes: L) -> L {
    let pairs = lanes | lanes.swap::<4>();
    let fours = pairs | pairs.swap::<2>();
    fours | fours.swap::<1>()
}

/// The cells that at least one and at least two of the digits hold: eight in
/// lanes, and the ninth the same in every lane.
#[inline(always)]
fn count_digits<L: Lanes>(lanes: L, ninth: L) -> (L, L) {
    let other = lanes.swap::<4>();
    let (mut one, mut two) = (lanes | other, lanes & other);
    let (other, others) = (one.swap::<2>(), two.swap::<2>());
    two = two | others | (one & other);
    one = one | other;
    let (other, others) = (one.swap::<1>(), two.swap::<1>());
    two = two | others | (one & other);
    one = one | other;
    (one | ninth, two | (one & ninth))
}
