//! Search over states against plain search, on small random problems with
//! costs, conditional effects and derived facts.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use planoku_engine::{End, Engine, Run};

use crate::algorithms::{Cheapest, Classical, without_needless};
use crate::analysis::charge::Charge;
use crate::analysis::landmarks::landmarks;
use crate::analysis::relax::Relaxation;
use crate::cost::{Cost, Distance};
use crate::ground::finite::FiniteVariables;
use crate::ground::mutex::mutex_groups;
use crate::ground::{
    Axiom, Condition, ConditionalEffect, Derivation, Ground, GroundAction, GroundFact,
};
use crate::heuristics::Estimate;
use crate::heuristics::heuristic::Situation;
use crate::heuristics::scope::ScopeId;
use crate::instance::Instance;
use crate::model::{ObjectId, PredicateId};
use crate::random::Random;
use crate::state::states::set;

use super::judge::holds;

pub(super) type State = Vec<bool>;

/// A classical problem; the last facts are derived, in two layers.
pub(super) fn random_problem(seed: u64) -> Ground {
    let mut random = Random::new(seed + 77);
    let base = 4 + random.below(5) as u32;
    let derived = random.below(4) as u32;
    let facts = base + derived;
    let mut ground = Ground {
        facts: (0..facts).map(GroundFact::Helper).collect(),
        ..Ground::default()
    };
    ground.init = subset(&mut random, 0..base, 40);
    ground.goal.positive = subset(&mut random, 0..facts, 35);
    for _ in 0..3 + random.below(8) {
        let conditional = (0..random.below(3))
            .map(|_| {
                let condition = condition(&mut random, facts, 25);
                let (add, delete) = effect(&mut random, base, 25);
                ConditionalEffect {
                    condition,
                    add,
                    delete,
                }
            })
            .collect();
        let precondition = condition(&mut random, facts, 20);
        let (add, delete) = effect(&mut random, base, 20);
        ground.actions.push(GroundAction {
            schema: None,
            arguments: [].into(),
            precondition,
            add,
            delete,
            conditional,
            cost: super::price(&mut random, seed),
        });
    }
    for head in base..facts {
        let layer = u32::from(head > base);
        for _ in 0..1 + random.below(2) {
            // Heads of the upper layer may need each other, and may need what
            // is derived below to be false.
            let known = if layer == 0 { base } else { facts };
            let positive = subset(&mut random, 0..known, 25);
            let below = if layer == 0 { base } else { base + 1 };
            let mut negative = subset(&mut random, 0..below, 15);
            negative.retain(|fact| !positive.contains(fact));
            ground.axioms.push(Axiom {
                layer,
                condition: Condition { positive, negative },
                head,
            });
        }
    }
    ground.axioms.sort_by_key(|axiom| axiom.layer);
    ground
}

/// The same where each predicate is true of one thing, as long as actions see
/// to it: most do.
pub(super) fn random_moves(seed: u64) -> Ground {
    let mut ground = random_problem(seed);
    let mut random = Random::new(seed + 7_777);
    let derived: Vec<u32> = ground.axioms.iter().map(|axiom| axiom.head).collect();
    let base = (0..ground.facts.len() as u32).filter(|it| !derived.contains(it));
    let base: Vec<u32> = base.collect();
    let groups: Vec<&[u32]> = base.chunks(3).collect();
    for (group, predicate) in groups.iter().zip(0..) {
        for (&fact, object) in group.iter().zip(0..) {
            let name = GroundFact::Atom(PredicateId(predicate), [ObjectId(object)].into());
            ground.facts[fact as usize] = name;
        }
    }
    ground.init = groups
        .iter()
        .map(|group| group[random.below(group.len())])
        .collect();
    ground.init.sort_unstable();
    let mut moves = |needs: &mut Condition, add: &mut Vec<u32>, delete: &mut Vec<u32>| {
        for group in &groups {
            if random.below(100) < 10 || !add.iter().chain(&*delete).any(|it| group.contains(it)) {
                continue;
            }
            let [from, to] = [(); 2].map(|()| group[random.below(group.len())]);
            for list in [
                &mut *add,
                &mut *delete,
                &mut needs.positive,
                &mut needs.negative,
            ] {
                list.retain(|it| !group.contains(it));
            }
            needs.positive.push(from);
            needs.positive.sort_unstable();
            add.push(to);
            add.sort_unstable();
            if from != to {
                delete.push(from);
                delete.sort_unstable();
            }
        }
    };
    for action in &mut ground.actions {
        moves(
            &mut action.precondition,
            &mut action.add,
            &mut action.delete,
        );
        for effect in &mut action.conditional {
            moves(&mut effect.condition, &mut effect.add, &mut effect.delete);
        }
    }
    ground
}

