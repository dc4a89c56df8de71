//! Good plans pass, spoilt plans fail for the right reason.

use super::*;
use crate::plan::text;
use crate::read;

const DELIVERY: &str = "(define (domain delivery)
  (:types place truck parcel - object)
  (:predicates (road ?a ?b - place) (at ?x - object ?p - place) (in ?p - parcel ?t - truck))
  (:task deliver :parameters (?p - parcel ?to - place))
  (:task go :parameters (?t - truck ?to - place))
  (:method m-deliver :parameters (?p - parcel ?from ?to - place ?t - truck)
    :task (deliver ?p ?to) :precondition (at ?p ?from)
    :ordered-subtasks (and (go ?t ?from) (load ?p ?t ?from) (go ?t ?to) (unload ?p ?t ?to)))
  (:method m-here :parameters (?t - truck ?to - place) :task (go ?t ?to)
    :precondition (at ?t ?to) :ordered-subtasks (and))
  (:method m-drive :parameters (?t - truck ?via ?to - place) :task (go ?t ?to)
    :ordered-subtasks (and (go ?t ?via) (drive ?t ?via ?to)))
  (:action drive :parameters (?t - truck ?a ?b - place) :precondition (and (at ?t ?a) (road ?a ?b))
    :effect (and (not (at ?t ?a)) (at ?t ?b)))
  (:action load :parameters (?p - parcel ?t - truck ?a - place) :precondition (and (at ?t ?a) (at ?p ?a))
    :effect (and (not (at ?p ?a)) (in ?p ?t)))
  (:action unload :parameters (?p - parcel ?t - truck ?a - place) :precondition (and (at ?t ?a) (in ?p ?t))
    :effect (and (not (in ?p ?t)) (at ?p ?a))))";

const TOWN: &str = "(define (problem town) (:domain delivery)
  (:objects a b c - place t u - truck p q - parcel)
  (:htn :ordered-subtasks (and (deliver p c) (deliver q c)))
  (:init (road a b) (road b a) (road b c) (road c b) (at t a) (at u c) (at p b) (at q a))
  (:goal (and (at p c) (at q c))))";

const GOOD: &str = "some planner says
==>
0 drive t a b
1 load p t b
2 drive t b c
3 unload p t c
4 drive t c b
5 drive t b a
6 load q t a
7 drive t a b
8 drive t b c
9 unload q t c
root 10 20
10 deliver p c -> m-deliver 11 1 13 3
11 go t b -> m-drive 12 0
12 go t a -> m-here
13 go t c -> m-drive 14 2
14 go t b -> m-here
20 deliver q c -> m-deliver 21 6 24 9
21 go t a -> m-drive 22 5
22 go t b -> m-drive 23 4
23 go t c -> m-here
24 go t c -> m-drive 25 8
25 go t b -> m-drive 26 7
26 go t a -> m-here
<==
the end";

