//! Time: what is read, checked and refused, and plans with times.

use planoku_language::model::{Feature, Model};
use planoku_language::plan::text;
use planoku_language::syntax::Tree;
use planoku_language::verify::{Rule, verify, verify_timed};
use planoku_language::{layout, read, write};

const WORKSHOP: &str = "(define (domain workshop)
  (:requirements :typing :durative-actions :numeric-fluents :duration-inequalities)
  (:types piece)
  (:predicates (raw ?p - piece) (cut ?p - piece) (painted ?p - piece) (free) (light))
  (:functions (size ?p - piece) (paint) (used))
  (:durative-action cut-it :parameters (?p - piece)
    :duration (= ?duration (* 2 (size ?p)))
    :condition (and (at start (raw ?p)) (at start (free)) (over all (light)))
    :effect (and (at start (not (free))) (at start (not (raw ?p)))
      (at end (free)) (at end (cut ?p))))
  (:durative-action paint-it :parameters (?p - piece)
    :duration (and (>= ?duration 1) (<= ?duration 3))
    :condition (and (at start (cut ?p)) (at start (>= (paint) 1)) (at end (light)))
    :effect (and (at start (decrease (paint) 1)) (at end (painted ?p))
      (at end (increase (used) ?duration))))
  (:action look :parameters () :precondition (free)))";

const PIECES: &str = "(define (problem pieces) (:domain workshop)
  (:objects a b - piece)
  (:init (raw a) (raw b) (free) (light) (= (size a) 1.5) (= (size b) 1) (= (paint) 2) (= (used) 0)
    (at 9 (not (light))) (at 20 (light)))
  (:goal (and (painted a) (painted b)))
  (:metric minimize (+ (total-time) (used))))";

const GOOD: &str = "0.000: (cut-it a) [3]
; the saw is free again a thousandth later
3.001: (cut-it b) [2.000]
3.001: (paint-it a) [1]
5.002: (paint-it b) [2.5]
7.000: (look)
";

fn workshop() -> Model {
    let (model, found) = read(WORKSHOP, PIECES);
    model.unwrap_or_else(|| panic!("{found:?}"))
}

#[track_caller]
fn broken(change: (&str, &str), rule: Rule, says: &str) {
    assert!(GOOD.contains(change.0), "{}", change.0);
    let model = workshop();
    let (plan, _) = text::read_timed(&GOOD.replace(change.0, change.1), &model).unwrap();
    let broken = verify_timed(&model, &plan).unwrap_err();
    assert_eq!(broken.rule, rule, "{broken}");
    assert!(broken.reason.contains(says), "{broken}");
}

#[test]
fn a_good_plan_with_times_is_accepted() {
    let model = workshop();
    let (plan, lines) = text::read_timed(GOOD, &model).unwrap();
    assert_eq!(lines, [1, 3, 4, 5, 6]);
    let known = verify_timed(&model, &plan).unwrap();
    assert_eq!(known.makespan.to_string(), "7.502");
    assert_eq!(known.metric.unwrap().to_string(), "11.002");
}

#[test]
fn a_spoilt_plan_with_times_fails_for_the_right_reason() {
    let wrong = ("[3]", "[2.9]");
    broken(
        wrong,
        Rule::Duration,
        "must be (= ?duration (* 2 (size a))), which is 3",
    );
    broken(
        ("[2.5]", "[3.5]"),
        Rule::Duration,
        "it takes 3.5, but must be (<= ?duration 3)",
    );
    broken(
        ("(look)", "(look) [1]"),
        Rule::Duration,
        "it has no duration",
    );
    broken((" [1]", ""), Rule::Duration, "does not say how long");
    // The saw is free at the very moment at which it is asked for.
    let early = ("3.001: (cut-it b)", "3.000: (cut-it b)");
    broken(early, Rule::Precondition, "(free) does not hold");
    let soon = ("3.001: (cut-it b)", "3.0005: (cut-it b)");
    broken(
        soon,
        Rule::Interference,
        "less than 0.001 apart, and one of them changes (free)",
    );
    let look = ("7.000: (look)", "3.001: (look)");
    broken(
        look,
        Rule::Interference,
        "happen together, and one of them changes (free)",
    );
    let no_goal = ("5.002: (paint-it b) [2.5]\n", "");
    broken(no_goal, Rule::Goal, "(painted b) does not hold");
    // The light goes out at 9.
    let late = ("5.002: (paint-it b)", "7.500: (paint-it b)");
    broken(late, Rule::Precondition, "at its end (light) does not hold");
    let dark = (
        "3.001: (cut-it b) [2.000]\n3.001: (paint-it a) [1]\n5.002: (paint-it b) [2.5]",
        "8.000: (cut-it b) [2.000]\n3.001: (paint-it a) [1]",
    );
    broken(
        dark,
        Rule::Precondition,
        "after time 9, while it goes on, (light) does not hold",
    );
    let dry = ("7.000: (look)", "7.000: (paint-it a) [1]");
    broken(
        dry,
        Rule::Precondition,
        "(>= (paint) 1) does not hold: (paint) is 0",
    );
}

