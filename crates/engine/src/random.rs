//! Random numbers that are the same everywhere: the same seed gives the same
//! choices on every machine, in every version, with any number of threads.
//!
//! [`Rng`] is xoshiro256** by Blackman and Vigna, seeded through [`SplitMix`]
//! (Steele, Lea and Flood, 2014), which alone is enough where a search only
//! needs to break ties.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The stream that belongs to a seed.
    pub fn new(seed: u64) -> Rng {
        let mut mix = SplitMix::new(seed);
        Rng {
            state: std::array::from_fn(|_| mix.next_u64()),
        }
    }

    /// The `index`-th of many streams that belong to one seed, each as good as
    /// independent of the others.
    pub fn stream(seed: u64, index: u64) -> Rng {
        let base = SplitMix::new(seed).next_u64();
        let mixed = base ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03);
        Rng::new(SplitMix::new(mixed).next_u64())
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `bound`, every one equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below 0");
        // Lemire's multiplication with rejection of the uneven rest.
        let bound = bound as u64;
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            // The rest is smaller than the bound, so that the division that
            // finds it is hardly ever needed.
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as usize;
            }
        }
    }

    /// Puts the items into random order, every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A smaller generator: one word of state, quick to start.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The stream that belongs to a seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, by multiplication: the bias is below what a
    /// search could notice. 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_splitmix_and_xoshiro() {
        // The published first outputs of splitmix64 from 1234567.
        let mut mix = SplitMix::new(1_234_567);
        let first: [u64; 3] = std::array::from_fn(|_| mix.next_u64());
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn every_number_below_the_bound_comes_up_about_equally_often() {
        let mut rng = Rng::new(1);
        let mut seen = [0u32; 7];
        for _ in 0..70_000 {
            seen[rng.below(7)] += 1;
        }
        assert!(
            seen.iter().all(|count| (9_500..10_500).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let firsts: std::collections::HashSet<u64> =
            (0..1000).map(|i| Rng::stream(7, i).next_u64()).collect();
        assert_eq!(firsts.len(), 1000);
    }
}
