//! A model back to text.
//!
//! [`domain`] and [`problem`] write what a [`Model`] says; reading that text
//! yields the same model, ids included, but for the places it came from and for
//! what is only checked ([`Model::beyond`]).
//! [`crate::layout`] arranges texts that people wrote.

mod types;

use crate::layout::WIDTH;
use crate::model::{
    Amount, Compare, Durative, Effect, Expression, Formula, Measure, Model, Network, ObjectId,
    TaskRef, Term, TimedChange, TypeId, Variable,
};
use std::fmt::Write;

/// Writes the domain: types, constants, predicates, tasks, methods, actions.
///
/// ```
/// let text = "(define (domain d) (:predicates (lit ?l)) (:action light :parameters (?l) :effect (lit ?l)))";
/// let (model, _) = planoku_language::read(text, "(define (problem p) (:domain d) (:init))");
/// let written = planoku_language::write::domain(&model.unwrap());
/// assert!(written.contains("(:action light\n    :parameters (?l)\n    :effect (lit ?l))"));
/// ```
pub fn domain(model: &Model) -> String {
    let writer = Writer { model };
    let mut out = format!("(define (domain {})", or_default(&model.domain, "domain"));
    let requirements = crate::model::requirements::needed(model);
    if !requirements.is_empty() {
        _ = write!(out, "\n  (:requirements {})", requirements.join(" "));
    }
    writer.types(&mut out);
    writer.objects(&mut out, ":constants", 0);
    writer.signatures(
        &mut out,
        ":predicates",
        "",
        model.predicates.iter().map(|p| (&p.name, &p.parameters)),
    );
    writer.signatures(
        &mut out,
        ":functions",
        " - number",
        model.functions.iter().map(|f| (&f.name, &f.parameters)),
    );
    for derived in &model.derived {
        let name = &model.predicates[derived.predicate.index()].name;
        let parameters = writer.parameters(&derived.variables[..derived.arity]);
        let space = if parameters.is_empty() { "" } else { " " };
        _ = write!(out, "\n\n  (:derived ({name}{space}{parameters})\n    ");
        out += &indented(&writer.formula(&derived.condition, &derived.variables), 4);
        out.push(')');
    }
    for task in &model.tasks {
        let parameters = writer.parameters(&task.parameters);
        _ = write!(
            out,
            "\n\n  (:task {} :parameters ({parameters}))",
            task.name
        );
    }
    for method in &model.methods {
        let variables = &method.variables;
        _ = write!(out, "\n\n  (:method {}", method.name);
        key(
            &mut out,
            ":parameters",
            &format!("({})", writer.parameters(&variables[..method.arity])),
        );
        let task = &model.tasks[method.task.index()].name;
        key(
            &mut out,
            ":task",
            &writer.call(task, &method.task_arguments, variables),
        );
        writer.condition_key(&mut out, ":precondition", &method.precondition, variables);
        writer.network(&mut out, &method.network, variables);
        out.push(')');
    }
    for action in &model.actions {
        let variables = &action.variables;
        let section = match action.durative {
            Some(_) => ":durative-action",
            None => ":action",
        };
        _ = write!(out, "\n\n  ({section} {}", action.name);
        key(
            &mut out,
            ":parameters",
            &format!("({})", writer.parameters(&variables[..action.arity])),
        );
        if let Some(durative) = &action.durative {
            writer.durative(&mut out, durative, variables);
        }
        writer.condition_key(&mut out, ":precondition", &action.precondition, variables);
        if action.effect != Effect::None {
            key(
                &mut out,
                ":effect",
                &indented(&writer.effect(&action.effect, variables), 4),
            );
        }
        out.push(')');
    }
    out += ")\n";
    out
}

