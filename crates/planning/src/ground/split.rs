//! Methods with independent choices, taken apart; what tasks need, known early.
//!
//! A method that chooses a truck for its first subtask and a warehouse for its
//! second has as many instances as there are pairs. [`split`] moves a choice
//! that concerns one subtask only into a helper task of its own, and there are
//! as many instances as trucks and warehouses together. It is done where it
//! changes nothing: literals that go with the choice must be static, or the
//! subtask must be an action that comes before all others, so that they are
//! judged in the same state as before. (pandaPI does the same.)
//!
//! [`needs`] finds conditions that all ways of carrying out a task share and
//! that no action can change. A method that mentions the task can join with
//! them before it asks for the task at all.

use planoku_engine::{Run, Stop};

use super::lower::{self, Conjunction, Literal, MethodSchema, Nnf, Pattern, Schemas, Slot};
use crate::model::{Model, TaskId, TaskRef};

/// A model lowered, split, and with what its tasks need.
pub fn schemas(model: &Model, run: &mut Run<'_>) -> Result<Schemas, Stop> {
    let mut schemas = lower::lower(model, run)?;
    let root = model.tasks.len();
    split(&mut schemas, root, run)?;
    schemas.ordered = schemas.methods.iter().all(|method| method.ordered);
    let tasks = root + 1 + schemas.helper_widths.len();
    lower::find_task_adds(&mut schemas, tasks, run)?;
    schemas.needs = needs(&schemas, tasks, run)?;
    Ok(schemas)
}

/// Splits methods; helper tasks are numbered after the root.
fn split(schemas: &mut Schemas, root: usize, run: &mut Run<'_>) -> Result<(), Stop> {
    let mut helpers = Vec::new();
    let mut methods = std::mem::take(&mut schemas.methods);
    for method in &mut methods {
        if method.subtasks.len() < 2 {
            continue;
        }
        // Nothing to choose, or choices nobody could count.
        if method.variables.is_empty() {
            continue;
        }
        for place in 0..method.subtasks.len() {
            run.effort(method.subtasks.len() as u64)?;
            if let Some(local) = choice(method, place, schemas) {
                let task = root + 1 + helpers.len();
                helpers.push(extract(method, place, &local, task));
            }
        }
    }
    schemas.helper_widths = helpers.iter().map(|helper| helper.head.len()).collect();
    methods.extend(helpers);
    schemas.methods = methods;
    Ok(())
}

/// Marks the variables of some slots.
fn mark<'a>(slots: impl IntoIterator<Item = &'a Slot>, into: &mut [bool]) {
    for slot in slots {
        if let Slot::Var(v) = slot {
            into[*v as usize] = true;
        }
    }
}

fn slots(literal: &Literal) -> Vec<Slot> {
    let mut list = Vec::new();
    literal.slots(&mut |slot| list.push(slot));
    list
}

fn mark_nnf(nnf: &Nnf, into: &mut [bool]) {
    match nnf {
        Nnf::Literal(literal) => mark(&slots(literal), into),
        Nnf::And(parts) | Nnf::Or(parts) => parts.iter().for_each(|part| mark_nnf(part, into)),
        Nnf::Quantified(_, _, body) => mark_nnf(body, into),
    }
}

/// The variables that concern the subtask at this place only, if taking them
/// apart saves anything.
fn choice(method: &MethodSchema, place: usize, schemas: &Schemas) -> Option<Vec<bool>> {
    let count = method.variables.len();
    let mut elsewhere = vec![false; count];
    mark(&method.head, &mut elsewhere);
    for (other, (_, arguments)) in method.subtasks.iter().enumerate() {
        if other != place {
            mark(arguments, &mut elsewhere);
        }
    }
    method
        .condition
        .rest
        .iter()
        .for_each(|part| mark_nnf(part, &mut elsewhere));
    let (node, arguments) = &method.subtasks[place];
    let mut here = vec![false; count];
    mark(arguments, &mut here);
    let mut local: Vec<bool> = (0..count).map(|v| here[v] && !elsewhere[v]).collect();
    let comes_first = matches!(node, TaskRef::Action(_)) && place == 0 && method.starts_alone;
    // A literal that has to stay keeps its variables.
    for literal in &method.condition.literals {
        if !comes_first && !is_static(literal, schemas) {
            for slot in slots(literal) {
                if let Slot::Var(v) = slot {
                    local[v as usize] = false;
                }
            }
        }
    }
    if !local.contains(&true) {
        return None;
    }
    // What the helper task must be told, and what the method still chooses.
    let mut shared: Vec<bool> = (0..count).map(|v| here[v] && !local[v]).collect();
    let mut others = elsewhere;
    for literal in &method.condition.literals {
        let terms = slots(literal);
        let moves = touches(&terms, &local);
        for slot in terms {
            if let Slot::Var(v) = slot
                && !local[v as usize]
            {
                if moves {
                    shared[v as usize] = true;
                } else {
                    others[v as usize] = true;
                }
            }
        }
    }
    (0..count).any(|v| others[v] && !shared[v]).then_some(local)
}

fn touches(terms: &[Slot], marked: &[bool]) -> bool {
    terms
        .iter()
        .any(|slot| matches!(slot, Slot::Var(v) if marked[*v as usize]))
}

/// True if no action can change whether the literal holds.
fn is_static(literal: &Literal, schemas: &Schemas) -> bool {
    match literal {
        Literal::Equal(..) => true,
        Literal::Atom(atom, _) => {
            !schemas.grows[atom.predicate] && !schemas.shrinks[atom.predicate]
        }
        Literal::Compare(compare) => schemas.is_fixed(compare),
    }
}

