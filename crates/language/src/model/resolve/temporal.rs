//! Durative actions, timed facts, and what is checked only: processes, events,
//! preferences and constraints on the states a plan goes through.

use super::define::{Definition, Keys, start_of};
use super::fit::Stance;
use super::formula::DEEPEST;
use super::{NameScope, Resolver, Variables};
use crate::diagnostic::{form, unsupported};
use crate::model::{
    Beyond, CompareOperator, Durative, Effect, Feature, Formula, Measure, Span, Timed, TimedChange,
};
use crate::syntax::{Node, NodeKind};

/// What belongs to the start, to all states between, and to the end.
#[derive(Default)]
struct Parts<T> {
    start: Vec<T>,
    all: Vec<T>,
    end: Vec<T>,
}

impl<T> Parts<T> {
    fn map<U>(self, join: impl Fn(Vec<T>) -> U) -> Parts<U> {
        let some = |list: Vec<T>| match list.is_empty() {
            true => Vec::new(),
            false => vec![join(list)],
        };
        Parts {
            start: some(self.start),
            all: some(self.all),
            end: some(self.end),
        }
    }

    fn append(&mut self, mut other: Parts<T>) {
        self.start.append(&mut other.start);
        self.all.append(&mut other.all);
        self.end.append(&mut other.end);
    }
}

/// All of them as one; of none, what asks or does nothing.
fn joined<T: Default>(mut parts: Vec<T>, and: impl Fn(Vec<T>) -> T) -> T {
    match parts.len() {
        0 => T::default(),
        1 => parts.remove(0),
        _ => and(parts),
    }
}

impl Resolver {
    /// Notes something that planning refuses; the first of a kind is kept.
    pub(super) fn beyond(&mut self, feature: Feature, span: Span) {
        let known = &mut self.reading.model.beyond;
        if !known.iter().any(|it| it.feature == feature) {
            known.push(Beyond { feature, span });
        }
    }

    /// The body of an action with a duration.
    pub(super) fn durative(
        &mut self,
        keys: &Keys<'_>,
        span: Span,
        variables: &mut Variables,
    ) -> Durative {
        self.beyond(Feature::DurativeActions, span);
        let mut found = Durative::default();
        self.measures.push(Measure::Duration);
        match keys.get(":duration") {
            Some(node) => self.duration(node, variables, &mut found.duration, 0),
            None => {
                let wanted = "`:duration (= ?duration …)`";
                self.report(form::malformed(span, wanted, ""));
            }
        }
        let mut conditions = Parts::default();
        if let Some(node) = keys.get(":condition") {
            self.timed_condition(node, variables, &mut conditions, 0);
        }
        let mut effects = Parts::default();
        if let Some(node) = keys.get(":effect") {
            self.timed_effect(node, variables, &mut effects, 0);
        }
        self.measures.pop();
        [found.at_start, found.over_all, found.at_end] =
            [conditions.start, conditions.all, conditions.end]
                .map(|parts| joined(parts, Formula::And));
        [found.start_effect, found.end_effect] =
            [effects.start, effects.end].map(|parts| joined(parts, Effect::And));
        found
    }

    /// `(= ?duration 5)`, or several inequalities joined by `and`.
    fn duration(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        into: &mut Vec<(CompareOperator, crate::model::Expression)>,
        depth: u32,
    ) {
        let wanted = "`(= ?duration …)`";
        let head = node.head().filter(|_| node.is_list() && depth < DEEPEST);
        let Some(head) = head else {
            // `()` asks for nothing.
            if !node.is_list() || node.children().next().is_some() {
                self.report(form::malformed(start_of(node), wanted, node.text()));
            }
            return;
        };
        if head.is("and") {
            node.rest()
                .for_each(|part| self.duration(part, variables, into, depth + 1));
            return;
        }
        let parts: Vec<Node<'_>> = node.rest().collect();
        match (CompareOperator::of(head.text()), parts.as_slice()) {
            (None, [when, inner]) if head.is("at") && when.is("start") => {
                self.duration(*inner, variables, into, depth + 1);
            }
            (Some(operator), [what, amount]) if what.is("?duration") => {
                let amount = self.expression(*amount, variables, Stance::Asks, 0);
                into.extend(amount.map(|amount| (operator, amount)));
            }
            _ => self.report(form::malformed(start_of(node), wanted, node.text())),
        }
    }

