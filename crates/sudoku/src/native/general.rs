//! Boards of every size, one cell at a time.
//!
//! Each cell keeps its candidates as bits. A cell with one candidate takes it
//! from its peers; a digit with one place left in a house goes there; a digit
//! that a box can only spend on one line leaves the rest of the line, and the
//! other way round. When nothing more follows, the search splits on the
//! smallest choice there is: a cell with few digits, or a digit with few
//! places in a house. Choices that took part in many conflicts go first among
//! equals.

use std::cmp::Ordering;
use std::sync::OnceLock;

use planoku_engine::{Leave, Run};

use crate::rng::Rng;
use crate::{Candidates, Cell, Digit, Grid, HouseKind, Shape};

/// What is asked of the search.
pub(super) struct Question<'a> {
    pub puzzle: &'a Grid,
    /// A candidate that no solution may use.
    pub barred: Option<(Cell, Digit)>,
    /// Makes every choice among equals a random one.
    pub random: Option<&'a mut Rng>,
}

impl<'a> Question<'a> {
    /// Every solution of the puzzle.
    pub fn new(puzzle: &'a Grid) -> Question<'a> {
        Question {
            puzzle,
            barred: None,
            random: None,
        }
    }
}

/// Visits every solution.
pub(super) fn search(
    mut question: Question<'_>,
    run: &mut Run<'_>,
    mut found: impl FnMut(Grid) -> Result<(), Leave>,
) -> Result<(), Leave> {
    let shape = question.puzzle.shape();
    let board = Board::of(shape);
    let mut weights = vec![1u32; board.houses.len()];
    let mut open: Vec<State> = Vec::new();
    let mut state = State::new(board, question.puzzle);
    if let Some((cell, digit)) = question.barred
        && !state.strike(cell.index(), 1 << digit.index())
    {
        return Ok(());
    }
    loop {
        run.tick()?;
        match state.propagate(board) {
            Ok(()) => match state.choice(board, &weights, question.random.as_deref_mut()) {
                None => found(state.grid(shape))?,
                Some((cell, digit)) => {
                    let mut rest = state.clone();
                    if rest.strike(cell, digit) {
                        open.push(rest);
                    }
                    state.place(cell, digit);
                    continue;
                }
            },
            Err(Conflict { house }) => weights[house] += 1,
        }
        match open.pop() {
            Some(next) => state = next,
            None => return Ok(()),
        }
    }
}

/// What is fixed about a board of one size.
struct Board {
    side: usize,
    all: u32,
    /// Rows, columns, boxes.
    houses: Vec<Vec<u16>>,
    houses_of: Vec<[u16; 3]>,
    peers: Vec<Vec<u16>>,
    crossings: Vec<Crossings>,
}

/// One house cut into the pieces it shares with houses that cross it.
struct Crossings {
    house: usize,
    pieces: Vec<Piece>,
}

struct Piece {
    inside: Vec<u16>,
    /// The rest of the crossing house.
    outside: Vec<u16>,
}

impl Board {
    fn of(shape: Shape) -> &'static Board {
        static BOARDS: [OnceLock<Board>; 5] = [const { OnceLock::new() }; 5];
        BOARDS[shape as usize].get_or_init(|| Board::new(shape))
    }

