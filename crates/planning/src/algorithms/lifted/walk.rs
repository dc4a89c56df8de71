//! One depth-first walk: go on until the end, a dead end or out of patience.

use std::rc::Rc;

use planoku_engine::{Leave, Run, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::{FactId, Facts};
use super::join::{evaluate, every, ground, instances, term};
use super::schema::{Rule, Schemas};
use super::twins::Watched;
use crate::cost::Cost;
use crate::graph::arrange;
use crate::model::{
    ActionId, Amount, Effect, Formula, MethodId, Model, ObjectId, TaskId, TaskRef, Term,
};
use crate::plan::{Decomposition, Plan, Step};
use crate::random::Random;
use crate::state::hash::mix;

/// How a walk ended.
pub(super) enum Walked {
    Plan(Plan),
    OutOfPatience,
    /// Everything it allowed itself was tried.
    Stuck,
}

const NONE: u32 = u32::MAX;

/// What a node costs, in candidates that a join looks at.
pub(super) const NODE: u64 = 40;

/// And what an entry of the stack costs, its arguments included.
pub(super) const ENTRY: u64 = 8;

/// Something on the stack.
struct Entry {
    task: TaskRef,
    arguments: Box<[u32]>,
    below: u32,
    /// A hash of the stack from here down.
    hash: u128,
    /// The objects it mentions, from here down.
    objects: Watched,
    /// The refinement it came from: an index into `ancestors`.
    from: u32,
}

/// A refinement above an entry, with the state it was made in.
struct Ancestor {
    task: u128,
    state: u128,
    above: u32,
}

/// A point to come back to.
struct Frame {
    /// Instances still to try, the next one last: rule and values.
    left: Vec<(u32, Box<[u32]>)>,
    /// The task refined; `None` for the initial network.
    task: Option<(TaskId, Box<[u32]>)>,
    below: u32,
    from: u32,
    facts: usize,
    entries: usize,
    ancestors: usize,
    made: usize,
}

/// What was done, in preorder of the tree.
pub(super) enum Made {
    Action(ActionId, Box<[u32]>),
    Refined {
        task: Option<(TaskId, Box<[u32]>)>,
        rule: u32,
        /// The order in which subtasks were put on the stack.
        order: Rc<[usize]>,
    },
}

/// The state of one walk.
pub(super) struct Walk<'s, 'm> {
    schemas: &'s Schemas<'m>,
    facts: Facts,
    goal: Goal<'m>,
    entries: Vec<Entry>,
    ancestors: Vec<Ancestor>,
    frames: Vec<Frame>,
    made: Vec<Made>,
    visited: FxHashSet<u128>,
    /// Entries made since that was last charged for.
    laid: u64,
    random: Random,
    /// Whether this walk shuffles: not the first one.
    shuffle: bool,
    shuffle_rules: bool,
    /// For each task, whether what goes on comes before what ends: where a task
    /// recurs until all is done, a walk that ends it as soon as it can has left
    /// out things that are missed much later. Empty if it never does.
    recursive_first: Vec<bool>,
}

impl<'s, 'm> Walk<'s, 'm> {
    /// A walk from the initial state; only seed 0 keeps the written order.
    pub(super) fn new(schemas: &'s Schemas<'m>, seed: u64, mut facts: Facts) -> Walk<'s, 'm> {
        let mut random = Random::new(seed);
        let recursive_first = match seed != 0 && seed.is_multiple_of(2) {
            true => schemas.rules.iter().map(|_| random.below(2) == 0).collect(),
            false => Vec::new(),
        };
        Walk {
            schemas,
            goal: Goal::new(schemas, &mut facts),
            facts,
            entries: Vec::new(),
            ancestors: Vec::new(),
            frames: Vec::new(),
            made: Vec::new(),
            visited: FxHashSet::default(),
            laid: 0,
            random,
            shuffle: seed != 0,
            shuffle_rules: seed % 2 == 1,
            recursive_first,
        }
    }

    /// Walks until a plan, a dead end everywhere, or out of patience.
    pub(super) fn go(&mut self, run: &mut Run<'_>, patience: u64) -> Result<Walked, Leave> {
        let mut root = Vec::new();
        instances(&self.facts, &self.schemas.root, &[], 0, &mut root, run)?;
        root.reverse();
        let left = root.into_iter().map(|values| (0, values)).collect();
        self.frame(left, None, NONE, NONE);
        let Some(mut top) = self.resume() else {
            return Ok(Walked::Stuck);
        };
        for step in 0..patience {
            run.tick()?;
            run.effort(NODE - 1 + ENTRY * std::mem::take(&mut self.laid))?;
            if step % 1024 == 0 {
                self.report(run)?;
            }
            let next = if top == NONE {
                if self.goal.missing(self.schemas, &self.facts) == 0 {
                    return Ok(Walked::Plan(assemble(self.schemas, self.made.iter())));
                }
                None
            } else {
                match self.entries[top as usize].task {
                    TaskRef::Action(action) => self.execute(action, top),
                    TaskRef::Task(task) => self.refine(task, top, run)?,
                }
            };
            match next.or_else(|| self.resume()) {
                Some(next) => top = next,
                None => return Ok(Walked::Stuck),
            }
        }
        Ok(Walked::OutOfPatience)
    }

    fn report(&self, run: &mut Run<'_>) -> Result<(), Leave> {
        let bytes = self.visited.capacity() * 17
            + self.entries.capacity() * size_of::<Entry>() * 2
            + self.made.capacity() * size_of::<Made>() * 2
            + self
                .frames
                .iter()
                .map(|it| it.left.len() * 64)
                .sum::<usize>();
        run.check_memory(bytes as u64)?;
        run.progress("lifted", || None);
        // A walk that was never stuck may well be on its way to a plan.
        run.remains(|| u64::MAX - self.made.len() as u64);
        Ok(())
    }

    /// Executes an action; the rest of the stack, or `None` if it cannot.
    fn execute(&mut self, action: ActionId, top: u32) -> Option<u32> {
        let entry = &self.entries[top as usize];
        let below = entry.below;
        if !apply(self.schemas, &mut self.facts, action, &entry.arguments) {
            return None;
        }
        let arguments = entry.arguments.clone();
        self.made.push(Made::Action(action, arguments));
        Some(below)
    }

    /// Refines a task by the first instance that applies; the new stack, or
    /// `None` if nothing applies or it was all here before.
    fn refine(&mut self, task: TaskId, top: u32, run: &mut Run<'_>) -> Result<Option<u32>, Stop> {
        let entry = &self.entries[top as usize];
        let here = mix(self.facts.hash ^ mix(entry.hash));
        if self.goes_in_circles(top) || !self.visited.insert(here) {
            return Ok(None);
        }
        let entry = &self.entries[top as usize];
        let (below, from, apart) = (entry.below, entry.from, entry.objects);
        let arguments = entry.arguments.clone();
        let mut left: Vec<(u32, Box<[u32]>)> = Vec::new();
        let mut found = Vec::new();
        for (index, rule) in self.schemas.rules[task.index()].iter().enumerate() {
            instances(&self.facts, rule, &arguments, apart, &mut found, run)?;
            if self.shuffle {
                self.random.shuffle(&mut found);
            }
            left.extend(found.drain(..).map(|values| (index as u32, values)));
        }
        if self.shuffle_rules {
            self.random.shuffle(&mut left);
        }
        if self.recursive_first.get(task.index()) == Some(&true) {
            let rules = &self.schemas.rules[task.index()];
            left.sort_by_key(|&(rule, _)| !rules[rule as usize].recursive);
        }
        left.reverse();
        let name = task_hash(TaskRef::Task(task), &arguments);
        self.ancestors.push(Ancestor {
            task: name,
            state: self.facts.hash,
            above: from,
        });
        let from = self.ancestors.len() as u32 - 1;
        self.frame(left, Some((task, arguments)), below, from);
        Ok(self.resume())
    }

    /// True if the same task stands above in the same state: to do it, one
    /// would have to do it first.
    fn goes_in_circles(&self, top: u32) -> bool {
        let entry = &self.entries[top as usize];
        let name = task_hash(entry.task, &entry.arguments);
        let mut at = entry.from;
        while at != NONE {
            let ancestor = &self.ancestors[at as usize];
            if ancestor.state != self.facts.hash {
                return false;
            }
            if ancestor.task == name {
                return true;
            }
            at = ancestor.above;
        }
        false
    }

    fn frame(
        &mut self,
        left: Vec<(u32, Box<[u32]>)>,
        task: Option<(TaskId, Box<[u32]>)>,
        below: u32,
        from: u32,
    ) {
        self.frames.push(Frame {
            left,
            task,
            below,
            from,
            facts: self.facts.now(),
            entries: self.entries.len(),
            ancestors: self.ancestors.len(),
            made: self.made.len(),
        });
    }

    /// Goes back to the last point with something left to try, and tries it.
    fn resume(&mut self) -> Option<u32> {
        loop {
            let frame = self.frames.last_mut()?;
            let Some((rule, values)) = frame.left.pop() else {
                self.frames.pop();
                continue;
            };
            let (below, from) = (frame.below, frame.from);
            let task = frame.task.clone();
            self.facts.undo(frame.facts);
            self.entries.truncate(frame.entries);
            self.ancestors.truncate(frame.ancestors);
            self.made.truncate(frame.made);
            if frame.left.is_empty() {
                // Nothing to come back for.
                self.frames.pop();
            }
            let schema = match &task {
                None => &self.schemas.root,
                Some((task, _)) => &self.schemas.rules[task.index()][rule as usize],
            };
            return Some(self.unfold(schema, rule, task, &values, below, from));
        }
    }

    /// Puts the subtasks of an instance on the stack.
    fn unfold(
        &mut self,
        schema: &Rule<'_>,
        rule: u32,
        task: Option<(TaskId, Box<[u32]>)>,
        values: &[u32],
        below: u32,
        from: u32,
    ) -> u32 {
        let count = schema.subtasks.len();
        let order: Rc<[usize]> = match self.shuffle && !schema.ordered {
            false => schema.order.clone(),
            true => arrange(count, schema.ordering, |ready| self.random.below(ready)).into(),
        };
        self.laid += order.len() as u64;
        let mut top = below;
        for &place in order.iter().rev() {
            let (task, slots) = &schema.subtasks[place];
            let arguments: Box<[u32]> = slots.iter().map(|slot| slot.value(values)).collect();
            let (rest, objects) = match self.entries.get(top as usize) {
                None => (0, 0),
                Some(rest) => (rest.hash, rest.objects),
            };
            self.entries.push(Entry {
                hash: mix(rest ^ task_hash(*task, &arguments)),
                objects: objects | self.facts.twins.among(&arguments),
                task: *task,
                arguments,
                below: top,
                from,
            });
            top = self.entries.len() as u32 - 1;
        }
        self.made.push(Made::Refined { task, rule, order });
        top
    }
}

/// Executes an action if its precondition holds.
pub(super) fn apply(
    schemas: &Schemas<'_>,
    facts: &mut Facts,
    action: ActionId,
    arguments: &[u32],
) -> bool {
    let schema = &schemas.model.actions[action.index()];
    let ranges = &schemas.action_ranges[action.index()];
    let mut binding = vec![NONE; schema.variables.len()];
    binding[..schema.arity].copy_from_slice(arguments);
    let fits = (0..schema.arity).all(|it| crate::state::states::has(&ranges[it], binding[it]));
    if !fits || !evaluate(facts, ranges, &schema.precondition, &mut binding) {
        return false;
    }
    let mut changes = Vec::new();
    gather(facts, ranges, &schema.effect, &mut binding, &mut changes);
    // Deletes happen before adds.
    for adds in [false, true] {
        for (predicate, arguments, holds) in &changes {
            if *holds == adds {
                let fact = facts.number(*predicate, arguments);
                facts.assign(fact, adds);
            }
        }
    }
    true
}

/// The goal, part by part.
pub(super) struct Goal<'m> {
    /// Parts that are facts: no look at a table for these.
    facts: Vec<FactId>,
    others: Vec<&'m Formula>,
}

