//! A kinder path than the scale's own.
//!
//! The scale takes the first step its order of techniques meets. That is not
//! always the easiest one (a long chain of one family may be rated higher than
//! a short one of the next), and where several are equally easy it is rarely the
//! one that helps most. Here two more orders are tried:
//!
//! - *cheapest first*: always the step with the lowest rating. Striking
//!   candidates seldom makes another step harder, so this keeps the hardest step
//!   as low as possible;
//! - *furthest first*: with that as a ceiling, of all hard steps below it the
//!   one after which the easy techniques get furthest.
//!
//! Of all paths the best is kept: lowest hardest step, then fewest hard steps,
//! then the lowest sum of ratings. A step is *hard* if it is none of the easy
//! techniques, which end with the XYZ-wing.

use planoku_engine::{Run, Stop};
use planoku_sudoku::Grid;

use crate::board::Board;
use crate::finder::{Finder, easy};
use crate::found::Found;
use crate::rate::{Path, Rated, Rater, Tally, Unrated};
use crate::{Rating, Technique};

impl Rater {
    /// The easiest path found over several orders; see the module's idea. The
    /// rating of the result is that of its own steps.
    pub fn gentlest(&mut self, puzzle: &Grid, run: &mut Run<'_>) -> Result<Path, Unrated> {
        let mut best = self.path(puzzle, run)?;
        if best.rated.hard_steps() == 0 {
            return Ok(best);
        }
        let finder = self.finder();
        finder.explain(true);
        let other = others(finder, puzzle, &mut best, run);
        finder.explain(false);
        other?;
        Ok(best)
    }
}

fn others(
    finder: &mut Finder,
    puzzle: &Grid,
    best: &mut Path,
    run: &mut Run<'_>,
) -> Result<(), Unrated> {
    let cheapest = walk(puzzle, |board| finder.cheapest(board, run))?;
    if let Some(path) = cheapest
        && path.effort() < best.effort()
    {
        *best = path;
    }
    let ceiling = best.rated.er;
    let furthest = walk(puzzle, |board| furthest(finder, board, ceiling, run))?;
    if let Some(path) = furthest
        && path.effort() < best.effort()
    {
        *best = path;
    }
    Ok(())
}

impl Path {
    /// What makes one path harder than another.
    fn effort(&self) -> (Rating, usize, u32) {
        let sum = self.steps.iter().map(|step| u32::from(step.rating.0));
        (self.rated.er, self.rated.hard_steps(), sum.sum())
    }
}

impl Rated {
    /// How many steps use more than the easy techniques, which end with the
    /// XYZ-wing.
    pub fn hard_steps(&self) -> usize {
        let hard = self
            .histogram()
            .filter(|(technique, _)| *technique > Technique::XyzWing);
        hard.map(|(_, count)| usize::from(count)).sum()
    }
}

/// Follows the easy steps, and a choice of hard ones, to the end; `None` if it
/// is not reached.
fn walk(
    puzzle: &Grid,
    mut choose: impl FnMut(&Board) -> Result<Option<Found>, Stop>,
) -> Result<Option<Path>, Unrated> {
    let mut board = Board::new(puzzle)?;
    let (mut steps, mut tally) = (Vec::new(), Tally::default());
    while !board.is_solved() {
        let found = match easy(&board) {
            Some(found) => Some(found),
            None => choose(&board)?,
        };
        let Some(found) = found else {
            return Ok(None);
        };
        tally.count(&found);
        steps.push(found.step(&board));
        found.apply(&mut board);
    }
    Ok(Some(Path {
        steps,
        rated: tally.rated,
        solution: board.grid(),
    }))
}

/// The hard step up to the ceiling after which least is left; the cheaper one
/// among equals.
fn furthest(
    finder: &mut Finder,
    board: &Board,
    ceiling: Rating,
    run: &mut Run<'_>,
) -> Result<Option<Found>, Stop> {
    let mut best: Option<(usize, Rating, Found)> = None;
    for found in finder.all_hard(board, ceiling, run)? {
        run.tick()?;
        let mut after = board.clone();
        found.apply(&mut after);
        while let Some(step) = easy(&after) {
            step.apply(&mut after);
        }
        let left = after.candidate_count();
        let rating = found.rating();
        if best
            .as_ref()
            .is_none_or(|(least, cost, _)| (left, rating) < (*least, *cost))
        {
            best = Some((left, rating, found));
        }
    }
    match best {
        Some((_, _, found)) => Ok(Some(found)),
        None => finder.cheapest(board, run),
    }
}
