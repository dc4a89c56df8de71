//! Finite choice problems and their solvers.
//!
//! Three languages for saying what must be chosen: constraint networks
//! ([`csp`]), propositional formulas ([`cnf`]) and exact covers ([`cover`]), each
//! with the engines that search it (`sat` for formulas, [`proof`] where an answer
//! must not be merely believed).

pub mod cnf;
pub mod cover;
pub mod csp;
pub mod proof;
#[cfg(feature = "sat")]
pub mod sat;

pub use planoku_engine as engine;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
