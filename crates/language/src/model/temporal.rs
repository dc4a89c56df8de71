//! Time and what else planning does not do: durative actions and timed facts,
//! which are read and judged, and all that is read and checked only.

use super::{CompareOperator, Effect, Expression, Fact, Formula, FunctionId, ObjectId, Span};
use crate::number::Rational;
use std::fmt;

/// What an action with a duration says: its action has neither precondition
/// nor effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Durative {
    /// All of these hold of the duration, in the state before the start.
    pub duration: Vec<(CompareOperator, Expression)>,
    /// What must hold right before the start.
    pub at_start: Formula,
    /// What must hold in every state between start and end.
    pub over_all: Formula,
    /// What must hold right before the end.
    pub at_end: Formula,
    /// What changes at the start.
    pub start_effect: Effect,
    /// What changes at the end.
    pub end_effect: Effect,
}

/// A fact, or a value, that changes at a time of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// When.
    pub time: Rational,
    /// What happens then.
    pub change: TimedChange,
    /// Where it is written.
    pub span: Span,
}

/// What happens at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimedChange {
    /// The fact becomes true, or false.
    Fact(Fact, bool),
    /// The function has a new value.
    Value(FunctionId, Vec<ObjectId>, Rational),
}

/// A part of the language that planning refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// Actions that take time.
    DurativeActions,
    /// Facts that change at a time of their own.
    TimedLiterals,
    /// Effects that go on while an action does.
    ContinuousEffects,
    /// Processes of PDDL+.
    Processes,
    /// Events of PDDL+.
    Events,
    /// Conditions that plans had better fulfil.
    Preferences,
    /// Conditions on the states that a plan goes through.
    Constraints,
    /// The time that a plan takes, as a number.
    TotalTime,
}

impl Feature {
    /// In words, and the requirement it belongs to.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Feature::DurativeActions => ("durative actions", ":durative-actions"),
            Feature::TimedLiterals => ("timed initial literals", ":timed-initial-literals"),
            Feature::ContinuousEffects => ("continuous effects", ":continuous-effects"),
            Feature::Processes => ("processes", ":time"),
            Feature::Events => ("events", ":time"),
            Feature::Preferences => ("preferences", ":preferences"),
            Feature::Constraints => ("trajectory constraints", ":constraints"),
            Feature::TotalTime => ("`total-time`", ":durative-actions"),
        }
    }

    /// The requirement it belongs to.
    pub fn requirement(self) -> &'static str {
        self.words().1
    }

    /// True if plans say when things happen because of it.
    pub fn needs_times(self) -> bool {
        !matches!(self, Feature::Preferences | Feature::TotalTime)
    }

    /// True if plans with times are judged all the same. Preferences only say
    /// which plans are better.
    pub fn is_judged(self) -> bool {
        matches!(
            self,
            Feature::DurativeActions
                | Feature::TimedLiterals
                | Feature::Preferences
                | Feature::TotalTime
        )
    }
}

/// Something that planning refuses, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// What it is.
    pub feature: Feature,
    /// Where the first of its kind stands.
    pub span: Span,
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, requirement) = self.feature.words();
        write!(f, "{words} ({requirement})")
    }
}
