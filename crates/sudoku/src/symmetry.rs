//! The board's symmetries: ways to move cells and rename digits that turn
//! solutions into solutions.
//!
//! Rows may trade places within a band (and columns within a stack), whole
//! bands and stacks may trade places, a board with square boxes may be
//! transposed, and digits may be renamed. Nothing else is needed: every
//! symmetry of the rules is *transpose or not, then permute rows, then permute
//! columns, then rename*, and that is how a [`Symmetry`] is stored. On the
//! ordinary board there are 2 x 6^8 x 9! of them.
//!
//! ```
//! use planoku_sudoku::{Grid, Shape, Symmetry};
//!
//! let grid: Grid = "1234............".parse().unwrap();
//! let turn = Symmetry::transposition(Shape::Two).unwrap();
//! let swap = Symmetry::bands(Shape::Two, &[1, 0]).unwrap();
//! let both = turn.then(&swap);
//! assert_eq!(both.apply(&grid).to_string(), "3...4...1...2...");
//! assert_eq!(both.inverse().apply(&both.apply(&grid)), grid);
//! ```

use crate::{Cell, Digit, Grid, Shape};

/// A symmetry of the board of one shape.
///
/// Holds that the permutations are permutations that keep bands and stacks
/// together, and that only boards with square boxes are transposed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    shape: Shape,
    /// Rows and columns trade places, before anything else happens.
    transposed: bool,
    /// Where each row goes.
    rows: Vec<usize>,
    /// Where each column goes.
    columns: Vec<usize>,
    /// What each digit becomes, both counted from 0.
    digits: Vec<usize>,
}

impl Symmetry {
    /// Changes nothing.
    pub fn identity(shape: Shape) -> Symmetry {
        let all: Vec<usize> = (0..shape.side()).collect();
        Symmetry {
            shape,
            transposed: false,
            rows: all.clone(),
            columns: all.clone(),
            digits: all,
        }
    }

    /// Rows become columns. `None` where boxes are not square.
    pub fn transposition(shape: Shape) -> Option<Symmetry> {
        (shape.box_rows() == shape.box_columns()).then(|| Symmetry {
            transposed: true,
            ..Symmetry::identity(shape)
        })
    }

    /// Row `r` goes to row `to[r]`. `None` unless that is a permutation which
    /// keeps the rows of a band together.
    pub fn rows(shape: Shape, to: &[usize]) -> Option<Symmetry> {
        keeps_together(to, shape.side(), shape.box_rows()).then(|| Symmetry {
            rows: to.to_vec(),
            ..Symmetry::identity(shape)
        })
    }

    /// Column `c` goes to column `to[c]`. `None` unless that is a permutation
    /// which keeps the columns of a stack together.
    pub fn columns(shape: Shape, to: &[usize]) -> Option<Symmetry> {
        keeps_together(to, shape.side(), shape.box_columns()).then(|| Symmetry {
            columns: to.to_vec(),
            ..Symmetry::identity(shape)
        })
    }

    /// Band `b` goes where band `to[b]` was. `None` unless that is a
    /// permutation of the bands.
    pub fn bands(shape: Shape, to: &[usize]) -> Option<Symmetry> {
        Symmetry::rows(shape, &in_groups(to, shape.box_rows()))
    }

    /// Stack `s` goes where stack `to[s]` was. `None` unless that is a
    /// permutation of the stacks.
    pub fn stacks(shape: Shape, to: &[usize]) -> Option<Symmetry> {
        Symmetry::columns(shape, &in_groups(to, shape.box_columns()))
    }

    /// Digit `d` becomes digit `to[d]`, both counted from 0. `None` unless
    /// that is a permutation of the digits.
    pub fn relabelling(shape: Shape, to: &[usize]) -> Option<Symmetry> {
        keeps_together(to, shape.side(), 1).then(|| Symmetry {
            digits: to.to_vec(),
            ..Symmetry::identity(shape)
        })
    }

    /// A symmetry drawn by `below`, which is given `n` and returns a number
    /// below it. Each is as likely as any other if the numbers are.
    pub fn draw(shape: Shape, mut below: impl FnMut(usize) -> usize) -> Symmetry {
        let (tall, wide) = (shape.box_rows(), shape.box_columns());
        let transposed = tall == wide && below(2) == 1;
        Symmetry {
            shape,
            transposed,
            rows: draw_in_groups(shape.side(), tall, &mut below),
            columns: draw_in_groups(shape.side(), wide, &mut below),
            digits: draw_permutation(shape.side(), &mut below),
        }
    }

    /// One from its parts, which must be permutations that keep together what
    /// belongs together.
    pub(crate) fn from_parts(
        shape: Shape,
        transposed: bool,
        rows: &[usize],
        columns: &[usize],
        digits: &[usize],
    ) -> Symmetry {
        debug_assert!(keeps_together(rows, shape.side(), shape.box_rows()));
        debug_assert!(keeps_together(columns, shape.side(), shape.box_columns()));
        debug_assert!(keeps_together(digits, shape.side(), 1));
        Symmetry {
            shape,
            transposed,
            rows: rows.to_vec(),
            columns: columns.to_vec(),
            digits: digits.to_vec(),
        }
    }

