//! Variables that multiply instances without need.
//!
//! A grounder that does not join cleverly tries every combination of values of
//! a schema's parameters. Three habits make that explode: a parameter nothing
//! speaks of, parameters that only retrace a chain of facts that never change,
//! and a variable that stays free until a later action tests a static fact.

use super::relax::{Owner, Relaxed};
use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::visit;
use crate::model::{
    Atom, Effect, Formula, Method, MethodId, Model, Network, Span, TaskRef, Term, Variable,
};
use rustc_hash::FxHashSet;

code!(UNUSED = "W0407", Warning, "parameter that nothing uses");
code!(
    ONLY_JOINS = "W0409",
    Warning,
    "parameters that only retrace static facts"
);
code!(
    LATE = "W0410",
    Warning,
    "variable left free until a later action"
);

/// Fewer naive instances than this are not worth a word.
const MANY: f64 = 1e6;

/// Looks at every action and method. The relaxed problem, if it could be
/// built, tells how many instances are real.
pub(super) fn check(model: &Model, relaxed: Option<&Relaxed<'_>>, out: &mut Diagnostics) {
    let changing = visit::changing(model);
    // In a hierarchy the method says what an action is given; only where the
    // planner chooses freely does an idle parameter multiply instances.
    let free = model.tasks.is_empty();
    for action in model.actions.iter().filter(|_| free) {
        let mut used = FxHashSet::default();
        in_formula(&action.precondition, &mut used);
        in_effect(&action.effect, &mut used);
        let parameters = &action.variables[..action.arity];
        unused(
            model,
            "action",
            &action.name,
            action.span,
            parameters,
            &used,
            out,
        );
    }
    // Tasks whose methods are all without subtasks.
    let mut only_checks = vec![true; model.tasks.len()];
    for method in &model.methods {
        only_checks[method.task.index()] &= method.network.subtasks.is_empty();
    }
    for (index, method) in model.methods.iter().enumerate() {
        let mut used = FxHashSet::default();
        in_formula(&method.precondition, &mut used);
        in_network(&method.network, &mut used);
        in_terms(&method.task_arguments, &mut used);
        let parameters = &method.variables[..method.arity];
        unused(
            model,
            "method",
            &method.name,
            method.span,
            parameters,
            &used,
            out,
        );
        only_joins(
            model,
            MethodId(index as u32),
            method,
            &changing,
            relaxed,
            out,
        );
        late(model, method, &changing, &only_checks, out);
    }
}

fn in_terms(terms: &[Term], used: &mut FxHashSet<u32>) {
    used.extend(terms.iter().filter_map(|term| match term {
        Term::Variable(id) => Some(id.0),
        Term::Object(_) => None,
    }));
}

fn in_formula(formula: &Formula, used: &mut FxHashSet<u32>) {
    visit::formulas(formula, &mut |part| match part {
        Formula::Atom(atom) => in_terms(&atom.arguments, used),
        Formula::Equal(a, b) => in_terms(&[*a, *b], used),
        Formula::Compare(compare) => compare.terms(&mut |term| in_terms(&[*term], used)),
        _ => {}
    });
}

fn in_effect(effect: &Effect, used: &mut FxHashSet<u32>) {
    visit::effects(effect, &mut |part| match part {
        Effect::Add(atom) | Effect::Delete(atom) => in_terms(&atom.arguments, used),
        Effect::When(condition, _) => in_formula(condition, used),
        Effect::IncreaseCost(crate::model::Amount::Function(_, terms)) => in_terms(terms, used),
        Effect::Change(change) => change.terms(&mut |term| in_terms(&[*term], used)),
        _ => {}
    });
}

fn in_network(network: &Network, used: &mut FxHashSet<u32>) {
    for subtask in &network.subtasks {
        in_terms(&subtask.arguments, used);
    }
    in_formula(&network.constraints, used);
}

fn unused(
    model: &Model,
    what: &str,
    name: &str,
    span: Span,
    parameters: &[Variable],
    used: &FxHashSet<u32>,
    out: &mut Diagnostics,
) {
    let idle: Vec<&Variable> = parameters
        .iter()
        .enumerate()
        .filter(|(index, _)| !used.contains(&(*index as u32)))
        .map(|(_, variable)| variable)
        .collect();
    let Some(first) = idle.first() else {
        return;
    };
    let factor: f64 = idle.iter().map(|v| model.range(v).len() as f64).product();
    let names: Vec<String> = idle.iter().map(|v| format!("`{}`", v.name)).collect();
    let is = if idle.len() == 1 { "is" } else { "are" };
    let mut diagnostic = Diagnostic::new(
        &UNUSED,
        first.span,
        format!("{} of {what} `{name}` {is} never used", names.join(", ")),
    )
    .label("nothing inside speaks of it")
    .related(span, format!("in this {what}"));
    if factor > 1.0 {
        diagnostic = diagnostic.note(format!(
            "it multiplies the instances of `{name}` by {}",
            count(factor)
        ));
    }
    out.push(diagnostic);
}

