//! Where a value stands in a schema: in a variable, or fixed.

use crate::model::Term;

/// A variable's number within its schema, or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// To be looked up in the binding.
    Var(u32),
    /// Fixed.
    Object(u32),
}

impl Slot {
    /// The object this stands for.
    #[inline]
    pub fn value(self, binding: &[u32]) -> u32 {
        match self {
            Slot::Var(variable) => binding[variable as usize],
            Slot::Object(object) => object,
        }
    }

    /// The variable, if it is one.
    pub fn variable(self) -> Option<u32> {
        match self {
            Slot::Var(variable) => Some(variable),
            Slot::Object(_) => None,
        }
    }
}

impl From<Term> for Slot {
    fn from(term: Term) -> Slot {
        match term {
            Term::Variable(variable) => Slot::Var(variable.0),
            Term::Object(object) => Slot::Object(object.0),
        }
    }
}
