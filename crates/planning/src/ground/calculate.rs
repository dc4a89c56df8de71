//! Expressions with values put in: what never changes is a number, the rest are
//! variables.
//!
//! [`Functions`] knows what functions come to at the start and which of them
//! actions change. An expression over the others is calculated here and now;
//! a comparison of such expressions is decided, and any other becomes a fact,
//! the same for all who ask the same question.

use rustc_hash::FxHashMap;

use super::slot::Slot;
use crate::ground::ChangeKind;
use crate::model::{
    ChangeOperator, Compare, CompareOperator, Expression, Model, NumericChange, Term,
};
use crate::numbers::{Fraction, GroundExpression, NoValue, VariableIndex, ZeroTest};

/// An expression over slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberPattern {
    /// A number; `None` if it is too large.
    Number(Option<Fraction>),
    /// The value of a function.
    Function(usize, Vec<Slot>),
    /// All added up.
    Sum(Vec<NumberPattern>),
    /// All multiplied.
    Product(Vec<NumberPattern>),
    /// The first without the second.
    Difference(Box<[NumberPattern; 2]>),
    /// The first by the second.
    Quotient(Box<[NumberPattern; 2]>),
}

/// A question: how does the expression stand to 0?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparePattern {
    /// What is compared.
    pub expression: NumberPattern,
    /// How.
    pub test: ZeroTest,
}

/// A change of a function's value.
#[derive(Clone, Debug)]
pub struct ChangePattern {
    /// Which function.
    pub function: usize,
    /// Its arguments.
    pub arguments: Vec<Slot>,
    /// In which way it changes.
    pub kind: ChangeKind,
    /// By how much, or to what.
    pub amount: NumberPattern,
}

fn slots(terms: &[Term]) -> Vec<Slot> {
    terms.iter().map(|&term| term.into()).collect()
}

/// A number as searches keep it; `None` if it is too large.
pub fn fraction(number: crate::language::number::Rational) -> Option<Fraction> {
    Fraction::new(number.numerator(), number.denominator())
}

impl NumberPattern {
    fn number(number: i64) -> NumberPattern {
        NumberPattern::Number(Some(Fraction::whole(number)))
    }

    /// An expression of the model, lowered.
    pub fn of(expression: &Expression) -> NumberPattern {
        let all = |parts: &[Expression]| parts.iter().map(NumberPattern::of).collect();
        let two =
            |a: &Expression, b: &Expression| Box::new([NumberPattern::of(a), NumberPattern::of(b)]);
        match expression {
            Expression::Number(number) => NumberPattern::Number(fraction(*number)),
            Expression::Function(function, terms) => {
                NumberPattern::Function(function.index(), slots(terms))
            }
            Expression::Sum(parts) => NumberPattern::Sum(all(parts)),
            Expression::Product(parts) => NumberPattern::Product(all(parts)),
            Expression::Difference(a, b) => NumberPattern::Difference(two(a, b)),
            Expression::Quotient(a, b) => NumberPattern::Quotient(two(a, b)),
            Expression::Negation(inner) => NumberPattern::Difference(Box::new([
                NumberPattern::number(0),
                NumberPattern::of(inner),
            ])),
            // Only metrics have it, and these are refused.
            Expression::Measure(_) => NumberPattern::Number(None),
        }
    }

    /// Visits every slot.
    pub fn slots(&self, visit: &mut dyn FnMut(Slot)) {
        self.functions(&mut |_, slots| slots.iter().for_each(|&slot| visit(slot)));
    }

    /// Visits every function with its arguments.
    pub fn functions(&self, visit: &mut dyn FnMut(usize, &[Slot])) {
        match self {
            NumberPattern::Number(_) => {}
            NumberPattern::Function(function, slots) => visit(*function, slots),
            NumberPattern::Sum(parts) | NumberPattern::Product(parts) => {
                parts.iter().for_each(|part| part.functions(visit));
            }
            NumberPattern::Difference(parts) | NumberPattern::Quotient(parts) => {
                parts.iter().for_each(|part| part.functions(visit));
            }
        }
    }