/// Writes the problem: objects, network, initial state, goal.
pub fn problem(model: &Model) -> String {
    let writer = Writer { model };
    let mut out = format!(
        "(define (problem {})\n  (:domain {})",
        or_default(&model.problem, "problem"),
        or_default(&model.domain, "domain")
    );
    writer.objects(&mut out, ":objects", 1);
    if let Some(initial) = &model.network {
        out += "\n  (:htn";
        let parameters = writer.parameters(&initial.variables[..initial.arity]);
        key(&mut out, ":parameters", &format!("({parameters})"));
        writer.network(&mut out, &initial.network, &initial.variables);
        out.push(')');
    }
    out += "\n  (:init";
    for fact in &model.init {
        let name = &model.predicates[fact.predicate.index()].name;
        _ = write!(out, "\n    ({})", model.show(name, &fact.arguments));
    }
    for value in &model.values {
        let name = &model.functions[value.function.index()].name;
        _ = write!(
            out,
            "\n    (= ({}) {})",
            model.show(name, &value.arguments),
            value.value
        );
    }
    for timed in &model.timed {
        let change = match &timed.change {
            TimedChange::Fact(fact, holds) => {
                let name = &model.predicates[fact.predicate.index()].name;
                let fact = format!("({})", model.show(name, &fact.arguments));
                if *holds {
                    fact
                } else {
                    format!("(not {fact})")
                }
            }
            TimedChange::Value(function, arguments, value) => {
                let name = &model.functions[function.index()].name;
                format!("(= ({}) {value})", model.show(name, arguments))
            }
        };
        _ = write!(out, "\n    (at {} {change})", timed.time);
    }
    out.push(')');
    if model.goal != Formula::True {
        let goal = writer.formula(&model.goal, &model.goal_variables);
        _ = write!(out, "\n  (:goal {})", indented(&goal, 4));
    }
    if model.minimise_cost {
        out += "\n  (:metric minimize (total-cost))";
    }
    if let Some(metric) = &model.metric {
        let way = if metric.minimise {
            "minimize"
        } else {
            "maximize"
        };
        let what = writer.expression(&metric.expression, &[]);
        _ = write!(out, "\n  (:metric {way} {what})");
    }
    out += ")\n";
    out
}

/// Writes a condition whose variables are those given.
pub fn formula(model: &Model, formula: &Formula, variables: &[Variable]) -> String {
    Writer { model }.formula(formula, variables)
}

/// Writes a number whose variables are those given.
pub fn expression(model: &Model, expression: &Expression, variables: &[Variable]) -> String {
    Writer { model }.expression(expression, variables)
}

/// Writes a number, its terms as they are to be called.
pub fn expression_with(
    model: &Model,
    expression: &Expression,
    term: &dyn Fn(&Term) -> String,
) -> String {
    let many = |sign: &str, parts: &[&Expression]| {
        let parts = parts.iter().map(|part| expression_with(model, part, term));
        format!("({sign} {})", parts.collect::<Vec<_>>().join(" "))
    };
    match expression {
        Expression::Number(number) if number.is_decimal() => number.to_string(),
        Expression::Number(number) => {
            format!("(/ {} {})", number.numerator(), number.denominator())
        }
        Expression::Function(function, terms) => {
            let mut text = format!("({}", model.functions[function.index()].name);
            for argument in terms {
                text.push(' ');
                text += &term(argument);
            }
            text + ")"
        }
        Expression::Sum(parts) => many("+", &parts.iter().collect::<Vec<_>>()),
        Expression::Product(parts) => many("*", &parts.iter().collect::<Vec<_>>()),
        Expression::Difference(a, b) => many("-", &[a, b]),
        Expression::Quotient(a, b) => many("/", &[a, b]),
        Expression::Negation(inner) => many("-", &[inner]),
        Expression::Measure(measure) => match measure {
            Measure::TotalTime => "(total-time)".to_owned(),
            Measure::Duration => "?duration".to_owned(),
            Measure::Elapsed => "#t".to_owned(),
            Measure::Violations => "(is-violated)".to_owned(),
        },
    }
}

