//! The names of the techniques and the numbers players quote for them.
//!
//! The scale is that of Sudoku Explainer 1.2.1: the rating of a puzzle is that
//! of the hardest step its fixed order of techniques needs. Ratings have one
//! decimal and are kept in tenths.

use std::fmt;
use std::str::FromStr;

/// A point on the scale, in tenths: 72 is written 7.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rating(pub u8);

impl Rating {
    /// As a number with one decimal.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 10.0
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.0 / 10, self.0 % 10))
    }
}

/// Why a text is no rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRating(pub String);

impl fmt::Display for BadRating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a rating such as 7 or 7.2, found `{}`", self.0)
    }
}

impl std::error::Error for BadRating {}

/// Reads `7`, `7.2` and `10.5`.
impl FromStr for Rating {
    type Err = BadRating;

    fn from_str(text: &str) -> Result<Rating, BadRating> {
        let bad = || BadRating(text.to_owned());
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if tenth.len() != 1 || whole.is_empty() || !digits(whole) || !digits(tenth) {
            return Err(bad());
        }
        let whole: u8 = whole.parse().map_err(|_| bad())?;
        let tenth: u8 = tenth.parse().map_err(|_| bad())?;
        let tenths = whole.checked_mul(10).and_then(|sum| sum.checked_add(tenth));
        tenths.map(Rating).ok_or_else(bad)
    }
}

