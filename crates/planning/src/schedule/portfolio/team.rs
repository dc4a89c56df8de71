//! Who is on the team, and what share of the time is each one's.
//!
//! Time is counted in work: how much of it such a planner does in a second on
//! an ordinary machine is guessed from its kind. A wrong guess costs fairness,
//! never repeatability.

use planoku_engine::{Engine, EngineError, Outcome, Run};

use crate::algorithms::{
    Classical, Commit, DeleteFree, Focus, Lifted, LiftedBest, Linear, Loops, Partial, Progression,
    without_needless,
};
use crate::ground::{Derivation, Ground, GroundError, ground};
use crate::heuristics::Estimate;
use crate::model::Model;
use crate::plan::Plan;
use crate::satplan::SatPlan;

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
const WALK_SPEED: f64 = 10_000_000.0;

/// Steps of grounding in a second.
pub(super) const GROUND_SPEED: f64 = 15_000_000.0;

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
    fn planners<'a>(&self, problem: &'a Ground, seed: u64) -> Vec<Member<'a>>;

    /// Those who need no grounding and come after it.
    fn last<'a>(&self, model: &'a Model, seed: u64) -> Vec<Member<'a>>;
}

/// The team itself.
pub(super) struct Everyone;

impl Cast for Everyone {
    fn first<'a>(&self, model: &'a Model, seed: u64) -> Vec<Member<'a>> {
        let engine = Lifted {
            seed,
            ..Lifted::default()
        };
        let focus = Focus {
            seed,
            ..Focus::default()
        };
        match model.network {
            Some(_) => vec![walker(model, "lifted", engine)],
            None => vec![Member {
                speed: GROUND_SPEED,
                ..walker(model, "focus", focus)
            }],
        }
    }

    fn ground(&self, model: &Model, run: &mut Run<'_>) -> Result<Ground, GroundError> {
        ground(model, run)
    }

    fn planners<'a>(&self, problem: &'a Ground, seed: u64) -> Vec<Member<'a>> {
        planners(problem, seed)
    }

    fn last<'a>(&self, model: &'a Model, _: u64) -> Vec<Member<'a>> {
        vec![
            walker(model, "lifted-best", LiftedBest::default()),
            walker(model, "lifted-novel", LiftedBest::novel()),
        ]
    }
}

/// A search without grounding.
fn walker<'a>(
    model: &'a Model,
    name: &'static str,
    engine: impl Engine<Model, Answer = Plan> + 'a,
) -> Member<'a> {
    Member {
        name,
        speed: WALK_SPEED,
        share: 1.0,
        after: 0.0,
        work: Box::new(move |run| engine.solve(model, run)),
    }
}

/// The planners for a grounded problem, most promising first: each begins when
/// the one before has had time to prepare and as much again.
fn planners(problem: &Ground, seed: u64) -> Vec<Member<'_>> {
    let mut members = match problem.root {
        None => classical(problem, seed),
        Some(_) if problem.ordered => total_order(problem, seed),
        Some(_) => partial_order(problem, seed),
    };
    if DeleteFree::fits(problem) {
        let engine = DeleteFree::default();
        let delete_free = member(problem, "delete-free", (SEARCH_SPEED, 1.0), engine);
        members.insert(0, delete_free);
    }
    let prepared = PREPARATION * problem.size() as f64 / SEARCH_SPEED;
    for (place, member) in members.iter_mut().enumerate() {
        member.after = place as f64 * prepared;
    }
    members
}

fn member<'a>(
    problem: &'a Ground,
    name: &'static str,
    (speed, share): (f64, f64),
    engine: impl Engine<Ground, Answer = Derivation> + 'a,
) -> Member<'a> {
    Member {
        name,
        speed,
        share,
        after: 0.0,
        work: Box::new(move |run| {
            let outcome = engine.solve(problem, run)?;
            outcome.try_map(|found| without_needless(problem, &found).plan(problem))
        }),
    }
}

/// Steps in a second of a search that reads ahead and explores the relaxation.
const SEARCH_SPEED: f64 = 45_000_000.0;

/// How often a search looks at the whole problem until it has begun.
const PREPARATION: f64 = 8.0;

/// Effort of planning as SAT in a second.
const SAT_SPEED: f64 = 5_000_000.0;

fn classical(problem: &Ground, seed: u64) -> Vec<Member<'_>> {
    let engine = |engine: Classical| {
        let engine = Classical { seed, ..engine };
        member(problem, engine.name, (SEARCH_SPEED, 1.0), engine)
    };
    let commit = Commit::default();
    vec![
        engine(Classical::first()),
        member(problem, "commit", (SEARCH_SPEED, 1.0), commit),
        engine(Classical::leaping()),
        engine(Classical::landmarks()),
        member(problem, "sat", (SAT_SPEED, 1.0), SatPlan::Layered),
    ]
}

fn partial_order(problem: &Ground, seed: u64) -> Vec<Member<'_>> {
    let speed = SEARCH_SPEED;
    let ff = Linear {
        name: "linear-ff",
        engine: Progression {
            seed,
            ..Progression::greedy(Estimate::Ff)
        },
    };
    let sat = Linear {
        name: "linear-sat",
        engine: SatPlan::Layered,
    };
    let add = Partial {
        name: "htn-partial-add",
        estimate: Estimate::Add,
    };
    let lazy = Linear {
        name: "linear-lazy",
        engine: Progression {
            seed,
            ..Progression::lazy()
        },
    };
    vec![
        member(problem, "linear-lazy", (speed, 1.0), lazy),
        member(problem, "linear-ff", (speed, 0.5), ff),
        member(problem, "htn-partial", (speed, 1.0), Partial::default()),
        member(problem, "linear-sat", (SAT_SPEED, 0.5), sat),
        member(problem, "htn-partial-add", (speed, 1.0), add),
    ]
}

fn total_order(problem: &Ground, seed: u64) -> Vec<Member<'_>> {
    let speed = SEARCH_SPEED;
    let greedy = |estimate| Progression {
        seed,
        ..Progression::greedy(estimate)
    };
    let lazy = Progression {
        seed,
        ..Progression::lazy()
    };
    let fail_first = Progression {
        seed,
        ..Progression::fail_first()
    };
    let (ff, add) = (greedy(Estimate::Ff), greedy(Estimate::Add));
    vec![
        member(problem, "htn-loop", (speed, 0.5), Loops),
        member(problem, "htn-fail-first", (speed, 0.5), fail_first),
        member(problem, "htn-lazy", (speed, 2.0), lazy),
        member(problem, "sat", (SAT_SPEED, 1.0), SatPlan::Layered),
        member(problem, "htn-ff", (speed, 1.0), ff),
        member(problem, "htn-add", (speed, 1.0), add),
    ]
}
