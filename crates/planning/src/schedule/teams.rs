//! Who is asked about which problem, and what share of the time is each one's.
//!
//! A share is two numbers, because planners differ in their breath: a walk
//! without grounding or a search depth first finds a plan soon or not at all,
//! while SAT and novelty may need many seconds for what nobody else finds at
//! all. So all begin with much the same share, and who has had 0.7 seconds
//! keeps the share that what it found later, on the samples of the competition,
//! was worth (`bench/results/2026-11-18-planner.md`).

#[cfg(feature = "threads")]
use std::ops::{Add, Mul};

use crate::instance::Instance;
#[cfg(feature = "threads")]
use crate::model::{InitialNetwork, Model, requirements::needed};

/// What part of the time is a member's, beside what is the others'.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "threads"), expect(dead_code))]
pub(super) struct Share {
    /// In its first 0.7 seconds, as counted.
    pub(super) first: f64,
    /// After that.
    pub(super) later: f64,
}

const fn share(first: f64, later: f64) -> Share {
    Share { first, later }
}

/// Nobody's share is smaller.
#[cfg(feature = "threads")]
const SMALLEST: f64 = 0.3;

#[cfg(feature = "threads")]
impl Share {
    /// Nothing.
    pub(super) const NONE: Share = share(0.0, 0.0);

    /// As much as anybody's.
    pub(super) const FULL: Share = share(1.0, 1.0);

    /// The share of those for whom a node costs so many times as much as in an
    /// ordinary problem.
    pub(super) fn slowed(self, times: f64) -> Share {
        let later = (self.later / times.max(1.0)).max(SMALLEST.min(self.later));
        Share { later, ..self }
    }
}

#[cfg(feature = "threads")]
impl Add for Share {
    type Output = Share;

    fn add(self, other: Share) -> Share {
        share(self.first + other.first, self.later + other.later)
    }
}

#[cfg(feature = "threads")]
impl Mul<f64> for Share {
    type Output = Share;

    fn mul(self, times: f64) -> Share {
        share(self.first * times, self.later * times)
    }
}

/// A team: names and shares, most promising first.
pub(super) type Team = &'static [(&'static str, Share)];

/// The sum of all shares of a team is at most this many times the smallest.
#[cfg(feature = "threads")]
pub(super) const FACTOR: u64 = 55;

pub(super) const CLASSICAL: Team = &[
    ("strips-first", share(1.0, 1.0)),
    ("strips-leap", share(1.0, 0.7)),
    ("commit", share(0.5, 0.3)),
    ("sat", share(0.4, 0.5)),
    ("strips-landmarks", share(1.0, 0.3)),
    ("strips-count", share(0.4, 0.3)),
];

/// With numbers there are few actions and long ways of equal steps: a state is
/// worth its estimate as soon as it is made.
pub(super) const NUMERIC: Team = &[
    ("strips-eager", share(1.5, 1.5)),
    ("strips-eager-add", share(1.0, 1.0)),
    ("strips-leap", share(1.0, 1.0)),
    ("strips-landmarks", share(1.0, 1.0)),
    ("strips-first", share(0.5, 0.5)),
];

pub(super) const PARTIAL_ORDER: Team = &[
    ("linear-lazy", share(1.0, 0.5)),
    ("htn-partial", share(1.0, 0.5)),
    ("linear-sat", share(2.0, 4.0)),
    ("htn-partial-late", share(1.5, 2.5)),
    ("htn-partial-add", share(0.5, 0.3)),
    ("linear-width", share(0.5, 0.3)),
    ("htn-in-turn", share(0.7, 0.7)),
    ("htn-both-ends", share(0.7, 0.7)),
];

pub(super) const TOTAL_ORDER: Team = &[
    ("htn-loop", share(0.3, 0.3)),
    ("htn-width", share(2.0, 1.2)),
    ("htn-promised", share(1.5, 3.0)),
    ("sat", share(1.5, 4.0)),
    ("htn-fail-first", share(0.3, 0.3)),
    ("htn-lazy", share(0.7, 0.7)),
];

