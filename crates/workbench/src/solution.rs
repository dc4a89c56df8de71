//! What a Sudoku engine finds: a grid, and what it can show for it.

use planoku_engine::{Engine, EngineError, Outcome, Profile, Run};
use planoku_sudoku::Grid;

/// A full grid, with whatever the engine can show for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The filled board.
    pub grid: Grid,
    /// The plan, trace or proof behind it, if the engine makes one.
    pub witness: Option<Witness>,
}

/// A text that shows how a solution came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// What it is: `"hddl-plan"`, `"pddl-plan"`, `"trace"`.
    pub kind: &'static str,
    /// The text itself, as files of that kind are written.
    pub text: String,
}

/// An engine that finds bare grids, taken as an engine that finds solutions.
pub struct Plain<E>(pub E);

impl<E: Engine<Grid, Answer = Grid>> Engine<Grid> for Plain<E> {
    type Answer = Solution;

    fn profile(&self) -> Profile {
        self.0.profile()
    }

    fn solve(&self, puzzle: &Grid, run: &mut Run<'_>) -> Result<Outcome<Solution>, EngineError> {
        self.0.solve(puzzle, run)?.try_map(|grid| {
            Ok(Solution {
                grid,
                witness: None,
            })
        })
    }
}
