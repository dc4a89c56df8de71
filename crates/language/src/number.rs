//! Exact numbers: fractions of 128 bits whose every operation is checked.
//!
//! Numbers in a text are decimals; sums, products and quotients of them are
//! fractions, and nothing here rounds. What leaves 128 bits is
//! [`NumberError::TooLarge`], never a wrong value. A plan would have to
//! multiply for some hundred steps to get there, so numbers of any length
//! (another dependency, and slower) are not worth their price; see
//! `docs/decisions/0010-numbers.md`.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator.
///
/// ```
/// use planoku_language::number::Rational;
///
/// let third = Rational::new(1, 3).unwrap();
/// let sum = third.plus(Rational::from(1)).unwrap();
/// assert_eq!(sum.to_string(), "4/3");
/// assert_eq!(Rational::new(-5, 4).unwrap().to_string(), "-1.25");
/// assert!(third < Rational::new(34, 100).unwrap());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// Something was divided by 0.
    DividedByZero,
    /// The result does not fit 128 bits.
    TooLarge,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberError::DividedByZero => "division by 0",
            NumberError::TooLarge => "a number too large to be judged exactly",
        })
    }
}

impl std::error::Error for NumberError {}

impl Rational {
    /// Nothing.
    pub const ZERO: Rational = Rational {
        numerator: 0,
        denominator: 1,
    };
    /// One.
    pub const ONE: Rational = Rational {
        numerator: 1,
        denominator: 1,
    };

    /// The fraction in lowest terms.
    pub fn new(numerator: i128, denominator: i128) -> Result<Rational, NumberError> {
        if denominator == 0 {
            return Err(NumberError::DividedByZero);
        }
        let common = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let part = |of: i128| i128::try_from(of.unsigned_abs() / common);
        let (Ok(top), Ok(bottom)) = (part(numerator), part(denominator)) else {
            return Err(NumberError::TooLarge);
        };
        let negative = (numerator < 0) != (denominator < 0);
        Ok(Rational {
            numerator: if negative { -top } else { top },
            denominator: bottom,
        })
    }

    /// What stands above the line; negative if the number is.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// What stands below the line; at least 1.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// True for whole numbers.
    pub fn is_whole(self) -> bool {
        self.denominator == 1
    }

    /// True below 0.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// The number with its sign turned. (No numerator is the least of its
    /// type, so this cannot fail.)
    pub fn negated(self) -> Rational {
        Rational {
            numerator: -self.numerator,
            ..self
        }
    }

    /// The sum.
    pub fn plus(self, other: Rational) -> Result<Rational, NumberError> {
        let common = gcd(
            self.denominator.unsigned_abs(),
            other.denominator.unsigned_abs(),
        ) as i128;
        let (mine, theirs) = (other.denominator / common, self.denominator / common);
        let sum = || {
            let first = self.numerator.checked_mul(mine)?;
            let second = other.numerator.checked_mul(theirs)?;
            let top = first.checked_add(second)?;
            Some((top, self.denominator.checked_mul(mine)?))
        };
        let (top, bottom) = sum().ok_or(NumberError::TooLarge)?;
        Rational::new(top, bottom)
    }

    /// The difference.
    pub fn minus(self, other: Rational) -> Result<Rational, NumberError> {
        self.plus(other.negated())
    }

    /// The product.
    pub fn times(self, other: Rational) -> Result<Rational, NumberError> {
        // Crosswise in lowest terms first, so that nothing large is made that
        // would be divided away.
        let a = Rational::new(self.numerator, other.denominator)?;
        let b = Rational::new(other.numerator, self.denominator)?;
        let top = a.numerator.checked_mul(b.numerator);
        let bottom = a.denominator.checked_mul(b.denominator);
        let (top, bottom) = top.zip(bottom).ok_or(NumberError::TooLarge)?;
        Rational::new(top, bottom)
    }

    /// The quotient.
    pub fn over(self, other: Rational) -> Result<Rational, NumberError> {
        self.times(Rational::new(other.denominator, other.numerator)?)
    }

    /// The decimals after the point, if they come to an end and fit.
    fn decimals(self) -> Option<(i128, u32)> {
        let (mut rest, mut twos, mut fives) = (self.denominator, 0, 0);
        while rest % 2 == 0 {
            (rest, twos) = (rest / 2, twos + 1);
        }
        while rest % 5 == 0 {
            (rest, fives) = (rest / 5, fives + 1);
        }
        let places = u32::max(twos, fives);
        if rest != 1 {
            return None;
        }
        let scale = 10i128.checked_pow(places)?;
        let digits = self.numerator.checked_mul(scale / self.denominator)?;
        Some((digits, places))
    }

