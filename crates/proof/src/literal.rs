//! What a clause is made of: a variable, or its negation.

use std::fmt;
use std::ops::Not;

/// A propositional variable, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(u32);

impl Var {
    /// The largest number of variables a formula may have. A literal is then
    /// always a positive `i32` when doubled, which every solver can hold.
    pub const LIMIT: usize = 1 << 29;

    /// The variable with this index.
    ///
    /// # Panics
    /// If the index is not below [`Var::LIMIT`].
    pub fn new(index: usize) -> Var {
        assert!(index < Var::LIMIT, "no formula has so many variables");
        Var(index as u32)
    }

    /// Counted from 0, for arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that says the variable is true.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that says the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal that says the variable has this value.
    #[inline]
    pub fn is(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0 + 1)
    }
}

/// A variable or its negation.
///
/// Stored as twice the variable's index, plus one if negated; so a literal and
/// its negation are neighbours, and [`Lit::index`] serves arrays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// The variable.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// True if the literal says the variable is true.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// Counted from 0, a literal beside its negation, for arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// As DIMACS writes it: variables from 1, minus for negation.
    #[inline]
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_positive() { number } else { -number }
    }

    /// From the DIMACS form; `None` for 0 and for variables beyond
    /// [`Var::LIMIT`].
    #[inline]
    pub fn from_dimacs(number: i64) -> Option<Lit> {
        let var = number.unsigned_abs().checked_sub(1)?;
        (var < Var::LIMIT as u64).then(|| Var(var as u32).is(number > 0))
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_numbers_and_literals_are_the_same_thing() {
        for number in [1, -1, 2, -2, 77, -(Var::LIMIT as i64), Var::LIMIT as i64] {
            let lit = Lit::from_dimacs(number).unwrap();
            assert_eq!(i64::from(lit.to_dimacs()), number);
            assert_eq!(i64::from((!lit).to_dimacs()), -number);
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(Var::LIMIT as i64 + 1), None);
        assert_eq!(Lit::from_dimacs(i64::MIN), None);
    }
}
