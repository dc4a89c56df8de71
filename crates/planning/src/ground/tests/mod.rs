//! The fast grounder judged by a slow, obvious one, and facts worth keeping.

mod judged;
mod slow;

use planoku_engine::{Budget, Run, Stop};

use super::*;

fn model(domain: &str, problem: &str) -> Model {
    let (model, diagnostics) = crate::read(domain, problem);
    model.unwrap_or_else(|| panic!("{diagnostics:?}\n{domain}\n{problem}"))
}

fn grounded(domain: &str, problem: &str) -> Ground {
    ground(&model(domain, problem), &mut Run::default()).unwrap()
}

/// Sudoku's rows: nine columns that only join the static `inc`.
const ROW: &str = "(define (domain rows) (:types num digit - object)
  (:predicates (inc ?a ?b - num) (first ?a - num) (at ?d - digit ?c ?r - num) (ok ?r - num ?d - digit))
  (:task check-row :parameters (?r - num ?d - digit))
  (:action put :parameters (?d - digit ?c ?r - num) :effect (at ?d ?c ?r))
  (:action pass :parameters (?r - num ?d - digit) :effect (ok ?r ?d))
  (:task all :parameters ())
  (:method m-all :parameters () :task (all) :ordered-subtasks (and PUTS CHECKS))
  (:method m-check-row :parameters (?r - num ?d - digit ?c1 ?c2 ?c3 ?c4 ?c5 ?c6 ?c7 ?c8 ?c9 - num)
    :task (check-row ?r ?d)
    :precondition (and (first ?c1) (inc ?c1 ?c2) (inc ?c2 ?c3) (inc ?c3 ?c4) (inc ?c4 ?c5) (inc ?c5 ?c6)
      (inc ?c6 ?c7) (inc ?c7 ?c8) (inc ?c8 ?c9)
      (or (at ?d ?c1 ?r) (at ?d ?c2 ?r) (at ?d ?c3 ?r) (at ?d ?c4 ?r) (at ?d ?c5 ?r)
          (at ?d ?c6 ?r) (at ?d ?c7 ?r) (at ?d ?c8 ?r) (at ?d ?c9 ?r)))
    :ordered-subtasks (and (pass ?r ?d))))";

#[test]
fn nine_columns_that_only_join_ground_to_one_instance() {
    let mut puts = String::new();
    let mut checks = String::new();
    let mut init = String::from("(first n1)");
    for n in 1..9 {
        init += &format!("(inc n{n} n{})", n + 1);
    }
    for n in 1..=9 {
        for d in 1..=9 {
            puts += &format!("(put d{d} n{} n{n})", (n + d) % 9 + 1);
            checks += &format!("(check-row n{n} d{d})");
        }
    }
    let domain = ROW.replace("PUTS", &puts).replace("CHECKS", &checks);
    let names = |letter: char| (1..=9).map(|n| format!("{letter}{n} ")).collect::<String>();
    // The objects are constants here, because the method mentions them.
    let domain = domain.replace(
        "(:predicates",
        &format!(
            "(:constants {}- num {}- digit) (:predicates",
            names('n'),
            names('d')
        ),
    );
    let problem = format!(
        "(define (problem p) (:domain rows) (:htn :ordered-subtasks (and (all))) (:init {init}))"
    );
    let ground = grounded(&domain, &problem);
    let checks = ground.methods.iter().filter(|m| m.arguments.len() == 11);
    assert_eq!(checks.count(), 81);
}

#[test]
fn a_forall_over_static_facts_leaves_the_neighbours_only() {
    // The published STRIPS model: no tile that shares a house has the value.
    let mut init = String::new();
    let mut tiles = String::new();
    for row in 0..9 {
        for column in 0..9 {
            let tile = format!("t{row}{column}");
            let box_ = row / 3 * 3 + column / 3;
            init += &format!(
                "(in {tile} r{row})(in {tile} c{column})(in {tile} b{box_})(empty {tile})"
            );
            tiles += &format!("{tile} ");
        }
    }
    let houses: String = (0..9).map(|n| format!("r{n} c{n} b{n} ")).collect();
    let values: String = (1..=9).map(|n| format!("v{n} ")).collect();
    let ground = grounded(
        "(define (domain a) (:types tile house value) (:predicates (in ?t - tile ?h - house)
          (empty ?t - tile) (has ?t - tile ?v - value))
         (:action assign :parameters (?t - tile ?v - value) :precondition (and (empty ?t)
           (forall (?o - tile ?h - house) (imply (and (in ?t ?h) (in ?o ?h) (not (= ?o ?t)))
             (not (has ?o ?v)))))
          :effect (and (not (empty ?t)) (has ?t ?v))))",
        &format!(
            "(define (problem p) (:domain a) (:objects {tiles}- tile {houses}- house {values}- value)
             (:init {init}) (:goal (forall (?t - tile) (not (empty ?t)))))"
        ),
    );
    assert_eq!(ground.actions.len(), 729);
    for action in &ground.actions {
        assert_eq!(action.precondition.negative.len(), 20);
    }
    assert_eq!(ground.goal.negative.len(), 81);
}

