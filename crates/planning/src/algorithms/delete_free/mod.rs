//! Cheapest plans where nothing that matters ever becomes false.
//!
//! If no action takes away what another needs, actions commute, none is needed
//! twice, and doing what costs nothing is never wrong: a plan is a set of
//! actions. States and orders, which make ordinary search long, do not matter.
//!
//! | file | |
//! |---|---|
//! | `problem` | recognises such problems |
//! | `simplify` | makes them smaller |
//! | `cuts` | bounds what is still to be paid |
//! | `branch` | decides which operators are bought |
//! | `realise` | finds a decomposition that executes just these |
//!
//! # Hierarchical problems
//!
//! Read tasks as facts and methods as operators without cost. Every plan of
//! the hierarchical problem, each action taken once, is a plan of this one, so
//! the cheapest of this one costs no more. Its actions are then handed to an
//! ordinary search that may use these alone, each once. If that finds a
//! decomposition, it costs as little as any can. If not, nothing was proved,
//! and A* over the whole problem has to decide.

mod branch;
mod cuts;
mod problem;
mod realise;
mod simplify;

use std::collections::VecDeque;

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::algorithms::bound::Bound;
use crate::cost::Cost;
use crate::ground::{Derivation, Ground};
use crate::instance::Instance;

use branch::Branch;
use cuts::Cuts;
use problem::{Origin, Problem};
use simplify::{Simplified, simplify};

/// A cheapest plan of a problem without relevant deletes.
///
/// ```
/// use planoku_engine::{Engine, Run};
/// use planoku_planning::{Instance, ground::ground, search::DeleteFree};
///
/// let domain = "(define (domain knowledge)
///   (:predicates (know ?a ?b) (follows ?a ?b))
///   (:action conclude :parameters (?a ?b ?c)
///     :precondition (and (know ?a ?b) (follows ?b ?c)) :effect (know ?a ?c)))";
/// let problem = "(define (problem one) (:domain knowledge) (:objects a b c)
///   (:init (know a a) (follows a b) (follows b c)) (:goal (know a c)))";
/// let model = planoku_planning::read(domain, problem).0.unwrap();
/// let instance = Instance::new(ground(&model, &mut Run::default()).unwrap());
/// assert!(DeleteFree::fits(&instance));
/// let outcome = DeleteFree::default().solve(&instance, &mut Run::default()).unwrap();
/// assert_eq!(outcome.answers[0].steps.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct DeleteFree {
    /// Only plans cheaper than this are wanted.
    pub bound: Bound,
}

impl DeleteFree {
    /// True if the problem is of the kind this engine takes.
    pub fn fits(ground: &Ground) -> bool {
        (ground.root.is_none() || ground.ordered) && Problem::of(ground).is_ok()
    }
}

impl Engine<Instance> for DeleteFree {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            "delete-free",
            "which actions to pay for, where nothing becomes false: a cheapest plan",
        )
        .complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let ground = instance.ground();
        let problem = Problem::of(ground).map_err(|why| EngineError::Unsupported(why.into()))?;
        if ground.root.is_some() && !ground.ordered {
            return Err(EngineError::Unsupported(
                "the network is only partially ordered".into(),
            ));
        }
        run.search(sink, |run, found| {
            let Some((actions, cost)) = cheapest(ground, &problem, self.bound.get(), run)? else {
                return Ok(());
            };
            if ground.root.is_none() {
                let steps = actions.into_iter().enumerate();
                let steps = steps.map(|(step, action)| (step as u32, action)).collect();
                return found.push(Derivation {
                    steps,
                    refinements: Vec::new(),
                });
            }
            match realise::realise(ground, &actions, cost, run)? {
                Some(derivation) => found.push(derivation),
                None => realise::decide(instance, self.bound.clone(), run, found),
            }
        })
    }
}

