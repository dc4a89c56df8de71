//! What the search that learns is for, each in a problem as small as it can be.

use planoku_engine::{Engine, Run};

use super::LiftedLearn;
use crate::model::Model;
use crate::plan::Plan;
use crate::verify::verify;

fn model(domain: &str, problem: &str) -> Model {
    let (model, diagnostics) = crate::read(domain, problem);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

#[track_caller]
fn plan(model: &Model, nodes: u64) -> Plan {
    let mut run = Run::limit(1).with_nodes(nodes);
    let outcome = LiftedLearn::default().solve(model, &mut run).unwrap();
    let plan = outcome.answers.first().expect("a plan").clone();
    verify(model, &plan).unwrap();
    plan
}

/// Jobs of which the one called `j3` can be left no later than at level 3.
const JOBS: &str = "(define (domain jobs) (:requirements :typing :hierarchy)
  (:types job level)
  (:predicates (todo ?j - job) (in ?j - job) (free) (level ?n - level)
    (next ?n ?m - level) (fits ?j - job ?n - level) (last ?n - level))
  (:task jobs :parameters ()) (:task leave :parameters ())
  (:method all-done :parameters (?n - level) :task (jobs)
    :precondition (and (level ?n) (last ?n)) :ordered-subtasks (and))
  (:method one-more :parameters (?j - job ?n ?m - level) :task (jobs)
    :precondition (and (todo ?j) (level ?n) (next ?n ?m))
    :ordered-subtasks (and (leave) (work ?j ?n ?m) (jobs)))
  (:method outside :parameters () :task (leave)
    :precondition (free) :ordered-subtasks (and))
  (:method inside :parameters (?j - job ?n - level) :task (leave)
    :precondition (and (in ?j) (level ?n) (fits ?j ?n)) :ordered-subtasks (and (out ?j)))
  (:action out :parameters (?j - job) :precondition (in ?j)
    :effect (and (free) (not (in ?j))))
  (:action work :parameters (?j - job ?n ?m - level)
    :precondition (and (free) (todo ?j) (level ?n) (next ?n ?m))
    :effect (and (not (free)) (in ?j) (not (todo ?j)) (not (level ?n)) (level ?m))))";

#[test]
fn what_came_too_late_comes_earlier_the_next_time() {
    let jobs = 14;
    // The written order is the worst: what can wait longest comes first.
    let list = |name: &str| -> String {
        let names = (1..=jobs).rev().map(|it| format!("{name}{it} "));
        names.collect()
    };
    let mut init = format!("(free) (level n0) (last n{jobs})");
    for job in 1..=jobs {
        init += &format!("(todo j{job}) (next n{} n{job})", job - 1);
        (1..=job).for_each(|level| init += &format!("(fits j{job} n{level})"));
    }
    let problem = format!(
        "(define (problem p) (:domain jobs) (:objects {} - job n0 {} - level)
          (:htn :ordered-subtasks (and (jobs))) (:init {init}))",
        list("j"),
        list("n")
    );
    let plan = plan(&model(JOBS, &problem), 20_000);
    assert_eq!(plan.steps.len(), 2 * jobs - 1);
}

