//! What a Sudoku engine finds: a grid, and what it can show for it.

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};
use planoku_sudoku::Grid;

/// A full grid, with whatever the engine can show for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The filled board.
    pub grid: Grid,
    /// The plan, trace or proof behind it, if the engine makes one.
    pub witness: Option<Witness>,
}

/// An engine for Sudoku, whatever it does inside.
pub type SudokuEngine = Box<dyn Engine<Grid, Answer = Solution>>;

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

    fn solve_into(
        &self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Solution>,
    ) -> Result<Ended, EngineError> {
        let mut wrap = |grid| {
            sink(Solution {
                grid,
                witness: None,
            })
        };
        self.0.solve_into(puzzle, run, &mut wrap)
    }
}
