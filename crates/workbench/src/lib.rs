//! Where the two worlds meet: Sudoku said in every language, and judged.
//!
//! [`registry`] lists every engine that takes a Sudoku grid; whatever it
//! finds, [`solve`] verifies before anyone sees it.

pub mod agents;
pub mod chart;
pub mod clues;
pub mod compare;
mod examples;
pub mod formulate;
pub mod html;
pub mod papers;
pub mod prove;
pub mod readers;
pub mod registry;
pub mod reproduce;
mod solution;
pub mod solve;
pub mod trace;

pub use examples::{EXAMPLES, Example};
pub use registry::{SudokuEngine, engine, engines};
pub use solution::{Plain, Solution, Witness};
