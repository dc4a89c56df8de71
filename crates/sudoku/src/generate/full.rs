//! A random full grid, no house pattern favoured.
//!
//! The boxes on the diagonal do not see each other and are filled at random,
//! and a search that makes every choice at random fills the rest. Such grids
//! are not equally likely: those with much structure come up too often (a band
//! in which the three digits of every minirow stay together has a share of
//! 4.3 % of all pairs of boxes instead of 2/56).
//!
//! So the grid is then stirred. Two digits may be exchanged in any set of rows
//! that is closed under meeting in a column or a box; two rows of a band, or
//! two columns of a stack, may be exchanged in any set of columns or rows that
//! is closed under meeting in a digit. Each such exchange can be undone by the
//! same exchange, so stirring makes all grids it can reach equally likely in
//! the long run, and a hundred exchanges are long enough to see no bias.
//!
//! At last rows, columns, bands and stacks are exchanged whole, which makes
//! every cell exactly as likely as every other to hold a digit. The smallest
//! board has so few grids that one of the 288 is drawn.

use planoku_engine::{Engine, Run, Stop};

use crate::native::{self, Native};
use crate::rng::Rng;
use crate::{Digit, Grid, Shape};

/// A random full grid.
///
/// Exactly uniform on 4x4; on the other boards without bias for any cell,
/// digit or house, and as good as without bias for any pattern of houses.
pub fn full_grid(shape: Shape, rng: &mut Rng, run: &mut Run<'_>) -> Result<Grid, Stop> {
    if shape == Shape::Two {
        let all = Native.solve(&Grid::empty(shape), &mut Run::all());
        let mut all = all.map_or(Vec::new(), |outcome| outcome.answers);
        return Ok(all.swap_remove(rng.below(all.len())));
    }
    loop {
        let start = diagonal_boxes(shape, rng);
        // A bad start on a large board is cheaper to forget than to finish.
        let mut search = search_within(run, 1).with_nodes(20 * shape.cells() as u64);
        run.tick()?;
        let outcome = native::random_solution(&start, rng, &mut search);
        if let Some(grid) = outcome
            .ok()
            .and_then(|outcome| outcome.answers.into_iter().next())
        {
            return Ok(exchange_lines(&stir(&grid, rng), rng));
        }
    }
}

