//! Sudoku said in other languages.

pub mod csp;
pub mod sat;
pub mod planning;