macro_rules! techniques {
    ($($(#[$doc:meta])* $name:ident, $key:literal, $words:literal, $base:literal;)*) => {
        /// A way to make progress, in the order the scale tries them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Technique {
            $($(#[$doc])* $name,)*
        }

        impl Technique {
            /// All of them, in the order the scale tries them.
            pub const ALL: &[Technique] = &[$(Technique::$name,)*];

            /// The word used on the command line and in JSON, such as `x-wing`.
            pub fn key(self) -> &'static str {
                match self { $(Technique::$name => $key,)* }
            }

            /// As it is said in a sentence, such as `X-wing`.
            pub fn name(self) -> &'static str {
                match self { $(Technique::$name => $words,)* }
            }

            /// The lowest rating its steps can have.
            pub fn base(self) -> Rating {
                Rating(match self { $(Technique::$name => $base,)* })
            }
        }
    };
}

techniques! {
    /// The only empty cell of a house.
    FullHouse, "full-house", "full house", 10;
    /// The only place for a digit in a box.
    HiddenSingleBox, "hidden-single-box", "hidden single in a box", 12;
    /// The only place for a digit in a row or column.
    HiddenSingleLine, "hidden-single-line", "hidden single in a line", 15;
    /// Pointing that leaves a hidden single at once.
    DirectPointing, "direct-pointing", "direct pointing", 17;
    /// Claiming that leaves a hidden single at once.
    DirectClaiming, "direct-claiming", "direct claiming", 19;
    /// A hidden pair that leaves a hidden single at once.
    DirectHiddenPair, "direct-hidden-pair", "direct hidden pair", 20;
    /// The only digit for a cell.
    NakedSingle, "naked-single", "naked single", 23;
    /// A hidden triplet that leaves a hidden single at once.
    DirectHiddenTriplet, "direct-hidden-triplet", "direct hidden triplet", 25;
    /// A box that can only spend a digit on one line.
    Pointing, "pointing", "pointing", 26;
    /// A line that can only spend a digit in one box.
    Claiming, "claiming", "claiming", 28;
    /// Two cells of a house with the same two digits.
    NakedPair, "naked-pair", "naked pair", 30;
    /// Two lines with the same two places for a digit.
    XWing, "x-wing", "X-wing", 32;
    /// Two digits with the same two places in a house.
    HiddenPair, "hidden-pair", "hidden pair", 34;
    /// Three cells of a house with three digits between them.
    NakedTriplet, "naked-triplet", "naked triplet", 36;
    /// Three lines with three places for a digit between them.
    Swordfish, "swordfish", "swordfish", 38;
    /// Three digits with three places between them in a house.
    HiddenTriplet, "hidden-triplet", "hidden triplet", 40;
    /// Three cells with two of three digits each.
    XyWing, "xy-wing", "XY-wing", 42;
    /// As an XY-wing, with all three digits in the middle.
    XyzWing, "xyz-wing", "XYZ-wing", 44;
    /// Four cells in two boxes that would allow two solutions.
    UniqueRectangle, "unique-rectangle", "unique rectangle", 45;
    /// A longer loop of cells that would allow two solutions.
    UniqueLoop, "unique-loop", "unique loop", 46;
    /// Four cells of a house with four digits between them.
    NakedQuad, "naked-quad", "naked quad", 50;
    /// Four lines with four places for a digit between them.
    Jellyfish, "jellyfish", "jellyfish", 52;
    /// Four digits with four places between them in a house.
    HiddenQuad, "hidden-quad", "hidden quad", 54;
    /// Every cell but a few has two candidates: without the few there would be
    /// two solutions.
    Bug, "bug", "bivalue universal grave", 56;
    /// Two cells whose combinations others exclude.
    AlignedPair, "aligned-pair-exclusion", "aligned pair exclusion", 62;
    /// A cycle on one digit that holds in both directions.
    XCycle, "x-cycle", "bidirectional X-cycle", 65;
    /// A cycle through cells of two candidates that holds in both directions.
    YCycle, "y-cycle", "bidirectional Y-cycle", 65;
    /// A chain on one digit from a candidate to its opposite.
    XChain, "x-chain", "forcing X-chain", 66;
    /// A cycle of both kinds of links that holds in both directions.
    XyCycle, "cycle", "bidirectional cycle", 70;
    /// A chain from a candidate to its opposite.
    ForcingChain, "forcing-chain", "forcing chain", 70;
    /// Three cells whose combinations others exclude.
    AlignedTriplet, "aligned-triplet-exclusion", "aligned triplet exclusion", 75;
    /// A candidate that leads to a contradiction on its own digit.
    Nishio, "nishio", "Nishio forcing chain", 75;
    /// Every candidate of a cell leads to the same.
    CellChains, "cell-chains", "cell forcing chains", 80;
    /// Every place of a digit in a house leads to the same.
    HouseChains, "house-chains", "house forcing chains", 80;
    /// Chains whose links may rest on several earlier ones.
    DynamicChains, "dynamic-chains", "dynamic forcing chains", 85;
    /// Dynamic chains with locked candidates, pairs and X-wings inside.
    DynamicPlus, "dynamic-chains-plus", "dynamic forcing chains (+)", 90;
    /// Dynamic chains with forcing chains inside.
    NestedChains, "nested-chains", "dynamic forcing chains with forcing chains inside", 95;
    /// Dynamic chains with cell and house chains inside.
    NestedMultiple, "nested-multiple-chains", "dynamic forcing chains with cell and house chains inside", 100;
    /// Dynamic chains with dynamic chains inside.
    NestedDynamic, "nested-dynamic-chains", "dynamic forcing chains with dynamic chains inside", 105;
}

impl Technique {
    /// True if its conclusions hold only because the puzzle has exactly one
    /// solution.
    pub fn assumes_uniqueness(self) -> bool {
        use Technique::{Bug, UniqueLoop, UniqueRectangle};
        matches!(self, UniqueRectangle | UniqueLoop | Bug)
    }

    /// As something to look for, with its article: `an X-wing`. Where it is said
    /// in which house, `a hidden single` is enough.
    pub fn sought(self, with_house: bool) -> String {
        use Technique as T;
        match self {
            T::HiddenSingleBox | T::HiddenSingleLine if with_house => "a hidden single".to_owned(),
            T::Pointing | T::Claiming => format!("locked candidates ({self})"),
            T::DirectPointing => "locked candidates (pointing) that leave a single".to_owned(),
            T::DirectClaiming => "locked candidates (claiming) that leave a single".to_owned(),
            T::DirectHiddenPair => "a hidden pair that leaves a single".to_owned(),
            T::DirectHiddenTriplet => "a hidden triplet that leaves a single".to_owned(),
            T::XWing | T::XyWing | T::XyzWing | T::AlignedPair | T::AlignedTriplet => {
                format!("an {self}")
            }
            T::CellChains | T::HouseChains => self.to_string(),
            _ if self >= T::DynamicChains => self.to_string(),
            _ => format!("a {self}"),
        }
    }

    /// True if its steps are explained by chains of implications.
    pub fn is_chain(self) -> bool {
        self >= Technique::XCycle && self != Technique::AlignedTriplet
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No technique has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTechnique(pub String);

impl fmt::Display for UnknownTechnique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a technique such as x-wing, found `{}`", self.0)
    }
}

impl std::error::Error for UnknownTechnique {}

/// Reads [`Technique::key`].
impl FromStr for Technique {
    type Err = UnknownTechnique;

    fn from_str(text: &str) -> Result<Technique, UnknownTechnique> {
        let found = Technique::ALL
            .iter()
            .find(|technique| technique.key() == text);
        found
            .copied()
            .ok_or_else(|| UnknownTechnique(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_read_as_they_are_written() {
        for tenths in 0..=255 {
            assert_eq!(Rating(tenths).to_string().parse(), Ok(Rating(tenths)));
        }
        assert_eq!("7".parse(), Ok(Rating(70)));
        for bad in ["", ".5", "7.", "7.25", "-1", "25.6", "+7", "x"] {
            assert_eq!(bad.parse::<Rating>(), Err(BadRating(bad.to_owned())));
        }
    }

    #[test]
    fn techniques_are_read_by_their_key_and_no_two_share_it() {
        for technique in Technique::ALL {
            assert_eq!(technique.key().parse(), Ok(*technique));
        }
    }
}
