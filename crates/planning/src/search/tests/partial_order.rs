//! Partially ordered problems: every decomposition written out, and every
//! order of its actions tried.
//!
//! The oracle knows nothing of progression: it first refines everything, then
//! looks for an order of the actions that the network allows and the state
//! agrees with.

use planoku_engine::{End, Engine, Run};

use crate::ground::{Ground, GroundMethod, Node};
use crate::search::random::Random;
use crate::search::{Estimate, Linear, Partial, Progression};

use super::judge::holds;
use super::random_htn;

/// A leaf of a decomposition: an action, or a method without subtasks whose
/// condition has to hold at some time.
#[derive(Clone, Copy)]
enum Leaf {
    Action(u32),
    Condition(u32),
}

/// A fully refined network.
#[derive(Clone, Default)]
struct Refined {
    leaves: Vec<Leaf>,
    /// `(a, b)`: leaf `a` before leaf `b`.
    order: Vec<(usize, usize)>,
    /// Methods with the range of leaves below them.
    methods: Vec<(u32, std::ops::Range<usize>)>,
}

/// Every way to carry out a node; `None` if there are too many.
fn refinements(ground: &Ground, node: Node) -> Option<Vec<Refined>> {
    let task = match node {
        Node::Action(action) => {
            return Some(vec![Refined {
                leaves: vec![Leaf::Action(action)],
                ..Refined::default()
            }]);
        }
        Node::Task(task) => task,
    };
    let mut all = Vec::new();
    for &number in &ground.tasks[task as usize].methods {
        let method = &ground.methods[number as usize];
        if method.subtasks.is_empty() {
            all.push(Refined {
                leaves: vec![Leaf::Condition(number)],
                ..Refined::default()
            });
            continue;
        }
        // Partial results with the range of leaves of each subtask so far.
        let mut partial = vec![(Refined::default(), Vec::<std::ops::Range<usize>>::new())];
        for &subtask in &method.subtasks {
            let ways = refinements(ground, subtask)?;
            let mut next = Vec::new();
            for (whole, ranges) in &partial {
                for way in &ways {
                    let (mut whole, mut ranges) = (whole.clone(), ranges.clone());
                    let first = whole.leaves.len();
                    whole.leaves.extend(&way.leaves);
                    let order = way.order.iter().map(|(a, b)| (a + first, b + first));
                    whole.order.extend(order);
                    let methods = way.methods.iter();
                    let methods = methods.map(|(m, r)| (*m, r.start + first..r.end + first));
                    whole.methods.extend(methods);
                    ranges.push(first..whole.leaves.len());
                    next.push((whole, ranges));
                }
            }
            if next.len() > 400 {
                return None;
            }
            partial = next;
        }
        for (mut whole, ranges) in partial {
            for &(a, b) in &method.ordering {
                for before in ranges[a as usize].clone() {
                    let after = ranges[b as usize].clone();
                    whole.order.extend(after.map(|after| (before, after)));
                }
            }
            whole.methods.push((number, 0..whole.leaves.len()));
            all.push(whole);
        }
    }
    (all.len() <= 400).then_some(all)
}

