//! Sudoku said in other languages.

pub mod csp;
pub mod planning;
pub mod sat;
