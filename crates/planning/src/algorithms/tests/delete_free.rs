//! Cheapest plans without deletes, judged by trying every set of actions.

use planoku_engine::{End, Engine, Run};

use crate::algorithms::{Classical, DeleteFree};
use crate::cost::Cost;
use crate::ground::{Axiom, Condition, Ground, GroundAction, GroundFact};
use crate::instance::Instance;
use crate::random::Random;
use crate::search::Bound;

use super::{judge, oracle, random_htn};

/// A classical problem in which nothing becomes false.
fn random_problem(seed: u64) -> Ground {
    let mut random = Random::new(seed + 1);
    let facts = 4 + random.below(12) as u32;
    let pick = |percent: usize, random: &mut Random| -> Vec<u32> {
        (0..facts).filter(|_| random.below(100) < percent).collect()
    };
    let mut ground = Ground {
        facts: (0..facts).map(GroundFact::Helper).collect(),
        ..Ground::default()
    };
    let actions = 4 + random.below(9);
    ground.init = pick(12, &mut random);
    ground.goal.positive = pick(30, &mut random);
    let needs = 10 + random.below(15);
    let dear = 1 + random.below(12);
    for _ in 0..actions {
        let positive = pick(needs, &mut random);
        ground.actions.push(GroundAction {
            schema: None,
            arguments: [].into(),
            precondition: Condition {
                positive,
                negative: Vec::new(),
            },
            add: pick(18, &mut random),
            delete: Vec::new(),
            conditional: Vec::new(),
            cost: Cost::from(random.below(dear + 1) as u64),
        });
    }
    // Derived facts are nobody else's to make true.
    if random.below(3) == 0 {
        let head = random.below(facts as usize) as u32;
        ground.init.retain(|&fact| fact != head);
        for action in &mut ground.actions {
            action.add.retain(|&fact| fact != head);
        }
        for _ in 0..1 + random.below(2) {
            let mut positive = pick(20, &mut random);
            positive.retain(|&fact| fact != head);
            let negative = Vec::new();
            ground.axioms.push(Axiom {
                layer: 0,
                condition: Condition { positive, negative },
                head,
            });
        }
    }
    ground
}

/// Panics unless the steps can be executed and reach the goal.
fn execute(ground: &Ground, steps: &[(u32, u32)]) {
    let mut state = vec![false; ground.facts.len()];
    (ground.init.iter()).for_each(|&fact| state[fact as usize] = true);
    let derive = |state: &mut Vec<bool>| {
        for _ in &ground.axioms {
            for axiom in &ground.axioms {
                state[axiom.head as usize] |= judge::holds(&axiom.condition, state);
            }
        }
    };
    derive(&mut state);
    for &(_, action) in steps {
        let action = &ground.actions[action as usize];
        assert!(judge::holds(&action.precondition, &state));
        (action.add.iter()).for_each(|&fact| state[fact as usize] = true);
        derive(&mut state);
    }
    assert!(judge::holds(&ground.goal, &state));
}

fn cost(ground: &Ground, steps: &[(u32, u32)]) -> Cost {
    let costs = steps
        .iter()
        .map(|&(_, action)| ground.actions[action as usize].cost);
    costs.sum()
}

#[test]
fn the_actions_bought_cost_as_little_as_any_set_that_reaches_the_goal() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..1500 {
        let ground = Instance::new(random_problem(seed));
        let expected = oracle::cheapest_set(&ground);
        let engine = DeleteFree::default();
        let outcome = engine.solve(&ground, &mut Run::limit(1)).unwrap();
        match (outcome.answers.first(), expected) {
            (Some(found), Some(expected)) => {
                execute(&ground, &found.steps);
                assert_eq!(cost(&ground, &found.steps), expected, "seed {seed}");
                with += usize::from(expected > Cost::ZERO);
            }
            (None, None) => {
                assert_eq!(outcome.end, End::Exhausted);
                without += 1;
            }
            (found, expected) => panic!("seed {seed}: {found:?}, not {expected:?}"),
        }
    }
    assert!(
        with > 150 && without > 150,
        "{with} with, {without} without"
    );
}

