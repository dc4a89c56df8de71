//! Conflict-directed backjumping: at a dead end, return to the deepest level
//! that is to blame, and hand it the rest of the blame.
//!
//! Every level keeps the set of levels that refuted one of its values. The
//! deepest member is the next worth changing; it inherits the others, so that
//! when it fails in turn the search may jump again, which Gaschnig's rule
//! cannot. (P. Prosser, "Hybrid algorithms for the constraint satisfaction
//! problem", 1993.)
//!
//! "The CSP Sudoku" prints this as Algorithm 5 with two slips: its success
//! test `if h = i` must ask for the last variable (`i = n - 1`), or the first
//! fitting value would end the search; and its `C[r]` is `CS[r]`, the conflict
//! set of the level returned to. Two things it does say must be kept for its
//! counts: a set starts empty on every entry, and a level that is jumped over
//! merges nothing.

use super::LookBack;
use crate::csp::level_sets::{LevelSets, members};

pub(crate) struct ConflictDirected {
    sets: LevelSets,
}

impl ConflictDirected {
    pub(crate) fn new(levels: usize) -> ConflictDirected {
        ConflictDirected {
            sets: LevelSets::new(levels),
        }
    }
}

impl LookBack for ConflictDirected {
    #[inline]
    fn enter(&mut self, level: usize) {
        self.sets.clear(level);
    }

    #[inline]
    fn refuted(&mut self, level: usize, by: usize) {
        self.sets.insert(level, by);
    }

    fn solved(&mut self, level: usize) {
        self.sets.fill(level);
    }

    #[inline]
    fn dead_end(&mut self, level: usize) -> Option<usize> {
        let target = self.sets.deepest(level)?;
        self.sets.merge(level, target);
        Some(target)
    }

    fn blamed(&self, level: usize) -> Vec<u32> {
        members(self.sets.row(level))
            .map(|level| level as u32)
            .collect()
    }
}
