//! Numbers in conditions and effects: PDDL 2.1, level 2.
//!
//! What a function's value is at the start may be left open: it is undefined,
//! and so is every expression that reads it, and division by 0. An undefined
//! number compares with nothing: a comparison that reads one does not hold,
//! and neither does its negation ([`CompareOperator::negated`] says what must hold
//! instead). An action whose effect needs an undefined number cannot be
//! executed.
//!
//! Effects read the state before the action. Increases and decreases of one
//! value in one step add up; any other two changes of one value in one step
//! contradict each other, and the action cannot be executed there.

use super::{FunctionId, Span, Term};
use crate::number::Rational;
use std::cmp::Ordering;

/// A number that may depend on the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number as written.
    Number(Rational),
    /// The value of a function.
    Function(FunctionId, Vec<Term>),
    /// All added up; of none, 0.
    Sum(Vec<Expression>),
    /// The first without the second.
    Difference(Box<Expression>, Box<Expression>),
    /// All multiplied; of none, 1.
    Product(Vec<Expression>),
    /// The first by the second.
    Quotient(Box<Expression>, Box<Expression>),
    /// The other side of 0.
    Negation(Box<Expression>),
    /// What only plans with time have; planning refuses it.
    Measure(Measure),
}

/// A number that belongs to a plan, not to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// How long the plan takes: `total-time`.
    TotalTime,
    /// How long the action takes: `?duration`.
    Duration,
    /// How long a continuous effect has been going on: `#t`.
    Elapsed,
    /// How often a preference is not fulfilled: `is-violated`.
    Violations,
}

/// How two numbers relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOperator {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
}

/// One number beside another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// How they relate.
    pub operator: CompareOperator,
    /// The first.
    pub left: Expression,
    /// The second.
    pub right: Expression,
    /// Where it is written.
    pub span: Span,
}

/// How an effect changes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeOperator {
    /// The amount is the new value.
    Assign,
    /// The amount is added.
    Increase,
    /// The amount is taken away.
    Decrease,
    /// The value is multiplied by the amount.
    ScaleUp,
    /// The value is divided by the amount.
    ScaleDown,
}

/// A change of one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumericChange {
    /// How.
    pub operator: ChangeOperator,
    /// The function whose value changes.
    pub function: FunctionId,
    /// For these arguments.
    pub arguments: Vec<Term>,
    /// By how much, in the state before.
    pub amount: Expression,
    /// Where it is written.
    pub span: Span,
}

/// What is to be made small or large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// True for `minimize`.
    pub minimise: bool,
    /// In the state at the end.
    pub expression: Expression,
    /// Where it is written.
    pub span: Span,
}

impl CompareOperator {
    /// As written.
    pub fn sign(self) -> &'static str {
        match self {
            CompareOperator::Less => "<",
            CompareOperator::AtMost => "<=",
            CompareOperator::Equal => "=",
            CompareOperator::AtLeast => ">=",
            CompareOperator::Greater => ">",
        }
    }

    /// The operator with that sign.
    pub fn of(sign: &str) -> Option<CompareOperator> {
        let all = [
            CompareOperator::Less,
            CompareOperator::AtMost,
            CompareOperator::Equal,
            CompareOperator::AtLeast,
            CompareOperator::Greater,
        ];
        all.into_iter().find(|it| it.sign() == sign)
    }

    /// True if two numbers in this order compare so.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            CompareOperator::Less => order.is_lt(),
            CompareOperator::AtMost => order.is_le(),
            CompareOperator::Equal => order.is_eq(),
            CompareOperator::AtLeast => order.is_ge(),
            CompareOperator::Greater => order.is_gt(),
        }
    }

    /// Of which one must hold where this does not (and both numbers are
    /// defined).
    pub fn negated(self) -> &'static [CompareOperator] {
        match self {
            CompareOperator::Less => &[CompareOperator::AtLeast],
            CompareOperator::AtMost => &[CompareOperator::Greater],
            CompareOperator::Equal => &[CompareOperator::Less, CompareOperator::Greater],
            CompareOperator::AtLeast => &[CompareOperator::Less],
            CompareOperator::Greater => &[CompareOperator::AtMost],
        }
    }
}

impl ChangeOperator {
    /// As written.
    pub fn word(self) -> &'static str {
        match self {
            ChangeOperator::Assign => "assign",
            ChangeOperator::Increase => "increase",
            ChangeOperator::Decrease => "decrease",
            ChangeOperator::ScaleUp => "scale-up",
            ChangeOperator::ScaleDown => "scale-down",
        }
    }

    /// The operator with that word.
    pub fn of(word: &str) -> Option<ChangeOperator> {
        let all = [
            ChangeOperator::Assign,
            ChangeOperator::Increase,
            ChangeOperator::Decrease,
            ChangeOperator::ScaleUp,
            ChangeOperator::ScaleDown,
        ];
        all.into_iter().find(|it| it.word() == word)
    }

    /// True for those of which several may change one value in one step.
    pub fn adds(self) -> bool {
        matches!(self, ChangeOperator::Increase | ChangeOperator::Decrease)
    }
}

impl Expression {
    /// Visits every expression inside, itself first.
    pub fn visit<'e>(&'e self, visit: &mut dyn FnMut(&'e Expression)) {
        visit(self);
        match self {
            Expression::Number(_) | Expression::Function(..) | Expression::Measure(_) => {}
            Expression::Sum(parts) | Expression::Product(parts) => {
                parts.iter().for_each(|part| part.visit(visit));
            }
            Expression::Difference(a, b) | Expression::Quotient(a, b) => {
                a.visit(visit);
                b.visit(visit);
            }
            Expression::Negation(inner) => inner.visit(visit),
        }
    }

    /// Visits every term inside.
    pub fn terms<'e>(&'e self, visit: &mut dyn FnMut(&'e Term)) {
        self.visit(&mut |part| {
            if let Expression::Function(_, terms) = part {
                terms.iter().for_each(&mut *visit);
            }
        });
    }
}

impl Compare {
    /// Visits every term inside.
    pub fn terms<'e>(&'e self, visit: &mut dyn FnMut(&'e Term)) {
        self.left.terms(visit);
        self.right.terms(visit);
    }
}

impl NumericChange {
    /// Visits every term inside.
    pub fn terms<'e>(&'e self, visit: &mut dyn FnMut(&'e Term)) {
        self.arguments.iter().for_each(&mut *visit);
        self.amount.terms(visit);
    }
}