    /// The same with other slots.
    pub fn map(&self, put: &dyn Fn(Slot) -> Slot) -> NumberPattern {
        let all = |parts: &[NumberPattern]| parts.iter().map(|part| part.map(put)).collect();
        let two = |[a, b]: &[NumberPattern; 2]| Box::new([a.map(put), b.map(put)]);
        match self {
            NumberPattern::Number(number) => NumberPattern::Number(*number),
            NumberPattern::Function(function, slots) => {
                NumberPattern::Function(*function, slots.iter().map(|&slot| put(slot)).collect())
            }
            NumberPattern::Sum(parts) => NumberPattern::Sum(all(parts)),
            NumberPattern::Product(parts) => NumberPattern::Product(all(parts)),
            NumberPattern::Difference(parts) => NumberPattern::Difference(two(parts)),
            NumberPattern::Quotient(parts) => NumberPattern::Quotient(two(parts)),
        }
    }
}

impl ComparePattern {
    /// The comparison, or what must hold instead of it.
    pub fn of(compare: &Compare, positive: bool) -> ComparePattern {
        let (a, b) = (
            NumberPattern::of(&compare.left),
            NumberPattern::of(&compare.right),
        );
        // Is the first larger, or the second?
        let (first, test) = match (compare.operator, positive) {
            (CompareOperator::Greater, true) | (CompareOperator::AtMost, false) => {
                (true, ZeroTest::Positive)
            }
            (CompareOperator::AtLeast, true) | (CompareOperator::Less, false) => {
                (true, ZeroTest::NotNegative)
            }
            (CompareOperator::Less, true) | (CompareOperator::AtLeast, false) => {
                (false, ZeroTest::Positive)
            }
            (CompareOperator::AtMost, true) | (CompareOperator::Greater, false) => {
                (false, ZeroTest::NotNegative)
            }
            (CompareOperator::Equal, true) => (true, ZeroTest::Zero),
            (CompareOperator::Equal, false) => (true, ZeroTest::NotZero),
        };
        let sides = if first { [a, b] } else { [b, a] };
        ComparePattern {
            expression: NumberPattern::Difference(Box::new(sides)),
            test,
        }
    }

    /// The same with other slots.
    pub fn map(&self, put: &dyn Fn(Slot) -> Slot) -> ComparePattern {
        ComparePattern {
            expression: self.expression.map(put),
            test: self.test,
        }
    }
}

impl ChangePattern {
    /// A change of the model, lowered.
    pub fn of(change: &NumericChange) -> ChangePattern {
        let amount = NumberPattern::of(&change.amount);
        let with = |number: i64| Box::new([NumberPattern::number(number), amount.clone()]);
        let (kind, amount) = match change.operator {
            ChangeOperator::Assign => (ChangeKind::Assign, amount),
            ChangeOperator::Increase => (ChangeKind::Increase, amount),
            ChangeOperator::Decrease => (ChangeKind::Increase, NumberPattern::Difference(with(0))),
            ChangeOperator::ScaleUp => (ChangeKind::Scale, amount),
            ChangeOperator::ScaleDown => (ChangeKind::Scale, NumberPattern::Quotient(with(1))),
        };
        ChangePattern {
            function: change.function.index(),
            arguments: slots(&change.arguments),
            kind,
            amount,
        }
    }
}

/// What functions come to, and which of them change.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    /// Per function: an action may change it.
    changing: Vec<bool>,
    /// At the start; `None` if it is too large.
    values: FxHashMap<(usize, Vec<u32>), Option<Fraction>>,
    numbers: FxHashMap<(usize, Vec<u32>), VariableIndex>,
    /// Variables: functions with their arguments.
    pub variables: Vec<(usize, Vec<u32>)>,
    known: FxHashMap<(GroundExpression, ZeroTest), u32>,
    /// Comparisons: what they ask, and the number of the fact.
    pub comparisons: Vec<(GroundExpression, ZeroTest, u32)>,
    /// A number was too large to be calculated with.
    pub too_large: bool,
}

impl Functions {
    /// The functions of a model, of which these change.
    pub fn new(model: &Model, changing: Vec<bool>) -> Functions {
        let values = model.values.iter().map(|value| {
            let arguments = value.arguments.iter().map(|object| object.0).collect();
            ((value.function.index(), arguments), fraction(value.value))
        });
        Functions {
            values: values.collect(),
            changing,
            ..Functions::default()
        }
    }

