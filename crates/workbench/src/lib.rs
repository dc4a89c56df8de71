//! Where the two worlds meet: Sudoku said in every language, and judged.
//!
//! [`registry`] lists every engine that takes a Sudoku grid; whatever it
//! finds, [`solve`] verifies before anyone sees it.

pub mod agents;
pub mod chart;
pub mod clues;
pub mod compare;
mod examples;
mod family;
pub mod formulate;
pub mod papers;
pub mod prove;
#[doc(hidden)]
pub mod readers;
pub mod registry;
pub mod reproduce;
mod solution;
pub mod solve;
pub mod trace;

pub use examples::{EXAMPLES, Example};
pub use registry::{NameError, SudokuEngine, engine, engines, find};
pub use solution::{Plain, Solution, Witness};

pub use planoku_engine;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
