//! Best-first search without grounding.
//!
//! The same joins as the depth-first walk, but states are kept and the most
//! promising node is taken next: the one with the fewest tasks left and parts
//! of the goal missing, the oldest among equals. A task that recurs at the end
//! of its methods keeps the stack as long as it was, so that it is searched in
//! breadth, and the first way through it is a short one; once it is done the
//! stack is shorter, and the search goes on from there.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use planoku_engine::{Leave, Run, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::{FactId, Facts};
use super::join::instances;
use super::schema::{Rule, Schemas};
use super::twins::Watched;
use super::walk::{ENTRY, Goal, Made, NODE, apply, assemble, task_hash};
use crate::model::{TaskId, TaskRef};
use crate::plan::Plan;
use crate::state::hash::mix;

const NONE: u32 = u32::MAX;

/// What a stack that was not seen before costs, as [`NODE`] is counted.
const STACK: u64 = 20;

/// Steps without a choice taken inside one node.
const LONG_CHAIN: usize = 5000;

/// Something on a stack; equal stacks are the same entry.
struct Entry {
    task: TaskRef,
    arguments: Box<[u32]>,
    below: u32,
    hash: u128,
    /// The objects it mentions, from here down.
    objects: Watched,
    length: u32,
}

struct Node {
    state: u32,
    stack: u32,
    parent: u32,
    /// What was done since the parent: a range of `made`.
    made: (u32, u32),
    /// Tasks left and goals missing, in one number.
    left: u32,
    /// How often that number went down on the way here.
    rank: u32,
}

/// An instance of a rule of a task.
type Choice = (u32, Box<[u32]>);

/// The state of one search.
pub(super) struct Best<'s, 'm> {
    schemas: &'s Schemas<'m>,
    facts: Facts,
    goal: Goal<'m>,
    /// Facts that hold, for each state seen.
    states: Vec<Box<[FactId]>>,
    state_index: FxHashMap<u128, u32>,
    /// The state `facts` shows.
    shown: u32,
    entries: Vec<Entry>,
    entry_index: FxHashMap<u128, u32>,
    nodes: Vec<Node>,
    made: Vec<Made>,
    visited: FxHashSet<u128>,
    open: BTreeMap<Key, VecDeque<u32>>,
    /// Whether facts seen for the first time count.
    novelty: bool,
    /// Facts seen, each with the tasks left below and the goals missing then.
    seen: FxHashSet<(u32, u32, FactId)>,
    bytes: usize,
    /// Entries looked up since that was last charged for.
    laid: u64,
}

/// How promising a node is, the lowest first: tasks left and goals missing;
/// whether nothing about it is new; how seldom tasks were done on the way.
type Key = (u32, bool, Reverse<u32>);

impl<'s, 'm> Best<'s, 'm> {
    /// A search from the initial state.
    pub(super) fn new(schemas: &'s Schemas<'m>, mut facts: Facts, novelty: bool) -> Best<'s, 'm> {
        facts.forget();
        let goal = Goal::new(schemas, &mut facts);
        let held = facts.held().into_boxed_slice();
        let mut best = Best {
            schemas,
            goal,
            states: vec![held],
            state_index: FxHashMap::default(),
            shown: 0,
            entries: Vec::new(),
            entry_index: FxHashMap::default(),
            nodes: Vec::new(),
            made: Vec::new(),
            visited: FxHashSet::default(),
            open: BTreeMap::new(),
            novelty,
            seen: FxHashSet::default(),
            bytes: 0,
            laid: 0,
            facts,
        };
        best.state_index.insert(best.facts.hash, 0);
        best
    }

    /// Searches to the end; `None` if there is nothing left to look at.
    pub(super) fn go(&mut self, run: &mut Run<'_>) -> Result<Option<Plan>, Leave> {
        let mut root = Vec::new();
        instances(&self.facts, &self.schemas.root, &[], 0, &mut root, run)?;
        for values in root {
            if let Some(plan) = self.child(NONE, 0, None, (0, values), NONE, run)? {
                return Ok(Some(plan));
            }
        }
        while let Some(node) = self.next() {
            let Node { state, stack, .. } = self.nodes[node as usize];
            let entry = &self.entries[stack as usize];
            let (below, apart) = (entry.below, entry.objects);
            let TaskRef::Task(task) = entry.task else {
                continue;
            };
            let arguments = entry.arguments.clone();
            let facts = self.states[state as usize].len();
            run.effort(NODE + facts as u64 / 8)?;
            self.show(state);
            for choice in self.choices(task, &arguments, apart, run)? {
                let name = Some((task, arguments.clone()));
                if let Some(plan) = self.child(node, state, name, choice, below, run)? {
                    return Ok(Some(plan));
                }
            }
        }
        Ok(None)
    }

