//! Numbers in the states of a plan: exact, or said to be undefined.

use super::{Arguments, Binding, History, Scope, value};
use crate::model::{
    ChangeOperator, Compare, Expression, FunctionId, Measure, NumericChange, ObjectId, Term,
};
use crate::number::{NumberError, Rational};
use crate::write;
use rustc_hash::FxHashMap;

/// The value of a function for some arguments.
pub(super) type Place = (FunctionId, Arguments);

/// Why an expression is not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// It reads something without a value, named.
    Undefined(String),
    /// It cannot be computed.
    Error(NumberError),
}

impl From<NumberError> for Gap {
    fn from(error: NumberError) -> Gap {
        Gap::Error(error)
    }
}

/// What the effects of one step do to values.
pub(super) type Changed = Vec<(Place, ChangeOperator, Rational)>;

/// The new values, or why there are none.
pub(super) fn combine(
    history: &History<'_>,
    changed: &Changed,
    time: usize,
) -> Result<Vec<(Place, Rational)>, String> {
    let mut by_place: FxHashMap<&Place, Vec<(ChangeOperator, Rational)>> = FxHashMap::default();
    for (place, operator, amount) in changed {
        by_place
            .entry(place)
            .or_default()
            .push((*operator, *amount));
    }
    let mut new = Vec::with_capacity(by_place.len());
    for (place, changes) in by_place {
        let shown = || history.show_place(place.0, &place.1);
        if changes.len() > 1 && !changes.iter().all(|(operator, _)| operator.adds()) {
            return Err(format!(
                "its effects change {} twice, and contradict each other",
                shown()
            ));
        }
        let mut now = history.number(place.0, &place.1, time);
        for (operator, amount) in changes {
            let before = match (now, operator) {
                (_, ChangeOperator::Assign) => Rational::ZERO,
                (Some(value), _) => value,
                (None, _) => {
                    return Err(format!(
                        "its effect changes {}, which has no value",
                        shown()
                    ));
                }
            };
            let after = match operator {
                ChangeOperator::Assign => Ok(amount),
                ChangeOperator::Increase => before.plus(amount),
                ChangeOperator::Decrease => before.minus(amount),
                ChangeOperator::ScaleUp => before.times(amount),
                ChangeOperator::ScaleDown => before.over(amount),
            };
            now = Some(after.map_err(|error| history.note(error, &shown()))?);
        }
        new.extend(now.map(|value| (place.clone(), value)));
    }
    Ok(new)
}

impl History<'_> {
    /// The value of a function at a time.
    pub(super) fn number(
        &self,
        function: FunctionId,
        arguments: &[ObjectId],
        time: usize,
    ) -> Option<Rational> {
        let known = &self.numbers[function.index()];
        let values = known.get(arguments)?;
        let after = values.partition_point(|(from, _)| *from <= time);
        values[..after].last().map(|(_, value)| *value)
    }

    /// Every value there ever was: function, arguments, and since when.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, &[ObjectId], &[(usize, Rational)])> {
        let functions = self.numbers.iter().enumerate();
        functions.flat_map(|(function, values)| {
            let list = values.iter();
            list.map(move |(arguments, values)| (function, &**arguments, values.as_slice()))
        })
    }

    /// `(fuel truck)`.
    pub(super) fn show_place(&self, function: FunctionId, arguments: &[ObjectId]) -> String {
        let name = &self.model.functions[function.index()].name;
        format!("({})", self.model.show(name, arguments))
    }

    /// Says what is wrong with a number. One that does not fit decides
    /// nothing: then nothing can be said of the plan at all.
    fn note(&self, error: NumberError, what: &str) -> String {
        let text = format!("{what}: {error}");
        if error == NumberError::TooLarge {
            self.too_large.borrow_mut().get_or_insert(text.clone());
        }
        text
    }
}

