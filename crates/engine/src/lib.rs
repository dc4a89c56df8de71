//! What it means to search, whatever is searched for.
//!
//! An [`Engine`] is given a problem and a [`Run`] (how many answers are wanted,
//! what may be spent, how to be told to stop) and comes back with an
//! [`Outcome`]: the answers, how the search [ended](End), and what it cost.
//!
//! ```
//! use planoku_engine::{End, Ended, Engine, EngineError, Profile, Run, Sink};
//!
//! /// Divisors of a number, by trying them all.
//! struct TrialDivision;
//!
//! impl Engine<u64> for TrialDivision {
//!     type Answer = u64;
//!
//!     fn profile(&self) -> Profile {
//!         Profile::new("trial", "tries every candidate").complete().counting()
//!     }
//!
//!     fn solve_into(
//!         &self,
//!         n: &u64,
//!         run: &mut Run<'_>,
//!         sink: &mut Sink<'_, u64>,
//!     ) -> Result<Ended, EngineError> {
//!         run.search(sink, |run, found| {
//!             for d in 1..=*n {
//!                 run.tick()?; // one node: budgets and Ctrl-C act here
//!                 if n.is_multiple_of(d) {
//!                     found.push(d)?; // ends the search once there are enough
//!                 }
//!             }
//!             Ok(())
//!         })
//!     }
//! }
//!
//! let all = TrialDivision.solve(&12, &mut Run::all()).unwrap();
//! assert_eq!(all.answers, [1, 2, 3, 4, 6, 12]);
//! assert_eq!(all.end, End::Exhausted); // a proof that there are no others
//!
//! let two = TrialDivision.solve(&12, &mut Run::limit(2)).unwrap();
//! assert_eq!(two.answers, [1, 2]);
//! assert_eq!(two.end, End::Enough);
//! ```
//!
//! # A limit instead of modes
//!
//! There is no "solve", "count" or "is it unique". A limit of 1 solves, 2
//! decides uniqueness, `n` counts up to `n`, and [`Run::all`] enumerates.
//!
//! # Answers go to a sink
//!
//! An engine hands each answer to a [`Sink`] the moment it has it and keeps
//! none, so that an enumeration takes no more memory than a search for one.
//! The sink may take its time, and may end the search. [`Engine::solve`] is for
//! those who want all answers in a vector.
//!
//! ```
//! # use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};
//! # struct Naturals;
//! # impl Engine<()> for Naturals {
//! #     type Answer = u64;
//! #     fn profile(&self) -> Profile { Profile::new("", "") }
//! #     fn solve_into(&self, _: &(), run: &mut Run<'_>, sink: &mut Sink<'_, u64>)
//! #     -> Result<Ended, EngineError> {
//! #         run.search(sink, |_, found| (0..).try_for_each(|n| found.push(n)))
//! #     }
//! # }
//! let mut sum = 0;
//! let mut add = |answer| {
//!     sum += answer;
//!     Ok(())
//! };
//! Naturals.solve_into(&(), &mut Run::limit(101), &mut add).unwrap();
//! assert_eq!(sum, 5050);
//! ```
//!
//! # Three ways to come back empty-handed
//!
//! [`End::Exhausted`] with no answers *proves* there is none;
//! [`End::Incomplete`] says the engine has nothing left to try but proves
//! nothing; [`End::Stopped`] says which budget ran out. They are never confused.
//!
//! # Settings, not state
//!
//! Engines are immutable settings. All state lives inside one call of
//! [`Engine::solve`], so an engine is shared freely between threads and raced
//! against others by cloning a [`Cancel`].

mod budget;
pub mod clock;
mod end;
mod heartbeat;
pub mod memory;
pub mod name;
mod outcome;
pub mod random;
mod run;
mod sink;
mod turns;
mod unknown;
mod via;

pub use budget::{Budget, Cancel, Stop, usable};
pub use end::{End, Ended, Stats};
pub use outcome::Outcome;
pub use run::{Event, Run};
pub use sink::{Found, Leave, Sink};
pub use turns::{Turn, Turns};
pub use unknown::UnknownName;
pub use via::{EncodeError, Formulation, Via};

use std::borrow::Cow;
use std::fmt;

/// Something that searches for answers to problems of type `P`.
pub trait Engine<P: ?Sized>: Send + Sync {
    /// What one answer looks like.
    type Answer;

    /// Who the engine is and what it claims; claims are tested.
    fn profile(&self) -> Profile;

    /// Searches for up to [`Run::wanted`] answers within the budget of `run`,
    /// and hands each to `sink` as it is found.
    ///
    /// Finding nothing and running out of budget are ends; an error means
    /// that the problem is not one this engine can take, or that the engine
    /// caught itself in a mistake.
    fn solve_into(
        &self,
        problem: &P,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Self::Answer>,
    ) -> Result<Ended, EngineError>;

    /// Searches as [`Engine::solve_into`] does, and keeps all answers.
    fn solve(&self, problem: &P, run: &mut Run<'_>) -> Result<Outcome<Self::Answer>, EngineError> {
        Outcome::collect(|sink| self.solve_into(problem, run, sink))
    }
}

impl<P: ?Sized, E: Engine<P> + ?Sized> Engine<P> for Box<E> {
    type Answer = E::Answer;

    fn profile(&self) -> Profile {
        (**self).profile()
    }

    fn solve_into(
        &self,
        problem: &P,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Self::Answer>,
    ) -> Result<Ended, EngineError> {
        (**self).solve_into(problem, run, sink)
    }
}

/// An engine's name and its claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The name given to `--engine`.
    pub name: Cow<'static, str>,
    /// One line on how it thinks.
    pub summary: Cow<'static, str>,
    /// Given the budget, it always ends [`End::Exhausted`] or [`End::Enough`].
    pub complete: bool,
    /// Distinct answers are distinct solutions, so that limits count them.
    pub counts: bool,
}

impl Profile {
    /// A profile that claims nothing yet.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        summary: impl Into<Cow<'static, str>>,
    ) -> Profile {
        Profile {
            name: name.into(),
            summary: summary.into(),
            complete: false,
            counts: false,
        }
    }

    /// Claims completeness.
    #[must_use]
    pub fn complete(mut self) -> Profile {
        self.complete = true;
        self
    }

    /// Claims that its answers can be counted.
    #[must_use]
    pub fn counting(mut self) -> Profile {
        self.counts = true;
        self
    }
}

/// Why an engine could not search at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The problem is outside what this engine handles; the text says why.
    Unsupported(String),
    /// The engine caught itself in a mistake: a bug in Planoku, never bad input.
    Internal(String),
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Unsupported(why) => write!(f, "not supported: {why}"),
            EngineError::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for EngineError {}

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
