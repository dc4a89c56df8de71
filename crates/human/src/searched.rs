//! What has changed since a search found nothing.
//!
//! The scale begins anew with the easiest technique after every step, though a
//! step changes little. A search that remembers the board on which it found
//! nothing need not look again at cells, or digits, that are as they were: what
//! depends on these alone is still not there.

use crate::board::Board;
use crate::tables::count;

/// The candidates of the board on which a search last found nothing.
#[derive(Clone)]
pub(crate) struct Searched {
    cells: [u16; 81],
}

/// No board at all: everything has changed since.
impl Default for Searched {
    fn default() -> Searched {
        Searched { cells: [0; 81] }
    }
}

/// All cells.
pub(crate) const EVERYWHERE: u128 = (1 << 81) - 1;

impl Searched {
    /// Nothing was found on this board.
    pub(crate) fn found_nothing(&mut self, board: &Board) {
        self.cells = *board.all_digits();
    }

    /// The cells that have lost candidates since; all of them if any candidate
    /// has come, since then it is another puzzle.
    pub(crate) fn changed(&self, board: &Board) -> u128 {
        let now = board.all_digits();
        let come = self
            .cells
            .iter()
            .zip(now)
            .fold(0, |come, (before, now)| come | now & !before);
        if come != 0 {
            return EVERYWHERE;
        }
        let differ = |cell: usize| u128::from(self.cells[cell] != now[cell]) << cell;
        (0..81).fold(0, |set, cell| set | differ(cell))
    }

    /// The digits that have lost candidates since; all of them on another
    /// puzzle.
    pub(crate) fn changed_digits(&self, board: &Board) -> u16 {
        let mut lost = 0;
        for (before, now) in self.cells.iter().zip(board.all_digits()) {
            if now & !before != 0 {
                return 511;
            }
            lost |= before ^ now;
        }
        lost
    }

    /// Whether a cell has two candidates now that had more, or another puzzle is
    /// on the board.
    pub(crate) fn has_new_pairs(&self, board: &Board) -> bool {
        let cells = self.cells.iter().zip(board.all_digits());
        cells
            .into_iter()
            .any(|(before, now)| now & !before != 0 || (before != now && count(*now) == 2))
    }
}