impl Scope<'_> {
    fn place(&self, terms: &[Term], binding: &Binding) -> Option<Arguments> {
        terms.iter().map(|&term| value(term, binding)).collect()
    }

    /// The value of an expression whose variables have values.
    pub(super) fn number(
        &self,
        expression: &Expression,
        binding: &Binding,
    ) -> Result<Rational, Gap> {
        let of = |part: &Expression| self.number(part, binding);
        match expression {
            Expression::Number(number) => Ok(*number),
            Expression::Function(function, terms) => {
                let found = self
                    .place(terms, binding)
                    .and_then(|at| self.history.number(*function, &at, self.time));
                found.ok_or_else(|| Gap::Undefined(self.show_number(expression, binding)))
            }
            Expression::Sum(parts) => parts
                .iter()
                .try_fold(Rational::ZERO, |sum, part| Ok(sum.plus(of(part)?)?)),
            Expression::Product(parts) => parts
                .iter()
                .try_fold(Rational::ONE, |product, part| Ok(product.times(of(part)?)?)),
            Expression::Difference(a, b) => Ok(of(a)?.minus(of(b)?)?),
            Expression::Quotient(a, b) => Ok(of(a)?.over(of(b)?)?),
            Expression::Negation(inner) => Ok(of(inner)?.negated()),
            Expression::Measure(measure) => {
                let known = match measure {
                    Measure::Duration => self.duration,
                    Measure::TotalTime => self.total_time,
                    Measure::Elapsed | Measure::Violations => None,
                };
                known.ok_or_else(|| Gap::Undefined(self.show_number(expression, binding)))
            }
        }
    }

    /// True if the comparison (or, if `positive` is false, its negation)
    /// holds; neither does if a number is undefined.
    pub(super) fn compares(&self, compare: &Compare, positive: bool, binding: &Binding) -> bool {
        let sides = [&compare.left, &compare.right].map(|side| self.number(side, binding));
        match sides {
            [Ok(left), Ok(right)] => compare.operator.holds(left.cmp(&right)) == positive,
            [left, right] => {
                for side in [left, right] {
                    if let Err(Gap::Error(error)) = side {
                        self.history
                            .note(error, &self.show_compare(compare, binding));
                    }
                }
                false
            }
        }
    }

    /// `: (fuel truck) is 7`: what the sides of a comparison are.
    pub(super) fn sides(&self, compare: &Compare, binding: &Binding) -> String {
        let sides = [&compare.left, &compare.right];
        let spoken = sides
            .into_iter()
            .filter(|side| !matches!(side, Expression::Number(_)));
        let texts: Vec<String> = spoken
            .map(|side| {
                let shown = self.show_number(side, binding);
                match self.number(side, binding) {
                    Ok(number) => format!("{shown} is {number}"),
                    Err(Gap::Undefined(what)) => format!("{what} has no value"),
                    Err(Gap::Error(error)) => format!("{shown} is {error}"),
                }
            })
            .collect();
        match texts.is_empty() {
            true => String::new(),
            false => format!(": {}", texts.join(" and ")),
        }
    }

    pub(super) fn show_compare(&self, compare: &Compare, binding: &Binding) -> String {
        let [left, right] =
            [&compare.left, &compare.right].map(|side| self.show_number(side, binding));
        format!("({} {left} {right})", compare.operator.sign())
    }

    fn show_number(&self, expression: &Expression, binding: &Binding) -> String {
        let model = self.history.model;
        write::expression_with(model, expression, &|term| self.show_term(term, binding))
    }

    /// Adds what a change does, or says why it cannot be done.
    pub(super) fn change(
        &self,
        change: &NumericChange,
        binding: &Binding,
        into: &mut Changed,
    ) -> Result<(), String> {
        let Some(at) = self.place(&change.arguments, binding) else {
            return Ok(());
        };
        let amount = self.number(&change.amount, binding).map_err(|gap| {
            let shown = self.show_number(&change.amount, binding);
            match gap {
                Gap::Undefined(what) => format!("its effect reads {what}, which has no value"),
                Gap::Error(error) => self.history.note(error, &shown),
            }
        })?;
        into.push(((change.function, at), change.operator, amount));
        Ok(())
    }
}
