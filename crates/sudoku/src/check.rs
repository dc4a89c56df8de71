//! What must hold of the native engine, whatever the puzzles: the body of the
//! fuzz target, and of the bounded run that every test run makes of it.
//!
//! The bytes describe a few boards. Each is repeated with its digits renamed,
//! which changes nothing about the number of its solutions, until there are
//! enough for the batch engine to fill its vectors, to refill and to steal.

use planoku_engine::{End, Engine, Run};

use crate::native::{self, Barred, Batch, Cells, Isa, NativeAnswer};
use crate::reference::Reference;
use crate::{Cell, Digit, Grid, verify, verify_cells};

/// Nodes the reference may spend on a board. Where that is not enough, the
/// paths must agree with each other.
const NODES: u64 = 5_000;

/// Solves the boards that the bytes describe by every path (each set of
/// instructions, one call a puzzle and one call for all) and panics if any of
/// them says anything but what the reference says.
pub fn check_solving(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let limit = 1 + u64::from(bytes.next() % 3);
    let size = 1 + 3 * usize::from(bytes.next());
    let boards = boards(&mut bytes);
    let expected: Vec<Option<u64>> = boards.iter().map(|board| count(board, limit)).collect();
    let puzzles: Vec<Cells> = (0..size)
        .map(|nth| renamed(&boards[nth % boards.len()], nth / boards.len()))
        .collect();
    for isa in Isa::available() {
        let mut single: Vec<NativeAnswer> = boards
            .iter()
            .map(|board| native::solve_cells(board, limit, isa))
            .collect();
        let mut batch = Batch::new(isa);
        let mut answers = vec![NativeAnswer::default(); size];
        batch.solve(&puzzles, limit, &mut answers);
        for (nth, answer) in answers.iter().enumerate() {
            let board = nth % boards.len();
            // Where the reference gives up, the paths judge each other.
            let count = expected[board].unwrap_or(single[board].count);
            let place = format!("{} batch, {nth} of {size}", isa.name());
            check(&puzzles[nth], answer, count, &place);
        }
        for (nth, answer) in single.drain(..).enumerate() {
            let count = expected[nth].unwrap_or(answer.count);
            check(&boards[nth], &answer, count, isa.name());
        }
        let mut counts = vec![NativeAnswer::default(); size];
        batch.count(&puzzles, limit, &mut counts);
        for (counted, answer) in counts.iter().zip(&answers) {
            assert_eq!(counted.count, answer.count, "{} counting", isa.name());
            assert_eq!(counted.first, None, "{} counting", isa.name());
        }
        questions_of_many(&puzzles, &mut batch, isa);
    }
    questions(&boards);
}

/// The count is right, and what is shown is a solution.
fn check(puzzle: &Cells, answer: &NativeAnswer, count: u64, place: &str) {
    assert_eq!(answer.count, count, "{place}: {puzzle:?}");
    assert_eq!(answer.first.is_some(), count > 0, "{place}: {puzzle:?}");
    assert!(answer.nodes > 0, "{place}: {puzzle:?}");
    if let Some(first) = &answer.first {
        let grids = native::from_cells(puzzle).zip(native::from_cells(first));
        let (grid, solution) = grids.expect("cells hold digits");
        assert_eq!(verify(&grid, &solution), Ok(()), "{place}");
        assert!(verify_cells(puzzle, first), "{place}");
    }
}

/// The board without its first clue, and that clue.
fn robbed(board: &Cells) -> Option<(Cells, usize, Digit)> {
    let cell = board.iter().position(|digit| *digit != 0)?;
    let mut robbed = *board;
    let digit = Digit::new(std::mem::take(&mut robbed[cell]))?;
    Some((robbed, cell, digit))
}