    /// The number of a variable.
    pub fn variable(&mut self, function: usize, arguments: Vec<u32>) -> VariableIndex {
        let next = self.variables.len() as u32;
        let key = (function, arguments);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        self.variables.push(key.clone());
        self.numbers.insert(key, next);
        next
    }

    /// The value of a variable at the start.
    pub fn start(&self, variable: VariableIndex) -> Option<Fraction> {
        let known = self.values.get(&self.variables[variable as usize]);
        known.copied().flatten()
    }

    /// An expression with values put in.
    pub fn expression(
        &mut self,
        pattern: &NumberPattern,
        binding: &[u32],
    ) -> Result<GroundExpression, NoValue> {
        let result = self.put_in(pattern, binding);
        self.too_large |= result == Err(NoValue::TooLarge);
        let expression = result?;
        Ok(expression.tidied(&|variable| self.start(variable).is_some()))
    }

    fn put_in(
        &mut self,
        pattern: &NumberPattern,
        binding: &[u32],
    ) -> Result<GroundExpression, NoValue> {
        let mut two =
            |[a, b]: &[NumberPattern; 2]| Ok((self.put_in(a, binding)?, self.put_in(b, binding)?));
        match pattern {
            NumberPattern::Number(number) => Ok(number.ok_or(NoValue::TooLarge)?.into()),
            NumberPattern::Function(function, slots) => {
                let arguments = slots.iter().map(|slot| slot.value(binding)).collect();
                self.function(*function, arguments)
            }
            NumberPattern::Sum(parts) => {
                let mut sum = GroundExpression::from(Fraction::ZERO);
                for part in parts {
                    sum = sum.plus(self.put_in(part, binding)?)?;
                }
                Ok(sum)
            }
            NumberPattern::Product(parts) => {
                let mut product = GroundExpression::from(Fraction::ONE);
                for part in parts {
                    product = product.times(self.put_in(part, binding)?)?;
                }
                Ok(product)
            }
            NumberPattern::Difference(parts) => two(parts).and_then(|(a, b)| a.minus(b)),
            NumberPattern::Quotient(parts) => two(parts).and_then(|(a, b)| a.over(b)),
        }
    }

    fn function(
        &mut self,
        function: usize,
        arguments: Vec<u32>,
    ) -> Result<GroundExpression, NoValue> {
        if self.changing[function] {
            let key = (function, arguments);
            if self.values.get(&key) == Some(&None) {
                return Err(NoValue::TooLarge);
            }
            let variable = self.variable(key.0, key.1);
            return Ok(GroundExpression::variable(variable));
        }
        match self.values.get(&(function, arguments)) {
            None => Err(NoValue::Undefined),
            Some(value) => Ok(value.ok_or(NoValue::TooLarge)?.into()),
        }
    }

    /// The answer to a question, if it is known from the start.
    pub fn decided(&mut self, compare: &ComparePattern, binding: &[u32]) -> Option<bool> {
        match self.expression(&compare.expression, binding) {
            Ok(expression) => Some(compare.test.passes(expression.constant()?)),
            Err(_) => Some(false),
        }
    }

    /// The fact that stands for a question that is open; `next` if it is new.
    pub fn comparison(
        &mut self,
        compare: &ComparePattern,
        binding: &[u32],
        next: u32,
    ) -> ComparisonAnswer {
        let expression = match self.expression(&compare.expression, binding) {
            Ok(expression) => expression,
            Err(_) => return ComparisonAnswer::Decided(false),
        };
        if let Some(number) = expression.constant() {
            return ComparisonAnswer::Decided(compare.test.passes(number));
        }
        let key = (expression.normalised(compare.test), compare.test);
        if let Some(&fact) = self.known.get(&key) {
            return ComparisonAnswer::Fact(fact);
        }
        self.comparisons.push((key.0.clone(), key.1, next));
        self.known.insert(key, next);
        ComparisonAnswer::Fact(next)
    }
}

/// The answer to a question.
pub enum ComparisonAnswer {
    /// It never changes.
    Decided(bool),
    /// It is this fact.
    Fact(u32),
}
