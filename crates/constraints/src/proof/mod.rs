//! Proofs that a formula cannot be satisfied, and the judge of them.
//!
//! A proof is a list of clauses, each following from the formula and the ones
//! before it by a small, mechanical step, ending with the empty clause. Two
//! formats are in common use: DRAT (Heule, Hunt and Wetzler), which names only
//! the clauses, and LRAT (Cruz-Filipe and others), which also says from which
//! earlier clauses each one follows.
//!
//! - [`search`] is a small conflict-driven search that writes its proof down.
//! - [`check`] hands a proof to the judge, which is a crate of its own,
//!   `planoku-proof`: it shares nothing with any solver but what a literal is.
//! - [`drat`] and [`lrat`], of that crate, read and write the two formats.
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
pub mod search;
#[cfg(test)]
mod tests;

pub use planoku_proof::{ProofFormat, ProofLog, drat, lrat};
