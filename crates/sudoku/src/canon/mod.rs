//! The canonical form of a board: one name for all boards that are the same
//! puzzle in other clothes.
//!
//! Two boards are the same if a [`Symmetry`] turns one into the other. Of all
//! boards that are the same as a given one, the canonical form is the smallest
//! in reading order, a blank counting less than any digit (the *minlex* form
//! that collectors of puzzles exchange). How many symmetries reach it is the
//! number of automorphisms: ways to turn the board into itself.
//!
//! The form is built row by row. A `State` is a set of symmetries that agree
//! so far: which lines have become rows, which columns stand where as far as
//! it matters yet, which digits are renamed. Each round asks every state what
//! its next row could be, keeps those that give the smallest, and splits them
//! where a choice is still open. Columns nothing tells apart stay together in
//! a group, digits not yet seen stay without a name, so a puzzle with few clues
//! needs few states. A full board would need many in its first row; it starts
//! from the pairs of rows that can begin the form instead (`full.rs`).
//!
//! ```
//! use planoku_sudoku::{Grid, canon::canonical};
//!
//! let one: Grid = "1234............".parse().unwrap();
//! let other: Grid = "...1...2...3...4".parse().unwrap();
//! let (one, other) = (canonical(&one).unwrap(), canonical(&other).unwrap());
//! assert_eq!(one.form, other.form);
//! assert_eq!(one.form.to_string(), "............1234");
//! assert_eq!(one.automorphisms, 16);
//! ```

mod full;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod tests;

use crate::{Digit, Grid, Shape, Symmetry};

/// A board's canonical form and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The smallest board that is the same.
    pub form: Grid,
    /// One symmetry that turns the board into its form.
    pub symmetry: Symmetry,
    /// How many symmetries turn the board into itself, the one that changes
    /// nothing included.
    pub automorphisms: u64,
}

/// The canonical form of a board up to 9x9 on which no house repeats a digit.
/// `None` for others: larger boards have too many symmetries, and a broken one
/// is no puzzle.
pub fn canonical(grid: &Grid) -> Option<Canonical> {
    Canonizer::new().canonical(grid)
}

/// Finds canonical forms one after the other, in memory it keeps.
#[derive(Default)]
pub struct Canonizer {
    states: Vec<State>,
    split: Vec<State>,
    best: Vec<(u32, u8)>,
}

/// The largest side of a board that has a canonical form.
const LARGEST: usize = 9;

/// A set of symmetries that agree on the rows built so far.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Rows and columns trade places first.
    turned: bool,
    /// Which line has become each row.
    rows: [u8; LARGEST],
    /// The lines that have.
    used: u16,
    /// Which column stands at each place; within a group, any order will do.
    columns: [u8; LARGEST],
    /// The places at which a group ends.
    ends: u16,
    /// The new name of each digit, 0 if it has none yet.
    names: [u8; LARGEST + 1],
    /// How many names are given.
    named: u8,
}

/// The board as lines of bytes, 0 for a blank.
struct Lines {
    shape: Shape,
    side: usize,
    /// Rows of a band, columns of a stack.
    tall: usize,
    wide: usize,
    /// As it stands, and with rows and columns exchanged.
    lines: [[[u8; LARGEST]; LARGEST]; 2],
}

impl Canonizer {
    /// A new one.
    pub fn new() -> Canonizer {
        Canonizer::default()
    }

    /// As [`canonical`].
    pub fn canonical(&mut self, grid: &Grid) -> Option<Canonical> {
        let lines = Lines::new(grid)?;
        self.states.clear();
        let mut form = [[0; LARGEST]; LARGEST];
        let begun = match lines.is_full_nine() {
            true => full::begin(&lines, &mut self.states, &mut form),
            false => lines.begin(&mut self.states, &mut form),
        };
        for row in form.iter_mut().take(lines.side).skip(begun) {
            self.extend(&lines, row);
        }
        let last = self.states.first().expect("some symmetry is the best");
        Some(Canonical {
            form: lines.board(&form),
            symmetry: lines.symmetry(last),
            automorphisms: self.states.iter().map(|state| lines.meant_by(state)).sum(),
        })
    }

    /// Adds the smallest row there can be, and keeps the states that have it.
    fn extend(&mut self, lines: &Lines, row: &mut [u8; LARGEST]) {
        let mut smallest = u64::MAX;
        self.best.clear();
        for (nth, state) in self.states.iter().enumerate() {
            let mut left = lines.next_lines(state);
            while left != 0 {
                let line = left.trailing_zeros() as u8;
                left &= left - 1;
                let image = lines.image(state, line);
                if image < smallest {
                    smallest = image;
                    self.best.clear();
                }
                if image == smallest {
                    self.best.push((nth as u32, line));
                }
            }
        }
        self.split.clear();
        for &(nth, line) in &self.best {
            lines.take(self.states[nth as usize], line, &mut self.split);
        }
        std::mem::swap(&mut self.states, &mut self.split);
        for (place, digit) in row.iter_mut().take(lines.side).enumerate() {
            *digit = (smallest >> (4 * (lines.side - 1 - place)) & 15) as u8;
        }
    }
}