fn model(domain: &str, problem: &str) -> Model {
    let (model, diagnostics) = read(domain, problem);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn judge_text(model: &Model, plan: &str) -> Result<Verified, Broken> {
    verify(model, &text::read(plan, model).unwrap())
}

#[track_caller]
fn check(change: (&str, &str), rule: Rule, says: &str) {
    let model = model(DELIVERY, TOWN);
    assert!(GOOD.contains(change.0));
    let broken = judge_text(&model, &GOOD.replace(change.0, change.1)).unwrap_err();
    assert_eq!(broken.rule, rule, "{broken}");
    assert!(broken.reason.contains(says), "{broken}");
}

#[test]
fn a_good_plan_is_accepted() {
    let verified = judge_text(&model(DELIVERY, TOWN), GOOD).unwrap();
    assert_eq!(
        (verified.steps, verified.tasks, verified.cost),
        (10, 12, Cost::from(10))
    );
}

#[test]
fn children_may_be_listed_in_any_order() {
    let other = GOOD.replace("m-deliver 11 1 13 3", "m-deliver 3 13 1 11");
    judge_text(&model(DELIVERY, TOWN), &other).unwrap();
}

#[test]
fn a_dropped_step_leaves_a_child_without_meaning() {
    check(("1 load p t b\n", ""), Rule::UnknownId, "id 1");
}

#[test]
fn a_swapped_step_cannot_be_executed() {
    check(
        (
            "0 drive t a b\n1 load p t b\n",
            "1 load p t b\n0 drive t a b\n",
        ),
        Rule::Precondition,
        "step 0 `load p t b` cannot be executed: (at t b) does not hold",
    );
}

#[test]
fn a_changed_argument_breaks_a_type_or_a_method() {
    check(
        ("1 load p t b", "1 load p t t"),
        Rule::Arguments,
        "`?a` cannot be `t`",
    );
    check(
        ("12 go t a -> m-here", "12 go t c -> m-here"),
        Rule::Variables,
        "step 0 `drive t a b` does not fit subtask 2",
    );
}

#[test]
fn a_cut_decomposition_leaves_ids_that_hang_nowhere() {
    check(
        ("11 go t b -> m-drive 12 0", "11 go t b -> m-drive 0"),
        Rule::Usage,
        "12",
    );
    check(
        ("root 10 20", "root 10"),
        Rule::Usage,
        "not part of the refinement",
    );
}

#[test]
fn a_duplicate_id_is_named() {
    check(
        ("2 drive t b c", "1 drive t b c"),
        Rule::DuplicateId,
        "id 1",
    );
    check(
        ("m-deliver 11 1 13 3", "m-deliver 11 1 1 3"),
        Rule::Usage,
        "id 1, step 1, is used twice",
    );
}

#[test]
fn a_wrong_method_is_named() {
    check(
        ("14 go t b -> m-here", "14 go t b -> m-deliver"),
        Rule::Subtasks,
        "the method is for `deliver`",
    );
    check(
        ("26 go t a -> m-here", "26 go t a -> m-drive"),
        Rule::Subtasks,
        "2 subtasks",
    );
}

#[test]
fn an_empty_task_needs_its_precondition_at_its_place() {
    // The truck u is at c; the plan claims it is at b when the task is due.
    let problem = TOWN.replace("(deliver p c) (deliver q c)", "(go u c) (go t b) (go u b)");
    let problem = problem.replace("(:goal (and (at p c) (at q c)))", "");
    let model = model(DELIVERY, &problem);
    let plan = |last: &str| {
        format!(
            "==>\n0 drive t a b\nroot 1 2 4\n1 go u c -> m-here\n2 go t b -> m-drive 3 0\n3 go t a -> m-here\n{last}\n<==\n"
        )
    };
    let broken = judge_text(&model, &plan("4 go u b -> m-here")).unwrap_err();
    assert_eq!(broken.rule, Rule::MethodPrecondition, "{broken}");
    assert_eq!(broken.id, Some(4));
}

#[test]
fn steps_out_of_the_order_of_the_network_are_found() {
    let problem = TOWN
        .replace("(deliver p c) (deliver q c)", "(go t b) (go u b)")
        .replace("(:goal (and (at p c) (at q c)))", "");
    let model = model(DELIVERY, &problem);
    let plan = "==>\n0 drive u c b\n1 drive t a b\nroot 2 4\n2 go t b -> m-drive 3 1\n3 go t a -> m-here\n4 go u b -> m-drive 5 0\n5 go u c -> m-here\n<==";
    let broken = judge_text(&model, plan).unwrap_err();
    assert_eq!(broken.rule, Rule::Ordering, "{broken}");
    // Without an order the same steps are a plan.
    let free = problem.replace(":ordered-subtasks (and (go t b)", ":subtasks (and (go t b)");
    let (free, _) = read(DELIVERY, &free);
    judge_text(&free.unwrap(), plan).unwrap();
}

#[test]
fn the_goal_is_enforced_beside_the_network() {
    let problem = TOWN.replace("(at q c))))", "(at q b))))");
    let broken = judge_text(&model(DELIVERY, &problem), GOOD).unwrap_err();
    assert_eq!(broken.rule, Rule::Goal);
    assert!(broken.reason.contains("(at q b)"), "{broken}");
}

#[test]
fn unknown_names_are_located() {
    let model = model(DELIVERY, TOWN);
    let error = text::read(&GOOD.replace("1 load p t b", "1 load x t b"), &model).unwrap_err();
    assert_eq!((error.line, error.column), (4, 8));
    assert!(
        error
            .message
            .contains("expected an object of the model, found `x`"),
        "{error}"
    );
    assert!(text::read("nothing here", &model).is_err());
    assert!(text::read("==>\n", &model).is_err());
}

/// pandaPIparser's `-c` leaves the last arrow out.
#[test]
fn a_plan_may_end_with_its_text() {
    let model = model(DELIVERY, TOWN);
    let (bare, _) = GOOD.split_once("<==").unwrap();
    assert_eq!(text::read(bare, &model), text::read(GOOD, &model));
    // A plan that was cut short is still no plan.
    let (cut, _) = bare.split_once("26 go").unwrap();
    assert!(judge_text(&model, cut).is_err());
}

/// Every way in which the planners around us print the same list of actions.
#[test]
fn lists_of_actions_are_read_as_planners_print_them() {
    let free = TOWN.replace(
        "(:htn :ordered-subtasks (and (deliver p c) (deliver q c)))",
        "",
    );
    let model = model(DELIVERY, &free);
    let wanted = text::read("(drive t a b)\n(load p t b)\n", &model).unwrap();
    let same = [
        ("bare words", "drive t a b\nload p t b"),
        (
            "upper case, no end of line",
            "(DRIVE T A B)\r\n  (Load P t B)",
        ),
        ("VAL", "0: (drive t a b) [1]\n1: (load p t b) [1]\n"),
        (
            "times out of order",
            "1.001: (load p t b) [0.001]\n0.000: (drive t a b)\n",
        ),
        ("no blank after the time", "0:(drive t a b)\n1:(load p t b)"),
        ("several a line", "0: (drive t a b) (load p t b)"),
        (
            "FF",
            "ff: parsing domain file\ndomain 'DELIVERY' defined\n ... done.\n\n\nff: found legal plan \
             as follows\n\nstep    0: DRIVE T A B\n        1: LOAD P T B\n        2: REACH-GOAL\n     \n\n\
             time spent:    0.00 seconds instantiating 12 easy, 0 hard action templates\n",
        ),
        (
            "Fast Downward's file",
            "(drive t a b)\n(load p t b)\n; cost = 2 (unit cost)\n",
        ),
        ("Fast Downward's log", "drive t a b (1)\nload p t b (1)"),
        (
            "unified-planning",
            "SequentialPlan:\n    drive(t, a, b)\n    load(p, t, b)",
        ),
        (
            "its repr",
            "SequentialPlan([drive(t, a, b), load(p, t, b)])",
        ),
        ("older ones", "[drive(t, a, b), load(p, t, b)]"),
        (
            "its times",
            "TimeTriggeredPlan:\n    0.0: drive(t, a, b) [1.0]\n    1.01: load(p, t, b) [1.0]",
        ),
        (
            "its hierarchical plans",
            "# Action Plan\nSequentialPlan:\n    drive(t, a, b)\n    load(p, t, b)\n\
             # Decomposition\n_t1 -> m-deliver(p, b, c, t)",
        ),
    ];
    for (what, plan) in same {
        let read = text::read_any(plan, &model).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(read.plan.steps, wanted.steps, "{what}");
        assert!(read.flat);
    }
    assert_eq!(text::read_any(same[3].1, &model).unwrap().lines[&0], 2);
    let cost = text::read_any(same[7].1, &model).unwrap().plan.cost;
    assert_eq!(cost, Some(Cost::from(2)));
}

#[test]
fn what_is_no_list_of_actions_is_refused_where_it_stands() {
    let free = TOWN.replace(
        "(:htn :ordered-subtasks (and (deliver p c) (deliver q c)))",
        "",
    );
    let model = model(DELIVERY, &free);
    let bad = [
        (
            "(drive t a b)\n(drvie t b c)",
            (2, 2),
            "found `drvie`; did you mean `drive`?",
        ),
        (
            "  drive t a\n0: load p t x",
            (2, 13),
            "expected an object of the model, found `x`",
        ),
        (
            "0: (drive t a b",
            (1, 16),
            "expected `)`, found the end of the line",
        ),
        ("(drive t (a b))", (1, 10), "expected `)`, found `(`"),
        ("()", (1, 1), "expected an action after `(`, found `)`"),
        (
            "1:\n",
            (1, 1),
            "expected an action after `1:`, found nothing",
        ),
        ("(deliver p c)", (1, 2), "found the compound task `deliver`"),
        (") drive", (1, 1), "expected an action, found `)`"),
        (
            "PartialOrderPlan:\n  actions:",
            (1, 1),
            "a partially ordered plan",
        ),
        ("; cost = much", (1, 10), "expected a cost, found `much`"),
        ("drïve\u{1F69A}(t", (1, 9), "expected `)`"),
    ];
    for (text, place, says) in bad {
        let error = text::read_any(text, &model).unwrap_err();
        assert_eq!((error.line, error.column), place, "{text}: {error}");
        assert!(error.message.contains(says), "{text}: {error}");
    }
}

#[test]
fn plans_survive_writing_and_reading() {
    let model = model(DELIVERY, TOWN);
    let plan = text::read(GOOD, &model).unwrap();
    let again = text::read(&plan.text(&model), &model).unwrap();
    assert_eq!(plan, again);
}

const LIGHTS: &str = "(define (domain lights) (:predicates (on ?x) (near ?x ?y) (bright))
  (:functions (total-cost) (price ?x))
  (:derived (bright) (forall (?x) (on ?x)))
  (:action toggle :parameters (?x) :precondition (not (bright))
    :effect (and (increase (total-cost) (price ?x)) (forall (?y) (when (and (near ?x ?y) (on ?y)) (not (on ?y))))
      (forall (?y) (when (and (near ?x ?y) (not (on ?y))) (on ?y))))))";

