//! Finite choice problems and their solvers.
//!
//! Two languages for saying what must be chosen: constraint networks (`csp`)
//! and propositional formulas ([`cnf`]), each with the engines that search it
//! ([`sat`] for formulas).

pub mod cnf;
pub mod sat;
