//! Every engine against the slow, obvious search, on small random problems.

mod both_ends;
mod cartesian;
mod classical;
mod delete_free;
mod judge;
mod oracle;
mod partial_order;
mod random_htn;
mod shorten;
mod sudoku;

use planoku_engine::{End, Engine, Run};

use crate::algorithms::{Linear, Order, Partial, Pick, Progression};
use crate::cost::Cost;
use crate::ground::{Derivation, Ground};
use crate::heuristics::Estimate;
use crate::instance::Instance;
use crate::random::Random;
use crate::search::Bound;

fn totally_ordered_engines() -> Vec<Box<dyn Engine<Instance, Answer = Derivation>>> {
    let mut engines: Vec<Box<dyn Engine<Instance, Answer = Derivation>>> = Vec::new();
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
        let ground = Instance::new(random_htn::ordered(seed));
        let Some(expected) = oracle::cheapest_ordered(&ground, 20_000) else {
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
                    assert!(cost_of(&ground, found) >= expected.unwrap());
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

/// The same problem with actions that cost by the seed.
fn priced(seed: u64) -> Ground {
    let mut ground = random_htn::ordered(seed);
    let mut random = Random::new(seed + 3);
    for action in &mut ground.actions {
        action.cost = price(&mut random, seed);
    }
    ground
}

/// What an action costs: by the seed small numbers, millions, numbers around
/// 2^63, or all of them in one problem.
pub(super) fn price(random: &mut Random, seed: u64) -> Cost {
    let small = random.below(5) as u64;
    let regime = match seed % 4 {
        3 => random.below(3) as u64,
        regime => regime,
    };
    let cost = Cost::from(small);
    match regime {
        0 => cost,
        1 => cost.saturating_mul(100_000_000),
        _ => cost.saturating_mul((1 << 63) + 12_345),
    }
}

fn cost_of(ground: &Ground, plan: &Derivation) -> Cost {
    let steps = plan.steps.iter();
    steps
        .map(|&(_, action)| ground.actions[action as usize].cost)
        .sum()
}

#[test]
fn the_optimal_plan_is_as_cheap_as_exhaustive_search_says() {
    let mut compared = 0;
    for seed in 0..600 {
        let ground = Instance::new(match seed % 3 {
            0 => random_htn::ordered(seed),
            _ => priced(seed),
        });
        let Some(Some(expected)) = oracle::cheapest_ordered(&ground, 20_000) else {
            continue;
        };
        for estimate in [Estimate::Blind, Estimate::Max, Estimate::LmCut] {
            for pick in [Pick::First, Pick::Fewest] {
                let engine = Progression {
                    estimate,
                    pick,
                    ..Progression::optimal()
                };
                let about = format!("seed {seed}, {estimate:?}");
                let mut run = Run::limit(1).with_nodes(50_000);
                let outcome = engine.solve(&ground, &mut run).unwrap();
                let Some(found) = outcome.answers.first() else {
                    // Free actions may be repeated for long.
                    assert!(matches!(outcome.end, End::Stopped(_)), "{about}");
                    continue;
                };
                judge::check(&ground, found);
                assert_eq!(cost_of(&ground, found), expected, "{about}");
                compared += 1;
                // Nothing cheaper is found, nor anything as cheap refused.
                for (bound, some) in [(expected, 0), (expected + Cost::ONE, 1)] {
                    let bounded = Progression {
                        bound: Bound::from(bound),
                        ..engine.clone()
                    };
                    let mut run = Run::limit(1).with_nodes(50_000);
                    let outcome = bounded.solve(&ground, &mut run).unwrap();
                    if !matches!(outcome.end, End::Stopped(_)) {
                        assert_eq!(outcome.answers.len(), some, "{about}, {bound:?}");
                    }
                }
            }
        }
    }
    assert!(compared > 600, "{compared}");
}

#[test]
fn further_plans_are_cheaper_and_the_last_is_cheapest() {
    for seed in 0..200 {
        let ground = Instance::new(priced(seed));
        let Some(Some(expected)) = oracle::cheapest_ordered(&ground, 5_000) else {
            continue;
        };
        let mut run = Run::all().with_nodes(20_000);
        let outcome = Progression::greedy(Estimate::Ff)
            .solve(&ground, &mut run)
            .unwrap();
        let costs: Vec<Cost> = outcome
            .answers
            .iter()
            .map(|it| cost_of(&ground, it))
            .collect();
        assert!(costs.windows(2).all(|pair| pair[0] > pair[1]), "{costs:?}");
        if outcome.end == End::Exhausted {
            assert_eq!(costs.last(), Some(&expected), "seed {seed}");
        }
    }
}
