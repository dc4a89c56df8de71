//! The search with two boards side by side.
//!
//! A register of 512 bits has room for two boards. Where a processor works on all
//! of it at once, the second costs next to nothing, since the search for one
//! puzzle waits for results more than it works. The first board is the one that
//! is searched, depth first. [What](Second) stands beside it:
//!
//! - *A half* that is put off: the other one of the last split, or one from the
//!   stack. It takes its rounds along. When the first is stuck, it goes to the
//!   stack as it is by then; when the first has ended, it takes its place.
//! - *A leap*: the same board with another guess, in a cell that does not see the
//!   first guess. As long as no guess has failed, the puzzle may well have many
//!   solutions, and then two guesses hold as well as one. When the first board is
//!   stuck and the leap is not refuted, the search goes on there.
//!
//! The nodes are those of the ordinary search, but for a few: a half that has
//! taken more rounds than it needed knows more.

use planoku_engine::Leave;

use super::branch::Marks;
use super::state::{State, Verdicts};
use super::{Stack, Visitor};
use crate::native::lanes::Twins;

/// What stands beside the first board.
#[derive(Clone, Copy)]
enum Second {
    Nothing,
    Half,
    /// The first board with this digit in this cell.
    Leap(&'static Marks, usize),
}

/// Visits every solution below an open state, in any order.
#[inline(always)]
pub(super) fn search<L: Twins>(
    token: L::Token,
    state: &State<L::One>,
    visitor: &mut impl Visitor,
) -> Result<(), Leave> {
    // As in the ordinary search, there are never more than 81.
    let mut open: Stack<State<L::One>, 81> = Stack::new();
    // No guess has failed so far.
    let mut lucky = true;
    let (guess, rest) = state.branch(visitor);
    let mut twins = State::<L>::of(token, &guess, &rest);
    let mut second = Second::Half;
    visitor.node()?;
    loop {
        let mut verdicts = twins.round();
        while verdicts.any() & 1 != 0 {
            let state = twins.first();
            if verdicts.open & 1 != 0 {
                let refuted = verdicts.conflict & 2 != 0;
                match second {
                    Second::Leap(cell, digit) if !refuted => {
                        if let Some(rest) = state.otherwise(cell, digit) {
                            open.push(rest);
                        }
                        visitor.node()?;
                        verdicts = verdicts.second();
                        twins = twins.second_twice(token);
                        second = Second::Nothing;
                        continue;
                    }
                    Second::Half if !refuted => open.push(twins.second()),
                    Second::Nothing => {}
                    _ => {
                        lucky = false;
                        visitor.node()?;
                    }
                }
                visitor.node()?;
                if lucky && let Some(leap) = state.leap() {
                    open.push(leap.rest);
                    twins = State::of(token, &leap.guess, &leap.further);
                    second = Second::Leap(leap.cell, leap.digit);
                } else {
                    let (guess, rest) = state.branch(visitor);
                    twins = State::of(token, &guess, &rest);
                    second = Second::Half;
                }
                break;
            }
            lucky = false;
            if verdicts.solved & 1 != 0 {
                match visitor.only_counts() {
                    true => visitor.solution(None)?,
                    false => visitor.solution(Some(&state.cells()))?,
                }
            }
            // What a leap can find, the first board has found.
            let next = match second {
                Second::Half => {
                    verdicts = verdicts.second();
                    twins.second()
                }
                _ => {
                    verdicts = Verdicts::NONE;
                    match open.pop() {
                        Some(state) => state,
                        None => return Ok(()),
                    }
                }
            };
            visitor.node()?;
            let beside = match verdicts.conflict & 1 {
                0 => open.pop(),
                _ => None,
            };
            second = match beside {
                Some(_) => Second::Half,
                None => Second::Nothing,
            };
            twins = State::of(token, &next, &beside.unwrap_or(next));
        }
    }
}
