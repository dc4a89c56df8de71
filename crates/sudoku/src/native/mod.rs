//! The engine that knows Sudoku: bits, singles, locked candidates, guessing.
//!
//! [`Native`] is complete and counts. The ordinary 9x9 board goes through
//! `nine`, all digits at once; every other size through `general`. For lists of
//! 9x9 puzzles there is [`Batch`], hundreds of boards at once, several times
//! faster.
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

mod batch;
mod cells;
mod general;
mod isa;
mod lanes;
mod nine;
mod stack;
#[cfg(test)]
mod tests;

use planoku_engine::{Ended, Engine, EngineError, Found, Leave, Outcome, Profile, Run, Sink};

use crate::rng::Rng;
use crate::{Cell, Digit, Grid, Shape};
pub(crate) use batch::Barred;
pub use batch::Batch;
pub use cells::Cells;
use general::Question;
pub use isa::Isa;

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

    fn solve_into(
        &self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Grid>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| match to_cells(puzzle) {
            Some(cells) => {
                let barred = None;
                nine::search(&cells, Isa::best(), &mut Collector { run, found, barred })
            }
            None => general::search(Question::new(puzzle), run, |grid| found.push(grid)),
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
    solve_cells(puzzle, limit, Isa::best()).count
}

/// What [`solve_cells`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeAnswer {
    /// Solutions, counted up to the limit.
    pub count: u64,
    /// The first that was found. Which one that is may depend on the processor.
    pub first: Option<Cells>,
    /// States propagated, the puzzle itself included.
    pub nodes: u64,
}

/// Solves a 9x9 puzzle without budget or ceremony.
pub fn solve_cells(puzzle: &Cells, limit: u64, isa: Isa) -> NativeAnswer {
    let mut counter = Counter::new(limit, None);
    if limit > 0 {
        // Leaving early means that the limit was reached; nothing else ends it.
        let _ = nine::search(puzzle, isa, &mut counter);
    }
    counter.answer
}

/// The solutions of a 9x9 puzzle, each handed over as it is found: [`Native`]
/// for those who want millions of them and no grid for any.
///
/// ```
/// use planoku_engine::{End, Run};
/// use planoku_sudoku::native;
///
/// let mut count = 0;
/// let ended = native::solve_cells_into(&[0; 81], &mut Run::limit(1000), &mut |_| {
///     count += 1;
///     Ok(())
/// });
/// assert_eq!((ended.unwrap().end, count), (End::Enough, 1000));
/// ```
pub fn solve_cells_into(
    puzzle: &Cells,
    run: &mut Run<'_>,
    take: &mut impl FnMut(&Cells) -> Result<(), Leave>,
) -> Result<Ended, EngineError> {
    let mut left = run.wanted();
    let nothing: &mut Sink<'_, ()> = &mut |()| Ok(());
    run.search(nothing, |run, _| {
        let mut stream = Stream {
            run,
            take,
            left: &mut left,
        };
        nine::search(puzzle, Isa::best(), &mut stream)
    })
}

/// Solves many 9x9 puzzles at once; for several threads, give each a slice.
/// Those who call often keep a [`Batch`].
///
/// ```
/// use planoku_sudoku::native::{self, Isa};
/// let answers = native::solve_batch(&[[0; 81]; 3], 2, Isa::best());
/// assert!(answers.iter().all(|answer| answer.count == 2));
/// ```
pub fn solve_batch(puzzles: &[Cells], limit: u64, isa: Isa) -> Vec<NativeAnswer> {
    let mut answers = vec![NativeAnswer::default(); puzzles.len()];
    Batch::new(isa).solve(puzzles, limit, &mut answers);
    answers
}

/// Searches for solutions in which the cell does *not* hold the digit.
///
/// This is the question to ask about each clue of a puzzle that is to be
/// minimal: blank the clue, then ask whether the cell could be anything else.
/// One solution settles it, where counting needs two.
///
/// ```
/// use planoku_engine::Run;
/// use planoku_sudoku::{Cell, Digit, Grid, native};
///
/// let puzzle: Grid = "1.3.............".parse().unwrap();
/// let (cell, digit) = (Cell::new(1), Digit::new(2).unwrap());
/// let other = native::solve_without(&puzzle, cell, digit, &mut Run::limit(1)).unwrap();
/// assert_eq!(other.answers[0].get(cell), Digit::new(4));
/// ```
pub fn solve_without(
    puzzle: &Grid,
    cell: Cell,
    digit: Digit,
    run: &mut Run<'_>,
) -> Result<Outcome<Grid>, EngineError> {
    run.collect(|run, found| match to_cells(puzzle) {
        Some(cells) => {
            let barred = Some((cell.index(), digit.index()));
            let visitor = &mut Collector { run, found, barred };
            nine::search(&cells, Isa::best(), visitor)
        }
        None => {
            let question = Question {
                barred: Some((cell, digit)),
                ..Question::new(puzzle)
            };
            general::search(question, run, |grid| found.push(grid))
        }
    })
}