#[test]
fn a_wrong_line_of_a_plan_with_times_is_pointed_at() {
    let model = workshop();
    for (text, place) in [
        ("(cut-it a) [3]", (1, 1)),
        ("0: (cut-it a) [3]\n1: cut-it", (2, 4)),
        ("0: (cut-it a) [x]", (1, 16)),
        ("0: (cut-it a) 3", (1, 15)),
        ("0: (saw a) [3]", (1, 5)),
    ] {
        let error = text::read_timed(text, &model).unwrap_err();
        assert_eq!((error.line, error.column), place, "{error}");
    }
}

#[test]
fn durative_actions_and_timed_facts_are_written_as_they_are_read() {
    let first = workshop();
    let (domain, problem) = (write::domain(&first), write::problem(&first));
    let (second, found) = read(&domain, &problem);
    let second = second.unwrap_or_else(|| panic!("{domain}\n{problem}\n{found:?}"));
    assert_eq!(domain, write::domain(&second));
    assert_eq!(problem, write::problem(&second));
    assert_eq!(first.timed.len(), second.timed.len());
}

/// Everything else that time and preferences bring.
const BEYOND: &str = "(define (domain kettle)
  (:requirements :time :typing :preferences :constraints :numeric-fluents)
  (:types cup)
  (:predicates (on) (hot) (full ?c - cup))
  (:functions (heat) (level ?c - cup))
  (:constraints (and (always (< (heat) 100)) (forall (?c - cup) (sometime-after (on) (full ?c)))))
  (:process warm :parameters () :precondition (on) :effect (increase (heat) (* #t 2.5)))
  (:event boil :parameters () :precondition (>= (heat) 90) :effect (and (hot) (not (on))))
  (:durative-action pour :parameters (?c - cup) :duration (>= ?duration 1)
    :condition (over all (preference gently (hot)))
    :effect (and (increase (level ?c) (* #t 1)) (at end (full ?c))))
  (:action switch :parameters () :precondition (and (not (on)) (preference cold (< (heat) 20)))
    :effect (on)))
(define (problem tea) (:domain kettle) (:objects mine - cup)
  (:init (= (heat) 15) (= (level mine) 0) (at 5 (on)))
  (:goal (and (full mine) (preference soon (hot))))
  (:constraints (and (within 60 (hot)) (preference twice (at-most-once (on)))))
  (:metric minimize (+ (total-time) (* 3 (is-violated soon)) (is-violated gently))))";

#[test]
fn what_is_only_checked_is_read_laid_out_and_named() {
    let (domain, problem) = super::split(BEYOND);
    let problem = problem.unwrap();
    let (model, found) = read(domain, problem);
    let model = model.unwrap_or_else(|| panic!("{found:#?}"));
    let features: Vec<Feature> = model.beyond.iter().map(|it| it.feature).collect();
    for feature in [
        Feature::DurativeActions,
        Feature::ContinuousEffects,
        Feature::Processes,
        Feature::Events,
        Feature::Preferences,
        Feature::Constraints,
        Feature::TimedLiterals,
        Feature::TotalTime,
    ] {
        assert!(features.contains(&feature), "{feature:?}");
    }
    let once = layout::format(&Tree::read(domain, 0)).unwrap();
    assert_eq!(layout::format(&Tree::read(once.as_str(), 0)).unwrap(), once);
    let unjudged = verify_timed(&model, &Default::default()).unwrap_err();
    assert_eq!(unjudged.rule, Rule::Unsupported);
}

#[test]
fn a_plan_without_times_is_judged_where_only_the_metric_speaks_of_time() {
    let problem = "(define (problem p) (:domain d) (:init) (:goal (done))
        (:metric minimize (total-time)))";
    let (model, _) = read(
        "(define (domain d) (:predicates (done)) (:action work :effect (done)))",
        problem,
    );
    let model = model.unwrap();
    let plan = text::read("(work)", &model).unwrap();
    assert_eq!(verify(&model, &plan).unwrap().metric, None);
}

#[test]
fn names_and_types_are_checked_wherever_they_stand() {
    for (right, wrong, code) in [
        (
            "(always (< (heat) 100))",
            "(always (< (heta) 100))",
            "E0106",
        ),
        (
            "(sometime-after (on) (full ?c))",
            "(sometime-after (on) (full ?d))",
            "E0104",
        ),
        (
            "(increase (heat) (* #t 2.5))",
            "(increase (heat ?x) (* #t 2.5))",
            "E0104",
        ),
        (
            ":effect (and (hot) (not (on)))",
            ":effect (and (hott) (not (on)))",
            "E0102",
        ),
        ("(at end (full ?c))", "(at end (full))", "E0301"),
        ("(at end (full ?c))", "(full ?c)", "E0031"),
        (
            "(preference soon (hot))",
            "(preference soon (warm))",
            "E0102",
        ),
        ("(is-violated soon)", "(is-violated late)", "E0031"),
        ("(at 5 (on))", "(at 5 (off))", "E0102"),
        ("(within 60 (hot))", "(within (hot))", "E0031"),
        ("(* #t 1)", "(* ?duration #t (level))", "E0301"),
        ("(< (heat) 20)", "(< (heat) #t)", "E0031"),
    ] {
        assert!(BEYOND.contains(right), "{right}");
        let text = BEYOND.replace(right, wrong);
        let found = super::check(&text, false);
        let codes = super::codes(&found);
        assert!(codes.contains(&code), "{wrong}: {codes:?}");
    }
    let found = super::check(BEYOND, false);
    let list: Vec<&str> = super::codes(&found);
    let missing = ["H0604"];
    assert_eq!(list, missing, "{:#?}", found.list);
}