#[test]
fn what_is_needed_for_good_is_not_taken() {
    // The first place is promised; that is seen only after long preparations,
    // of which there are too many to try them all.
    let domain = "(define (domain places) (:requirements :typing :hierarchy)
      (:types place n)
      (:predicates (free ?p - place) (ready) (at ?n - n) (next ?a ?b - n) (end ?n - n)
        (red ?n - n) (blue ?n - n))
      (:task build :parameters ()) (:task prepare :parameters ())
      (:method any :parameters (?p - place) :task (build)
        :precondition (free ?p) :ordered-subtasks (and (prepare) (take ?p)))
      (:method stop :parameters (?a - n) :task (prepare)
        :precondition (and (at ?a) (end ?a)) :ordered-subtasks (and))
      (:method go-red :parameters (?a ?b - n) :task (prepare)
        :precondition (and (at ?a) (next ?a ?b)) :ordered-subtasks (and (paint-red ?a ?b) (prepare)))
      (:method go-blue :parameters (?a ?b - n) :task (prepare)
        :precondition (and (at ?a) (next ?a ?b)) :ordered-subtasks (and (paint-blue ?a ?b) (prepare)))
      (:action paint-red :parameters (?a ?b - n) :precondition (at ?a)
        :effect (and (not (at ?a)) (at ?b) (red ?a)))
      (:action paint-blue :parameters (?a ?b - n) :precondition (at ?a)
        :effect (and (not (at ?a)) (at ?b) (blue ?a)))
      (:action take :parameters (?p - place) :precondition (free ?p) :effect (not (free ?p))))";
    let count = 30;
    let mut init = format!("(free p0) (free p1) (at n0) (end n{count})");
    (0..count).for_each(|it| init += &format!("(next n{it} n{})", it + 1));
    let names: String = (0..=count).map(|it| format!("n{it} ")).collect();
    let problem = format!(
        "(define (problem p) (:domain places) (:objects p0 p1 - place {names} - n)
          (:htn :ordered-subtasks (and (build) (take p0))) (:init {init}))"
    );
    plan(&model(domain, &problem), 5_000);
}

/// A walk over cells; those that are shut have never been anything else.
fn walk(cells: &[&str]) -> Model {
    let domain = "(define (domain walk) (:requirements :typing :hierarchy :negative-preconditions)
      (:types cell)
      (:predicates (beside ?a ?b - cell) (at ?a - cell) (shut ?a - cell))
      (:task go :parameters (?a ?b - cell))
      (:method there :parameters (?a ?b - cell) :task (go ?a ?b)
        :precondition (= ?a ?b) :ordered-subtasks (and))
      (:method on :parameters (?a ?b ?c - cell) :task (go ?a ?b)
        :precondition (and (beside ?a ?c) (not (shut ?c)))
        :ordered-subtasks (and (step ?a ?c) (go ?c ?b)))
      (:action step :parameters (?a ?c - cell)
        :precondition (and (at ?a) (beside ?a ?c) (not (shut ?c)))
        :effect (and (not (at ?a)) (at ?c) (shut ?c))))";
    let (mut init, mut names) = (String::from("(at c0-0) (shut c0-0)"), String::new());
    for (y, row) in cells.iter().enumerate() {
        for (x, cell) in row.bytes().enumerate() {
            names += &format!("c{x}-{y} ");
            for (to, there) in [
                ((x + 1, y), x + 1 < row.len()),
                ((x, y + 1), y + 1 < cells.len()),
            ] {
                if there {
                    let (a, b) = (format!("c{x}-{y}"), format!("c{}-{}", to.0, to.1));
                    init += &format!("(beside {a} {b}) (beside {b} {a})");
                }
            }
            if cell == b'#' {
                init += &format!("(shut c{x}-{y})");
            }
        }
    }
    let (x, y) = (cells[0].len() - 1, cells.len() - 1);
    let problem = format!(
        "(define (problem p) (:domain walk) (:objects {names} - cell)
          (:htn :ordered-subtasks (and (go c0-0 c{x}-{y}))) (:init {init}))"
    );
    model(domain, &problem)
}

#[test]
fn a_walk_takes_the_shortest_way_around_walls() {
    let model = walk(&[
        ".....#....",
        ".###.#.##.",
        ".#...#.#..",
        ".#.###.##.",
        ".#.....#..",
        ".#######.#",
        "..........",
    ]);
    // Down and along the last row, each cell once.
    assert_eq!(plan(&model, 200).steps.len(), 15);
}

#[test]
fn where_no_way_leads_there_nothing_is_claimed() {
    let model = walk(&["....", "....", "..##", "..#."]);
    let mut run = Run::limit(1).with_nodes(20_000);
    let outcome = LiftedLearn::default().solve(&model, &mut run).unwrap();
    assert!(outcome.answers.is_empty() && !outcome.proves_none());
}
