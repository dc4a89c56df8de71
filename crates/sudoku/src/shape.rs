//! The board without its digits: cells, houses, peers.
//!
//! A box has `box_rows` x `box_columns` cells, and the board as many rows,
//! columns, boxes and digits as a box has cells. Five shapes exist, and a
//! shape is a value, not a type parameter: code that handles Sudoku handles
//! all of them.

use std::fmt;
use std::num::NonZeroU8;
use std::sync::OnceLock;

/// The size of the boxes, and so of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// 4x4 board, boxes of 2x2.
    Two,
    /// 6x6 board, boxes of 2 rows and 3 columns.
    TwoByThree,
    /// 9x9 board, boxes of 3x3: the ordinary Sudoku.
    Three,
    /// 16x16 board, boxes of 4x4.
    Four,
    /// 25x25 board, boxes of 5x5.
    Five,
}

impl Shape {
    /// All shapes, small to large.
    pub const ALL: [Shape; 5] = [
        Shape::Two,
        Shape::TwoByThree,
        Shape::Three,
        Shape::Four,
        Shape::Five,
    ];

    /// The shape of a board with this many rows, if there is one.
    pub fn from_side(side: usize) -> Option<Shape> {
        Shape::ALL.into_iter().find(|shape| shape.side() == side)
    }

    /// The shape of a board with this many cells, if there is one.
    pub fn from_cells(cells: usize) -> Option<Shape> {
        Shape::ALL.into_iter().find(|shape| shape.cells() == cells)
    }

    /// Rows of a box.
    pub fn box_rows(self) -> usize {
        match self {
            Shape::Two | Shape::TwoByThree => 2,
            Shape::Three => 3,
            Shape::Four => 4,
            Shape::Five => 5,
        }
    }

    /// Columns of a box.
    pub fn box_columns(self) -> usize {
        match self {
            Shape::Two => 2,
            Shape::TwoByThree | Shape::Three => 3,
            Shape::Four => 4,
            Shape::Five => 5,
        }
    }

    /// Rows, columns, boxes and digits of the board: 4, 6, 9, 16 or 25.
    pub fn side(self) -> usize {
        self.box_rows() * self.box_columns()
    }

    /// Cells of the board.
    pub fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// Every cell, row by row.
    pub fn all_cells(self) -> impl DoubleEndedIterator<Item = Cell> + Clone {
        (0..self.cells() as u16).map(Cell)
    }

    /// Every digit, ascending.
    pub fn digits(self) -> impl DoubleEndedIterator<Item = Digit> + Clone {
        (1..=self.side() as u8).filter_map(Digit::new)
    }

    /// The cell in this row and column, both counted from 0.
    pub fn cell(self, row: usize, column: usize) -> Cell {
        assert!(
            row < self.side() && column < self.side(),
            "({row}, {column}) is off the board"
        );
        Cell((row * self.side() + column) as u16)
    }

    /// The row of a cell, counted from 0.
    pub fn row(self, cell: Cell) -> usize {
        cell.index() / self.side()
    }

    /// The column of a cell, counted from 0.
    pub fn column(self, cell: Cell) -> usize {
        cell.index() % self.side()
    }

    /// The box of a cell, counted from 0, left to right, then down.
    pub fn box_of(self, cell: Cell) -> usize {
        let boxes_across = self.side() / self.box_columns();
        self.row(cell) / self.box_rows() * boxes_across + self.column(cell) / self.box_columns()
    }

    /// All houses: rows, then columns, then boxes.
    pub fn houses(self) -> impl Iterator<Item = House> + Clone {
        let side = self.side() as u8;
        HouseKind::ALL
            .into_iter()
            .flat_map(move |kind| (0..side).map(move |index| House { kind, index }))
    }

    /// The cells of a house, in reading order.
    pub fn house_cells(self, house: House) -> impl Iterator<Item = Cell> + Clone {
        let (side, index) = (self.side(), usize::from(house.index));
        let (rows, columns) = (self.box_rows(), self.box_columns());
        let boxes_across = side / columns;
        (0..side).map(move |nth| match house.kind {
            HouseKind::Row => self.cell(index, nth),
            HouseKind::Column => self.cell(nth, index),
            HouseKind::Box => self.cell(
                index / boxes_across * rows + nth / columns,
                index % boxes_across * columns + nth % columns,
            ),
        })
    }

    /// The three houses of a cell: its row, its column, its box.
    pub fn houses_of(self, cell: Cell) -> [House; 3] {
        [
            House {
                kind: HouseKind::Row,
                index: self.row(cell) as u8,
            },
            House {
                kind: HouseKind::Column,
                index: self.column(cell) as u8,
            },
            House {
                kind: HouseKind::Box,
                index: self.box_of(cell) as u8,
            },
        ]
    }

