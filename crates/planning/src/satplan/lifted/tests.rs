//! What trees with variables for arguments must get right, each in a problem
//! as small as it can be. Random problems are asked in `crates/torture`.

use planoku_engine::{End, Engine, EngineError, Outcome, Run};

use super::LiftedSat;
use crate::model::Model;
use crate::plan::Plan;
use crate::verify::verify;

const DOMAIN: &str = "(define (domain d)
  (:requirements :typing :hierarchy :negative-preconditions :equality
    :universal-preconditions :existential-preconditions :disjunctive-preconditions)
  (:types place thing ghost) (:constants home - place)
  (:predicates (road ?a ?b - place) (at ?a - place) (in ?t - thing ?a - place) (held ?t - thing)
    (free) (shut ?a - place))
  PARTS)";

/// Walking, taking and leaving things.
const ACTIONS: &str = "
  (:action walk :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
    :effect (and (not (at ?a)) (at ?b)))
  (:action take :parameters (?t - thing ?a - place)
    :precondition (and (at ?a) (in ?t ?a) (free))
    :effect (and (not (in ?t ?a)) (held ?t) (not (free))))
  (:action leave :parameters (?t - thing ?a - place) :precondition (and (at ?a) (held ?t))
    :effect (and (in ?t ?a) (not (held ?t)) (free)))";

/// Going somewhere by any number of roads, and bringing things.
const TASKS: &str = "
  (:task go :parameters (?b - place)) (:task bring :parameters (?t - thing ?b - place))
  (:method here :parameters (?b - place) :task (go ?b) :precondition (at ?b)
    :ordered-subtasks (and))
  (:method on :parameters (?a ?b ?c - place) :task (go ?b) :precondition (at ?a)
    :ordered-subtasks (and (walk ?a ?c) (go ?b)))
  (:method bring-it :parameters (?t - thing ?a ?b - place) :task (bring ?t ?b)
    :ordered-subtasks (and (go ?a) (take ?t ?a) (go ?b) (leave ?t ?b)))";

fn model(parts: &str, network: &str, init: &str) -> Model {
    let domain = DOMAIN.replace("PARTS", parts);
    let problem = format!(
        "(define (problem p) (:domain d) (:objects a b c - place x y - thing)
          (:htn {network}) (:init (road home a) (road a b) (road b c) (road c b) (road b a) (road a home)
            (at home) (free) {init}))"
    );
    let (model, diagnostics) = crate::read(&domain, &problem);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn ask(model: &Model, nodes: u64) -> Outcome<Plan> {
    let mut run = Run::limit(1).with_nodes(nodes);
    LiftedSat.solve(model, &mut run).unwrap()
}

#[track_caller]
fn plan(model: &Model) -> Vec<String> {
    let outcome = ask(model, 100_000);
    let plan = outcome.answers.first().expect("a plan");
    verify(model, plan).unwrap();
    let show = |step: &crate::plan::Step| {
        let name = &model.actions[step.action.index()].name;
        model.show(name, &step.arguments).to_string()
    };
    plan.steps.iter().map(show).collect()
}

#[track_caller]
fn none(model: &Model) {
    let outcome = ask(model, 100_000);
    assert!(outcome.answers.is_empty() && outcome.proves_none());
}

/// One task, `do`, with one method and nothing but an action `end`.
fn once(condition: &str, action: &str) -> String {
    format!(
        "(:task do :parameters ()) (:method m :parameters (?p - place ?t - thing) :task (do)
           :precondition {condition} :ordered-subtasks (and (end ?p ?t)))
         (:action end :parameters (?p - place ?t - thing) {action})"
    )
}

const DO: &str = ":ordered-subtasks (and (do))";

#[test]
fn a_plan_is_found_at_whatever_depth_it_lies() {
    let parts = format!("{TASKS}{ACTIONS}");
    let network = ":ordered-subtasks (and (bring x home) (bring y c))";
    let steps = plan(&model(&parts, network, "(in x c) (in y a)"));
    assert_eq!(steps.len(), 3 + 1 + 3 + 1 + 1 + 1 + 2 + 1);
}