/// Parameters that occur in static conditions only.
fn only_joins(
    model: &Model,
    id: MethodId,
    method: &Method,
    changing: &[bool],
    relaxed: Option<&Relaxed<'_>>,
    out: &mut Diagnostics,
) {
    let mut elsewhere = FxHashSet::default();
    in_terms(&method.task_arguments, &mut elsewhere);
    in_network(&method.network, &mut elsewhere);
    let mut joined: Vec<&Atom> = Vec::new();
    visit::literals(&method.precondition, &mut |part| match part {
        Formula::Atom(atom) if !changing[atom.predicate.index()] => joined.push(atom),
        other => in_formula(other, &mut elsewhere),
    });
    let mut inside = FxHashSet::default();
    for atom in &joined {
        in_terms(&atom.arguments, &mut inside);
    }
    let idle: Vec<u32> = (0..method.arity as u32)
        .filter(|id| inside.contains(id) && !elsewhere.contains(id))
        .collect();
    if idle.len() < 3 {
        return;
    }
    let ranges: Vec<f64> = idle
        .iter()
        .map(|id| model.range(&method.variables[*id as usize]).len() as f64)
        .collect();
    let naive: f64 = ranges.iter().product();
    if naive < MANY {
        return;
    }
    let mut predicates: Vec<&str> = joined
        .iter()
        .map(|atom| model.predicates[atom.predicate.index()].name.as_str())
        .collect();
    predicates.sort_unstable();
    predicates.dedup();
    let predicates: Vec<String> = predicates.iter().map(|name| format!("`{name}`")).collect();
    let power = match ranges.windows(2).all(|pair| pair[0] == pair[1]) {
        true => format!("{}^{}", ranges[0], ranges.len()),
        false => count(naive),
    };
    let mut text = format!("{power} combinations to try");
    if let Some(real) = relaxed.and_then(|relaxed| combinations(relaxed, id, &joined, &idle)) {
        text += &match real {
            1 => ", one of them real".to_owned(),
            n => format!(", {n} of them real"),
        };
    }
    let first = &method.variables[idle[0] as usize];
    out.push(
        Diagnostic::new(
            &ONLY_JOINS,
            first.span,
            format!(
                "{} parameters of method `{}` only join the static {}",
                idle.len(),
                method.name,
                predicates.join(", ")
            ),
        )
        .label(text)
        .related(method.span, "in this method")
        .help("the task and the subtasks do not mention them; leave them out, or say it with one fact"),
    );
}

/// How many values the idle variables really take together.
fn combinations(
    relaxed: &Relaxed<'_>,
    id: MethodId,
    joined: &[&Atom],
    idle: &[u32],
) -> Option<usize> {
    let rule = relaxed
        .rules
        .iter()
        .position(|rule| rule.owner == Owner::Method(id))?;
    let variables = relaxed.rules[rule].variables.len();
    let mut found: FxHashSet<Vec<Option<crate::model::ObjectId>>> = FxHashSet::default();
    let mut steps = 0;
    let mut values = vec![None; variables];
    relaxed
        .join_atoms(
            rule,
            joined,
            &mut values,
            &mut steps,
            &mut |_, values, _| {
                found.insert(idle.iter().map(|id| values[*id as usize]).collect());
                Ok(found.len() < 100_000)
            },
        )
        .ok()?;
    Some(found.len())
}

/// A method passes variables to a later action whose static condition ties
/// them together, and does not ask for that condition itself.
fn late(
    model: &Model,
    method: &Method,
    changing: &[bool],
    only_checks: &[bool],
    out: &mut Diagnostics,
) {
    if !method.network.ordered {
        return;
    }
    let required = visit::required(&method.precondition);
    let mut asked = FxHashSet::default();
    for atom in &required {
        in_terms(&atom.arguments, &mut asked);
    }
    for (place, subtask) in method.network.subtasks.iter().enumerate().skip(1) {
        let TaskRef::Action(action) = subtask.task else {
            continue;
        };
        let action = &model.actions[action.index()];
        for atom in visit::required(&action.precondition) {
            if changing[atom.predicate.index()] {
                continue;
            }
            let terms: Vec<Term> = atom
                .arguments
                .iter()
                .map(|term| match term {
                    Term::Variable(id) if id.index() < action.arity => {
                        subtask.arguments[id.index()]
                    }
                    other => *other,
                })
                .collect();
            let mut tied: FxHashSet<u32> = FxHashSet::default();
            in_terms(&terms, &mut tied);
            // Free: no condition of the method asks for it, and what comes
            // before the action only checks, so it cannot choose it either.
            let free = tied.iter().copied().filter(|id| !asked.contains(id)).min();
            let (Some(free), true) = (free, tied.len() >= 3) else {
                continue;
            };
            let asked_for = |a: &&Atom| a.predicate == atom.predicate && a.arguments == terms;
            let mut earlier = method.network.subtasks[..place].iter();
            if required.iter().any(asked_for)
                || !earlier.all(|s| matches!(s.task, TaskRef::Task(t) if only_checks[t.index()]))
            {
                continue;
            }
            let variable = &method.variables[free as usize];
            let name = &model.predicates[atom.predicate.index()].name;
            let literal = visit::show(model, name, &terms, &method.variables);
            out.push(
                Diagnostic::new(
                    &LATE,
                    variable.span,
                    format!(
                        "method `{}` leaves `{}` free until action `{}`",
                        method.name, variable.name, action.name
                    ),
                )
                .label(format!("any {} is tried", type_name(model, variable)))
                .related(
                    atom.span,
                    "only this static condition ties it to the others",
                )
                .help(format!("add `{literal}` to the method's precondition")),
            );
            return;
        }
    }
}

fn type_name<'m>(model: &'m Model, variable: &Variable) -> &'m str {
    variable
        .types
        .first()
        .map_or("object", |ty| model.types[ty.index()].name.as_str())
}

/// A large number in few characters.
fn count(number: f64) -> String {
    match number {
        n if n < 1e7 => format!("{n:.0}"),
        n => format!("about {n:.0e}"),
    }
}
