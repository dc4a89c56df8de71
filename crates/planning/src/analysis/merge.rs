//! What cannot be told apart is one: actions, methods and tasks merged.
//!
//! A grounded problem holds many things that differ in name only. Fifteen
//! machines that can do the same are, once what never changes has been
//! evaluated away, fifteen equal actions; every task that is given one of them
//! can be refined in the same ways, and a method that hands it down exists
//! fifteen times over, or two hundred times if it hands down two.
//!
//! - Actions are equal if they need, do and cost the same.
//! - Methods are equal if they need the same and their subtasks are equal, in
//!   the same order.
//! - Tasks are equal if their methods are: each of one task equals some method
//!   of the other. In a circle of tasks that lead to one another this is the
//!   coarsest such relation (a bisimulation, found by splitting classes until
//!   they agree), and otherwise it is known once subtasks are.
//!
//! Equal tasks have the same refinements up to names, so the problem with one
//! of each has a plan exactly if the whole one does, and at the same cost. A
//! derivation is told in the words of the whole problem by walking down from
//! the root: each task takes that method of its own which equals the one that
//! was chosen.

use std::hash::{Hash, Hasher};

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use crate::cost::Cost;
use crate::graph;
use crate::ground::{
    ActionIndex, Condition, Derivation, FactIndex, Ground, GroundAction, GroundMethod, GroundTask,
    MethodIndex, Node, Refinement,
};

/// Rounds in which the tasks of a circle are told apart; those of one that
/// takes longer all stay what they are.
const ROUNDS: usize = 64;

/// Bytes that it takes to tell an action or a method from others, about.
const BYTES: u64 = 96;

/// Where the parts of the smaller problem come from.
pub(crate) struct Merging {
    /// For each action of the smaller problem, the first that equals it.
    actions: Vec<ActionIndex>,
    /// For each method of the whole problem, its class.
    classes: Vec<u32>,
    /// For each method of the smaller one, its class.
    merged: Vec<u32>,
}

/// The problem with one of each; `None` if that would be more than half of it,
/// which is not worth a second copy.
pub(crate) fn merge(ground: &Ground, run: &mut Run<'_>) -> Result<Option<(Ground, Merging)>, Stop> {
    let classes = Classes::begin(ground, run)?;
    // Names that matter to nobody are seen in actions first, which are few.
    if 2 * classes.action_classes as usize > ground.actions.len() {
        return Ok(None);
    }
    classes.merge(50, run)
}

/// The same where not much is gained; `None` if it is hardly anything.
pub(crate) fn merge_few(
    ground: &Ground,
    run: &mut Run<'_>,
) -> Result<Option<(Ground, Merging)>, Stop> {
    Classes::begin(ground, run)?.merge(99, run)
}

impl Merging {
    /// A derivation of the smaller problem in the words of the whole one.
    pub(crate) fn restore(&self, ground: &Ground, mut found: Derivation) -> Derivation {
        let Some(root) = ground.root else {
            for (_, action) in &mut found.steps {
                *action = self.actions[*action as usize];
            }
            return found;
        };
        let place = |(at, it): (usize, &Refinement)| (it.node, at);
        let places: FxHashMap<u32, usize> =
            found.refinements.iter().enumerate().map(place).collect();
        let steps = found.steps.iter().enumerate();
        let steps: FxHashMap<u32, usize> = steps.map(|(at, &(node, _))| (node, at)).collect();
        let mut open: Vec<(u32, Node)> = Vec::new();
        open.extend(
            found
                .refinements
                .first()
                .map(|it| (it.node, Node::Task(root))),
        );
        while let Some((node, what)) = open.pop() {
            match what {
                Node::Action(action) => found.steps[steps[&node]].1 = action,
                Node::Task(task) => {
                    let refinement = &mut found.refinements[places[&node]];
                    let class = self.merged[refinement.method as usize];
                    let mut methods = ground.tasks[task as usize].methods.iter();
                    let equal = methods.find(|&&it| self.classes[it as usize] == class);
                    refinement.method = *equal.expect("equal tasks have equal methods");
                    let method = &ground.methods[refinement.method as usize];
                    let children = refinement.children.iter().copied();
                    open.extend(children.zip(method.subtasks.iter().copied()));
                }
            }
        }
        found
    }
}

fn subtasks(ground: &Ground, task: usize) -> impl Iterator<Item = usize> + '_ {
    let methods = ground.tasks[task].methods.iter();
    let nodes = methods.flat_map(|&it| &ground.methods[it as usize].subtasks);
    nodes.filter_map(|node| match node {
        Node::Task(task) => Some(*task as usize),
        Node::Action(_) => None,
    })
}

/// The tasks below the root, those that lead to one another together, and
/// what a task leads to before it.
fn components(ground: &Ground) -> Vec<Vec<usize>> {
    let root = ground.root.map(|root| root as usize);
    graph::components(ground.tasks.len(), root, |task| subtasks(ground, task))
}

/// No class.
const NONE: u32 = u32::MAX;