    fn new(shape: Shape) -> Board {
        let index = |cell: Cell| cell.index() as u16;
        let list: Vec<_> = shape.houses().collect();
        let houses: Vec<Vec<u16>> = list
            .iter()
            .map(|house| shape.house_cells(*house).map(index).collect())
            .collect();
        let number = |house| list.iter().position(|other| *other == house).unwrap_or(0) as u16;
        let mut crossings = Vec::new();
        for (a, first) in list.iter().enumerate() {
            let mut pieces = Vec::new();
            for (b, second) in list.iter().enumerate() {
                let box_and_line =
                    (first.kind == HouseKind::Box) != (second.kind == HouseKind::Box);
                let inside: Vec<u16> = houses[a]
                    .iter()
                    .copied()
                    .filter(|cell| houses[b].contains(cell))
                    .collect();
                if box_and_line && !inside.is_empty() {
                    let outside = houses[b].iter().copied();
                    let outside = outside.filter(|cell| !inside.contains(cell)).collect();
                    pieces.push((second.kind, Piece { inside, outside }));
                }
            }
            // A box is cut once by rows and once by columns.
            for kind in HouseKind::ALL {
                let (chosen, others) = pieces.into_iter().partition(|(other, _)| *other == kind);
                pieces = others;
                let chosen: Vec<(HouseKind, Piece)> = chosen;
                if !chosen.is_empty() {
                    crossings.push(Crossings {
                        house: a,
                        pieces: chosen.into_iter().map(|(_, piece)| piece).collect(),
                    });
                }
            }
        }
        Board {
            side: shape.side(),
            all: Candidates::all(shape).0,
            houses,
            houses_of: shape
                .all_cells()
                .map(|cell| shape.houses_of(cell).map(number))
                .collect(),
            peers: shape
                .all_cells()
                .map(|cell| shape.peers(cell).iter().copied().map(index).collect())
                .collect(),
            crossings,
        }
    }
}

/// The house that can no longer be filled.
struct Conflict {
    house: usize,
}

#[derive(Clone)]
struct State {
    candidates: Vec<u32>,
    /// Cells with one candidate whose peers have not been told yet.
    fresh: Vec<u16>,
    /// Cells whose peers have been told.
    told: Vec<bool>,
}

impl State {
    fn new(board: &Board, puzzle: &Grid) -> State {
        let cells = puzzle.cells().len();
        let mut state = State {
            candidates: vec![board.all; cells],
            fresh: Vec::with_capacity(cells),
            told: vec![false; cells],
        };
        for (cell, digit) in puzzle.clues() {
            state.place(cell.index(), 1 << digit.index());
        }
        state
    }

    fn place(&mut self, cell: usize, digit: u32) {
        self.candidates[cell] = digit;
        self.fresh.push(cell as u16);
    }

    /// Takes candidates from a cell; false if none is left.
    fn strike(&mut self, cell: usize, digits: u32) -> bool {
        let left = self.candidates[cell] & !digits;
        if left != self.candidates[cell] {
            self.candidates[cell] = left;
            if left.is_power_of_two() {
                self.fresh.push(cell as u16);
            }
        }
        left != 0
    }

    fn propagate(&mut self, board: &Board) -> Result<(), Conflict> {
        loop {
            self.naked_singles(board)?;
            if self.hidden_singles(board)? {
                continue;
            }
            if !self.locked_candidates(board)? {
                return Ok(());
            }
        }
    }

    fn naked_singles(&mut self, board: &Board) -> Result<(), Conflict> {
        while let Some(cell) = self.fresh.pop() {
            let cell = usize::from(cell);
            if std::mem::replace(&mut self.told[cell], true) {
                continue;
            }
            let digit = self.candidates[cell];
            for &peer in &board.peers[cell] {
                if !self.strike(usize::from(peer), digit) {
                    let house = board.houses_of[usize::from(peer)]
                        .into_iter()
                        .find(|house| board.houses[usize::from(*house)].contains(&(cell as u16)));
                    return Err(Conflict {
                        house: house.map_or(0, usize::from),
                    });
                }
            }
        }
        Ok(())
    }

