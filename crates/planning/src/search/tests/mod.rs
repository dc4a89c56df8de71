//! Every engine against the slow, obvious search, on small random problems.

mod classical;
mod delete_free;
mod judge;
mod oracle;
mod partial_order;
mod random_htn;
mod sudoku;

use planoku_engine::{End, Engine, Run};

use crate::ground::{Derivation, Ground};
use crate::search::{Estimate, Linear, Order, Partial, Pick, Progression};

fn totally_ordered_engines() -> Vec<Box<dyn Engine<Ground, Answer = Derivation>>> {
    let mut engines: Vec<Box<dyn Engine<Ground, Answer = Derivation>>> = Vec::new();
    for estimate in [Estimate::Blind, Estimate::Add, Estimate::Ff] {
        for (order, pick, horizon) in [
            (Order::Greedy, Pick::First, 0),
            (Order::Greedy, Pick::First, 100),
            (Order::Depth, Pick::Fewest, 100),
        ] {
            engines.push(Box::new(Progression {
                order,
                pick,
                horizon,
                seed: u64::from(order == Order::Depth),
                ..Progression::greedy(estimate)
            }));
        }
    }
    engines.push(Box::new(Progression::lazy()));
    engines.push(Box::new(Partial::default()));
    engines.push(Box::new(Linear {
        name: "linear",
        engine: Progression::greedy(Estimate::Ff),
    }));
    engines
}

#[test]
fn a_plan_is_found_exactly_where_exhaustive_search_finds_one() {
    let (mut with, mut without, mut astray) = (0, 0, 0);
    for seed in 0..400 {
        let ground = random_htn::ordered(seed);
        let Some(expected) = oracle::shortest_ordered(&ground, 20_000) else {
            continue;
        };
        *if expected.is_some() {
            &mut with
        } else {
            &mut without
        } += 1;
        for engine in totally_ordered_engines() {
            let name = engine.profile().name;
            let mut run = Run::limit(1).with_nodes(50_000);
            let outcome = engine.solve(&ground, &mut run).unwrap();
            match outcome.answers.first() {
                Some(found) => {
                    judge::check(&ground, found);
                    assert!(expected.is_some(), "{name}, seed {seed}: a plan of nothing");
                    assert!(found.steps.len() >= expected.unwrap());
                }
                None if expected.is_none() => {
                    assert_ne!(outcome.end, End::Incomplete, "{name}, seed {seed}");
                }
                // Without an estimate, recursion may lead it astray.
                None if matches!(outcome.end, End::Stopped(_)) => astray += 1,
                None => panic!("{name}, seed {seed}: no plan, {:?}", outcome.end),
            }
        }
    }
    assert!(astray < with / 10, "{astray} of {with}");
    assert!(with > 50 && without > 50, "{with} with, {without} without");
}

#[test]
fn the_optimal_plan_is_as_short_as_exhaustive_search_says() {
    let mut compared = 0;
    for seed in 0..400 {
        let ground = random_htn::ordered(seed);
        let Some(Some(expected)) = oracle::shortest_ordered(&ground, 20_000) else {
            continue;
        };
        for estimate in [Estimate::Blind, Estimate::Max, Estimate::LmCut] {
            for pick in [Pick::First, Pick::Fewest] {
                let engine = Progression {
                    estimate,
                    pick,
                    ..Progression::optimal()
                };
                let mut run = Run::limit(1).with_nodes(50_000);
                let outcome = engine.solve(&ground, &mut run).unwrap();
                let found = outcome.answers.first().expect("within the budget");
                judge::check(&ground, found);
                assert_eq!(found.steps.len(), expected, "seed {seed}, {estimate:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn further_plans_are_cheaper_and_the_last_is_cheapest() {
    for seed in 0..200 {
        let ground = random_htn::ordered(seed);
        let Some(Some(expected)) = oracle::shortest_ordered(&ground, 5_000) else {
            continue;
        };
        let mut run = Run::all().with_nodes(20_000);
        let outcome = Progression::greedy(Estimate::Ff)
            .solve(&ground, &mut run)
            .unwrap();
        let lengths: Vec<usize> = outcome.answers.iter().map(|it| it.steps.len()).collect();
        assert!(
            lengths.windows(2).all(|pair| pair[0] > pair[1]),
            "{lengths:?}"
        );
        if outcome.end == End::Exhausted {
            assert_eq!(lengths.last(), Some(&expected), "seed {seed}");
        }
    }
}
