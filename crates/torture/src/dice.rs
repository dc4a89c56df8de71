//! Where the generator's choices come from: a seed, or the bytes of a fuzzer.

/// A source of choices.
pub struct Dice<'a> {
    bytes: &'a [u8],
    state: u64,
}

impl<'a> Dice<'a> {
    /// Choices that look random and are the same for the same seed.
    pub fn seeded(seed: u64) -> Dice<'a> {
        Dice {
            bytes: &[],
            state: seed,
        }
    }

    /// Choices made by these bytes, two for each, and by a fixed seed when
    /// there are none left.
    pub fn bytes(bytes: &'a [u8]) -> Dice<'a> {
        Dice { bytes, state: 1 }
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        if let [low, high, rest @ ..] = self.bytes {
            self.bytes = rest;
            return u64::from(*low) | u64::from(*high) << 8;
        }
        // SplitMix64 (Steele, Lea and Flood, 2014).
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.state;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
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
