//! Boxes for each part of the goal, and for each value every plan comes by.
//!
//! One division of the whole problem would know ever more about one cheapest
//! way. Many, each after something else, know different things, and what they
//! say can be added up as far as no action is paid for twice (`patterns`).
//!
//! A value that every plan comes by is worth something until it has been met.
//! Whether it has is not seen in a state; but a state all of whose values may
//! come before it still has to come by it, for if the rest could do without, so
//! could all. What has a value that can only come later counts as there.
//! (Seipp and Helmert, "Diverse and additive Cartesian abstraction heuristics",
//! 2014.)

use planoku_engine::{Run, Stop};

use crate::analysis::abstraction::Abstraction;
use crate::analysis::finite_problem::FiniteProblem;
use crate::analysis::refine::{Aim, Limits, refine};
use crate::ground::finite::FiniteVariables;
use crate::instance::Instance;

/// Boxes, transitions between them and steps, of all abstractions together.
const MOST_BOXES: u32 = 10_000;
const MOST_TRANSITIONS: u64 = 1_000_000;
const MOST_WORK: u64 = 100_000_000;

/// Of one.
const BOXES_OF_ONE: u32 = 2_000;

/// Steps to see what comes before what.
const ORDER_WORK: u64 = 20_000_000;

/// The problem as boxes see it, once for each aim; none where actions are not
/// plain.
pub(super) fn abstractions(
    instance: &Instance,
    variables: &FiniteVariables,
    costs: &[u32],
    run: &mut Run<'_>,
) -> Result<Vec<Abstraction>, Stop> {
    let mut work = 0;
    let problem = FiniteProblem::new(instance.ground(), variables, &mut work);
    run.effort(work)?;
    let Some(problem) = problem else {
        return Ok(Vec::new());
    };
    let aims = aims(instance, variables, &problem, run)?;
    let (mut boxes, mut transitions, mut work) = (MOST_BOXES, MOST_TRANSITIONS, MOST_WORK);
    let mut found = Vec::new();
    for (number, aim) in aims.iter().enumerate() {
        let left = (aims.len() - number) as u32;
        let limits = Limits {
            boxes: (boxes / left).min(BOXES_OF_ONE),
            transitions: transitions / u64::from(left),
            work: work / u64::from(left),
        };
        let (abstraction, spent) = refine(&problem, costs, aim, limits, run)?;
        boxes = boxes.saturating_sub(abstraction.states);
        transitions = transitions.saturating_sub(abstraction.size());
        work = work.saturating_sub(spent);
        found.push(abstraction);
    }
    Ok(found)
}

/// Landmarks, parts of the goal and the goal itself.
fn aims(
    instance: &Instance,
    variables: &FiniteVariables,
    problem: &FiniteProblem,
    run: &mut Run<'_>,
) -> Result<Vec<Aim>, Stop> {
    let mut aims = Vec::new();
    let mut spent = 0;
    let landmarks = instance.landmarks(run)?.unwrap_or_default().iter();
    let facts = landmarks.filter(|&&it| (it as usize) < variables.places.len());
    for target in facts.map(|&fact| variables.places[fact as usize]) {
        if problem.wants(target) || spent > ORDER_WORK {
            continue;
        }
        let mut work = 0;
        let before = problem.before(target, &mut work);
        spent += work;
        run.effort(work)?;
        if let Some(before) = before {
            aims.push(Aim::Any(problem.without(&before)));
        }
    }
    let partial = |(variable, values): &&(u32, Vec<u32>)| {
        !values.is_empty() && values.len() < problem.sizes[*variable as usize] as usize
    };
    let goal = problem.goal.iter().filter(partial).cloned();
    let goal: Vec<(u32, Vec<u32>)> = goal.collect();
    if goal.len() > 1 {
        let part = |it: &(u32, Vec<u32>)| Aim::Any(vec![it.clone()]);
        aims.extend(goal.iter().map(part));
    }
    if !goal.is_empty() {
        aims.push(Aim::All(goal));
    }
    Ok(aims)
}
