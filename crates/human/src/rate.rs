//! Rating a puzzle: the steps of the scale's own path, and the three numbers
//! that are quoted for it.
//!
//! Every step is sound, so a path that reaches the end proves its solution the
//! only one. Only before a technique that takes that for granted, or takes its
//! time, the solutions have to be counted.

use std::fmt;

use planoku_engine::{Run, Stop};
use planoku_sudoku::{Grid, native};

use crate::board::{BadBoard, Board};
use crate::finder::{Finder, easy};
use crate::found::Found;
use crate::{Rating, Step, Technique};

/// What a puzzle is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    /// The hardest step: ER.
    pub er: Rating,
    /// The hardest step up to the first digit placed: EP.
    pub ep: Rating,
    /// The first step: ED.
    pub ed: Rating,
    /// The first technique that needed the rating `er`; `None` for a board
    /// without empty cells.
    pub hardest: Option<Technique>,
    /// How many steps each technique made, in the order of [`Technique::ALL`].
    counts: [u16; Technique::ALL.len()],
}

/// A whole solution step by step.
#[derive(Clone, Debug)]
pub struct Path {
    /// The steps.
    pub steps: Vec<Step>,
    /// What they amount to.
    pub rated: Rated,
    /// The solution they lead to.
    pub solution: Grid,
}

/// Why a puzzle has no rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrated {
    /// It is no position at all.
    Board(BadBoard),
    /// It has no solution.
    NoSolution,
    /// It has several.
    SeveralSolutions,
    /// It has one, but no technique leads there.
    TooHard {
        /// The rating of what was needed so far.
        at_least: Rating,
    },
    /// The budget was spent first.
    Stopped(Stop),
}

impl fmt::Display for Unrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unrated::Board(bad) => bad.fmt(f),
            Unrated::NoSolution => write!(f, "the puzzle has no solution"),
            Unrated::SeveralSolutions => write!(f, "the puzzle has several solutions"),
            Unrated::TooHard { at_least } => {
                write!(f, "no technique of the scale goes on after {at_least}")
            }
            Unrated::Stopped(stop) => write!(f, "stopped ({})", stop.name()),
        }
    }
}

impl std::error::Error for Unrated {}

impl From<Stop> for Unrated {
    fn from(stop: Stop) -> Unrated {
        Unrated::Stopped(stop)
    }
}

impl From<BadBoard> for Unrated {
    fn from(bad: BadBoard) -> Unrated {
        Unrated::Board(bad)
    }
}

/// Rates puzzles one after the other. Those who rate many keep one for each
/// thread; what it finds does not depend on what it did before.
#[derive(Default)]
pub struct Rater {
    finder: Finder,
}

impl Rater {
    /// A new one.
    pub fn new() -> Rater {
        Rater::default()
    }

    /// The rating of a puzzle. A node is one step, or one chain followed to its
    /// end.
    pub fn rate(&mut self, puzzle: &Grid, run: &mut Run<'_>) -> Result<Rated, Unrated> {
        let (rated, _) = self.walk(puzzle, run, |_, _| ())?;
        Ok(rated)
    }

    /// The path of a puzzle as far as it goes without a step harder than
    /// `most`, and whether that is to the end; looks for nothing harder. The
    /// puzzle is known to have one solution.
    pub fn rate_up_to(
        &mut self,
        puzzle: &Grid,
        most: Rating,
        run: &mut Run<'_>,
    ) -> Result<(Rated, bool), Unrated> {
        let mut board = Board::new(puzzle)?;
        let mut tally = Tally::default();
        while !board.is_solved() {
            run.tick()?;
            let found = match easy(&board) {
                Some(found) => Some(found),
                None => self.finder.hard(&board, most, run)?,
            };
            match found {
                Some(found) if found.rating() <= most => {
                    tally.count(&found);
                    found.apply(&mut board);
                }
                _ => return Ok((tally.rated, false)),
            }
        }
        Ok((tally.rated, true))
    }

