//! Numbers that cannot be what was meant.
//!
//! A function that nothing reads, one that is read and never has a value, a
//! division by a 0 that stands in the text, and comparisons that never hold:
//! each function is given the interval of the values it can ever have, wide
//! where its changes are not plain, and both sides of a comparison are
//! computed with intervals.

use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::{
    Amount, ChangeOperator, Compare, CompareOperator, Effect, Expression, Formula, FunctionId,
    Model, NumericChange, Span, Variable, visit,
};
use crate::number::Rational;
use crate::write;

code!(UNREAD = "H0412", Hint, "function that nothing reads");
code!(
    NO_VALUE = "W0413",
    Warning,
    "function that never has a value"
);
code!(
    NEVER_HOLDS = "W0414",
    Warning,
    "comparison that never holds"
);
code!(BY_ZERO = "E0415", Error, "division by 0");

/// Looks at every number of the model. Values are known only where there is a
/// problem.
pub(super) fn check(model: &Model, has_problem: bool, out: &mut Diagnostics) {
    let mut uses = Uses::of(model);
    uses.divisions.sort_unstable_by_key(|span| span.start);
    for span in &uses.divisions {
        out.push(
            Diagnostic::new(&BY_ZERO, *span, "this divides by 0")
                .label("has no value in any state")
                .help("a comparison without a value does not hold, and neither does its negation"),
        );
    }
    if !has_problem {
        return;
    }
    for (index, function) in model.functions.iter().enumerate() {
        let has_value = uses.assigned[index]
            || (model.values.iter()).any(|value| value.function.index() == index);
        let diagnostic = match (uses.read[index], has_value) {
            (Some(span), false) => Diagnostic::new(
                &NO_VALUE,
                span,
                format!("`{}` is read here and never has a value", function.name),
            )
            .label("what reads it never holds and cannot be executed")
            .related(function.span, "declared here")
            .help(format!(
                "give it one in `:init`: `(= ({} …) 0)`",
                function.name
            )),
            (None, _) if !uses.changed[index] => Diagnostic::new(
                &UNREAD,
                function.span,
                format!("nothing reads `{}`", function.name),
            )
            .label("neither conditions, effects nor the metric speak of it"),
            _ => continue,
        };
        out.push(diagnostic);
    }
    let intervals = intervals(model);
    each_condition(model, &mut |owner, formula, variables| {
        visit::literals(formula, &mut |part| {
            let (compare, positive) = match part {
                Formula::Compare(compare) => (compare, true),
                Formula::Not(inner) => match &**inner {
                    Formula::Compare(compare) => (compare, false),
                    _ => return,
                },
                _ => return,
            };
            never_holds(model, &intervals, owner, compare, positive, variables, out);
        });
    });
}

/// Who reads and changes which function.
struct Uses {
    read: Vec<Option<Span>>,
    changed: Vec<bool>,
    assigned: Vec<bool>,
    divisions: Vec<Span>,
}

impl Uses {
    fn of(model: &Model) -> Uses {
        let count = model.functions.len();
        let mut uses = Uses {
            read: vec![None; count],
            changed: vec![false; count],
            assigned: vec![false; count],
            divisions: Vec::new(),
        };
        visit::conditions(model, &mut |condition| {
            visit::formulas(condition, &mut |part| {
                if let Formula::Compare(compare) = part {
                    uses.expression(&compare.left, compare.span);
                    uses.expression(&compare.right, compare.span);
                }
            });
        });
        for action in &model.actions {
            visit::effects(&action.effect, &mut |effect| match effect {
                Effect::Change(change) => uses.change(change),
                Effect::IncreaseCost(Amount::Function(function, _)) => {
                    // A cost without a value counts 0.
                    uses.changed[function.index()] = true;
                }
                _ => {}
            });
        }
        if let Some(metric) = &model.metric {
            uses.expression(&metric.expression, metric.span);
        }
        // Everybody declares total cost, whether anything costs or not.
        let cost = model
            .functions
            .iter()
            .position(|it| it.name.eq_ignore_ascii_case("total-cost"));
        if let Some(cost) = cost {
            uses.changed[cost] = true;
        }
        uses
    }

