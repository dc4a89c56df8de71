//! Preconditions that every refinement of a task has, with variables.
//!
//! The lifted cousin of the search's inferred preconditions: an atom over a
//! task's parameters is needed if each of its methods asks for it, itself or
//! in a subtask before which nothing can have made it true. Whether something
//! can is judged by predicate and by the objects its arguments may stand for.

use super::schema::{Pattern, Slot, ranges};
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
    /// Computes the needs of all tasks, downwards from "everything".
    pub(super) fn new(model: &Model) -> Needs {
        let changes = Changes::new(model);
        let mut needs = Needs {
            tasks: vec![None; model.tasks.len()],
            methods: vec![Vec::new(); model.methods.len()],
        };
        loop {
            let mut next: Vec<Option<Vec<Pattern>>> = vec![None; model.tasks.len()];
            for (index, method) in model.methods.iter().enumerate() {
                let Some(own) = needs.method(model, &changes, index) else {
                    continue;
                };
                let head: Vec<Slot> = method
                    .task_arguments
                    .iter()
                    .map(|&it| Slot::of(it))
                    .collect();
                let raised: Vec<Pattern> =
                    own.iter().filter_map(|atom| raise(atom, &head)).collect();
                needs.methods[index] = own;
                match &mut next[method.task.index()] {
                    None => next[method.task.index()] = Some(raised),
                    Some(common) => common.retain(|atom| raised.contains(atom)),
                }
            }
            if next == needs.tasks {
                return needs;
            }
            needs.tasks = next;
        }
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
        let order = super::walk::arrange(method.network.subtasks.len(), &method.network.ordering);
        for (turn, &place) in order.iter().enumerate() {
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
                let earlier = order[..turn].iter();
                let made = earlier.map(|&place| method.network.subtasks[place].task);
                if !made
                    .into_iter()
                    .any(|task| changes.may_make(task, &atom, &ranges))
                {
                    found.push(atom);
                }
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
    fn new(model: &Model) -> Changes {
        let actions = model.actions.iter().map(|action| {
            let mut list = Vec::new();
            adds(model, &action.effect, &action.variables, &mut list);
            list
        });
        let mut changes = Changes {
            tasks: vec![Vec::new(); model.tasks.len()],
            actions: actions.collect(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for method in &model.methods {
                for subtask in &method.network.subtasks {
                    for change in changes.of(subtask.task).to_vec() {
                        let list = &mut changes.tasks[method.task.index()];
                        if !list.contains(&change) {
                            list.push(change);
                            changed = true;
                        }
                    }
                }
            }
        }
        changes
    }

    fn of(&self, task: TaskRef) -> &[Change] {
        match task {
            TaskRef::Task(task) => &self.tasks[task.index()],
            TaskRef::Action(action) => &self.actions[action.index()],
        }
    }

    fn may_make(&self, task: TaskRef, atom: &Pattern, variables: &[Vec<u64>]) -> bool {
        let overlaps = |slot: &Slot, range: &Vec<u64>| match *slot {
            Slot::Object(object) => crate::search::states::has(range, object),
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
                    crate::search::states::set(&mut bits, object);
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
        Effect::None | Effect::Delete(_) | Effect::IncreaseCost(_) => {}
    }
}
