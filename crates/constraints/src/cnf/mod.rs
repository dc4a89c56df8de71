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

use std::fmt;
use std::ops::Not;

pub use amo::AtMostOne;

/// A propositional variable, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(u32);

impl Var {
    /// The largest number of variables a formula may have. A literal is then
    /// always a positive `i32` when doubled, which every solver can hold.
    pub const LIMIT: usize = 1 << 29;

    /// The variable with this index.
    ///
    /// # Panics
    /// If the index is not below [`Var::LIMIT`].
    pub fn new(index: usize) -> Var {
        assert!(index < Var::LIMIT, "no formula has so many variables");
        Var(index as u32)
    }

    /// Counted from 0, for arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that says the variable is true.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that says the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal that says the variable has this value.
    #[inline]
    pub fn is(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0 + 1)
    }
}

/// A variable or its negation.
///
/// Stored as twice the variable's index, plus one if negated; so a literal and
/// its negation are neighbours, and [`Lit::index`] serves arrays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// The variable.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// True if the literal says the variable is true.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// Counted from 0, a literal beside its negation, for arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// As DIMACS writes it: variables from 1, minus for negation.
    #[inline]
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_positive() { number } else { -number }
    }

    /// From the DIMACS form; `None` for 0 and for variables beyond
    /// [`Var::LIMIT`].
    #[inline]
    pub fn from_dimacs(number: i64) -> Option<Lit> {
        let var = number.unsigned_abs().checked_sub(1)?;
        (var < Var::LIMIT as u64).then(|| Var(var as u32).is(number > 0))
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

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
            self.vars = self.vars.max(lit.var().0 + 1);
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
            .chain((0..all).map(Var))
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
    fn dimacs_numbers_and_literals_are_the_same_thing() {
        for number in [1, -1, 2, -2, 77, -(Var::LIMIT as i64), Var::LIMIT as i64] {
            let lit = Lit::from_dimacs(number).unwrap();
            assert_eq!(i64::from(lit.to_dimacs()), number);
            assert_eq!(i64::from((!lit).to_dimacs()), -number);
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(Var::LIMIT as i64 + 1), None);
        assert_eq!(Lit::from_dimacs(i64::MIN), None);
    }

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
