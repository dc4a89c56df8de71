//! Acts and the decompositions they stand for, put one after another.

use super::{ActionIndex, Condition, ConditionalEffect, FactIndex, MethodIndex};

/// Something done at once: an action, or the body of a loop.
#[derive(Clone)]
pub(in super::super) struct Act {
    pub condition: Condition,
    pub add: Vec<FactIndex>,
    pub delete: Vec<FactIndex>,
    pub conditional: Vec<ConditionalEffect>,
    pub template: Template,
}

impl Act {
    /// Facts this act may make true.
    pub fn may_add(&self) -> impl Iterator<Item = FactIndex> + '_ {
        self.add
            .iter()
            .chain(self.conditional.iter().flat_map(|effect| &effect.add))
            .copied()
    }

    /// True if it only checks a condition.
    pub fn changes_nothing(&self) -> bool {
        self.add.is_empty() && self.delete.is_empty() && self.conditional.is_empty()
    }

    /// Facts this act may make false.
    pub fn may_delete(&self) -> impl Iterator<Item = FactIndex> + '_ {
        let deletes = self.conditional.iter().flat_map(|effect| &effect.delete);
        self.delete.iter().chain(deletes).copied()
    }
}

/// The decomposition a rule or an act stands for.
#[derive(Clone, Debug)]
pub(in super::super) enum Template {
    /// One action of the plan.
    Action(ActionIndex),
    /// Whatever was chosen for this slot of the rule.
    Slot(usize),
    /// A method with its subtasks.
    Method(MethodIndex, Vec<Template>),
    /// What follows in the loop (inside acts only).
    Rest,
    /// The acts chosen for slot 0 one inside the other, then slot 1.
    Loop,
    /// These in a row; the start of everything.
    Sequence(Vec<Template>),
}

/// Adds the facts of one sorted list to another.
pub(super) fn merge(into: &mut Vec<FactIndex>, from: &[FactIndex]) {
    into.extend_from_slice(from);
    sort_unique(into);
}

fn without(list: &[FactIndex], remove: &[FactIndex]) -> Vec<FactIndex> {
    list.iter()
        .copied()
        .filter(|fact| !remove.contains(fact))
        .collect()
}

/// Whether two lists share a fact.
pub(super) fn meets(a: &[FactIndex], b: &[FactIndex]) -> bool {
    a.iter().any(|fact| b.contains(fact))
}

impl Act {
    /// Does nothing, needs nothing.
    pub fn nothing() -> Act {
        Act {
            condition: Condition::default(),
            add: vec![],
            delete: vec![],
            conditional: vec![],
            template: Template::Sequence(vec![]),
        }
    }

    /// This act and then the other, as one; `None` if that can never happen.
    /// The template of this one, a method, gains the other's as a child.
    pub fn then(&self, next: &Act) -> Option<Act> {
        let needs = &next.condition;
        if meets(&self.delete, &needs.positive) || meets(&self.add, &needs.negative) {
            return None;
        }
        let mut condition = self.condition.clone();
        merge(
            &mut condition.positive,
            &without(&needs.positive, &self.add),
        );
        merge(
            &mut condition.negative,
            &without(&needs.negative, &self.delete),
        );
        if meets(&condition.positive, &condition.negative) {
            return None;
        }
        let mut add = without(&self.add, &next.delete);
        merge(&mut add, &next.add);
        let mut delete = without(&self.delete, &next.add);
        merge(&mut delete, &next.delete);
        let mut template = self.template.clone();
        template.push_child(next.template.clone());
        Some(Act {
            condition,
            add,
            delete,
            conditional: vec![],
            template,
        })
    }
}

impl Template {
    /// The same with slots counted from `first`.
    pub fn shifted(&self, first: usize) -> Template {
        match self {
            Template::Slot(slot) => Template::Slot(slot + first),
            Template::Method(method, children) => {
                Template::Method(*method, children.iter().map(|c| c.shifted(first)).collect())
            }
            other => other.clone(),
        }
    }

    /// The same with each slot replaced by what was chosen for it.
    pub fn filled(&self, chosen: &[Template]) -> Template {
        match self {
            Template::Slot(slot) => chosen[*slot].clone(),
            Template::Method(method, children) => {
                Template::Method(*method, children.iter().map(|c| c.filled(chosen)).collect())
            }
            other => other.clone(),
        }
    }

    /// A further subtask.
    pub fn push_child(&mut self, child: Template) {
        match self {
            Template::Method(_, children) | Template::Sequence(children) => children.push(child),
            _ => {}
        }
    }
}

/// Sorts a list and drops what stands in it twice.
pub(super) fn sort_unique(list: &mut Vec<FactIndex>) {
    list.sort_unstable();
    list.dedup();
}