    /// The cells that share a house with this one, ascending, without itself:
    /// 20 of them on the ordinary board.
    pub fn peers(self, cell: Cell) -> &'static [Cell] {
        static PEERS: [OnceLock<Vec<Vec<Cell>>>; 5] = [const { OnceLock::new() }; 5];
        let table = PEERS[self as usize].get_or_init(|| {
            let peers_of = |cell: Cell| {
                let sees = |other: &Cell| {
                    *other != cell
                        && (self.row(*other) == self.row(cell)
                            || self.column(*other) == self.column(cell)
                            || self.box_of(*other) == self.box_of(cell))
                };
                self.all_cells().filter(sees).collect()
            };
            self.all_cells().map(peers_of).collect()
        });
        &table[cell.index()]
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0}", self.side())
    }
}

/// A place on the board, counted row by row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u16);

impl Cell {
    /// The place with this index; whether it is on the board depends on the shape.
    pub fn new(index: usize) -> Cell {
        Cell(u16::try_from(index).expect("no board has so many cells"))
    }

    /// Counted row by row from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A digit, counted from 1. There is no zero, so `Option<Digit>` is one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digit(NonZeroU8);

impl Digit {
    /// The digit with this value, 1 to 25.
    pub fn new(value: u8) -> Option<Digit> {
        if value <= 25 {
            NonZeroU8::new(value).map(Digit)
        } else {
            None
        }
    }

    /// 1 to 25.
    pub fn get(self) -> u8 {
        self.0.get()
    }

    /// Counted from 0, for arrays.
    pub fn index(self) -> usize {
        usize::from(self.0.get()) - 1
    }

    /// How the digit is written: 1 to 9, then A to P.
    pub fn symbol(self) -> char {
        match self.get() {
            value @ 1..=9 => char::from(b'0' + value),
            value => char::from(b'A' + value - 10),
        }
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol())
    }
}

/// What kind of house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box.
    Box,
}

impl HouseKind {
    /// Rows, columns, boxes.
    pub const ALL: [HouseKind; 3] = [HouseKind::Row, HouseKind::Column, HouseKind::Box];
}

/// A row, a column or a box: cells that must all differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct House {
    /// Row, column or box.
    pub kind: HouseKind,
    /// Which one, counted from 0.
    pub index: u8,
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box => "box",
        };
        write!(f, "{kind} {}", self.index + 1)
    }
}

/// The digits left for a cell: bit `n` stands for the digit `n + 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Candidates(pub u32);

impl Candidates {
    /// Every digit of the shape.
    pub fn all(shape: Shape) -> Candidates {
        Candidates((1 << shape.side()) - 1)
    }

    /// One digit alone.
    pub fn only(digit: Digit) -> Candidates {
        Candidates(1 << digit.index())
    }

    /// How many are left.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if none is left.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the digit is among them.
    pub fn contains(self, digit: Digit) -> bool {
        self.0 >> digit.index() & 1 == 1
    }

    /// These and one digit more.
    #[must_use]
    pub fn with(self, digit: Digit) -> Candidates {
        Candidates(self.0 | 1 << digit.index())
    }

    /// These without one digit.
    #[must_use]
    pub fn without(self, digit: Digit) -> Candidates {
        Candidates(self.0 & !(1 << digit.index()))
    }

    /// The digits, ascending.
    pub fn iter(self) -> impl Iterator<Item = Digit> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let digit = Digit::new(rest.trailing_zeros() as u8 + 1)?;
            rest &= rest - 1;
            Some(digit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_lies_in_its_three_houses_and_no_other() {
        for shape in Shape::ALL {
            for cell in shape.all_cells() {
                let around: Vec<House> = shape
                    .houses()
                    .filter(|house| shape.house_cells(*house).any(|other| other == cell))
                    .collect();
                assert_eq!(around, shape.houses_of(cell), "{shape}, {cell:?}");
            }
        }
    }

    #[test]
    fn the_ordinary_board_has_twenty_peers_a_cell() {
        let shape = Shape::Three;
        assert!(shape.all_cells().all(|cell| shape.peers(cell).len() == 20));
    }

    #[test]
    fn candidates_list_their_digits_in_order() {
        for shape in Shape::ALL {
            assert!(Candidates::all(shape).iter().eq(shape.digits()));
        }
        assert_eq!(Candidates(0).iter().count(), 0);
    }
}