/// What has been told apart so far.
struct Classes<'a> {
    ground: &'a Ground,
    actions: Vec<u32>,
    action_classes: u32,
    /// For each method, the number of what it needs.
    conditions: Vec<u32>,
    methods: Vec<u32>,
    /// What a method is, by the number of its class.
    method_classes: FxHashMap<Box<[u32]>, u32>,
    tasks: Vec<u32>,
    task_classes: FxHashMap<Box<[u32]>, u32>,
    next_task: u32,
}

impl<'a> Classes<'a> {
    fn new(ground: &'a Ground) -> Classes<'a> {
        let mut known: FxHashMap<Alike<'_>, u32> = FxHashMap::default();
        let mut class = |(at, action)| {
            let next = known.len() as u32;
            match ground.numbers.is_empty() {
                true => *known.entry(Alike(action)).or_insert(next),
                // What it does to numbers is not compared.
                false => at as u32,
            }
        };
        let actions: Vec<u32> = ground.actions.iter().enumerate().map(&mut class).collect();
        let action_classes = actions.iter().max().map_or(0, |&most| most + 1);
        Classes {
            ground,
            action_classes,
            actions,
            conditions: Vec::new(),
            methods: vec![NONE; ground.methods.len()],
            method_classes: FxHashMap::default(),
            tasks: vec![NONE; ground.tasks.len()],
            task_classes: FxHashMap::default(),
            next_task: 0,
        }
    }

    fn begin(ground: &'a Ground, run: &mut Run<'_>) -> Result<Classes<'a>, Stop> {
        run.effort(ground.actions.len() as u64)?;
        run.check_growth(BYTES * (ground.actions.len() + ground.methods.len()) as u64)?;
        Ok(Classes::new(ground))
    }

    /// The problem with one of each; `None` if it would have more than so many
    /// hundredths of the actions and methods.
    fn merge(
        mut self,
        hundredths: usize,
        run: &mut Run<'_>,
    ) -> Result<Option<(Ground, Merging)>, Stop> {
        run.effort(self.ground.size())?;
        self.number_conditions();
        for component in components(self.ground) {
            self.tell_apart(&component, run)?;
        }
        Ok(self.finish(hundredths))
    }

    fn number_conditions(&mut self) {
        let mut known: FxHashMap<&Condition, u32> = FxHashMap::default();
        let conditions = self.ground.methods.iter().map(|method| {
            let next = known.len() as u32;
            *known.entry(&method.precondition).or_insert(next)
        });
        self.conditions = conditions.collect();
    }

    /// Gives the tasks of a component and their methods their classes.
    fn tell_apart(&mut self, component: &[usize], run: &mut Run<'_>) -> Result<(), Stop> {
        if let &[task] = component
            && !subtasks(self.ground, task).any(|it| it == task)
        {
            run.effort(self.ground.tasks[task].methods.len() as u64)?;
            let methods = self.classes_of_methods(task);
            let next = self.next_task;
            let class = match self.ground.root == Some(task as u32) {
                true => next,
                false => *self.task_classes.entry(methods).or_insert(next),
            };
            self.next_task = next.max(class + 1);
            self.tasks[task] = class;
            return Ok(());
        }
        // All alike, until something tells them apart.
        let first = self.next_task;
        component.iter().for_each(|&task| self.tasks[task] = first);
        let mut count = 1;
        for round in 0.. {
            let split = self.split(component, run)?;
            if split == count {
                break;
            }
            count = split;
            if round == ROUNDS || count == component.len() {
                count = component.len();
                let own = component.iter().zip(first..);
                own.for_each(|(&task, class)| self.tasks[task] = class);
                break;
            }
        }
        self.next_task = first + count as u32;
        for &task in component {
            self.classes_of_methods(task);
        }
        Ok(())
    }

    /// Splits the classes of a component by what their methods are; tells how
    /// many there are then.
    fn split(&mut self, component: &[usize], run: &mut Run<'_>) -> Result<usize, Stop> {
        let first = self.next_task;
        let mut methods: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut known: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
        let mut classes = Vec::with_capacity(component.len());
        let mut told = Vec::new();
        for &task in component {
            let list = &self.ground.tasks[task].methods;
            run.effort(1 + list.len() as u64)?;
            let mut kinds = Vec::with_capacity(list.len());
            for &method in list {
                self.tell(method, &mut told);
                kinds.push(numbered(&mut methods, &told));
            }
            kinds.sort_unstable();
            kinds.dedup();
            let next = first + known.len() as u32;
            classes.push(*known.entry((self.tasks[task], kinds)).or_insert(next));
        }
        let new = component.iter().zip(classes);
        new.for_each(|(&task, class)| self.tasks[task] = class);
        Ok(known.len())
    }

    /// Writes down what a method is, given the classes of its subtasks.
    fn tell(&self, method: MethodIndex, told: &mut Vec<u32>) {
        let GroundMethod {
            subtasks, ordering, ..
        } = &self.ground.methods[method as usize];
        told.clear();
        told.push(self.conditions[method as usize]);
        told.push(subtasks.len() as u32);
        told.extend(subtasks.iter().map(|&node| match node {
            Node::Action(action) => 2 * self.actions[action as usize],
            Node::Task(task) => 2 * self.tasks[task as usize] + 1,
        }));
        if !self.ground.ordered {
            told.extend(ordering.iter().flat_map(|&(a, b)| [a, b]));
        }
    }