const SWITCHES: &str = "(define (domain switches) (:predicates (on ?x) (wired ?x ?y) (lit ?x))
  (:derived (lit ?x) (or (on ?x) (exists (?y) (and (wired ?y ?x) (lit ?y)))))
  (:action press :parameters (?x) :precondition (not (lit ?x)) :effect (on ?x))
  (:action toggle :parameters (?x) :effect (and (when (on ?x) (not (on ?x))) (when (not (on ?x)) (on ?x)))))";

#[test]
fn derived_predicates_become_axioms_and_conditional_effects_stay() {
    let ground = grounded(
        SWITCHES,
        "(define (problem p) (:domain switches) (:objects a b c)
         (:init (wired a b) (wired b c)) (:goal (lit c)))",
    );
    // on(a), on(b), on(c), lit(a), lit(b), lit(c)
    assert_eq!(ground.facts.len(), 6);
    assert_eq!(ground.axioms.len(), 5);
    let toggles = ground.actions.iter().filter(|a| a.conditional.len() == 2);
    assert_eq!(toggles.count(), 3);
    assert_eq!(ground.goal.positive.len(), 1);
}

#[test]
fn a_derived_predicate_on_its_own_negation_is_refused() {
    let domain =
        "(define (domain d) (:predicates (p) (q)) (:derived (p) (not (q))) (:derived (q) (not (p)))
      (:action a :parameters () :effect (and)))";
    let model = model(
        domain,
        "(define (problem p) (:domain d) (:init) (:goal (p)))",
    );
    let error = ground(&model, &mut Run::default()).unwrap_err();
    assert!(matches!(error, GroundError::Unsupported(_)), "{error}");
}

#[test]
fn wide_disjunctions_do_not_multiply_out() {
    let parts: String = (0..12).map(|n| format!("(or (x a{n}) (x b{n}))")).collect();
    let names: String = (0..12).map(|n| format!("a{n} b{n} ")).collect();
    let ground = grounded(
        "(define (domain d) (:predicates (x ?o) (done)) (:action set :parameters (?o) :effect (x ?o))
          (:action drop :parameters (?o) :effect (not (x ?o))))",
        &format!("(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (and {parts})))"),
    );
    assert_eq!(ground.goal.positive.len(), 12);
    assert_eq!(ground.axioms.len(), 24);
}

#[test]
fn too_big_names_the_schema() {
    let names: String = (0..60).map(|n| format!("o{n} ")).collect();
    let model = model(
        "(define (domain d) (:predicates (p ?a ?b ?c ?d))
          (:action wide :parameters (?a ?b ?c ?d) :effect (p ?a ?b ?c ?d)))",
        &format!(
            "(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (p o1 o2 o3 o4)))"
        ),
    );
    let budget = Budget {
        memory: Some(20 << 20),
        ..Budget::default()
    };
    let error = ground(&model, &mut Run::default().with_budget(budget)).unwrap_err();
    assert!(
        matches!(
            error,
            GroundError::Stopped {
                stop: Stop::Memory,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("action `wide`"), "{error}");
}

#[test]
fn free_parameters_of_the_network_are_choices_of_the_root() {
    let ground = grounded(
        "(define (domain d) (:types k) (:predicates (p ?x - k) (ok ?x - k)) (:task t :parameters (?x - k))
          (:method m :parameters (?x - k) :task (t ?x) :precondition (ok ?x) :ordered-subtasks (and (a ?x)))
          (:action a :parameters (?x - k) :effect (p ?x)))",
        "(define (problem p) (:domain d) (:objects x y z - k)
          (:htn :parameters (?v - k) :ordered-subtasks (and (t ?v))) (:init (ok x) (ok z)) (:goal (and)))",
    );
    let root = ground.root.unwrap() as usize;
    assert_eq!(ground.tasks[root].methods.len(), 2);
    assert!(ground.ordered);
}

