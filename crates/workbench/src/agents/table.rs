//! The table: a board of cells, and a pile of equal boxes for each number.
//!
//! [`KnownBoard`] is what stands on the board, with the houses' contents kept as
//! masks so that "does row 3 hold a 7?" is one bit. The environment has the
//! true one inside its [`BlockTable`]; every robot has one of its own, which is what
//! it believes, built from the messages it received.

use std::fmt;
use std::hash::{Hash, Hasher};

use planoku_sudoku::{Candidates, Cell, Digit, Grid, House, Shape};

use super::messages::Refusal;

/// Boxes on a board, as somebody knows it.
#[derive(Clone, Debug)]
pub struct KnownBoard {
    shape: Shape,
    /// What stands in each cell, row by row.
    cells: Box<[Option<Digit>]>,
    // One mask of digits per row, column and box; bit `n` is the digit `n + 1`.
    houses: [[u32; 25]; 3],
    /// One bit a cell, set while it is empty.
    empty: [u64; 10],
    places: &'static [Place],
}

/// Row, column and box of a cell, looked up instead of divided out.
#[derive(Clone, Copy, Debug)]
struct Place {
    row: u8,
    column: u8,
    boxed: u8,
}

fn places(shape: Shape) -> &'static [Place] {
    use std::sync::OnceLock;
    static PLACES: [OnceLock<Vec<Place>>; 5] = [const { OnceLock::new() }; 5];
    PLACES[shape as usize].get_or_init(|| {
        let place = |cell| Place {
            row: shape.row(cell) as u8,
            column: shape.column(cell) as u8,
            boxed: shape.box_of(cell) as u8,
        };
        shape.all_cells().map(place).collect()
    })
}

impl KnownBoard {
    /// The board with nothing on it.
    pub fn new(shape: Shape) -> KnownBoard {
        let mut empty = [0; 10];
        for cell in shape.all_cells() {
            empty[cell.index() / 64] |= 1 << (cell.index() % 64);
        }
        KnownBoard {
            shape,
            cells: vec![None; shape.cells()].into(),
            houses: [[0; 25]; 3],
            empty,
            places: places(shape),
        }
    }

    /// The size of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// What stands in a cell.
    #[inline]
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        self.cells[cell.index()]
    }

    /// True if something stands there.
    #[inline]
    pub fn filled(&self, cell: Cell) -> bool {
        self.get(cell).is_some()
    }

    /// True if the row (counted from 0) holds the digit.
    #[inline]
    pub fn row_has(&self, row: usize, digit: Digit) -> bool {
        self.houses[0][row] >> digit.index() & 1 == 1
    }

    /// True if the column (counted from 0) holds the digit.
    #[inline]
    pub fn column_has(&self, column: usize, digit: Digit) -> bool {
        self.houses[1][column] >> digit.index() & 1 == 1
    }

    /// True if the box (counted from 0) holds the digit.
    #[inline]
    pub fn box_has(&self, boxed: usize, digit: Digit) -> bool {
        self.houses[2][boxed] >> digit.index() & 1 == 1
    }

    /// The digits that no house of the cell holds.
    #[inline]
    pub fn candidates(&self, cell: Cell) -> Candidates {
        let Place { row, column, boxed } = self.places[cell.index()];
        let seen = self.houses[0][usize::from(row)]
            | self.houses[1][usize::from(column)]
            | self.houses[2][usize::from(boxed)];
        Candidates(Candidates::all(self.shape).0 & !seen)
    }

    /// Why the digit may not go there by the rules of Sudoku, if it may not.
    #[inline]
    pub fn forbids(&self, cell: Cell, digit: Digit) -> Option<Refusal> {
        let Place { row, column, boxed } = self.places[cell.index()];
        if self.filled(cell) {
            Some(Refusal::CellFilled)
        } else if self.row_has(usize::from(row), digit) {
            Some(Refusal::RowHolds)
        } else if self.column_has(usize::from(column), digit) {
            Some(Refusal::ColumnHolds)
        } else if self.box_has(usize::from(boxed), digit) {
            Some(Refusal::BoxHolds)
        } else {
            None
        }
    }

    /// The lowest empty cell, if any.
    #[inline]
    pub fn first_empty(&self) -> Option<Cell> {
        let word = self.empty.iter().position(|word| *word != 0)?;
        Some(Cell::new(
            word * 64 + self.empty[word].trailing_zeros() as usize,
        ))
    }

    /// How many boxes with this number stand on the board.
    pub fn count(&self, digit: Digit) -> usize {
        let holds = |row: &u32| *row >> digit.index() & 1 == 1;
        self.houses[0][..self.shape.side()]
            .iter()
            .filter(|row| holds(row))
            .count()
    }

    /// Empty cells whose houses all lack the digit.
    pub fn open_cells(&self, digit: Digit) -> usize {
        self.shape
            .all_cells()
            .filter(|cell| self.forbids(*cell, digit).is_none())
            .count()
    }

    #[inline]
    pub(super) fn put(&mut self, cell: Cell, digit: Digit) {
        debug_assert!(!self.filled(cell));
        self.cells[cell.index()] = Some(digit);
        self.empty[cell.index() / 64] &= !(1 << (cell.index() % 64));
        self.flip(cell, digit);
    }

    #[inline]
    pub(super) fn take(&mut self, cell: Cell) -> Option<Digit> {
        let digit = self.cells[cell.index()].take()?;
        self.empty[cell.index() / 64] |= 1 << (cell.index() % 64);
        self.flip(cell, digit);
        Some(digit)
    }

    #[inline]
    fn flip(&mut self, cell: Cell, digit: Digit) {
        let Place { row, column, boxed } = self.places[cell.index()];
        let bit = 1 << digit.index();
        self.houses[0][usize::from(row)] ^= bit;
        self.houses[1][usize::from(column)] ^= bit;
        self.houses[2][usize::from(boxed)] ^= bit;
    }

    /// The board as a grid.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::empty(self.shape);
        for cell in self.shape.all_cells() {
            grid.set(cell, self.get(cell));
        }
        grid
    }
}