impl Lines {
    fn new(grid: &Grid) -> Option<Lines> {
        let shape = grid.shape();
        let side = shape.side();
        if side > LARGEST {
            return None;
        }
        let (tall, wide) = (shape.box_rows(), shape.box_columns());
        let mut lines = [[[0; LARGEST]; LARGEST]; 2];
        let mut seen = [[0u16; LARGEST]; 3];
        for (at, content) in grid.cells().iter().enumerate() {
            let Some(digit) = content.map(Digit::get) else {
                continue;
            };
            let (row, column) = (at / side, at % side);
            lines[0][row][column] = digit;
            lines[1][column][row] = digit;
            let houses = [row, column, row / tall * (side / wide) + column / wide];
            for (seen, house) in seen.iter_mut().zip(houses) {
                if seen[house] & 1 << digit != 0 {
                    return None;
                }
                seen[house] |= 1 << digit;
            }
        }
        Some(Lines {
            shape,
            side,
            tall,
            wide,
            lines,
        })
    }

    fn is_full_nine(&self) -> bool {
        self.side == 9 && !self.lines[0].as_flattened().contains(&0)
    }

    /// The states that give the smallest first row, which is written to the
    /// form; how many rows that is.
    ///
    /// Only the number of clues in each box of the line matters, since names
    /// are given as they come: fewest in all boxes, compared from the left,
    /// and the boxes with fewer clues to the left.
    fn begin(&self, states: &mut Vec<State>, form: &mut [[u8; LARGEST]; LARGEST]) -> usize {
        let stacks = self.side / self.wide;
        let mut fewest = [u8::MAX; 3];
        for_each_order(stacks, |order| {
            for turned in [false, true] {
                if turned && self.tall != self.wide {
                    continue;
                }
                for line in 0..self.side as u8 {
                    let counts = self.counts(turned, line, order);
                    if counts < fewest {
                        fewest = counts;
                        states.clear();
                    }
                    if counts == fewest {
                        let state = self.unarranged(turned, order);
                        self.take(state, line, states);
                    }
                }
            }
        });
        let mut named = 0;
        for (place, name) in form[0].iter_mut().take(self.side).enumerate() {
            let clues = usize::from(fewest[place / self.wide]);
            if place % self.wide + clues >= self.wide {
                named += 1;
                *name = named;
            }
        }
        1
    }

    /// How many clues a line has in each stack, the stacks in this order.
    fn counts(&self, turned: bool, line: u8, order: &[u8; 3]) -> [u8; 3] {
        let digits = &self.lines[usize::from(turned)][usize::from(line)];
        let mut counts = [0; 3];
        for (count, stack) in counts.iter_mut().zip(&order[..self.side / self.wide]) {
            let first = usize::from(*stack) * self.wide;
            let clues = digits[first..first + self.wide].iter();
            *count = clues.map(|digit| u8::from(*digit != 0)).sum();
        }
        counts
    }

    /// All symmetries with this order of the stacks.
    fn unarranged(&self, turned: bool, order: &[u8; 3]) -> State {
        let stacks = self.side / self.wide;
        let mut columns = [0; LARGEST];
        for (place, column) in columns.iter_mut().take(self.side).enumerate() {
            *column = order[place / self.wide] * self.wide as u8 + (place % self.wide) as u8;
        }
        State {
            turned,
            rows: [0; LARGEST],
            used: 0,
            columns,
            ends: (1..=stacks).fold(0, |ends, stack| ends | 1 << (stack * self.wide - 1)),
            names: [0; LARGEST + 1],
            named: 0,
        }
    }

    fn line(&self, state: &State, line: u8) -> &[u8; LARGEST] {
        &self.lines[usize::from(state.turned)][usize::from(line)]
    }

    /// The lines that may come next: the rest of a band, or any of another.
    fn next_lines(&self, state: &State) -> u16 {
        let done = state.used.count_ones() as usize;
        let free = !state.used & ((1 << self.side) - 1);
        let band = (1u16 << self.tall) - 1;
        if !done.is_multiple_of(self.tall) {
            let here = usize::from(state.rows[done - 1]) / self.tall * self.tall;
            return free & (band << here);
        }
        free
    }

