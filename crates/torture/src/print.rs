//! A [`Problem`] as two texts.
//!
//! Names say what they name: `a3` is an action, `o1` an object, `?v0` the
//! first parameter. `name` and `number` translate.

use std::fmt::Write;

use crate::problem::{
    Atom, Effect, Formula, Network, Node, Number, NumberChange, Price, Problem, Subtask, Term, Top,
};

/// The number behind a name such as `a3`; `None` if it is not of that kind.
pub fn number(kind: char, name: &str) -> Option<usize> {
    name.strip_prefix(kind)?.parse().ok()
}

/// The domain and the problem.
pub fn texts(problem: &Problem) -> (String, String) {
    (domain(problem), instance(problem))
}

const REQUIREMENTS: &str = "(:requirements :adl :typing :negative-preconditions :equality \
    :universal-preconditions :existential-preconditions :disjunctive-preconditions \
    :conditional-effects :derived-predicates :action-costs";
const NUMBERS: &str = " :numeric-fluents";

fn domain(problem: &Problem) -> String {
    let mut out = format!("(define (domain torture)\n  {REQUIREMENTS}");
    if !problem.fluents.is_empty() {
        out += NUMBERS;
    }
    if problem.top.is_some() {
        out += " :hierarchy :method-preconditions";
    }
    out += ")\n  (:types";
    for (number, parent) in problem.types.iter().enumerate().skip(1) {
        let _ = write!(out, " {} - {}", kind(number), kind(*parent));
    }
    out += ")\n";
    out += &objects(problem, true, ":constants");
    out += "  (:predicates";
    for (number, parameters) in problem.predicates.iter().enumerate() {
        let _ = write!(out, " (p{number}{})", variables(parameters));
    }
    out += ")\n";
    let costs = problem.speaks_of_cost() || !problem.functions.is_empty();
    if costs || !problem.fluents.is_empty() {
        out += "  (:functions";
        if costs {
            out += " (total-cost) - number";
        }
        for (number, fluent) in problem.fluents.iter().enumerate() {
            let of = if fluent.of_object {
                " ?v0 - object"
            } else {
                ""
            };
            let _ = write!(out, " (n{number}{of}) - number");
        }
        for number in 0..problem.functions.len() {
            let _ = write!(out, " (f{number} ?v0 - object) - number");
        }
        out += ")\n";
    }
    for rule in &problem.derived {
        let parameters = &problem.predicates[rule.predicate];
        let _ = writeln!(
            out,
            "  (:derived (p{}{})\n    {})",
            rule.predicate,
            variables(parameters),
            conjunction(&rule.condition, parameters.len())
        );
    }
    for (number, parameters) in problem.tasks.iter().enumerate() {
        let _ = writeln!(
            out,
            "  (:task t{number} :parameters ({}))",
            variables(parameters).trim()
        );
    }
    for (number, method) in problem.methods.iter().enumerate() {
        let depth = method.parameters.len();
        let _ = writeln!(
            out,
            "  (:method m{number} :parameters ({})\n    :task (t{}{})",
            variables(&method.parameters).trim(),
            method.task,
            terms(&method.terms)
        );
        if !method.condition.is_empty() {
            let _ = writeln!(
                out,
                "    :precondition {}",
                conjunction(&method.condition, depth)
            );
        }
        out += &network(&method.network, depth);
        out += "  )\n";
    }
    for (number, action) in problem.actions.iter().enumerate() {
        let depth = action.parameters.len();
        let _ = writeln!(
            out,
            "  (:action a{number} :parameters ({})\n    :precondition {}\n    :effect (and",
            variables(&action.parameters).trim(),
            conjunction(&action.condition, depth)
        );
        for change in &action.effects {
            let _ = writeln!(out, "      {}", effect(change, depth));
        }
        for it in &action.changes {
            let _ = writeln!(out, "      {}", change(it, depth));
        }
        match &action.price {
            None => {}
            Some(Price::Number(amount)) => {
                let _ = writeln!(out, "      (increase (total-cost) {amount})");
            }
            Some(Price::Function(function, argument)) => {
                let argument = term(argument);
                let _ = writeln!(
                    out,
                    "      (increase (total-cost) (f{function} {argument}))"
                );
            }
        }
        out += "  ))\n";
    }
    out + ")\n"
}

fn instance(problem: &Problem) -> String {
    let mut out = String::from("(define (problem one)\n  (:domain torture)\n");
    out += &objects(problem, false, ":objects");
    if let Some(Top {
        parameters,
        network: tasks,
    }) = &problem.top
    {
        let _ = writeln!(
            out,
            "  (:htn :parameters ({})",
            variables(parameters).trim()
        );
        out += &network(tasks, parameters.len());
        out += "  )\n";
    }
    out += "  (:init";
    if problem.speaks_of_cost() || !problem.functions.is_empty() {
        out += " (= (total-cost) 0)";
    }
    for (predicate, arguments) in &problem.init {
        let _ = write!(out, "\n    (p{predicate}");
        for object in arguments {
            let _ = write!(out, " o{object}");
        }
        out += ")";
    }
    for (number, values) in problem.functions.iter().enumerate() {
        for (object, amount) in values.iter().enumerate() {
            let _ = write!(out, "\n    (= (f{number} o{object}) {amount})");
        }
    }
    for (number, fluent) in problem.fluents.iter().enumerate() {
        for (object, value) in fluent.start.iter().enumerate() {
            let of = match fluent.of_object {
                true => format!(" o{object}"),
                false => String::new(),
            };
            if let Some(value) = value {
                let _ = write!(out, "\n    (= (n{number}{of}) {value})");
            }
        }
    }
    out += ")\n";
    let _ = writeln!(out, "  (:goal {})", conjunction(&problem.goal, 0));
    if problem.speaks_of_cost() {
        out += "  (:metric minimize (total-cost))\n";
    }
    out + ")\n"
}