    /// True if the number can be written with finitely many decimals.
    pub fn is_decimal(self) -> bool {
        self.decimals().is_some()
    }
}

impl From<i64> for Rational {
    fn from(whole: i64) -> Rational {
        Rational {
            numerator: whole.into(),
            denominator: 1,
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    /// Exact without products: whole parts first, then the remainders turned
    /// over, as Euclid would.
    fn cmp(&self, other: &Rational) -> Ordering {
        let (mut a, mut b) = (*self, *other);
        let mut turned = false;
        loop {
            let whole = |it: Rational| it.numerator.div_euclid(it.denominator);
            let rest = |it: Rational| it.numerator.rem_euclid(it.denominator);
            let found = match whole(a).cmp(&whole(b)) {
                Ordering::Equal => match (rest(a), rest(b)) {
                    (0, 0) => Ordering::Equal,
                    (0, _) => Ordering::Less,
                    (_, 0) => Ordering::Greater,
                    (p, q) => {
                        (a.numerator, a.denominator) = (a.denominator, p);
                        (b.numerator, b.denominator) = (b.denominator, q);
                        turned = !turned;
                        continue;
                    }
                },
                unequal => unequal,
            };
            return if turned { found.reverse() } else { found };
        }
    }
}

/// As a decimal where that comes to an end, otherwise as a fraction.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decimals() {
            Some((digits, 0)) => write!(f, "{digits}"),
            Some((digits, places)) => {
                let one = 10u128.pow(places);
                let (whole, part) = (digits.unsigned_abs() / one, digits.unsigned_abs() % one);
                let sign = if digits < 0 { "-" } else { "" };
                write!(f, "{sign}{whole}.{part:0width$}", width = places as usize)
            }
            None => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(top: i128, bottom: i128) -> Rational {
        Rational::new(top, bottom).unwrap()
    }

    #[test]
    fn small_fractions_obey_the_laws_of_arithmetic() {
        let all: Vec<Rational> = (-6..=6)
            .flat_map(|top| (1..=5).map(move |bottom| number(top, bottom)))
            .collect();
        for &a in &all {
            for &b in &all {
                let sum = a.plus(b).unwrap();
                assert_eq!(sum.minus(b), Ok(a));
                assert_eq!(sum, b.plus(a).unwrap());
                // Against the definition: cross products of small numbers.
                let cross = (a.numerator * b.denominator).cmp(&(b.numerator * a.denominator));
                assert_eq!(a.cmp(&b), cross, "{a} {b}");
                match b == Rational::ZERO {
                    true => assert_eq!(a.over(b), Err(NumberError::DividedByZero)),
                    false => assert_eq!(a.over(b).unwrap().times(b), Ok(a)),
                }
                for &c in &all {
                    let left = a.times(b.plus(c).unwrap()).unwrap();
                    let right = a.times(b).unwrap().plus(a.times(c).unwrap()).unwrap();
                    assert_eq!(left, right);
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_said_and_never_wrapped() {
        let huge = number(i128::MAX, 1);
        let tiny = number(1, i128::MAX);
        assert_eq!(huge.plus(Rational::ONE), Err(NumberError::TooLarge));
        assert_eq!(huge.times(huge), Err(NumberError::TooLarge));
        assert_eq!(tiny.over(huge), Err(NumberError::TooLarge));
        assert_eq!(huge.times(tiny), Ok(Rational::ONE));
        assert_eq!(Rational::new(i128::MIN, 1), Err(NumberError::TooLarge));
        assert_eq!(Rational::new(i128::MIN, 2).unwrap().denominator(), 1);
        // Compared without ever multiplying.
        assert!(number(i128::MAX - 1, i128::MAX) < Rational::ONE);
        assert!(number(i128::MAX - 2, i128::MAX - 1) < number(i128::MAX - 1, i128::MAX));
        assert!(huge.negated() < tiny.negated());
    }

    #[test]
    fn decimals_are_shown_as_decimals() {
        for (number, text) in [
            (number(3, 1), "3"),
            (number(-1, 2), "-0.5"),
            (number(1, 8), "0.125"),
            (number(7, 20), "0.35"),
            (number(-2, 3), "-2/3"),
            (number(1, 30), "1/30"),
        ] {
            assert_eq!(number.to_string(), text);
        }
    }
}
