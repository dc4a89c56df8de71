//! Solve a puzzle and believe nothing: every grid is verified.

use planoku_engine::{Engine, EngineError, Outcome, Run};
use planoku_sudoku::{Grid, verify};

use crate::Solution;

/// Runs an engine and verifies what it finds.
///
/// A wrong or repeated grid is the engine's mistake and becomes
/// [`EngineError::Internal`]; it is never returned as an answer.
pub fn solve(
    engine: &dyn Engine<Grid, Answer = Solution>,
    puzzle: &Grid,
    run: &mut Run<'_>,
) -> Result<Outcome<Solution>, EngineError> {
    let outcome = engine.solve(puzzle, run)?;
    let name = engine.profile().name;
    for solution in &outcome.answers {
        verify(puzzle, &solution.grid).map_err(|broken| {
            EngineError::Internal(format!("{name} found a wrong grid: {broken}"))
        })?;
    }
    Ok(outcome)
}
