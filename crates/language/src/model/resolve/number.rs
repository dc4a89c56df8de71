//! Numbers: expressions, comparisons, changes, the metric, and which models
//! speak of nothing but the cost of actions.

use super::define::start_of;
use super::fit::{Callee, Stance};
use super::formula::DEEPEST;
use super::{Resolver, Variables};
use crate::cost::Cost;
use crate::diagnostic::{form, unsupported};
use crate::model::{
    Amount, ChangeOperator, Compare, CompareOperator, Effect, Expression, Feature, Formula,
    FunctionId, Measure, Metric, Model, NumericChange, Term, visit,
};
use crate::number::Rational;
use crate::syntax::{Node, NodeKind};

impl Resolver {
    /// `(< a b)` and its kin, where both are numbers.
    pub(super) fn compare(
        &mut self,
        node: Node<'_>,
        operator: CompareOperator,
        variables: &mut Variables,
        stance: Stance,
    ) -> Formula {
        let wanted = format!("two numbers after `{}`", operator.sign());
        let Some(parts) = self.exactly(node, 2, &wanted) else {
            return Formula::True;
        };
        let left = self.expression(parts[0], variables, stance, 0);
        let right = self.expression(parts[1], variables, stance, 0);
        match (left, right) {
            (Some(left), Some(right)) => Formula::Compare(Compare {
                operator,
                left,
                right,
                span: node.span(),
            }),
            _ => Formula::True,
        }
    }

    /// `(increase (f ?x) amount)` and its kin.
    pub(super) fn change(
        &mut self,
        node: Node<'_>,
        operator: ChangeOperator,
        variables: &mut Variables,
        stance: Stance,
    ) -> Effect {
        let wanted = format!("a function and an amount after `{}`", operator.word());
        let Some(parts) = self.exactly(node, 2, &wanted) else {
            return Effect::None;
        };
        let target = self.function(parts[0], variables, stance);
        let amount = self.expression(parts[1], variables, Stance::Asks, 0);
        match (target, amount) {
            (Some((function, arguments)), Some(amount)) => Effect::Change(NumericChange {
                operator,
                function,
                arguments,
                amount,
                span: node.span(),
            }),
            _ => Effect::None,
        }
    }

    /// A number, a function, or what is computed from such.
    pub(super) fn expression(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        stance: Stance,
        depth: u32,
    ) -> Option<Expression> {
        if depth > DEEPEST {
            self.report_grouped("", form::too_deep(start_of(node), DEEPEST));
            return None;
        }
        if node.kind() == NodeKind::Number {
            return self.number(node).map(Expression::Number);
        }
        let operator = match node.is_list() {
            true => node.head().map_or("", |head| head.text()),
            // Some write a function without parameters as a bare name.
            false => "",
        };
        if !matches!(operator, "+" | "-" | "*" | "/") {
            if let Some(measure) = self.measure(node) {
                return Some(Expression::Measure(measure));
            }
            let (function, arguments) = self.function(node, variables, stance)?;
            return Some(Expression::Function(function, arguments));
        }
        let count = node.rest().count();
        let parts: Vec<Option<Expression>> = node
            .rest()
            .map(|part| self.expression(part, variables, stance, depth + 1))
            .collect();
        let mut parts: Vec<Expression> = parts.into_iter().collect::<Option<_>>()?;
        let mut next = || Box::new(parts.remove(0));
        match (operator, count) {
            ("-", 1) => Some(Expression::Negation(next())),
            ("-", 2) => Some(Expression::Difference(next(), next())),
            ("/", 2) => Some(Expression::Quotient(next(), next())),
            ("+", 1..) => Some(Expression::Sum(parts)),
            ("*", 1..) => Some(Expression::Product(parts)),
            _ => {
                let wanted = match operator {
                    "-" => "one or two numbers after `-`",
                    "/" => "two numbers after `/`",
                    _ => "numbers to compute with",
                };
                self.report(form::malformed(start_of(node), wanted, node.text()));
                None
            }
        }
    }

    /// What is no function, but can be read in some places.
    fn measure(&mut self, node: Node<'_>) -> Option<Measure> {
        let word = match node.is_list() {
            true => node.head()?,
            false => node,
        };
        let may = |measure: Measure| self.measures.contains(&measure).then_some(measure);
        match word.text().to_ascii_lowercase().as_str() {
            "?duration" => may(Measure::Duration),
            "#t" => may(Measure::Elapsed),
            "total-time" if self.functions.get("total-time", true).is_none() => {
                self.beyond(Feature::TotalTime, node.span());
                Some(Measure::TotalTime)
            }
            "is-violated" if self.functions.get("is-violated", true).is_none() => {
                self.is_violated(node);
                Some(Measure::Violations)
            }
            _ => None,
        }
    }

    /// A function applied to terms.
    fn function(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        stance: Stance,
    ) -> Option<(FunctionId, Vec<Term>)> {
        if !node.is_list() {
            let wanted = "a number or a function such as `(fuel ?x)`";
            self.report(form::malformed(node.span(), wanted, node.text()));
            return None;
        }
        let function = self.function_id(node)?;
        let (arguments, words) = self.terms(node, variables);
        let callee = Callee::Function(function);
        if arguments.len() != words.len() || !self.arity_fits(callee, words.len(), node.span()) {
            return None;
        }
        self.fit(callee, &arguments, &words, node.span(), variables, stance);
        Some((function, arguments))
    }

