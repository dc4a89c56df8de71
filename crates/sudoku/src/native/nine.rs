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
//! Rounds repeat until they bring no more singles, then `branch` splits on a
//! candidate.
//!
//! Keeping candidates as 27-bit bands per digit is the idea of JCZSolve and
//! FastBandSolver; working on whole boards with vector instructions that of
//! tdoku. The rounds here are our own.

use planoku_engine::Leave;

use super::branch::{self, Place};
use super::lanes::{Lanes, Portable};
use super::stack::Stack;

/// A 9x9 board, row by row. What is not a digit from 1 to 9 is a blank.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// Plain Rust, for any processor.
    Portable,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// 512-bit vectors of x86-64, and operations of three inputs on shorter
    /// ones.
    Avx512,
}

impl Isa {
    /// Those this processor knows, the best last.
    pub fn available() -> Vec<Isa> {
        let all = [Isa::Portable, Isa::Avx2, Isa::Avx512];
        all.into_iter().filter(|isa| *isa <= Isa::best()).collect()
    }

    /// The best there is on this processor.
    #[inline]
    pub fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as detected;
            // The small instructions have come with AVX2 on every processor.
            let avx2 =
                detected!("avx2") && detected!("bmi1") && detected!("bmi2") && detected!("popcnt");
            if avx2 && detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl") {
                return Isa::Avx512;
            }
            if avx2 {
                return Isa::Avx2;
            }
        }
        Isa::Portable
    }

    /// These instructions, or the best the processor knows if it does not know
    /// them.
    #[inline]
    pub(super) fn known(self) -> Isa {
        self.min(Isa::best())
    }

    /// The word used in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }
}

/// Where a search begins.
trait Start {
    fn state<L: Lanes>(&self, barred: Option<(usize, usize)>) -> State<L>;
}

impl Start for Cells {
    #[inline(always)]
    fn state<L: Lanes>(&self, barred: Option<(usize, usize)>) -> State<L> {
        let mut state = State::<L>::new(self);
        if let Some((cell, digit)) = barred {
            state.bar(cell, digit);
        }
        // The clues are naked singles; nothing else can be seen before they act.
        let _ = state.naked_singles();
        state
    }
}

impl Start for ByDigit {
    #[inline(always)]
    fn state<L: Lanes>(&self, _: Option<(usize, usize)>) -> State<L> {
        State::from_places(self)
    }
}

/// Visits every solution of the puzzle. Instructions that the processor does
/// not know are replaced by those it knows.
#[inline]
pub(super) fn search(puzzle: &Cells, isa: Isa, visitor: &mut impl Visitor) -> Result<(), Leave> {
    start(puzzle, isa, visitor)
}

/// Visits every solution that the candidates allow.
pub(super) fn resume(left: &ByDigit, isa: Isa, visitor: &mut impl Visitor) -> Result<(), Leave> {
    start(left, isa, visitor)
}

#[inline(always)]
fn start(from: &impl Start, isa: Isa, visitor: &mut impl Visitor) -> Result<(), Leave> {
    match isa.known() {
        // SAFETY: the processor has just said that it knows AVX-512.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { start_avx512(from, visitor) },
        // SAFETY: the processor has just said that it knows AVX2.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { start_avx2(from, visitor) },
        _ => search_from::<Portable>(from.state(visitor.barred()), visitor),
    }
}

/// The search on AVX2.
///
/// # Safety
/// The processor must know these instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn start_avx2(from: &impl Start, visitor: &mut impl Visitor) -> Result<(), Leave> {
    search_from::<super::lanes::Avx2>(from.state(visitor.barred()), visitor)
}

/// The same source for processors with AVX-512: the lanes are those of AVX2,
/// but the compiler may join two logical operations into one and has twice
/// the registers.
///
/// # Safety
/// The processor must know these instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl")]
unsafe fn start_avx512(from: &impl Start, visitor: &mut impl Visitor) -> Result<(), Leave> {
    search_from::<super::lanes::Avx2>(from.state(visitor.barred()), visitor)
}