impl<'m> Goal<'m> {
    pub(super) fn new(schemas: &Schemas<'m>, facts: &mut Facts) -> Goal<'m> {
        let model: &'m Model = schemas.model;
        let parts = match &model.goal {
            Formula::And(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let mut goal = Goal {
            facts: Vec::new(),
            others: Vec::new(),
        };
        for part in parts {
            match part {
                Formula::Atom(atom)
                    if atom
                        .arguments
                        .iter()
                        .all(|it| matches!(it, Term::Object(_))) =>
                {
                    let fact = facts.number(atom.predicate.0, &ground(atom, &[]));
                    goal.facts.push(fact);
                }
                other => goal.others.push(other),
            }
        }
        goal
    }

    /// How many parts there are.
    pub(super) fn size(&self) -> usize {
        self.facts.len() + self.others.len()
    }

    /// How many parts do not hold.
    pub(super) fn missing(&self, schemas: &Schemas<'_>, facts: &Facts) -> u32 {
        let mut binding = vec![NONE; schemas.model.goal_variables.len()];
        let mut fails =
            |part: &&Formula| !evaluate(facts, &schemas.goal_ranges, part, &mut binding);
        let others = self
            .others
            .iter()
            .copied()
            .filter(|part| fails(part))
            .count();
        let open = self.facts.iter().filter(|&&fact| !facts.holds(fact));
        (others + open.count()) as u32
    }
}

/// The plan whose tree has this preorder.
pub(super) fn assemble<'a>(schemas: &Schemas<'_>, trace: impl Iterator<Item = &'a Made>) -> Plan {
    let mut plan = Plan::default();
    let mut total = Cost::ZERO;
    let objects = |values: &[u32]| values.iter().map(|&object| ObjectId(object)).collect();
    // Open refinements: where the ids of children go, in which order, the ids.
    let mut open: Vec<(Option<usize>, &[usize], Vec<u64>)> = Vec::new();
    for (id, made) in trace.enumerate() {
        let id = id as u64;
        if let Some((_, _, ids)) = open.last_mut() {
            ids.push(id);
        }
        match made {
            Made::Action(action, values) => {
                total += price(schemas, *action, values);
                plan.steps.push(Step {
                    id,
                    action: *action,
                    arguments: objects(values),
                });
            }
            Made::Refined { task, rule, order } => {
                let place = task.as_ref().map(|(task, values)| {
                    let rule = &schemas.rules[task.index()][*rule as usize];
                    plan.decompositions.push(Decomposition {
                        id,
                        task: *task,
                        arguments: objects(values),
                        method: rule.method.unwrap_or(MethodId(0)),
                        children: Vec::new(),
                    });
                    plan.decompositions.len() - 1
                });
                open.push((place, order, Vec::new()));
            }
        }
        while let Some((place, order, ids)) =
            open.pop_if(|(_, order, ids)| ids.len() == order.len())
        {
            let mut listed = vec![0; ids.len()];
            for (&place, id) in order.iter().zip(ids) {
                listed[place] = id;
            }
            match place {
                None => plan.roots = listed,
                Some(place) => plan.decompositions[place].children = listed,
            }
        }
    }
    plan.cost = Some(total);
    plan
}

fn price(schemas: &Schemas<'_>, action: ActionId, values: &[u32]) -> Cost {
    let schema = &schemas.model.actions[action.index()];
    let mut binding = vec![NONE; schema.variables.len()];
    binding[..schema.arity].copy_from_slice(values);
    schemas.default_cost + cost(&schema.effect, &binding, &schemas.values)
}

type Changed = (u32, Vec<u32>, bool);

/// What an effect changes in the current state.
fn gather(
    facts: &Facts,
    ranges: &[Vec<u64>],
    effect: &Effect,
    binding: &mut [u32],
    changes: &mut Vec<Changed>,
) {
    match effect {
        Effect::None | Effect::IncreaseCost(_) | Effect::Change(_) => {}
        Effect::Add(atom) => changes.push((atom.predicate.0, ground(atom, binding), true)),
        Effect::Delete(atom) => changes.push((atom.predicate.0, ground(atom, binding), false)),
        Effect::And(parts) => parts
            .iter()
            .for_each(|part| gather(facts, ranges, part, binding, changes)),
        Effect::Forall(bound, inner) => {
            let bound: Vec<u32> = bound.iter().map(|variable| variable.0).collect();
            every(ranges, &bound, binding, &mut |binding| {
                gather(facts, ranges, inner, binding, changes);
                true
            });
        }
        Effect::When(condition, inner) => {
            if evaluate(facts, ranges, condition, binding) {
                gather(facts, ranges, inner, binding, changes);
            }
        }
    }
}

fn cost(effect: &Effect, binding: &[u32], values: &FxHashMap<(u32, Vec<u32>), Cost>) -> Cost {
    match effect {
        Effect::IncreaseCost(Amount::Number(cost)) => *cost,
        Effect::IncreaseCost(Amount::Function(function, terms)) => {
            let arguments: Vec<u32> = terms.iter().map(|&it| term(it, binding)).collect();
            values
                .get(&(function.0, arguments))
                .copied()
                .unwrap_or_default()
        }
        Effect::And(parts) => parts.iter().map(|part| cost(part, binding, values)).sum(),
        _ => Cost::ZERO,
    }
}

pub(super) fn task_hash(task: TaskRef, arguments: &[u32]) -> u128 {
    let name = match task {
        TaskRef::Task(task) => u128::from(task.0) << 1,
        TaskRef::Action(action) => u128::from(action.0) << 1 | 1,
    };
    arguments
        .iter()
        .fold(mix(name), |hash, &object| mix(hash ^ u128::from(object)))
}