/// Actions that reach the goal, in an order in which they can be executed, and
/// what they cost: no more than any others. `None` if that is `bound` or more,
/// or nothing reaches it.
fn cheapest(
    ground: &Ground,
    problem: &Problem,
    bound: Option<Cost>,
    run: &mut Run<'_>,
) -> Result<Option<(Vec<u32>, u64)>, Leave> {
    // Sums of this problem fit 64 bits, so a larger bound bounds nothing.
    let bound = bound.and_then(Cost::small).unwrap_or(u64::MAX);
    let Some(simple) = simplify(problem, run)? else {
        return Ok(None);
    };
    if simple.paid >= bound {
        return Ok(None);
    }
    run.stats.add("operators", simple.operators.len() as u64);
    run.stats.add("paid_at_once", simple.paid);
    let mut cuts = prepared(&simple);
    run.check_memory(cuts.bytes())?;
    let costs = simple.operators.iter().map(|(_, it)| it.cost).collect();
    let purchase = Branch::new(&mut cuts, costs).cheapest(bound - simple.paid, run)?;
    let Some(purchase) = purchase else {
        return Ok(None);
    };
    let cost = simple.paid + purchase.cost;
    let mut allowed = vec![false; problem.operators.len()];
    simple
        .done
        .iter()
        .for_each(|&number| allowed[number] = true);
    for (number, operator) in &simple.operators {
        allowed[*number] |= operator.cost == 0;
    }
    for &place in &purchase.bought {
        allowed[simple.operators[place as usize].0] = true;
    }
    let actions = needed(problem, &allowed);
    let sum: Cost = (actions.iter())
        .map(|&action| ground.actions[action as usize].cost)
        .sum();
    if sum != Cost::from(cost) {
        return Err(Leave::Error(EngineError::Internal(format!(
            "the actions chosen cost {}, not {cost}",
            sum.units()
        ))));
    }
    Ok(Some((actions, cost)))
}

/// The simplified problem for cuts, its facts numbered densely.
fn prepared(simple: &Simplified) -> Cuts {
    let mut numbers = vec![u32::MAX; simple.facts];
    let mut count = 0;
    let mut renumber = |list: &[u32]| -> Vec<u32> {
        let number = |&fact: &u32| {
            let number = &mut numbers[fact as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *number
        };
        list.iter().map(number).collect()
    };
    let goal = renumber(&simple.goal);
    let landmarks = renumber(&simple.landmarks);
    let lists: Vec<(Vec<u32>, Vec<u32>)> = (simple.operators.iter())
        .map(|(_, it)| (renumber(&it.needs), renumber(&it.adds)))
        .collect();
    let lists: Vec<(&[u32], &[u32])> = lists.iter().map(|(a, b)| (&a[..], &b[..])).collect();
    Cuts::new(count as usize, &lists, &goal, &landmarks)
}

/// Executes what is allowed as soon as it can be, and keeps the actions that
/// were the first to make something true that the goal rests on.
fn needed(problem: &Problem, allowed: &[bool]) -> Vec<u32> {
    let mut left: Vec<usize> = problem.operators.iter().map(|it| it.needs.len()).collect();
    let mut needed_by = vec![Vec::new(); problem.facts];
    let mut queue = VecDeque::new();
    for (number, operator) in problem.operators.iter().enumerate() {
        if !allowed[number] {
            continue;
        }
        for &need in &operator.needs {
            needed_by[need as usize].push(number);
        }
        if operator.needs.is_empty() {
            queue.push_back(number);
        }
    }
    let mut first = vec![usize::MAX; problem.facts];
    let mut order = Vec::new();
    while let Some(number) = queue.pop_front() {
        order.push(number);
        for &fact in &problem.operators[number].adds {
            if first[fact as usize] != usize::MAX {
                continue;
            }
            first[fact as usize] = number;
            for &next in &needed_by[fact as usize] {
                left[next] -= 1;
                if left[next] == 0 {
                    queue.push_back(next);
                }
            }
        }
    }
    let mut keep = vec![false; problem.operators.len()];
    let mut open = problem.goal.clone();
    while let Some(fact) = open.pop() {
        let number = first[fact as usize];
        if number != usize::MAX && !std::mem::replace(&mut keep[number], true) {
            open.extend(&problem.operators[number].needs);
        }
    }
    let kept = order.into_iter().filter(|&number| keep[number]);
    kept.filter_map(|number| match problem.operators[number].origin {
        Origin::Action(action) => Some(action),
        Origin::Free => None,
    })
    .collect()
}
