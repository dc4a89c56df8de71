//! The solver that judges every other: too simple to be wrong.
//!
//! Find the blank cell with the fewest candidates, try each of them. That is
//! all. It is slow, and it stays slow, because its only virtue is that anyone
//! can check it by reading.

use planoku_engine::{Ended, Engine, EngineError, Found, Leave, Profile, Run, Sink};

use crate::verify::no_repeats;
use crate::{Cell, Grid};

/// The first solution, if there is one.
pub fn solve(puzzle: &Grid) -> Option<Grid> {
    solutions(puzzle, 1).pop()
}

/// Up to `limit` solutions.
pub fn solutions(puzzle: &Grid, limit: usize) -> Vec<Grid> {
    Reference
        .solve(puzzle, &mut Run::limit(limit as u64))
        .expect("the reference takes every puzzle")
        .answers
}

/// The reference as an engine. A node is a cell for which digits are tried.
pub struct Reference;

impl Engine<Grid> for Reference {
    type Answer = Grid;

    fn profile(&self) -> Profile {
        Profile::new(
            "reference",
            "tries the cell with the fewest candidates; slow, and the judge of the others",
        )
        .complete()
        .counting()
    }

    fn solve_into(
        &self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Grid>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| match no_repeats(puzzle) {
            Ok(()) => search(&mut puzzle.clone(), run, found),
            Err(_) => Ok(()),
        })
    }
}

fn search(grid: &mut Grid, run: &mut Run<'_>, found: &mut Found<Grid>) -> Result<(), Leave> {
    run.tick()?;
    let fewest: Option<Cell> = grid
        .blanks()
        .min_by_key(|cell| grid.candidates(*cell).len());
    let Some(cell) = fewest else {
        return found.push(grid.clone());
    };
    for digit in grid.candidates(cell).iter() {
        grid.set(cell, Some(digit));
        search(grid, run, found)?;
        grid.set(cell, None);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(puzzle: &str, solutions_up_to_ten: usize) {
        assert_eq!(
            solutions(&puzzle.parse().unwrap(), 10).len(),
            solutions_up_to_ten
        );
    }

    #[test]
    fn the_puzzle_on_the_slides_has_five_solutions() {
        check(
            "...92.....4.....5...2...3..2.......7...456...6.......9..7...8...3.....4....27....",
            5,
        );
    }

    #[test]
    fn the_puzzle_of_figure_one_has_one_solution() {
        check(
            "345.....861..8354979..45..6...157.......649...719..4....9.2.6.4.5..1....2.6...3..",
            1,
        );
    }

    #[test]
    fn equal_clues_in_a_house_have_no_solution() {
        check("11..............", 0);
    }
}