    /// The words `at start`, `over all` or `at end` before a list.
    fn when<'t>(&self, node: Node<'t>) -> Option<(&'static str, Node<'t>)> {
        let parts: Vec<Node<'t>> = node.children().collect();
        match parts.as_slice() {
            [at, start, inner] if at.is("at") && start.is("start") => Some(("start", *inner)),
            [at, end, inner] if at.is("at") && end.is("end") => Some(("end", *inner)),
            [over, all, inner] if over.is("over") && all.is("all") => Some(("all", *inner)),
            _ => None,
        }
    }

    fn timed_condition(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        into: &mut Parts<Formula>,
        depth: u32,
    ) {
        let wanted = "`(at start …)`, `(over all …)` or `(at end …)`";
        if depth > DEEPEST || !node.is_list() {
            self.report(form::malformed(start_of(node), wanted, node.text()));
            return;
        }
        if let Some((when, inner)) = self.when(node) {
            let formula = self.condition(inner, variables, Stance::Narrows, depth + 1);
            match when {
                "start" => into.start.push(formula),
                "all" => into.all.push(formula),
                _ => into.end.push(formula),
            }
            return;
        }
        match node.head() {
            None if node.children().next().is_none() => {}
            Some(head) if head.is("and") => {
                for part in node.rest() {
                    self.timed_condition(part, variables, into, depth + 1);
                }
            }
            Some(head) if head.is("forall") => {
                let found = self.quantified(node, variables, |this, body, variables, ids| {
                    let mut inner = Parts::default();
                    this.timed_condition(body, variables, &mut inner, depth + 1);
                    inner.map(|parts| Formula::Forall(ids.clone(), Box::new(Formula::And(parts))))
                });
                into.append(found.unwrap_or_default());
            }
            Some(head) if head.is("preference") => {
                if let Some(inner) = self.preferred(node) {
                    self.timed_condition(inner, variables, &mut Parts::default(), depth + 1);
                }
            }
            _ => self.report(form::malformed(start_of(node), wanted, node.text())),
        }
    }

    fn timed_effect(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        into: &mut Parts<Effect>,
        depth: u32,
    ) {
        let wanted = "`(at start …)` or `(at end …)`";
        if depth > DEEPEST || !node.is_list() {
            self.report(form::malformed(start_of(node), wanted, node.text()));
            return;
        }
        if let Some((when @ ("start" | "end"), inner)) = self.when(node) {
            let effect = self.effect(inner, variables, Stance::Narrows, depth + 1);
            match when {
                "start" => into.start.push(effect),
                _ => into.end.push(effect),
            }
            return;
        }
        match node.head() {
            None if node.children().next().is_none() => {}
            Some(head) if head.is("and") => {
                for part in node.rest() {
                    self.timed_effect(part, variables, into, depth + 1);
                }
            }
            Some(head) if head.is("forall") => {
                let found = self.quantified(node, variables, |this, body, variables, ids| {
                    let mut inner = Parts::default();
                    this.timed_effect(body, variables, &mut inner, depth + 1);
                    inner.map(|parts| Effect::Forall(ids.clone(), Box::new(Effect::And(parts))))
                });
                into.append(found.unwrap_or_default());
            }
            Some(head) if head.is("when") => self.timed_when(node, variables, into, depth),
            Some(head) if head.is("increase") || head.is("decrease") => {
                self.beyond(Feature::ContinuousEffects, node.span());
                self.measures.push(Measure::Elapsed);
                self.effect(node, variables, Stance::Asks, depth + 1);
                self.measures.pop();
            }
            _ => self.report(form::malformed(start_of(node), wanted, node.text())),
        }
    }

    /// A conditional effect whose condition and effect belong to one time.
    fn timed_when(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        into: &mut Parts<Effect>,
        depth: u32,
    ) {
        let Some(parts) = self.exactly(node, 2, "a condition and an effect after `when`") else {
            return;
        };
        let (mut conditions, mut effects) = (Parts::default(), Parts::default());
        self.timed_condition(parts[0], variables, &mut conditions, depth + 1);
        self.timed_effect(parts[1], variables, &mut effects, depth + 1);
        let [at_start, over, at_end] =
            [&conditions.start, &conditions.all, &conditions.end].map(|list| !list.is_empty());
        let (starts, ends) = (!effects.start.is_empty(), !effects.end.is_empty());
        if over || at_start && ends || at_end && starts {
            self.report(unsupported::unsupported(
                start_of(node),
                "an effect at one time whose condition is of another is",
                "condition and effect are both at the start, or both at the end",
            ));
            return;
        }
        let made = |condition: Vec<Formula>, effect: Vec<Effect>| {
            Effect::When(Formula::And(condition), Box::new(Effect::And(effect)))
        };
        match starts {
            true => into.start.push(made(conditions.start, effects.start)),
            false => into.end.push(made(conditions.end, effects.end)),
        }
    }

    /// `(at 5 (p a))`, `(at 5 (not (p a)))`, `(at 5 (= (f a) 3))`.
    pub(super) fn timed_fact(&mut self, node: Node<'_>) {
        self.beyond(Feature::TimedLiterals, node.span());
        let parts: Vec<Node<'_>> = node.rest().collect();
        let &[time, inner] = parts.as_slice() else {
            let wanted = "a time and one fact after `at`";
            self.report(form::malformed(start_of(node), wanted, node.text()));
            return;
        };
        let Some(time) = self.number(time) else {
            return;
        };
        let change = match inner.head() {
            Some(head) if head.is("=") => self
                .given_value(inner)
                .map(|(function, arguments, value)| TimedChange::Value(function, arguments, value)),
            Some(head) if head.is("not") => self
                .exactly(inner, 1, "one fact after `not`")
                .and_then(|parts| self.fact(parts[0]))
                .map(|(fact, _)| TimedChange::Fact(fact, false)),
            _ => self
                .fact(inner)
                .map(|(fact, _)| TimedChange::Fact(fact, true)),
        };
        if let Some(change) = change {
            self.model().timed.push(Timed {
                time,
                change,
                span: node.span(),
            });
        }
    }

    /// Notes a preference and its name; what it prefers is to be checked.
    pub(super) fn preferred<'t>(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        self.beyond(Feature::Preferences, node.span());
        let parts: Vec<Node<'t>> = node.rest().collect();
        match parts.as_slice() {
            [inner] if inner.is_list() => Some(*inner),
            [name, inner] if !name.is_list() && inner.is_list() => {
                let name = self.key(name.text());
                self.preferences.push(name);
                Some(*inner)
            }
            _ => {
                let wanted = "a name and one condition after `preference`";
                self.report(form::malformed(start_of(node), wanted, node.text()));
                None
            }
        }
    }

    /// `(is-violated name)` in the metric.
    pub(super) fn is_violated(&mut self, node: Node<'_>) {
        let name = node.rest().next().map_or("", |name| name.text());
        let known = self.preferences.contains(&self.key(name));
        if node.rest().count() != 1 || !known {
            let wanted = "the name of a preference";
            self.report(form::malformed(node.span(), wanted, name));
        }
    }

    /// `(:constraints …)`: names and types are checked.
    pub(super) fn trajectories(&mut self, file: &Definition<'_>) {
        for section in file.all(":constraints") {
            self.beyond(Feature::Constraints, start_of(section));
            let mut variables = Variables::new(NameScope::Constraints(section.span().file));
            for part in section.rest() {
                self.trajectory(part, &mut variables, 0);
            }
        }
    }

    fn trajectory(&mut self, node: Node<'_>, variables: &mut Variables, depth: u32) {
        let wanted = "a constraint such as `(always …)` or `(sometime …)`";
        let head = node.head().filter(|_| node.is_list() && depth < DEEPEST);
        let Some(head) = head else {
            if !node.is_list() || node.children().next().is_some() {
                self.report(form::malformed(start_of(node), wanted, node.text()));
            }
            return;
        };
        let word = head.text().to_ascii_lowercase();
        let (times, conditions) = match word.as_str() {
            "and" => {
                node.rest()
                    .for_each(|part| self.trajectory(part, variables, depth + 1));
                return;
            }
            "forall" => {
                self.quantified(node, variables, |this, body, variables, _| {
                    this.trajectory(body, variables, depth + 1);
                });
                return;
            }
            "preference" => {
                if let Some(inner) = self.preferred(node) {
                    self.trajectory(inner, variables, depth + 1);
                }
                return;
            }
            // `(at end …)`.
            "at" => (1, 1),
            "always" | "sometime" | "at-most-once" => (0, 1),
            "sometime-after" | "sometime-before" => (0, 2),
            "within" | "hold-after" => (1, 1),
            "always-within" => (1, 2),
            "hold-during" => (2, 1),
            _ => {
                self.report(form::malformed(start_of(node), wanted, node.text()));
                return;
            }
        };
        let parts: Vec<Node<'_>> = node.rest().collect();
        let is_time = |part: &Node<'_>| match word.as_str() {
            "at" => part.is("end"),
            _ => part.kind() == NodeKind::Number,
        };
        if parts.len() != times + conditions || !parts[..times].iter().all(is_time) {
            let wanted = match times {
                0 => format!("{conditions} conditions after `{word}`"),
                _ => format!("{times} times and {conditions} conditions after `{word}`"),
            };
            self.report(form::malformed(start_of(node), &wanted, node.text()));
            return;
        }
        for part in &parts[times..] {
            self.condition(*part, variables, Stance::Asks, depth + 1);
        }
    }

    /// `(:process …)` and `(:event …)`: names and types are checked.
    pub(super) fn processes(&mut self, file: &Definition<'_>) {
        for (section, feature) in [
            (":process", Feature::Processes),
            (":event", Feature::Events),
        ] {
            for node in file.all(section) {
                self.beyond(feature, start_of(node));
                let keys = self.keys(section, node, true);
                let mut variables = Variables::new(NameScope::Process(node.span().start));
                if let Some(list) = self.list_value(&keys, ":parameters") {
                    self.bind(list.children(), &mut variables, true);
                }
                self.precondition(&keys, &mut variables);
                if let Some(effect) = keys.get(":effect") {
                    self.measures.push(Measure::Elapsed);
                    self.effect(effect, &mut variables, Stance::Narrows, 0);
                    self.measures.pop();
                }
            }
        }
    }
}
