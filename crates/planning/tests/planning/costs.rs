//! Costs of any size and with decimals: no engine takes "dear" for "dead", no
//! sum wraps, and nobody is told a cost that the verifier did not add up.

use planoku_engine::{End, Engine, Run};
use planoku_planning::Instance;
use planoku_planning::anytime::Anytime;
use planoku_planning::cost::Cost;
use planoku_planning::ground::ground;
use planoku_planning::model::Model;
use planoku_planning::plan::{Plan, text};
use planoku_planning::planners::{optimal, planners};
use planoku_planning::portfolio::Portfolio;
use planoku_planning::verify::{Rule, verify};
use planoku_planning::{read, search::Lifted};

/// A walk along `steps` places, each step at this cost.
fn chain(steps: usize, cost: &str) -> Model {
    let domain = format!(
        "(define (domain chain) (:requirements :strips :action-costs)
           (:predicates (at ?x) (next ?x ?y))
           (:functions (total-cost) - number)
           (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
             :effect (and (at ?y) (not (at ?x)) (increase (total-cost) {cost}))))"
    );
    let places: String = (0..=steps).map(|it| format!(" p{it}")).collect();
    let next = (0..steps).map(|it| format!("(next p{it} p{})", it + 1));
    let problem = format!(
        "(define (problem p) (:domain chain) (:objects{places})
           (:init (at p0) {} (= (total-cost) 0))
           (:goal (at p{steps})) (:metric minimize (total-cost)))",
        next.collect::<String>()
    );
    read(&domain, &problem).0.expect("a model")
}

/// A task done by one action of cost `one`, or by two of cost `half`.
fn choice(one: &str, half: &str) -> [Model; 2] {
    let classical = format!(
        "(define (domain two) (:predicates (s) (m) (g)) (:functions (total-cost) - number)
           (:action direct :parameters () :precondition (s)
             :effect (and (g) (increase (total-cost) {one})))
           (:action first :parameters () :precondition (s)
             :effect (and (m) (increase (total-cost) {half})))
           (:action second :parameters () :precondition (m)
             :effect (and (g) (increase (total-cost) {half}))))"
    );
    let hierarchical = format!(
        "(define (domain two) (:requirements :hierarchy) (:predicates (s) (g))
           (:functions (total-cost) - number)
           (:task t :parameters ())
           (:method at-once :parameters () :task (t) :ordered-subtasks (and (direct)))
           (:method by-halves :parameters () :task (t) :ordered-subtasks (and (half) (half)))
           (:action direct :parameters () :effect (and (g) (increase (total-cost) {one})))
           (:action half :parameters () :effect (and (g) (increase (total-cost) {half}))))"
    );
    let problem = |what: &str| {
        format!(
            "(define (problem p) (:domain two) {what} (:init (s) (= (total-cost) 0))
               (:goal (g)) (:metric minimize (total-cost)))"
        )
    };
    [
        read(&classical, &problem("")).0.expect("a model"),
        read(
            &hierarchical,
            &problem("(:htn :ordered-subtasks (and (t)))"),
        )
        .0
        .expect("a model"),
    ]
}

/// Every planner's plan is verified, cost included, and the optimal ones' and
/// the last of the improved ones cost what is expected.
#[track_caller]
fn check(model: &Model, cheapest: &str) {
    let best = model.scale.read(cheapest).unwrap();
    let problem = Instance::new(ground(model, &mut Run::default()).expect("grounded"));
    for engine in planners() {
        let name = engine.profile().name;
        let Ok(outcome) = engine.solve(&problem, &mut Run::limit(1).with_nodes(10_000)) else {
            continue;
        };
        assert_ne!(
            (outcome.answers.len(), outcome.end),
            (0, End::Exhausted),
            "{name} takes dear for dead"
        );
        for found in &outcome.answers {
            let plan = found.plan(&problem).unwrap();
            let verified = verify(model, &plan).unwrap_or_else(|it| panic!("{name}: {it}"));
            assert!(verified.cost >= best, "{name}");
        }
    }
    let found = optimal(&problem).solve(&problem, &mut Run::limit(1));
    let plan = found.unwrap().answers[0].plan(&problem).unwrap();
    assert_eq!(plan.cost, Some(best));
    assert_eq!(model.show_cost(best).to_string(), cheapest);
    let outcome = Anytime::default().solve(model, &mut Run::all()).unwrap();
    assert_eq!(outcome.end, End::Exhausted, "proved cheapest");
    assert_eq!(outcome.answers.last().unwrap().cost, Some(best));
    let outcome = Portfolio::default().solve(model, &mut Run::limit(1));
    verify(model, &outcome.unwrap().answers[0]).unwrap();
}

// Fifty steps of 10^8 were "proved" impossible: the estimate had reached 2^32.
#[test]
fn fifty_steps_of_a_hundred_million_are_a_plan() {
    check(&chain(50, "100000000"), "5000000000");
}

// The largest number of 64 bits was taken for "no bound" and "never reached".
#[test]
fn an_action_may_cost_all_that_64_bits_hold() {
    check(&chain(1, "18446744073709551615"), "18446744073709551615");
}

// Two steps of 2^63 were said to cost 0, and proved cheapest.
#[test]
fn sums_beyond_64_bits_are_exact() {
    check(&chain(2, "9223372036854775808"), "18446744073709551616");
    check(
        &chain(40, "999999999999999999999"),
        "39999999999999999999960",
    );
}

// Beyond 2^32 the keys of A* were all alike.
#[test]
fn five_billion_is_cheaper_than_six() {
    for model in choice("6000000000", "2500000000") {
        check(&model, "5000000000");
    }
    for model in choice("36893488147419103233", "18446744073709551616") {
        check(&model, "36893488147419103232");
    }
}

