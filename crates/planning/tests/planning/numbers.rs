//! Problems with numbers: who takes them finds verified plans, or proves that
//! there are none, and who does not says so.

use planoku_engine::{End, Engine, EngineError, Run};
use planoku_planning::Instance;
use planoku_planning::anytime::Anytime;
use planoku_planning::ground::{GroundError, Objective, ground};
use planoku_planning::model::Model;
use planoku_planning::planners::{list, optimal, planners};
use planoku_planning::portfolio::Portfolio;
use planoku_planning::verify::verify;
use planoku_planning::{read, read_files};

fn model(domain: &str, problem: &str) -> Model {
    let domain = format!("(define (domain d) (:requirements :typing :fluents :adl) {domain})");
    let problem = format!("(define (problem p) (:domain d) {problem})");
    let (model, diagnostics) = read(&domain, &problem);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// Every planner that takes the problem finds a plan of at least `shortest`
/// steps, those that claim it one of just so many; or, if there is none, those
/// that come to an end prove it.
#[track_caller]
fn check(model: &Model, shortest: Option<usize>) {
    let problem = match ground(model, &mut Run::default()) {
        Ok(problem) => Instance::new(problem),
        Err(GroundError::Refuted(why)) => {
            assert_eq!(shortest, None, "{why}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let lines = list();
    for engine in planners() {
        let name = engine.profile().name;
        let outcome = match engine.solve(&problem, &mut Run::default().with_nodes(20_000)) {
            Ok(outcome) => outcome,
            Err(EngineError::Unsupported(_)) => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        for found in &outcome.answers {
            let plan = found.plan(&problem).unwrap();
            verify(model, &plan).unwrap_or_else(|broken| panic!("{name}: {broken}"));
            let steps = plan.steps.len();
            assert!(shortest.is_some_and(|least| least <= steps), "{name}");
            if lines.iter().any(|it| it.name == name && it.optimal) {
                assert_eq!(Some(steps), shortest, "{name}");
            }
        }
        let proved = outcome.answers.is_empty() && outcome.end == End::Exhausted;
        assert!(!proved || shortest.is_none(), "{name} proved too much");
    }
    let team = Portfolio::default();
    let outcome = team
        .solve(model, &mut Run::default().with_nodes(200_000))
        .unwrap();
    assert_eq!(outcome.answers.is_empty(), shortest.is_none(), "the team");
    if shortest.is_none() {
        assert_eq!(outcome.end, End::Exhausted);
    }
}

const COUNTERS: &str = "(:types counter) (:functions (value ?c - counter) (most))
  (:action up :parameters (?c - counter) :precondition (< (value ?c) (most))
    :effect (increase (value ?c) 1))
  (:action down :parameters (?c - counter) :precondition (>= (value ?c) 1)
    :effect (decrease (value ?c) 1))";

#[test]
fn counters_are_put_in_order() {
    let problem = |most: u32| {
        format!(
            "(:objects a b c - counter)
             (:init (= (value a) 2) (= (value b) 1) (= (value c) 0) (= (most) {most}))
             (:goal (and (< (value a) (value b)) (< (value b) (value c))))"
        )
    };
    check(&model(COUNTERS, &problem(5)), Some(4));
    // Three different values need more than 0 and 1; all nine states are seen.
    check(&model(COUNTERS, &problem(1)), None);
}

#[test]
fn every_way_to_change_a_number_does_what_it_says() {
    let domain = "(:functions (x) (y)) (:predicates (odd) (done))
      (:action assign :parameters () :effect (assign (x) (+ (* 2 (y)) 1)))
      (:action double :parameters () :precondition (> (x) 0) :effect (scale-up (x) 2))
      (:action halve :parameters () :precondition (> (x) 0) :effect (scale-down (x) 4))
      (:action swap :parameters () :effect (and (assign (x) (y)) (assign (y) (x))))";
    let init = "(:init (= (x) 0) (= (y) 3))";
    // 7, doubled, by 4: exactly 7/2.
    let goal = "(:goal (= (x) 3.5))";
    check(&model(domain, &format!("{init} {goal}")), Some(3));
    check(
        &model(domain, &format!("{init} (:goal (and (= (x) 3) (= (y) 0)))")),
        Some(1),
    );
}

#[test]
fn increases_add_up_and_other_changes_of_one_number_contradict() {
    let domain =
        "(:types item) (:predicates (chosen ?i - item)) (:functions (sum) (weight ?i - item))
      (:action choose :parameters (?i - item) :effect (chosen ?i))
      (:action count :parameters ()
        :effect (forall (?i - item) (when (chosen ?i) (increase (sum) (weight ?i)))))
      (:action reset :parameters ()
        :effect (forall (?i - item) (when (chosen ?i) (assign (sum) (weight ?i)))))";
    let problem = |goal: &str| {
        format!(
            "(:objects a b - item) (:init (= (sum) 0) (= (weight a) 3) (= (weight b) 4)) (:goal {goal})"
        )
    };
    check(&model(domain, &problem("(= (sum) 7)")), Some(3));
    check(&model(domain, &problem("(= (sum) 4)")), Some(2));
    // Once both are chosen the sum cannot be reset.
    let both = "(and (= (sum) 4) (chosen a) (chosen b))";
    check(&model(domain, &problem(both)), Some(3));
}

#[test]
fn what_has_no_value_compares_with_nothing() {
    let domain = "(:predicates (g)) (:functions (x) (y))
      (:action set :parameters () :effect (assign (x) 0))
      (:action more :parameters () :effect (increase (x) 1))
      (:action less :parameters () :precondition (< (x) 1) :effect (g))
      (:action not-less :parameters () :precondition (not (< (x) 1)) :effect (g))
      (:action divide :parameters () :precondition (> (/ 1 (y)) 0) :effect (g))";
    check(&model(domain, "(:init (= (y) 0)) (:goal (g))"), Some(2));
    check(&model(domain, "(:init (= (y) 2)) (:goal (g))"), Some(1));
    let unset = domain.replace("(assign (x) 0)", "(g)");
    let unset = unset.replace(
        ":effect (g))\n      (:action more",
        ":effect (not (g)))\n      (:action more",
    );
    check(&model(&unset, "(:init (= (y) 0)) (:goal (g))"), None);
}

#[test]
fn numbers_that_grow_without_end_do_not_keep_the_impossible_from_being_proved() {
    let domain = "(:predicates (g)) (:functions (x) (y))
      (:action more :parameters () :effect (increase (x) 1))
      (:action win :parameters () :precondition (and (> (x) 3) (< (y) 0)) :effect (g))";
    check(
        &model(domain, "(:init (= (x) 0) (= (y) 0)) (:goal (g))"),
        None,
    );
    check(
        &model(domain, "(:init (= (x) 0) (= (y) -1)) (:goal (g))"),
        Some(5),
    );
}

#[test]
fn what_is_too_large_is_not_called_impossible() {
    let domain = "(:predicates (g)) (:functions (x))
      (:action square :parameters () :precondition (not (g)) :effect (assign (x) (* (x) (x))))
      (:action win :parameters () :precondition (= (x) 5) :effect (g))";
    let model = model(domain, "(:init (= (x) 3)) (:goal (g))");
    let problem = Instance::new(ground(&model, &mut Run::default()).unwrap());
    for engine in planners() {
        if let Ok(outcome) = engine.solve(&problem, &mut Run::default().with_nodes(1000)) {
            assert!(outcome.answers.is_empty());
            assert_ne!(outcome.end, End::Exhausted, "{}", engine.profile().name);
        }
    }
}

#[test]
fn what_is_too_large_might_have_been_cheaper() {
    let domain = "(:predicates (g)) (:functions (x) (total-cost))
      (:action square :parameters ()
        :effect (and (assign (x) (* (x) (x))) (increase (total-cost) 1)))
      (:action win :parameters () :precondition (= (x) 5) :effect (g))
      (:action pay :parameters () :effect (and (g) (increase (total-cost) 10)))";
    let problem = "(:init (= (x) 3) (= (total-cost) 0)) (:goal (g))
      (:metric minimize (total-cost))";
    let problem = Instance::new(ground(&model(domain, problem), &mut Run::default()).unwrap());
    let outcome = optimal(&problem).solve(&problem, &mut Run::limit(1).with_nodes(1000));
    let outcome = outcome.unwrap();
    assert!(outcome.answers.is_empty(), "not proved to be cheapest");
    assert_eq!(outcome.end, End::Incomplete);
}

const DELIVERY: &str = "(:types place) (:predicates (at ?p - place) (road ?a ?b - place))
  (:functions (fuel) (distance ?a ?b - place) (driven))
  (:task deliver :parameters (?p - place))
  (:method arrived :parameters (?p - place) :task (deliver ?p) :precondition (at ?p)
    :ordered-subtasks ())
  (:method go :parameters (?a ?b ?p - place) :task (deliver ?p)
    :precondition (and (at ?a) (road ?a ?b) (>= (fuel) (distance ?a ?b)))
    :ordered-subtasks (and (drive ?a ?b) (deliver ?p)))
  (:method fill :parameters (?p - place) :task (deliver ?p) :precondition (< (fuel) 4)
    :ordered-subtasks (and (refuel) (deliver ?p)))
  (:action drive :parameters (?a ?b - place)
    :precondition (and (at ?a) (road ?a ?b) (>= (fuel) (distance ?a ?b)))
    :effect (and (not (at ?a)) (at ?b) (decrease (fuel) (distance ?a ?b))
      (increase (driven) (distance ?a ?b))))
  (:action refuel :parameters () :precondition (< (fuel) 4) :effect (increase (fuel) 3))";

#[test]
fn tasks_are_refined_by_numbers() {
    let problem = |tasks: &str, rest: &str| {
        format!(
            "(:objects a b c - place) (:htn {tasks})
             (:init (at a) (road a b) (road b c) (road c a) (= (fuel) 3) (= (driven) 0)
               (= (distance a b) 2) (= (distance b c) 3) (= (distance c a) 1)) {rest}"
        )
    };
    let ordered = ":ordered-subtasks (and (deliver c))";
    check(&model(DELIVERY, &problem(ordered, "")), Some(3));
    let partial = ":subtasks (and (deliver c) (refuel)) :ordering ()";
    check(&model(DELIVERY, &problem(partial, "")), Some(3));
    let far = "(:goal (<= (driven) 4))";
    check(&model(DELIVERY, &problem(ordered, far)), None);
}

#[test]
fn a_metric_of_fixed_amounts_is_what_plans_cost() {
    let domain = "(:predicates (g)) (:functions (money) (time) (x))
      (:action fast :parameters () :effect (and (g) (increase (money) 5) (increase (time) 0.5)))
      (:action step :parameters () :effect (and (increase (x) 1) (increase (time) 1)))
      (:action slow :parameters () :precondition (>= (x) 2)
        :effect (and (g) (increase (money) 1) (increase (time) 1)))";
    let problem = |metric: &str| {
        format!("(:init (= (money) 0) (= (time) 0) (= (x) 0)) (:goal (g)) (:metric {metric})")
    };
    let steps = |metric: &str| {
        let model = model(domain, &problem(metric));
        let problem = Instance::new(ground(&model, &mut Run::default()).unwrap());
        assert_eq!(problem.objective, Objective::Metric);
        let outcome = optimal(&problem)
            .solve(&problem, &mut Run::default())
            .unwrap();
        let plan = outcome.answers[0].plan(&problem).unwrap();
        verify(&model, &plan).unwrap();
        plan.steps.len()
    };
    assert_eq!(steps("minimize (+ (* 2 (time)) (money))"), 1);
    assert_eq!(steps("minimize (+ (/ (time) 3) (money))"), 3);
    assert_eq!(steps("maximize (- 0 (money))"), 3);
    // More steps make it better: no search can know when to stop.
    let model = model(domain, &problem("maximize (time)"));
    let problem = Instance::new(ground(&model, &mut Run::default()).unwrap());
    assert_eq!(problem.objective, Objective::Beyond);
    let refused = optimal(&problem).solve(&problem, &mut Run::default());
    assert!(
        matches!(refused, Err(EngineError::Unsupported(_))),
        "{refused:?}"
    );
    let outcome = Anytime::default()
        .solve(&model, &mut Run::all().with_nodes(20_000))
        .unwrap();
    assert!(!outcome.answers.is_empty());
    assert_ne!(outcome.end, End::Exhausted, "the last plan is not the best");
}

#[test]
fn plans_get_better_by_a_metric_to_which_actions_add() {
    // Straight ahead is one step and far, the way round is two steps and near.
    let model = model(
        "(:predicates (at ?p) (road ?a ?b)) (:functions (driven) (fuel) (far ?a ?b))
         (:action drive :parameters (?a ?b)
           :precondition (and (at ?a) (road ?a ?b) (>= (fuel) 1))
           :effect (and (not (at ?a)) (at ?b) (decrease (fuel) 1)
             (increase (driven) (far ?a ?b))))",
        "(:objects a b c) (:goal (at c)) (:metric minimize (driven))
         (:init (at a) (road a c) (road a b) (road b c) (= (driven) 0) (= (fuel) 2)
           (= (far a c) 9) (= (far a b) 2) (= (far b c) 2.5))",
    );
    let metrics = |plans: &[planoku_planning::plan::Plan]| -> Vec<String> {
        let values = plans
            .iter()
            .map(|plan| verify(&model, plan).unwrap().metric);
        values.map(|it| it.unwrap().to_string()).collect()
    };
    let outcome = Anytime::default().solve(&model, &mut Run::all()).unwrap();
    assert_eq!(outcome.end, End::Exhausted);
    assert_eq!(metrics(&outcome.answers), ["9", "4.5"]);
    let portfolio = Portfolio {
        improves: true,
        ..Portfolio::default()
    };
    let outcome = portfolio.solve(&model, &mut Run::default()).unwrap();
    assert_eq!(metrics(&outcome.answers), ["4.5"]);
}

#[test]
fn the_small_models_are_solved() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/numeric");
    let mut solved = 0;
    for folder in std::fs::read_dir(root).unwrap() {
        let folder = folder.unwrap().path();
        let text =
            |name: &str| ["pddl", "hddl"].map(|ending| folder.join(name).with_extension(ending));
        let file = |name: &str| text(name).into_iter().find(|path| path.exists());
        let Some(domain) = file("domain") else {
            continue;
        };
        let model = read_files(&domain, &file("small").unwrap()).unwrap();
        let mut run = Run::default().with_nodes(300_000);
        let outcome = Portfolio::default().solve(&model, &mut run).unwrap();
        let plan = outcome.answers.last().expect("a plan");
        verify(&model, plan).unwrap();
        solved += 1;
    }
    assert_eq!(solved, 11);
}
