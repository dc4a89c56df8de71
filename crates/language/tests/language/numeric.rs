//! Numbers: which models are numeric, what plans do to values, and what is
//! said where they do not fit.

use planoku_language::model::{Effect, Model, visit};
use planoku_language::plan::text;
use planoku_language::verify::{Rule, verify};

/// The texts of a problem of one action `go`.
fn texts(functions: &str, go: &str, init: &str, rest: &str) -> (String, String) {
    (
        format!(
            "(define (domain d) (:requirements :numeric-fluents) (:predicates (done) (p ?x))
             (:functions {functions}) (:action go :parameters (?x) {go}))"
        ),
        format!("(define (problem p) (:domain d) (:objects a b) (:init {init}) {rest})"),
    )
}

#[track_caller]
fn model(functions: &str, go: &str, init: &str, rest: &str) -> Model {
    let (domain, problem) = texts(functions, go, init, rest);
    let (model, found) = planoku_language::read(&domain, &problem);
    model.unwrap_or_else(|| panic!("{}", found.brief(&[("d", &domain), ("p", &problem)])))
}

/// Total cost is a sum of costs, or a function like others.
#[track_caller]
fn is_cost(expected: bool, effect: &str, init: &str, rest: &str) {
    let functions = "(total-cost) (price ?x) (fuel)";
    let model = model(functions, &format!(":effect {effect}"), init, rest);
    let mut costs = false;
    visit::effects(&model.actions[0].effect, &mut |effect| {
        costs |= matches!(effect, Effect::IncreaseCost(_));
    });
    assert_eq!(costs, expected, "{effect} {init} {rest}");
    assert_eq!(visit::first_number(&model).is_none(), expected);
    if rest.contains("minimize (total-cost)") {
        assert_eq!(
            (model.minimise_cost, model.metric.is_some()),
            (expected, !expected)
        );
    }
}

#[test]
fn total_cost_is_a_function_like_others_only_where_it_is_used_as_one() {
    let metric = "(:metric minimize (total-cost))";
    let plain = "(increase (total-cost) 1)";
    let priced = "(and (done) (increase (total-cost) (price ?x)))";
    is_cost(true, plain, "", metric);
    is_cost(true, plain, "(= (total-cost) 0)", metric);
    is_cost(true, plain, "", "");
    is_cost(true, priced, "(= (price a) 2.5)", metric);
    is_cost(false, plain, "(= (total-cost) 3)", metric);
    is_cost(false, priced, "(= (price a) -1)", metric);
    is_cost(false, plain, "", "(:metric maximize (total-cost))");
    is_cost(
        false,
        plain,
        "",
        "(:metric minimize (+ (total-cost) (fuel)))",
    );
    is_cost(false, plain, "", "(:goal (< (total-cost) 5))");
    is_cost(false, "(increase (total-cost) -1)", "", metric);
    is_cost(
        false,
        "(increase (total-cost) (* 2 (price ?x)))",
        "",
        metric,
    );
    is_cost(false, "(decrease (total-cost) 1)", "", metric);
    is_cost(false, "(when (done) (increase (total-cost) 1))", "", metric);
    let both = "(and (increase (total-cost) (price ?x)) (increase (price ?x) 1))";
    is_cost(false, both, "", metric);
}

/// What the verifier says of `(go a)` repeated so many times.
fn judged(model: &Model, times: usize) -> Result<String, (Rule, String)> {
    let plan = text::read(&"(go a)\n".repeat(times), model).unwrap();
    match verify(model, &plan) {
        Ok(verified) => Ok(verified.metric.map_or(String::new(), |it| it.to_string())),
        Err(broken) => Err((broken.rule, broken.reason)),
    }
}

