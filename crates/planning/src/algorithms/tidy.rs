//! Plans without steps that nobody needs.
//!
//! Greedy search walks detours. Take a step away together with the later ones
//! that can then no longer be executed: if the goal is still reached, they
//! were needless. Nakhost and Müller call this action elimination ("Action
//! elimination and plan neighborhood graph search", 2010).

use crate::ground::{ActionIndex, Derivation};
use crate::instance::Instance;

use crate::state::world::World;

/// Longer plans are left as they are: the time grows with the square.
const LONG: usize = 4000;

/// The same plan of a classical problem without needless steps. It is never
/// dearer.
pub fn without_needless(instance: &Instance, plan: &Derivation) -> Derivation {
    let mut steps: Vec<ActionIndex> = plan.steps.iter().map(|&(_, action)| action).collect();
    if instance.root.is_some() || steps.len() > LONG {
        return plan.clone();
    }
    let world = &instance.world;
    let mut state = world.initial();
    let mut at = 0;
    while at < steps.len() {
        match kept_without(world, &state, &steps[at..]) {
            Some(rest) => {
                steps.truncate(at);
                steps.extend(rest);
            }
            None => {
                // A plan's own steps can be executed.
                let _ = world.apply(steps[at], &mut state);
                at += 1;
            }
        }
    }
    let steps = steps.into_iter().enumerate();
    Derivation {
        steps: steps.map(|(step, action)| (step as u32, action)).collect(),
        refinements: Vec::new(),
    }
}

/// What remains of the steps without the first and those that needed it;
/// `None` if that does not reach the goal.
fn kept_without(world: &World, state: &[u64], steps: &[ActionIndex]) -> Option<Vec<ActionIndex>> {
    let mut state = state.to_vec();
    let mut kept = Vec::with_capacity(steps.len());
    for &action in &steps[1..] {
        if world.applicable(action, &state) && world.apply(action, &mut state) {
            kept.push(action);
        }
    }
    world.is_goal(&state).then_some(kept)
}