    fn expression(&mut self, expression: &Expression, span: Span) {
        expression.visit(&mut |part| match part {
            Expression::Function(function, _) => {
                self.read[function.index()].get_or_insert(span);
            }
            Expression::Quotient(_, by) if **by == Expression::Number(Rational::ZERO) => {
                self.divisions.push(span);
            }
            _ => {}
        });
    }

    fn change(&mut self, change: &NumericChange) {
        let function = change.function.index();
        self.changed[function] = true;
        self.expression(&change.amount, change.span);
        match change.operator {
            ChangeOperator::Assign => self.assigned[function] = true,
            operator => {
                self.read[function].get_or_insert(change.span);
                if operator == ChangeOperator::ScaleDown
                    && change.amount == Expression::Number(Rational::ZERO)
                {
                    self.divisions.push(change.span);
                }
            }
        }
    }
}

/// From the least to the most; `None` is without bound.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interval {
    least: Option<Rational>,
    most: Option<Rational>,
}

impl Interval {
    const ALL: Interval = Interval {
        least: None,
        most: None,
    };

    fn point(number: Rational) -> Interval {
        Interval {
            least: Some(number),
            most: Some(number),
        }
    }

    fn plus(self, other: Interval) -> Interval {
        let add = |a: Option<Rational>, b: Option<Rational>| a?.plus(b?).ok();
        Interval {
            least: add(self.least, other.least),
            most: add(self.most, other.most),
        }
    }

    fn negated(self) -> Interval {
        Interval {
            least: self.most.map(Rational::negated),
            most: self.least.map(Rational::negated),
        }
    }

    fn times(self, other: Interval) -> Interval {
        let bounds = [self.least, self.most, other.least, other.most];
        let [Some(a), Some(b), Some(c), Some(d)] = bounds else {
            return Interval::ALL;
        };
        let products = [a.times(c), a.times(d), b.times(c), b.times(d)];
        let products: Result<Vec<Rational>, _> = products.into_iter().collect();
        products.map_or(Interval::ALL, |all| Interval {
            least: all.iter().min().copied(),
            most: all.iter().max().copied(),
        })
    }

    /// What the expression can be, or nothing if it never has a value.
    fn of(expression: &Expression, known: &[Option<Interval>]) -> Option<Interval> {
        let of = |part: &Expression| Interval::of(part, known);
        match expression {
            Expression::Number(number) => Some(Interval::point(*number)),
            Expression::Function(FunctionId(id), _) => known[*id as usize],
            Expression::Sum(parts) => parts
                .iter()
                .try_fold(Interval::point(Rational::ZERO), |sum, part| {
                    Some(sum.plus(of(part)?))
                }),
            Expression::Product(parts) => parts
                .iter()
                .try_fold(Interval::point(Rational::ONE), |product, part| {
                    Some(product.times(of(part)?))
                }),
            Expression::Difference(a, b) => Some(of(a)?.plus(of(b)?.negated())),
            Expression::Negation(inner) => Some(of(inner)?.negated()),
            Expression::Quotient(a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                match (b.least, b.most) {
                    (Some(by), Some(most)) if by == most => {
                        let inverse = Rational::ONE.over(by).ok()?;
                        Some(a.times(Interval::point(inverse)))
                    }
                    _ => Some(Interval::ALL),
                }
            }
            Expression::Measure(_) => Some(Interval::ALL),
        }
    }

    /// True if a number of the first and one of the second may compare so.
    fn may(self, operator: CompareOperator, other: Interval) -> bool {
        let below = |a: Option<Rational>, b: Option<Rational>, equal: bool| match (a, b) {
            (Some(a), Some(b)) => a < b || equal && a == b,
            _ => true,
        };
        match operator {
            CompareOperator::Less => below(self.least, other.most, false),
            CompareOperator::AtMost => below(self.least, other.most, true),
            CompareOperator::Greater => below(other.least, self.most, false),
            CompareOperator::AtLeast => below(other.least, self.most, true),
            CompareOperator::Equal => {
                below(self.least, other.most, true) && below(other.least, self.most, true)
            }
        }
    }
}