    fn hidden_singles(&mut self, board: &Board) -> Result<bool, Conflict> {
        let mut changed = false;
        for (house, cells) in board.houses.iter().enumerate() {
            let (mut one, mut two) = (0, 0);
            for &cell in cells {
                let digits = self.candidates[usize::from(cell)];
                two |= one & digits;
                one |= digits;
            }
            if one != board.all {
                return Err(Conflict { house });
            }
            let single = one & !two;
            if single == 0 {
                continue;
            }
            for &cell in cells {
                let cell = usize::from(cell);
                let digits = self.candidates[cell];
                if digits & single != 0 && digits.count_ones() > 1 {
                    let digit = digits & single;
                    if digit.count_ones() > 1 {
                        return Err(Conflict { house });
                    }
                    self.place(cell, digit);
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    fn locked_candidates(&mut self, board: &Board) -> Result<bool, Conflict> {
        let mut changed = false;
        for Crossings { house, pieces } in &board.crossings {
            let mut unions = [0u32; 25];
            let (mut one, mut two) = (0, 0);
            for (union, piece) in unions.iter_mut().zip(pieces) {
                let cells = piece.inside.iter();
                *union = cells.fold(0, |all, cell| all | self.candidates[usize::from(*cell)]);
                two |= one & *union;
                one |= *union;
            }
            for (union, piece) in unions.iter().zip(pieces) {
                let locked = union & !two;
                if locked == 0 {
                    continue;
                }
                for &cell in &piece.outside {
                    if self.candidates[usize::from(cell)] & locked != 0 {
                        changed = true;
                        if !self.strike(usize::from(cell), locked) {
                            return Err(Conflict { house: *house });
                        }
                    }
                }
            }
        }
        Ok(changed)
    }

    /// The candidate to try next; `None` if the board is full.
    fn choice(
        &self,
        board: &Board,
        weights: &[u32],
        mut random: Option<&mut Rng>,
    ) -> Option<(usize, u32)> {
        let heat = |cell: usize| -> u32 {
            let houses = board.houses_of[cell].iter();
            houses.map(|house| weights[usize::from(*house)]).sum()
        };
        let mut best = Best::default();
        for (cell, &digits) in self.candidates.iter().enumerate() {
            let ways = digits.count_ones();
            if ways > 1 && best.is_beaten_by(ways, heat(cell), random.as_deref_mut()) {
                best.choice = Some((cell, 1 << pick(digits, random.as_deref_mut())));
            }
        }
        for (house, cells) in board.houses.iter().enumerate() {
            let mut places = [0u32; 25];
            for (nth, &cell) in cells.iter().enumerate() {
                let mut digits = self.candidates[usize::from(cell)];
                if digits.count_ones() > 1 {
                    while digits != 0 {
                        places[digits.trailing_zeros() as usize] |= 1 << nth;
                        digits &= digits - 1;
                    }
                }
            }
            for (digit, &places) in places.iter().enumerate().take(board.side) {
                let ways = places.count_ones();
                let heat = 3 * weights[house];
                if ways > 0 && best.is_beaten_by(ways, heat, random.as_deref_mut()) {
                    let place = pick(places, random.as_deref_mut()) as usize;
                    best.choice = Some((usize::from(cells[place]), 1 << digit));
                }
            }
        }
        best.choice
    }

    fn grid(&self, shape: Shape) -> Grid {
        let mut grid = Grid::empty(shape);
        for (cell, digits) in shape.all_cells().zip(&self.candidates) {
            grid.set(cell, Digit::new(digits.trailing_zeros() as u8 + 1));
        }
        grid
    }
}

/// The choice with the fewest ways per conflict seen.
#[derive(Default)]
struct Best {
    ways: u64,
    heat: u64,
    equals: usize,
    choice: Option<(usize, u32)>,
}

impl Best {
    /// True, and remembered, if a choice of so many ways and so much heat is
    /// to replace this one; among equals the first, or a random one.
    fn is_beaten_by(&mut self, ways: u32, heat: u32, random: Option<&mut Rng>) -> bool {
        let (ways, heat) = (u64::from(ways), u64::from(heat));
        // ways / heat against self.ways / self.heat, without division.
        let order = (ways * self.heat).cmp(&(self.ways * heat));
        let beaten = match order {
            _ if self.choice.is_none() => true,
            Ordering::Less => true,
            Ordering::Equal => {
                self.equals += 1;
                return random.is_some_and(|rng| rng.below(self.equals) == 0);
            }
            Ordering::Greater => false,
        };
        if beaten {
            (self.ways, self.heat, self.equals) = (ways, heat, 1);
        }
        beaten
    }
}

/// One of the set bits: the lowest, or a random one.
pub(super) fn pick(mut bits: u32, random: Option<&mut Rng>) -> u32 {
    if let Some(rng) = random {
        for _ in 0..rng.below(bits.count_ones() as usize) {
            bits &= bits - 1;
        }
    }
    bits.trailing_zeros()
}