#[test]
fn who_shares_a_task_puts_in_arguments_of_its_own() {
    // Two methods of one task lead to the same task at the same place.
    let parts = format!(
        "(:task either :parameters ())
         (:method first :parameters () :task (either) :precondition (shut a)
           :ordered-subtasks (and (bring x a)))
         (:method second :parameters (?t - thing) :task (either) :precondition (not (shut a))
           :ordered-subtasks (and (bring ?t b))) {TASKS}{ACTIONS}"
    );
    let network = ":ordered-subtasks (and (either))";
    let last = |init| plan(&model(&parts, network, init)).pop().unwrap();
    assert_eq!(last("(in x b) (in y b) (shut a)"), "leave x a");
    assert_eq!(last("(in y a)"), "leave y b");
}

#[test]
fn parameters_of_the_initial_network_are_chosen() {
    let parts = format!("{TASKS}{ACTIONS}");
    let network = ":parameters (?t - thing) :ordered-subtasks (and (bring ?t home) (go c))";
    assert_eq!(
        plan(&model(&parts, network, "(in y b)")).len(),
        2 + 1 + 2 + 1 + 3
    );
}

#[test]
fn where_nothing_recurs_no_plan_is_proved() {
    let parts = once("(and)", ":precondition (in ?t ?p)");
    none(&model(&parts, DO, ""));
    assert_eq!(plan(&model(&parts, DO, "(in y c)")), ["end c y"]);
}

#[test]
fn what_no_depth_can_carry_out_is_proved_at_once() {
    let parts = "(:task do :parameters ()) (:task never :parameters ())
      (:method m :parameters () :task (do) :ordered-subtasks (and (never)))
      (:method again :parameters () :task (never) :ordered-subtasks (and (never)))";
    none(&model(parts, DO, ""));
}

#[test]
fn where_a_task_recurs_nothing_is_claimed() {
    let parts = format!("{TASKS}{ACTIONS}");
    let outcome = ask(
        &model(&parts, ":ordered-subtasks (and (go a) (bring x a))", ""),
        3_000,
    );
    assert!(outcome.answers.is_empty() && !outcome.proves_none());
    assert!(matches!(outcome.end, End::Stopped(_)));
}

#[test]
fn a_fact_that_is_added_and_deleted_holds() {
    let parts = "(:task do :parameters ())
      (:method m :parameters (?a ?b - place) :task (do)
        :ordered-subtasks (and (hop ?a ?b) (rest ?b)))
      (:action hop :parameters (?a ?b - place) :precondition (at ?a)
        :effect (and (not (at ?a)) (at ?b)))
      (:action rest :parameters (?b - place) :precondition (and (at ?b) (shut ?b)))";
    assert_eq!(
        plan(&model(parts, DO, "(shut home)")),
        ["hop home home", "rest home"]
    );
    assert_eq!(
        plan(&model(parts, DO, "(shut c)")),
        ["hop home c", "rest c"]
    );
    let gone = parts.replace("(at ?b) (shut ?b)", "(not (at ?b)) (shut ?b)");
    none(&model(&gone, DO, "(shut a)"));
}

#[test]
fn effects_for_all_objects_reach_each() {
    let parts = "(:task do :parameters ())
      (:method m :parameters () :task (do) :ordered-subtasks (and (close) (look)))
      (:action close :parameters () :effect (and (forall (?p - place) (shut ?p)) (not (shut b))))
      (:action look :parameters () :precondition (and (forall (?p - place) (shut ?p))))";
    assert_eq!(plan(&model(parts, DO, "")), ["close", "look"]);
    none(&model(
        &parts
            .replace("(not (shut b))", "(not (free))")
            .replace("(and (forall (?p - place) (shut ?p)))", "(free)"),
        DO,
        "",
    ));
}

