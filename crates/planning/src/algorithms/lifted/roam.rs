//! Tasks that walk: searched as ways through states.
//!
//! A task all of whose methods either end it or do some actions and leave the
//! same task to be done once more is no hierarchy but a walk. Depth first it
//! goes astray, and learns late that it cannot arrive. Here it is what it is:
//! states and the task's arguments are nodes, a method's actions a step, and
//! where a method that ends it applies the walk is over. The node that seems
//! [nearest](Distances) to such a place comes next, or else the one with the
//! fewest steps behind it. Where few nodes can be reached and none of them is
//! an end, the task is proved impossible here, at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashSet;

use super::distance::{Distances, FAR};
use super::facts::{FactId, Facts};
use super::join::instances;
use super::schema::{Rule, Schemas};
use super::twins::Watched;
use super::walk::{NODE, apply, task_hash};
use crate::model::{TaskId, TaskRef};
use crate::state::hash::mix;

const NONE: u32 = u32::MAX;

/// An instance of a rule.
pub(super) type Instance = (u32, Box<[u32]>);

/// How a walk ended.
pub(super) enum Roamed {
    /// These steps lead to where a method ends it.
    There(Vec<Instance>),
    /// Nothing that can be reached from here is an end.
    Nowhere,
    /// It took too long.
    Astray,
}

struct Node {
    arguments: Box<[u32]>,
    parent: u32,
    depth: u32,
    step: Instance,
    /// Facts flipped since the parent: a range of `flips`.
    flips: (u32, u32),
}

/// One search for a way.
pub(super) struct Roam<'a, 's, 'm> {
    schemas: &'s Schemas<'m>,
    facts: &'a mut Facts,
    distances: &'a mut Distances<'s, 'm>,
    task: TaskId,
    apart: Watched,
    nodes: Vec<Node>,
    flips: Vec<FactId>,
    /// The way to the node that `facts` shows, each with where its flips begin
    /// on the trail.
    shown: Vec<(u32, usize)>,
    seen: FxHashSet<u128>,
    open: BinaryHeap<(Reverse<u32>, Reverse<u32>)>,
}

/// True if a task walks.
pub(super) fn walks(task: TaskId, rules: &[Rule<'_>]) -> bool {
    let (steps, ends): (Vec<_>, Vec<_>) = rules.iter().partition(|rule| rule.recursive);
    let step = |rule: &&Rule<'_>| {
        let Some((&last, before)) = rule.order.split_last() else {
            return false;
        };
        let act = |&it: &usize| matches!(rule.subtasks[it].0, TaskRef::Action(_));
        rule.ordered
            && rule.subtasks[last].0 == TaskRef::Task(task)
            && !before.is_empty()
            && before.iter().all(act)
    };
    // What can be ended anywhere is ended at once, and never walks.
    let anywhere = |rule: &&Rule<'_>| rule.joins.is_empty() && rule.checks.is_empty();
    !steps.is_empty() && !ends.is_empty() && steps.iter().all(step) && !ends.iter().any(anywhere)
}