    /// The rating of a puzzle with all its steps.
    pub fn path(&mut self, puzzle: &Grid, run: &mut Run<'_>) -> Result<Path, Unrated> {
        let mut steps = Vec::new();
        self.finder.explain(true);
        let walked = self.walk(puzzle, run, |board, found| steps.push(found.step(board)));
        self.finder.explain(false);
        let (rated, solution) = walked?;
        Ok(Path {
            steps,
            rated,
            solution,
        })
    }

    /// The next step from a position, the first in the order of the scale;
    /// `None` if there is none. Whether the position is right is for the caller
    /// to know: from a wrong one anything may follow.
    pub fn next(&mut self, board: &Board, run: &mut Run<'_>) -> Result<Option<Step>, Stop> {
        self.finder.explain(true);
        let found = self.finder.first(board, run);
        self.finder.explain(false);
        Ok(found?.map(|found| found.step(board)))
    }

    pub(crate) fn finder(&mut self) -> &mut Finder {
        &mut self.finder
    }

    fn walk(
        &mut self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        mut visit: impl FnMut(&Board, &Found),
    ) -> Result<(Rated, Grid), Unrated> {
        let mut board = Board::new(puzzle)?;
        let mut tally = Tally::default();
        let mut counted = false;
        while !board.is_solved() {
            let found = match easy(&board) {
                Some(found) => found,
                None => {
                    if !counted {
                        check_unique(puzzle)?;
                        counted = true;
                    }
                    let found = self.finder.hard(&board, Rating(u8::MAX), run)?;
                    found.ok_or(Unrated::TooHard {
                        at_least: tally.rated.er,
                    })?
                }
            };
            run.tick()?;
            visit(&board, &found);
            tally.count(&found);
            found.apply(&mut board);
        }
        Ok((tally.rated, board.grid()))
    }
}

/// The steps so far.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) rated: Rated,
    /// Whether one of them placed a digit.
    placed: bool,
}

impl Tally {
    /// Adds one more step.
    pub(crate) fn count(&mut self, found: &Found) {
        self.rated.count(found.technique(), found.rating());
        if !self.placed {
            self.rated.ep = self.rated.er;
            self.placed = found.places();
        }
    }
}

/// Rates one puzzle, however long it takes.
///
/// ```
/// use planoku_human::{Unrated, rate};
/// use planoku_sudoku::{Grid, Shape};
///
/// assert_eq!(rate(&Grid::empty(Shape::Three)), Err(Unrated::SeveralSolutions));
/// ```
pub fn rate(puzzle: &Grid) -> Result<Rated, Unrated> {
    Rater::new().rate(puzzle, &mut Run::limit(1))
}

fn check_unique(puzzle: &Grid) -> Result<(), Unrated> {
    let cells = native::to_cells(puzzle).ok_or(BadBoard::WrongShape(puzzle.shape()))?;
    match native::count(&cells, 2) {
        0 => Err(Unrated::NoSolution),
        1 => Ok(()),
        _ => Err(Unrated::SeveralSolutions),
    }
}

impl Default for Rated {
    fn default() -> Rated {
        Rated {
            er: Rating(0),
            ep: Rating(0),
            ed: Rating(0),
            hardest: None,
            counts: [0; Technique::ALL.len()],
        }
    }
}

impl Rated {
    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.counts.iter().map(|count| usize::from(*count)).sum()
    }

    /// The techniques used, the easiest first, with the number of their steps.
    pub fn histogram(&self) -> impl Iterator<Item = (Technique, u16)> + '_ {
        let counts = Technique::ALL.iter().copied().zip(self.counts);
        counts.filter(|(_, count)| *count > 0)
    }

    /// How many steps a technique made.
    pub fn count_of(&self, technique: Technique) -> u16 {
        self.counts[technique as usize]
    }

    fn count(&mut self, technique: Technique, rating: Rating) {
        if self.hardest.is_none() {
            self.ed = rating;
        }
        if self.hardest.is_none() || rating > self.er {
            self.er = rating;
            self.hardest = Some(technique);
        }
        self.counts[technique as usize] += 1;
    }
}
