//! The judge: which boxes are wrong.
//!
//! A box is wrong if it differs from the unique solution of the puzzle. The
//! native engine looks for two solutions within a bounded number of nodes; if
//! there is none, or several, or it had to stop, nothing is called wrong or
//! right.

use planoku_engine::{End, Engine, Run};
use planoku_sudoku::{Grid, native::Native};

/// The solution of a puzzle that has exactly one, if that can be found out
/// within so many nodes.
pub fn unique_solution(puzzle: &Grid, nodes: u64) -> Option<Grid> {
    let outcome = Native.solve(puzzle, &mut Run::limit(2).with_nodes(nodes));
    let mut outcome = outcome.ok()?;
    match (outcome.answers.len(), outcome.end) {
        (1, End::Exhausted) => outcome.answers.pop(),
        _ => None,
    }
}

/// Boxes on the board that differ from the solution.
pub fn wrong_boxes(board: &Grid, solution: &Grid) -> usize {
    board
        .clues()
        .filter(|(cell, digit)| solution.get(*cell) != Some(*digit))
        .count()
}
