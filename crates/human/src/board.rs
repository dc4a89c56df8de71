//! A position: the digits on the board and the candidates still standing.
//!
//! Candidates are kept twice, by cell (which digits) and by house and digit
//! (which places), so that every technique reads what it needs in one load.
//! Both are changed together by [`Board::place`] and [`Board::strike`].

use std::fmt;

use planoku_sudoku::{Candidates, Cell, Digit, Grid, Shape};

use crate::candidate::{Candidate, CandidateSet};
use crate::spots::Spot;
use crate::tables::{HOUSES_OF, PEERS, PLACE_IN, members};

/// All nine digits, or all nine places.
pub(crate) const ALL: u16 = 511;

/// Digits and candidates of a 9x9 board.
///
/// ```
/// use planoku_human::Board;
/// use planoku_sudoku::{Cell, Grid};
///
/// let mut text = "1".to_owned();
/// text.extend(["."; 80]);
/// let board = Board::new(&text.parse::<Grid>().unwrap()).unwrap();
/// assert_eq!(board.candidates(Cell::new(1)).len(), 8);
/// assert!(!board.is_solved());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    /// The candidates of each cell; none where a digit stands.
    cells: [u16; 81],
    /// The places of each digit in each house, at `house * 9 + digit`, filled
    /// up to whole vectors.
    places: [u16; 256],
    /// The empty places of each house, filled up likewise.
    blanks: [u16; 32],
    /// The digits on the board, 0 for none.
    values: [u8; 81],
    /// How often each digit stands on the board.
    placed: [u8; 9],
    /// How many cells are empty.
    empty: u8,
}

/// Why a grid is no position to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadBoard {
    /// Only the ordinary board is rated.
    WrongShape(Shape),
    /// The digit stands twice in a house; the cell is the second of them.
    Repeated(Candidate),
}

impl fmt::Display for BadBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadBoard::WrongShape(shape) => {
                write!(f, "expected a 9x9 board, found a {shape} board")
            }
            BadBoard::Repeated(Candidate { cell, digit }) => write!(
                f,
                "row {}, column {}: {digit} stands twice in one of its houses",
                cell.index() / 9 + 1,
                cell.index() % 9 + 1
            ),
        }
    }
}

impl std::error::Error for BadBoard {}

impl Board {
    /// The position at the beginning of a puzzle: every candidate that no clue
    /// forbids.
    pub fn new(grid: &Grid) -> Result<Board, BadBoard> {
        if grid.shape() != Shape::Three {
            return Err(BadBoard::WrongShape(grid.shape()));
        }
        let mut board = Board::full();
        for (cell, digit) in grid.clues() {
            if board.cells[cell.index()] >> digit.index() & 1 == 0 {
                return Err(BadBoard::Repeated(Candidate { cell, digit }));
            }
            board.place(cell.index(), digit.index());
        }
        Ok(board)
    }

    /// The position of somebody who is on the way: the digits entered so far,
    /// and for every empty cell the candidates still noted. Notes that a digit
    /// on the board forbids are dropped; a cell without notes has all others.
    pub fn with_marks(
        grid: &Grid,
        marks: impl Fn(Cell) -> Option<Candidates>,
    ) -> Result<Board, BadBoard> {
        let mut board = Board::new(grid)?;
        for cell in grid.blanks() {
            if let Some(noted) = marks(cell) {
                let dropped = board.cells[cell.index()] & !(noted.0 as u16);
                members(dropped).for_each(|digit| board.strike(cell.index(), digit));
            }
        }
        Ok(board)
    }

    /// The digits on the board.
    pub fn grid(&self) -> Grid {
        let cells = self.values.iter().map(|value| Digit::new(*value));
        Grid::from_cells(cells).expect("a board has 81 cells and nine digits")
    }