/// Found by torture: what has no values to range over happens to nobody, and what
/// it would have done, though it names none of them, does not come about.
#[test]
fn effects_for_all_of_what_there_is_none_of_are_none() {
    let parts = "(:task do :parameters ())
      (:method m :parameters () :task (do) :ordered-subtasks (and (haunt) (look)))
      (:action haunt :parameters () :effect (and (forall (?g - ghost) (shut a))))
      (:action look :parameters () :precondition (shut a))";
    none(&model(parts, DO, ""));
    assert_eq!(plan(&model(parts, DO, "(shut a)")), ["haunt", "look"]);
    let taken = parts.replace("(shut a)))", "(not (shut a))))");
    assert_eq!(plan(&model(&taken, DO, "(shut a)")), ["haunt", "look"]);
}

#[test]
fn conditions_of_every_form_are_met() {
    let cases = [
        ("(= ?p home)", "(in y b)", None),
        (
            "(and (in ?t ?p) (not (= ?p b)))",
            "(in x b) (in y c)",
            Some("end c y"),
        ),
        (
            "(and (in ?t ?p) (not (shut ?p)))",
            "(in x b) (in y c) (shut b)",
            Some("end c y"),
        ),
        (
            "(and (in ?t ?p) (or (shut ?p) (and (held ?t) (= ?p a))))",
            "(in x a) (in y a) (in x c) (held y)",
            Some("end a y"),
        ),
        (
            "(and (in ?t ?p) (forall (?o - thing) (or (= ?o ?t) (shut ?p))))",
            "(in x a) (in y c) (shut c)",
            Some("end c y"),
        ),
        (
            "(and (in ?t ?p) (exists (?q - place) (and (road ?p ?q) (shut ?q))))",
            "(in x a) (in y b) (shut c)",
            Some("end b y"),
        ),
        (
            "(and (in ?t ?p) (imply (shut ?p) (held ?t)) (not (exists (?q - place) (and (road ?p ?q) (shut ?q)))))",
            "(in x a) (in y b) (in x home) (shut b) (shut home)",
            None,
        ),
    ];
    for (condition, init, expected) in cases {
        for (method, action) in [(condition, "(and)"), ("(and)", condition)] {
            let parts = once(method, &format!(":precondition (and (in ?t ?p) {action})"));
            let model = model(&parts, DO, init);
            match expected {
                Some(expected) => assert_eq!(plan(&model), [expected], "{condition}"),
                None => none(&model),
            }
        }
    }
}

#[test]
fn names_of_facts_are_told_apart_whatever_their_length() {
    // Packed carelessly, `(free)` and `(shut home)` were one fact.
    let parts = once("(and)", ":precondition (and (in ?t ?p) (shut home))");
    none(&model(&parts, DO, "(in x a)"));
}

#[test]
fn where_the_order_is_free_one_that_works_is_found_and_nothing_is_proved() {
    let parts = "(:task do :parameters ())
      (:method m :parameters (?a ?b - place) :task (do)
        :subtasks (and (rest ?b) (hop ?a ?b)))
      (:action hop :parameters (?a ?b - place) :precondition (at ?a)
        :effect (and (not (at ?a)) (at ?b)))
      (:action rest :parameters (?b - place) :precondition (and (at ?b) (shut ?b)))";
    assert_eq!(
        plan(&model(parts, DO, "(shut c)")),
        ["hop home c", "rest c"]
    );
    let outcome = ask(&model(parts, DO, ""), 100_000);
    assert!(matches!(outcome.end, End::Incomplete));
}

#[test]
fn conditional_effects_are_refused() {
    let parts = once("(and)", ":effect (when (free) (shut ?p))");
    let error = LiftedSat.solve(&model(&parts, DO, ""), &mut Run::limit(1));
    assert!(matches!(error, Err(EngineError::Unsupported(_))));
}

#[test]
fn a_deep_tree_needs_no_deep_stack() {
    let parts = "(:task do :parameters ())
      (:method again :parameters () :task (do) :ordered-subtasks (and (do)))
      (:method end :parameters () :task (do) :precondition (shut a) :ordered-subtasks (and))";
    let model = model(parts, DO, "");
    let asked = std::thread::Builder::new().stack_size(256 << 10);
    let outcome = asked
        .spawn(move || ask(&model, 500_000))
        .unwrap()
        .join()
        .unwrap();
    assert!(outcome.answers.is_empty() && !outcome.proves_none());
}
