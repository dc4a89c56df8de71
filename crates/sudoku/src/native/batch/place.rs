//! Where a board is found in a slice: byte and bit.

use super::super::lanes::Bits;

/// The most bytes a slice can have, and the most slots.
pub(super) const MOST_BYTES: usize = 32;
pub(super) const MOST: usize = 8 * MOST_BYTES;

/// The bytes of a slice, and zeros.
#[inline(always)]
pub(super) fn bytes<B: Bits>(slice: B) -> [u8; MOST_BYTES] {
    let mut bytes = [0; MOST_BYTES];
    slice.store(&mut bytes);
    bytes
}

/// Where a slot is found in a slice.
pub(super) struct Place {
    pub byte: usize,
    pub bit: usize,
}

impl Place {
    #[inline(always)]
    pub fn of<B: Bits>(slot: usize) -> Place {
        Place {
            byte: slot % B::BYTES,
            bit: slot / B::BYTES,
        }
    }
}

/// The slots of a slice.
pub(super) struct Set {
    /// Eight bytes of the slice in each.
    words: [u64; MOST_BYTES / 8],
    at: usize,
    /// The bytes of the slice.
    width: usize,
}

impl Set {
    #[inline(always)]
    pub fn new<B: Bits>(slots: B) -> Set {
        let mut words = [0; MOST_BYTES / 8];
        for (word, bytes) in words.iter_mut().zip(bytes(slots).as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Set {
            words,
            at: 0,
            width: B::BYTES,
        }
    }

    #[inline(always)]
    pub fn len(&self) -> u32 {
        let mut len = 0;
        for word in &self.words[..self.width / 8] {
            len += word.count_ones();
        }
        len
    }
}

impl Iterator for Set {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.at < self.width / 8 {
            let word = &mut self.words[self.at];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.width * (bit % 8) + 8 * self.at + bit / 8);
            }
            self.at += 1;
        }
        None
    }
}