#[inline(always)]
fn search_from<L: Lanes>(mut state: State<L>, visitor: &mut impl Visitor) -> Result<(), Leave> {
    // Every state on the stack stands for a cell that the states above it have
    // filled, so there are never more than 81.
    let mut open: Stack<State<L>, 81> = Stack::new();
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

/// All bits of the lane that holds a digit in `bands`; none for the ninth.
static LANE_OF: [[u32; 8]; 9] = {
    let mut lanes = [[0; 8]; 9];
    let mut digit = 0;
    while digit < 8 {
        lanes[digit][digit] = u32::MAX;
        digit += 1;
    }
    lanes
};

/// All bits of the lanes that belong to a band in `ninth`.
static LANES_OF_BAND: [[u32; 8]; 3] = {
    let mut lanes = [[0; 8]; 3];
    let mut lane = 0;
    while lane < 8 {
        lanes[lane % 3][lane] = u32::MAX;
        lane += 1;
    }
    lanes
};

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
        let mut places = L::places(puzzle);
        for band in &mut places {
            let mut given = 0;
            for places in band.iter() {
                given |= places;
            }
            for places in band {
                *places |= BAND & !given;
            }
        }
        State::from_places(&places)
    }

    /// The state with these candidates.
    #[inline(always)]
    fn from_places(places: &ByDigit) -> State<L> {
        let mut bands = [L::splat(0); 3];
        for (band, places) in bands.iter_mut().zip(places) {
            *band = L::load(places);
        }
        let [a, b, c] = [places[0][8], places[1][8], places[2][8]];
        State {
            bands,
            ninth: L::new([a, b, c, a, b, c, a, b]),
        }
    }

    /// Rounds until they bring no more singles.
    ///
    /// An open state may then still have a candidate that another matching
    /// would strike. Going on until nothing at all changes saves one node in
    /// twenty and costs a round per node, which is more.
    #[inline(always)]
    fn propagate(&mut self) -> Progress {
        loop {
            let before = *self;
            self.match_rows();
            self.match_columns();
            if self.any_empty() {
                return Progress::Conflict;
            }
            let matched = *self;
            self.hidden_singles();
            match self.naked_singles() {
                None => return Progress::Conflict,
                Some(true) if !self.differs(&matched) => return Progress::Open,
                // One digit in every cell is a solution only if the matchings
                // have nothing to say against it.
                Some(false) if !self.differs(&before) => return Progress::Solved,
                Some(_) => {}
            }
        }
    }

    /// True if a digit has no place left in a band.
    #[inline(always)]
    fn any_empty(&self) -> bool {
        self.bands[0].any_zero()
            | self.bands[1].any_zero()
            | self.bands[2].any_zero()
            | self.ninth.any_zero()
    }

    #[inline(always)]
    fn differs(&self, other: &State<L>) -> bool {
        let changed = (self.bands[0] ^ other.bands[0])
            | (self.bands[1] ^ other.bands[1])
            | (self.bands[2] ^ other.bands[2])
            | (self.ninth ^ other.ninth);
        !changed.all_zero()
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
        let lost = L::by_band(taken).without(single_ninth);
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
        if !(covered ^ full).all_zero() {
            return None;
        }
        let mut doubled = L::splat(0);
        for (band, naked) in self.bands.iter_mut().zip(naked) {
            *band = claim_rows(*band, naked, &mut doubled);
        }
        self.ninth = claim_rows(self.ninth, L::by_band(naked), &mut doubled);
        // The matchings find a digit twice in a box or a column, not in a row.
        if !doubled.all_zero() {
            return None;
        }
        Some(!(settled ^ full).all_zero())
    }

    /// Splits on one candidate: the state with it chosen, and without it.
    #[inline(always)]
    fn branch<V: Visitor>(&self, visitor: &mut V) -> (State<L>, State<L>) {
        let left = self.by_digit();
        let place = match V::RANDOM {
            true => branch::random(&left, |bits| visitor.pick(bits)),
            false => branch::busiest(&left),
        };
        let digits = self.digits_at(place);
        let guess = match V::RANDOM {
            true => visitor.pick(digits),
            false => digits.trailing_zeros(),
        };
        let rest = digits & !(1 << guess);
        let chosen = self.place(place, guess as usize);
        let without = if rest.is_power_of_two() {
            self.place(place, rest.trailing_zeros() as usize)
        } else {
            self.strike(place, guess as usize)
        };
        (chosen, without)
    }

    /// The digits that a cell may hold, a bit each.
    #[inline(always)]
    fn digits_at(&self, place: Place) -> u32 {
        let bit = L::splat(place.bit());
        let ninth = self.ninth.meeting(bit) >> place.band & 1;
        self.bands[place.band].meeting(bit) | ninth << 8
    }

    /// The state with a digit in a cell: no other digit there, and the digit
    /// nowhere else in the houses of the cell.
    #[inline(always)]
    fn place(&self, place: Place, digit: usize) -> State<L> {
        let peers = place.peers();
        let bit = L::splat(place.bit());
        let lane = L::load(&LANE_OF[digit]);
        let mut state = *self;
        state.bands[place.band] = state.bands[place.band].without(bit.without(lane));
        for (band, peers) in state.bands.iter_mut().zip(peers) {
            *band = band.without(L::splat(*peers) & lane);
        }
        state.ninth = if digit == 8 {
            state.ninth.without(L::load(peers))
        } else {
            state
                .ninth
                .without(bit & L::load(&LANES_OF_BAND[place.band]))
        };
        state
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
        let place = Place {
            band: cell / 27,
            cell: cell % 27,
        };
        *self = self.strike(place, digit);
    }

    /// The state without one digit in a cell.
    #[inline(always)]
    fn strike(&self, place: Place, digit: usize) -> State<L> {
        let bit = L::splat(place.bit());
        let mut state = *self;
        if digit == 8 {
            let lanes = L::load(&LANES_OF_BAND[place.band]);
            state.ninth = state.ninth.without(bit & lanes);
        } else {
            let lane = L::load(&LANE_OF[digit]);
            state.bands[place.band] = state.bands[place.band].without(bit & lane);
        }
        state
    }

    /// The digits of a solved board.
    #[inline(always)]
    fn cells(&self) -> Cells {
        L::cells(&self.by_digit())
    }
}