/// Of planning as SAT where a problem is one loop: it finds soon what others
/// hardly ever do (`satplan::laps`).
#[cfg(all(feature = "threads", feature = "sat"))]
pub(super) const SAT_FOR_LOOPS: Share = share(4.0, 4.0);

/// Beside the others, where nothing that matters becomes false.
#[cfg(feature = "threads")]
pub(super) const DELETE_FREE: (&str, Share) = ("delete-free", share(0.5, 0.5));

/// Of who makes a known plan cheaper bit by bit, beside those who look for
/// another, each of whom has a full share.
#[cfg(feature = "threads")]
pub(super) const SHORTEN: Share = share(5.0, 5.0);

/// The same for a classical problem.
#[cfg(feature = "threads")]
pub(super) const SHORTEN_STATES: Share = share(8.0, 8.0);

/// Those who need no grounding: names, shares, and the seconds by which each
/// begins later than it could, so that what the first finds at once is not kept
/// waiting.
#[cfg(feature = "threads")]
pub(super) type Walkers = &'static [(&'static str, Share, f64)];

#[cfg(feature = "threads")]
pub(super) const CLASSICAL_WALKERS: Walkers = &[("focus", share(0.5, 0.3), 0.0)];

#[cfg(feature = "threads")]
pub(super) const PARTIAL_ORDER_WALKERS: Walkers = &[
    ("lifted", share(2.0, 0.6), 0.0),
    ("lifted-best", share(0.3, 0.3), 0.02),
    ("lifted-novel", share(1.0, 0.6), 0.03),
    ("lifted-sat", share(1.6, 1.0), 0.01),
];

#[cfg(feature = "threads")]
pub(super) const TOTAL_ORDER_WALKERS: Walkers = &[
    ("lifted", share(1.6, 1.0), 0.0),
    ("lifted-learn", share(1.4, 1.0), 0.01),
    ("lifted-best", share(0.3, 0.3), 0.02),
    ("lifted-novel", share(1.5, 1.4), 0.03),
    ("lifted-sat", share(1.6, 0.7), 0.02),
];

/// The share of grounding, for which most of the team waits.
#[cfg(feature = "threads")]
pub(super) const GROUNDING: Share = share(2.0, 2.0);

/// True if tasks and their order are total.
#[cfg(feature = "threads")]
fn ordered(model: &Model, network: &InitialNetwork) -> bool {
    let methods = model.methods.iter().map(|method| &method.network);
    network.network.ordered && methods.into_iter().all(|it| it.ordered)
}

/// Those who need no grounding to look for a first plan of a model.
#[cfg(feature = "threads")]
pub(super) fn walkers(model: &Model) -> Walkers {
    match &model.network {
        None => CLASSICAL_WALKERS,
        Some(network) if ordered(model, network) => TOTAL_ORDER_WALKERS,
        Some(_) => PARTIAL_ORDER_WALKERS,
    }
}

/// Everyone who may be asked for a first plan of a model, going by its text.
#[cfg(feature = "threads")]
pub(super) fn everyone(model: &Model) -> Vec<(&'static str, Share)> {
    let team = match &model.network {
        None if needed(model).contains(&":numeric-fluents") => NUMERIC,
        None => CLASSICAL,
        Some(network) if ordered(model, network) => TOTAL_ORDER,
        Some(_) => PARTIAL_ORDER,
    };
    let walkers = walkers(model).iter().map(|&(name, share, _)| (name, share));
    walkers.chain(team.iter().copied()).collect()
}

/// The names and shares of those who look for a first plan of a problem.
pub(super) fn team(problem: &Instance) -> Team {
    match problem.root {
        None if !problem.numbers.is_empty() => NUMERIC,
        None => CLASSICAL,
        Some(_) if problem.ordered => TOTAL_ORDER,
        Some(_) => PARTIAL_ORDER,
    }
}
