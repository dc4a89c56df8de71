//! The paper's third experiment: is model 4 followed by model 1 better than
//! model 1 alone, on the puzzles that cost model 1 most?
//!
//! The paper compares milliseconds. Placements and removals are the figures
//! that do not depend on the machine.

use planoku_engine::Run;
use planoku_sudoku::Grid;

use super::models::RobotModel;
use super::run::{RobotSettings, RunError, RunReport, run};

/// One puzzle, run both ways.
#[derive(Clone, Debug)]
pub struct ExperimentRow {
    /// Which puzzle, counted from 1 in the order given.
    pub number: usize,
    /// Model 1 alone.
    pub alone: RunReport,
    /// Model 4 to its fixed point, then model 1.
    pub combined: RunReport,
}

impl ExperimentRow {
    /// True if the combination took more placements or more removals.
    pub fn is_worse(&self) -> bool {
        let (alone, combined) = (self.alone.counts, self.combined.counts);
        combined.placements > alone.placements || combined.removals > alone.removals
    }
}

/// Runs model 1 on every puzzle, takes the `count` that cost it most
/// placements, dearest first, and runs the combination on those.
pub fn hardest(puzzles: &[Grid], count: usize) -> Result<Vec<ExperimentRow>, RunError> {
    let once = |puzzle: &Grid, model| run(puzzle, &RobotSettings::new(model), &mut Run::limit(1));
    let mut alone = Vec::new();
    for (index, puzzle) in puzzles.iter().enumerate() {
        alone.push((index, once(puzzle, RobotModel::M1)?));
    }
    alone.sort_by_key(|(_, report)| std::cmp::Reverse(report.counts.placements));
    alone
        .into_iter()
        .take(count)
        .map(|(index, alone)| {
            Ok(ExperimentRow {
                number: index + 1,
                alone,
                combined: once(&puzzles[index], RobotModel::M4Then1)?,
            })
        })
        .collect()
}