/// A search on behalf of `run`: the same switch, the time that is left.
pub(super) fn search_within(run: &Run<'_>, limit: u64) -> Run<'static> {
    let mut search = Run::limit(limit);
    if let Some(cancel) = run.cancel() {
        search = search.with_cancel(cancel.clone());
    }
    if let Some(time) = run.time_left() {
        search = search.with_time(time);
    }
    search
}

/// Random digits in the boxes (0, 0), (1, 1), ...
fn diagonal_boxes(shape: Shape, rng: &mut Rng) -> Grid {
    let mut grid = Grid::empty(shape);
    let (rows, columns) = (shape.box_rows(), shape.box_columns());
    let mut digits: Vec<Digit> = shape.digits().collect();
    for nth in 0..(shape.side() / rows).min(shape.side() / columns) {
        rng.shuffle(&mut digits);
        for (place, digit) in digits.iter().enumerate() {
            let row = nth * rows + place / columns;
            let column = nth * columns + place % columns;
            grid.set(shape.cell(row, column), Some(*digit));
        }
    }
    grid
}

/// Exchanges per grid; see the top of the file.
const STIRS: usize = 100;

/// Exchanges parts of digits, rows and columns, at random.
fn stir(grid: &Grid, rng: &mut Rng) -> Grid {
    let shape = grid.shape();
    let mut cells: Vec<u8> = grid
        .cells()
        .iter()
        .map(|digit| digit.map_or(0, |digit| digit.index() as u8))
        .collect();
    let two_of = |group: usize, rng: &mut Rng| {
        let first = rng.below(group);
        (first, (first + 1 + rng.below(group - 1)) % group)
    };
    for _ in 0..STIRS {
        match rng.below(3) {
            0 | 1 => {
                let (a, b) = two_of(shape.side(), rng);
                exchange_digits(shape, &mut cells, a as u8, b as u8, rng.next_u64());
            }
            _ => {
                let upright = rng.below(2) == 1;
                let group = if upright {
                    shape.box_columns()
                } else {
                    shape.box_rows()
                };
                let base = rng.below(shape.side() / group) * group;
                let (a, b) = two_of(group, rng);
                let at = |line: usize, nth: usize| match upright {
                    false => line * shape.side() + nth,
                    true => nth * shape.side() + line,
                };
                let lines = (base + a, base + b);
                exchange_in_lines(shape, &mut cells, lines, at, rng.next_u64());
            }
        }
    }
    let digits = cells.iter().map(|digit| Digit::new(digit + 1));
    Grid::from_cells(digits).unwrap_or_else(|| grid.clone())
}

/// Exchanges two digits in some of the closed sets of rows, one bit of
/// `coins` for each set.
fn exchange_digits(shape: Shape, cells: &mut [u8], a: u8, b: u8, coins: u64) {
    let (side, rows, columns) = (shape.side(), shape.box_rows(), shape.box_columns());
    let (mut column_of_a, mut column_of_b) = ([0; 25], [0; 25]);
    let (mut row_of_b_in_column, mut row_of_b_in_box) = ([0; 25], [0; 25]);
    let box_at = |row: usize, column: usize| row / rows * rows + column / columns;
    for (row, line) in cells.chunks_exact(side).enumerate() {
        for (column, &digit) in line.iter().enumerate() {
            if digit == a {
                column_of_a[row] = column;
            } else if digit == b {
                column_of_b[row] = column;
                row_of_b_in_column[column] = row;
                row_of_b_in_box[box_at(row, column)] = row;
            }
        }
    }
    let mut meets = [0u32; 25];
    for row in 0..side {
        let column = column_of_a[row];
        for other in [
            row_of_b_in_column[column],
            row_of_b_in_box[box_at(row, column)],
        ] {
            meets[row] |= 1 << other;
            meets[other] |= 1 << row;
        }
    }
    let mut left = (1u32 << side) - 1;
    let mut coins = coins;
    while left != 0 {
        let mut set = left & left.wrapping_neg();
        let mut fresh = set;
        while fresh != 0 {
            let met = meets[fresh.trailing_zeros() as usize] & !set;
            fresh = (fresh & (fresh - 1)) | met;
            set |= met;
        }
        left &= !set;
        if coins & 1 == 1 {
            while set != 0 {
                let row = set.trailing_zeros() as usize;
                cells[row * side + column_of_a[row]] = b;
                cells[row * side + column_of_b[row]] = a;
                set &= set - 1;
            }
        }
        coins >>= 1;
    }
}

/// Exchanges two lines in some of the closed sets of places.
fn exchange_in_lines(
    shape: Shape,
    cells: &mut [u8],
    lines: (usize, usize),
    at: impl Fn(usize, usize) -> usize,
    coins: u64,
) {
    let mut place_of = [0; 25];
    for nth in 0..shape.side() {
        place_of[usize::from(cells[at(lines.0, nth)])] = nth;
    }
    let mut left = (1u32 << shape.side()) - 1;
    let mut coins = coins;
    while left != 0 {
        let start = left.trailing_zeros() as usize;
        let mut nth = start;
        loop {
            left &= !(1 << nth);
            let next = place_of[usize::from(cells[at(lines.1, nth)])];
            if coins & 1 == 1 {
                cells.swap(at(lines.0, nth), at(lines.1, nth));
            }
            nth = next;
            if nth == start {
                break;
            }
        }
        coins >>= 1;
    }
}

/// Exchanges rows within bands, bands, columns within stacks and stacks.
fn exchange_lines(grid: &Grid, rng: &mut Rng) -> Grid {
    let shape = grid.shape();
    let rows = shuffled_lines(shape.side(), shape.box_rows(), rng);
    let columns = shuffled_lines(shape.side(), shape.box_columns(), rng);
    let mut exchanged = Grid::empty(shape);
    for cell in shape.all_cells() {
        let from = shape.cell(rows[shape.row(cell)], columns[shape.column(cell)]);
        exchanged.set(cell, grid.get(from));
    }
    exchanged
}

/// The lines in an order that keeps groups of `group` together.
fn shuffled_lines(side: usize, group: usize, rng: &mut Rng) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..side / group).collect();
    rng.shuffle(&mut groups);
    let mut lines = Vec::with_capacity(side);
    for first in groups {
        let start = lines.len();
        lines.extend(first * group..(first + 1) * group);
        rng.shuffle(&mut lines[start..]);
    }
    lines
}