    /// The digit in a cell.
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        Digit::new(self.values[cell.index()])
    }

    /// The candidates of a cell; none where a digit stands.
    pub fn candidates(&self, cell: Cell) -> Candidates {
        Candidates(self.cells[cell.index()].into())
    }

    /// True once every cell has its digit.
    pub fn is_solved(&self) -> bool {
        self.empty == 0
    }

    /// True if an empty cell has no candidate, or a house no place for a digit
    /// that it still needs: no solution has this position.
    pub fn is_broken(&self) -> bool {
        let cells = (0..81).any(|cell| self.values[cell] == 0 && self.cells[cell] == 0);
        cells || {
            let mut placed = [0; 27];
            for (value, houses) in self.values.iter().zip(HOUSES_OF) {
                if let value @ 1.. = *value {
                    for house in houses {
                        placed[usize::from(house)] |= 1_u16 << (value - 1);
                    }
                }
            }
            (0..27).any(|house| {
                members(ALL & !placed[house]).any(|digit| self.places(house, digit) == 0)
            })
        }
    }

    /// How many candidates stand.
    pub fn candidate_count(&self) -> usize {
        let counts = self
            .cells
            .iter()
            .map(|digits| crate::tables::count(*digits));
        counts.sum()
    }

    /// Does what a step says.
    pub fn apply(&mut self, step: &crate::Step) {
        for Candidate { cell, digit } in &step.eliminations {
            self.strike(cell.index(), digit.index());
        }
        if let Some(Candidate { cell, digit }) = step.placement {
            self.place(cell.index(), digit.index());
        }
    }

    /// Nothing on the board, everything possible.
    pub(crate) fn full() -> Board {
        let mut places = [0; 256];
        places[..243].fill(ALL);
        let mut blanks = [0; 32];
        blanks[..27].fill(ALL);
        Board {
            cells: [ALL; 81],
            places,
            blanks,
            values: [0; 81],
            placed: [0; 9],
            empty: 81,
        }
    }

    /// The candidates of a cell as nine bits.
    #[inline]
    pub(crate) fn digits(&self, cell: usize) -> u16 {
        self.cells[cell]
    }

    /// The places of a digit in a house as nine bits.
    #[inline]
    pub(crate) fn places(&self, house: usize, digit: usize) -> u16 {
        self.places[house * 9 + digit]
    }

    /// The places of each digit in a house.
    #[inline]
    pub(crate) fn places_of(&self, house: usize) -> &[u16; 9] {
        self.places[house * 9..house * 9 + 9]
            .try_into()
            .expect("nine of them")
    }

    /// All places, house by house, zeroes at the end.
    #[inline]
    pub(crate) fn all_places(&self) -> &[u16; 256] {
        &self.places
    }

    /// The empty places of all houses, zeroes at the end.
    #[inline]
    pub(crate) fn all_blanks(&self) -> &[u16; 32] {
        &self.blanks
    }

    /// How many cells of a house are empty.
    #[inline]
    pub(crate) fn blank_count(&self, house: usize) -> usize {
        crate::tables::count(self.blanks[house])
    }

    /// The value in a cell, 0 for none.
    #[inline]
    pub(crate) fn value(&self, cell: usize) -> u8 {
        self.values[cell]
    }

    /// How often a digit stands on the board.
    #[inline]
    pub(crate) fn placed(&self, digit: usize) -> usize {
        self.placed[digit].into()
    }

    /// The candidates of all cells.
    #[inline]
    pub(crate) fn all_digits(&self) -> &[u16; 81] {
        &self.cells
    }

    /// The cells that have a digit among their candidates.
    pub(crate) fn cells_with(&self, digit: usize) -> u128 {
        (0..9).fold(0, |set, row| {
            let places = self.places(crate::tables::ROWS + row, digit);
            set | u128::from(places) << (9 * row)
        })
    }

    /// The cells that have two candidates.
    pub(crate) fn cells_with_two(&self) -> u128 {
        let two = |digits: u16| u128::from(crate::tables::count(digits) == 2);
        let cells = self.cells.iter().enumerate();
        cells.fold(0, |set, (cell, digits)| set | two(*digits) << cell)
    }

    /// Puts a digit into an empty cell and strikes what it forbids.
    pub(crate) fn place(&mut self, cell: usize, digit: usize) {
        members(self.cells[cell]).for_each(|other| self.strike(cell, other));
        for peer in PEERS[cell] {
            self.strike(peer.into(), digit);
        }
        for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACE_IN[cell]) {
            self.blanks[usize::from(house)] &= !(1 << place);
        }
        if self.values[cell] == 0 {
            self.empty -= 1;
            self.placed[digit] += 1;
        }
        self.values[cell] = digit as u8 + 1;
    }

    /// Strikes one candidate; nothing happens if it does not stand.
    #[inline]
    pub(crate) fn strike(&mut self, cell: usize, digit: usize) {
        let bit = 1 << digit;
        if self.cells[cell] & bit != 0 {
            self.cells[cell] &= !bit;
            for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACE_IN[cell]) {
                self.places[usize::from(house) * 9 + digit] &= !(1 << place);
            }
        }
    }

    /// Strikes a candidate that stands; what is left in its cell, and of its
    /// digit in its box, row and column.
    #[inline]
    pub(crate) fn strike_at(&mut self, spot: &Spot) -> [u16; 4] {
        let in_cell = &mut self.cells[usize::from(spot.cell)];
        *in_cell &= !(1 << spot.digit);
        let left = *in_cell;
        let [in_box, in_row, in_column] = [0, 1, 2].map(|nth: usize| {
            let places = &mut self.places[usize::from(spot.sets[nth])];
            *places &= spot.keep[nth];
            *places
        });
        [left, in_box, in_row, in_column]
    }

    /// Strikes several candidates.
    pub(crate) fn strike_all(&mut self, candidates: &CandidateSet) {
        candidates
            .indices()
            .for_each(|index| self.strike(index / 9, index % 9));
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({}", self.grid())?;
        for (cell, digits) in self.cells.iter().enumerate() {
            if *digits != 0 {
                write!(f, " r{}c{}=", cell / 9 + 1, cell % 9 + 1)?;
                members(*digits).try_for_each(|digit| write!(f, "{}", digit + 1))?;
            }
        }
        write!(f, ")")
    }
}