/// True if some allowed order of the leaves left can be executed.
fn executable(ground: &Ground, network: &Refined, done: &mut Vec<bool>, state: &[bool]) -> bool {
    if done.iter().all(|done| *done) {
        return holds(&ground.goal, state);
    }
    for leaf in 0..network.leaves.len() {
        let ready = !done[leaf] && network.order.iter().all(|&(a, b)| b != leaf || done[a]);
        if !ready {
            continue;
        }
        let mut next = state.to_vec();
        match network.leaves[leaf] {
            Leaf::Condition(method) => {
                if !holds(&ground.methods[method as usize].precondition, state) {
                    continue;
                }
            }
            Leaf::Action(action) => {
                let action = &ground.actions[action as usize];
                // Methods whose first action this is.
                let starts = network.methods.iter().filter(|(_, below)| {
                    let begun = below.clone().any(|other| {
                        done[other] && matches!(network.leaves[other], Leaf::Action(_))
                    });
                    below.contains(&leaf) && !begun
                });
                let mut starts = starts.map(|(method, _)| &ground.methods[*method as usize]);
                if !holds(&action.precondition, state)
                    || !starts.all(|method| holds(&method.precondition, state))
                {
                    continue;
                }
                action
                    .delete
                    .iter()
                    .for_each(|&fact| next[fact as usize] = false);
                action
                    .add
                    .iter()
                    .for_each(|&fact| next[fact as usize] = true);
            }
        }
        done[leaf] = true;
        let found = executable(ground, network, done, &next);
        done[leaf] = false;
        if found {
            return true;
        }
    }
    false
}

/// Whether there is a plan; `None` if that would take too long to know.
fn has_plan(ground: &Ground) -> Option<bool> {
    let all = refinements(ground, Node::Task(ground.root?))?;
    if all.iter().any(|network| network.leaves.len() > 8) {
        return None;
    }
    let mut state = vec![false; ground.facts.len()];
    ground
        .init
        .iter()
        .for_each(|&fact| state[fact as usize] = true);
    Some(all.iter().any(|network| {
        let mut done = vec![false; network.leaves.len()];
        executable(ground, network, &mut done, &state)
    }))
}

/// A random problem without recursion, most of whose order is taken away.
fn random_problem(seed: u64) -> Ground {
    let mut ground = random_htn::ordered(seed);
    let mut random = Random::new(seed + 5);
    ground.ordered = false;
    let actions = ground.actions.len();
    for method in &mut ground.methods {
        let task = method.task;
        let forward = |node: &mut Node| {
            if matches!(node, Node::Task(other) if *other <= task) {
                *node = Node::Action(random.below(actions) as u32);
            }
        };
        method.subtasks.iter_mut().for_each(forward);
        loosen(method, &mut random);
    }
    ground
}

fn loosen(method: &mut GroundMethod, random: &mut Random) {
    method.ordering.retain(|_| random.below(3) == 0);
    // A condition of a method that may turn out empty could be met at several
    // times; the oracle looks at one, so such methods have none.
    let action = |node: &Node| matches!(node, Node::Action(_));
    if !method.subtasks.is_empty() && !method.subtasks.iter().any(action) {
        method.precondition = Default::default();
    }
}

#[test]
fn a_partially_ordered_plan_is_found_exactly_where_there_is_one() {
    let (mut with, mut without) = (0, 0);
    for seed in 0..600 {
        let ground = random_problem(seed);
        let Some(expected) = has_plan(&ground) else {
            continue;
        };
        *if expected { &mut with } else { &mut without } += 1;
        for estimate in [Estimate::Blind, Estimate::Add, Estimate::Ff] {
            let engine = Partial {
                estimate,
                ..Partial::default()
            };
            let mut run = Run::limit(1).with_nodes(200_000);
            let outcome = engine.solve(&ground, &mut run).unwrap();
            match outcome.answers.first() {
                Some(_) => assert!(expected, "seed {seed}, {estimate:?}: a plan of nothing"),
                None => {
                    assert!(!expected, "seed {seed}, {estimate:?}: {:?}", outcome.end);
                    assert_eq!(outcome.end, End::Exhausted, "seed {seed}, {estimate:?}");
                }
            }
        }
        let linear = Linear {
            name: "linear",
            engine: Progression::greedy(Estimate::Ff),
        };
        let outcome = linear.solve(&ground, &mut Run::limit(1)).unwrap();
        assert!(outcome.answers.is_empty() || expected, "seed {seed}");
        assert_ne!(outcome.end, End::Exhausted, "it may order plans away");
    }
    assert!(with > 50 && without > 50, "{with} with, {without} without");
}
