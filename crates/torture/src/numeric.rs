//! Numbers that change: they stand in the texts as tenths, and what comes of
//! dividing them the oracle keeps as fractions.

use std::fmt;

/// Values that a state holds at most.
pub const VALUES: usize = 6;

/// A number as written, in tenths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenths(pub i64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        match size % 10 {
            0 => write!(f, "{sign}{}", size / 10),
            part => write!(f, "{sign}{}.{part}", size / 10),
        }
    }
}

/// A fraction in lowest terms, or nothing at all where the denominator is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ratio(pub i64, pub i64);

/// What is too large for [`Ratio`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Ratio {
    /// No number.
    pub const UNDEFINED: Ratio = Ratio(0, 0);

    /// A quotient; undefined if it divides by 0.
    pub fn of(above: i128, below: i128) -> Result<Ratio, TooLarge> {
        if below == 0 {
            return Ok(Ratio::UNDEFINED);
        }
        let (mut a, mut b) = (above.unsigned_abs(), below.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let by = a as i128 * below.signum();
        let small = |it: i128| i64::try_from(it).map_err(|_| TooLarge);
        Ok(Ratio(small(above / by)?, small(below / by)?))
    }

    /// As written.
    pub fn tenths(tenths: Tenths) -> Ratio {
        Ratio::of(i128::from(tenths.0), 10).unwrap_or(Ratio::UNDEFINED)
    }

    /// True if it is no number.
    pub fn is_undefined(self) -> bool {
        self.1 == 0
    }

    /// Two numbers with a sign between; undefined if one of them is.
    pub fn two(sign: char, a: Ratio, b: Ratio) -> Result<Ratio, TooLarge> {
        if a.is_undefined() || b.is_undefined() {
            return Ok(Ratio::UNDEFINED);
        }
        let [p, q, r, s] = [a.0, a.1, b.0, b.1].map(i128::from);
        match sign {
            '+' => Ratio::of(p * s + r * q, q * s),
            '-' => Ratio::of(p * s - r * q, q * s),
            '*' => Ratio::of(p * r, q * s),
            _ => Ratio::of(p * s, q * r),
        }
    }

    /// True if two numbers compare so, or, if that is asked, do not.
    pub fn compare(sign: &str, a: Ratio, b: Ratio, positive: bool) -> bool {
        if a.is_undefined() || b.is_undefined() {
            return false;
        }
        let order = (i128::from(a.0) * i128::from(b.1)).cmp(&(i128::from(b.0) * i128::from(a.1)));
        let holds = match sign {
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            "=" => order.is_eq(),
            ">=" => order.is_ge(),
            _ => order.is_gt(),
        };
        holds == positive
    }
}
