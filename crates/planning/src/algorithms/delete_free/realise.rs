//! A decomposition that executes given actions, each once.
//!
//! The problem is cut down to methods that lead to these actions alone. Each
//! of them gets a *ticket*, a fact that it needs and takes away, so that the
//! search cannot do it twice and sees at once what has become impossible. What
//! costs nothing needs no ticket.

use planoku_engine::{End, Engine, Found, Leave, Run, Stop};

use crate::algorithms::Progression;
use crate::algorithms::bound::Bound;
use crate::cost::Cost;
use crate::ground::{Derivation, Ground, GroundFact, Node};
use crate::heuristics::Estimate;
use crate::instance::Instance;

/// Nodes after which nobody believes in it any more.
const PATIENCE: u64 = 50_000;

/// A plan that costs `cost` and consists of these actions, if one is found.
pub(super) fn realise(
    ground: &Ground,
    actions: &[u32],
    cost: u64,
    run: &mut Run<'_>,
) -> Result<Option<Derivation>, Leave> {
    let Some(small) = Restricted::new(ground, actions) else {
        return Ok(None);
    };
    let engine = Progression {
        bound: Bound::from(Cost::from(cost) + Cost::ONE),
        ..Progression::greedy(Estimate::Ff)
    };
    let outcome = run.with_at_most(PATIENCE, |run| engine.solve(&small.instance, run))?;
    run.check()?;
    match outcome.end {
        End::Stopped(stop @ (Stop::Time | Stop::Memory | Stop::Cancelled)) => Err(stop.into()),
        _ => Ok(outcome.answers.into_iter().next().map(|it| small.back(it))),
    }
}

/// A* over the whole problem.
pub(super) fn decide(
    instance: &Instance,
    bound: Bound,
    run: &mut Run<'_>,
    found: &mut Found<'_, Derivation>,
) -> Result<(), Leave> {
    let engine = Progression {
        bound,
        ..Progression::optimal()
    };
    let outcome = engine.solve(instance, run).map_err(Leave::Error)?;
    for derivation in outcome.answers {
        found.push(derivation)?;
    }
    match outcome.end {
        End::Stopped(stop) => Err(stop.into()),
        End::Incomplete => Err(Leave::GaveUp),
        End::Exhausted | End::Enough => Ok(()),
    }
}

/// A problem with some of another's actions, and what its numbers stand for.
struct Restricted {
    instance: Instance,
    actions: Vec<u32>,
    methods: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Restricted {
    /// `None` if the root can no longer be refined.
    fn new(ground: &Ground, actions: &[u32]) -> Option<Restricted> {
        let mut action_numbers = vec![GONE; ground.actions.len()];
        let mut kept = actions.to_vec();
        // What costs nothing may be done in any case.
        let free = |action: &u32| ground.actions[*action as usize].cost == Cost::ZERO;
        kept.extend((0..ground.actions.len() as u32).filter(free));
        kept.sort_unstable();
        kept.dedup();
        for (number, &action) in kept.iter().enumerate() {
            action_numbers[action as usize] = number as u32;
        }
        let alive = alive_methods(ground, &action_numbers);
        let mut task_numbers = vec![GONE; ground.tasks.len()];
        let mut small = Ground {
            facts: ground.facts.clone(),
            axioms: ground.axioms.clone(),
            init: ground.init.clone(),
            goal: ground.goal.clone(),
            ordered: ground.ordered,
            ..Ground::default()
        };
        for (task, it) in ground.tasks.iter().enumerate() {
            if it.methods.iter().any(|&method| alive[method as usize]) {
                task_numbers[task] = small.tasks.len() as u32;
                let mut it = it.clone();
                it.methods.clear();
                small.tasks.push(it);
            }
        }
        let root = task_numbers[ground.root? as usize];
        if root == GONE {
            return None;
        }
        small.root = Some(root);
        let mut methods = Vec::new();
        for (number, method) in ground.methods.iter().enumerate() {
            if !alive[number] {
                continue;
            }
            let mut method = method.clone();
            method.task = task_numbers[method.task as usize];
            for node in &mut method.subtasks {
                *node = match *node {
                    Node::Task(task) => Node::Task(task_numbers[task as usize]),
                    Node::Action(action) => Node::Action(action_numbers[action as usize]),
                };
            }
            small.tasks[method.task as usize]
                .methods
                .push(small.methods.len() as u32);
            small.methods.push(method);
            methods.push(number as u32);
        }
        for &action in &kept {
            let mut action = ground.actions[action as usize].clone();
            if action.cost > Cost::ZERO {
                let ticket = small.facts.len() as u32;
                small.facts.push(GroundFact::Helper(ticket));
                small.init.push(ticket);
                action.precondition.positive.push(ticket);
                action.delete.push(ticket);
            }
            small.actions.push(action);
        }
        Some(Restricted {
            instance: Instance::new(small),
            actions: kept,
            methods,
        })
    }

    /// A derivation in the numbers of the whole problem.
    fn back(&self, mut derivation: Derivation) -> Derivation {
        for (_, action) in &mut derivation.steps {
            *action = self.actions[*action as usize];
        }
        for refinement in &mut derivation.refinements {
            refinement.method = self.methods[refinement.method as usize];
        }
        derivation
    }
}

/// Per method: it can be carried out with the actions that have a number.
fn alive_methods(ground: &Ground, actions: &[u32]) -> Vec<bool> {
    let mut left: Vec<usize> = ground.methods.iter().map(|it| it.subtasks.len()).collect();
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); ground.tasks.len()];
    let mut open = Vec::new();
    for (number, method) in ground.methods.iter().enumerate() {
        for node in &method.subtasks {
            match *node {
                Node::Task(task) => waiting[task as usize].push(number),
                Node::Action(action) if actions[action as usize] != GONE => left[number] -= 1,
                Node::Action(_) => {}
            }
        }
        if left[number] == 0 {
            open.push(number);
        }
    }
    let mut done = vec![false; ground.tasks.len()];
    while let Some(number) = open.pop() {
        let task = ground.methods[number].task as usize;
        if !std::mem::replace(&mut done[task], true) {
            for next in std::mem::take(&mut waiting[task]) {
                left[next] -= 1;
                if left[next] == 0 {
                    open.push(next);
                }
            }
        }
    }
    left.into_iter().map(|left| left == 0).collect()
}