    /// A number as written; one that is too long is reported.
    pub(super) fn number(&mut self, node: Node<'_>) -> Option<Rational> {
        let number = self.model().scale.number(node.text());
        if let Err(error) = &number {
            self.report(unsupported::unsupported(
                node.span(),
                &format!("the number `{}` is", node.excerpt()),
                &error.to_string(),
            ));
        }
        number.ok()
    }

    /// `(:metric minimize expression)`.
    pub(super) fn metric(&mut self, section: Node<'_>) {
        let wanted = "`minimize` or `maximize` and what";
        let Some(parts) = self.exactly(section, 2, wanted) else {
            return;
        };
        let minimise = parts[0].is("minimize");
        if !minimise && !parts[0].is("maximize") {
            self.report(form::malformed(
                start_of(parts[0]),
                "`minimize` or `maximize`",
                parts[0].text(),
            ));
            return;
        }
        let is_cost = match parts[1].is_list() {
            true => parts[1].head().is_some_and(|head| head.is("total-cost")),
            false => parts[1].is("total-cost"),
        };
        // Declared or not, everybody knows what the cost of a plan is.
        if minimise && is_cost {
            self.model().minimise_cost = true;
            self.metric_span = section.span();
            return;
        }
        let mut none = Variables::new(super::NameScope::Goal);
        if let Some(expression) = self.expression(parts[1], &mut none, Stance::Asks, 0) {
            self.model().metric = Some(Metric {
                minimise,
                expression,
                span: section.span(),
            });
        }
    }

    /// Decides whether total cost is what each action costs, added up, or a
    /// function like any other.
    pub(super) fn settle_costs(&mut self) {
        let Some(id) = self.functions.get("total-cost", true).map(FunctionId) else {
            return;
        };
        let span = self.metric_span;
        let model = &mut self.reading.model;
        if !is_sum_of_costs(model, id) {
            if std::mem::take(&mut model.minimise_cost) {
                model.metric = Some(Metric {
                    minimise: true,
                    expression: Expression::Function(id, Vec::new()),
                    span,
                });
            }
            return;
        }
        let scale = model.scale;
        for action in &mut model.actions {
            for effect in top_level(&mut action.effect) {
                if let Effect::Change(change) = effect
                    && change.function == id
                {
                    let amount = match &mut change.amount {
                        Expression::Number(number) => scale.cost(*number).map(Amount::Number),
                        Expression::Function(function, terms) => {
                            Some(Amount::Function(*function, std::mem::take(terms)))
                        }
                        _ => None,
                    };
                    *effect = amount.map_or(Effect::None, Effect::IncreaseCost);
                }
            }
        }
    }
}

/// True if total cost begins at 0, nothing reads it but the metric, and all
/// that ever happens to it is that an action adds an amount from 0 that
/// depends on its parameters alone.
fn is_sum_of_costs(model: &Model, id: FunctionId) -> bool {
    let mut other = !model.functions[id.index()].parameters.is_empty();
    other |= model.metric.is_some();
    let mut reads = |expression: &Expression| {
        expression.visit(&mut |part| {
            other |= matches!(part, Expression::Function(function, _) if *function == id);
        });
    };
    visit::conditions(model, &mut |condition| {
        visit::formulas(condition, &mut |part| {
            if let Formula::Compare(compare) = part {
                reads(&compare.left);
                reads(&compare.right);
            }
        });
    });
    visit::changes(model, &mut |_, change| reads(&change.amount));
    // Where actions take time, what they cost is one of several numbers.
    other |= !model.beyond.is_empty();
    let changing = visit::changing_functions(model);
    let mut below = vec![false; model.functions.len()];
    for value in &model.values {
        let cost = model.scale.cost(value.value);
        below[value.function.index()] |= cost.is_none();
        other |= value.function == id && cost != Some(Cost::ZERO);
    }
    for action in &model.actions {
        visit::effects(&action.effect, &mut |effect| {
            let inside = match effect {
                Effect::Forall(_, body) | Effect::When(_, body) => body,
                Effect::Change(change) if change.function == id => {
                    other |= change.operator != ChangeOperator::Increase;
                    other |= !match &change.amount {
                        Expression::Number(number) => model.scale.cost(*number).is_some(),
                        Expression::Function(function, _) => {
                            !changing[function.index()] && !below[function.index()]
                        }
                        _ => false,
                    };
                    return;
                }
                _ => return,
            };
            visit::effects(inside, &mut |effect| {
                other |= matches!(effect, Effect::Change(change) if change.function == id);
            });
        });
    }
    !other
}

/// The effects that happen whenever the action does.
fn top_level(effect: &mut Effect) -> Vec<&mut Effect> {
    match effect {
        Effect::And(parts) => parts.iter_mut().flat_map(top_level).collect(),
        other => vec![other],
    }
}
