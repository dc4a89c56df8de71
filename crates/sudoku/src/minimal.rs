//! Which clues of a puzzle are needed.
//!
//! A clue is *redundant* if the others alone have but one solution. A puzzle
//! without redundant clues is *minimal*. Of two redundant clues each may be
//! needed once the other is gone, so a minimal puzzle inside a puzzle is found
//! by taking clues away one after the other.

use planoku_engine::{End, Engine, EngineError, Outcome, Run, Stop};

use crate::generate::search_within;
use crate::native::{self, Native};
use crate::{Cell, Grid};

/// What [`clues_needed`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needed {
    /// The puzzle has no solution.
    NoSolution,
    /// The puzzle has several solutions; all its clues are too few.
    Several,
    /// The puzzle has one solution.
    Clues {
        /// The clues any one of which could be taken away.
        redundant: Vec<Cell>,
        /// A minimal puzzle with the same solution: redundant clues taken away
        /// in reading order as long as that changes nothing.
        minimal: Grid,
    },
}

/// Says which clues of a puzzle are redundant, and finds a minimal puzzle.
///
/// ```
/// use planoku_engine::Run;
/// use planoku_sudoku::minimal::{Needed, clues_needed};
///
/// let puzzle = "1234341.........".parse().unwrap();
/// let Ok(Needed::Several) = clues_needed(&puzzle, &mut Run::all()) else { panic!() };
/// let puzzle = "123434122143....".parse().unwrap();
/// let Ok(Needed::Clues { redundant, minimal }) = clues_needed(&puzzle, &mut Run::all()) else { panic!() };
/// assert!(!redundant.is_empty());
/// assert!(minimal.clue_count() < puzzle.clue_count());
/// ```
pub fn clues_needed(puzzle: &Grid, run: &mut Run<'_>) -> Result<Needed, Stop> {
    match solutions(puzzle, run)? {
        0 => return Ok(Needed::NoSolution),
        1 => {}
        _ => return Ok(Needed::Several),
    }
    let mut redundant = Vec::new();
    for (cell, _) in puzzle.clues() {
        if without(puzzle, cell, run)?.is_some() {
            redundant.push(cell);
        }
    }
    let mut minimal = puzzle.clone();
    for cell in &redundant {
        if let Some(fewer) = without(&minimal, *cell, run)? {
            minimal = fewer;
        }
    }
    Ok(Needed::Clues { redundant, minimal })
}

/// Solutions counted up to two.
fn solutions(puzzle: &Grid, run: &mut Run<'_>) -> Result<usize, Stop> {
    ask(run, |run| Native.solve(puzzle, run))
}

/// The puzzle without this clue, if it still has one solution.
fn without(puzzle: &Grid, cell: Cell, run: &mut Run<'_>) -> Result<Option<Grid>, Stop> {
    let Some(digit) = puzzle.get(cell) else {
        return Ok(None);
    };
    let mut fewer = puzzle.clone();
    fewer.set(cell, None);
    let others = ask(run, |run| native::solve_without(&fewer, cell, digit, run))?;
    Ok((others == 0).then_some(fewer))
}

/// Solutions counted up to two by a search on behalf of `run`.
fn ask(
    run: &mut Run<'_>,
    search: impl FnOnce(&mut Run<'_>) -> Result<Outcome<Grid>, EngineError>,
) -> Result<usize, Stop> {
    run.check()?;
    let mut inner = search_within(run, 2);
    if let Some(nodes) = run.budget().nodes {
        inner = inner.with_nodes(nodes.saturating_sub(run.nodes()));
    }
    let outcome = search(&mut inner).expect("the native engine knows every board");
    run.tick_many(inner.nodes())?;
    match outcome.end {
        End::Stopped(stop) => Err(stop),
        _ => Ok(outcome.answers.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::PuzzleRecipe;
    use crate::{Shape, reference};

    #[test]
    fn a_minimal_puzzle_has_no_redundant_clue() {
        let puzzle = PuzzleRecipe::minimal(Shape::Three).make(1, 0, &mut Run::limit(1));
        let puzzle = puzzle.unwrap();
        let needed = clues_needed(&puzzle, &mut Run::all()).unwrap();
        let expected = Needed::Clues {
            redundant: Vec::new(),
            minimal: puzzle,
        };
        assert_eq!(needed, expected);
    }

    #[test]
    fn redundant_clues_are_those_without_which_one_solution_remains() {
        let recipe = PuzzleRecipe {
            minimal: false,
            clues: 12..=14,
            ..PuzzleRecipe::minimal(Shape::TwoByThree)
        };
        for index in 0..20 {
            let puzzle = recipe.make(2, index, &mut Run::limit(1)).unwrap();
            let needed = clues_needed(&puzzle, &mut Run::all()).unwrap();
            let Needed::Clues { redundant, minimal } = needed else {
                panic!("{puzzle} has one solution");
            };
            let unique_without = |grid: &Grid, cell: Cell| {
                let mut fewer = grid.clone();
                fewer.set(cell, None);
                reference::solutions(&fewer, 2).len() == 1
            };
            for (cell, _) in puzzle.clues() {
                assert_eq!(redundant.contains(&cell), unique_without(&puzzle, cell));
            }
            assert!(
                minimal
                    .clues()
                    .all(|(cell, _)| !unique_without(&minimal, cell))
            );
            assert_eq!(reference::solve(&minimal), reference::solve(&puzzle));
        }
    }

    #[test]
    fn a_budget_is_kept() {
        let puzzle = PuzzleRecipe::minimal(Shape::Three).make(1, 0, &mut Run::limit(1));
        let run = &mut Run::all().with_nodes(3);
        assert_eq!(clues_needed(&puzzle.unwrap(), run), Err(Stop::Nodes));
    }
}
