//! The slow, obvious search: cheapest first over states and lists of tasks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use crate::cost::Cost;
use crate::ground::{Ground, Node};

use super::judge::{execute, holds};

/// What a cheapest plan of a totally ordered problem costs, `Some(None)` if
/// there is none, `None` if more than `limit` nodes would be needed to know.
pub fn cheapest_ordered(ground: &Ground, limit: usize) -> Option<Option<Cost>> {
    let mut state = vec![false; ground.facts.len()];
    ground
        .init
        .iter()
        .for_each(|&fact| state[fact as usize] = true);
    // Nodes by cost, the youngest first among equals.
    let mut open = BTreeMap::new();
    let mut born = 0u64;
    let mut push = |open: &mut BTreeMap<_, _>, cost: Cost, node: (Vec<bool>, Vec<Node>)| {
        born += 1;
        open.insert((cost, Reverse(born)), node);
    };
    push(
        &mut open,
        Cost::ZERO,
        (state, vec![Node::Task(ground.root?)]),
    );
    let mut done = HashSet::new();
    while let Some(((cost, _), (state, mut todo))) = open.pop_first() {
        if !done.insert((state.clone(), todo.clone())) {
            continue;
        }
        if done.len() > limit || todo.len() > 40 {
            return None;
        }
        match todo.pop() {
            None if holds(&ground.goal, &state) => return Some(Some(cost)),
            None => {}
            Some(Node::Action(action)) => {
                let action = &ground.actions[action as usize];
                if holds(&action.precondition, &state) {
                    let mut state = state;
                    execute(action, &mut state);
                    push(&mut open, cost + action.cost, (state, todo));
                }
            }
            Some(Node::Task(task)) => {
                for &method in &ground.tasks[task as usize].methods {
                    let method = &ground.methods[method as usize];
                    if holds(&method.precondition, &state) {
                        let mut todo = todo.clone();
                        todo.extend(method.subtasks.iter().rev());
                        push(&mut open, cost, (state.clone(), todo));
                    }
                }
            }
        }
    }
    Some(None)
}

/// What a cheapest plan of a problem without deletes, negations and hierarchy
/// costs, by trying every set of actions; `None` if there is none.
pub fn cheapest_set(ground: &Ground) -> Option<Cost> {
    assert!(ground.actions.len() <= 14);
    let mut best = None;
    for set in 0u32..1 << ground.actions.len() {
        let chosen = |action: usize| set >> action & 1 == 1;
        let actions = ground.actions.iter().enumerate();
        let costs = actions.filter(|(action, _)| chosen(*action));
        let cost: Cost = costs.map(|(_, action)| action.cost).sum();
        if best.is_some_and(|best| cost >= best) {
            continue;
        }
        let mut state = vec![false; ground.facts.len()];
        (ground.init.iter()).for_each(|&fact| state[fact as usize] = true);
        loop {
            let before = state.clone();
            for (number, action) in ground.actions.iter().enumerate() {
                if chosen(number) && holds(&action.precondition, &state) {
                    (action.add.iter()).for_each(|&fact| state[fact as usize] = true);
                }
            }
            for axiom in &ground.axioms {
                if holds(&axiom.condition, &state) {
                    state[axiom.head as usize] = true;
                }
            }
            if state == before {
                break;
            }
        }
        if holds(&ground.goal, &state) {
            best = Some(cost);
        }
    }
    best
}
