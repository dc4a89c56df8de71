//! Symmetric patterns: cells that come and go together.

use std::sync::OnceLock;

use crate::{Cell, Shape};

/// Which cells of a pattern belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PatternSymmetry {
    /// Every cell for itself.
    None,
    /// Half a turn leaves the pattern as it is.
    Rotation180,
    /// A quarter turn leaves the pattern as it is.
    Rotation90,
    /// Left and right are mirror images.
    Mirror,
    /// The two sides of the main diagonal are mirror images.
    Diagonal,
}

impl PatternSymmetry {
    /// All symmetries.
    pub const ALL: [PatternSymmetry; 5] = [
        PatternSymmetry::None,
        PatternSymmetry::Rotation180,
        PatternSymmetry::Rotation90,
        PatternSymmetry::Mirror,
        PatternSymmetry::Diagonal,
    ];

    /// The word used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PatternSymmetry::None => "none",
            PatternSymmetry::Rotation180 => "rotation180",
            PatternSymmetry::Rotation90 => "rotation90",
            PatternSymmetry::Mirror => "mirror",
            PatternSymmetry::Diagonal => "diagonal",
        }
    }

    /// The cell that a cell is carried to.
    pub fn image(self, shape: Shape, cell: Cell) -> Cell {
        let (row, column, last) = (shape.row(cell), shape.column(cell), shape.side() - 1);
        match self {
            PatternSymmetry::None => cell,
            PatternSymmetry::Rotation180 => shape.cell(last - row, last - column),
            PatternSymmetry::Rotation90 => shape.cell(column, last - row),
            PatternSymmetry::Mirror => shape.cell(row, last - column),
            PatternSymmetry::Diagonal => shape.cell(column, row),
        }
    }

    /// All cells, grouped by what belongs together.
    pub fn orbits(self, shape: Shape) -> &'static [Vec<Cell>] {
        static ORBITS: [[OnceLock<Vec<Vec<Cell>>>; 5]; 5] =
            [const { [const { OnceLock::new() }; 5] }; 5];
        ORBITS[self as usize][shape as usize].get_or_init(|| self.find_orbits(shape))
    }

    fn find_orbits(self, shape: Shape) -> Vec<Vec<Cell>> {
        let orbit = |start: Cell| {
            let mut orbit = vec![start];
            let mut cell = self.image(shape, start);
            while cell != start {
                orbit.push(cell);
                cell = self.image(shape, cell);
            }
            orbit
        };
        shape
            .all_cells()
            .map(orbit)
            .filter(|orbit| orbit.iter().min() == orbit.first())
            .collect()
    }

    /// For each number of cells, whether a pattern has that many.
    pub(super) fn possible_counts(self, shape: Shape) -> Vec<bool> {
        let mut possible = vec![false; shape.cells() + 1];
        possible[0] = true;
        for orbit in self.orbits(shape) {
            for count in (orbit.len()..possible.len()).rev() {
                possible[count] |= possible[count - orbit.len()];
            }
        }
        possible
    }
}
