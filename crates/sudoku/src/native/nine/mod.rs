//! The ordinary board, one puzzle at a time: search.
//!
//! A [state](State) strikes candidates by itself until it is solved, refuted or
//! open; an open one is split in two, and the half that is put off waits on a
//! stack. Where to split is the matter of `branch`; searching both halves at
//! once, for which some processors have room, that of `twins`.

pub(super) mod branch;
mod rules;
mod state;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod twins;

use planoku_engine::Leave;

use super::cells::{ByDigit, Cells};
#[cfg(target_arch = "x86_64")]
use super::isa::{Avx2Token, Avx512Token};
use super::isa::{Isa, Known};
use super::lanes::{Alone, Four, Pair};
use super::stack::Stack;
use state::{Progress, State};

/// Who is told what the search meets, and may end it.
pub(super) trait Visitor {
    /// Another state is about to be propagated.
    fn node(&mut self) -> Result<(), Leave>;
    /// A solution; one that is only counted is not written out.
    fn solution(&mut self, solution: Option<&Cells>) -> Result<(), Leave>;

    /// Whether the next solution is only to be counted.
    #[inline(always)]
    fn only_counts(&self) -> bool {
        false
    }

    /// Whether it is the same which solution comes first.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    const ANY_ORDER: bool = false;

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

/// Where a search begins.
trait Start {
    fn state<L: Alone>(&self, token: L::Token, barred: Option<(usize, usize)>) -> State<L>;
}

impl Start for Cells {
    #[inline(always)]
    fn state<L: Alone>(&self, token: L::Token, barred: Option<(usize, usize)>) -> State<L> {
        let mut state = State::<L>::new(token, self);
        if let Some((cell, digit)) = barred {
            state.bar(cell, digit);
        }
        state.claim_clues();
        state
    }
}

impl Start for ByDigit {
    #[inline(always)]
    fn state<L: Alone>(&self, token: L::Token, _: Option<(usize, usize)>) -> State<L> {
        State::from_places(token, self)
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
        // SAFETY: the token says that the processor knows AVX-512.
        #[cfg(target_arch = "x86_64")]
        Known::Avx512Wide(token) => unsafe { start_wide(token, from, visitor) },
        // SAFETY: likewise.
        #[cfg(target_arch = "x86_64")]
        Known::Avx512(token) => unsafe { start_avx512(token, from, visitor) },
        // SAFETY: the token says that the processor knows AVX2.
        #[cfg(target_arch = "x86_64")]
        Known::Avx2(token) => unsafe { start_avx2(token, from, visitor) },
        Known::Portable => search_from::<Pair<Four>>(from.state((), visitor.barred()), visitor),
    }
}

/// The search as on a processor of which nothing is known.
#[cfg(test)]
pub(super) fn search_plain(puzzle: &Cells, visitor: &mut impl Visitor) -> Result<(), Leave> {
    use super::lanes::Plain;
    search_from::<Pair<Plain>>(puzzle.state((), visitor.barred()), visitor)
}

/// The search on AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn start_avx2(
    token: Avx2Token,
    from: &impl Start,
    visitor: &mut impl Visitor,
) -> Result<(), Leave> {
    search_from::<super::lanes::Avx2>(from.state(token, visitor.barred()), visitor)
}

/// The same source for processors with AVX-512: the lanes are those of AVX2,
/// but the compiler may join two logical operations into one and has twice
/// the registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl")]
fn start_avx512(
    token: Avx512Token,
    from: &impl Start,
    visitor: &mut impl Visitor,
) -> Result<(), Leave> {
    search_from::<super::lanes::Avx2>(from.state(token.avx2(), visitor.barred()), visitor)
}

/// The search on AVX-512 in full width, where two boards are searched at once as
/// soon as one has to be split.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl")]
fn start_wide<V: Visitor>(
    token: Avx512Token,
    from: &impl Start,
    visitor: &mut V,
) -> Result<(), Leave> {
    let mut state = from.state(token.avx2(), visitor.barred());
    if !V::ANY_ORDER {
        return search_from::<super::lanes::Avx2>(state, visitor);
    }
    visitor.node()?;
    match state.propagate() {
        Progress::Open => search_wide(token, &state, visitor),
        Progress::Solved if visitor.only_counts() => visitor.solution(None),
        Progress::Solved => visitor.solution(Some(&state.cells())),
        Progress::Conflict => Ok(()),
    }
}

/// Apart from the above, so that puzzles without a guess pay nothing for it.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512vl")]
fn search_wide(
    token: Avx512Token,
    state: &State<super::lanes::Avx2>,
    visitor: &mut impl Visitor,
) -> Result<(), Leave> {
    twins::search::<super::lanes::Wide>(token, state, visitor)
}

#[inline(always)]
fn search_from<L: Alone>(mut state: State<L>, visitor: &mut impl Visitor) -> Result<(), Leave> {
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
            Progress::Solved if visitor.only_counts() => visitor.solution(None)?,
            Progress::Solved => visitor.solution(Some(&state.cells()))?,
            Progress::Conflict => {}
        }
        match open.pop() {
            Some(next) => state = next,
            None => return Ok(()),
        }
    }
}