#[test]
fn decimals_are_exact_and_shown_as_they_were_written() {
    check(&chain(3, "0.1"), "0.3");
    check(&chain(4, "1.250"), "5");
    for model in choice("0.3", "0.1") {
        check(&model, "0.2");
    }
    for model in choice("2.00000000000000000001", "1") {
        check(&model, "2");
    }
    let model = &choice("1.25", "0.5")[1];
    let plan = Lifted::default().solve(model, &mut Run::limit(1)).unwrap();
    verify(model, &plan.answers[0]).unwrap();
}

#[test]
fn a_cost_that_a_plan_states_is_judged() {
    let model = chain(2, "0.1");
    let steps = "(go p0 p1)\n(go p1 p2)\n";
    let judge = |said: &str| {
        let plan = text::read(&format!("{steps}{said}\n"), &model).map_err(|it| it.to_string());
        plan.map(|plan| {
            verify(&model, &plan)
                .map(|it| it.cost)
                .map_err(|it| it.rule)
        })
    };
    let right = Ok(Ok(Cost::of_units(2)));
    assert_eq!(judge(""), right);
    assert_eq!(judge("; cost = 0.2"), right);
    assert_eq!(judge(";cost = 0.20"), right);
    // Fast Downward's word for the number of steps.
    assert_eq!(judge("; cost = 2 (unit cost)"), right);
    assert_eq!(judge("; cost = 2"), Ok(Err(Rule::Cost)));
    assert_eq!(judge("; cost = 0"), Ok(Err(Rule::Cost)));
    let error = judge("; cost = 0.25").unwrap_err();
    assert!(error.starts_with("3:10: "), "{error}");
    // What is written is read back.
    let plan = text::read(steps, &model).unwrap();
    let cost = Some(Cost::of_units(2));
    let written = Plan { cost, ..plan }.text(&model);
    assert!(written.ends_with("; cost = 0.2\n"), "{written}");
    assert_eq!(text::read(&written, &model).unwrap().cost, cost);
}

#[test]
fn a_planner_that_adds_up_wrongly_is_found_out() {
    let model = chain(2, "3");
    let plan = text::read("(go p0 p1)\n(go p1 p2)\n", &model).unwrap();
    let claims = |cost| Plan {
        cost: Some(cost),
        ..plan.clone()
    };
    assert!(verify(&model, &claims(Cost::from(6))).is_ok());
    let broken = verify(&model, &claims(Cost::from(5))).unwrap_err();
    assert_eq!(broken.rule, Rule::Cost);
    assert!(broken.reason.contains("cost 5"), "{broken}");
    assert!(broken.reason.contains("cost 6"), "{broken}");
}

#[test]
fn what_cannot_be_a_cost_is_refused_where_it_stands() {
    let domain = |effect: &str| {
        format!(
            "(define (domain d) (:predicates (p) (q ?x)) (:functions (total-cost) (f ?x))\n\
             (:action a :parameters (?y) :effect (and (p)\n {effect})))"
        )
    };
    let problem = |init: &str| {
        format!("(define (problem p) (:domain d) (:objects o)\n(:init {init}) (:goal (p)))")
    };
    let increase = |amount: &str| domain(&format!("(increase (total-cost) {amount})"));
    let most = "9".repeat(27);
    for (domain, problem, place) in [
        (increase(&format!("{most}0")), problem(""), Some((0, "999"))),
        (increase(&most), problem(""), None),
        (increase(&most), problem("(= (f o) 0.5)"), Some((0, "999"))),
        (increase("0.1"), problem("(= (f o) 3.00)"), None),
        (increase("(f ?y)"), problem("(= (f o) 1) (= (f o) 1)"), None),
        (
            increase("(f ?y)"),
            problem("(= (f o) 1) (= (f o) 2)"),
            Some((1, "(= (f o) 2)")),
        ),
    ] {
        let (model, diagnostics) = read(&domain, &problem);
        match place {
            None => assert!(model.is_some(), "{domain} {problem}"),
            Some((file, wanted)) => {
                assert!(model.is_none(), "{domain} {problem}");
                let first = &diagnostics.list[0];
                let text = [&domain, &problem][file];
                let found = &text[first.span.start as usize..];
                assert_eq!(first.span.file as usize, file, "{first:?}");
                assert!(found.starts_with(wanted), "{found}: {first:?}");
            }
        }
    }
}

// Costs of these kinds were refused before total cost could be a number like
// others.
#[test]
fn what_is_more_than_a_sum_of_costs_is_a_number_like_others() {
    for (effect, init) in [
        ("(increase (total-cost) -1)", ""),
        ("(increase (total-cost) (f ?y))", "(= (f o) -0.1)"),
        ("(increase (total-cost) 1)", "(= (total-cost) 7)"),
        ("(increase (total-cost) (total-cost))", ""),
        ("(when (p) (increase (total-cost) 1))", ""),
        ("(forall (?z) (increase (total-cost) 1))", ""),
    ] {
        let domain = format!(
            "(define (domain d) (:predicates (p) (q ?x)) (:functions (total-cost) (f ?x))
             (:action a :parameters (?y) :effect (and (p) {effect})))"
        );
        let problem = format!(
            "(define (problem p) (:domain d) (:objects o) (:init {init}) (:goal (p))
             (:metric minimize (total-cost)))"
        );
        let model = read(&domain, &problem).0.expect(effect);
        assert!(!model.minimise_cost && model.metric.is_some(), "{effect}");
    }
}