// The masks follow from the cells.
impl PartialEq for KnownBoard {
    fn eq(&self, other: &KnownBoard) -> bool {
        self.shape == other.shape && self.cells == other.cells
    }
}

impl Eq for KnownBoard {}

impl Hash for KnownBoard {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.cells.hash(state);
    }
}

/// The board with its piles: all the boxes there are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlockTable {
    board: KnownBoard,
    /// How many boxes lie on each pile.
    piles: Box<[u16]>,
    /// The cells filled since the table was laid, in that order.
    order: Vec<Cell>,
}

impl BlockTable {
    /// Lays the boxes of a puzzle on the board and piles up the others.
    pub fn lay(puzzle: &Grid) -> Result<BlockTable, TwoInAHouse> {
        let shape = puzzle.shape();
        let mut table = BlockTable {
            board: KnownBoard::new(shape),
            piles: vec![shape.side() as u16; shape.side()].into(),
            order: Vec::with_capacity(shape.cells()),
        };
        for (cell, digit) in puzzle.clues() {
            let [row, column, boxed] = shape.houses_of(cell);
            let house = match table.board.forbids(cell, digit) {
                None => {
                    table.board.put(cell, digit);
                    table.piles[digit.index()] -= 1;
                    continue;
                }
                Some(Refusal::RowHolds) => row,
                Some(Refusal::ColumnHolds) => column,
                Some(_) => boxed,
            };
            return Err(TwoInAHouse { house, digit });
        }
        Ok(table)
    }

    /// What stands on the board.
    pub fn board(&self) -> &KnownBoard {
        &self.board
    }

    /// How many boxes with this number lie beside the board.
    pub fn pile(&self, digit: Digit) -> u16 {
        self.piles[digit.index()]
    }

    /// True if nothing is left beside the board.
    pub fn is_full(&self) -> bool {
        self.board.first_empty().is_none()
    }

    /// How many boxes were placed since the table was laid and still stand.
    pub fn placed(&self) -> usize {
        self.order.len()
    }

    /// Puts a box on the board, or says which rule that breaks.
    #[inline]
    pub(super) fn place(&mut self, cell: Cell, digit: Digit) -> Result<(), Refusal> {
        if cell.index() >= self.board.shape.cells() || digit.index() >= self.piles.len() {
            return Err(Refusal::OffBoard);
        }
        if let Some(rule) = self.board.forbids(cell, digit) {
            return Err(rule);
        }
        if self.piles[digit.index()] == 0 {
            return Err(Refusal::PileEmpty);
        }
        self.piles[digit.index()] -= 1;
        self.board.put(cell, digit);
        self.order.push(cell);
        Ok(())
    }

    /// Takes the box placed last back to its pile, or says which rule that breaks.
    #[inline]
    pub(super) fn remove(&mut self, cell: Cell) -> Result<Digit, Refusal> {
        if cell.index() >= self.board.shape.cells() {
            return Err(Refusal::OffBoard);
        }
        if self.order.last() != Some(&cell) {
            return Err(match self.board.get(cell) {
                None => Refusal::CellEmpty,
                Some(_) if self.order.contains(&cell) => Refusal::NotLast,
                Some(_) => Refusal::Fixed,
            });
        }
        let digit = self.board.take(cell).ok_or(Refusal::CellEmpty)?;
        self.order.pop();
        self.piles[digit.index()] += 1;
        Ok(digit)
    }

    /// True if every box there is lies on a pile or stands on the board:
    /// the count of each number is what it was when the table was bought.
    /// Counted cell by cell, without the masks.
    pub fn is_conserved(&self) -> bool {
        let mut count: Vec<usize> = self.piles.iter().map(|pile| usize::from(*pile)).collect();
        for digit in self.board.cells.iter().flatten() {
            count[digit.index()] += 1;
        }
        count.iter().all(|boxes| *boxes == self.piles.len())
    }

    /// The first house that holds a number twice, looked up cell by cell,
    /// without the masks.
    pub fn two_in_a_house(&self) -> Option<TwoInAHouse> {
        let shape = self.board.shape;
        shape.houses().find_map(|house| {
            let mut seen = 0_u32;
            shape.house_cells(house).find_map(|cell| {
                let digit = self.board.get(cell)?;
                let bit = 1 << digit.index();
                let twice = seen & bit != 0;
                seen |= bit;
                twice.then_some(TwoInAHouse { house, digit })
            })
        })
    }
}

/// A house that holds two equal boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoInAHouse {
    /// Which house.
    pub house: House,
    /// The number it holds twice.
    pub digit: Digit,
}

impl fmt::Display for TwoInAHouse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} holds {} twice", self.house, self.digit)
    }
}

impl std::error::Error for TwoInAHouse {}
