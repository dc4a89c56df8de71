//! Plans made cheaper window by window, against the slow, obvious search.

use planoku_engine::{Engine, Leave, Run};
use rustc_hash::FxHashMap;

use crate::algorithms::shorten::reorder::{Thread, reordered};
use crate::algorithms::{Bound, Classical, Latest, Progression, Shorten};
use crate::cost::Cost;
use crate::ground::{Derivation, Ground};
use crate::instance::Instance;
use crate::random::Random;
use crate::state::stacks::{Element, Elements, Kind};

use super::{classical, cost_of, judge, oracle, priced, random_htn};

/// The methods and actions of a totally ordered plan, in the order in which
/// they are chosen; the actions alone of a classical one.
fn trace(ground: &Ground, plan: &Derivation) -> Vec<Element> {
    let elements = Elements::new(ground);
    let steps: FxHashMap<u32, u32> = plan.steps.iter().copied().collect();
    let act = |action: u32| elements.pack(Kind::Action(action));
    let Some(first) = plan.refinements.first() else {
        return plan.steps.iter().map(|&(_, action)| act(action)).collect();
    };
    let refined: FxHashMap<u32, _> = plan.refinements.iter().map(|it| (it.node, it)).collect();
    let (mut open, mut trace) = (vec![first.node], Vec::new());
    while let Some(node) = open.pop() {
        match refined.get(&node) {
            Some(refinement) => {
                trace.push(elements.pack(Kind::Method(refinement.method)));
                open.extend(refinement.children.iter().rev());
            }
            None => trace.push(act(steps[&node])),
        }
    }
    trace
}

/// Every plan that comes of one, each cheaper than the one before.
fn shortened(instance: &Instance, plan: &Derivation, nodes: u64) -> Vec<Derivation> {
    let engine = Shorten {
        latest: Latest::default(),
        bound: Bound::default(),
    };
    let mut run = Run::all().with_nodes(nodes);
    let trace = trace(instance, plan);
    let outcome = run.collect(
        |run, found| match engine.begin_with(instance, trace, run, found) {
            Err(Leave::Stop(_)) => Ok(()),
            other => other,
        },
    );
    let plans = outcome.unwrap().answers;
    let before = std::iter::once(plan).chain(&plans);
    let costs: Vec<Cost> = before.map(|it| cost_of(instance, it)).collect();
    assert!(costs.windows(2).all(|it| it[0] > it[1]), "{costs:?}");
    plans
}

#[test]
fn a_plan_made_cheaper_is_a_plan_and_mostly_a_cheapest_one() {
    let (mut dear, mut mended) = (0, 0);
    for seed in 0..600 {
        let ground = Instance::new(match seed % 3 {
            0 => random_htn::ordered(seed),
            _ => priced(seed),
        });
        let Some(Some(expected)) = oracle::cheapest_ordered(&ground, 20_000) else {
            continue;
        };
        let mut run = Run::limit(1).with_nodes(20_000);
        let first = Progression::fail_first().solve(&ground, &mut run).unwrap();
        let Some(first) = first.answers.first() else {
            continue;
        };
        let plans = shortened(&ground, first, 20_000);
        plans.iter().for_each(|plan| judge::check(&ground, plan));
        let last = plans.last().unwrap_or(first);
        assert!(cost_of(&ground, last) >= expected, "seed {seed}");
        if cost_of(&ground, first) > expected {
            dear += 1;
            mended += usize::from(cost_of(&ground, last) == expected);
        }
    }
    assert!(dear > 15 && mended * 10 >= dear * 9, "{mended} of {dear}");
}

#[test]
fn a_classical_plan_made_cheaper_is_a_plan_and_mostly_a_cheapest_one() {
    let (mut dear, mut mended) = (0, 0);
    for seed in 0..1500 {
        let ground = Instance::new(match seed % 3 {
            0 => classical::random_problem(seed),
            1 => classical::random_moves(seed),
            _ => classical::random_plain(seed),
        });
        let start = classical::start(&ground);
        let Some(expected) = classical::cheapest(&ground, &start) else {
            continue;
        };
        let mut run = Run::limit(1).with_nodes(20_000);
        let first = Classical::landmarks().solve(&ground, &mut run).unwrap();
        let Some(first) = first.answers.first() else {
            continue;
        };
        let plans = shortened(&ground, first, 20_000);
        let costs = plans.iter().map(|it| classical::cost_of(&ground, it));
        assert!(costs.min().is_none_or(|it| it >= expected), "seed {seed}");
        let last = plans.last().unwrap_or(first);
        if cost_of(&ground, first) > expected {
            dear += 1;
            mended += usize::from(cost_of(&ground, last) == expected);
        }
    }
    assert!(dear > 15 && mended * 10 >= dear * 9, "{mended} of {dear}");
}

#[test]
fn a_plan_in_another_order_leads_to_the_same_state() {
    let mut changed = 0;
    for seed in 0..600 {
        let ground = Instance::new(match seed % 3 {
            0 => classical::random_problem(seed),
            1 => classical::random_moves(seed),
            _ => classical::random_plain(seed),
        });
        if !ground.axioms.is_empty() {
            continue;
        }
        let world = &ground.world;
        let after = |plan: &[u32]| {
            let mut state = world.initial();
            for &action in plan {
                assert!(world.applicable(action, &state), "seed {seed}");
                assert!(world.apply(action, &mut state), "seed {seed}");
            }
            state
        };
        // Wherever chance leads.
        let (mut random, mut plan) = (Random::new(seed), Vec::new());
        for _ in 0..40 {
            let action = random.below(ground.actions.len()) as u32;
            if world.applicable(action, &after(&plan)) {
                plan.push(action);
            }
        }
        for thread in [Thread::Forward, Thread::Backward, Thread::Drawn(seed)] {
            let other = reordered(world, &plan, thread, &mut Run::default()).unwrap();
            assert_eq!(after(&plan), after(&other), "seed {seed}");
            changed += usize::from(plan != other);
        }
    }
    assert!(changed > 20, "{changed}");
}
