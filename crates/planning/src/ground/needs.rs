//! What tasks need, known early.
//!
//! Conditions that all ways of carrying out a task share and that no action can
//! change. A method that mentions the task can join with them before it asks
//! for the task at all.

use planoku_engine::{Run, Stop};

use super::lower::{Literal, MethodSchema, Schemas, Slot};
use crate::model::TaskRef;

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
pub fn needs(
    schemas: &Schemas,
    tasks: usize,
    run: &mut Run<'_>,
) -> Result<Vec<Vec<Literal>>, Stop> {
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
        let variables = literal.variables();
        let known = variables.iter().all(|&v| parameter[v as usize].is_some());
        if known && is_early(literal, schemas) {
            let literal = literal.map(|slot| match slot {
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
            take(&literal.map(|slot| match slot {
                Slot::Var(v) => arguments[v as usize],
                object => object,
            }));
        }
    }
    list
}
