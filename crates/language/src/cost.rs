//! What plans cost: exact, whatever the texts say.
//!
//! A [`Cost`] is a whole number of units. The unit is the finest decimal place
//! any number of the two texts has ([`Scale`]), so that `0.1` and `1.25` are 10
//! and 125 units and no sum is ever rounded. A number may have [`DIGITS`]
//! digits at that scale; more is a mistake in the text. A plan would need
//! 10^11 steps of the dearest action before its sum left 128 bits, so sums
//! cannot overflow, and adding panics rather than wrap should that be wrong.
//!
//! "Very expensive" is a large [`Cost`]; "no plan goes through here" is
//! [`Distance::Dead`]. They are different variants, so that no arithmetic leads
//! from one to the other.

use crate::number::Rational;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// An amount of cost, in units of the model's [`Scale`].
///
/// ```
/// use planoku_language::cost::{Cost, Scale};
///
/// let scale = Scale::of(["0.1", "1.25", "3.0"]);
/// let sum = scale.read("0.1").unwrap() + scale.read("1.25").unwrap();
/// assert_eq!(scale.show(sum).to_string(), "1.35");
/// assert_eq!(Cost::from(u64::MAX) + Cost::ONE, Cost::of_units(1 << 64));
/// ```
// Packed, because searches keep millions of them beside 32-bit numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(Rust, packed(8))]
pub struct Cost(u128);

/// A number has at most so many digits, the decimals of its scale included.
pub const DIGITS: u32 = 27;

impl Cost {
    /// Nothing.
    pub const ZERO: Cost = Cost(0);
    /// One unit: what an action costs where the texts do not speak of cost.
    pub const ONE: Cost = Cost(1);
    /// More than any plan costs.
    pub const MAX: Cost = Cost(u128::MAX);

    /// So many units.
    pub const fn of_units(units: u128) -> Cost {
        Cost(units)
    }

    /// How many units.
    pub const fn units(self) -> u128 {
        self.0
    }

    /// How many units, if 64 bits hold them.
    pub fn small(self) -> Option<u64> {
        u64::try_from(self.units()).ok()
    }

    /// The sum, or `None` if 128 bits are not enough.
    pub const fn checked_add(self, other: Cost) -> Option<Cost> {
        match self.0.checked_add(other.0) {
            Some(units) => Some(Cost(units)),
            None => None,
        }
    }

    /// The sum, or [`Cost::MAX`]: for bounds from below and for the order of
    /// queues, never for what a plan costs.
    pub const fn saturating_add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }

    /// The difference, or nothing if the other is more.
    pub const fn less(self, other: Cost) -> Cost {
        Cost(self.0.saturating_sub(other.0))
    }

    /// So many times this, or [`Cost::MAX`]; as [`Cost::saturating_add`].
    pub const fn saturating_mul(self, times: u128) -> Cost {
        Cost(self.0.saturating_mul(times))
    }
}

impl From<u64> for Cost {
    fn from(units: u64) -> Cost {
        Cost(u128::from(units))
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        self.checked_add(other)
            .expect("no plan is long enough to cost more than 128 bits hold")
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

/// What an estimate says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distance {
    /// About so much is left to pay; for an admissible estimate, at least.
    Left(Cost),
    /// No plan goes through here: a proof, whatever costs are.
    Dead,
}

/// How many decimals the unit of cost has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scale(u32);

/// Why a text is not a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostError {
    /// It is below 0, or not a number.
    NotFromZero,
    /// It has more digits than [`DIGITS`] at this scale.
    TooLong,
    /// It has more decimals than the scale.
    TooFine,
}

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CostError::NotFromZero => f.write_str("costs are numbers from 0, such as 3 or 0.25"),
            CostError::TooLong => write!(
                f,
                "costs have at most {DIGITS} digits, counted with as many decimals as the finest cost of the two texts has"
            ),
            CostError::TooFine => f.write_str("no cost of the two texts has so many decimals"),
        }
    }
}

impl std::error::Error for CostError {}

