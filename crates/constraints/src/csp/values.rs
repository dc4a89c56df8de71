//! The values a variable may still take, as one machine word.
//!
//! Value `v` is bit `v`, so a variable has at most 64 values, numbered 0 to 63.
//! One word per variable is what makes every consistency check in this library
//! a single `and`: a constraint strikes all the values it forbids at once.

use std::fmt;

/// A set of values between 0 and 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Values(pub u64);

impl Values {
    /// The largest value there is.
    pub const MAX: u32 = 63;

    /// No value at all.
    pub const NONE: Values = Values(0);

    /// One value alone; `None` if it is beyond [`Values::MAX`].
    pub fn only(value: u32) -> Option<Values> {
        (value <= Values::MAX).then(|| Values(1 << value))
    }

    /// How many values there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if nothing is left.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if `value` is among them.
    pub fn contains(self, value: u32) -> bool {
        value <= Values::MAX && self.0 >> value & 1 == 1
    }

    /// The values in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u32> + Clone {
        bits(self.0)
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The positions of the ones in a word, lowest first.
#[inline]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> + Clone {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros();
        word &= word - 1;
        Some(bit)
    })
}

/// True if exactly one bit is set.
#[inline]
pub(crate) fn is_single(word: u64) -> bool {
    word != 0 && word & (word - 1) == 0
}

/// A set of small numbers that hands out its lowest member first; used for
/// work queues, where being queued twice means nothing.
#[derive(Clone, Debug)]
pub(crate) struct BitQueue {
    words: Vec<u64>,
}

impl BitQueue {
    pub(crate) fn new(len: usize) -> BitQueue {
        BitQueue {
            words: vec![0; len.div_ceil(64)],
        }
    }

    #[inline]
    pub(crate) fn insert(&mut self, member: usize) {
        self.words[member >> 6] |= 1 << (member & 63);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<usize> {
        for (at, word) in self.words.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(at << 6 | bit);
            }
        }
        None
    }

    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_out_in_ascending_order() {
        let values = Values(1 << 63 | 1 << 5 | 1);
        assert_eq!(values.iter().collect::<Vec<_>>(), [0, 5, 63]);
        assert_eq!(values.len(), 3);
        assert!(values.contains(63) && !values.contains(64));
    }

    #[test]
    fn a_queue_forgets_repeats() {
        let mut queue = BitQueue::new(100);
        for member in [99, 3, 99, 64] {
            queue.insert(member);
        }
        assert_eq!(
            std::iter::from_fn(|| queue.pop()).collect::<Vec<_>>(),
            [3, 64, 99]
        );
    }
}
