//! A set of earlier levels for every level: the conflict sets of look-back.
//!
//! Row `i` holds levels below `i`, one bit each, so that union, "without
//! myself" and "the deepest member" are a few word operations.

use super::values::bits;

#[derive(Clone, Debug)]
pub(crate) struct LevelSets {
    words: usize,
    bits: Vec<u64>,
}

impl LevelSets {
    pub(crate) fn new(levels: usize) -> LevelSets {
        let words = levels.div_ceil(64).max(1);
        LevelSets {
            words,
            bits: vec![0; words * levels],
        }
    }

    #[inline]
    pub(crate) fn row(&self, level: usize) -> &[u64] {
        &self.bits[level * self.words..][..self.words]
    }

    #[inline]
    fn row_mut(&mut self, level: usize) -> &mut [u64] {
        &mut self.bits[level * self.words..][..self.words]
    }

    #[inline]
    pub(crate) fn clear(&mut self, level: usize) {
        self.row_mut(level).fill(0);
    }

    #[inline]
    pub(crate) fn insert(&mut self, level: usize, member: usize) {
        self.row_mut(level)[member >> 6] |= 1 << (member & 63);
    }

    /// Puts every earlier level into the row.
    pub(crate) fn fill(&mut self, level: usize) {
        for member in 0..level {
            self.insert(level, member);
        }
    }

    /// Adds `others` to the row, leaving out the row's own level and later ones.
    pub(crate) fn extend(&mut self, level: usize, others: &[u64]) {
        let (own, bit) = (level >> 6, level & 63);
        let row = self.row_mut(level);
        for (word, other) in row.iter_mut().zip(others).take(own) {
            *word |= other;
        }
        row[own] |= others[own] & ((1 << bit) - 1);
    }

    /// The deepest member of the row.
    #[inline]
    pub(crate) fn deepest(&self, level: usize) -> Option<usize> {
        deepest(self.row(level))
    }

    /// Adds everything in the row of `from`, except `to` itself, to that of
    /// `to`; `to` is the deepest member of `from`.
    #[inline]
    pub(crate) fn merge(&mut self, from: usize, to: usize) {
        debug_assert!(to < from && self.deepest(from) == Some(to));
        let (early, late) = self.bits.split_at_mut(from * self.words);
        let target = &mut early[to * self.words..][..self.words];
        for (word, other) in target.iter_mut().zip(late) {
            *word |= *other;
        }
        target[to >> 6] &= !(1 << (to & 63));
    }
}

/// The members of a row of words, ascending.
pub(crate) fn members(row: &[u64]) -> impl Iterator<Item = usize> + Clone {
    row.iter()
        .enumerate()
        .flat_map(|(at, word)| bits(*word).map(move |bit| at << 6 | bit as usize))
}

/// The highest bit of a row of words.
#[inline]
fn deepest(row: &[u64]) -> Option<usize> {
    row.iter()
        .enumerate()
        .rev()
        .find(|(_, word)| **word != 0)
        .map(|(at, word)| at << 6 | (63 - word.leading_zeros() as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_hands_down_all_but_the_target() {
        let mut sets = LevelSets::new(100);
        for member in [3, 70, 80] {
            sets.insert(90, member);
        }
        sets.insert(80, 5);
        assert_eq!(sets.deepest(90), Some(80));
        sets.merge(90, 80);
        assert_eq!(sets.deepest(80), Some(70));
        assert_eq!(sets.row(80)[0], 1 << 3 | 1 << 5);
        sets.clear(80);
        assert_eq!(sets.deepest(80), None);
    }

    #[test]
    fn extending_keeps_to_earlier_levels() {
        let mut sets = LevelSets::new(128);
        sets.extend(66, &[u64::MAX, u64::MAX]);
        assert_eq!(sets.row(66), [u64::MAX, 3]);
    }
}