/// The same without conditional effects and derived facts.
pub(super) fn random_plain(seed: u64) -> Ground {
    let mut ground = random_moves(seed);
    let derived: Vec<u32> = ground.axioms.iter().map(|axiom| axiom.head).collect();
    ground.axioms.clear();
    ground.goal.positive.retain(|fact| !derived.contains(fact));
    for action in &mut ground.actions {
        action.conditional.clear();
        action
            .precondition
            .positive
            .retain(|fact| !derived.contains(fact));
    }
    ground
}

fn random_problems(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Ground)> {
    seeds.flat_map(|seed| {
        let makers = [random_problem, random_moves, random_plain];
        makers.map(|make| (seed, make(seed)))
    })
}

/// Every state that can be reached.
pub(super) fn all_states(ground: &Ground) -> Vec<State> {
    let mut states = vec![start(ground)];
    let mut known: std::collections::HashSet<State> = states.iter().cloned().collect();
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        for action in ground
            .actions
            .iter()
            .filter(|it| holds(&it.precondition, &state))
        {
            let after = apply(ground, action, &state);
            if known.insert(after.clone()) {
                states.push(after);
            }
        }
        next += 1;
    }
    states
}

#[test]
fn of_a_mutex_group_never_more_than_one_holds() {
    let (mut groups, mut variables) = (0, 0);
    for (seed, ground) in random_problems(0..400) {
        let found = mutex_groups(&ground, &mut Run::default()).unwrap();
        let finite = FiniteVariables::new(&ground, &found, |fact| fact % 5 != seed as u32 % 7);
        groups += found.len();
        variables += finite.list.iter().filter(|it| it.facts.len() > 1).count();
        for state in all_states(&ground) {
            let count = |facts: &[u32]| facts.iter().filter(|&&it| state[it as usize]).count();
            for group in &found {
                assert!(count(group) <= 1, "seed {seed}: {group:?} in {state:?}");
            }
            for variable in finite.list.iter().filter(|it| !it.may_be_none) {
                let facts = &variable.facts;
                assert_eq!(count(facts), 1, "seed {seed}: {facts:?} in {state:?}");
            }
        }
    }
    assert!(groups > 100 && variables > 100, "{groups} {variables}");
}

fn subset(random: &mut Random, facts: std::ops::Range<u32>, percent: usize) -> Vec<u32> {
    facts.filter(|_| random.below(100) < percent).collect()
}

fn condition(random: &mut Random, facts: u32, percent: usize) -> Condition {
    let positive = subset(random, 0..facts, percent);
    let mut negative = subset(random, 0..facts, percent / 2);
    negative.retain(|fact| !positive.contains(fact));
    Condition { positive, negative }
}

fn effect(random: &mut Random, facts: u32, percent: usize) -> (Vec<u32>, Vec<u32>) {
    let add = subset(random, 0..facts, percent);
    let mut delete = subset(random, 0..facts, percent);
    delete.retain(|fact| !add.contains(fact));
    (add, delete)
}

