//! The table of what is supported is held against what the program does.

use planoku_engine::{Engine, Run};
use planoku_planning::check::{Thoroughness, check};
use planoku_planning::diagnostic::requirement::KNOWN;
use planoku_planning::ground::ground;
use planoku_planning::model::resolve::Options;
use planoku_planning::planners::optimal;
use planoku_planning::portfolio::Portfolio;
use planoku_planning::supports::SUPPORTS;
use planoku_planning::syntax::Tree;
use planoku_planning::{Instance, read, verify};

/// What a domain says beside one action `go` that makes `(done)` true, what the
/// action asks for and does, and what the problem says.
struct Example {
    domain: &'static str,
    condition: &'static str,
    effect: &'static str,
    problem: &'static str,
}

const PLAIN: Example = Example {
    domain: "",
    condition: "(ready)",
    effect: "",
    problem: "",
};

fn example(requirement: &str) -> Example {
    let condition = |condition| Example { condition, ..PLAIN };
    let domain = |domain| Example { domain, ..PLAIN };
    let problem = |problem| Example { problem, ..PLAIN };
    let hierarchy = Example {
        domain: "(:task t :parameters ())
            (:method m :parameters () :task (t) :precondition (ready) :subtasks (go a))",
        problem: "(:htn :subtasks (t))",
        ..PLAIN
    };
    match requirement {
        ":equality" => condition("(and (ready) (= ?x a))"),
        ":negative-preconditions" => condition("(not (done))"),
        ":disjunctive-preconditions" | ":adl" | ":ucpop" => condition("(or (ready) (done))"),
        ":existential-preconditions" | ":quantified-preconditions" => {
            condition("(exists (?y) (p ?y))")
        }
        ":universal-preconditions" => condition("(forall (?y) (p ?y))"),
        ":conditional-effects" => Example {
            effect: "(when (p ?x) (not (ready)))",
            ..PLAIN
        },
        ":derived-predicates" => Example {
            domain: "(:derived (seen ?y) (p ?y))",
            condition: "(seen ?x)",
            ..PLAIN
        },
        ":action-costs" => Example {
            domain: "(:functions (total-cost))",
            effect: "(increase (total-cost) 2)",
            problem: "(:metric minimize (total-cost))",
            ..PLAIN
        },
        ":hierarchy" | ":htn" | ":method-preconditions" | ":htn-method-prec" => hierarchy,
        ":fluents" | ":numeric-fluents" => Example {
            domain: "(:functions (fuel) (used))",
            condition: "(>= (fuel) 2)",
            effect: "(and (decrease (fuel) 2) (increase (used) 2))",
            problem: "(:metric minimize (used))",
        },
        ":object-fluents" => domain("(:functions (place ?y) - object)"),
        ":durative-actions" | ":duration-inequalities" => domain(
            "(:durative-action wait :parameters () :duration (>= ?duration 1)
              :condition (over all (ready)) :effect (at end (done)))",
        ),
        ":timed-initial-literals" => problem("(:init (at 5 (ready)))"),
        ":continuous-effects" => domain(
            "(:functions (fuel)) (:durative-action burn :parameters () :duration (= ?duration 1)
              :condition (at start (ready)) :effect (decrease (fuel) (* #t 1)))",
        ),
        ":time" => domain("(:event late :parameters () :precondition (ready) :effect (done))"),
        ":preferences" => problem("(:goal (and (done) (preference best (ready))))"),
        ":constraints" => problem("(:constraints (always (ready)))"),
        ":goal-utilities" => problem("(:goal-utilities (done) 5)"),
        ":non-deterministic" => Example {
            effect: "(oneof (p a) (p b))",
            ..PLAIN
        },
        ":probabilistic-effects" => Example {
            effect: "(probabilistic 0.5 (p a))",
            ..PLAIN
        },
        _ => PLAIN,
    }
}

impl Example {
    fn texts(&self, requirement: &str) -> (String, String) {
        let Example {
            domain,
            condition,
            effect,
            problem,
        } = self;
        let goal = if problem.contains("(:goal") {
            ""
        } else {
            "(:goal (done))"
        };
        let values = match domain.contains("(fuel)") {
            true => "(= (fuel) 3) (= (used) 0)",
            false => "",
        };
        let values = match domain.contains("(used)") {
            true => values,
            false => values.trim_end_matches("(= (used) 0)"),
        };
        (
            format!(
                "(define (domain d) (:requirements {requirement})
                 (:predicates (ready) (done) (p ?y) (seen ?y)) {domain}
                 (:action go :parameters (?x) :precondition {condition}
                   :effect (and (done) {effect})))"
            ),
            format!(
                "(define (problem p) (:domain d) (:objects a b)
                 (:init (ready) (p a) (p b) {values}) {goal} {problem})"
            ),
        )
    }
}

#[test]
fn every_requirement_there_is_has_a_row() {
    for name in KNOWN {
        let rows = SUPPORTS.iter().filter(|row| row.requirement == *name);
        assert_eq!(rows.count(), 1, "{name}");
    }
    assert_eq!(SUPPORTS.len(), KNOWN.len());
}

#[test]
fn every_row_says_what_happens_to_an_example() {
    for row in SUPPORTS {
        let name = row.requirement;
        let (domain, problem) = example(name).texts(name);
        let (model, found) = read(&domain, &problem);
        assert_eq!(model.is_some(), row.read, "{name} is read: {found:?}");
        let trees = [Tree::read(domain, 0), Tree::read(problem, 1)];
        let thoroughness = Thoroughness::default();
        let found = check(&trees[0], Some(&trees[1]), Options::default(), thoroughness);
        assert_eq!(
            !found.has_errors(),
            row.checked,
            "{name} is checked: {found:?}"
        );
        let Some(model) = model else {
            assert!(!row.planned && !row.verified, "{name}");
            continue;
        };
        let grounded = ground(&model, &mut Run::default());
        assert_eq!(grounded.is_ok(), row.grounded, "{name} is grounded");
        let outcome = Portfolio::default().solve(&model, &mut Run::limit(1));
        let plan = outcome.ok().and_then(|it| it.answers.into_iter().next());
        assert_eq!(plan.is_some(), row.planned, "{name} is planned");
        if let Some(plan) = plan {
            assert!(
                row.verified && verify::verify(&model, &plan).is_ok(),
                "{name}"
            );
        } else {
            let judged = model.beyond.iter().all(|it| it.feature.is_judged());
            assert_eq!(judged, row.verified, "{name} is judged");
        }
        let Ok(grounded) = grounded else {
            assert!(!row.optimal, "{name}");
            continue;
        };
        let instance = Instance::new(grounded);
        let best = optimal(&instance).solve(&instance, &mut Run::limit(1));
        let found = best.is_ok_and(|it| !it.answers.is_empty());
        assert_eq!(found, row.optimal, "{name} is planned optimally");
    }
}
