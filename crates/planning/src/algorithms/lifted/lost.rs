//! Facts that nobody can make again.
//!
//! A place that is built upon is never free again, a thing eaten is gone:
//! where some action deletes a predicate's atoms and none adds them, whoever
//! will need such an atom must find it as it is now. So an action about to be
//! taken up that deletes what something below on the stack needs has led into
//! a dead end already, however much is to be done before it, and so has a task
//! whose need of that kind does not hold.

use super::facts::{FactId, Facts};
use super::needs::Needs;
use super::pattern::{Pattern, Slot};
use crate::model::{Atom, Effect, Formula, Model, TaskRef};

/// Which tasks and actions need or delete what nobody can make again, as atoms
/// over their parameters.
pub(super) struct Lost {
    tasks: Vec<Vec<Pattern>>,
    actions: Vec<Vec<Pattern>>,
    deletes: Vec<Vec<Pattern>>,
}

impl Lost {
    pub(super) fn new(model: &Model, needs: &Needs) -> Lost {
        let mut deleted = vec![false; model.predicates.len()];
        let mut added = vec![false; model.predicates.len()];
        for action in &model.actions {
            crate::model::visit::effects(&action.effect, &mut |effect| match effect {
                Effect::Add(atom) => added[atom.predicate.index()] = true,
                Effect::Delete(atom) => deleted[atom.predicate.index()] = true,
                _ => {}
            });
        }
        let gone = |atom: &Pattern| {
            let predicate = atom.predicate as usize;
            deleted[predicate] && !added[predicate]
        };
        let over = |atom: &Pattern, arity: usize| {
            let known = |slot: &Slot| !matches!(slot, Slot::Variable(it) if *it as usize >= arity);
            gone(atom) && atom.terms.iter().all(known)
        };
        let of_action = |surely: fn(&mut Vec<Pattern>, usize, &Model)| {
            let actions = 0..model.actions.len();
            let list = actions.map(|index| {
                let mut found = Vec::new();
                surely(&mut found, index, model);
                found.retain(|atom| over(atom, model.actions[index].arity));
                found
            });
            list.collect()
        };
        let tasks = (0..model.tasks.len()).map(|task| {
            let all = needs.of_task(task).iter();
            all.filter(|atom| gone(atom)).cloned().collect()
        });
        Lost {
            tasks: tasks.collect(),
            actions: of_action(|found, index, model| {
                wanted(&model.actions[index].precondition, found);
            }),
            deletes: of_action(|found, index, model| {
                deletes(&model.actions[index].effect, found);
            }),
        }
    }

    /// What somebody needs of this kind.
    pub(super) fn needs(
        &self,
        who: TaskRef,
        arguments: &[u32],
        facts: &mut Facts,
    ) -> Box<[FactId]> {
        let list = match who {
            TaskRef::Task(task) => &self.tasks[task.index()],
            TaskRef::Action(action) => &self.actions[action.index()],
        };
        numbers(list, arguments, facts)
    }

    /// What somebody surely deletes of this kind.
    pub(super) fn takes(
        &self,
        who: TaskRef,
        arguments: &[u32],
        facts: &mut Facts,
    ) -> Box<[FactId]> {
        match who {
            TaskRef::Task(_) => Box::default(),
            TaskRef::Action(action) => numbers(&self.deletes[action.index()], arguments, facts),
        }
    }
}

fn numbers(list: &[Pattern], arguments: &[u32], facts: &mut Facts) -> Box<[FactId]> {
    let number = |atom: &Pattern| {
        let objects: Vec<u32> = atom.terms.iter().map(|it| it.value(arguments)).collect();
        facts.number(atom.predicate, &objects)
    };
    list.iter().map(number).collect()
}

/// Atoms that a condition asks for.
fn wanted(formula: &Formula, found: &mut Vec<Pattern>) {
    match formula {
        Formula::Atom(atom) => found.push(Pattern::of(atom)),
        Formula::And(parts) => parts.iter().for_each(|part| wanted(part, found)),
        _ => {}
    }
}

/// Atoms that an effect deletes whatever holds.
fn deletes(effect: &Effect, found: &mut Vec<Pattern>) {
    let mut delete = |atom: &Atom| found.push(Pattern::of(atom));
    match effect {
        Effect::Delete(atom) => delete(atom),
        Effect::And(parts) => parts.iter().for_each(|part| deletes(part, found)),
        _ => {}
    }
}