impl<'a, 's, 'm> Roam<'a, 's, 'm> {
    pub(super) fn new(
        schemas: &'s Schemas<'m>,
        facts: &'a mut Facts,
        distances: &'a mut Distances<'s, 'm>,
        task: TaskId,
        apart: Watched,
    ) -> Roam<'a, 's, 'm> {
        Roam {
            schemas,
            facts,
            distances,
            task,
            apart,
            nodes: Vec::new(),
            flips: Vec::new(),
            shown: Vec::new(),
            seen: FxHashSet::default(),
            open: BinaryHeap::new(),
        }
    }

    /// Looks at no more than `limit` nodes. What holds is the same afterwards.
    pub(super) fn go(
        mut self,
        arguments: Box<[u32]>,
        limit: usize,
        run: &mut Run<'_>,
    ) -> Result<Roamed, Stop> {
        let begin = self.facts.now();
        let result = self.search(arguments, begin, limit, run);
        self.facts.undo(begin);
        result
    }

    fn search(
        &mut self,
        arguments: Box<[u32]>,
        begin: usize,
        limit: usize,
        run: &mut Run<'_>,
    ) -> Result<Roamed, Stop> {
        if self.ends(&arguments, run)? {
            return Ok(Roamed::There(Vec::new()));
        }
        self.keep(NONE, arguments, (0, Box::default()), begin, run)?;
        while let Some((_, Reverse(node))) = self.open.pop() {
            run.tick()?;
            run.effort(NODE - 1)?;
            self.show(node, begin);
            if let Some(end) = self.expand(node, run)? {
                return Ok(Roamed::There(self.way(end)));
            }
            if self.nodes.len() >= limit {
                return Ok(Roamed::Astray);
            }
        }
        Ok(Roamed::Nowhere)
    }

    /// True if a method that ends the task applies.
    fn ends(&self, arguments: &[u32], run: &mut Run<'_>) -> Result<bool, Stop> {
        let mut found = Vec::new();
        for rule in &self.schemas.rules[self.task.index()] {
            if !rule.recursive {
                instances(self.facts, rule, arguments, self.apart, &mut found, run)?;
                if !found.is_empty() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Takes every step from the node shown; one that ends there, if any does.
    fn expand(&mut self, node: u32, run: &mut Run<'_>) -> Result<Option<u32>, Stop> {
        let schemas = self.schemas;
        let here = self.facts.now();
        let arguments = self.nodes[node as usize].arguments.clone();
        let apart = self.apart | self.facts.twins.among(&arguments);
        let mut found = Vec::new();
        for (index, rule) in schemas.rules[self.task.index()].iter().enumerate() {
            if !rule.recursive {
                continue;
            }
            instances(self.facts, rule, &arguments, apart, &mut found, run)?;
            for values in found.drain(..) {
                run.effort(NODE)?;
                if let Some(arguments) = step(schemas, self.facts, rule, &values) {
                    let name = task_hash(TaskRef::Task(self.task), &arguments);
                    if self.seen.insert(mix(self.facts.hash ^ name)) {
                        let ends = self.ends(&arguments, run)?;
                        self.keep(node, arguments, (index as u32, values), here, run)?;
                        if ends {
                            return Ok(Some(self.nodes.len() as u32 - 1));
                        }
                    }
                }
                self.facts.undo(here);
            }
        }
        Ok(None)
    }

    /// Makes a node of what holds now.
    fn keep(
        &mut self,
        parent: u32,
        arguments: Box<[u32]>,
        step: Instance,
        since: usize,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let depth = match self.nodes.get(parent as usize) {
            Some(parent) => parent.depth + 1,
            None => 0,
        };
        let far = self.distances.of(self.task, &arguments, self.facts, run)?;
        let from = self.flips.len() as u32;
        self.flips
            .extend_from_slice(self.facts.changed_since(since));
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            arguments,
            parent,
            depth,
            step,
            flips: (from, self.flips.len() as u32),
        });
        let key = far.unwrap_or(depth).min(FAR - 1);
        self.open.push((Reverse(key), Reverse(number)));
        Ok(())
    }

    /// Makes `facts` show a node.
    fn show(&mut self, node: u32, begin: usize) {
        let mut way = Vec::new();
        let mut at = node;
        while at != NONE {
            let depth = self.nodes[at as usize].depth as usize;
            if self.shown.get(depth).is_some_and(|&(shown, _)| shown == at) {
                break;
            }
            way.push(at);
            at = self.nodes[at as usize].parent;
        }
        let kept = match at {
            NONE => 0,
            at => self.nodes[at as usize].depth as usize + 1,
        };
        if let Some(&(_, point)) = self.shown.get(kept) {
            self.facts.undo(point);
        }
        self.shown.truncate(kept);
        if kept == 0 {
            self.facts.undo(begin);
        }
        for at in way.into_iter().rev() {
            self.shown.push((at, self.facts.now()));
            let (from, to) = self.nodes[at as usize].flips;
            for &fact in &self.flips[from as usize..to as usize] {
                let holds = self.facts.holds(fact);
                self.facts.assign(fact, !holds);
            }
        }
    }

    fn way(&self, end: u32) -> Vec<Instance> {
        let mut steps = Vec::new();
        let mut at = end;
        while self.nodes[at as usize].parent != NONE {
            let node = &self.nodes[at as usize];
            steps.push(node.step.clone());
            at = node.parent;
        }
        steps.reverse();
        steps
    }
}

/// Does the actions of a step; the arguments of what remains, or `None` if one
/// of them cannot be done.
pub(super) fn step(
    schemas: &Schemas<'_>,
    facts: &mut Facts,
    rule: &Rule<'_>,
    values: &[u32],
) -> Option<Box<[u32]>> {
    let mut again = None;
    for &place in rule.order.iter() {
        let (task, slots) = &rule.subtasks[place];
        let arguments: Box<[u32]> = slots.iter().map(|slot| slot.value(values)).collect();
        match task {
            TaskRef::Task(_) => again = Some(arguments),
            TaskRef::Action(action) => {
                if !apply(schemas, facts, *action, &arguments) {
                    return None;
                }
            }
        }
    }
    again
}