/// Strikes every minirow that lies on no perfect matching of rows and boxes.
///
/// Box `b` is open to a row if the two rows after it can share the two other
/// boxes. Only the first bit of each minirow counts until the end, where it is
/// spread over all three.
#[inline(always)]
fn match_minirows<L: Lanes>(places: L) -> L {
    let any = places | places.shr::<1>() | places.shr::<2>();
    // Box b of each row from box b + 1, and from box b + 2.
    let turned =
        (any.shr::<3>() & L::splat(0o011_011_011)) | (any.shl::<6>() & L::splat(0o100_100_100));
    let again =
        (any.shr::<6>() & L::splat(0o001_001_001)) | (any.shl::<3>() & L::splat(0o110_110_110));
    let kept = next_row((turned & next_row(again)) | (again & next_row(turned)));
    places & (kept.shl::<3>() - kept)
}

/// Each row of a band from the row after it. Bits above the band are rubbish.
#[inline(always)]
fn next_row<L: Lanes>(rows: L) -> L {
    rows.shr::<9>() | rows.shl::<18>()
}

/// The columns a digit can use in a band: nine bits, and rubbish above.
#[inline(always)]
fn columns_used<L: Lanes>(places: L) -> L {
    places | places.shr::<9>() | places.shr::<18>()
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

/// The last bit of each row that holds at least one.
#[inline(always)]
fn rows_used<L: Lanes>(places: L) -> L {
    let but_last = L::splat(0o377_377_377);
    (((places & but_last) + but_last) | places) & L::splat(ROW_LAST)
}

/// All nine bits of each row that holds at least one.
#[inline(always)]
fn whole_rows<L: Lanes>(places: L) -> L {
    let used = rows_used(places);
    used.shl::<1>() - used.shr::<8>()
}

/// The places that are alone in their row. (A row with none is a conflict
/// that the matching has already turned into an empty lane.)
#[inline(always)]
fn single_in_row<L: Lanes>(places: L) -> L {
    let but_first = places & (places - L::splat(ROW_FIRST));
    places.without(whole_rows(but_first))
}

/// Where `cells` holds one of the digit's places, its row keeps no other. A row
/// that has two of them leaves a bit in `doubled`.
#[inline(always)]
fn claim_rows<L: Lanes>(places: L, cells: L, doubled: &mut L) -> L {
    let claimed = places & cells;
    let used = rows_used(claimed);
    let first = used.shr::<8>();
    *doubled = *doubled | (claimed & (claimed - first));
    places.without((used.shl::<1>() - first).without(claimed))
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
