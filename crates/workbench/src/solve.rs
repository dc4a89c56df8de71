//! Solve a puzzle and believe nothing: every grid is verified.

use std::collections::HashSet;

use planoku_engine::{Engine, EngineError, Outcome, Profile, Run};
use planoku_sudoku::{Grid, verify};

use crate::Solution;

/// Runs an engine and verifies what it finds.
///
/// A wrong grid, or a repeated one where the engine claims to count, is the
/// engine's mistake and becomes
/// [`EngineError::Internal`]; it is never returned as an answer.
pub fn solve(
    engine: &dyn Engine<Grid, Answer = Solution>,
    puzzle: &Grid,
    run: &mut Run<'_>,
) -> Result<Outcome<Solution>, EngineError> {
    let outcome = engine.solve(puzzle, run)?;
    let Profile { name, counts, .. } = engine.profile();
    for solution in &outcome.answers {
        verify(puzzle, &solution.grid).map_err(|broken| {
            EngineError::Internal(format!("{name} found a wrong grid: {broken}"))
        })?;
    }
    let mut seen = HashSet::new();
    if counts
        && !outcome
            .answers
            .iter()
            .all(|solution| seen.insert(&solution.grid))
    {
        return Err(EngineError::Internal(format!(
            "{name} claims to count and found a grid twice"
        )));
    }
    Ok(outcome)
}