/// True if a 9x9 puzzle has a solution in which the cell does not hold the
/// digit: [`solve_without`] for those who ask millions of times.
///
/// # Panics
/// If the cell or the digit is not of this board.
pub fn differs(puzzle: &Cells, cell: Cell, digit: Digit) -> bool {
    assert!(cell.index() < 81 && digit.index() < 9, "not on this board");
    let mut counter = Counter::new(1, Some((cell.index(), digit.index())));
    counter.shown = false;
    // Leaving early means that a solution was found.
    let _ = nine::search(puzzle, Isa::best(), &mut counter);
    counter.answer.count > 0
}

/// A random solution of a puzzle of any size, if there is one.
///
/// Every guess is random, which does not make every solution equally likely.
pub fn random_solution(
    puzzle: &Grid,
    rng: &mut Rng,
    run: &mut Run<'_>,
) -> Result<Outcome<Grid>, EngineError> {
    run.collect(|run, found| match to_cells(puzzle) {
        Some(cells) => nine::search(&cells, Isa::best(), &mut Random { run, found, rng }),
        None => {
            let question = Question {
                random: Some(rng),
                ..Question::new(puzzle)
            };
            general::search(question, run, |grid| found.push(grid))
        }
    })
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

/// The grid of a solution; a byte that is no digit is our own mistake.
fn to_grid(solution: Option<&Cells>) -> Result<Grid, EngineError> {
    let grid = solution.and_then(from_cells);
    grid.ok_or_else(|| EngineError::Internal("a cell without a digit".into()))
}

struct Collector<'a, 's, 'r, 'o> {
    run: &'r mut Run<'o>,
    found: &'a mut Found<'s, Grid>,
    barred: Option<(usize, usize)>,
}

impl nine::Visitor for Collector<'_, '_, '_, '_> {
    fn node(&mut self) -> Result<(), Leave> {
        Ok(self.run.tick()?)
    }

    fn solution(&mut self, solution: Option<&Cells>) -> Result<(), Leave> {
        self.found.push(to_grid(solution)?)
    }

    #[inline(always)]
    fn barred(&self) -> Option<(usize, usize)> {
        self.barred
    }
}

struct Stream<'a, 'r, 'o, F> {
    run: &'r mut Run<'o>,
    take: &'a mut F,
    /// How many more are wanted.
    left: &'a mut u64,
}

impl<F: FnMut(&Cells) -> Result<(), Leave>> nine::Visitor for Stream<'_, '_, '_, F> {
    #[inline(always)]
    fn node(&mut self) -> Result<(), Leave> {
        Ok(self.run.tick()?)
    }

    #[inline(always)]
    fn solution(&mut self, solution: Option<&Cells>) -> Result<(), Leave> {
        let missing = || EngineError::Internal("a solution without cells".into());
        (self.take)(solution.ok_or_else(missing)?)?;
        *self.left -= 1;
        match *self.left {
            0 => Err(Leave::Enough),
            _ => Ok(()),
        }
    }
}

struct Random<'a, 's, 'r, 'o> {
    run: &'r mut Run<'o>,
    found: &'a mut Found<'s, Grid>,
    rng: &'a mut Rng,
}

impl nine::Visitor for Random<'_, '_, '_, '_> {
    fn node(&mut self) -> Result<(), Leave> {
        Ok(self.run.tick()?)
    }

    fn solution(&mut self, solution: Option<&Cells>) -> Result<(), Leave> {
        self.found.push(to_grid(solution)?)
    }

    const RANDOM: bool = true;

    fn pick(&mut self, bits: u32) -> u32 {
        general::pick(bits, Some(self.rng))
    }
}

struct Counter {
    limit: u64,
    barred: Option<(usize, usize)>,
    /// Whether the first solution is to be written down.
    shown: bool,
    answer: NativeAnswer,
}

impl Counter {
    fn new(limit: u64, barred: Option<(usize, usize)>) -> Counter {
        Counter {
            limit,
            barred,
            shown: true,
            answer: NativeAnswer::default(),
        }
    }
}

impl nine::Visitor for Counter {
    const ANY_ORDER: bool = true;

    #[inline(always)]
    fn node(&mut self) -> Result<(), Leave> {
        self.answer.nodes += 1;
        Ok(())
    }

    #[inline(always)]
    fn only_counts(&self) -> bool {
        !self.shown || self.answer.first.is_some()
    }

    #[inline(always)]
    fn solution(&mut self, solution: Option<&Cells>) -> Result<(), Leave> {
        self.answer.count += 1;
        if let Some(solution) = solution {
            self.answer.first = Some(*solution);
        }
        if self.answer.count >= self.limit {
            return Err(Leave::Enough);
        }
        Ok(())
    }

    #[inline(always)]
    fn barred(&self) -> Option<(usize, usize)> {
        self.barred
    }
}
