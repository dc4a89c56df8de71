//! The same plan in another order.
//!
//! What one agent does is often scattered over a plan, between the doings of
//! others, and no window holds enough of it to see a better way. Two steps that
//! do not touch each other's facts may change places, and every order that comes
//! of such changes is a plan of the same cost. So steps are taken out one by one
//! as long as all they depend on has gone before, and whoever was waiting for the
//! last one is next: threads of steps come to lie together. Going from the end to
//! the beginning gathers what leads to the same goals.
//!
//! Bäckström ("Computational aspects of reordering plans", 1998) says which orders
//! there are; Siddiqui and Haslum ("Plan quality optimisation via block
//! decomposition", 2013) cut windows out of reordered plans.

use planoku_engine::{Run, Stop};

use crate::ground::{ActionIndex, GroundAction};
use crate::random::Random;
use crate::state::world::World;

/// What is done next of what could be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::algorithms) enum Thread {
    /// What waited for the last step.
    Forward,
    /// The same, going from the end of the plan to its beginning.
    Backward,
    /// What is drawn by lot, and then what waited for it.
    Drawn(u64),
}

/// The actions of a plan in another order, in which they lead to the same state.
/// For problems in which actions do nothing but change facts.
pub(in crate::algorithms) fn reordered(
    world: &World,
    plan: &[ActionIndex],
    thread: Thread,
    run: &mut Run<'_>,
) -> Result<Vec<ActionIndex>, Stop> {
    let mut before = dependencies(world, plan, run)?;
    let last = plan.len() as u32;
    if thread == Thread::Backward {
        let mut turned = vec![Vec::new(); plan.len()];
        for (step, before) in before.iter().enumerate() {
            for &earlier in before {
                turned[(last - 1 - earlier) as usize].push(last - 1 - step as u32);
            }
        }
        before = turned;
    }
    let mut order = follow_threads(&before, thread);
    if thread == Thread::Backward {
        order.reverse();
        order.iter_mut().for_each(|step| *step = last - 1 - *step);
    }
    Ok(order.iter().map(|&step| plan[step as usize]).collect())
}

/// Steps in an order in which each comes after those before it, and soon after
/// the last of them.
fn follow_threads(before: &[Vec<u32>], thread: Thread) -> Vec<u32> {
    let mut after = vec![Vec::new(); before.len()];
    let mut missing = vec![0usize; before.len()];
    for (step, earlier) in before.iter().enumerate() {
        missing[step] = earlier.len();
        for &earlier in earlier {
            after[earlier as usize].push(step as u32);
        }
    }
    let mut random = match thread {
        Thread::Drawn(seed) => Some(Random::new(seed)),
        _ => None,
    };
    // The youngest is on top; of those of one age the first.
    let steps = (0..before.len() as u32).rev();
    let mut ready: Vec<u32> = steps.filter(|&it| missing[it as usize] == 0).collect();
    let mut order = Vec::with_capacity(before.len());
    let mut begun = false;
    while !ready.is_empty() {
        // Drawn where a thread ends.
        let next = match &mut random {
            Some(random) if !begun => ready.remove(random.below(ready.len())),
            _ => ready.pop().unwrap_or_default(),
        };
        order.push(next);
        begun = false;
        for &later in after[next as usize].iter().rev() {
            missing[later as usize] -= 1;
            if missing[later as usize] == 0 {
                ready.push(later);
                begun = true;
            }
        }
    }
    order
}

/// What a step has to do with a fact.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    Needs,
    Adds,
    Deletes,
    /// Several of these.
    Alone,
}

/// The last steps that touched a fact in the same way, and those before them,
/// who touched it in another.
#[derive(Clone, Default)]
struct Touched {
    how: Option<Touch>,
    now: Vec<u32>,
    before: Vec<u32>,
}

/// For each step the steps that have to come before it: those whose order
/// matters to a fact, or enough of them for the others to follow.
fn dependencies(
    world: &World,
    plan: &[ActionIndex],
    run: &mut Run<'_>,
) -> Result<Vec<Vec<u32>>, Stop> {
    let facts = world.ground.facts.len();
    run.effort(facts as u64 / 8)?;
    let mut touched = vec![Touched::default(); facts];
    let mut all = Vec::with_capacity(plan.len());
    for (step, &action) in (0u32..).zip(plan) {
        let mut before = Vec::new();
        for (fact, how) in touches(&world.ground.actions[action as usize]) {
            let known = &mut touched[fact as usize];
            if known.how != Some(how) || how == Touch::Alone {
                known.before = std::mem::take(&mut known.now);
                known.how = Some(how);
            }
            before.extend_from_slice(&known.before);
            known.now.push(step);
        }
        run.effort(2 + before.len() as u64)?;
        before.sort_unstable();
        before.dedup();
        all.push(before);
    }
    Ok(all)
}

/// The facts an action has to do with, each once.
fn touches(action: &GroundAction) -> Vec<(u32, Touch)> {
    let mut touches = Vec::new();
    let effects = action.conditional.iter();
    let conditions = effects.map(|it| &it.condition);
    for condition in conditions.chain([&action.precondition]) {
        let facts = condition.positive.iter().chain(&condition.negative);
        touches.extend(facts.map(|&fact| (fact, Touch::Needs)));
    }
    touches.extend(action.add.iter().map(|&it| (it, Touch::Adds)));
    touches.extend(action.delete.iter().map(|&it| (it, Touch::Deletes)));
    for effect in &action.conditional {
        // Whether it happens depends on where it is done.
        touches.extend(effect.add.iter().map(|&it| (it, Touch::Alone)));
        touches.extend(effect.delete.iter().map(|&it| (it, Touch::Alone)));
    }
    touches.sort_unstable_by_key(|&(fact, _)| fact);
    touches.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same && next.1 != kept.1 {
            kept.1 = Touch::Alone;
        }
        same
    });
    touches
}