#[test]
fn values_change_exactly_and_conditions_are_judged_by_them() {
    let go = ":precondition (>= (fuel ?x) 0.3)
        :effect (and (decrease (fuel ?x) 0.1) (increase (gone) (/ 1 3)))";
    let init = "(= (fuel a) 0.5) (= (gone) 0)";
    let rest = "(:goal (= (gone) 1)) (:metric maximize (+ (fuel a) (* 2 (gone))))";
    let model = model("(fuel ?x) (gone)", go, init, rest);
    // Three thirds are one, and three tenths are left for the third step.
    assert_eq!(judged(&model, 3), Ok("2.2".into()));
    let (rule, reason) = judged(&model, 2).unwrap_err();
    assert_eq!(rule, Rule::Goal);
    assert!(
        reason.ends_with("(= (gone) 1) does not hold: (gone) is 2/3"),
        "{reason}"
    );
    let (rule, reason) = judged(&model, 4).unwrap_err();
    assert_eq!(rule, Rule::Precondition);
    let wanted =
        "step 3 `go a` cannot be executed: (>= (fuel a) 0.3) does not hold: (fuel a) is 0.2";
    assert_eq!(reason, wanted);
}

#[test]
fn effects_read_the_state_before_and_add_up() {
    let go = ":effect (and (assign (f) (g)) (assign (g) (f)) (increase (h) 1)
        (forall (?y) (when (> (f) 1) (increase (h) (f)))))";
    let init = "(= (f) 1) (= (g) 2) (= (h) 0)";
    let goal = "(:goal (and (= (f) 2) (= (g) 1)))";
    let metric = "(:metric minimize (h))";
    let swap = model("(f) (g) (h)", go, init, &format!("{goal} {metric}"));
    assert_eq!(judged(&swap, 1), Ok("1".into()));
    // The third time f is 1 again; the second time it was 2, for a and for b.
    assert_eq!(judged(&swap, 3), Ok("7".into()));
}

#[test]
fn what_has_no_value_neither_compares_nor_counts() {
    for condition in [
        "(< (f ?x) 1)",
        "(not (< (f ?x) 1))",
        "(= (f ?x) (f ?x))",
        "(not (= (f ?x) 1))",
        "(> (/ 1 (- (f b) (f b))) 0)",
        "(forall (?y) (> (f ?y) 0))",
        "(forall (?y) (not (> (f ?y) 0)))",
        "(not (exists (?y) (> (f ?y) 0)))",
        "(imply (> (f ?x) 0) (done))",
    ] {
        let go = format!(":precondition {condition} :effect (done)");
        let found = judged(&model("(f ?x)", &go, "(= (f b) 1)", ""), 1);
        assert_eq!(
            found.map_err(|it| it.0),
            Err(Rule::Precondition),
            "{condition}"
        );
    }
    let exists = ":precondition (exists (?y) (> (f ?y) 0))";
    assert!(judged(&model("(f ?x)", exists, "(= (f b) 1)", ""), 1).is_ok());
}

#[test]
fn an_effect_that_has_no_result_makes_the_step_impossible() {
    for (effect, reason) in [
        (
            "(increase (f a) 1)",
            "its effect changes (f a), which has no value",
        ),
        (
            "(assign (f b) (f a))",
            "its effect reads (f a), which has no value",
        ),
        (
            "(and (assign (f b) 1) (increase (f b) 1))",
            "its effects change (f b) twice, and contradict each other",
        ),
        (
            "(forall (?y) (scale-up (f b) 2))",
            "its effects change (f b) twice, and contradict each other",
        ),
        ("(scale-down (f b) (- (f b) 1))", "(f b): division by 0"),
    ] {
        let model = model("(f ?x)", &format!(":effect {effect}"), "(= (f b) 1)", "");
        let (rule, found) = judged(&model, 1).unwrap_err();
        assert_eq!(rule, Rule::Effect, "{effect}");
        assert!(found.ends_with(reason), "{found}");
    }
    let assigned = ":effect (assign (f a) 1)";
    assert!(judged(&model("(f ?x)", assigned, "", ""), 1).is_ok());
}

#[test]
fn a_number_too_large_is_said_and_never_judged() {
    let go = ":precondition (> (f) 0) :effect (scale-up (f) (f))";
    let model = model("(f)", go, "(= (f) 1000)", "");
    assert!(judged(&model, 2).is_ok());
    let (rule, reason) = judged(&model, 9).unwrap_err();
    assert_eq!(rule, Rule::Number);
    assert!(
        reason.contains("too large to be judged exactly"),
        "{reason}"
    );
}
