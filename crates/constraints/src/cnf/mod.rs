//! Propositional formulas as lists of clauses.
//!
//! A [`Cnf`] is a conjunction of clauses; a clause is a disjunction of
//! literals; a [`Lit`] is a [`Var`] or its negation. An assignment satisfies
//! the formula if it makes at least one literal of every clause true.
//!
//! ```
//! use planoku_constraints::cnf::Cnf;
//!
//! let mut cnf = Cnf::new();
//! let rain = cnf.new_var();
//! let wet = cnf.new_var();
//! cnf.add([rain.negative(), wet.positive()]); // rain implies wet
//! assert_eq!(cnf.vars(), 2);
//! assert_eq!(cnf.clauses().next().unwrap(), [!rain.positive(), wet.positive()]);
//! ```
//!
//! [`dimacs`] reads and writes the format every SAT tool understands, and
//! [`amo`] has the usual ways to say "at most one of these".

pub mod amo;
pub mod dimacs;

pub use amo::AtMostOne;
pub use planoku_proof::{Lit, Var};

/// A formula in conjunctive normal form.
///
/// All literals lie in one vector, clause after clause, so that a formula of a
/// million clauses is two allocations and not a million.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    vars: u32,
    lits: Vec<Lit>,
    /// Where each clause ends in `lits`.
    ends: Vec<u32>,
    shown: Option<Vec<Var>>,
}

impl Cnf {
    /// The formula with no clauses, which everything satisfies.
    pub fn new() -> Cnf {
        Cnf::default()
    }

    /// One more variable.
    pub fn new_var(&mut self) -> Var {
        let var = Var::new(self.vars as usize);
        self.vars += 1;
        var
    }

    /// Makes sure that this many variables exist.
    ///
    /// # Panics
    /// If there would be more than [`Var::LIMIT`].
    pub fn reserve_vars(&mut self, vars: usize) {
        assert!(vars <= Var::LIMIT, "no formula has so many variables");
        self.vars = self.vars.max(vars as u32);
    }

    /// How many variables there are, used or not.
    pub fn vars(&self) -> usize {
        self.vars as usize
    }

    /// Adds a clause; variables it names exist from now on.
    ///
    /// # Panics
    /// If the formula grows beyond 2^32 literals.
    pub fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        let start = self.lits.len();
        self.lits.extend(clause);
        for lit in &self.lits[start..] {
            self.vars = self.vars.max(lit.var().index() as u32 + 1);
        }
        let end = u32::try_from(self.lits.len()).expect("fewer than 2^32 literals");
        self.ends.push(end);
    }

    /// The clauses, in the order they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> + Clone {
        (0..self.ends.len()).map(|nth| self.clause(nth))
    }

    /// The clause with this index.
    pub fn clause(&self, nth: usize) -> &[Lit] {
        let start = if nth == 0 { 0 } else { self.ends[nth - 1] };
        &self.lits[start as usize..self.ends[nth] as usize]
    }

    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no clauses.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many literals all clauses have together.
    pub fn literals(&self) -> usize {
        self.lits.len()
    }

    /// Says which variables an answer is about. Two assignments that agree on
    /// these count as one; the others are auxiliary.
    pub fn show(&mut self, vars: Vec<Var>) {
        self.shown = Some(vars);
    }

    /// The variables an answer is about: all of them unless [`Cnf::show`] said
    /// otherwise.
    pub fn shown(&self) -> impl Iterator<Item = Var> + '_ {
        let named = self.shown.as_deref();
        let all = if named.is_none() { self.vars } else { 0 };
        named
            .unwrap_or(&[])
            .iter()
            .copied()
            .chain((0..all as usize).map(Var::new))
    }

    /// The named variables of [`Cnf::show`], if it was called.
    pub(crate) fn named(&self) -> Option<&[Var]> {
        self.shown.as_deref()
    }

    /// True if the assignment, given by variable, satisfies every clause.
    pub fn satisfied_by(&self, value: impl Fn(Var) -> bool) -> bool {
        self.clauses().all(|clause| {
            clause
                .iter()
                .any(|lit| value(lit.var()) == lit.is_positive())
        })
    }
}

impl AsRef<Cnf> for Cnf {
    fn as_ref(&self) -> &Cnf {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_come_back_as_they_were_added() {
        let mut cnf = Cnf::new();
        let [a, b, c] = [cnf.new_var(), cnf.new_var(), cnf.new_var()];
        cnf.add([a.positive(), b.negative()]);
        cnf.add([]);
        cnf.add([c.positive()]);
        let clauses: Vec<&[Lit]> = cnf.clauses().collect();
        assert_eq!(clauses[0], [a.positive(), b.negative()]);
        assert!(clauses[1].is_empty());
        assert_eq!(clauses[2], [c.positive()]);
    }
}
