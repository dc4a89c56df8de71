//! Judges a derivation by walking its tree, on the grounded problem.

use rustc_hash::FxHashMap;

use crate::ground::{Condition, Derivation, Ground, GroundAction, Node, Refinement};

type State = Vec<bool>;

/// Panics unless the derivation is a plan of the (totally ordered) problem.
#[track_caller]
pub fn check(ground: &Ground, derivation: &Derivation) {
    let mut state = vec![false; ground.facts.len()];
    for &fact in &ground.init {
        state[fact as usize] = true;
    }
    let steps: FxHashMap<u32, u32> = derivation.steps.iter().copied().collect();
    let refined: FxHashMap<u32, &Refinement> = derivation
        .refinements
        .iter()
        .map(|refinement| (refinement.node, refinement))
        .collect();
    let mut order = Vec::new();
    let root = ground.root.expect("hierarchical");
    let first = derivation.refinements.first().expect("the root is refined");
    walk(
        ground,
        &steps,
        &refined,
        first.node,
        Node::Task(root),
        &mut state,
        &mut order,
    );
    let listed: Vec<u32> = derivation.steps.iter().map(|&(node, _)| node).collect();
    assert_eq!(order, listed, "steps are listed in execution order");
    assert!(holds(&ground.goal, &state), "the goal holds");
}

/// Panics unless the derivation is a plan of the classical problem.
#[track_caller]
pub fn check_classical(ground: &Ground, derivation: &Derivation) {
    let mut state = vec![false; ground.facts.len()];
    for &fact in &ground.init {
        state[fact as usize] = true;
    }
    for &(_, action) in &derivation.steps {
        let action = &ground.actions[action as usize];
        assert!(holds(&action.precondition, &state), "precondition");
        for &fact in &action.delete {
            state[fact as usize] = false;
        }
        for &fact in &action.add {
            state[fact as usize] = true;
        }
    }
    assert!(holds(&ground.goal, &state), "the goal holds");
}

fn walk(
    ground: &Ground,
    steps: &FxHashMap<u32, u32>,
    refined: &FxHashMap<u32, &Refinement>,
    node: u32,
    expected: Node,
    state: &mut State,
    order: &mut Vec<u32>,
) {
    match expected {
        Node::Action(action) => {
            assert_eq!(steps[&node], action);
            let action = &ground.actions[action as usize];
            assert!(holds(&action.precondition, state), "precondition");
            execute(action, state);
            order.push(node);
        }
        Node::Task(task) => {
            let refinement = refined[&node];
            let method = &ground.methods[refinement.method as usize];
            assert_eq!(method.task, task);
            assert!(holds(&method.precondition, state), "method precondition");
            assert_eq!(method.subtasks.len(), refinement.children.len());
            for (&subtask, &child) in method.subtasks.iter().zip(&refinement.children) {
                walk(ground, steps, refined, child, subtask, state, order);
            }
        }
    }
}

/// Executes an action without conditional effects.
pub fn execute(action: &GroundAction, state: &mut [bool]) {
    let deleted = action.delete.iter().map(|&fact| (fact, false));
    let added = action.add.iter().map(|&fact| (fact, true));
    for (fact, holds) in deleted.chain(added) {
        state[fact as usize] = holds;
    }
}

pub fn holds(condition: &Condition, state: &[bool]) -> bool {
    condition.positive.iter().all(|&fact| state[fact as usize])
        && condition.negative.iter().all(|&fact| !state[fact as usize])
}
