//! Everything between two numbers, either of which may be infinitely far.
//!
//! The result of an operation holds at least what the operation makes of the
//! members, never less: where a bound is too large to be kept, it is infinite.
//! So what an interval rules out is ruled out.

use super::{Fraction, ZeroTest};

/// The numbers from `low` to `high`, both included; `None` is infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least, if there is one.
    pub low: Option<Fraction>,
    /// The largest, if there is one.
    pub high: Option<Fraction>,
}

impl Interval {
    /// All numbers.
    pub const ALL: Interval = Interval {
        low: None,
        high: None,
    };

    /// One number.
    pub fn of(number: Fraction) -> Interval {
        Interval {
            low: Some(number),
            high: Some(number),
        }
    }

    /// The least interval that holds both.
    pub fn union(self, other: Interval) -> Interval {
        let both = |a: Option<Fraction>, b: Option<Fraction>| Some((a?, b?));
        Interval {
            low: both(self.low, other.low).map(|(a, b)| a.min(b)),
            high: both(self.high, other.high).map(|(a, b)| a.max(b)),
        }
    }

    /// True if all of the other lies within.
    pub fn holds(self, other: Interval) -> bool {
        self.union(other) == self
    }

    /// Sums of members.
    pub fn plus(self, other: Interval) -> Interval {
        let sum = |a: Option<Fraction>, b: Option<Fraction>| a?.plus(b?);
        Interval {
            low: sum(self.low, other.low),
            high: sum(self.high, other.high),
        }
    }

    /// Products of members.
    pub fn times(self, other: Interval) -> Interval {
        let mut all: Option<(End, End)> = None;
        for a in [End::low(self), End::high(self)] {
            for b in [End::low(other), End::high(other)] {
                let Some(product) = a.times(b) else {
                    return Interval::ALL;
                };
                all = Some(match all {
                    None => (product, product),
                    Some((low, high)) => (low.min(product), high.max(product)),
                });
            }
        }
        all.map_or(Interval::ALL, |(low, high)| Interval {
            low: low.finite(),
            high: high.finite(),
        })
    }

    /// Quotients of members; `None` if the only divisor is 0.
    pub fn over(self, other: Interval) -> Option<Interval> {
        if other == Interval::of(Fraction::ZERO) {
            return None;
        }
        if other.may(ZeroTest::Zero) {
            return Some(Interval::ALL);
        }
        // One over infinity is as good as 0; one over a bound may be too fine
        // to be kept, and is then nothing we know.
        let inverse = |bound: Option<Fraction>| match bound {
            None => Some(Fraction::ZERO),
            Some(bound) => Fraction::ONE.over(bound),
        };
        let (Some(low), Some(high)) = (inverse(other.high), inverse(other.low)) else {
            return Some(Interval::ALL);
        };
        Some(self.times(Interval {
            low: Some(low),
            high: Some(high),
        }))
    }

    /// True if some member passes the test.
    pub fn may(self, test: ZeroTest) -> bool {
        let reaches =
            |bound: Option<Fraction>, side: i64| bound.is_none_or(|it| it.sign() * side >= 0);
        match test {
            ZeroTest::Positive => self.high.is_none_or(|it| it.sign() > 0),
            ZeroTest::NotNegative => reaches(self.high, 1),
            ZeroTest::Zero => reaches(self.high, 1) && reaches(self.low, -1),
            ZeroTest::NotZero => self != Interval::of(Fraction::ZERO),
        }
    }

    /// True if every member passes the test.
    pub fn must(self, test: ZeroTest) -> bool {
        let negated = Interval {
            low: self.high.and_then(Fraction::negated),
            high: self.low.and_then(Fraction::negated),
        };
        match test {
            ZeroTest::Positive => !negated.may(ZeroTest::NotNegative),
            ZeroTest::NotNegative => !negated.may(ZeroTest::Positive),
            ZeroTest::Zero => !self.may(ZeroTest::NotZero),
            ZeroTest::NotZero => !self.may(ZeroTest::Zero),
        }
    }
}

/// The end of an interval.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Below,
    At(Fraction),
    Above,
}

impl End {
    fn low(of: Interval) -> End {
        of.low.map_or(End::Below, End::At)
    }

    fn high(of: Interval) -> End {
        of.high.map_or(End::Above, End::At)
    }

    fn sign(self) -> i64 {
        match self {
            End::Below => -1,
            End::At(number) => number.sign(),
            End::Above => 1,
        }
    }

    /// The product, where nothing times infinity is nothing; `None` if it is
    /// too large.
    fn times(self, other: End) -> Option<End> {
        match (self, other) {
            (End::At(a), End::At(b)) => a.times(b).map(End::At),
            _ => Some(match self.sign() * other.sign() {
                1 => End::Above,
                -1 => End::Below,
                _ => End::At(Fraction::ZERO),
            }),
        }
    }

    fn finite(self) -> Option<Fraction> {
        match self {
            End::At(number) => Some(number),
            End::Below | End::Above => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn member(interval: Interval, number: Fraction) -> bool {
        interval.holds(Interval::of(number))
    }

    /// Small intervals, some of them infinite, and a member of each.
    fn draw(random: &mut Random) -> (Interval, Fraction) {
        let mut number = || random.below(13) as i64 - 6;
        let (a, b) = (number(), number());
        let (low, high) = (a.min(b), a.max(b));
        let inside = low + (number() + 6) % (high - low + 1);
        let inside = Fraction::new(i128::from(inside), 1).unwrap();
        let infinite = random.below(8);
        let interval = Interval {
            low: (infinite != 0).then_some(Fraction::whole(low)),
            high: (infinite != 1).then_some(Fraction::whole(high)),
        };
        (interval, inside)
    }

    #[test]
    fn intervals_hold_what_operations_make_of_their_members() {
        let mut random = Random::new(9);
        for _ in 0..5000 {
            let ((x, a), (y, b)) = (draw(&mut random), draw(&mut random));
            assert!(member(x, a) && member(y, b));
            assert!(member(x.union(y), a) && member(x.union(y), b));
            assert!(member(x.plus(y), a.plus(b).unwrap()));
            assert!(member(x.times(y), a.times(b).unwrap()), "{x:?} {y:?}");
            if let Some(quotient) = a.over(b) {
                assert!(member(x.over(y).unwrap(), quotient), "{x:?} {y:?}");
            }
            for test in ZeroTest::ALL {
                assert!(!test.passes(a) || x.may(test), "{x:?} {test:?}");
                assert!(test.passes(a) || !x.must(test), "{x:?} {test:?}");
                // And no wider than need be.
                let sides = [x.low, x.high].into_iter().flatten();
                let passes = sides.clone().chain([a, Fraction::ZERO]);
                let some = passes.filter(|&it| member(x, it)).any(|it| test.passes(it));
                let infinite = x.low.is_none() || x.high.is_none();
                assert!(infinite || some == x.may(test), "{x:?} {test:?}");
            }
        }
    }

    #[test]
    fn what_is_too_large_is_infinite() {
        let most = Interval::of(Fraction::whole(i64::MAX));
        assert_eq!(most.plus(most).high, None);
        assert_eq!(most.times(most), Interval::ALL);
        assert_eq!(most.over(Interval::of(Fraction::ZERO)), None);
    }
}