fn or_default<'a>(name: &'a str, default: &'a str) -> &'a str {
    match name {
        "" => default,
        name => name,
    }
}

/// `:key value` on a line of its own inside a section.
fn key(out: &mut String, name: &str, value: &str) {
    _ = write!(out, "\n    {name} {value}");
}

/// Shifts all lines but the first.
fn indented(text: &str, by: usize) -> String {
    text.replace('\n', &format!("\n{:by$}", ""))
}

struct Writer<'m> {
    model: &'m Model,
}

impl Writer<'_> {
    fn type_name(&self, id: TypeId) -> &str {
        &self.model.types[id.index()].name
    }

    /// What follows the dash.
    fn type_text(&self, types: &[TypeId]) -> String {
        match types {
            [] => "object".to_owned(),
            [one] => self.type_name(*one).to_owned(),
            many => {
                let names: Vec<&str> = many.iter().map(|ty| self.type_name(*ty)).collect();
                format!("(either {})", names.join(" "))
            }
        }
    }

    fn is_untyped(types: &[TypeId]) -> bool {
        matches!(types, [] | [TypeId(0)])
    }

    /// Names with types, neighbours of one type sharing it.
    fn typed<'a>(
        &self,
        names: impl Iterator<Item = (&'a str, &'a [TypeId])>,
        separator: &str,
    ) -> String {
        let names: Vec<(&str, &[TypeId])> = names.collect();
        if names.iter().all(|(_, types)| Self::is_untyped(types)) {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            return names.join(" ");
        }
        let mut groups: Vec<String> = Vec::new();
        for group in names.chunk_by(|a, b| a.1 == b.1) {
            let all: Vec<&str> = group.iter().map(|(name, _)| *name).collect();
            groups.push(format!(
                "{} - {}",
                all.join(" "),
                self.type_text(group[0].1)
            ));
        }
        groups.join(separator)
    }

    fn parameters(&self, variables: &[Variable]) -> String {
        self.typed(
            variables
                .iter()
                .map(|v| (v.name.as_str(), v.types.as_slice())),
            " ",
        )
    }

    fn objects(&self, out: &mut String, section: &str, file: u32) {
        let objects = self
            .model
            .objects
            .iter()
            .filter(|object| object.span.file == file);
        let list = objects.map(|object| (object.name.as_str(), object.types.as_slice()));
        let text = self.typed(list, "\n    ");
        if !text.is_empty() {
            _ = write!(out, "\n  ({section}\n    {text})");
        }
    }

    fn signatures<'a>(
        &self,
        out: &mut String,
        section: &str,
        suffix: &str,
        all: impl Iterator<Item = (&'a String, &'a Vec<Variable>)>,
    ) {
        let mut lines = String::new();
        for (name, parameters) in all {
            let parameters = self.parameters(parameters);
            let space = if parameters.is_empty() { "" } else { " " };
            _ = write!(lines, "\n    ({name}{space}{parameters}){suffix}");
        }
        if !lines.is_empty() {
            _ = write!(out, "\n  ({section}{lines})");
        }
    }

    fn term<'a>(&'a self, term: &Term, variables: &'a [Variable]) -> &'a str {
        match term {
            Term::Variable(id) => &variables[id.index()].name,
            Term::Object(ObjectId(id)) => &self.model.objects[*id as usize].name,
        }
    }

    fn call(&self, name: &str, terms: &[Term], variables: &[Variable]) -> String {
        let mut text = format!("({name}");
        for term in terms {
            text.push(' ');
            text += self.term(term, variables);
        }
        text + ")"
    }

    fn condition_key(&self, out: &mut String, name: &str, f: &Formula, variables: &[Variable]) {
        if *f != Formula::True {
            key(out, name, &indented(&self.formula(f, variables), 4));
        }
    }

    fn formula(&self, formula: &Formula, variables: &[Variable]) -> String {
        let many = |head: &str, parts: &[Formula]| {
            list(head, parts.iter().map(|part| self.formula(part, variables)))
        };
        let quantified = |head: &str, ids: &[crate::model::VariableId], body: &Formula| {
            let bound = ids.iter().map(|id| {
                let variable = &variables[id.index()];
                (variable.name.as_str(), variable.types.as_slice())
            });
            let head = format!("{head} ({})", self.typed(bound, " "));
            list(&head, std::iter::once(self.formula(body, variables)))
        };
        match formula {
            Formula::True => "()".to_owned(),
            Formula::Atom(atom) => {
                let name = &self.model.predicates[atom.predicate.index()].name;
                self.call(name, &atom.arguments, variables)
            }
            Formula::Equal(a, b) => self.call("=", &[*a, *b], variables),
            Formula::Compare(compare) => self.compare(compare, variables),
            Formula::Not(body) => list("not", std::iter::once(self.formula(body, variables))),
            Formula::And(parts) => many("and", parts),
            Formula::Or(parts) => many("or", parts),
            Formula::Imply(a, b) => list(
                "imply",
                [a, b].into_iter().map(|part| self.formula(part, variables)),
            ),
            Formula::Forall(ids, body) => quantified("forall", ids, body),
            Formula::Exists(ids, body) => quantified("exists", ids, body),
        }
    }

    fn effect(&self, effect: &Effect, variables: &[Variable]) -> String {
        let atom = |atom: &crate::model::Atom| {
            let name = &self.model.predicates[atom.predicate.index()].name;
            self.call(name, &atom.arguments, variables)
        };
        match effect {
            Effect::None => "()".to_owned(),
            Effect::Add(added) => atom(added),
            Effect::Delete(deleted) => format!("(not {})", atom(deleted)),
            Effect::And(parts) => {
                list("and", parts.iter().map(|part| self.effect(part, variables)))
            }
            Effect::Forall(ids, body) => {
                let bound = ids.iter().map(|id| {
                    let variable = &variables[id.index()];
                    (variable.name.as_str(), variable.types.as_slice())
                });
                let head = format!("forall ({})", self.typed(bound, " "));
                list(&head, std::iter::once(self.effect(body, variables)))
            }
            Effect::When(condition, body) => list(
                "when",
                [
                    self.formula(condition, variables),
                    self.effect(body, variables),
                ]
                .into_iter(),
            ),
            Effect::IncreaseCost(Amount::Number(cost)) => {
                format!("(increase (total-cost) {})", self.model.show_cost(*cost))
            }
            Effect::IncreaseCost(Amount::Function(function, terms)) => {
                let name = &self.model.functions[function.index()].name;
                format!(
                    "(increase (total-cost) {})",
                    self.call(name, terms, variables)
                )
            }
            Effect::Change(change) => {
                let name = &self.model.functions[change.function.index()].name;
                format!(
                    "({} {} {})",
                    change.operator.word(),
                    self.call(name, &change.arguments, variables),
                    self.expression(&change.amount, variables)
                )
            }
        }
    }

    fn durative(&self, out: &mut String, durative: &Durative, variables: &[Variable]) {
        let bounds = durative.duration.iter().map(|(operator, amount)| {
            let amount = self.expression(amount, variables);
            format!("({} ?duration {amount})", operator.sign())
        });
        let bounds: Vec<String> = bounds.collect();
        let duration = match bounds.as_slice() {
            [only] => only.clone(),
            several => format!("(and {})", several.join(" ")),
        };
        key(out, ":duration", &duration);
        let conditions = [
            ("at start", &durative.at_start),
            ("over all", &durative.over_all),
            ("at end", &durative.at_end),
        ];
        let asked = conditions.iter().filter(|it| *it.1 != Formula::True);
        let conditions =
            asked.map(|(when, formula)| format!("({when} {})", self.formula(formula, variables)));
        key(out, ":condition", &indented(&list("and", conditions), 4));
        let effects = [
            ("at start", &durative.start_effect),
            ("at end", &durative.end_effect),
        ];
        let done = effects.iter().filter(|it| *it.1 != Effect::None);
        let effects =
            done.map(|(when, effect)| format!("({when} {})", self.effect(effect, variables)));
        key(out, ":effect", &indented(&list("and", effects), 4));
    }

    fn compare(&self, compare: &Compare, variables: &[Variable]) -> String {
        let [left, right] =
            [&compare.left, &compare.right].map(|side| self.expression(side, variables));
        format!("({} {left} {right})", compare.operator.sign())
    }

    fn expression(&self, expression: &Expression, variables: &[Variable]) -> String {
        expression_with(self.model, expression, &|term| {
            self.term(term, variables).to_owned()
        })
    }

    /// Subtasks with their order: as an ordered list where they are one.
    fn network(&self, out: &mut String, network: &Network, variables: &[Variable]) {
        let count = network.subtasks.len();
        let chain = (1..count as u32).map(|i| (i - 1, i));
        let in_order = count > 1 && network.ordering.iter().copied().eq(chain);
        let needs_labels = !in_order && !network.ordering.is_empty();
        let labels: Vec<Option<String>> = self.labels(network, needs_labels);
        let subtasks = network
            .subtasks
            .iter()
            .zip(&labels)
            .map(|(subtask, label)| {
                let name = match subtask.task {
                    TaskRef::Task(id) => &self.model.tasks[id.index()].name,
                    TaskRef::Action(id) => &self.model.actions[id.index()].name,
                };
                let call = self.call(name, &subtask.arguments, variables);
                match label {
                    Some(label) => format!("({label} {call})"),
                    None => call,
                }
            });
        if count > 0 {
            let name = match in_order {
                true => ":ordered-subtasks",
                false => ":subtasks",
            };
            key(out, name, &indented(&list("and", subtasks), 4));
        }
        if needs_labels {
            let pairs = network.ordering.iter().map(|(a, b)| {
                let label = |i: &u32| labels[*i as usize].as_deref().unwrap_or("");
                format!("(< {} {})", label(a), label(b))
            });
            key(out, ":ordering", &indented(&list("and", pairs), 4));
        }
        self.condition_key(out, ":constraints", &network.constraints, variables);
    }

    /// Labels as written; invented ones where the order speaks of a subtask.
    fn labels(&self, network: &Network, needed: bool) -> Vec<Option<String>> {
        let taken = |name: &str| {
            let mut labels = network.subtasks.iter().filter_map(|s| s.label.as_deref());
            labels.any(|label| label.eq_ignore_ascii_case(name))
        };
        let mut ordered = vec![false; network.subtasks.len()];
        for (a, b) in &network.ordering {
            ordered[*a as usize] = needed;
            ordered[*b as usize] = needed;
        }
        (network.subtasks.iter().enumerate())
            .map(|(index, subtask)| match (&subtask.label, ordered[index]) {
                (Some(label), _) => Some(label.clone()),
                (None, false) => None,
                (None, true) => {
                    let mut name = format!("t{index}");
                    while taken(&name) {
                        name.push('x');
                    }
                    Some(name)
                }
            })
            .collect()
    }
}

/// `(head part part)` on one line if it fits, otherwise a line for each part.
fn list(head: &str, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    let width: usize = head.len() + parts.iter().map(|part| part.len() + 1).sum::<usize>() + 2;
    if width <= WIDTH - 30 && !parts.iter().any(|part| part.contains('\n')) {
        let mut text = format!("({head}");
        for part in &parts {
            text.push(' ');
            text += part;
        }
        return text + ")";
    }
    let mut text = format!("({head}");
    for part in &parts {
        text += "\n  ";
        text += &indented(part, 2);
    }
    text + ")"
}
