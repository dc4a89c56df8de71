//! Preconditions that every refinement of a task has, with variables.
//!
//! The lifted cousin of the search's inferred preconditions: an atom over a
//! task's parameters is needed if each of its methods asks for it, itself or
//! in a subtask before which nothing can have made it true. Whether something
//! can is judged by predicate and by the objects its arguments may stand for.

use planoku_engine::{Run, Stop};

use super::pattern::{Pattern, Slot, ranges};
use crate::graph::arrange;
use crate::model::{Effect, Formula, Model, TaskRef, Variable};

/// Something that may become true: a predicate with a range per argument.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    predicate: u32,
    ranges: Vec<Vec<u64>>,
}

/// What tasks and methods need.
pub(super) struct Needs {
    /// For each task, atoms over its parameters; `None` while unknown.
    tasks: Vec<Option<Vec<Pattern>>>,
    /// For each method, atoms over its variables.
    methods: Vec<Vec<Pattern>>,
}

impl Needs {
    /// Computes the needs of all tasks, downwards from "everything", those
    /// first that others are refined into: `components` comes in that order.
    pub(super) fn new(
        model: &Model,
        components: &[Vec<usize>],
        run: &mut Run<'_>,
    ) -> Result<Needs, Stop> {
        let mut methods = vec![Vec::new(); model.tasks.len()];
        for (index, method) in model.methods.iter().enumerate() {
            methods[method.task.index()].push(index);
        }
        let changes = Changes::new(model, components, &methods, run)?;
        let mut needs = Needs {
            tasks: vec![None; model.tasks.len()],
            methods: vec![Vec::new(); model.methods.len()],
        };
        for component in components {
            while needs.lower(model, &changes, component, &methods, run)? {}
        }
        Ok(needs)
    }