#[test]
fn classical_plans_with_conditional_effects_and_derived_goals() {
    let model = model(
        LIGHTS,
        "(define (problem l) (:domain lights) (:objects a b c)
          (:init (near a a) (near a b) (near b a) (near b b) (near b c) (near c b) (near c c) (on b)
            (= (total-cost) 0) (= (price a) 3) (= (price b) 4) (= (price c) 5))
          (:goal (bright)) (:metric minimize (total-cost)))",
    );
    let broken = judge_text(&model, "0: (TOGGLE a) ; not enough\n").unwrap_err();
    assert_eq!(broken.rule, Rule::Goal);
    // a: on a, off b; c: on b, on c: everything is on.
    let verified = judge_text(&model, "(toggle a)\n(toggle c)\n").unwrap();
    assert_eq!((verified.steps, verified.cost), (2, Cost::from(8)));
    let broken = judge_text(&model, "(toggle a)\n(toggle c)\n(toggle c)").unwrap_err();
    assert_eq!(broken.rule, Rule::Precondition);
}

/// Spoils the good plan in every place and way; a spoilt plan that passes must
/// still be a plan, which no single change here allows.
#[test]
fn every_mutation_of_a_plan_is_rejected() {
    let model = model(DELIVERY, TOWN);
    let good = text::read(GOOD, &model).unwrap();
    let mut count = 0;
    let mut reject = |plan: &Plan, allowed: &[Rule], what: String| {
        count += 1;
        match verify(&model, plan) {
            Ok(_) => panic!("{what} passes"),
            Err(broken) => assert!(allowed.contains(&broken.rule), "{what}: {broken}"),
        }
    };
    for at in 0..good.steps.len() {
        let mut plan = good.clone();
        plan.steps.remove(at);
        reject(&plan, &[Rule::UnknownId], format!("dropping step {at}"));
        for other in at + 1..good.steps.len() {
            let mut plan = good.clone();
            plan.steps.swap(at, other);
            let rules = [Rule::Precondition, Rule::Ordering];
            reject(&plan, &rules, format!("swapping {at} and {other}"));
            let mut plan = good.clone();
            plan.steps[other].id = plan.steps[at].id;
            reject(
                &plan,
                &[Rule::DuplicateId],
                format!("doubling the id of {at}"),
            );
        }
        for place in 0..good.steps[at].arguments.len() {
            for object in 0..model.objects.len() as u32 {
                if good.steps[at].arguments[place] != ObjectId(object) {
                    let mut plan = good.clone();
                    plan.steps[at].arguments[place] = ObjectId(object);
                    let rules = [
                        Rule::Arguments,
                        Rule::Precondition,
                        Rule::Variables,
                        Rule::Goal,
                    ];
                    reject(
                        &plan,
                        &rules,
                        format!("changing argument {place} of step {at}"),
                    );
                }
            }
        }
    }
    for at in 0..good.decompositions.len() {
        let mut plan = good.clone();
        plan.decompositions.remove(at);
        reject(&plan, &[Rule::UnknownId], format!("cutting task {at}"));
        for child in 0..good.decompositions[at].children.len() {
            let mut plan = good.clone();
            plan.decompositions[at].children.remove(child);
            reject(
                &plan,
                &[Rule::Usage],
                format!("cutting child {child} of {at}"),
            );
        }
    }
    assert!(count > 200);
}
