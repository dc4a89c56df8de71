//! Sudoku said in other languages.

pub mod cover;
pub mod csp;
pub mod planning;
pub mod sat;