    fn next(&mut self) -> Option<u32> {
        let mut first = self.open.first_entry()?;
        let node = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        node
    }

    fn choices(
        &self,
        task: TaskId,
        arguments: &[u32],
        apart: Watched,
        run: &mut Run<'_>,
    ) -> Result<Vec<Choice>, Stop> {
        let mut all = Vec::new();
        let mut found = Vec::new();
        for (index, rule) in self.schemas.rules[task.index()].iter().enumerate() {
            instances(&self.facts, rule, arguments, apart, &mut found, run)?;
            all.extend(found.drain(..).map(|values| (index as u32, values)));
        }
        Ok(all)
    }

    /// Makes `facts` show a state.
    fn show(&mut self, state: u32) {
        self.facts.undo(0);
        if self.shown == state {
            return;
        }
        let (old, new) = (
            &self.states[self.shown as usize],
            &self.states[state as usize],
        );
        let (mut left, mut right) = (old.iter().peekable(), new.iter().peekable());
        let mut changes = Vec::new();
        loop {
            match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(a), Some(b)) if a == b => {
                    left.next();
                    right.next();
                }
                (Some(a), b) if b.is_none_or(|b| *a < b) => {
                    changes.push((**a, false));
                    left.next();
                }
                (_, Some(b)) => {
                    changes.push((**b, true));
                    right.next();
                }
                (Some(_), None) => break,
            }
        }
        for (fact, holds) in changes {
            self.facts.assign(fact, holds);
        }
        self.facts.forget();
        self.shown = state;
    }

    /// Takes a choice in a state and goes on while there is none; a plan if
    /// that leads to the end.
    fn child(
        &mut self,
        parent: u32,
        state: u32,
        task: Option<(TaskId, Box<[u32]>)>,
        choice: Choice,
        below: u32,
        run: &mut Run<'_>,
    ) -> Result<Option<Plan>, Leave> {
        run.tick()?;
        self.facts.undo(0);
        let from = self.made.len();
        match self.settle(task, choice, below, run)? {
            Some(NONE) if self.goal.missing(self.schemas, &self.facts) == 0 => {
                Ok(Some(self.plan(parent, from)))
            }
            None | Some(NONE) => {
                self.made.truncate(from);
                Ok(None)
            }
            Some(stack) => {
                let facts = self.states[state as usize].len() / 8;
                run.effort((facts + self.goal.size() / 8) as u64)?;
                if !self.keep(parent, state, stack, from) {
                    self.made.truncate(from);
                } else if self.nodes.len().is_multiple_of(1024) {
                    self.report(run)?;
                }
                Ok(None)
            }
        }
    }

    /// Does a choice and everything after it that leaves none; the stack then,
    /// or `None` at a dead end.
    fn settle(
        &mut self,
        task: Option<(TaskId, Box<[u32]>)>,
        choice: Choice,
        below: u32,
        run: &mut Run<'_>,
    ) -> Result<Option<u32>, Stop> {
        let mut known = self.entries.len();
        let mut top = self.unfold(task, choice, below);
        for _ in 0..LONG_CHAIN {
            if top == NONE {
                return Ok(Some(NONE));
            }
            let new = self.entries.len() - known;
            run.effort(NODE + STACK * new as u64 + ENTRY * std::mem::take(&mut self.laid))?;
            known = self.entries.len();
            let entry = &self.entries[top as usize];
            let (below, apart) = (entry.below, entry.objects);
            let arguments = entry.arguments.clone();
            match entry.task {
                TaskRef::Action(action) => {
                    if !apply(self.schemas, &mut self.facts, action, &arguments) {
                        return Ok(None);
                    }
                    self.made.push(Made::Action(action, arguments));
                    top = below;
                }
                TaskRef::Task(task) => {
                    let mut choices = self.choices(task, &arguments, apart, run)?;
                    match choices.len() {
                        0 => return Ok(None),
                        1 => {
                            let choice = choices.remove(0);
                            top = self.unfold(Some((task, arguments)), choice, below);
                        }
                        _ => return Ok(Some(top)),
                    }
                }
            }
        }
        Ok(None)
    }

    fn unfold(
        &mut self,
        task: Option<(TaskId, Box<[u32]>)>,
        (rule, values): Choice,
        below: u32,
    ) -> u32 {
        let schemas = self.schemas;
        let schema: &Rule<'_> = match &task {
            None => &schemas.root,
            Some((task, _)) => &schemas.rules[task.index()][rule as usize],
        };
        let order = schema.order.clone();
        self.laid += order.len() as u64;
        let mut top = below;
        for &place in order.iter().rev() {
            let (task, slots) = &schema.subtasks[place];
            let arguments = slots.iter().map(|slot| slot.value(&values)).collect();
            top = self.push(*task, arguments, top);
        }
        self.made.push(Made::Refined { task, rule, order });
        top
    }

    fn push(&mut self, task: TaskRef, arguments: Box<[u32]>, below: u32) -> u32 {
        let (rest, length, objects) = match self.entries.get(below as usize) {
            None => (0, 0, 0),
            Some(rest) => (rest.hash, rest.length, rest.objects),
        };
        let hash = mix(rest ^ task_hash(task, &arguments));
        let next = self.entries.len() as u32;
        let id = *self.entry_index.entry(hash).or_insert(next);
        if id == next {
            self.bytes += 120 + arguments.len() * 4;
            self.entries.push(Entry {
                task,
                objects: objects | self.facts.twins.among(&arguments),
                arguments,
                below,
                hash,
                length: length + 1,
            });
        }
        id
    }

    /// Makes a node of what `facts` shows and a stack, unless it was seen.
    fn keep(&mut self, parent: u32, from_state: u32, stack: u32, from: usize) -> bool {
        let entry = &self.entries[stack as usize];
        if !self.visited.insert(mix(self.facts.hash ^ mix(entry.hash))) {
            return false;
        }
        let (below, length) = (entry.below, entry.length);
        let missing = self.goal.missing(self.schemas, &self.facts);
        let left = 4 * length + missing;
        let rank = match self.nodes.get(parent as usize) {
            Some(parent) if self.novelty => parent.rank + u32::from(left < parent.left),
            _ => 0,
        };
        let stale = self.novelty && !self.is_new(below, missing);
        let next = self.states.len() as u32;
        let state = *self.state_index.entry(self.facts.hash).or_insert(next);
        if state == next {
            let mut flipped = self.facts.changed_since(0).to_vec();
            flipped.sort_unstable();
            flipped.dedup();
            let before = &self.states[from_state as usize];
            let held = merged(before, &flipped, |fact| self.facts.holds(fact));
            self.bytes += held.len() * 4 + 80;
            self.states.push(held.into_boxed_slice());
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            state,
            stack,
            parent,
            made: (from as u32, self.made.len() as u32),
            left,
            rank,
        });
        let key = (left, stale, Reverse(rank));
        self.open.entry(key).or_default().push_back(number);
        true
    }

    /// True if a fact that became true was never true with the same tasks left
    /// below and as many goals missing.
    fn is_new(&mut self, below: u32, missing: u32) -> bool {
        let mut new = false;
        for &fact in self.facts.changed_since(0) {
            if self.facts.holds(fact) && self.seen.insert((below, missing, fact)) {
                new = true;
                self.bytes += 24;
            }
        }
        new
    }

    fn plan(&self, parent: u32, from: usize) -> Plan {
        let mut parts = Vec::new();
        parts.push(from..self.made.len());
        let mut at = parent;
        while at != NONE {
            let node = &self.nodes[at as usize];
            parts.push(node.made.0 as usize..node.made.1 as usize);
            at = node.parent;
        }
        let trace = parts.into_iter().rev().flat_map(|part| &self.made[part]);
        assemble(self.schemas, trace)
    }

    fn report(&self, run: &mut Run<'_>) -> Result<(), Leave> {
        let bytes = self.bytes
            + self.nodes.capacity() * (size_of::<Node>() + 24)
            + self.made.len() * (size_of::<Made>() + 64)
            + self.visited.capacity() * 17;
        run.check_memory(bytes as u64)?;
        run.progress("lifted-best", || {
            self.open.keys().next().map(|&(left, ..)| u64::from(left))
        });
        Ok(())
    }
}

/// A state, ascending, with what was changed, ascending, as it is now.
fn merged(before: &[FactId], changed: &[FactId], holds: impl Fn(FactId) -> bool) -> Vec<FactId> {
    let mut now = Vec::with_capacity(before.len() + changed.len());
    let mut from = 0;
    for &fact in changed {
        let end = from + before[from..].partition_point(|&it| it < fact);
        now.extend_from_slice(&before[from..end]);
        from = end + usize::from(before.get(end) == Some(&fact));
        now.extend(holds(fact).then_some(fact));
    }
    now.extend_from_slice(&before[from..]);
    now
}
