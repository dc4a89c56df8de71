//! Where the generator's choices come from: a seed, or the bytes of a fuzzer.

use planoku_engine::random::SplitMix;

/// A source of choices.
pub struct Dice<'a> {
    bytes: &'a [u8],
    state: SplitMix,
}

impl<'a> Dice<'a> {
    /// Choices that look random and are the same for the same seed.
    pub fn seeded(seed: u64) -> Dice<'a> {
        Dice {
            bytes: &[],
            state: SplitMix::new(seed),
        }
    }

    /// Choices made by these bytes, two for each, and by a fixed seed when
    /// there are none left.
    pub fn bytes(bytes: &'a [u8]) -> Dice<'a> {
        Dice {
            bytes,
            state: SplitMix::new(1),
        }
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        if let [low, high, rest @ ..] = self.bytes {
            self.bytes = rest;
            return u64::from(*low) | u64::from(*high) << 8;
        }
        self.state.next_u64()
    }

    /// A number below `n`, 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.any() % (n.max(1) as u64)) as usize
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }

    /// One of a list that is not empty.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
