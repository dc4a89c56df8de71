//! The engine that knows Sudoku: bits, singles, locked candidates, guessing.
//!
//! [`Native`] is complete and counts. The ordinary 9x9 board goes through
//! `nine`, all digits at once; every other size through `general`.
//!
//! ```
//! use planoku_engine::{End, Engine, Run};
//! use planoku_sudoku::{Grid, native::Native};
//!
//! let puzzle: Grid = "...92.....4.....5...2...3..2.......7...456...6.......9..7...8...3.....4....27...."
//!     .parse()
//!     .unwrap();
//! let outcome = Native.solve(&puzzle, &mut Run::all()).unwrap();
//! assert_eq!(outcome.end, End::Exhausted);
//! assert_eq!(outcome.answers.len(), 5); // not a proper Sudoku
//! ```

mod general;
mod lanes;
mod nine;
#[cfg(test)]
mod tests;

use planoku_engine::{Engine, EngineError, Found, Leave, Outcome, Profile, Run};

use crate::{Digit, Grid, Shape};
pub use nine::Cells;

/// The engine itself. It has no settings.
///
/// A node is one state propagated as far as the rules go; the puzzle itself is
/// the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Native;

impl Engine<Grid> for Native {
    type Answer = Grid;

    fn profile(&self) -> Profile {
        Profile::new(
            "native",
            "strikes candidates for all digits at once and guesses where few are left",
        )
        .complete()
        .counting()
    }

    fn solve(&self, puzzle: &Grid, run: &mut Run<'_>) -> Result<Outcome<Grid>, EngineError> {
        run.search(|run, found| match to_cells(puzzle) {
            Some(cells) => nine::search(&cells, &mut Collector { run, found }),
            None => general::search(puzzle, run, |grid| found.push(grid)),
        })
    }
}

/// How many solutions a 9x9 puzzle has, counted up to `limit`.
///
/// ```
/// use planoku_sudoku::native;
/// assert_eq!(native::count(&[0; 81], 2), 2);
/// ```
pub fn count(puzzle: &Cells, limit: u64) -> u64 {
    let mut counter = Counter { limit, count: 0 };
    if limit > 0 {
        // Leaving early means that the limit was reached; nothing else ends it.
        let _ = nine::search(puzzle, &mut counter);
    }
    counter.count
}

/// The cells of a 9x9 grid as bytes; `None` for other sizes.
pub fn to_cells(grid: &Grid) -> Option<Cells> {
    (grid.shape() == Shape::Three).then(|| {
        let mut cells = [0; 81];
        for (cell, content) in cells.iter_mut().zip(grid.cells()) {
            *cell = content.map_or(0, Digit::get);
        }
        cells
    })
}

/// The grid with these cells; `None` if a byte is neither 0 nor a digit.
pub fn from_cells(cells: &Cells) -> Option<Grid> {
    if cells.iter().any(|digit| *digit > 9) {
        return None;
    }
    Grid::from_cells(cells.iter().map(|digit| Digit::new(*digit)))
}

struct Collector<'a, 'r, 'o> {
    run: &'r mut Run<'o>,
    found: &'a mut Found<Grid>,
}

impl nine::Visitor for Collector<'_, '_, '_> {
    fn node(&mut self) -> Result<(), Leave> {
        Ok(self.run.tick()?)
    }

    fn solution(&mut self, solution: &Cells) -> Result<(), Leave> {
        let grid = from_cells(solution)
            .ok_or_else(|| EngineError::Internal("a cell without a digit".into()))?;
        self.found.push(grid)
    }
}

struct Counter {
    limit: u64,
    count: u64,
}

impl nine::Visitor for Counter {
    fn node(&mut self) -> Result<(), Leave> {
        Ok(())
    }

    fn solution(&mut self, _: &Cells) -> Result<(), Leave> {
        self.count += 1;
        if self.count >= self.limit {
            return Err(Leave::Enough);
        }
        Ok(())
    }
}
