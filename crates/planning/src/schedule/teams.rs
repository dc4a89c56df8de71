//! Who is asked about which problem, and what share of the time is each one's.

use crate::instance::Instance;

/// A team: names and shares, most promising first.
pub(super) type Team = &'static [(&'static str, f64)];

/// The sum of all shares of a team is at most this many times the smallest;
/// twice, because the first walk shares its time with grounding alone.
#[cfg(feature = "threads")]
pub(super) const FACTOR: u64 = 20;

pub(super) const CLASSICAL: Team = &[
    ("strips-first", 1.0),
    ("commit", 1.0),
    ("strips-leap", 1.0),
    ("strips-landmarks", 1.0),
    ("sat", 1.0),
];

/// With numbers there are few actions and long ways of equal steps: a state is
/// worth its estimate as soon as it is made.
pub(super) const NUMERIC: Team = &[
    ("strips-eager", 1.5),
    ("strips-eager-add", 1.0),
    ("strips-leap", 1.0),
    ("strips-landmarks", 1.0),
    ("strips-first", 0.5),
];

pub(super) const PARTIAL_ORDER: Team = &[
    ("linear-lazy", 1.0),
    ("linear-width", 0.5),
    ("htn-partial", 1.0),
    ("linear-sat", 1.5),
    ("htn-partial-add", 0.5),
];

pub(super) const TOTAL_ORDER: Team = &[
    ("htn-loop", 0.5),
    ("htn-width", 1.0),
    ("htn-fail-first", 0.5),
    ("htn-lazy", 1.5),
    ("sat", 1.5),
];

/// Those who come last have the longest breath: what novelty finds in ten
/// seconds (Freecell) nobody else finds at all.
#[cfg(feature = "threads")]
pub(super) const WITHOUT_GROUNDING: Team = &[("lifted-best", 1.0), ("lifted-novel", 2.5)];

/// The names and shares of those who look for a first plan of a problem.
pub(super) fn team(problem: &Instance) -> Team {
    match problem.root {
        None if !problem.numbers.is_empty() => NUMERIC,
        None => CLASSICAL,
        Some(_) if problem.ordered => TOTAL_ORDER,
        Some(_) => PARTIAL_ORDER,
    }
}
