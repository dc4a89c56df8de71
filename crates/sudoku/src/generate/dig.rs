//! Digging: taking clues away while one solution remains.
//!
//! Cells are tried in random order, each once: a clue that was needed among
//! many clues is needed among fewer. For the same reason a whole group may be
//! taken away at once if one solution remains after it, and digging starts
//! with large groups; the puzzle is the one that cell by cell would give.
//!
//! A single clue is judged by asking for a solution in which its cell is
//! *different*, which needs one solution where counting needs two.

use planoku_engine::{End, Engine, Run, Stop};

use super::Recipe;
use super::full::search_within;
use crate::native::{self, Native};
use crate::rng::Rng;
use crate::{Cell, Digit, Grid, Shape};

/// One attempt; `None` if the digging ended outside the recipe.
pub(super) fn dig(
    recipe: &Recipe,
    solution: &Grid,
    rng: &mut Rng,
    run: &mut Run<'_>,
) -> Result<Option<Grid>, Stop> {
    let mut orbits: Vec<&[Cell]> = recipe
        .symmetry
        .orbits(recipe.shape)
        .iter()
        .map(Vec::as_slice)
        .collect();
    rng.shuffle(&mut orbits);
    let target = if recipe.minimal {
        0
    } else {
        let span = recipe.clues.end() - recipe.clues.start() + 1;
        recipe.clues.start() + rng.below(span)
    };
    let mut puzzle = Puzzle::new(solution, recipe.minimal);
    let mut group = orbits.len() * 2 / 5;
    let mut rest = &orbits[..];
    while !rest.is_empty() {
        group = group.clamp(1, rest.len());
        let (next, after) = rest.split_at(group);
        let cells = next.iter().copied().flatten();
        let too_many = puzzle.clues < target + cells.clone().count();
        let removed = !too_many && puzzle.remove(cells, run)?;
        if removed || group == 1 {
            rest = after;
            // A second large group hardly ever goes.
            group = group.min(orbits.len() / 10);
        } else {
            group /= 2;
        }
    }
    let kept = recipe.clues.contains(&puzzle.clues)
        && (!recipe.minimal
            || orbits.iter().all(|orbit| orbit.len() == 1)
            || puzzle.is_minimal(run)?);
    Ok(kept.then(|| puzzle.grid()))
}

/// A puzzle with one solution that is losing its clues.
struct Puzzle<'a> {
    solution: &'a Grid,
    /// Whether a clue may be kept only if it is proved to be needed.
    exact: bool,
    clues: usize,
    cells: Vec<u8>,
}

/// Nodes after which a clue of a large board is kept rather than judged.
const PATIENCE: u64 = 400;

impl Puzzle<'_> {
    fn new(solution: &Grid, exact: bool) -> Puzzle<'_> {
        let digits = solution.cells().iter();
        Puzzle {
            solution,
            exact,
            clues: solution.clue_count(),
            cells: digits.map(|digit| digit.map_or(0, Digit::get)).collect(),
        }
    }

    /// Takes the clues away if one solution remains, and says whether it did.
    fn remove<'c>(
        &mut self,
        cells: impl Iterator<Item = &'c Cell> + Clone,
        run: &mut Run<'_>,
    ) -> Result<bool, Stop> {
        for cell in cells.clone() {
            self.cells[cell.index()] = 0;
        }
        let mut count = 0;
        let mut only = None;
        for cell in cells.clone() {
            count += 1;
            only = Some(*cell);
        }
        let needed = match only {
            Some(cell) if count == 1 => self.differs(cell, run)?,
            _ => self.is_ambiguous(run)?,
        };
        if needed {
            for cell in cells {
                self.cells[cell.index()] = self.digit(*cell);
            }
        } else {
            self.clues -= count;
        }
        Ok(!needed)
    }

    /// True if there are two solutions.
    fn is_ambiguous(&self, run: &mut Run<'_>) -> Result<bool, Stop> {
        run.tick()?;
        if let Ok(cells) = self.cells.as_slice().try_into() {
            return Ok(native::count(cells, 2) > 1);
        }
        self.judge(run, 2, |puzzle, run| Native.solve(puzzle, run))
    }

    /// True if there is a solution with another digit in this blank cell.
    fn differs(&self, cell: Cell, run: &mut Run<'_>) -> Result<bool, Stop> {
        run.tick()?;
        let Some(digit) = self.solution.get(cell) else {
            return Ok(true);
        };
        if let Ok(cells) = self.cells.as_slice().try_into() {
            return Ok(native::differs(cells, cell, digit));
        }
        self.judge(run, 1, |puzzle, run| {
            native::solve_without(puzzle, cell, digit, run)
        })
    }

    /// True if the engine finds `limit` solutions, or loses patience.
    fn judge(
        &self,
        run: &Run<'_>,
        limit: u64,
        engine: impl FnOnce(
            &Grid,
            &mut Run<'_>,
        )
            -> Result<planoku_engine::Outcome<Grid>, planoku_engine::EngineError>,
    ) -> Result<bool, Stop> {
        let mut search = search_within(run, limit);
        if !self.exact {
            search = search.with_nodes(PATIENCE);
        }
        match engine(&self.grid(), &mut search).map(|outcome| outcome.end) {
            Ok(End::Exhausted) => Ok(false),
            Ok(End::Stopped(stop)) if stop != Stop::Nodes => Err(stop),
            _ => Ok(true),
        }
    }

    /// True if no single clue can be removed.
    fn is_minimal(&mut self, run: &mut Run<'_>) -> Result<bool, Stop> {
        let shape = self.solution.shape();
        for cell in shape.all_cells() {
            let clue = std::mem::take(&mut self.cells[cell.index()]);
            let needed = clue == 0 || self.differs(cell, run)?;
            self.cells[cell.index()] = clue;
            if !needed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn digit(&self, cell: Cell) -> u8 {
        self.solution.get(cell).map_or(0, Digit::get)
    }

    fn grid(&self) -> Grid {
        let shape: Shape = self.solution.shape();
        let mut grid = Grid::empty(shape);
        for (cell, &digit) in shape.all_cells().zip(&self.cells) {
            grid.set(cell, Digit::new(digit));
        }
        grid
    }
}
