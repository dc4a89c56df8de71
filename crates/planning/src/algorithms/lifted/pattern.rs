//! Atoms over the variables of a schema, and what the variables range over.

use crate::model::{Atom, Model, Term, Variable};

/// An atom over the variables of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pattern {
    pub(super) predicate: u32,
    pub(super) terms: Vec<Slot>,
}

/// A variable or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Slot {
    Variable(u32),
    Object(u32),
}

impl Slot {
    /// What it stands for, given the values of the variables.
    pub(super) fn value(self, values: &[u32]) -> u32 {
        match self {
            Slot::Object(object) => object,
            Slot::Variable(variable) => values[variable as usize],
        }
    }

    pub(super) fn of(term: Term) -> Slot {
        match term {
            Term::Variable(variable) => Slot::Variable(variable.0),
            Term::Object(object) => Slot::Object(object.0),
        }
    }
}

impl Pattern {
    pub(super) fn of(atom: &Atom) -> Pattern {
        Pattern {
            predicate: atom.predicate.0,
            terms: atom.arguments.iter().map(|&term| Slot::of(term)).collect(),
        }
    }
}

/// For each variable, the objects it may stand for, as bits.
pub(super) fn ranges(model: &Model, variables: &[Variable]) -> Vec<Vec<u64>> {
    let words = model.objects.len().div_ceil(64).max(1);
    let range = |variable: &Variable| {
        let mut bits = vec![0u64; words];
        for object in model.range(variable) {
            crate::state::states::set(&mut bits, object.0);
        }
        bits
    };
    variables.iter().map(range).collect()
}
