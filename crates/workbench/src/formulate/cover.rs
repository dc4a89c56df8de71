//! Sudoku as exact cover.
//!
//! The items are what a solution does exactly once: fill a cell, and put a
//! digit into a row, a column and a box. Writing a digit into a cell is an
//! option that covers four of them. A clue leaves its cell one option; clues
//! that clash leave some item none.

use planoku_constraints::cover::{CoverError, DancingLinks, ExactCover};
use planoku_engine::name::{Grammar, Group};
use planoku_engine::{EncodeError, EngineError, Formulation, Run, Via};
use planoku_sudoku::{Candidates, Cell, Digit, Grid};

use crate::Plain;
use crate::family::EngineFamily;

/// Sudoku said as exact cover. An option's label is its cell's number times the
/// side of the board, and its digit's index.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsCover;

impl Formulation<Grid> for AsCover {
    type Problem = ExactCover;
    type Found = Vec<u32>;
    type Answer = Grid;

    fn encode(&self, puzzle: &Grid, run: &mut Run<'_>) -> Result<ExactCover, EncodeError> {
        run.check()?;
        let shape = puzzle.shape();
        let (side, cells) = (shape.side(), shape.cells());
        let mistake = |error: CoverError| EngineError::Internal(error.to_string());
        // Cells first, then rows, columns and boxes with their digits.
        let mut cover = ExactCover::new(4 * cells);
        for cell in shape.all_cells() {
            let digits = match puzzle.get(cell) {
                Some(digit) => Candidates::only(digit),
                None => Candidates::all(shape),
            };
            for digit in digits.iter() {
                let mut items = [cell.index(); 4];
                for (nth, house) in shape.houses_of(cell).into_iter().enumerate() {
                    let house = nth * side + usize::from(house.index);
                    items[nth + 1] = cells + house * side + digit.index();
                }
                let label = (cell.index() * side + digit.index()) as u32;
                cover.option(label, &items).map_err(mistake)?;
            }
        }
        Ok(cover)
    }

    fn decode(&self, puzzle: &Grid, _: &ExactCover, found: Vec<u32>) -> Result<Grid, EngineError> {
        let mut grid = Grid::empty(puzzle.shape());
        let side = puzzle.shape().side();
        for label in found {
            let (cell, digit) = (label as usize / side, label as usize % side);
            grid.set(Cell::new(cell), Digit::new(digit as u8 + 1));
        }
        Ok(grid)
    }
}

/// The engine `dlx`.
pub(crate) const LINKS: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[Group::first("engines", &["dlx"])],
        rules: &[],
    },
    listed: &["dlx"],
    make: |_| {
        Box::new(Plain(Via {
            name: "dlx".into(),
            summary: "exact cover by dancing links (Knuth's Algorithm X)".into(),
            formulation: AsCover,
            engine: DancingLinks,
        }))
    },
};