/// Moves the subtask at this place into a helper method of a helper task.
fn extract(method: &mut MethodSchema, place: usize, local: &[bool], task: usize) -> MethodSchema {
    let (moved, kept): (Vec<Literal>, Vec<Literal>) =
        std::mem::take(&mut method.condition.literals)
            .into_iter()
            .partition(|literal| touches(&slots(literal), local));
    method.condition.literals = kept;
    let (node, arguments) = method.subtasks[place].clone();
    // Literals of an action that say which values fit are used by joins
    // anyway; what is shared comes first among the helper's variables.
    let mut used = vec![false; method.variables.len()];
    mark(&arguments, &mut used);
    for literal in &moved {
        mark(&slots(literal), &mut used);
    }
    let shared: Vec<u32> = (0..used.len() as u32)
        .filter(|&v| used[v as usize] && !local[v as usize])
        .collect();
    let chosen: Vec<u32> = (0..used.len() as u32)
        .filter(|&v| local[v as usize])
        .collect();
    let mut names = vec![0; used.len()];
    let mut variables = Vec::new();
    for &v in shared.iter().chain(&chosen) {
        names[v as usize] = variables.len() as u32;
        variables.push(method.variables[v as usize]);
    }
    let rename = |slot: Slot| match slot {
        Slot::Var(v) => Slot::Var(names[v as usize]),
        object => object,
    };
    method.subtasks[place] = (
        TaskRef::Task(TaskId(task as u32)),
        shared.iter().map(|&v| Slot::Var(v)).collect(),
    );
    MethodSchema {
        id: None,
        origin: method.origin,
        task,
        head: (0..shared.len() as u32).map(Slot::Var).collect(),
        arity: variables.len(),
        variables,
        condition: Conjunction {
            literals: moved.iter().map(|literal| map(literal, rename)).collect(),
            rest: vec![],
        },
        subtasks: vec![(node, arguments.into_iter().map(rename).collect())],
        places: vec![0],
        ordering: vec![],
        successors: vec![vec![]],
        predecessors: vec![0],
        starts_alone: true,
        ordered: true,
    }
}

/// The same literal with other slots.
pub fn map(literal: &Literal, put: impl Fn(Slot) -> Slot) -> Literal {
    match literal {
        Literal::Equal(a, b, same) => Literal::Equal(put(*a), put(*b), *same),
        Literal::Atom(atom, positive) => {
            let terms = atom.terms.iter().map(|&slot| put(slot)).collect();
            let predicate = atom.predicate;
            Literal::Atom(Pattern { predicate, terms }, *positive)
        }
        Literal::Compare(compare) => Literal::Compare(Box::new(compare.map(&put))),
    }
}

/// True if joins can decide early whether the literal can ever hold.
fn is_early(literal: &Literal, schemas: &Schemas) -> bool {
    match literal {
        Literal::Equal(..) => true,
        Literal::Atom(atom, true) => !schemas.grows[atom.predicate],
        Literal::Atom(atom, false) => !schemas.shrinks[atom.predicate],
        Literal::Compare(compare) => schemas.is_fixed(compare),
    }
}

/// Per task: literals over its parameters without which it cannot be carried
/// out, and which no action can make true.
fn needs(schemas: &Schemas, tasks: usize, run: &mut Run<'_>) -> Result<Vec<Vec<Literal>>, Stop> {
    let mut needs: Vec<Vec<Literal>> = vec![vec![]; tasks];
    // Each round is right by itself; deep hierarchies need many.
    for _ in 0..12 {
        let mut next: Vec<Option<Vec<Literal>>> = vec![None; tasks];
        for method in &schemas.methods {
            run.effort(1 + method.subtasks.len() as u64)?;
            let own = method_needs(method, &needs, schemas);
            let shared = &mut next[method.task];
            match shared {
                None => *shared = Some(own),
                Some(shared) => shared.retain(|literal| own.contains(literal)),
            }
        }
        let next: Vec<Vec<Literal>> = next.into_iter().map(Option::unwrap_or_default).collect();
        if next == needs {
            break;
        }
        needs = next;
    }
    Ok(needs)
}

/// What a method needs, in terms of its task's parameters.
fn method_needs(method: &MethodSchema, needs: &[Vec<Literal>], schemas: &Schemas) -> Vec<Literal> {
    let mut parameter = vec![None; method.variables.len()];
    let mut list = Vec::new();
    for (place, slot) in method.head.iter().enumerate() {
        let here = Slot::Var(place as u32);
        match slot {
            Slot::Object(_) => list.push(Literal::Equal(here, *slot, true)),
            Slot::Var(v) => match parameter[*v as usize] {
                None => parameter[*v as usize] = Some(here),
                Some(first) => list.push(Literal::Equal(first, here, true)),
            },
        }
    }
    let mut take = |literal: &Literal| {
        let known = slots(literal).iter().all(|slot| match slot {
            Slot::Var(v) => parameter[*v as usize].is_some(),
            Slot::Object(_) => true,
        });
        if known && is_early(literal, schemas) {
            let literal = map(literal, |slot| match slot {
                Slot::Var(v) => parameter[v as usize].unwrap_or(slot),
                object => object,
            });
            if !list.contains(&literal) {
                list.push(literal);
            }
        }
    };
    method.condition.literals.iter().for_each(&mut take);
    for (node, arguments) in &method.subtasks {
        let literals = match node {
            TaskRef::Action(action) => &schemas.actions[action.index()].condition.literals,
            TaskRef::Task(task) => &needs[task.index()],
        };
        for literal in literals {
            take(&map(literal, |slot| match slot {
                Slot::Var(v) => arguments[v as usize],
                object => object,
            }));
        }
    }
    list
}
