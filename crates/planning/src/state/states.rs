//! States as rows of bits, each kept once.
//!
//! A state is a slice of `u64` words, one bit per fact, and the numbers of a
//! problem that has some (see [`values`](super::values)). The [`StateTable`]
//! stores every distinct state in one long vector and names it by its row, so
//! that search nodes hold four bytes and equality is a comparison of numbers.

use crate::state::hash::hash_words;

/// True if the bit is set.
#[inline]
pub(crate) fn has(words: &[u64], bit: u32) -> bool {
    words[bit as usize / 64] >> (bit % 64) & 1 != 0
}

/// Sets the bit.
#[inline]
pub(crate) fn set(words: &mut [u64], bit: u32) {
    words[bit as usize / 64] |= 1 << (bit % 64);
}

/// Clears the bit.
#[inline]
pub(crate) fn clear(words: &mut [u64], bit: u32) {
    words[bit as usize / 64] &= !(1 << (bit % 64));
}

/// The set bits, ascending.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                index as u32 * 64 + bit
            })
        })
    })
}

/// Distinct states, numbered in the order they were first seen.
pub(crate) struct StateTable {
    words: usize,
    rows: Vec<u64>,
    /// Open addressing over row numbers; `EMPTY` marks a free slot.
    slots: Vec<u32>,
    len: u32,
}

const EMPTY: u32 = u32::MAX;

impl StateTable {
    /// An empty table of states of `words` words.
    pub(crate) fn new(words: usize) -> StateTable {
        StateTable {
            words,
            rows: Vec::new(),
            slots: vec![EMPTY; 64],
            len: 0,
        }
    }

    /// The number of the state, and whether it was new.
    pub(crate) fn intern(&mut self, state: &[u64]) -> (u32, bool) {
        debug_assert_eq!(state.len(), self.words);
        if (self.len as usize + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash_words(state) as usize & mask;
        loop {
            let row = self.slots[slot];
            if row == EMPTY {
                self.slots[slot] = self.len;
                self.rows.extend_from_slice(state);
                self.len += 1;
                return (self.len - 1, true);
            }
            if self.get(row) == state {
                return (row, false);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The words of a state.
    #[inline]
    pub(crate) fn get(&self, row: u32) -> &[u64] {
        &self.rows[row as usize * self.words..][..self.words]
    }

    /// An estimate of the memory held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.rows.capacity() * 8 + self.slots.len() * 4) as u64
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let mut slots = vec![EMPTY; size];
        for row in 0..self.len {
            let mut slot = hash_words(self.get(row)) as usize & (size - 1);
            while slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = row;
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_kept_once() {
        let mut table = StateTable::new(2);
        let rows: Vec<u32> = (0..500u64)
            .map(|n| table.intern(&[n % 100, n % 10]).0)
            .collect();
        assert_eq!(table.len, 100);
        assert!((0..500).all(|n| rows[n] == rows[n % 100]));
        assert_eq!(table.get(rows[57]), [57, 7]);
    }

    #[test]
    fn ones_lists_what_was_set() {
        let mut words = [0u64; 3];
        for bit in [0, 63, 64, 130] {
            set(&mut words, bit);
        }
        clear(&mut words, 64);
        assert_eq!(ones(&words).collect::<Vec<_>>(), [0, 63, 130]);
        assert!(has(&words, 130) && !has(&words, 64));
    }
}