fn kind(number: usize) -> String {
    match number {
        0 => "object".into(),
        _ => format!("k{number}"),
    }
}

fn objects(problem: &Problem, constant: bool, keyword: &str) -> String {
    let mut out = format!("  ({keyword}");
    for (number, object) in problem.objects.iter().enumerate() {
        if object.constant == constant {
            let _ = write!(out, " o{number} - {}", kind(object.kind));
        }
    }
    out + ")\n"
}

fn variables(kinds: &[usize]) -> String {
    let mut out = String::new();
    for (number, of) in kinds.iter().enumerate() {
        let _ = write!(out, " ?v{number} - {}", kind(*of));
    }
    out
}

fn term(term: &Term) -> String {
    match term {
        Term::Variable(number) => format!("?v{number}"),
        Term::Object(number) => format!("o{number}"),
    }
}

fn terms(list: &[Term]) -> String {
    list.iter().map(|it| format!(" {}", term(it))).collect()
}

fn atom(atom: &Atom) -> String {
    format!("(p{}{})", atom.predicate, terms(&atom.terms))
}

fn conjunction(parts: &[Formula], depth: usize) -> String {
    let parts: String = parts
        .iter()
        .map(|it| format!(" {}", formula(it, depth)))
        .collect();
    format!("(and{parts})")
}

/// A condition inside `depth` variables.
fn formula(it: &Formula, depth: usize) -> String {
    match it {
        Formula::Atom(it) => atom(it),
        Formula::Equal(a, b) => format!("(= {} {})", term(a), term(b)),
        Formula::Compare(it) => {
            let [a, b] = &it.sides;
            format!("({} {} {})", it.sign, number_text(a), number_text(b))
        }
        Formula::Not(it) => format!("(not {})", formula(it, depth)),
        Formula::And(parts) => conjunction(parts, depth),
        Formula::Or(parts) => {
            let parts: String = parts
                .iter()
                .map(|it| format!(" {}", formula(it, depth)))
                .collect();
            format!("(or{parts})")
        }
        Formula::Imply(a, b) => format!("(imply {} {})", formula(a, depth), formula(b, depth)),
        Formula::Forall(of, it) => quantified("forall", *of, it, depth),
        Formula::Exists(of, it) => quantified("exists", *of, it, depth),
    }
}

fn quantified(word: &str, of: usize, body: &Formula, depth: usize) -> String {
    let body = formula(body, depth + 1);
    format!("({word} (?v{depth} - {}) {body})", kind(of))
}

fn number_text(it: &Number) -> String {
    match it {
        Number::Constant(tenths) => tenths.to_string(),
        Number::Fluent(fluent, of) => {
            let of: String = of.iter().map(|it| format!(" {}", term(it))).collect();
            format!("(n{fluent}{of})")
        }
        Number::Two(sign, parts) => {
            let [a, b] = &**parts;
            format!("({sign} {} {})", number_text(a), number_text(b))
        }
    }
}

fn change(it: &NumberChange, depth: usize) -> String {
    let fluent = number_text(&Number::Fluent(it.fluent, it.of));
    let text = format!("({} {fluent} {})", it.word, number_text(&it.amount));
    within(it.each, &it.when, text, depth)
}

fn effect(it: &Effect, depth: usize) -> String {
    let mut text = atom(&it.atom);
    if !it.add {
        text = format!("(not {text})");
    }
    within(it.each, &it.when, text, depth)
}

/// A change with what it is for, and when it happens.
fn within(each: Option<usize>, when: &[Formula], mut text: String, depth: usize) -> String {
    let inner = depth + usize::from(each.is_some());
    if !when.is_empty() {
        text = format!("(when {} {text})", conjunction(when, inner));
    }
    match each {
        Some(of) => format!("(forall (?v{depth} - {}) {text})", kind(of)),
        None => text,
    }
}

fn network(network: &Network, depth: usize) -> String {
    let mut out = String::new();
    let Network {
        subtasks,
        order,
        constraints,
    } = network;
    out += match order {
        None => "    :ordered-subtasks (and",
        Some(_) => "    :subtasks (and",
    };
    for (place, Subtask { node, terms: list }) in subtasks.iter().enumerate() {
        let (letter, number) = match node {
            Node::Task(number) => ('t', number),
            Node::Action(number) => ('a', number),
        };
        let _ = write!(out, "\n      (s{place} ({letter}{number}{}))", terms(list));
    }
    out += ")\n";
    if let Some(pairs) = order
        && !pairs.is_empty()
    {
        out += "    :ordering (and";
        for (a, b) in pairs {
            let _ = write!(out, " (< s{a} s{b})");
        }
        out += ")\n";
    }
    if !constraints.is_empty() {
        let _ = writeln!(out, "    :constraints {}", conjunction(constraints, depth));
    }
    out
}
