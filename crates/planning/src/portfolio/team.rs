//! Who is on the team, and how much each is granted in a turn.
//!
//! A turn should take about [`TURN`] seconds on the machine at hand, but it is
//! granted in nodes: what a node costs is guessed from the kind of planner and
//! the size of the problem. A wrong guess costs fairness, never repeatability.

use planoku_engine::{Engine, EngineError, Outcome, Run};

use crate::ground::{Derivation, Ground};
use crate::model::Model;
use crate::plan::Plan;
use crate::satplan::SatPlan;
use crate::search::{
    Classical, Commit, DeleteFree, Estimate, Lifted, LiftedBest, Linear, Loops, Partial,
    Progression, without_needless,
};

/// One planner's search, ready to be run.
type Work<'a> = dyn Fn(&mut Run<'_>) -> Result<Outcome<Plan>, EngineError> + Send + 'a;

/// One planner of the team.
pub(super) struct Member<'a> {
    pub(super) name: &'static str,
    /// Nodes and effort granted in a turn.
    pub(super) portion: u64,
    pub(super) work: Box<Work<'a>>,
}

/// About how long a turn is, in seconds.
const TURN: f64 = 0.1;
/// Nodes a lifted walk makes in a second, roughly.
const WALK_SPEED: f64 = 250_000.0;
/// Effort of grounding in one turn: it looks up every few thousand steps.
pub(super) const GROUND_PORTION: u64 = 2_000;

fn portion(speed: f64, share: f64) -> u64 {
    (TURN * share * speed) as u64 + 1
}

/// The lifted walk, first of all.
pub(super) fn walker(model: &Model, seed: u64) -> Member<'_> {
    Member {
        name: "lifted",
        portion: portion(WALK_SPEED, 1.0),
        work: Box::new(move |run| {
            let engine = Lifted {
                seed,
                ..Lifted::default()
            };
            engine.solve(model, run)
        }),
    }
}

/// The lifted best-first search, last of all.
pub(super) fn best_walker(model: &Model) -> Member<'_> {
    Member {
        name: "lifted-best",
        portion: portion(WALK_SPEED / 3.0, 1.0),
        work: Box::new(|run| LiftedBest::default().solve(model, run)),
    }
}

/// The lifted search that prefers what it has not seen.
pub(super) fn novel_walker(model: &Model) -> Member<'_> {
    Member {
        name: "lifted-novel",
        portion: portion(WALK_SPEED / 3.0, 1.0),
        work: Box::new(|run| LiftedBest::novel().solve(model, run)),
    }
}

/// The planners for a grounded problem, most promising first.
pub(super) fn planners(problem: &Ground, seed: u64) -> Vec<Member<'_>> {
    let mut team = match problem.root {
        None => classical(problem, seed),
        Some(_) if problem.ordered => total_order(problem, seed),
        Some(_) => partial_order(problem, seed),
    };
    if DeleteFree::fits(problem) {
        let portion = portion(SEARCH_SPEED, 1.0);
        let engine = DeleteFree::default();
        team.insert(0, member(problem, "delete-free", portion, engine));
    }
    team
}

fn member<'a>(
    problem: &'a Ground,
    name: &'static str,
    portion: u64,
    engine: impl Engine<Ground, Answer = Derivation> + 'a,
) -> Member<'a> {
    Member {
        name,
        portion,
        work: Box::new(move |run| {
            let outcome = engine.solve(problem, run)?;
            outcome.try_map(|found| Plan::of(problem, &without_needless(problem, &found)))
        }),
    }
}

/// Steps in a second of a search that reads ahead and explores the relaxation.
const SEARCH_SPEED: f64 = 60_000_000.0;

/// Effort of planning as SAT in a second.
const SAT_SPEED: f64 = 3_000_000.0;

fn classical(problem: &Ground, seed: u64) -> Vec<Member<'_>> {
    let engine = |engine: Classical| {
        let engine = Classical { seed, ..engine };
        member(problem, engine.name, portion(SEARCH_SPEED, 1.0), engine)
    };
    let commit = Commit::default();
    vec![
        engine(Classical::first()),
        member(problem, "commit", portion(200_000.0, 1.0), commit),
        engine(Classical::leaping()),
        engine(Classical::landmarks()),
        member(problem, "sat", portion(SAT_SPEED, 1.0), SatPlan::Layered),
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
        member(problem, "linear-lazy", portion(speed, 1.0), lazy),
        member(problem, "linear-ff", portion(speed, 0.5), ff),
        member(
            problem,
            "htn-partial",
            portion(speed, 1.0),
            Partial::default(),
        ),
        member(problem, "linear-sat", portion(SAT_SPEED, 0.5), sat),
        member(problem, "htn-partial-add", portion(speed, 1.0), add),
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
        member(problem, "htn-loop", portion(speed, 0.5), Loops),
        member(problem, "htn-fail-first", portion(speed, 0.5), fail_first),
        member(problem, "htn-lazy", portion(speed, 2.0), lazy),
        member(problem, "sat", portion(SAT_SPEED, 1.0), SatPlan::Layered),
        member(problem, "htn-ff", portion(speed, 1.0), ff),
        member(problem, "htn-add", portion(speed, 1.0), add),
    ]
}
