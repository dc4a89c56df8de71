//! Proofs that a formula cannot be satisfied, and the judge of them.
//!
//! A proof is a list of clauses, each following from the formula and the ones
//! before it by a small, mechanical step, ending with the empty clause. Two
//! formats are in common use: DRAT (Heule, Hunt and Wetzler), which names only
//! the clauses, and LRAT (Cruz-Filipe and others), which also says from which
//! earlier clauses each one follows.
//!
//! - [`check`] judges proofs. It knows no solver and depends on nothing.
//! - [`drat`] and [`lrat`] read and write the two formats, text and binary.
//!
//! ```
//! use planoku_proof::{ClauseFormula, Lit, check};
//!
//! let clause = |numbers: [i64; 2]| numbers.map(|number| Lit::from_dimacs(number).unwrap());
//! let clauses = [[1, 2], [1, -2], [-1, 2], [-1, -2]].map(clause);
//! let formula = ClauseFormula { vars: 2, clauses: clauses.iter().map(|clause| &clause[..]) };
//!
//! // "1 follows, and then the empty clause does."
//! let checked = check::drat(formula, &b"1 0\n0\n"[..], &mut ()).unwrap();
//! assert_eq!(checked.rup, 2);
//! ```

mod bytes;
pub mod check;
pub mod drat;
mod literal;
pub mod lrat;
mod rup;
mod steps;

pub use bytes::{ErrorKind, ReadError};
pub use check::{AcceptedProof, Rejected};
pub use literal::{Lit, Var};
pub use steps::{ClauseFormula, Interrupt, ProofFormat, ProofLog};

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
