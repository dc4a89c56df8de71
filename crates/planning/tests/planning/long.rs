//! Plans of a hundred thousand steps, and trees as deep: found, translated,
//! written, read, verified and drawn on an ordinary stack.

use planoku_engine::{Budget, Engine, Run};
use planoku_planning::Instance;
use planoku_planning::ground::ground;
use planoku_planning::model::Model;
use planoku_planning::plan::{Decomposition, Plan, text, tree};
use planoku_planning::planners::planner;
use planoku_planning::read;
use planoku_planning::verify::verify;

const LONG: usize = 100_000;

/// As many things to do, one after the other, by a task that recurs.
fn everything(things: usize) -> Model {
    let domain = "(define (domain loop) (:requirements :hierarchy :negative-preconditions)
      (:predicates (done ?x))
      (:task work :parameters ())
      (:method on :parameters (?x) :task (work) :ordered-subtasks (and (do ?x) (work)))
      (:method stop :parameters () :task (work) :ordered-subtasks (and))
      (:action do :parameters (?x) :precondition (not (done ?x)) :effect (done ?x)))";
    let list = |format: fn(usize) -> String| (0..things).map(format).collect::<String>();
    let problem = format!(
        "(define (problem p) (:domain loop) (:objects{})
           (:htn :ordered-subtasks (and (work))) (:init) (:goal (and {})))",
        list(|it| format!(" p{it}")),
        list(|it| format!("(done p{it})")),
    );
    read(domain, &problem).0.expect("a model")
}

/// Written, read again, judged and drawn.
#[track_caller]
fn check(model: &Model, plan: &Plan) {
    verify(model, plan).unwrap_or_else(|broken| panic!("{broken}"));
    let written = plan.text(model);
    let again = text::read(&written, model).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.steps, plan.steps);
    assert_eq!(again.decompositions.len(), plan.decompositions.len());
    verify(model, &again).unwrap_or_else(|broken| panic!("{broken}"));
    let nodes = plan.steps.len() + plan.decompositions.len();
    assert_eq!(tree::rows(plan, model).len(), nodes);
    for drawn in [tree::text, tree::svg, tree::html, tree::dot] {
        assert!(!drawn(plan, model).is_empty());
    }
}

// Reading the assignment of a long loop recursed once for each step.
#[test]
fn a_loop_of_a_hundred_thousand_steps_is_read_back() {
    let model = everything(LONG);
    let problem = Instance::new(ground(&model, &mut Run::default()).expect("grounded"));
    let engine = planner("sat").expect("a planner");
    let outcome = engine.solve(&problem, &mut Run::limit(1)).unwrap();
    let plan = outcome.answers[0].plan(&problem).unwrap();
    assert_eq!(plan.steps.len(), LONG);
    check(&model, &plan);
}

// Each state that a leap passed through was kept: fifty megabytes here.
#[test]
fn a_leap_of_twenty_thousand_steps_keeps_only_where_it_ends() {
    const STEPS: usize = 20_000;
    let domain = "(define (domain chain) (:predicates (at ?x) (next ?x ?y))
      (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
        :effect (and (not (at ?x)) (at ?y))))";
    let list = |format: fn(usize) -> String| (0..STEPS).map(format).collect::<String>();
    let problem = format!(
        "(define (problem p) (:domain chain) (:objects{} p{STEPS})
           (:init (at p0) {}) (:goal (at p{STEPS})))",
        list(|it| format!(" p{it}")),
        list(|it| format!("(next p{it} p{})", it + 1)),
    );
    let model = read(domain, &problem).0.expect("a model");
    let problem = Instance::new(ground(&model, &mut Run::default()).expect("grounded"));
    let budget = Budget {
        memory: Some(16 << 20),
        ..Budget::default()
    };
    let engine = planner("strips-leap").expect("a planner");
    let outcome = engine
        .solve(&problem, &mut Run::default().with_budget(budget))
        .unwrap();
    let plan = outcome.answers[0].plan(&problem).unwrap();
    assert_eq!(plan.steps.len(), STEPS);
    check(&model, &plan);
}

// The verifier places tasks without actions by recursion.
#[test]
fn a_nest_of_a_hundred_thousand_empty_tasks_is_judged() {
    let domain = "(define (domain nest) (:requirements :hierarchy) (:predicates (p))
      (:task t :parameters ())
      (:method on :parameters () :task (t) :precondition (p) :ordered-subtasks (and (t)))
      (:method stop :parameters () :task (t) :ordered-subtasks (and))
      (:action a :parameters ()))";
    let problem = "(define (problem p) (:domain nest)
      (:htn :ordered-subtasks (and (t))) (:init (p)))";
    let model = read(domain, problem).0.expect("a model");
    let method = |name: &str| {
        let mut methods = model.methods.iter();
        let place = methods.position(|it| it.name == name).expect("a method");
        planoku_planning::model::MethodId(place as u32)
    };
    let decompositions = (0..LONG as u64).map(|id| {
        let last = id + 1 == LONG as u64;
        Decomposition {
            id,
            task: planoku_planning::model::TaskId(0),
            arguments: Vec::new(),
            method: method(if last { "stop" } else { "on" }),
            children: if last { Vec::new() } else { vec![id + 1] },
        }
    });
    let plan = Plan {
        roots: vec![0],
        decompositions: decompositions.collect(),
        ..Plan::default()
    };
    check(&model, &plan);
}