    /// The row a line would become, four bits a cell, the first cell highest.
    fn image(&self, state: &State, line: u8) -> u64 {
        let line = self.line(state, line);
        let mut named = u64::from(state.named);
        let mut image = 0;
        let mut place = 0;
        while place < self.side {
            let end = (state.ends >> place).trailing_zeros() as usize + place;
            // Blanks come first, then digits with names, then new names.
            let (mut blanks, mut known, mut new) = (0, 0u16, 0);
            for column in &state.columns[place..=end] {
                let digit = line[usize::from(*column)];
                match state.names[usize::from(digit)] {
                    _ if digit == 0 => blanks += 1,
                    0 => new += 1,
                    name => known |= 1 << name,
                }
            }
            image <<= 4 * blanks;
            while known != 0 {
                image = image << 4 | u64::from(known.trailing_zeros());
                known &= known - 1;
            }
            for _ in 0..new {
                named += 1;
                image = image << 4 | named;
            }
            place = end + 1;
        }
        image
    }

    /// Makes a line the next row, and splits the state where the order of
    /// columns begins to matter: new names may be given in any order.
    fn take(&self, mut state: State, line: u8, states: &mut Vec<State>) {
        let done = state.used.count_ones() as usize;
        state.rows[done] = line;
        state.used |= 1 << line;
        self.arrange(state, line, 0, states);
    }

    /// Arranges the groups from this place on by what the line holds in them.
    fn arrange(&self, mut state: State, line: u8, mut place: usize, states: &mut Vec<State>) {
        let digits = self.line(&state, line);
        while place < self.side {
            let end = (state.ends >> place).trailing_zeros() as usize + place;
            let group = &mut state.columns[place..=end];
            let digit = |column: u8| usize::from(digits[usize::from(column)]);
            let names = state.names;
            let key = |column: u8| match digit(column) {
                0 => 0,
                digit if names[digit] == 0 => u8::MAX,
                digit => names[digit],
            };
            // At most three columns: insertion sort.
            for at in 1..group.len() {
                let mut hole = at;
                while hole > 0 && key(group[hole - 1]) > key(group[hole]) {
                    group.swap(hole - 1, hole);
                    hole -= 1;
                }
            }
            let new = group.iter().filter(|c| key(**c) == u8::MAX).count();
            let blanks = group.iter().filter(|c| key(**c) == 0).count();
            // Blanks stay together; every digit stands alone.
            if blanks > 0 {
                state.ends |= 1 << (place + blanks - 1);
            }
            for at in place + blanks..=end {
                state.ends |= 1 << at;
            }
            let first_new = end + 1 - new;
            if new > 1 {
                let columns = state.columns;
                for_each_order(new, |order| {
                    let mut next = state;
                    for (nth, from) in order[..new].iter().enumerate() {
                        let column = columns[first_new + usize::from(*from)];
                        next.columns[first_new + nth] = column;
                        next.give_name(digit(column));
                    }
                    self.arrange(next, line, end + 1, states);
                });
                return;
            }
            if new == 1 {
                state.give_name(digit(state.columns[end]));
            }
            place = end + 1;
        }
        states.push(state);
    }

    /// How many symmetries a finished state stands for.
    fn meant_by(&self, state: &State) -> u64 {
        let factorial = |n: usize| (1..=n as u64).product::<u64>();
        let (mut place, mut count) = (0, factorial(self.side - usize::from(state.named)));
        while place < self.side {
            let end = (state.ends >> place).trailing_zeros() as usize + place;
            count *= factorial(end + 1 - place);
            place = end + 1;
        }
        count
    }

    fn board(&self, form: &[[u8; LARGEST]; LARGEST]) -> Grid {
        let rows = form.iter().take(self.side);
        let cells = rows.flat_map(|row| &row[..self.side]);
        Grid::from_cells(cells.map(|digit| Digit::new(*digit))).expect("as many cells as before")
    }

    /// One of the symmetries that a finished state stands for.
    fn symmetry(&self, state: &State) -> Symmetry {
        let to = |from: &[u8]| {
            let mut to = [0; LARGEST];
            for (place, line) in from[..self.side].iter().enumerate() {
                to[usize::from(*line)] = place;
            }
            to
        };
        let mut digits = [0; LARGEST];
        let mut named = usize::from(state.named);
        for (digit, name) in digits.iter_mut().take(self.side).enumerate() {
            *name = match state.names[digit + 1] {
                0 => {
                    named += 1;
                    named - 1
                }
                name => usize::from(name) - 1,
            };
        }
        let (rows, columns) = (to(&state.rows), to(&state.columns));
        Symmetry::from_parts(
            self.shape,
            state.turned,
            &rows[..self.side],
            &columns[..self.side],
            &digits[..self.side],
        )
    }
}

impl State {
    fn give_name(&mut self, digit: usize) {
        self.named += 1;
        self.names[digit] = self.named;
    }
}

/// Every order of the numbers below `count`, which is at most three.
fn for_each_order(count: usize, mut visit: impl FnMut(&[u8; 3])) {
    const ORDERS: [[u8; 3]; 6] = [
        [0, 1, 2],
        [1, 0, 2],
        [0, 2, 1],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let orders = match count {
        0 | 1 => 1,
        2 => 2,
        _ => 6,
    };
    ORDERS[..orders].iter().for_each(&mut visit);
}