/// Is a clue needed? Asked of the batch engine, judged by the other.
fn questions_of_many(puzzles: &[Cells], batch: &mut Batch, isa: Isa) {
    let asked: Vec<(Cells, usize, Digit)> = puzzles.iter().filter_map(robbed).collect();
    let boards: Vec<Cells> = asked.iter().map(|(board, ..)| *board).collect();
    let barred: Vec<Barred> = asked
        .iter()
        .map(|(_, cell, digit)| (*cell as u8, digit.index() as u8))
        .collect();
    let mut answers = vec![NativeAnswer::default(); boards.len()];
    batch.differ(&boards, &barred, &mut answers);
    for ((board, cell, digit), answer) in asked.iter().zip(&answers) {
        let differs = native::differs(board, Cell::new(*cell), *digit);
        let place = format!("{} batch: {board:?} without cell {cell}", isa.name());
        assert_eq!(answer.count > 0, differs, "{place}");
    }
}

/// Is a clue needed? Asked of the native engine, judged by counting.
fn questions(boards: &[Cells]) {
    for board in boards {
        let Some((robbed, cell, digit)) = robbed(board) else {
            continue;
        };
        let differs = native::differs(&robbed, Cell::new(cell), digit);
        let kept = native::count(board, 3);
        let all = native::count(&robbed, 3);
        if kept < 3 {
            assert_eq!(differs, all > kept, "{board:?} without cell {cell}");
        }
    }
}

/// What the reference counts, if it can.
fn count(board: &Cells, limit: u64) -> Option<u64> {
    let grid: Grid = native::from_cells(board)?;
    let run = &mut Run::limit(limit).with_nodes(NODES);
    let outcome = Reference.solve(&grid, run).ok()?;
    let decided = !matches!(outcome.end, End::Stopped(_));
    decided.then_some(outcome.answers.len() as u64)
}

/// One to eight boards: parts of a full one, with a few cells overwritten.
fn boards(bytes: &mut Bytes<'_>) -> Vec<Cells> {
    let count = 1 + bytes.next() % 8;
    (0..count)
        .map(|_| {
            let mut board = full(bytes.next());
            // Two bits for each cell: one, two or three of four patterns keep it.
            let kept = bytes.next() % 3;
            for cells in board.chunks_mut(4) {
                let mask = bytes.next();
                for (nth, cell) in cells.iter_mut().enumerate() {
                    if (mask >> (2 * nth)) & 3 > kept {
                        *cell = 0;
                    }
                }
            }
            for _ in 0..bytes.next() % 6 {
                let (cell, digit) = (usize::from(bytes.next()) % 81, bytes.next() % 10);
                board[cell] = digit;
            }
            board
        })
        .collect()
}

/// A full board: a regular one, its rows and columns rotated.
fn full(turn: u8) -> Cells {
    let (rows, columns) = (usize::from(turn) % 9, usize::from(turn) / 9 % 9);
    let mut board = [0; 81];
    for (cell, digit) in board.iter_mut().enumerate() {
        // Rotation within a band or stack, then of the bands or stacks.
        let turned = |line: usize, by: usize| 3 * ((line / 3 + by / 3) % 3) + (line + by) % 3;
        let (row, column) = (turned(cell / 9, rows), turned(cell % 9, columns));
        *digit = ((3 * (row % 3) + row / 3 + column) % 9) as u8 + 1;
    }
    board
}

/// The digits moved on by so many.
fn renamed(board: &Cells, by: usize) -> Cells {
    board.map(|digit| match digit {
        0 => 0,
        digit => (digit - 1 + (by % 9) as u8) % 9 + 1,
    })
}

/// Bytes that never end: after the last come zeros.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_boards_to_be_mutilated_are_solutions() {
        for turn in 0..81 {
            assert!(verify_cells(&[0; 81], &full(turn)), "{turn}");
            assert!(verify_cells(&[0; 81], &renamed(&full(turn), 5)), "{turn}");
        }
    }

    #[test]
    fn every_path_solves_whatever_bytes_describe() {
        let mut rng = Rng::new(12);
        for _ in 0..25 {
            let bytes: Vec<u8> = (0..rng.below(250)).map(|_| rng.next_u64() as u8).collect();
            check_solving(&bytes);
        }
    }
}