/// Per function, the values it can have, whatever its arguments; nothing if it
/// never has one. What only grows by amounts from 0 has its least value at the
/// start, and so on; other changes lead anywhere.
fn intervals(model: &Model) -> Vec<Option<Interval>> {
    let mut known: Vec<Option<Interval>> = vec![None; model.functions.len()];
    for value in &model.values {
        let new = known[value.function.index()].get_or_insert(Interval::point(value.value));
        new.least = new.least.min(Some(value.value));
        new.most = new.most.max(Some(value.value));
    }
    let start = known.clone();
    let mut changed = Vec::new();
    visit::changes(model, &mut |_, change| changed.push(change));
    for change in &changed {
        // Until more is known, whatever changes may be anything.
        let at = &mut known[change.function.index()];
        if at.is_some() || change.operator == ChangeOperator::Assign {
            *at = Some(Interval::ALL);
        }
    }
    let rough = known.clone();
    for (index, interval) in known.iter_mut().enumerate() {
        let own = changed.iter().filter(|it| it.function.index() == index);
        let mut all = own.clone().peekable();
        let (Some(first), true) = (start[index], all.peek().is_some()) else {
            continue;
        };
        let zero = Some(Rational::ZERO);
        // The amounts as what they add.
        let added: Option<Vec<Interval>> = all
            .map(|change| {
                let amount = Interval::of(&change.amount, &rough)?;
                match change.operator {
                    ChangeOperator::Increase => Some(amount),
                    ChangeOperator::Decrease => Some(amount.negated()),
                    _ => None,
                }
            })
            .collect();
        let grows = |added: &[Interval]| {
            added
                .iter()
                .all(|it| it.least.is_some() && it.least >= zero)
        };
        let shrinks =
            |added: &[Interval]| added.iter().all(|it| it.most.is_some() && it.most <= zero);
        if let Some(added) = added {
            *interval = Some(Interval {
                least: first.least.filter(|_| grows(&added)),
                most: first.most.filter(|_| shrinks(&added)),
            });
        }
    }
    known
}

fn never_holds(
    model: &Model,
    intervals: &[Option<Interval>],
    owner: &str,
    compare: &Compare,
    positive: bool,
    variables: &[Variable],
    out: &mut Diagnostics,
) {
    let sides = [&compare.left, &compare.right].map(|side| Interval::of(side, intervals));
    // A side without a value has been reported for its function.
    let [Some(left), Some(right)] = sides else {
        return;
    };
    let own = [compare.operator];
    let operators = match positive {
        true => &own[..],
        false => compare.operator.negated(),
    };
    if operators.iter().any(|operator| left.may(*operator, right)) {
        return;
    }
    let shown = write::formula(model, &Formula::Compare(compare.clone()), variables);
    let shown = match positive {
        true => shown,
        false => format!("(not {shown})"),
    };
    let mut diagnostic = Diagnostic::new(
        &NEVER_HOLDS,
        compare.span,
        format!("{owner} asks for `{shown}`, which never holds"),
    );
    for (side, interval) in [(&compare.left, left), (&compare.right, right)] {
        if let Expression::Number(_) = side {
            continue;
        }
        let text = write::expression(model, side, variables);
        let range = match (interval.least, interval.most) {
            (Some(a), Some(b)) if a == b => format!("is always {a}"),
            (Some(a), Some(b)) => format!("is between {a} and {b}"),
            (Some(a), None) => format!("is at least {a}"),
            (None, Some(b)) => format!("is at most {b}"),
            (None, None) => "may be anything".to_owned(),
        };
        diagnostic = diagnostic.note(format!("`{text}` {range}"));
    }
    out.push(diagnostic.label("never holds"));
}

/// Every condition with its owner in words and its variables.
fn each_condition<'m>(model: &'m Model, visit: &mut dyn FnMut(&str, &'m Formula, &'m [Variable])) {
    for action in &model.actions {
        let owner = format!("action `{}`", action.name);
        visit(&owner, &action.precondition, &action.variables);
    }
    for method in &model.methods {
        let owner = format!("method `{}`", method.name);
        visit(&owner, &method.precondition, &method.variables);
    }
    visit("the goal", &model.goal, &model.goal_variables);
}