impl Scale {
    /// The coarsest scale in which all of these numbers are whole, as far as
    /// they have no more than [`DIGITS`] decimals.
    pub fn of<'a>(numbers: impl IntoIterator<Item = &'a str>) -> Scale {
        let decimals = numbers.into_iter().map(|it| split(it).1.len() as u32);
        let fits = decimals.filter(|&it| it <= DIGITS);
        Scale(fits.max().unwrap_or(0))
    }

    /// How many decimals.
    pub fn decimals(self) -> u32 {
        self.0
    }

    /// What costs 1 in the words of the text.
    pub fn one(self) -> Cost {
        Cost(10u128.pow(self.0))
    }

    /// Reads a number at this scale.
    pub fn read(self, text: &str) -> Result<Cost, CostError> {
        let (whole, decimals) = split(text);
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let named = !whole.is_empty() || text.contains(|it: char| it.is_ascii_digit());
        if !named || !digits(whole) || !digits(decimals) {
            return Err(CostError::NotFromZero);
        }
        let Some(missing) = self.0.checked_sub(decimals.len() as u32) else {
            return Err(match decimals.len() as u32 > DIGITS {
                true => CostError::TooLong,
                false => CostError::TooFine,
            });
        };
        let written = whole.trim_start_matches('0').to_owned() + decimals;
        if written.trim_start_matches('0').is_empty() {
            return Ok(Cost::ZERO);
        }
        if written.len() as u32 + missing > DIGITS {
            return Err(CostError::TooLong);
        }
        let units: u128 = written.parse().map_err(|_| CostError::TooLong)?;
        Ok(Cost(units * 10u128.pow(missing)))
    }

    /// Reads a number that may be below 0.
    pub fn number(self, text: &str) -> Result<Rational, CostError> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) if !digits.starts_with('+') => (-1, digits),
            _ => (1, text),
        };
        // At most `DIGITS` digits, so both halves fit.
        let units = self.read(digits)?.units() as i128;
        let one = self.one().units() as i128;
        Rational::new(sign * units, one).map_err(|_| CostError::TooLong)
    }

    /// The number as a cost, unless it is below 0 or has more decimals.
    pub fn cost(self, number: Rational) -> Option<Cost> {
        let one = self.one().units() as i128;
        let units = number.times(Rational::new(one, 1).ok()?).ok()?;
        let whole = units.is_whole().then_some(units.numerator())?;
        whole.try_into().ok().map(Cost)
    }

    /// A cost in the words of the text: with decimals only where it has some.
    pub fn show(self, cost: Cost) -> impl fmt::Display {
        struct Shown(Scale, Cost);
        impl fmt::Display for Shown {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let one = self.0.one().units();
                let (whole, part) = (self.1.units() / one, self.1.units() % one);
                if part == 0 {
                    return write!(f, "{whole}");
                }
                let part = format!("{part:0width$}", width = self.0.decimals() as usize);
                write!(f, "{whole}.{}", part.trim_end_matches('0'))
            }
        }
        Shown(self, cost)
    }
}

/// The digits before and after the point, without zeros at the end.
fn split(number: &str) -> (&str, &str) {
    let number = number.strip_prefix('+').unwrap_or(number);
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    (whole, decimals.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_shown_without_loss() {
        let numbers = [
            "0",
            "7",
            "0.1",
            "1.25",
            "18446744073709551615",
            "0.007",
            "12.5",
            ".5",
            "3.000",
        ];
        let scale = Scale::of(numbers);
        assert_eq!(scale.decimals(), 3);
        for number in numbers {
            let cost = scale.read(number).unwrap();
            let shown = scale.show(cost).to_string();
            assert_eq!(scale.read(&shown), Ok(cost), "{number}");
            let (whole, decimals) = split(number);
            let whole = if whole.is_empty() { "0" } else { whole };
            let point = if decimals.is_empty() { "" } else { "." };
            assert_eq!(shown, format!("{whole}{point}{decimals}"));
        }
    }

    #[test]
    fn what_cannot_be_represented_is_refused() {
        let scale = Scale::of(["0.01"]);
        for (text, error) in [
            ("-1", CostError::NotFromZero),
            ("", CostError::NotFromZero),
            (".", CostError::NotFromZero),
            ("x", CostError::NotFromZero),
            ("0.001", CostError::TooFine),
            ("10000000000000000000000000", CostError::TooLong),
            ("0.0000000000000000000000000001", CostError::TooLong),
        ] {
            assert_eq!(scale.read(text), Err(error), "{text}");
        }
        let below = scale.number("-1.5").unwrap();
        assert_eq!(below.to_string(), "-1.5");
        assert_eq!(scale.cost(below), None);
        assert_eq!(scale.cost(below.negated()), scale.read("1.5").ok());
        let most = "9".repeat(DIGITS as usize - 2);
        let cost = scale.read(&most).unwrap();
        assert_eq!(scale.show(cost).to_string(), most);
        // A billion steps of it still add up.
        assert!(cost.units().checked_mul(1_000_000_000).is_some());
    }

    #[test]
    #[should_panic(expected = "no plan is long enough")]
    fn a_sum_that_does_not_fit_is_never_wrapped() {
        let _ = Cost::MAX + Cost::ONE;
    }
}
