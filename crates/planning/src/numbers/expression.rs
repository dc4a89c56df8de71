//! What is calculated from variables.
//!
//! Most of what people write is linear: a sum of variables, each so many times,
//! and a constant. It is kept as such, so that equal sums are equal and what an
//! action adds to one can be read off. Whatever is not linear is a tree with
//! linear leaves.

use super::fraction::greatest_common_divisor;
use super::{Fraction, Interval, VariableIndex, ZeroTest};

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// A variable without a value is read, or something is divided by 0.
    Undefined,
    /// There is one, but it is too large to be kept exactly.
    TooLarge,
}

/// A constant and so many times each of some variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinearSum {
    /// The constant.
    pub constant: Fraction,
    /// Variables in ascending order, each once, with their factors. A factor of
    /// 0 says that the variable has to have a value.
    pub terms: Vec<(VariableIndex, Fraction)>,
}

/// What is calculated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroundExpression {
    /// A sum.
    Linear(LinearSum),
    /// The sum of two, not both linear.
    Sum(Box<[GroundExpression; 2]>),
    /// The product of two that are not constant, or not linear.
    Product(Box<[GroundExpression; 2]>),
    /// The first divided by the second, which is not constant.
    Quotient(Box<[GroundExpression; 2]>),
}

impl From<Fraction> for GroundExpression {
    fn from(constant: Fraction) -> GroundExpression {
        GroundExpression::Linear(LinearSum {
            constant,
            terms: vec![],
        })
    }
}

impl GroundExpression {
    /// The value of a variable.
    pub fn variable(variable: VariableIndex) -> GroundExpression {
        GroundExpression::Linear(LinearSum {
            constant: Fraction::ZERO,
            terms: vec![(variable, Fraction::ONE)],
        })
    }

    /// What never has a value.
    pub fn undefined() -> GroundExpression {
        let parts = [Fraction::ONE, Fraction::ZERO].map(GroundExpression::from);
        GroundExpression::Quotient(Box::new(parts))
    }

    /// The number it is, if it reads no variable.
    pub fn constant(&self) -> Option<Fraction> {
        match self {
            GroundExpression::Linear(linear) if linear.terms.is_empty() => Some(linear.constant),
            _ => None,
        }
    }

    /// True if nothing is divided.
    pub fn is_whole(&self) -> bool {
        match self {
            GroundExpression::Linear(_) => true,
            GroundExpression::Sum(parts) | GroundExpression::Product(parts) => {
                parts.iter().all(GroundExpression::is_whole)
            }
            GroundExpression::Quotient(_) => false,
        }
    }

    /// As a sum, if it is one.
    pub fn linear(&self) -> Option<&LinearSum> {
        match self {
            GroundExpression::Linear(linear) => Some(linear),
            _ => None,
        }
    }

    /// The sum.
    pub fn plus(self, other: GroundExpression) -> Result<GroundExpression, NoValue> {
        match (self, other) {
            (GroundExpression::Linear(a), GroundExpression::Linear(b)) => {
                Ok(GroundExpression::Linear(a.plus(&b)?))
            }
            (a, b) => Ok(GroundExpression::Sum(Box::new([a, b]))),
        }
    }

    /// The difference.
    pub fn minus(self, other: GroundExpression) -> Result<GroundExpression, NoValue> {
        self.plus(other.times(Fraction::whole(-1).into())?)
    }

    /// The product.
    pub fn times(self, other: GroundExpression) -> Result<GroundExpression, NoValue> {
        match (self.constant(), other.constant(), self, other) {
            (Some(factor), _, _, GroundExpression::Linear(linear))
            | (_, Some(factor), GroundExpression::Linear(linear), _) => {
                Ok(GroundExpression::Linear(linear.scaled(factor)?))
            }
            (_, _, a, b) => Ok(GroundExpression::Product(Box::new([a, b]))),
        }
    }

    /// The quotient.
    pub fn over(self, other: GroundExpression) -> Result<GroundExpression, NoValue> {
        match other.constant() {
            Some(divisor) if divisor == Fraction::ZERO => Err(NoValue::Undefined),
            Some(divisor) => {
                let factor = Fraction::ONE.over(divisor).ok_or(NoValue::TooLarge)?;
                self.times(factor.into())
            }
            None => Ok(GroundExpression::Quotient(Box::new([self, other]))),
        }
    }

    /// The same without variables of factor 0 that have a value for certain.
    pub fn tidied(mut self, defined: &impl Fn(VariableIndex) -> bool) -> GroundExpression {
        self.visit(&mut |linear| {
            let needless = |&(variable, factor): &_| factor == Fraction::ZERO && defined(variable);
            linear.terms.retain(|term| !needless(term));
        });
        self
    }