#[test]
fn a_refutation_says_what_is_missing() {
    let domain = "(define (domain d) (:predicates (open ?x) (key ?x) (done))
      (:task enter :parameters (?x))
      (:method m :parameters (?x) :task (enter ?x) :ordered-subtasks (and (unlock ?x) (walk ?x)))
      (:action unlock :parameters (?x) :precondition (key ?x) :effect (open ?x))
      (:action walk :parameters (?x) :precondition (open ?x) :effect (done)))";
    let refuted = |problem: &str| match ground(&model(domain, problem), &mut Run::default()) {
        Err(GroundError::Refuted(refutation)) => refutation.to_string(),
        other => panic!("{other:?}"),
    };
    let text = refuted(
        "(define (problem p) (:domain d) (:objects a b) (:htn :ordered-subtasks (and (enter a)))
          (:init (key b)))",
    );
    assert!(
        text.contains("(enter a)") && text.contains("(key a)"),
        "{text}"
    );
    let text = refuted(
        "(define (problem p) (:domain d) (:objects a b) (:htn :ordered-subtasks (and (enter b)))
          (:init (key b)) (:goal (open a)))",
    );
    assert!(text.contains("(open a)"), "{text}");
}

/// Cards go into cells and out again; `HALF` stands for what else there is.
const CELLS: &str = "(define (domain cells) (:types card num)
  (:predicates (next ?a ?b - num) (free ?n - num) (incell ?c - card) (done ?c - card))
  (:action put :parameters (?c - card ?a ?b - num)
    :precondition (and (free ?a) (next ?b ?a) (not (incell ?c)))
    :effect (and (not (free ?a)) (free ?b) (incell ?c)))
  (:action take :parameters (?c - card ?a ?b - num)
    :precondition (and (free ?a) (next ?a ?b) (incell ?c))
    :effect (and (not (free ?a)) (free ?b) (not (incell ?c)) (done ?c))) HALF)";

#[track_caller]
fn free_cells(half: &str, expected: usize) {
    let next: String = (0..9).map(|n| format!("(next n{n} n{})", n + 1)).collect();
    let ground = grounded(
        &CELLS.replace("HALF", half),
        &format!(
            "(define (problem p) (:domain cells) (:objects a b c - card n0 n1 n2 n3 n4 n5 n6 n7 n8
             n9 - num) (:init {next} (free n2)) (:goal (and (done a) (done b) (done c))))"
        ),
    );
    let is_free = |fact: &&GroundFact| matches!(fact, GroundFact::Atom(it, _) if it.0 == 1);
    assert_eq!(ground.facts.iter().filter(is_free).count(), expected);
}

#[test]
fn there_are_never_more_free_cells_than_cells() {
    free_cells("", 3);
}

#[test]
fn a_counter_that_something_else_raises_keeps_its_values() {
    free_cells(
        "(:action build :parameters (?a ?b - num) :precondition (and (free ?a) (next ?a ?b))
          :effect (and (not (free ?a)) (free ?b)))",
        10,
    );
    // One card for another leaves as many cells free.
    free_cells(
        "(:action swap :parameters (?c ?d - card) :precondition (incell ?c)
          :effect (and (incell ?d) (not (incell ?c))))",
        3,
    );
    free_cells(
        "(:action copy :parameters (?c ?d - card) :precondition (incell ?c) :effect (incell ?d))",
        10,
    );
}

/// A letter is fetched by a van and brought by another.
const LETTERS: &str = "(define (domain letters) (:types van place)
  (:predicates (at ?v - van ?p - place) (has ?v - van) (road ?a ?b - place))
  (:task bring :parameters (?a ?b - place))
  (:method m-bring :parameters (?v ?w - van ?a ?b ?c ?d - place) :task (bring ?a ?b)
    :ordered-subtasks (and (go ?v ?c ?a) (load ?v ?a) (go ?w ?d ?b) (unload ?v ?w ?b)))
  (:action go :parameters (?v - van ?a ?b - place) :precondition (at ?v ?a)
    :effect (and (not (at ?v ?a)) (at ?v ?b)))
  (:action load :parameters (?v - van ?a - place) :precondition (at ?v ?a) :effect (has ?v))
  (:action unload :parameters (?v ?w - van ?a - place) :precondition (and (at ?w ?a) (has ?v))
    :effect (and (not (has ?v)) (has ?w))))";

#[test]
fn what_is_chosen_for_some_subtasks_only_is_chosen_in_a_helper() {
    let vans: String = (0..10).map(|n| format!("v{n} ")).collect();
    let places: String = (0..10).map(|n| format!("p{n} ")).collect();
    let at: String = (0..10).map(|n| format!("(at v{n} p{n})")).collect();
    let ground = grounded(
        LETTERS,
        &format!(
            "(define (problem p) (:domain letters) (:objects {vans}- van {places}- place)
             (:htn :ordered-subtasks (and (bring p0 p1))) (:init {at}) (:goal (and)))"
        ),
    );
    // Whole it is ten vans, ten others and a hundred pairs of places.
    assert!(ground.methods.len() < 500, "{}", ground.methods.len());
    assert!(ground.tasks.iter().any(|task| task.schema.is_none()));
}
