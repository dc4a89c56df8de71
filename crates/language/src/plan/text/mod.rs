//! Plans as text: the IPC's format for hierarchical plans, and PDDL's.
//!
//! ```text
//! ==>
//! 3 place c1 r0 d4                     id, action and arguments, in execution order
//! root 1                               ids of the initial tasks
//! 1 fill c1 r0 d4 -> fill-cell 3       id, task and arguments, method, ids of its children
//! <==
//! ```
//!
//! Whatever stands outside the arrows is ignored, and so is white space; where
//! the last arrow is missing, as in what pandaPIparser's `-c` writes, the plan
//! ends with the text. Other plans are lists of actions, in any of the ways that
//! planners print them: `(action arguments)` a line, `0: (action arguments) [1]`,
//! bare words, FF's `step 0: ACTION ARGUMENTS`, unified-planning's
//! `action(arguments)`. A comment `; cost = 12` states what the plan costs.

mod decomposed;
mod listed;
mod names;
mod timed;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use rustc_hash::FxHashMap;

use super::{Plan, TimedPlan};
use crate::cost::Cost;
use crate::model::{ActionId, Model, Network, TaskRef};
use names::{Names, words};

impl Plan {
    /// The plan as planners print it: hierarchical if it has initial tasks or
    /// decompositions, otherwise classical.
    pub fn text(&self, model: &Model) -> String {
        if model.network.is_some() {
            self.hierarchical(model)
        } else {
            self.classical(model)
        }
    }

    /// In the IPC's format for hierarchical plans.
    pub fn hierarchical(&self, model: &Model) -> String {
        let mut out = String::from("==>\n");
        let name = |id: ActionId| &model.actions[id.index()].name;
        for step in &self.steps {
            let shown = model.show(name(step.action), &step.arguments);
            out += &format!("{} {shown}\n", step.id);
        }
        let tasks = self.tasks();
        out += "root";
        let network = model.network.as_ref().map(|it| &it.network);
        for id in in_order(&self.roots, network, &tasks) {
            out += &format!(" {id}");
        }
        out += "\n";
        for refined in &self.decompositions {
            let task = &model.tasks[refined.task.index()].name;
            let method = &model.methods[refined.method.index()].name;
            let shown = model.show(task, &refined.arguments);
            out += &format!("{} {shown} -> {method}", refined.id);
            let network = &model.methods[refined.method.index()].network;
            for child in in_order(&refined.children, Some(network), &tasks) {
                out += &format!(" {child}");
            }
            out += "\n";
        }
        out + "<==\n"
    }

    /// One `(action arguments)` a line, and the cost in a comment.
    pub fn classical(&self, model: &Model) -> String {
        let mut out = String::new();
        for step in &self.steps {
            let name = &model.actions[step.action.index()].name;
            out += &format!("({})\n", model.show(name, &step.arguments));
        }
        if let Some(cost) = self.cost {
            out += &format!("; cost = {}\n", model.show_cost(cost));
        }
        out
    }
}

impl Plan {
    /// What each id stands for.
    fn tasks(&self) -> FxHashMap<u64, TaskRef> {
        let steps = self.steps.iter();
        let steps = steps.map(|step| (step.id, TaskRef::Action(step.action)));
        let refined = self.decompositions.iter();
        steps
            .chain(refined.map(|it| (it.id, TaskRef::Task(it.task))))
            .collect()
    }
}

/// Children in an order that their network allows. pandaPI's verifier matches
/// them in the order in which they are listed and refuses any other; where the
/// listing is not the network's own it is left alone.
fn in_order(
    children: &[u64],
    network: Option<&Network>,
    tasks: &FxHashMap<u64, TaskRef>,
) -> Vec<u64> {
    let Some(network) = network else {
        return children.to_vec();
    };
    let listed = children.iter().map(|id| tasks.get(id).copied());
    let own = network.subtasks.iter().map(|it| Some(it.task));
    if !listed.eq(own) {
        return children.to_vec();
    }
    let mut waits = vec![0; children.len()];
    let mut after = vec![Vec::new(); children.len()];
    for &(first, second) in &network.ordering {
        waits[second as usize] += 1;
        after[first as usize].push(second as usize);
    }
    // Of those that need not wait, the first in the list comes next. A model
    // has no cycles, so all of them come.
    let ready = (0..children.len()).filter(|&place| waits[place] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = ready.map(Reverse).collect();
    let mut order = Vec::with_capacity(children.len());
    while let Some(Reverse(place)) = ready.pop() {
        order.push(children[place]);
        for &next in &after[place] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.push(Reverse(next));
            }
        }
    }
    order
}

/// A mistake in a plan's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTextError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What was wanted and what was found.
    pub message: String,
}

impl fmt::Display for PlanTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for PlanTextError {}

