//! Ways to walk through formulas, effects and networks of a model.

use super::{
    Action, Atom, Effect, Formula, Model, Network, NumericChange, PredicateId, Span, TaskRef, Term,
};
use rustc_hash::FxHashSet;

/// Visits every atom of a formula, with true where it stands positively.
pub fn atoms<'f>(formula: &'f Formula, positive: bool, visit: &mut dyn FnMut(&'f Atom, bool)) {
    match formula {
        Formula::True | Formula::Equal(..) | Formula::Compare(_) => {}
        Formula::Atom(atom) => visit(atom, positive),
        Formula::Not(body) => atoms(body, !positive, visit),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| atoms(part, positive, visit));
        }
        Formula::Imply(a, b) => {
            atoms(a, !positive, visit);
            atoms(b, positive, visit);
        }
        Formula::Forall(_, body) | Formula::Exists(_, body) => atoms(body, positive, visit),
    }
}

/// Visits every formula inside one, itself first.
pub fn formulas<'f>(formula: &'f Formula, visit: &mut dyn FnMut(&'f Formula)) {
    visit(formula);
    match formula {
        Formula::True | Formula::Equal(..) | Formula::Compare(_) | Formula::Atom(_) => {}
        Formula::Not(body) | Formula::Forall(_, body) | Formula::Exists(_, body) => {
            formulas(body, visit);
        }
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| formulas(part, visit));
        }
        Formula::Imply(a, b) => {
            formulas(a, visit);
            formulas(b, visit);
        }
    }
}

/// Visits every effect inside one, itself first.
pub fn effects<'e>(effect: &'e Effect, visit: &mut dyn FnMut(&'e Effect)) {
    visit(effect);
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| effects(part, visit)),
        Effect::Forall(_, body) | Effect::When(_, body) => effects(body, visit),
        Effect::None
        | Effect::Add(_)
        | Effect::Delete(_)
        | Effect::IncreaseCost(_)
        | Effect::Change(_) => {}
    }
}

/// Visits every condition of the model: of actions, of their effects, of
/// methods, networks and rules, and the goal.
pub fn conditions<'m>(model: &'m Model, visit: &mut dyn FnMut(&'m Formula)) {
    for action in &model.actions {
        visit(&action.precondition);
        if let Some(durative) = &action.durative {
            visit(&durative.at_start);
            visit(&durative.over_all);
            visit(&durative.at_end);
        }
        all_effects(action, &mut |effect| {
            if let Effect::When(condition, _) = effect {
                visit(condition);
            }
        });
    }
    for method in &model.methods {
        visit(&method.precondition);
        visit(&method.network.constraints);
    }
    model.derived.iter().for_each(|rule| visit(&rule.condition));
    if let Some(initial) = &model.network {
        visit(&initial.network.constraints);
    }
    visit(&model.goal);
}

/// Visits every change of a number, with its action.
pub fn changes<'m>(model: &'m Model, visit: &mut dyn FnMut(&'m Action, &'m NumericChange)) {
    for action in &model.actions {
        all_effects(action, &mut |effect| {
            if let Effect::Change(change) = effect {
                visit(action, change);
            }
        });
    }
}

/// Visits every effect of an action, at whatever time.
fn all_effects<'m>(action: &'m Action, visit: &mut dyn FnMut(&'m Effect)) {
    effects(&action.effect, visit);
    if let Some(durative) = &action.durative {
        effects(&durative.start_effect, visit);
        effects(&durative.end_effect, visit);
    }
}

/// The literals a conjunction consists of; other parts are passed over.
pub fn literals<'f>(formula: &'f Formula, visit: &mut dyn FnMut(&'f Formula)) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|part| literals(part, visit)),
        other => visit(other),
    }
}

/// The positive atoms of a conjunction.
pub fn required(formula: &Formula) -> Vec<&Atom> {
    let mut found = Vec::new();
    literals(formula, &mut |part| {
        if let Formula::Atom(atom) = part {
            found.push(atom);
        }
    });
    found
}

