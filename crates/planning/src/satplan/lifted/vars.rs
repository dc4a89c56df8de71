//! Arguments as variables of the formula: a literal for each object that one
//! may stand for.
//!
//! At most one of all that may stand at a position does. So those that are
//! alternatives there may use the same variables, which saves most of them:
//! a [`Pool`] hands out variables of a position.

use planoku_constraints::cnf::Lit;

use super::domain::Domain;
use super::schema::Slot;
use crate::satplan::formula::Formula;

/// An argument: a variable, or nothing if its value is known or does not
/// matter.
pub(super) type Argument = Option<u32>;

/// Arguments with their domains.
#[derive(Clone, Copy)]
pub(super) struct Terms<'d> {
    pub(super) arguments: &'d [Argument],
    pub(super) domains: &'d [Domain],
}

/// All variables.
#[derive(Default)]
pub(super) struct Vars(Vec<Vec<(u32, Lit)>>);

/// The variables of a position, each with the range it is meant for.
#[derive(Default)]
pub(super) struct Pool(Vec<(*const u32, u32)>);

impl Vars {
    /// A variable without values.
    pub(super) fn fresh(&mut self) -> u32 {
        self.0.push(Vec::new());
        self.0.len() as u32 - 1
    }

    /// The literal that says that a variable has this value.
    pub(super) fn is(&mut self, variable: u32, object: u32, formula: &mut Formula) -> Lit {
        let values = &mut self.0[variable as usize];
        match values.binary_search_by_key(&object, |(it, _)| *it) {
            Ok(index) => values[index].1,
            Err(index) => {
                let lit = formula.new_lit();
                values.insert(index, (object, lit));
                lit
            }
        }
    }

    /// The value of a variable, given which literals hold.
    pub(super) fn value(&self, variable: u32, domain: &Domain, formula: &Formula) -> Option<u32> {
        let values = self.0[variable as usize].iter();
        let mut held = values.filter(|(_, lit)| formula.holds(*lit));
        let held = held.find(|(object, _)| super::domain::has(domain, *object));
        held.map(|(object, _)| *object)
    }

    /// Says that no variable has two values.
    pub(super) fn exclude(&self, formula: &mut Formula) {
        for values in &self.0 {
            let lits: Vec<Lit> = values.iter().map(|(_, lit)| *lit).collect();
            formula.at_most_one(&lits);
        }
    }
}

impl Pool {
    /// A variable for such a range that is none of those in use.
    pub(super) fn take(&mut self, range: &Domain, used: &[Argument], vars: &mut Vars) -> u32 {
        let mut fitting = self.0.iter().filter(|(of, _)| *of == range.as_ptr());
        let free = fitting.find(|(_, variable)| !used.contains(&Some(*variable)));
        match free {
            Some((_, variable)) => *variable,
            None => {
                let variable = vars.fresh();
                self.0.push((range.as_ptr(), variable));
                variable
            }
        }
    }
}

impl<'d> Terms<'d> {
    pub(super) fn argument(self, slot: Slot) -> (Argument, &'d Domain) {
        match slot {
            Slot::Variable(variable) => (self.arguments[variable], &self.domains[variable]),
            Slot::Object(_) => unreachable!("asked of variables alone"),
        }
    }

    pub(super) fn domain(self, slot: Slot) -> (Argument, Domain) {
        match slot {
            Slot::Variable(variable) => (self.arguments[variable], self.domains[variable].clone()),
            Slot::Object(object) => (None, [object].into()),
        }
    }
}