    fn visit(&mut self, change: &mut impl FnMut(&mut LinearSum)) {
        match self {
            GroundExpression::Linear(linear) => change(linear),
            GroundExpression::Sum(parts)
            | GroundExpression::Product(parts)
            | GroundExpression::Quotient(parts) => {
                parts.iter_mut().for_each(|part| part.visit(change));
            }
        }
    }

    /// The same with other names for its variables.
    pub fn renamed(mut self, name: &impl Fn(VariableIndex) -> VariableIndex) -> GroundExpression {
        self.visit(&mut |linear| {
            let terms = linear.terms.iter_mut();
            terms.for_each(|(variable, _)| *variable = name(*variable));
            linear.terms.sort_unstable_by_key(|term| term.0);
        });
        self
    }

    /// The variables it reads; one may be named twice.
    pub fn variables(&self, into: &mut Vec<VariableIndex>) {
        match self {
            GroundExpression::Linear(linear) => into.extend(linear.terms.iter().map(|it| it.0)),
            GroundExpression::Sum(parts)
            | GroundExpression::Product(parts)
            | GroundExpression::Quotient(parts) => {
                parts.iter().for_each(|part| part.variables(into));
            }
        }
    }

    /// What it comes to.
    pub fn value(
        &self,
        read: &impl Fn(VariableIndex) -> Option<Fraction>,
    ) -> Result<Fraction, NoValue> {
        let both = |[a, b]: &[GroundExpression; 2]| Ok((a.value(read)?, b.value(read)?));
        let result = match self {
            GroundExpression::Linear(linear) => return linear.value(read),
            GroundExpression::Sum(parts) => both(parts).map(|(a, b)| a.plus(b))?,
            GroundExpression::Product(parts) => both(parts).map(|(a, b)| a.times(b))?,
            GroundExpression::Quotient(parts) => {
                let (a, b) = both(parts)?;
                if b == Fraction::ZERO {
                    return Err(NoValue::Undefined);
                }
                a.over(b)
            }
        };
        result.ok_or(NoValue::TooLarge)
    }

    /// What it may come to; `None` if it has no value.
    pub fn range(&self, read: &impl Fn(VariableIndex) -> Option<Interval>) -> Option<Interval> {
        match self {
            GroundExpression::Linear(linear) => {
                let start = Some(Interval::of(linear.constant));
                linear.terms.iter().fold(start, |sum, &(variable, factor)| {
                    Some(sum?.plus(read(variable)?.times(Interval::of(factor))))
                })
            }
            GroundExpression::Sum(parts) => Some(parts[0].range(read)?.plus(parts[1].range(read)?)),
            GroundExpression::Product(parts) => {
                Some(parts[0].range(read)?.times(parts[1].range(read)?))
            }
            GroundExpression::Quotient(parts) => parts[0].range(read)?.over(parts[1].range(read)?),
        }
    }

    /// The same question in the words all who ask it share: a linear expression
    /// is multiplied until its numbers are whole and have no divisor in common.
    pub fn normalised(self, test: ZeroTest) -> GroundExpression {
        match self {
            GroundExpression::Linear(linear) => {
                let normal = linear.normalised(test);
                GroundExpression::Linear(normal.unwrap_or(linear))
            }
            other => other,
        }
    }
}

impl LinearSum {
    /// The factor of a variable; 0 if it is not read.
    pub fn factor(&self, variable: VariableIndex) -> Fraction {
        let place = self.terms.binary_search_by_key(&variable, |term| term.0);
        place.map_or(Fraction::ZERO, |place| self.terms[place].1)
    }

    fn plus(&self, other: &LinearSum) -> Result<LinearSum, NoValue> {
        let sum = |a: Fraction, b: Fraction| a.plus(b).ok_or(NoValue::TooLarge);
        let mut terms = self.terms.clone();
        for &(variable, factor) in &other.terms {
            match terms.binary_search_by_key(&variable, |term| term.0) {
                Ok(place) => terms[place].1 = sum(terms[place].1, factor)?,
                Err(place) => terms.insert(place, (variable, factor)),
            }
        }
        let constant = sum(self.constant, other.constant)?;
        Ok(LinearSum { constant, terms })
    }

    fn scaled(&self, by: Fraction) -> Result<LinearSum, NoValue> {
        let scale = |number: Fraction| number.times(by).ok_or(NoValue::TooLarge);
        let scaled = |&(variable, factor): &_| Ok((variable, scale(factor)?));
        Ok(LinearSum {
            constant: scale(self.constant)?,
            terms: self.terms.iter().map(scaled).collect::<Result<_, _>>()?,
        })
    }

    #[inline]
    fn value(
        &self,
        read: &impl Fn(VariableIndex) -> Option<Fraction>,
    ) -> Result<Fraction, NoValue> {
        let mut sum = self.constant;
        for &(variable, factor) in &self.terms {
            let value = read(variable).ok_or(NoValue::Undefined)?;
            let product = value.times(factor).ok_or(NoValue::TooLarge)?;
            sum = sum.plus(product).ok_or(NoValue::TooLarge)?;
        }
        Ok(sum)
    }