fn derive(ground: &Ground, state: &mut State) {
    for axiom in &ground.axioms {
        state[axiom.head as usize] = false;
    }
    for layer in 0..2 {
        loop {
            let before = state.clone();
            for axiom in ground.axioms.iter().filter(|axiom| axiom.layer == layer) {
                if holds(&axiom.condition, state) {
                    state[axiom.head as usize] = true;
                }
            }
            if before == *state {
                break;
            }
        }
    }
}

pub(super) fn start(ground: &Ground) -> State {
    let mut state = vec![false; ground.facts.len()];
    for &fact in &ground.init {
        state[fact as usize] = true;
    }
    derive(ground, &mut state);
    state
}

pub(super) fn apply(ground: &Ground, action: &GroundAction, state: &State) -> State {
    let mut next = state.clone();
    let fired = || {
        let all = action.conditional.iter();
        all.filter(|effect| holds(&effect.condition, state))
    };
    let deletes = fired().flat_map(|effect| &effect.delete);
    for &fact in action.delete.iter().chain(deletes) {
        next[fact as usize] = false;
    }
    let adds = fired().flat_map(|effect| &effect.add);
    for &fact in action.add.iter().chain(adds) {
        next[fact as usize] = true;
    }
    derive(ground, &mut next);
    next
}

/// What the cheapest plan from a state costs.
pub(super) fn cheapest(ground: &Ground, from: &State) -> Option<Cost> {
    let mut best = HashMap::from([(from.clone(), Cost::ZERO)]);
    let mut open = BinaryHeap::from([Reverse((Cost::ZERO, from.clone()))]);
    while let Some(Reverse((cost, state))) = open.pop() {
        if best[&state] < cost {
            continue;
        }
        if holds(&ground.goal, &state) {
            return Some(cost);
        }
        for action in &ground.actions {
            if holds(&action.precondition, &state) {
                let next = apply(ground, action, &state);
                let cost = cost + action.cost;
                if best.get(&next).is_none_or(|&known| cost < known) {
                    best.insert(next.clone(), cost);
                    open.push(Reverse((cost, next)));
                }
            }
        }
    }
    None
}

/// What a plan costs; panics if it is none.
#[track_caller]
pub(super) fn cost_of(ground: &Ground, plan: &Derivation) -> Cost {
    let mut state = start(ground);
    let mut cost = Cost::ZERO;
    for &(_, action) in &plan.steps {
        let action = &ground.actions[action as usize];
        assert!(holds(&action.precondition, &state), "precondition");
        state = apply(ground, action, &state);
        cost += action.cost;
    }
    assert!(holds(&ground.goal, &state), "the goal holds");
    cost
}

#[test]
fn every_search_over_states_agrees_with_plain_search() {
    let (mut with, mut without) = (0, 0);
    for (seed, ground) in random_problems(0..250) {
        let ground = Instance::new(ground);
        let least = cheapest(&ground, &start(&ground));
        *if least.is_some() {
            &mut with
        } else {
            &mut without
        } += 1;
        for engine in Classical::all() {
            let outcome = engine.solve(&ground, &mut Run::default()).unwrap();
            let name = format!("{}, seed {seed}", engine.name);
            let Some(plan) = outcome.answers.first() else {
                assert_eq!(outcome.end, End::Exhausted, "{name}");
                assert_eq!(least, None, "{name}");
                continue;
            };
            let cost = cost_of(&ground, plan);
            match engine.is_optimal() {
                true => assert_eq!(Some(cost), least, "{name}"),
                false => assert!(Some(cost) >= least, "{name}"),
            }
            let short = without_needless(&ground, plan);
            assert!(cost_of(&ground, &short) <= cost, "{name}");
        }
    }
    assert!(with > 50 && without > 50, "{with} with, {without} without");
}