    /// The board it belongs to.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether rows and columns trade places, before anything else happens.
    pub fn is_transposed(&self) -> bool {
        self.transposed
    }

    /// Where each row goes, once rows are rows.
    pub fn row_images(&self) -> &[usize] {
        &self.rows
    }

    /// Where each column goes, once columns are columns.
    pub fn column_images(&self) -> &[usize] {
        &self.columns
    }

    /// What each digit becomes, both counted from 0.
    pub fn digit_images(&self) -> &[usize] {
        &self.digits
    }

    /// Where a cell goes.
    pub fn cell(&self, cell: Cell) -> Cell {
        let (row, column) = (self.shape.row(cell), self.shape.column(cell));
        let (row, column) = match self.transposed {
            true => (column, row),
            false => (row, column),
        };
        self.shape.cell(self.rows[row], self.columns[column])
    }

    /// What a digit becomes.
    pub fn digit(&self, digit: Digit) -> Digit {
        let value = self.digits[digit.index()] as u8 + 1;
        Digit::new(value).expect("a permutation of digits")
    }

    /// The board moved and renamed.
    ///
    /// # Panics
    /// If the board has another shape.
    #[must_use]
    pub fn apply(&self, grid: &Grid) -> Grid {
        assert_eq!(grid.shape(), self.shape, "a symmetry of another board");
        let mut image = Grid::empty(self.shape);
        for (cell, digit) in grid.clues() {
            image.set(self.cell(cell), Some(self.digit(digit)));
        }
        image
    }

    /// This one, then the next, as one symmetry.
    ///
    /// # Panics
    /// If they belong to different boards.
    #[must_use]
    pub fn then(&self, next: &Symmetry) -> Symmetry {
        assert_eq!(self.shape, next.shape, "symmetries of different boards");
        // Transposing after permuting is permuting after transposing with rows
        // and columns exchanged.
        let (rows, columns) = match next.transposed {
            true => (&self.columns, &self.rows),
            false => (&self.rows, &self.columns),
        };
        let follow = |first: &[usize], second: &[usize]| first.iter().map(|&n| second[n]).collect();
        Symmetry {
            shape: self.shape,
            transposed: self.transposed != next.transposed,
            rows: follow(rows, &next.rows),
            columns: follow(columns, &next.columns),
            digits: follow(&self.digits, &next.digits),
        }
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Symmetry {
        let (rows, columns) = (invert(&self.rows), invert(&self.columns));
        let (rows, columns) = match self.transposed {
            true => (columns, rows),
            false => (rows, columns),
        };
        Symmetry {
            shape: self.shape,
            transposed: self.transposed,
            rows,
            columns,
            digits: invert(&self.digits),
        }
    }
}

/// True if `to` permutes `0..side` and moves groups of `size` as wholes.
fn keeps_together(to: &[usize], side: usize, size: usize) -> bool {
    let mut seen = vec![false; side];
    to.len() == side
        && to
            .iter()
            .all(|&n| n < side && !std::mem::replace(&mut seen[n], true))
        && to
            .chunks(size)
            .all(|group| group.iter().all(|n| n / size == group[0] / size))
}

/// A permutation of groups as a permutation of their members. Groups far off
/// the board become members off the board, which [`keeps_together`] refuses.
fn in_groups(to: &[usize], size: usize) -> Vec<usize> {
    to.iter()
        .flat_map(|group| (0..size).map(move |nth| group.saturating_mul(size).saturating_add(nth)))
        .collect()
}

fn draw_in_groups(side: usize, size: usize, below: &mut impl FnMut(usize) -> usize) -> Vec<usize> {
    let groups = draw_permutation(side / size, below);
    let mut to = Vec::with_capacity(side);
    for group in groups {
        let members = draw_permutation(size, below);
        to.extend(members.into_iter().map(|nth| group * size + nth));
    }
    to
}

fn draw_permutation(length: usize, below: &mut impl FnMut(usize) -> usize) -> Vec<usize> {
    let mut to: Vec<usize> = (0..length).collect();
    for left in (2..=length).rev() {
        to.swap(left - 1, below(left));
    }
    to
}

fn invert(to: &[usize]) -> Vec<usize> {
    let mut from = vec![0; to.len()];
    for (n, &image) in to.iter().enumerate() {
        from[image] = n;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_breaks_a_band_or_repeats_a_row_is_refused() {
        let shape = Shape::Two;
        assert!(Symmetry::rows(shape, &[1, 0, 2, 3]).is_some());
        assert!(Symmetry::rows(shape, &[0, 2, 1, 3]).is_none());
        assert!(Symmetry::rows(shape, &[0, 0, 2, 3]).is_none());
        assert!(Symmetry::rows(shape, &[0, 1]).is_none());
        assert!(Symmetry::bands(shape, &[1, 9]).is_none());
        assert!(Symmetry::bands(shape, &[1, usize::MAX]).is_none());
        assert!(Symmetry::relabelling(shape, &[3, 2, 1, 0]).is_some());
        assert!(Symmetry::transposition(Shape::TwoByThree).is_none());
        // Boxes of two rows and three columns: three bands, two stacks.
        assert!(Symmetry::bands(Shape::TwoByThree, &[2, 0, 1]).is_some());
        assert!(Symmetry::stacks(Shape::TwoByThree, &[1, 0]).is_some());
    }
}