    fn normalised(&self, test: ZeroTest) -> Option<LinearSum> {
        let numbers = || self.terms.iter().map(|term| term.1).chain([self.constant]);
        let below = numbers().try_fold(1i128, |all, number| {
            let below = i128::from(number.denominator());
            let common = greatest_common_divisor(all as u128, below as u128) as i128;
            (all / common).checked_mul(below)
        })?;
        let above = numbers().try_fold(0u128, |all, number| {
            let number = i128::from(number.numerator())
                .checked_mul(below / i128::from(number.denominator()))?;
            Some(greatest_common_divisor(all, number.unsigned_abs()))
        })?;
        let mut by = Fraction::new(below, i128::try_from(above).ok()?)?;
        // Both sides of 0 are the same to these.
        let either = matches!(test, ZeroTest::Zero | ZeroTest::NotZero);
        let first = self
            .terms
            .iter()
            .map(|term| term.1.sign())
            .find(|&it| it != 0);
        if either && first == Some(-1) {
            by = by.negated()?;
        }
        self.scaled(by).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(numerator: i128, denominator: i128) -> GroundExpression {
        Fraction::new(numerator, denominator).unwrap().into()
    }

    fn x() -> GroundExpression {
        GroundExpression::variable(0)
    }

    fn y() -> GroundExpression {
        GroundExpression::variable(1)
    }

    fn at(x: i64, y: i64) -> impl Fn(VariableIndex) -> Option<Fraction> {
        move |variable| Some(Fraction::whole([x, y][variable as usize]))
    }

    #[test]
    fn sums_stay_linear_and_other_things_are_trees() {
        let half = y().times(number(1, 2)).unwrap();
        let sum = x().plus(half).unwrap().minus(number(3, 4)).unwrap();
        assert!(sum.linear().is_some());
        assert_eq!(sum.value(&at(1, 2)), Ok(Fraction::new(5, 4).unwrap()));
        let product = sum.clone().times(x()).unwrap();
        assert!(product.linear().is_none());
        assert_eq!(product.value(&at(2, 0)), Ok(Fraction::new(5, 2).unwrap()));
        let quotient = x().over(y()).unwrap();
        assert_eq!(quotient.value(&at(1, 0)), Err(NoValue::Undefined));
        assert_eq!(
            quotient.value(&at(1, -3)),
            Ok(Fraction::new(-1, 3).unwrap())
        );
        assert_eq!(x().over(number(0, 1)), Err(NoValue::Undefined));
    }

    #[test]
    fn the_same_question_has_the_same_words() {
        // x/2 - 3/4 and 2x - 3.
        let first = x().over(number(2, 1)).unwrap();
        let first = first.minus(number(3, 4)).unwrap();
        let second = x().plus(x()).unwrap().minus(number(3, 1)).unwrap();
        let normal = |it: GroundExpression, test| it.normalised(test);
        let test = ZeroTest::Positive;
        assert_eq!(normal(first.clone(), test), normal(second, test));
        let opposite = number(3, 4).minus(x().over(number(2, 1)).unwrap()).unwrap();
        assert_ne!(normal(first.clone(), test), normal(opposite.clone(), test));
        let test = ZeroTest::Zero;
        assert_eq!(normal(first, test), normal(opposite, test));
    }

    #[test]
    fn a_variable_that_cancels_out_must_still_have_a_value() {
        let nothing = x().minus(x()).unwrap();
        assert_eq!(nothing.value(&|_| None), Err(NoValue::Undefined));
        assert_eq!(nothing.value(&at(5, 0)), Ok(Fraction::ZERO));
        assert_eq!(nothing.constant(), None);
        let tidied = nothing.tidied(&|_| true);
        assert_eq!(tidied.constant(), Some(Fraction::ZERO));
    }

    #[test]
    fn ranges_hold_values() {
        let all = |low: i64, high: i64| {
            move |_| {
                Some(Interval {
                    low: Some(Fraction::whole(low)),
                    high: Some(Fraction::whole(high)),
                })
            }
        };
        let expression = x()
            .times(y())
            .unwrap()
            .plus(x().over(y()).unwrap())
            .unwrap();
        let range = expression.range(&all(1, 3)).unwrap();
        for (a, b) in [(1, 1), (1, 3), (3, 1), (2, 3)] {
            let value = expression.value(&at(a, b)).unwrap();
            assert!(range.holds(Interval::of(value)));
        }
        assert_eq!(expression.range(&all(-1, 1)), Some(Interval::ALL));
        assert_eq!(x().range(&|_| None), None);
    }
}
