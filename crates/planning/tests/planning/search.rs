//! Every plan the search engines find is accepted by the verifier, which knows
//! nothing of them.

use std::path::{Path, PathBuf};

use planoku_engine::{Budget, End, Engine, Event, Run};
use planoku_planning::Instance;
use planoku_planning::ground::ground;
use planoku_planning::model::Model;
use planoku_planning::plan::Plan;
use planoku_planning::planners::planners;
use planoku_planning::portfolio::Portfolio;
use planoku_planning::satplan::LiftedSat;
use planoku_planning::search::{Lifted, LiftedBest, LiftedLearn};
use planoku_planning::verify::verify;

use crate::corpora;

/// Moving disks, once as an HTN that recurs in the middle of its methods.
const TOWERS: &str = "(define (domain towers)
  (:requirements :hierarchy :typing :negative-preconditions :method-preconditions)
  (:types disk peg - place)
  (:predicates (on ?d - disk ?p - place) (clear ?p - place) (smaller ?d - disk ?p - place)
    (above ?d ?e - disk) (lowest ?p - peg ?d - disk))
  (:task shift :parameters (?d - disk ?from ?to ?via - peg))
  (:method shift-one :parameters (?d - disk ?from ?to ?via - peg ?below ?target - place)
    :task (shift ?d ?from ?to ?via)
    :precondition (and (clear ?d) (on ?d ?below) (clear ?target) (smaller ?d ?target)
      (not (= ?below ?target)))
    :ordered-subtasks (and (move ?d ?below ?target)))
  (:action move :parameters (?d - disk ?from ?to - place)
    :precondition (and (clear ?d) (on ?d ?from) (clear ?to) (smaller ?d ?to))
    :effect (and (not (on ?d ?from)) (on ?d ?to) (clear ?from) (not (clear ?to)))))";

/// A robot that fetches things: left recursion, choice and a goal.
const FETCH: &str = "(define (domain fetch)
  (:requirements :hierarchy :typing :method-preconditions)
  (:types thing room)
  (:predicates (at ?t - thing ?r - room) (robot ?r - room) (door ?a ?b - room)
    (holding ?t - thing) (free))
  (:task bring :parameters (?t - thing ?r - room))
  (:task go :parameters (?r - room))
  (:method bring-it :parameters (?t - thing ?from ?to - room)
    :task (bring ?t ?to)
    :ordered-subtasks (and (go ?from) (take ?t ?from) (go ?to) (drop ?t ?to)))
  (:method there :parameters (?r - room) :task (go ?r)
    :precondition (robot ?r) :ordered-subtasks ())
  (:method walk-on :parameters (?a ?b - room) :task (go ?b)
    :precondition (door ?a ?b)
    :ordered-subtasks (and (go ?a) (walk ?a ?b)))
  (:action walk :parameters (?a ?b - room)
    :precondition (and (robot ?a) (door ?a ?b))
    :effect (and (not (robot ?a)) (robot ?b)))
  (:action take :parameters (?t - thing ?r - room)
    :precondition (and (robot ?r) (at ?t ?r) (free))
    :effect (and (not (at ?t ?r)) (not (free)) (holding ?t)))
  (:action drop :parameters (?t - thing ?r - room)
    :precondition (and (robot ?r) (holding ?t))
    :effect (and (at ?t ?r) (free) (not (holding ?t)))))";

const FETCH_TWO: &str = "(define (problem two) (:domain fetch)
  (:objects cup book - thing hall kitchen study attic - room)
  (:htn :ordered-tasks (and (bring cup study) (bring book attic)))
  (:init (robot hall) (free) (at cup kitchen) (at book study)
    (door hall kitchen) (door kitchen hall) (door hall study) (door study hall)
    (door study attic) (door attic study))
  (:goal (and (at cup study) (robot attic))))";

fn model(domain: &str, problem: &str) -> Model {
    let (model, diagnostics) = planoku_planning::read(domain, problem);
    assert!(!diagnostics.has_errors());
    model.unwrap()
}

#[track_caller]
fn check(model: &Model, plan: &Plan, name: &str) {
    if let Err(broken) = verify(model, plan) {
        panic!("{name}: {broken}");
    }
}

/// Runs everything on a problem; the lengths of the plans found, by engine.
fn lengths(model: &Model, nodes: u64) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut keep = |name: String, plan: &Plan| {
        check(model, plan, &name);
        found.push((name, plan.steps.len()));
    };
    let lifted: [Box<dyn Engine<Model, Answer = Plan>>; 5] = [
        Box::new(Lifted::default()),
        Box::new(LiftedLearn::default()),
        Box::new(LiftedBest::default()),
        Box::new(LiftedBest::novel()),
        Box::new(LiftedSat),
    ];
    for engine in lifted {
        let mut run = Run::limit(1).with_nodes(nodes);
        if let Ok(outcome) = engine.solve(model, &mut run)
            && let Some(plan) = outcome.answers.first()
        {
            keep(engine.profile().name.into(), plan);
        }
    }
    let Ok(problem) = ground(model, &mut Run::limit(1).with_nodes(5_000_000)) else {
        return found;
    };
    let problem = Instance::new(problem);
    for engine in planners() {
        let mut run = Run::limit(1).with_nodes(nodes);
        if let Ok(outcome) = engine.solve(&problem, &mut run)
            && let Some(derivation) = outcome.answers.first()
        {
            let plan = derivation.plan(&problem).unwrap();
            keep(engine.profile().name.into(), &plan);
        }
    }
    found
}

