//! Chronological backtracking: at a dead end, change the last choice.
//!
//! The oldest rule (Golomb and Baumert, "Backtrack programming", 1965; Walker
//! 1960), and the one every other is measured against. It never errs and never
//! thinks: if the last choice has nothing to do with the dead end, the same
//! dead end is found again for each of its values.

use super::LookBack;

pub(crate) struct Chronological;

impl LookBack for Chronological {
    const NOTES: bool = false;

    #[inline]
    fn enter(&mut self, _: usize) {}

    #[inline]
    fn refuted(&mut self, _: usize, _: usize) {}

    fn solved(&mut self, _: usize) {}

    #[inline]
    fn dead_end(&mut self, level: usize) -> Option<usize> {
        level.checked_sub(1)
    }
}
