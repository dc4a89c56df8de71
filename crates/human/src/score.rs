//! A second number that many players know: the sum of points that HoDoKu gives
//! to each step.
//!
//! Our path is that of the scale, not HoDoKu's own, so the sum is near its
//! score and not the same. A direct step counts as the two it is made of.

use crate::{Rated, Technique};

impl Rated {
    /// The sum of HoDoKu's points for the steps of the path.
    ///
    /// ```
    /// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let rated = planoku_human::rate(&puzzle.parse().unwrap()).unwrap();
    /// assert!(rated.score() > 4 * rated.steps() as u64);
    /// ```
    pub fn score(&self) -> u64 {
        let points = |(technique, count): (Technique, u16)| points(technique) * u64::from(count);
        self.histogram().map(points).sum()
    }
}

/// What a step of the technique is worth.
fn points(technique: Technique) -> u64 {
    use Technique as T;
    match technique {
        T::FullHouse | T::NakedSingle => 4,
        T::HiddenSingleBox | T::HiddenSingleLine => 14,
        T::DirectPointing | T::DirectClaiming => 50 + 14,
        T::DirectHiddenPair => 70 + 14,
        T::DirectHiddenTriplet => 100 + 14,
        T::Pointing | T::Claiming => 50,
        T::NakedPair => 60,
        T::HiddenPair => 70,
        T::NakedTriplet => 80,
        T::HiddenTriplet => 100,
        T::UniqueRectangle | T::UniqueLoop | T::Bug => 100,
        T::NakedQuad => 120,
        T::XWing => 140,
        T::HiddenQuad | T::Swordfish => 150,
        T::XyWing | T::Jellyfish => 160,
        T::XyzWing => 180,
        T::AlignedPair | T::AlignedTriplet => 280,
        T::XCycle | T::YCycle | T::XChain => 260,
        T::XyCycle | T::ForcingChain => 280,
        _ => 500,
    }
}
