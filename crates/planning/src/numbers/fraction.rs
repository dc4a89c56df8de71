//! Exact numbers, two words each.
//!
//! A value that 64 bits do not hold above and below the line is too large to be
//! kept: arithmetic says so and never rounds. What is drawn from it then is
//! "not known", by whoever asked.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms; the denominator is above 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i64,
    denominator: i64,
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction::whole(0);
    /// One.
    pub const ONE: Fraction = Fraction::whole(1);

    /// A whole number.
    pub const fn whole(number: i64) -> Fraction {
        Fraction {
            numerator: number,
            denominator: 1,
        }
    }

    /// The quotient; `None` if it is too large, or the denominator is 0.
    pub fn new(numerator: i128, denominator: i128) -> Option<Fraction> {
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let common = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        // At most 2^127 - 1, for neither is the least number.
        let common = common as i128 * denominator.signum();
        Some(Fraction {
            numerator: i64::try_from(numerator / common).ok()?,
            denominator: i64::try_from(denominator / common).ok()?,
        })
    }

    /// Above the line.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// Below the line: above 0.
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    /// The sum; `None` if it is too large.
    #[inline]
    pub fn plus(self, other: Fraction) -> Option<Fraction> {
        if self.denominator == 1 && other.denominator == 1 {
            let sum = self.numerator.checked_add(other.numerator)?;
            return Some(Fraction::whole(sum));
        }
        let [a, b, c, d] = self.with(other);
        // Two products of numbers below 2^63 in size: no more than 2^127.
        Fraction::new((a * d).checked_add(c * b)?, b * d)
    }

    /// The difference; `None` if it is too large.
    pub fn minus(self, other: Fraction) -> Option<Fraction> {
        self.plus(other.negated()?)
    }

    /// The product; `None` if it is too large.
    #[inline]
    pub fn times(self, other: Fraction) -> Option<Fraction> {
        if self.denominator == 1 && other.denominator == 1 {
            let product = self.numerator.checked_mul(other.numerator)?;
            return Some(Fraction::whole(product));
        }
        let [a, b, c, d] = self.with(other);
        Fraction::new(a * c, b * d)
    }

    /// The quotient; `None` if it is too large, or the divisor is 0.
    pub fn over(self, other: Fraction) -> Option<Fraction> {
        let [a, b, c, d] = self.with(other);
        Fraction::new(a * d, b * c)
    }

    /// The same on the other side of 0; `None` if it is too large.
    pub fn negated(self) -> Option<Fraction> {
        Some(Fraction {
            numerator: self.numerator.checked_neg()?,
            denominator: self.denominator,
        })
    }

    /// -1, 0 or 1.
    pub fn sign(self) -> i64 {
        self.numerator.signum()
    }

    /// The least whole number that is not below.
    pub fn ceiling(self) -> i64 {
        let whole = self.numerator.div_euclid(self.denominator);
        // Only where there is a remainder, and then it is not the largest.
        whole + i64::from(self.numerator.rem_euclid(self.denominator) != 0)
    }

    /// As two words of a state.
    #[inline]
    pub(crate) fn words(self) -> [u64; 2] {
        [self.numerator as u64, self.denominator as u64]
    }

    /// From two words of a state; `None` if they say that there is no value.
    #[inline]
    pub(crate) fn from_words(words: [u64; 2]) -> Option<Fraction> {
        (words[1] != 0).then_some(Fraction {
            numerator: words[0] as i64,
            denominator: words[1] as i64,
        })
    }

    fn with(self, other: Fraction) -> [i128; 4] {
        [
            self.numerator,
            self.denominator,
            other.numerator,
            other.denominator,
        ]
        .map(i128::from)
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        let [a, b, c, d] = self.with(*other);
        (a * d).cmp(&(c * b))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            below => write!(f, "{}/{below}", self.numerator),
        }
    }
}

/// The largest number that divides both; the other one if one is 0.
pub(super) fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn fraction(numerator: i128, denominator: i128) -> Fraction {
        Fraction::new(numerator, denominator).unwrap()
    }

    #[test]
    fn arithmetic_is_exact() {
        let third = fraction(1, 3);
        assert_eq!(third.plus(fraction(1, 6)), Some(fraction(1, 2)));
        assert_eq!(third.times(fraction(-6, 4)), Some(fraction(-1, 2)));
        assert_eq!(third.over(fraction(-2, 3)), Some(fraction(-1, 2)));
        assert_eq!(third.over(Fraction::ZERO), None);
        assert_eq!(fraction(-2, -4).to_string(), "1/2");
        assert_eq!(fraction(7, 2).ceiling(), 4);
        assert_eq!(fraction(-7, 2).ceiling(), -3);
        assert_eq!(Fraction::whole(3).ceiling(), 3);
        assert!(fraction(1, 3) < fraction(34, 100));
    }

    #[test]
    fn what_is_too_large_is_not_rounded() {
        let most = Fraction::whole(i64::MAX);
        let least = Fraction::whole(i64::MIN);
        assert_eq!(most.plus(Fraction::ONE), None);
        assert_eq!(least.negated(), None);
        assert_eq!(least.minus(Fraction::ONE), None);
        assert_eq!(most.times(most), None);
        let small = fraction(1, i128::from(i64::MAX));
        assert_eq!(small.times(small), None);
        assert_eq!(most.over(small), None);
        assert_eq!(most.times(small), Some(Fraction::ONE));
        assert_eq!(small.plus(most), None);
        assert_eq!(least.over(least), Some(Fraction::ONE));
        assert!(least < small && small < most);
    }

    #[test]
    fn random_sums_and_products_keep_the_laws() {
        let mut random = Random::new(5);
        let mut draw = || fraction(random.below(41) as i128 - 20, 1 + random.below(12) as i128);
        for _ in 0..2000 {
            let (a, b, c) = (draw(), draw(), draw());
            let sum = a.plus(b).unwrap();
            assert_eq!(sum.minus(b), Some(a));
            assert_eq!(sum.times(c), a.times(c).unwrap().plus(b.times(c).unwrap()));
            if b != Fraction::ZERO {
                assert_eq!(a.over(b).unwrap().times(b), Some(a));
            }
            assert_eq!(Fraction::from_words(a.words()), Some(a));
            assert_eq!(a < b, a.minus(b).unwrap().sign() < 0);
        }
    }
}