#[test]
fn every_engine_for_total_order_fetches_two_things() {
    let model = model(FETCH, FETCH_TWO);
    let found = lengths(&model, 3_000);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    for name in [
        "lifted",
        "lifted-best",
        "lifted-learn",
        "lifted-novel",
        "lifted-sat",
        "htn-add",
        "htn-ff",
        "htn-lazy",
        "htn-optimal",
        "htn-partial",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    // Two walks to the cup's room and on, two to drop it; then the book.
    let optimal = found.iter().find(|(name, _)| name == "htn-optimal");
    assert_eq!(optimal.map(|(_, length)| *length), Some(8));
    assert!(found.iter().all(|(_, length)| *length >= 8));
}

#[test]
fn a_task_that_cannot_be_done_is_proved_to_be_so() {
    let problem = "(define (problem p) (:domain towers)
      (:objects small big - disk left right - peg)
      (:htn :ordered-tasks (and (shift big left right right)))
      (:init (on small big) (on big left) (clear small)
        (smaller small big) (smaller small left) (smaller big left)))";
    let model = model(TOWERS, problem);
    let outcome = Portfolio::default()
        .solve(&model, &mut Run::limit(1).with_nodes(1_000_000))
        .unwrap();
    assert!(outcome.answers.is_empty());
    assert_eq!(outcome.end, End::Exhausted);
}

#[test]
fn the_portfolio_is_repeatable_with_one_thread_and_correct_with_two() {
    let model = model(FETCH, FETCH_TWO);
    let plan = |threads| {
        let portfolio = Portfolio {
            threads,
            seed: 7,
            improves: true,
        };
        let outcome = portfolio.solve(&model, &mut Run::limit(1)).unwrap();
        let plan = outcome.answers.into_iter().next().expect("a plan");
        check(&model, &plan, "portfolio");
        plan
    };
    assert_eq!(plan(1), plan(1));
    plan(2);
}

#[test]
fn with_one_thread_every_turn_repeats_and_the_node_budget_holds() {
    // Nine doves and eight boxes: nobody finds a plan, nobody finds out soon
    // that there is none, and so everyone has many turns.
    let domain = "(define (domain doves)
      (:requirements :hierarchy :typing :negative-preconditions)
      (:types dove box)
      (:predicates (in ?d - dove ?b - box) (taken ?b - box))
      (:task house :parameters (?d - dove))
      (:method any-box :parameters (?d - dove ?b - box) :task (house ?d)
        :ordered-subtasks (and (enter ?d ?b)))
      (:action enter :parameters (?d - dove ?b - box)
        :precondition (not (taken ?b))
        :effect (and (in ?d ?b) (taken ?b))))";
    let problem = "(define (problem p) (:domain doves)
      (:objects a b c d e f g h i - dove k l m n o p q r - box)
      (:htn :ordered-tasks (and (house a) (house b) (house c) (house d)
        (house e) (house f) (house g) (house h) (house i)))
      (:init))";
    let model = model(domain, problem);
    let spent = |nodes| {
        let mut stages = Vec::new();
        let mut observer = |event: &Event| {
            if let Event::Progress {
                stage,
                nodes,
                best: None,
            } = event
            {
                stages.push((*stage, *nodes));
            }
        };
        let mut run = Run::limit(1).with_nodes(nodes).with_observer(&mut observer);
        let outcome = Portfolio::default().solve(&model, &mut run).unwrap();
        drop(run);
        // How often a member gives a sign of life depends on the clock.
        stages.dedup();
        (outcome.stats.nodes, stages)
    };
    let (nodes, stages) = spent(100_000);
    assert!(nodes <= 100_000, "{nodes}");
    assert_eq!((nodes, stages), spent(100_000));
}

/// One problem per family of the samples: the one with the shortest text.
fn smallest(track: &str) -> Vec<(PathBuf, PathBuf)> {
    let families = std::fs::read_dir(corpora::path("ipc").join(track)).unwrap();
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |it| it.len());
    let mut pairs = Vec::new();
    for family in families.flatten() {
        let files = std::fs::read_dir(family.path()).unwrap().flatten();
        let files: Vec<PathBuf> = files.map(|file| file.path()).collect();
        let (domains, problems): (Vec<PathBuf>, Vec<PathBuf>) = files
            .into_iter()
            .partition(|path| name(path).contains("domain"));
        let Some(problem) = problems.into_iter().min_by_key(size) else {
            continue;
        };
        let own = format!("{}-domain", problem.file_stem().unwrap().to_string_lossy());
        let domain = domains
            .iter()
            .find(|path| name(path).starts_with(&own))
            .unwrap_or(&domains[0]);
        pairs.push((domain.clone(), problem));
    }
    pairs.sort();
    pairs
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn plans_for_the_smallest_samples_are_accepted() {
    for (track, least) in [("total-order", 20), ("partial-order", 7)] {
        let mut solved = 0;
        let pairs = smallest(track);
        for (domain, problem) in &pairs {
            let model = planoku_planning::read_files(domain, problem).unwrap();
            for engine in [
                Box::new(Lifted::default()) as Box<dyn Engine<Model, Answer = Plan>>,
                Box::new(LiftedBest::default()),
                Box::new(LiftedBest::novel()),
            ] {
                let mut run = Run::limit(1).with_budget(Budget {
                    nodes: Some(20_000),
                    ..Budget::default()
                });
                let outcome = engine.solve(&model, &mut run).unwrap();
                if let Some(plan) = outcome.answers.first() {
                    check(&model, plan, &problem.display().to_string());
                    solved += 1;
                    break;
                }
            }
        }
        assert!(solved >= least, "{track}: {solved}");
    }
}
