//! Any pattern that a technique or a chain finds.
//!
//! Rating a puzzle needs only rating and effect, so nothing is allocated until
//! somebody asks for the [`Step`].

use crate::board::Board;
use crate::candidate::Candidate;
use crate::chains::ChainFind;
use crate::pattern::{Pattern, Sink};
use crate::techniques::{
    aligned::Aligned, bug::Bug, fish::Fish, hidden_set::HiddenSet, locked::Locked,
    naked_set::NakedSet, single::Single, unique_loop::UniqueLoop, wing::Wing,
};
use crate::{Rating, Step, Technique};

/// Any pattern.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Single(Single),
    Locked(Locked),
    HiddenSet(HiddenSet),
    NakedSet(NakedSet),
    Fish(Fish),
    Wing(Wing),
    UniqueLoop(UniqueLoop),
    Bug(Bug),
    Aligned(Aligned),
    Chain(ChainFind),
}

impl Found {
    fn pattern(&self) -> &dyn Pattern {
        match self {
            Found::Single(pattern) => pattern,
            Found::Locked(pattern) => pattern,
            Found::HiddenSet(pattern) => pattern,
            Found::NakedSet(pattern) => pattern,
            Found::Fish(pattern) => pattern,
            Found::Wing(pattern) => pattern,
            Found::UniqueLoop(pattern) => pattern,
            Found::Bug(pattern) => pattern,
            Found::Aligned(pattern) => pattern,
            Found::Chain(pattern) => pattern,
        }
    }

    pub(crate) fn technique(&self) -> Technique {
        self.pattern().technique()
    }

    pub(crate) fn rating(&self) -> Rating {
        self.pattern().rating()
    }

    /// Whether the step puts a digit on the board.
    pub(crate) fn places(&self) -> bool {
        self.pattern().placement().is_some()
    }

    /// Does what the step says.
    pub(crate) fn apply(&self, board: &mut Board) {
        let pattern = self.pattern();
        match pattern.placement() {
            Some((cell, digit)) => board.place(cell, digit),
            None => board.strike_all(&pattern.strikes(board)),
        }
    }

    /// The step in full.
    pub(crate) fn step(&self, board: &Board) -> Step {
        let pattern = self.pattern();
        let placement = pattern.placement();
        let mut step = Step {
            technique: pattern.technique(),
            rating: pattern.rating(),
            placement: placement.map(|(cell, digit)| Candidate::at(cell, digit)),
            eliminations: match placement {
                Some(_) => Vec::new(),
                None => pattern.strikes(board).to_vec(),
            },
            causes: Vec::new(),
            houses: Vec::new(),
            variant: None,
            chains: Vec::new(),
        };
        pattern.explain(board, &mut step);
        step
    }
}

/// Receives every kind of pattern.
pub(crate) trait AnySink:
    Sink<Single>
    + Sink<Locked>
    + Sink<HiddenSet>
    + Sink<NakedSet>
    + Sink<Fish>
    + Sink<Wing>
    + Sink<UniqueLoop>
    + Sink<Bug>
    + Sink<Aligned>
{
}

impl<S> AnySink for S where
    S: Sink<Single>
        + Sink<Locked>
        + Sink<HiddenSet>
        + Sink<NakedSet>
        + Sink<Fish>
        + Sink<Wing>
        + Sink<UniqueLoop>
        + Sink<Bug>
        + Sink<Aligned>
{
}

macro_rules! kinds {
    ($($kind:ident)+) => {$(
        impl From<$kind> for Found {
            fn from(pattern: $kind) -> Found {
                Found::$kind(pattern)
            }
        }
    )+};
}

kinds!(Single Locked HiddenSet NakedSet Fish Wing UniqueLoop Bug Aligned);

/// Keeps the first.
#[derive(Default)]
pub(crate) struct First(pub(crate) Option<Found>);

impl<P: Into<Found>> Sink<P> for First {
    fn take(&mut self, pattern: P) -> bool {
        self.0 = Some(pattern.into());
        true
    }
}

/// Keeps all.
impl<P: Into<Found>> Sink<P> for Vec<Found> {
    fn take(&mut self, pattern: P) -> bool {
        self.push(pattern.into());
        false
    }
}
