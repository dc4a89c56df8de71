//! Repeatable chance.

use planoku_engine::random::SplitMix;

/// The generator of the searches: the same seed, the same numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix);

impl Random {
    /// Starts from a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(SplitMix::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Shuffles in place.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}