/// For each predicate, whether an action or a rule can change it.
pub fn changing(model: &Model) -> Vec<bool> {
    let mut changing = vec![false; model.predicates.len()];
    for action in &model.actions {
        effects(&action.effect, &mut |effect| {
            if let Effect::Add(atom) | Effect::Delete(atom) = effect {
                changing[atom.predicate.index()] = true;
            }
        });
    }
    for derived in &model.derived {
        changing[derived.predicate.index()] = true;
    }
    changing
}

/// For each function, whether an action can change it. Total cost that is the
/// sum of what each action costs is not among them.
pub fn changing_functions(model: &Model) -> Vec<bool> {
    let mut changing = vec![false; model.functions.len()];
    changes(model, &mut |_, change| {
        changing[change.function.index()] = true;
    });
    changing
}

/// Where the model first compares or changes numbers, or has a metric other
/// than total cost: `None` if it is a problem without numbers.
pub fn first_number(model: &Model) -> Option<Span> {
    let mut found = None;
    conditions(model, &mut |formula| {
        formulas(formula, &mut |part| {
            if let Formula::Compare(compare) = part {
                found.get_or_insert(compare.span);
            }
        });
    });
    changes(model, &mut |_, change| {
        found.get_or_insert(change.span);
    });
    found.or(model.metric.as_ref().map(|metric| metric.span))
}

/// Whether the action adds facts of the predicate.
pub fn adds(effect: &Effect, predicate: PredicateId) -> bool {
    let mut found = false;
    effects(effect, &mut |effect| {
        found |= matches!(effect, Effect::Add(atom) if atom.predicate == predicate);
    });
    found
}

/// Every task and action that the initial network leads to, by schema. For a
/// classical problem all of them.
pub fn led_to(model: &Model) -> FxHashSet<TaskRef> {
    let mut found: FxHashSet<TaskRef> = FxHashSet::default();
    let mut methods: Vec<Vec<&Network>> = vec![Vec::new(); model.tasks.len()];
    for method in &model.methods {
        methods[method.task.index()].push(&method.network);
    }
    let Some(initial) = &model.network else {
        return found;
    };
    let mut open: Vec<TaskRef> = initial.network.subtasks.iter().map(|s| s.task).collect();
    while let Some(task) = open.pop() {
        if found.insert(task)
            && let TaskRef::Task(id) = task
        {
            let networks = methods[id.index()].iter();
            open.extend(networks.flat_map(|network| network.subtasks.iter().map(|s| s.task)));
        }
    }
    found
}

/// `(name a ?b)` in the words of the model.
pub fn show_atom(model: &Model, atom: &Atom, variables: &[super::Variable]) -> String {
    let name = &model.predicates[atom.predicate.index()].name;
    show(model, name, &atom.arguments, variables)
}

/// A name applied to terms.
pub fn show(model: &Model, name: &str, terms: &[Term], variables: &[super::Variable]) -> String {
    let mut text = format!("({name}");
    for term in terms {
        text.push(' ');
        text.push_str(match term {
            Term::Variable(id) => variables.get(id.index()).map_or("?", |v| v.name.as_str()),
            Term::Object(id) => &model.objects[id.index()].name,
        });
    }
    text + ")"
}

/// The name of a task or action.
pub fn task_name(model: &Model, task: TaskRef) -> &str {
    match task {
        TaskRef::Task(id) => &model.tasks[id.index()].name,
        TaskRef::Action(id) => &model.actions[id.index()].name,
    }
}

/// "one action and 3 methods": what there is none of is left out.
pub fn count(counts: &[(usize, &str, &str)]) -> String {
    let parts: Vec<String> = counts
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| match count {
            1 => format!("one {one}"),
            _ => format!("{count} {many}"),
        })
        .collect();
    parts.join(" and ")
}