#[test]
fn a_plan_is_only_given_below_the_bound() {
    for seed in 0..200 {
        let ground = Instance::new(random_problem(seed));
        let Some(expected) = oracle::cheapest_set(&ground) else {
            continue;
        };
        for (bound, plans) in [(expected, 0), (expected + Cost::ONE, 1)] {
            let outcome = DeleteFree {
                bound: Bound::from(bound),
            }
            .solve(&ground, &mut Run::limit(1))
            .unwrap();
            assert_eq!(outcome.answers.len(), plans, "seed {seed}, bound {bound:?}");
        }
    }
}

#[test]
fn larger_problems_agree_with_uniform_cost_search() {
    let mut compared = 0;
    for seed in 0..150 {
        let mut ground = random_problem(seed);
        // A second problem beside the first, sharing half of its facts.
        let other = random_problem(seed + 10_000);
        let facts = ground.facts.len().max(other.facts.len()) as u32;
        ground.facts = (0..facts).map(GroundFact::Helper).collect();
        ground.axioms.clear();
        ground.actions.extend(other.actions);
        ground.goal.positive.extend(other.goal.positive);
        ground.goal.positive.sort_unstable();
        ground.goal.positive.dedup();
        let ground = Instance::new(ground);
        let outcome = DeleteFree::default()
            .solve(&ground, &mut Run::limit(1))
            .unwrap();
        let blind = Classical::all().pop().unwrap();
        let judge = blind
            .solve(&ground, &mut Run::limit(1).with_nodes(20_000))
            .unwrap();
        if let End::Stopped(_) = judge.end {
            continue;
        }
        let costs = [&outcome, &judge].map(|it| {
            let found = it.answers.first();
            found.map(|found| cost(&ground, &found.steps))
        });
        assert_eq!(costs[0], costs[1], "seed {seed}");
        compared += usize::from(costs[0].is_some_and(|cost| cost > Cost::ZERO));
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn hierarchical_plans_cost_as_little_as_exhaustive_search_says() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..500 {
        let mut ground = random_htn::ordered(seed);
        let mut random = Random::new(seed + 77);
        for action in &mut ground.actions {
            action.delete.clear();
            action.precondition.negative.clear();
            action.cost = Cost::from(random.below(6) as u64);
        }
        for method in &mut ground.methods {
            method.precondition.negative.clear();
        }
        ground.goal.negative.clear();
        let ground = Instance::new(ground);
        assert!(DeleteFree::fits(&ground));
        let Some(expected) = oracle::cheapest_ordered(&ground, 3_000) else {
            continue;
        };
        let mut run = Run::limit(1).with_nodes(20_000);
        let outcome = DeleteFree::default().solve(&ground, &mut run).unwrap();
        match (outcome.answers.first(), expected) {
            (Some(found), Some(expected)) => {
                judge::check(&ground, found);
                assert_eq!(cost(&ground, &found.steps), expected, "seed {seed}");
                with += usize::from(expected > Cost::ZERO);
            }
            (None, None) => {
                assert_eq!(outcome.end, End::Exhausted, "seed {seed}");
                without += 1;
            }
            (None, Some(_)) if matches!(outcome.end, End::Stopped(_)) => {}
            (found, expected) => panic!("seed {seed}: {found:?}, not {expected:?}"),
        }
    }
    assert!(with > 60 && without > 40, "{with} with, {without} without");
}

#[test]
fn deletes_that_nobody_notices_do_not_count() {
    let mut ground = random_problem(3);
    let unused = ground.facts.len() as u32;
    ground.facts.push(GroundFact::Helper(unused));
    ground.init.push(unused);
    for action in &mut ground.actions {
        action.delete.push(unused);
    }
    assert!(DeleteFree::fits(&ground));
    ground.goal.positive.push(unused);
    assert!(!DeleteFree::fits(&ground));
}

#[test]
fn an_action_that_helps_only_by_a_conditional_effect_is_not_overlooked() {
    // It was skipped as useless before its conditional effects were looked at,
    // and "there is no plan" was said where one action is a plan.
    let domain = "(define (domain d) (:predicates (wet) (dry) (warm))
        (:action shine :effect (and (dry) (when (wet) (warm))))
        (:action wipe :effect (not (wet))))";
    let problem = "(define (problem p) (:domain d) (:init (wet) (dry)) (:goal (warm)))";
    let model = crate::read(domain, problem).0.unwrap();
    let ground = crate::ground::ground(&model, &mut Run::default()).unwrap();
    assert!(!DeleteFree::fits(&ground));
}
