//! Plans get cheaper, and the last is as cheap as A* says.

use std::path::Path;

use planoku_engine::{End, Engine, Run};
use planoku_planning::Instance;
use planoku_planning::anytime::Anytime;
use planoku_planning::cost::Cost;
use planoku_planning::ground::ground;
use planoku_planning::model::Model;
use planoku_planning::planners::optimal;
use planoku_planning::verify::verify;

/// Improves to the end, checks every plan on the way, and the last against
/// the engine that proves its plans cheapest.
fn check(model: &Model, name: &str) -> usize {
    let mut told: Vec<planoku_planning::plan::Plan> = Vec::new();
    let mut run = Run::all().with_nodes(2_000_000);
    let outcome = Anytime::default()
        .improve(model, &mut run, &mut |plan, _| {
            verify(model, plan).unwrap_or_else(|broken| panic!("{name}: {broken}"));
            told.push(plan.clone());
            Ok(())
        })
        .unwrap();
    assert_eq!(outcome.end, End::Exhausted, "{name}");
    assert_eq!(outcome.answers, told, "{name}");
    let costs: Vec<Option<Cost>> = told.iter().map(|plan| plan.cost).collect();
    assert!(
        costs.windows(2).all(|it| it[0] > it[1]),
        "{name}: {costs:?}"
    );
    let problem = Instance::new(ground(model, &mut Run::default()).unwrap());
    let best = optimal(&problem).solve(&problem, &mut Run::default());
    let best = best.unwrap().answers[0].plan(&problem).unwrap();
    assert_eq!(costs.last(), Some(&best.cost), "{name}");
    costs.len()
}

#[test]
fn classical_plans_improve_until_nothing_is_cheaper() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/classical");
    let mut plans = 0;
    for name in ["blocks", "elevator", "ferry", "gripper", "power", "tiles"] {
        let folder = root.join(name);
        let problem = folder.join("small.pddl");
        let model = planoku_planning::read_files(&folder.join("domain.pddl"), &problem).unwrap();
        plans += check(&model, name);
    }
    assert!(plans > 6, "some first plan can be improved");
}

/// Two ways to make a sound, one of them dear.
const BAND: &str = "(define (domain band)
  (:requirements :hierarchy :typing :method-preconditions :action-costs)
  (:types player)
  (:predicates (awake ?p - player) (warm))
  (:functions (total-cost) - number)
  (:task play :parameters (?p - player))
  (:method loudly :parameters (?p - player) :task (play ?p)
    :ordered-subtasks (and (wake ?p) (hire) (blow ?p)))
  (:method softly :parameters (?p - player) :task (play ?p)
    :ordered-subtasks (and (wake ?p) (rub) (rub) (blow ?p)))
  (:method again :parameters (?p - player) :task (play ?p)
    :precondition (and (awake ?p) (warm))
    :ordered-subtasks (and (blow ?p)))
  (:action wake :parameters (?p - player) :effect (and (awake ?p) (increase (total-cost) 2)))
  (:action hire :effect (and (warm) (increase (total-cost) 9)))
  (:action rub :effect (and (warm) (increase (total-cost) 1)))
  (:action blow :parameters (?p - player) :precondition (and (awake ?p) (warm))
    :effect (and (increase (total-cost) 1))))";

const CONCERT: &str = "(define (problem concert) (:domain band)
  (:objects anna ben - player)
  (:htn :ordered-tasks (and (play anna) (play ben) (play anna)))
  (:init (= (total-cost) 0))
  (:metric minimize (total-cost)))";

#[test]
fn hierarchical_plans_improve_by_cost_not_by_length() {
    let model = planoku_planning::read(BAND, CONCERT).0.unwrap();
    check(&model, "band");
    let outcome = Anytime::default().solve(&model, &mut Run::all()).unwrap();
    // Softly, softly, again: 5 + 5 + 1, though loudly has fewer steps.
    let last = outcome.answers.last().and_then(|plan| plan.cost);
    assert_eq!(last, Some(Cost::from(11)));
}

#[test]
fn what_has_no_plan_is_proved_to_have_none() {
    let nobody = CONCERT.replace("(play anna) (play ben) (play anna)", "(blow anna)");
    let model = planoku_planning::read(BAND, &nobody).0.unwrap();
    let outcome = Anytime::default().solve(&model, &mut Run::all()).unwrap();
    assert!(outcome.answers.is_empty());
    assert_eq!(outcome.end, End::Exhausted);
}
