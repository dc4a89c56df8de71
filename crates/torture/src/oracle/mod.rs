//! Is there a plan, and what does the cheapest cost? Found out the slow,
//! obvious way, from the [`Problem`] alone.
//!
//! The oracle shares no code with the reader, the grounder, the searches or
//! the verifier. It enumerates every instance of everything (`world`).
//! Classical and totally ordered problems are searched by Dijkstra's algorithm
//! over states and lists of tasks (`forward`); for partially ordered ones every
//! decomposition is written out and every order of it tried (`refined`). Where
//! that is too much, it says that it does not know.

mod forward;
mod refined;
pub(crate) mod world;

use crate::problem::{Amount, Problem};
use world::World;

/// What the oracle knows. `None` is "too big to tell".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// There is a plan.
    pub exists: Option<bool>,
    /// What the cheapest plan costs.
    pub cheapest: Option<Amount>,
}

impl Truth {
    const NONE: Truth = Truth {
        exists: Some(false),
        cheapest: None,
    };
}

/// How much the oracle may look at: search nodes.
pub const EFFORT: usize = 2_000;

/// Asks the oracle.
pub fn truth(problem: &Problem, effort: usize) -> Truth {
    let Some(world) = World::new(problem) else {
        return Truth::default();
    };
    let truth = match &problem.top {
        None => forward::classical(&world, effort),
        Some(_) if problem.is_ordered() => forward::ordered(&world, effort),
        Some(_) => refined::truth(&world, effort),
    };
    match world.too_large.get() {
        true => Truth::default(),
        false => truth,
    }
}

/// Asks the oracle whether a list of actions, each with its objects, is a plan
/// of a hierarchical problem: whether some decomposition leads to it.
pub fn leads_to(problem: &Problem, steps: &[(usize, Vec<usize>)], effort: usize) -> Option<bool> {
    let world = World::new(problem)?;
    let number = |step| world.actions.iter().position(|it| it == step);
    let actions: Option<Vec<usize>> = steps.iter().map(number).collect();
    match actions {
        Some(actions) => refined::leads_to(&world, &actions, effort),
        // There is no such action.
        None => Some(false),
    }
}