    /// Computes the needs of tasks that lead to one another once more; true if
    /// that changed any.
    fn lower(
        &mut self,
        model: &Model,
        changes: &Changes,
        component: &[usize],
        methods: &[Vec<usize>],
        run: &mut Run<'_>,
    ) -> Result<bool, Stop> {
        let mut changed = false;
        for &task in component {
            let mut shared: Option<Vec<Pattern>> = None;
            for &index in &methods[task] {
                run.effort(1 + model.methods[index].network.subtasks.len() as u64)?;
                let Some(own) = self.method(model, changes, index) else {
                    continue;
                };
                let arguments = model.methods[index].task_arguments.iter();
                let head: Vec<Slot> = arguments.map(|&it| Slot::of(it)).collect();
                let raised: Vec<Pattern> =
                    own.iter().filter_map(|atom| raise(atom, &head)).collect();
                self.methods[index] = own;
                match &mut shared {
                    None => shared = Some(raised),
                    Some(shared) => shared.retain(|atom| raised.contains(atom)),
                }
            }
            if self.tasks[task] != shared {
                self.tasks[task] = shared;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// The atoms a task needs; none if it cannot be refined.
    pub(super) fn of_task(&self, task: usize) -> &[Pattern] {
        self.tasks[task].as_deref().unwrap_or_default()
    }

    /// The atoms a method needs.
    pub(super) fn of_method(&self, method: usize) -> &[Pattern] {
        &self.methods[method]
    }

    fn method(&self, model: &Model, changes: &Changes, index: usize) -> Option<Vec<Pattern>> {
        let method = &model.methods[index];
        let ranges = ranges(model, &method.variables);
        let mut found = Vec::new();
        atoms(&method.precondition, &mut found);
        if !method.network.ordered {
            return Some(found);
        }
        let order = arrange(
            method.network.subtasks.len(),
            &method.network.ordering,
            |_| 0,
        );
        // Each task before this place, once.
        let mut earlier: Vec<TaskRef> = Vec::new();
        for place in order {
            let subtask = &method.network.subtasks[place];
            let slots: Vec<Slot> = subtask.arguments.iter().map(|&it| Slot::of(it)).collect();
            let wanted = match subtask.task {
                TaskRef::Task(task) => self.tasks[task.index()].clone()?,
                TaskRef::Action(action) => {
                    let action = &model.actions[action.index()];
                    let mut list = Vec::new();
                    atoms(&action.precondition, &mut list);
                    list.retain(|atom| parameters_only(atom, action.arity));
                    list
                }
            };
            for atom in wanted {
                let atom = lower(&atom, &slots);
                if !earlier
                    .iter()
                    .any(|&task| changes.may_make(task, &atom, &ranges))
                {
                    found.push(atom);
                }
            }
            if !earlier.contains(&subtask.task) {
                earlier.push(subtask.task);
            }
        }
        found.sort();
        found.dedup();
        Some(found)
    }
}

fn parameters_only(atom: &Pattern, arity: usize) -> bool {
    atom.terms
        .iter()
        .all(|slot| !matches!(slot, Slot::Variable(variable) if *variable as usize >= arity))
}

/// Top-level positive atoms of a condition.
fn atoms(formula: &Formula, found: &mut Vec<Pattern>) {
    match formula {
        Formula::Atom(atom) => found.push(Pattern::of(atom)),
        Formula::And(parts) => parts.iter().for_each(|part| atoms(part, found)),
        _ => {}
    }
}

/// An atom over parameters, with the arguments put in.
fn lower(atom: &Pattern, arguments: &[Slot]) -> Pattern {
    let terms = atom.terms.iter().map(|slot| match *slot {
        Slot::Variable(parameter) => arguments[parameter as usize],
        object => object,
    });
    Pattern {
        predicate: atom.predicate,
        terms: terms.collect(),
    }
}

/// An atom over a method's variables, in the parameters of its task; `None`
/// if some variable is not among them.
fn raise(atom: &Pattern, head: &[Slot]) -> Option<Pattern> {
    let terms = atom.terms.iter().map(|slot| match slot {
        Slot::Variable(_) => head
            .iter()
            .position(|other| other == slot)
            .map(|parameter| Slot::Variable(parameter as u32)),
        object => Some(*object),
    });
    Some(Pattern {
        predicate: atom.predicate,
        terms: terms.collect::<Option<_>>()?,
    })
}

/// What each task and action may make true.
struct Changes {
    tasks: Vec<Vec<Change>>,
    actions: Vec<Vec<Change>>,
}

impl Changes {
    fn new(
        model: &Model,
        components: &[Vec<usize>],
        methods: &[Vec<usize>],
        run: &mut Run<'_>,
    ) -> Result<Changes, Stop> {
        let actions = model.actions.iter().map(|action| {
            let mut list = Vec::new();
            adds(model, &action.effect, &action.variables, &mut list);
            list
        });
        let mut changes = Changes {
            tasks: vec![Vec::new(); model.tasks.len()],
            actions: actions.collect(),
        };
        for component in components {
            // What tasks that lead to one another change is the same.
            let mut list: Vec<Change> = Vec::new();
            let mut seen: Vec<TaskRef> = Vec::new();
            let methods = component.iter().flat_map(|&task| &methods[task]);
            for subtask in methods.flat_map(|&it| &model.methods[it].network.subtasks) {
                run.effort(1)?;
                if seen.contains(&subtask.task) {
                    continue;
                }
                seen.push(subtask.task);
                for change in changes.of(subtask.task) {
                    if !list.contains(change) {
                        list.push(change.clone());
                    }
                }
            }
            for &task in component {
                changes.tasks[task].clone_from(&list);
            }
        }
        Ok(changes)
    }

    fn of(&self, task: TaskRef) -> &[Change] {
        match task {
            TaskRef::Task(task) => &self.tasks[task.index()],
            TaskRef::Action(action) => &self.actions[action.index()],
        }
    }

    fn may_make(&self, task: TaskRef, atom: &Pattern, variables: &[Vec<u64>]) -> bool {
        let overlaps = |slot: &Slot, range: &Vec<u64>| match *slot {
            Slot::Object(object) => crate::state::states::has(range, object),
            Slot::Variable(variable) => variables[variable as usize]
                .iter()
                .zip(range)
                .any(|(mine, theirs)| mine & theirs != 0),
        };
        self.of(task).iter().any(|change| {
            change.predicate == atom.predicate
                && atom
                    .terms
                    .iter()
                    .zip(&change.ranges)
                    .all(|(slot, range)| overlaps(slot, range))
        })
    }
}

fn adds(model: &Model, effect: &Effect, variables: &[Variable], found: &mut Vec<Change>) {
    match effect {
        Effect::Add(atom) => {
            let all = ranges(model, variables);
            let words = model.objects.len().div_ceil(64).max(1);
            let ranges = Pattern::of(atom).terms.into_iter().map(|slot| match slot {
                Slot::Variable(variable) => all[variable as usize].clone(),
                Slot::Object(object) => {
                    let mut bits = vec![0; words];
                    crate::state::states::set(&mut bits, object);
                    bits
                }
            });
            found.push(Change {
                predicate: atom.predicate.0,
                ranges: ranges.collect(),
            });
        }
        Effect::And(parts) => parts
            .iter()
            .for_each(|part| adds(model, part, variables, found)),
        Effect::Forall(_, inner) | Effect::When(_, inner) => adds(model, inner, variables, found),
        Effect::None | Effect::Delete(_) | Effect::IncreaseCost(_) | Effect::Change(_) => {}
    }
}
