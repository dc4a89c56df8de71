//! Who contradicts whom.

use planoku_engine::{End, Engine, Run};
use planoku_sudoku::native::Native;

use super::{Claim, EngineComparison};

/// A puzzle on which not everybody can be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Index into [`EngineComparison::puzzles`].
    pub puzzle: usize,
    /// What each side says, with the names of those who say it.
    pub sides: Vec<(String, Vec<String>)>,
}

/// Every puzzle on which two claims exclude each other, or an engine was
/// caught in a mistake. Giving up and running out of budget contradict nobody.
pub fn disagreements(report: &EngineComparison) -> Vec<Disagreement> {
    (0..report.puzzles.len())
        .filter_map(|puzzle| disagreement(report, puzzle))
        .collect()
}

fn disagreement(report: &EngineComparison, puzzle: usize) -> Option<Disagreement> {
    let mut sides: Vec<(String, Vec<String>)> = Vec::new();
    let mut solutions = 0;
    let mut wrong = false;
    for measured in report.results.iter().filter(|m| m.puzzle == puzzle) {
        let says = match &measured.claim {
            Claim::Solved(grid) => format!("solution {grid}"),
            Claim::None => "no solution".to_string(),
            Claim::Wrong(why) => {
                wrong = true;
                why.clone()
            }
            Claim::GaveUp | Claim::Stopped(_) | Claim::Refused(_) => continue,
        };
        let name = report.engines[measured.engine].clone();
        match sides.iter_mut().find(|(known, _)| *known == says) {
            Some((_, names)) => names.push(name),
            None => {
                solutions += usize::from(matches!(measured.claim, Claim::Solved(_)));
                sides.push((says, vec![name]));
            }
        }
    }
    // Different solutions are fine where a puzzle has several.
    let contradicted = match solutions {
        0 => false,
        1 => sides.len() > 1,
        found => sides.len() > found || is_unique(report, puzzle),
    };
    (wrong || contradicted).then_some(Disagreement { puzzle, sides })
}

fn is_unique(report: &EngineComparison, puzzle: usize) -> bool {
    Native
        .solve(&report.puzzles[puzzle], &mut Run::limit(2))
        .is_ok_and(|outcome| outcome.answers.len() == 1 && outcome.end == End::Exhausted)
}