    /// Gives the methods of a task their classes, and lists these.
    fn classes_of_methods(&mut self, task: usize) -> Box<[u32]> {
        let methods = &self.ground.tasks[task].methods;
        let mut classes = Vec::with_capacity(methods.len());
        let mut told = Vec::new();
        for &method in methods {
            self.tell(method, &mut told);
            let class = numbered(&mut self.method_classes, &told);
            self.methods[method as usize] = class;
            classes.push(class);
        }
        classes.sort_unstable();
        classes.dedup();
        classes.into()
    }

    /// The problem with the first of each class, in the order of the whole, if it
    /// is small enough.
    fn finish(self, hundredths: usize) -> Option<(Ground, Merging)> {
        let ground = self.ground;
        let mut first: Vec<usize> = Vec::with_capacity(self.next_task as usize);
        let mut number = vec![NONE; self.next_task as usize];
        for (task, &class) in self.tasks.iter().enumerate() {
            if class != NONE && number[class as usize] == NONE {
                number[class as usize] = first.len() as u32;
                first.push(task);
            }
        }
        let mut kept: Vec<Vec<MethodIndex>> = Vec::with_capacity(first.len());
        let mut seen = vec![NONE; self.method_classes.len()];
        for (at, &task) in first.iter().enumerate() {
            let methods = ground.tasks[task].methods.iter().copied();
            let new = |&it: &MethodIndex| {
                let class = self.methods[it as usize] as usize;
                std::mem::replace(&mut seen[class], at as u32) != at as u32
            };
            kept.push(methods.filter(new).collect());
        }
        let methods: usize = kept.iter().map(Vec::len).sum();
        let (before, after) = (
            ground.actions.len() + ground.methods.len(),
            self.action_classes as usize + methods,
        );
        if 100 * after > hundredths * before {
            return None;
        }
        let mut actions = Vec::with_capacity(self.action_classes as usize);
        for (action, &class) in self.actions.iter().enumerate() {
            if class as usize == actions.len() {
                actions.push(action as ActionIndex);
            }
        }
        let mut smaller = Ground {
            facts: ground.facts.clone(),
            actions: cloned(&actions, &ground.actions),
            tasks: Vec::with_capacity(first.len()),
            methods: Vec::with_capacity(methods),
            axioms: ground.axioms.clone(),
            init: ground.init.clone(),
            goal: ground.goal.clone(),
            root: ground
                .root
                .map(|root| number[self.tasks[root as usize] as usize]),
            ordered: ground.ordered,
            numbers: ground.numbers.clone(),
            objective: ground.objective,
        };
        let mut merged = Vec::with_capacity(methods);
        for (at, (&task, kept)) in first.iter().zip(kept).enumerate() {
            let from = smaller.methods.len() as MethodIndex;
            for method in kept {
                merged.push(self.methods[method as usize]);
                let mut method = ground.methods[method as usize].clone();
                method.task = at as u32;
                for node in &mut method.subtasks {
                    *node = match *node {
                        Node::Action(it) => Node::Action(self.actions[it as usize]),
                        Node::Task(it) => Node::Task(number[self.tasks[it as usize] as usize]),
                    };
                }
                smaller.methods.push(method);
            }
            smaller.tasks.push(GroundTask {
                methods: (from..smaller.methods.len() as MethodIndex).collect(),
                ..ground.tasks[task].clone()
            });
        }
        let merging = Merging {
            actions,
            classes: self.methods,
            merged,
        };
        Some((smaller, merging))
    }
}

/// The number of a key, a new one if it has none.
fn numbered(known: &mut FxHashMap<Box<[u32]>, u32>, key: &[u32]) -> u32 {
    match known.get(key) {
        Some(&number) => number,
        None => {
            let next = known.len() as u32;
            known.insert(key.into(), next);
            next
        }
    }
}

fn cloned<T: Clone>(places: &[u32], from: &[T]) -> Vec<T> {
    let items = places.iter().map(|&place| from[place as usize].clone());
    items.collect()
}

/// An action as what it needs, does and costs.
struct Alike<'a>(&'a GroundAction);

impl Alike<'_> {
    /// Everything but conditional effects.
    fn always(&self) -> (Cost, &Condition, &[FactIndex], &[FactIndex]) {
        let GroundAction {
            cost,
            precondition,
            add,
            delete,
            ..
        } = self.0;
        (*cost, precondition, add, delete)
    }

    fn conditional(&self) -> impl Iterator<Item = (&Condition, &[FactIndex], &[FactIndex])> {
        let effects = self.0.conditional.iter();
        effects.map(|it| (&it.condition, &*it.add, &*it.delete))
    }
}

impl PartialEq for Alike<'_> {
    fn eq(&self, other: &Alike<'_>) -> bool {
        self.always() == other.always() && self.conditional().eq(other.conditional())
    }
}

impl Eq for Alike<'_> {}

impl Hash for Alike<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.always().hash(state);
        self.conditional().for_each(|effect| effect.hash(state));
    }
}