/// A plan as it stands in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The plan. The steps of a list are given ids by their places, from 0.
    pub plan: Plan,
    /// Per id: its line, from 1.
    pub lines: FxHashMap<u64, usize>,
    /// It is a list of actions, without any decomposition.
    pub flat: bool,
    /// What the text says of the number of steps, where that is not the cost,
    /// and the line in which it says so.
    pub said_steps: Option<(Cost, usize)>,
}

/// Reads a plan for a model. If the model has an initial task network the
/// plan must be hierarchical, otherwise a list of actions.
///
/// Names are compared as PDDL does, without regard to case, but an exact match
/// is preferred.
pub fn read(text: &str, model: &Model) -> Result<Plan, PlanTextError> {
    let names = Names::new(model);
    let written = match model.network.is_some() {
        true => decomposed::read(text, &names),
        false => listed::read(text, &names),
    }?;
    Ok(with_cost(written, text, model)?.plan)
}

/// Reads a plan for a model, with or without a decomposition, and where its
/// parts stand.
///
/// ```
/// # use planoku_language::{plan::text, read};
/// # let domain = "(define (domain d) (:predicates (at ?x)) (:action go :parameters (?a ?b)
/// #     :precondition (at ?a) :effect (and (not (at ?a)) (at ?b))))";
/// # let problem = "(define (problem p) (:domain d) (:objects x y) (:init (at x)) (:goal (at y)))";
/// # let model = read(domain, problem).0.unwrap();
/// let ff = "ff: found legal plan as follows\n\nstep    0: GO X Y\n        1: GO Y X\n\ntime spent: …";
/// let written = text::read_any(ff, &model).unwrap();
/// assert_eq!((written.plan.steps.len(), written.lines[&1]), (2, 4));
/// ```
pub fn read_any(text: &str, model: &Model) -> Result<Written, PlanTextError> {
    let names = Names::new(model);
    let written = match model.network.is_some() && decomposed::begins(text) {
        true => decomposed::read(text, &names),
        false => listed::read(text, &names),
    }?;
    with_cost(written, text, model)
}

/// Reads a plan with times, and the line of each of its steps.
///
/// ```
/// # use planoku_language::{plan::text, read};
/// # let domain = "(define (domain d) (:requirements :durative-actions) (:predicates (done))
/// #     (:durative-action work :parameters () :duration (= ?duration 5) :condition ()
/// #       :effect (at end (done))))";
/// # let problem = "(define (problem p) (:domain d) (:init) (:goal (done)))";
/// # let model = read(domain, problem).0.unwrap();
/// let (plan, lines) = text::read_timed("; by hand\n0.5: (work) [5.0]\n", &model).unwrap();
/// assert_eq!((plan.steps.len(), lines[0]), (1, 2));
/// assert_eq!(planoku_language::verify::verify_timed(&model, &plan).unwrap().makespan.to_string(), "5.5");
/// ```
pub fn read_timed(text: &str, model: &Model) -> Result<(TimedPlan, Vec<usize>), PlanTextError> {
    timed::read(text, &Names::new(model))
}

/// Adds what a comment `; cost = 12` states; the last one counts. What some
/// planners mark as `(unit cost)` is the number of steps, and a cost only where
/// the model speaks of none.
fn with_cost(mut written: Written, text: &str, model: &Model) -> Result<Written, PlanTextError> {
    for (number, line) in text.lines().enumerate() {
        let words = words(line, number + 1);
        let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
        let (place, rest) = match texts.as_slice() {
            [";", "cost", "=", _, rest @ ..] => (3, rest),
            [";cost", "=", _, rest @ ..] => (2, rest),
            _ => continue,
        };
        let cost = model.scale.read(words[place].text).map_err(|error| {
            let found = words[place].text;
            words[place].error(format!("expected a cost, found `{found}`: {error}"))
        })?;
        if rest == ["(unit", "cost)"] && model.default_cost() == Cost::ZERO {
            written.said_steps = Some((cost, number + 1));
        } else {
            written.plan.cost = Some(cost);
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_listed_in_an_order_that_their_method_allows() {
        let domain = "(define (domain tea) (:requirements :hierarchy)
          (:predicates (hot))
          (:task serve :parameters ())
          (:method m :parameters () :task (serve)
            :subtasks (and (last (pour)) (middle (boil)) (first (fill)))
            :ordering (and (< first middle) (< middle last)))
          (:action pour :parameters () :precondition (hot))
          (:action boil :parameters () :effect (hot))
          (:action fill :parameters ()))";
        let problem = "(define (problem cup) (:domain tea)
          (:htn :subtasks (and (serve))) (:init))";
        let model = crate::read(domain, problem).0.unwrap();
        let plan = "==>\n0 fill\n1 boil\n2 pour\nroot 3\n3 serve -> m 2 1 0\n<==\n";
        let plan = read(plan, &model).unwrap();
        crate::verify::verify(&model, &plan).unwrap();
        let text = plan.text(&model);
        assert!(text.contains("3 serve -> m 0 1 2"), "{text}");
        // What is not listed as the method lists it stays as it is.
        let other = read(&text, &model).unwrap();
        assert_eq!(other.text(&model), text);
    }
}