#[test]
fn two_searches_in_turn_find_a_cheapest_plan() {
    for (seed, ground) in random_problems(0..200) {
        let ground = Instance::new(ground);
        let least = cheapest(&ground, &start(&ground));
        // Both take turns from the beginning, or after a few nodes, and the last
        // of all plans is a cheapest one as well.
        for (alone, mut run) in [(0, Run::default()), (100, Run::default()), (50, Run::all())] {
            let engine = Cheapest {
                alone,
                ..Cheapest::default()
            };
            let outcome = engine.solve(&ground, &mut run).unwrap();
            let costs: Vec<Cost> = outcome
                .answers
                .iter()
                .map(|it| cost_of(&ground, it))
                .collect();
            assert_eq!(costs.last().copied(), least, "seed {seed}");
            assert!(costs.is_sorted_by(|one, other| one > other), "seed {seed}");
            assert!(least.is_some() || outcome.end == End::Exhausted);
        }
    }
}

#[test]
fn admissible_estimates_are_never_too_high_and_infinite_only_without_a_plan() {
    for (seed, ground) in random_problems(0..250) {
        let ground = Instance::new(ground);
        let world = &ground.world;
        let mut random = Random::new(seed);
        let mut state = start(&ground);
        let run = &mut Run::default();
        let mut estimators: Vec<_> = Estimate::ALL
            .iter()
            .map(|&kind| (kind, kind.heuristic(&ground, run).unwrap()))
            .collect();
        for step in 0..6 {
            let least = cheapest(&ground, &state);
            let mut words = vec![0; world.words];
            for (fact, _) in state.iter().enumerate().filter(|(_, holds)| **holds) {
                set(&mut words, fact as u32);
            }
            let mut values = HashMap::new();
            for (kind, estimator) in &mut estimators {
                let value = estimator.estimate(&Situation {
                    number: step,
                    state: &words,
                    left: &[],
                    scope: ScopeId::default(),
                });
                match (value, least) {
                    (Distance::Dead, least) => assert_eq!(least, None, "seed {seed}, {kind:?}"),
                    (Distance::Left(value), Some(least)) if kind.is_admissible() => {
                        assert!(
                            value <= least,
                            "seed {seed}, {kind:?}: {value:?} > {least:?}"
                        );
                    }
                    _ => {}
                }
                values.insert(format!("{kind:?}"), value);
            }
            assert!(values["LmCut"] >= values["Max"], "seed {seed}: {values:?}");
            let actions = ground.actions.iter();
            let fits: Vec<_> = actions
                .filter(|it| holds(&it.precondition, &state))
                .collect();
            if fits.is_empty() {
                break;
            }
            state = apply(&ground, fits[random.below(fits.len())], &state);
        }
    }
}

#[test]
fn landmarks_are_passed_by_every_plan() {
    let mut seen = 0;
    for seed in 0..300 {
        let ground = Instance::new(random_problem(seed));
        let world = &ground.world;
        let relaxed: Relaxation = Relaxation::new(world, Charge::Steps);
        let goals = relaxed.condition(&ground.goal);
        let Some(list) =
            landmarks(&relaxed, &world.initial(), &goals, &mut Run::default()).unwrap()
        else {
            assert_eq!(cheapest(&ground, &start(&ground)), None, "seed {seed}");
            continue;
        };
        for engine in Classical::all() {
            let outcome = engine.solve(&ground, &mut Run::default()).unwrap();
            let Some(plan) = outcome.answers.first() else {
                continue;
            };
            let mut states = vec![start(&ground)];
            for &(_, action) in &plan.steps {
                let action = &ground.actions[action as usize];
                let next = apply(&ground, action, &states[states.len() - 1]);
                states.push(next);
            }
            for (fact, wanted) in list.iter().filter_map(|&literal| relaxed.fact(literal)) {
                let passed = states.iter().any(|state| state[fact as usize] == wanted);
                assert!(passed, "seed {seed}, {}: fact {fact}", engine.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "{seen}");
}
