//! The judge: which boxes are wrong.
//!
//! A box is wrong if it differs from the unique solution of the puzzle. The
//! judge looks for two solutions with a bounded search; if there are none, or
//! several, or it had to stop, nothing is called wrong or right.

use planoku_sudoku::Grid;

use super::table::Board;

/// The solution of a puzzle that has exactly one, if that can be found out
/// with `nodes` boxes tried.
pub fn unique_solution(puzzle: &Grid, nodes: u64) -> Option<Grid> {
    let mut board = Board::new(puzzle.shape());
    for (cell, digit) in puzzle.clues() {
        if board.forbids(cell, digit).is_some() {
            return None;
        }
        board.put(cell, digit);
    }
    let mut search = Search {
        nodes,
        found: Vec::new(),
    };
    search.go(&mut board)?;
    match search.found.len() {
        1 => search.found.pop(),
        _ => None,
    }
}

/// Boxes on the board that differ from the solution.
pub fn wrong_boxes(board: &Grid, solution: &Grid) -> usize {
    board
        .clues()
        .filter(|(cell, digit)| solution.get(*cell) != Some(*digit))
        .count()
}

struct Search {
    nodes: u64,
    found: Vec<Grid>,
}

impl Search {
    /// Fills the cell with the fewest candidates in every way; `None` if the
    /// nodes ran out or a second solution turned up.
    fn go(&mut self, board: &mut Board) -> Option<()> {
        let blank = |cell: &_| !board.filled(*cell);
        let cells = board.shape().all_cells().filter(blank);
        let Some(cell) = cells.min_by_key(|cell| board.candidates(*cell).len()) else {
            self.found.push(board.grid());
            return (self.found.len() == 1).then_some(());
        };
        for digit in board.candidates(cell).iter() {
            self.nodes = self.nodes.checked_sub(1)?;
            board.put(cell, digit);
            let outcome = self.go(board);
            board.take(cell);
            outcome?;
        }
        Some(())
    }
}
