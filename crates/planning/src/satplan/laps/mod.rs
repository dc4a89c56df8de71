//! Loops with rich bodies, any number of laps in one step.
//!
//! A tail-recursive task is a loop, and a *lap* is one way through its body.
//! Where there are few ways, [`rules`](super::rules) makes each an act. But a
//! lap may have parts that go their own ways, and then there are millions:
//!
//! ```text
//! turn → flip, left, right      left → flip the next one, left from there
//!                                    | nothing, if that is different
//! ```
//!
//! So a lap is not told as one act. If no two parts of it touch the same fact,
//! unless both only read it, all its conditions may be judged before it, and all
//! its effects come after it: the whole tree below a lap is one step, and every
//! task and method has one literal for each step (`clauses`), however many laps
//! go through it. Which loops are like that is found by `body`. Laps that do
//! not interfere share a step, so a formula has as many steps as laps have to
//! wait for each other, and not as many as there are laps.
//!
//! That steps hold all that can happen in any order is the parallel encoding of
//! Kautz and Selman ("Pushing the envelope", 1996); that trees of tasks can be
//! such steps is our own.

mod body;
mod clauses;
#[cfg(test)]
mod tests;

use planoku_constraints::sat::Answer;
use planoku_engine::{Leave, Run, Stop};

use crate::analysis::derive::derivation;
use crate::ground::{Derivation, Ground, Node};
use crate::state::stacks::{Element, Elements, Kind};
use body::UnitId;
pub(crate) use body::is_loop;
pub(super) use body::{Body, FEW_WAYS};
use clauses::Clauses;

/// Conflicts after which a number of steps is left undecided at first. Whatever
/// has a plan of so many steps has one of more.
const PATIENCE: u64 = 5_000;

/// A plan, or `None` if there is none.
pub(super) fn search(
    ground: &Ground,
    body: &Body,
    run: &mut Run<'_>,
) -> Result<Option<Derivation>, Leave> {
    let mut clauses = Clauses::new(ground, body);
    let mut patience = PATIENCE;
    loop {
        let steps = clauses.steps.len() as u64;
        run.progress("sat", || Some(steps));
        let done = clauses.done();
        match run.with_at_most(patience, |run| clauses.formula.sat.solve(&[done], run)) {
            Ok(Answer::Sat) => break,
            Ok(Answer::Unsat) => {
                let whatever = clauses.formula.sat.core().is_empty();
                if whatever || body.longest().is_some_and(|longest| steps >= longest) {
                    return Ok(None);
                }
                clauses.formula.add(&[!done]);
            }
            Err(Stop::Nodes) => {
                run.check()?;
                patience *= 2;
            }
            Err(stop) => return Err(stop.into()),
        }
        clauses.step(run)?;
    }
    run.stats.add("steps", clauses.steps.len() as u64);
    Ok(Some(read(ground, body, &clauses)))
}

/// Reads a derivation off a satisfying assignment.
fn read(ground: &Ground, body: &Body, clauses: &Clauses<'_>) -> Derivation {
    let elements = Elements::new(ground);
    let mut trace = vec![elements.pack(Kind::Method(body.root))];
    for step in &clauses.steps {
        let holds = |unit: UnitId| clauses.holds(step[unit]);
        for &lap in body.laps.iter().filter(|&&lap| holds(lap)) {
            tell(ground, body, lap, &holds, elements, &mut trace);
        }
    }
    trace.push(elements.pack(Kind::Method(clauses.leaving())));
    derivation(ground, &trace)
}

/// Appends a unit and all below it, parents first.
fn tell(
    ground: &Ground,
    body: &Body,
    unit: UnitId,
    holds: &impl Fn(UnitId) -> bool,
    elements: Elements,
    trace: &mut Vec<Element>,
) {
    let mut open = vec![Open::Unit(unit)];
    while let Some(next) = open.pop() {
        let unit = match next {
            Open::Action(action) => {
                trace.push(elements.pack(Kind::Action(action)));
                continue;
            }
            Open::Unit(unit) => unit,
        };
        let methods = &body.units[unit].methods;
        trace.extend(methods.iter().map(|&it| elements.pack(Kind::Method(it))));
        let mut tasks = body.units[unit].tasks.iter();
        let parts = body.parts(ground, unit).iter().map(|&part| match part {
            Node::Action(action) => Open::Action(action),
            Node::Task(_) => {
                let task = tasks.next().expect("every task of a body is known");
                let ways = &body.tasks[*task].units;
                let chosen = ways.iter().copied().find(|&way| holds(way));
                Open::Unit(chosen.expect("a task that holds has a way that holds"))
            }
        });
        let first = open.len();
        open.extend(parts);
        open[first..].reverse();
    }
}

/// What is still to be told.
enum Open {
    Action(u32),
    Unit(UnitId),
}
