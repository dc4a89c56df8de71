//! Every planner against the oracle on problems with fixed seeds, and the
//! generator, the oracle and the shrinker against what they promise.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use planoku_engine::Stop;
use planoku_torture::attempt::{Claim, Claimed, Report, names};
use planoku_torture::case::Case;
use planoku_torture::dice::Dice;
use planoku_torture::generate;
use planoku_torture::judge::{Kind, TEAM, too_slow};
use planoku_torture::oracle::{EFFORT, truth};
use planoku_torture::print::texts;
use planoku_torture::problem::{Amount, Price, Problem};
use planoku_torture::shapes::{SHAPES, shape};
use planoku_torture::shrink::shrink;

#[test]
fn nobody_says_anything_untrue_of_random_problems() {
    let (mut with, mut without, mut open) = (0, 0, 0);
    let mut plans = BTreeMap::<String, usize>::new();
    for seed in 0..150 {
        let mut case = Case::of(seed, 0);
        case.budget.nodes = Some(300);
        let (reports, findings) = case.examine(|_, attempt| attempt());
        if let Some(finding) = findings.first() {
            let (domain, problem) = texts(&case.problem);
            panic!("seed {seed}: {finding}\n{domain}\n{problem}");
        }
        match case.truth.exists {
            Some(true) => with += 1,
            Some(false) => without += 1,
            None => open += 1,
        }
        for report in reports {
            let found = matches!(report.claim, Claim::Plan(_));
            *plans.entry(report.planner).or_default() += usize::from(found);
        }
    }
    assert!(with > 40 && without > 30, "{with} with, {without} without");
    assert!(open < 20, "the oracle knows too little: {open}");
    let total: usize = plans.values().sum();
    let idle = plans.values().filter(|found| **found == 0).count();
    assert!(total > 400 && idle < 6, "{plans:?}");
}

#[test]
fn the_oracle_agrees_with_what_is_known_of_small_shapes() {
    let mut decided = 0;
    for seed in 0..200 {
        for name in SHAPES {
            let mut dice = Dice::seeded(seed);
            let size = 1 + dice.below(12);
            let (problem, known) = shape(name, size, &mut dice);
            let found = truth(&problem, 10 * EFFORT);
            if found.exists.is_some() {
                assert_eq!(found.exists, known.exists, "{name}, seed {seed}");
                decided += 1;
            }
            if let (Some(found), Some(known)) = (found.cheapest, known.cheapest) {
                assert_eq!(found, known, "{name}, seed {seed}");
            }
        }
    }
    assert!(decided > 1_200, "{decided}");
}

#[test]
fn every_shape_meets_every_planner_and_is_huge_now_and_then() {
    let rounds = names().len().div_ceil(6);
    let mut met = BTreeSet::new();
    let (mut steps, mut tasks, mut levels) = (0, 0, 0);
    for number in 0..rounds * SHAPES.len() {
        let block = number as u64;
        let case = Case::of(20 * block + (20 - block % 20) % 20, 20);
        let name = SHAPES[number % SHAPES.len()];
        met.extend(case.planners.into_iter().map(|planner| (name, planner)));
        let problem = case.problem;
        let top = problem
            .top
            .as_ref()
            .map_or(0, |it| it.network.subtasks.len());
        match name {
            "loop" => steps = steps.max(problem.objects.len()),
            "network" => tasks = tasks.max(top),
            "hierarchy" => levels = levels.max(problem.tasks.len()),
            _ => {}
        }
    }
    assert_eq!(met.len(), SHAPES.len() * names().len());
    assert!(tasks >= 10_000 && levels >= 10_000, "{tasks}, {levels}");
    assert!(steps >= 100_000, "{steps}");
}

#[test]
fn a_team_that_is_far_slower_than_a_member_is_found() {
    let report = |planner: &str, claim: Claim| Report {
        planner: planner.into(),
        claim,
        complete: true,
        nodes: 0,
        faults: vec![],
    };
    let plan = Claim::Plan(Claimed {
        steps: vec![],
        cost: None,
        verified: Ok("0".into()),
        cheapest: false,
    });
    let reports = [
        report("ground", Claim::GaveUp),
        report("portfolio", Claim::Stopped(Stop::Time)),
        report("sat", plan),
    ];
    let after = |team: u64| {
        let used = [5, team, 5].map(Duration::from_millis);
        too_slow(&reports, &used).map(|finding| finding.kind)
    };
    assert_eq!(after(500), None);
    assert_eq!(after(10_000), Some(Kind::Slow));
    assert!(TEAM.iter().all(|name| names().iter().any(|it| it == name)));
}

#[test]
fn a_finding_is_shrunk_to_what_shows_it() {
    // What is looked for: an action dearer than 2^40.
    let dear = |problem: &Problem| {
        let mut prices = problem.actions.iter().map(|action| &action.price);
        prices.any(|price| matches!(price, Some(Price::Number(it)) if it.0 > Amount::ONE << 40))
    };
    let mut shrunk = 0;
    for seed in 0..300 {
        let problem = generate::problem(&mut Dice::seeded(seed), 2);
        if dear(&problem) {
            let small = shrink(&problem, dear, || true);
            assert!(dear(&small));
            assert_eq!(small.actions.len(), 1, "seed {seed}");
            assert!(small.actions[0].effects.is_empty(), "seed {seed}");
            assert!(small.actions[0].condition.is_empty(), "seed {seed}");
            assert!(small.methods.is_empty() && small.tasks.is_empty());
            assert!(small.init.is_empty() && small.goal.is_empty());
            shrunk += 1;
        }
    }
    assert!(shrunk > 50, "{shrunk}");
}

#[test]
fn amounts_are_exact_decimals() {
    for (text, millionths) in [
        ("0", 0),
        ("0.5", 500_000),
        ("18446744073709551615", u128::from(u64::MAX) * Amount::ONE),
        ("3.000001", 3_000_001),
    ] {
        assert_eq!(Amount::read(text), Some(Amount(millionths)));
        assert_eq!(Amount(millionths).to_string(), text);
    }
    assert_eq!(Amount::read("1.0000001"), None);
    assert_eq!(Amount::read("x"), None);
}

#[test]
fn nobody_says_anything_untrue_of_random_numbers() {
    let (mut with, mut without) = (0, 0);
    let mut plans = BTreeMap::<String, usize>::new();
    for seed in 0..120 {
        let problem = generate::numeric(&mut Dice::seeded(seed), (seed % 3) as usize);
        let mut case = Case::small(problem, None);
        case.budget.nodes = Some(300);
        let (reports, findings) = case.examine(|_, attempt| attempt());
        if let Some(finding) = findings.first() {
            let (domain, problem) = texts(&case.problem);
            panic!("seed {seed}: {finding}\n{domain}\n{problem}");
        }
        match case.truth.exists {
            Some(true) => with += 1,
            Some(false) => without += 1,
            None => {}
        }
        for report in reports {
            let found = matches!(report.claim, Claim::Plan(_));
            *plans.entry(report.planner).or_default() += usize::from(found);
        }
    }
    assert!(with > 40 && without > 15, "{with} with, {without} without");
    assert!(plans["strips-max"] > 10 && plans["htn-ff"] > 5, "{plans:?}");
}
