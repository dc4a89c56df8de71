//! Gaschnig's backjumping: at a dead end, return to the deepest level that was
//! needed to refute all values.
//!
//! Each value of the dead variable clashes with some earlier level, the lowest
//! of which is noted. As long as none of the levels above the deepest of those
//! notes changes, all values stay refuted; so that level is the next worth
//! changing. (J. Gaschnig, "Performance measurement and analysis of certain
//! search algorithms", 1979.)
//!
//! The jump is only taken where no value fitted at all. Once a value has been
//! descended with and come back, the level notes itself, and returns to the
//! level just before: "The CSP Sudoku", Algorithm 4, says this by `max(r, m)`
//! with an `m` that may be this level or a later one, and so do we.

use super::LookBack;

pub(crate) struct Gaschnig {
    /// For each level one more than the deepest level noted, 0 for none.
    deepest: Vec<usize>,
}

impl Gaschnig {
    pub(crate) fn new(levels: usize) -> Gaschnig {
        Gaschnig {
            deepest: vec![0; levels],
        }
    }

    #[inline]
    fn note(&mut self, level: usize, deepest: usize) {
        self.deepest[level] = self.deepest[level].max(deepest);
    }
}

impl LookBack for Gaschnig {
    #[inline]
    fn enter(&mut self, level: usize) {
        self.deepest[level] = 0;
    }

    #[inline]
    fn refuted(&mut self, level: usize, by: usize) {
        self.note(level, by + 1);
    }

    fn solved(&mut self, level: usize) {
        self.note(level, level + 1);
    }

    #[inline]
    fn dead_end(&mut self, level: usize) -> Option<usize> {
        let deepest = self.deepest[level];
        let target = deepest.checked_sub(1)?.min(level.checked_sub(1)?);
        self.note(target, deepest);
        Some(target)
    }

    fn blamed(&self, level: usize) -> Vec<u32> {
        let deepest = self.deepest[level].checked_sub(1);
        deepest.map(|level| level as u32).into_iter().collect()
    }
}
