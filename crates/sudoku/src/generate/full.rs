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
//! the long run. A hundred exchanges bring the 4.3 % down to about 3.7; a
//! thousand reach 2/56, and cost more than the puzzle does.
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
/// digit or house, and with little left for patterns such as pure bands.
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
pub(crate) fn search_within(run: &Run<'_>, limit: u64) -> Run<'static> {
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
    match grid.shape() {
        Shape::Two => stir_pot(Pot::<4>::new(grid), rng),
        Shape::TwoByThree => stir_pot(Pot::<6>::new(grid), rng),
        Shape::Three => stir_pot(Pot::<9>::new(grid), rng),
        Shape::Four => stir_pot(Pot::<16>::new(grid), rng),
        Shape::Five => stir_pot(Pot::<25>::new(grid), rng),
    }
}

fn stir_pot<const SIDE: usize>(mut pot: Pot<SIDE>, rng: &mut Rng) -> Grid {
    let shape = pot.shape;
    let two_of = |group: usize, rng: &mut Rng| {
        let first = rng.below(group);
        (first, (first + 1 + rng.below(group - 1)) % group)
    };
    for _ in 0..STIRS {
        let coins = rng.next_u64();
        match rng.below(6) {
            0..4 => {
                let (a, b) = two_of(shape.side(), rng);
                pot.exchange_digits(a, b, coins);
            }
            4 => {
                let base = rng.below(shape.side() / shape.box_rows()) * shape.box_rows();
                let (a, b) = two_of(shape.box_rows(), rng);
                pot.exchange_in_rows(base + a, base + b, coins);
            }
            _ => {
                let base = rng.below(shape.side() / shape.box_columns()) * shape.box_columns();
                let (a, b) = two_of(shape.box_columns(), rng);
                pot.exchange_in_columns(base + a, base + b, coins);
            }
        }
    }
    pot.grid()
}

/// A full grid, kept twice: the digit of each cell, and the column of each
/// digit in each row. Digits count from 0.
struct Pot<const SIDE: usize> {
    shape: Shape,
    /// The number of the box in row `r` and column `c` is `band[r] + stack[c]`.
    band: [u8; SIDE],
    stack: [u8; SIDE],
    digit_at: [[u8; SIDE]; SIDE],
    column_of: [[u8; SIDE]; SIDE],
}

impl<const SIDE: usize> Pot<SIDE> {
    fn new(grid: &Grid) -> Pot<SIDE> {
        let shape = grid.shape();
        let (rows, columns) = (shape.box_rows(), shape.box_columns());
        let mut pot = Pot {
            shape,
            band: std::array::from_fn(|row| (row / rows * rows) as u8),
            stack: std::array::from_fn(|column| (column / columns) as u8),
            digit_at: [[0; SIDE]; SIDE],
            column_of: [[0; SIDE]; SIDE],
        };
        for (cell, digit) in grid.clues() {
            pot.put(shape.row(cell), shape.column(cell), digit.index() as u8);
        }
        pot
    }

    fn put(&mut self, row: usize, column: usize, digit: u8) {
        self.digit_at[row][column] = digit;
        self.column_of[usize::from(digit)][row] = column as u8;
    }

    /// Exchanges two digits in some of the sets of rows that are closed under
    /// meeting in a column or a box, one bit of `coins` for each set.
    fn exchange_digits(&mut self, a: usize, b: usize, mut coins: u64) {
        let (columns_of_a, columns_of_b) = (self.column_of[a], self.column_of[b]);
        let (mut b_in_column, mut b_in_box) = ([0u8; SIDE], [0u8; SIDE]);
        for row in 0..SIDE {
            let column = usize::from(columns_of_b[row]);
            b_in_column[column] = row as u8;
            b_in_box[usize::from(self.band[row] + self.stack[column])] = row as u8;
        }
        let mut meets = [0u32; SIDE];
        for row in 0..SIDE {
            let column = usize::from(columns_of_a[row]);
            let in_box = b_in_box[usize::from(self.band[row] + self.stack[column])];
            for other in [b_in_column[column], in_box] {
                meets[row] |= 1 << other;
                meets[usize::from(other)] |= 1 << row;
            }
        }
        let mut left = (1u32 << SIDE) - 1;
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
                    self.put(row, usize::from(columns_of_a[row]), b as u8);
                    self.put(row, usize::from(columns_of_b[row]), a as u8);
                    set &= set - 1;
                }
            }
            coins >>= 1;
        }
    }

    /// Exchanges two rows of a band in some of the sets of columns that are
    /// closed under meeting in a digit.
    fn exchange_in_rows(&mut self, first: usize, second: usize, mut coins: u64) {
        let mut left = (1u32 << SIDE) - 1;
        while left != 0 {
            let mut column = left.trailing_zeros() as usize;
            while left >> column & 1 == 1 {
                left &= !(1 << column);
                let (a, b) = (self.digit_at[first][column], self.digit_at[second][column]);
                let next = usize::from(self.column_of[usize::from(b)][first]);
                if coins & 1 == 1 {
                    self.put(first, column, b);
                    self.put(second, column, a);
                }
                column = next;
            }
            coins >>= 1;
        }
    }

    /// Exchanges two columns of a stack in some of the sets of rows that are
    /// closed under meeting in a digit.
    fn exchange_in_columns(&mut self, first: usize, second: usize, mut coins: u64) {
        let mut row_of = [0; SIDE];
        for row in 0..SIDE {
            row_of[usize::from(self.digit_at[row][first])] = row;
        }
        let mut left = (1u32 << SIDE) - 1;
        while left != 0 {
            let mut row = left.trailing_zeros() as usize;
            while left >> row & 1 == 1 {
                left &= !(1 << row);
                let (a, b) = (self.digit_at[row][first], self.digit_at[row][second]);
                if coins & 1 == 1 {
                    self.put(row, first, b);
                    self.put(row, second, a);
                }
                row = row_of[usize::from(b)];
            }
            coins >>= 1;
        }
    }

    fn grid(&self) -> Grid {
        let mut grid = Grid::empty(self.shape);
        for cell in self.shape.all_cells() {
            let digit = self.digit_at[self.shape.row(cell)][self.shape.column(cell)];
            grid.set(cell, Digit::new(digit + 1));
        }
        grid
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
