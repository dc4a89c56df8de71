//! Who is on the team, and what share of the time is each one's.
//!
//! Time is counted in work: how much of it such a planner does in a second on
//! an ordinary machine is guessed from its kind. A wrong guess costs fairness,
//! never repeatability.

use planoku_engine::{EngineError, Outcome, Run};

use crate::algorithms::{DeleteFree, without_needless};
use crate::ground::{Ground, GroundError, ground};
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::planners::{Settings, lifted, planner_with};

/// One planner's search, ready to be run.
type Work<'a> = dyn Fn(&mut Run<'_>) -> Result<Outcome<Plan>, EngineError> + Send + 'a;

/// One planner of the team.
pub(super) struct Member<'a> {
    pub(super) name: &'static str,
    /// Nodes and effort of a second.
    pub(super) speed: f64,
    /// How much of the time is its own, beside the others' shares.
    pub(super) share: f64,
    /// Seconds, as counted, by which it begins later than it could.
    pub(super) after: f64,
    pub(super) work: Box<Work<'a>>,
}

/// What candidates a lifted search looks at in a second.
const WALK_SPEED: f64 = 28_000_000.0;

/// Steps of grounding in a second.
pub(super) const GROUND_SPEED: f64 = 30_000_000.0;

/// The sum of all shares of a team is at most this many times the smallest;
/// twice, because the first walk shares its time with grounding alone.
pub(super) const FACTOR: u64 = 20;

/// Whoever may be cast: the team itself, or one that tests make up.
pub(super) trait Cast: Sync {
    /// Those who need no grounding and begin at once.
    fn first<'a>(&self, model: &'a Model, seed: u64) -> Vec<Member<'a>>;

    /// Grounds the model for those who need that.
    fn ground(&self, model: &Model, run: &mut Run<'_>) -> Result<Ground, GroundError>;

    /// Those who come when it is grounded, most promising first.
    fn planners<'a>(&self, problem: &'a Instance, seed: u64) -> Vec<Member<'a>>;

    /// Those who need no grounding and come after it.
    fn last<'a>(&self, model: &'a Model, seed: u64) -> Vec<Member<'a>>;
}

/// The team itself.
pub(super) struct Everyone;

impl Cast for Everyone {
    fn first<'a>(&self, model: &'a Model, seed: u64) -> Vec<Member<'a>> {
        match model.network {
            Some(_) => walkers(model, seed, WALK_SPEED, &[("lifted", 1.0)]),
            None => walkers(model, seed, GROUND_SPEED, &[("focus", 1.0)]),
        }
    }

    fn ground(&self, model: &Model, run: &mut Run<'_>) -> Result<Ground, GroundError> {
        ground(model, run)
    }

    fn planners<'a>(&self, problem: &'a Instance, seed: u64) -> Vec<Member<'a>> {
        planners(problem, seed)
    }

    fn last<'a>(&self, model: &'a Model, seed: u64) -> Vec<Member<'a>> {
        walkers(model, seed, WALK_SPEED, WITHOUT_GROUNDING)
    }
}

/// Searches without grounding, by their names and shares.
fn walkers<'a>(model: &'a Model, seed: u64, speed: f64, team: Team) -> Vec<Member<'a>> {
    let member = |&(name, share): &(&'static str, f64)| {
        let engine = lifted(name, seed)?;
        Some(Member {
            name,
            speed,
            share,
            after: 0.0,
            work: Box::new(move |run| engine.solve(model, run)),
        })
    };
    team.iter().filter_map(member).collect()
}

/// Steps in a second of a search that reads ahead and explores the relaxation,
/// as long as the problem fits into the processor's caches.
const SEARCH_SPEED: f64 = 100_000_000.0;

/// The same for problems beyond this [size](Ground::size).
const LARGE: u64 = 1_200_000;
const SEARCH_SPEED_LARGE: f64 = 50_000_000.0;

/// How often a search looks at the whole problem until it has begun.
const PREPARATION: f64 = 8.0;

/// Effort of planning as SAT in a second.
const SAT_SPEED: f64 = 14_000_000.0;

/// A team: names and shares, most promising first.
pub(super) type Team = &'static [(&'static str, f64)];

pub(super) const CLASSICAL: Team = &[
    ("strips-first", 1.0),
    ("commit", 1.0),
    ("strips-leap", 1.0),
    ("strips-landmarks", 1.0),
    ("sat", 1.0),
];

pub(super) const PARTIAL_ORDER: Team = &[
    ("linear-lazy", 1.0),
    ("linear-ff", 0.5),
    ("htn-partial", 1.0),
    ("linear-sat", 1.5),
    ("htn-partial-add", 0.5),
];

pub(super) const TOTAL_ORDER: Team = &[
    ("htn-loop", 0.5),
    ("htn-fail-first", 0.5),
    ("htn-lazy", 1.5),
    ("sat", 1.5),
    ("htn-ff", 0.5),
    ("htn-add", 0.5),
];

/// Those who come last have the longest breath: what novelty finds in ten
/// seconds (Freecell) nobody else finds at all.
pub(super) const WITHOUT_GROUNDING: Team = &[("lifted-best", 1.0), ("lifted-novel", 2.5)];

/// The planners for a grounded problem, most promising first: each begins when
/// the one before has had time to prepare and as much again.
fn planners(problem: &Instance, seed: u64) -> Vec<Member<'_>> {
    let team = match problem.root {
        None => CLASSICAL,
        Some(_) if problem.ordered => TOTAL_ORDER,
        Some(_) => PARTIAL_ORDER,
    };
    let delete_free = DeleteFree::fits(problem).then_some(&("delete-free", 0.5));
    let speed = match problem.size() > LARGE {
        true => SEARCH_SPEED_LARGE,
        false => SEARCH_SPEED,
    };
    let prepared = PREPARATION * problem.size() as f64 / speed;
    let settings = Settings {
        seed,
        ..Settings::default()
    };
    let member = |(place, &(name, share)): (usize, &(&'static str, f64))| {
        let engine = planner_with(name, settings)?;
        Some(Member {
            name,
            speed: match name {
                "sat" | "linear-sat" => SAT_SPEED,
                _ => speed,
            },
            share,
            after: place as f64 * prepared,
            work: Box::new(move |run| {
                let outcome = engine.solve(problem, run)?;
                outcome.try_map(|found| without_needless(problem, &found).plan(problem))
            }),
        })
    };
    let team = delete_free.into_iter().chain(team);
    team.enumerate().filter_map(member).collect()
}
