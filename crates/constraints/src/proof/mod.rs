//! Proofs that a formula cannot be satisfied, and the judge of them.
//!
//! A proof is a list of clauses, each following from the formula and the ones
//! before it by a small, mechanical step, ending with the empty clause. Two
//! formats are in common use: DRAT (Heule, Hunt and Wetzler), which names only
//! the clauses, and LRAT (Cruz-Filipe and others), which also says from which
//! earlier clauses each one follows.
//!
//! - [`search`] is a small conflict-driven search that writes its proof down.
//! - [`drat`] and [`lrat`] read and write the two formats, text and binary.
//! - [`check`] judges proofs. It shares no code with any solver: not with
//!   [`search`], not with [`crate::sat`]. It trusts [`crate::cnf`] to say what a
//!   clause is, and nothing else.
//!
//! ```
//! use planoku_constraints::cnf::Cnf;
//! use planoku_constraints::proof::{check, drat, search};
//! use planoku_engine::Run;
//!
//! let mut cnf = Cnf::new();
//! let (a, b) = (cnf.new_var(), cnf.new_var());
//! for clause in [[true, true], [true, false], [false, true], [false, false]] {
//!     cnf.add([a.is(clause[0]), b.is(clause[1])]);
//! }
//!
//! let mut proof = drat::Writer::text(Vec::new());
//! let verdict = search::search(&cnf, &mut proof, &mut Run::limit(1)).unwrap();
//! assert_eq!(verdict, search::Verdict::Refuted);
//!
//! let proof = proof.finish().unwrap();
//! check::drat(&cnf, &proof[..], &mut Run::limit(1)).unwrap();
//! ```

#[cfg(feature = "cadical")]
pub mod cadical;
pub mod check;
pub mod drat;
pub mod lrat;
pub mod search;

mod bytes;
mod rup;
#[cfg(test)]
mod tests;

use crate::cnf::Lit;

/// Where a search writes its proof.
///
/// The clauses of the formula have the numbers 1, 2, … in their order; every
/// lemma gets the next free number.
pub trait Log {
    /// `clause` follows by unit propagation from the clauses numbered in
    /// `hints`, used in this order.
    fn lemma(&mut self, number: u64, clause: &[Lit], hints: &[u64]);

    /// A clause is no longer needed.
    fn delete(&mut self, number: u64, clause: &[Lit]);
}

/// Writes the same proof twice, say in two formats.
impl<A: Log, B: Log> Log for (A, B) {
    fn lemma(&mut self, number: u64, clause: &[Lit], hints: &[u64]) {
        self.0.lemma(number, clause, hints);
        self.1.lemma(number, clause, hints);
    }

    fn delete(&mut self, number: u64, clause: &[Lit]) {
        self.0.delete(number, clause);
        self.1.delete(number, clause);
    }
}

/// Writes nothing.
impl Log for () {
    fn lemma(&mut self, _: u64, _: &[Lit], _: &[u64]) {}
    fn delete(&mut self, _: u64, _: &[Lit]) {}
}

/// How a proof is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Decimal numbers, one step a line.
    Text,
    /// One to five bytes a number, about a third of the size.
    Binary,
}
