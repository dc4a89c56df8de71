//! Actions and methods that can never apply, and the literal to blame.
//!
//! A schema that the initial network leads to and that has no instance, even
//! when deletes are ignored, is dead in this problem: the join of its
//! conditions over what can ever hold is empty. The literal named is one that
//! fails for itself if there is one, else the first that fails together with
//! those before it, and of those only the ones it takes. What is dead only
//! because something else is (the action that would add a needed fact, the
//! methods of a needed task) is told with that other thing.
//!
//! A domain serves many problems, and few of them use all its parts; so this
//! is a hint, and one for all that is dead.

use super::look;
use super::reason::Reason;
use super::relax::{Meaning, Owner, Relaxed, TooMuch};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::{Formula, Span, TaskRef};

code!(
    NEVER_APPLIES = "H0504",
    Hint,
    "action or method that can never apply"
);

/// How many dead schemas are shown with their place, and how many are named
/// that follow from them.
const MOST_PLACES: usize = 6;
const MOST_NAMES: usize = 8;

/// Why a rule has no instance.
enum Culprit<'m> {
    /// There is no object for a variable: the problem lacks the whole kind.
    NoObject,
    /// A literal of the body fails, alone or together with others.
    Literal(usize, Vec<usize>),
    /// A condition that is no positive literal fails, given literals.
    Formula(&'m Formula, Vec<usize>),
    /// Nothing short to say.
    Unclear,
}

/// A dead schema, explained.
struct Dead {
    name: String,
    is_action: bool,
    /// What fails, as the end of "can never apply: …".
    why: String,
    /// The literal to blame, or else the schema.
    span: Span,
    is_literal: bool,
    with: Vec<Span>,
    note: Option<String>,
}

/// Tells what is dead, but for the rules already `told`. The relaxed problem
/// has run, or been sketched.
pub(super) fn check(relaxed: &Relaxed<'_>, told: &[usize], out: &mut Diagnostics) {
    let dead: Vec<usize> = (0..relaxed.rules.len())
        .filter(|rule| !relaxed.fired[*rule] && relaxed.rules[*rule].owner != Owner::Network)
        .collect();
    if dead.is_empty() {
        return;
    }
    let mut steps = 0;
    let culprits: Vec<Culprit<'_>> = dead
        .iter()
        .map(|rule| culprit(relaxed, *rule, &mut steps))
        .collect();
    let is_known = |place: usize| {
        told.contains(&dead[place])
            || matches!(culprits[place], Culprit::NoObject)
            || matches!(relaxed.rules[dead[place]].owner, Owner::Derived(_))
    };
    let known: Vec<usize> = (0..dead.len()).filter(|place| is_known(*place)).collect();
    let (roots, dependent) = roots(relaxed, &dead, &culprits, &known);
    let places: Vec<Dead> = (roots.iter())
        .map(|place| explain(relaxed, dead[*place], &culprits[*place]))
        .filter(|dead| !(out.list.iter()).any(|d| d.span == dead.span && says_so(d)))
        .collect();
    let follow: Vec<String> = (dependent.iter())
        .map(|place| format!("`{}`", owner(relaxed, dead[*place]).0))
        .collect();
    if let Some(diagnostic) = tell(&places, &follow) {
        out.push(diagnostic);
    }
}

/// True for messages that already say why a schema never applies.
fn says_so(diagnostic: &Diagnostic) -> bool {
    ["W0404", "E0502"].contains(&diagnostic.code.name)
}

/// The dead rules that are dead of themselves, and those that only follow
/// from them. What follows from a rule that is known needs no word.
fn roots(
    relaxed: &Relaxed<'_>,
    dead: &[usize],
    culprits: &[Culprit<'_>],
    known: &[usize],
) -> (Vec<usize>, Vec<usize>) {
    // For each dead rule, the dead rules that might supply what it lacks.
    let suppliers = |place: usize| -> Vec<usize> {
        let Culprit::Literal(literal, with) = &culprits[place] else {
            return Vec::new();
        };
        let body = &relaxed.rules[dead[place]].body;
        let lacking = || {
            with.iter()
                .chain([literal])
                .map(|index| body[*index].relation)
        };
        (0..dead.len())
            .filter(|other| {
                let rule = &relaxed.rules[dead[*other]];
                let quantified = rule.quantified.iter().map(|(_, head)| head);
                let mut heads = rule.heads.iter().chain(quantified);
                *other != place && heads.any(|head| lacking().any(|l| l == head.relation))
            })
            .collect()
    };
    let suppliers: Vec<Vec<usize>> = (0..dead.len()).map(suppliers).collect();
    #[derive(Clone, Copy, PartialEq)]
    enum Place {
        Open,
        Silent,
        Root,
        Follows,
    }
    let mut places: Vec<Place> = (0..dead.len())
        .map(|place| match suppliers[place].is_empty() {
            _ if known.contains(&place) => Place::Silent,
            true => Place::Root,
            false => Place::Open,
        })
        .collect();
    loop {
        let mut grown = false;
        for place in 0..dead.len() {
            if places[place] != Place::Open {
                continue;
            }
            let of = |wanted: &[Place]| {
                suppliers[place]
                    .iter()
                    .any(|s| wanted.contains(&places[*s]))
            };
            if of(&[Place::Root, Place::Follows]) {
                places[place] = Place::Follows;
            } else if of(&[Place::Silent]) {
                places[place] = Place::Silent;
            } else {
                continue;
            }
            grown = true;
        }
        if grown {
            continue;
        }
        // What is left waits for itself in a circle: break it somewhere.
        match places.iter().position(|place| *place == Place::Open) {
            Some(place) => places[place] = Place::Root,
            None => break,
        }
    }
    let all = |wanted| {
        (0..dead.len())
            .filter(|place| places[*place] == wanted)
            .collect()
    };
    (all(Place::Root), all(Place::Follows))
}

/// The literal or formula that empties the join.
fn culprit<'m>(relaxed: &Relaxed<'m>, rule: usize, steps: &mut u64) -> Culprit<'m> {
    let arity = relaxed.rules[rule].arity;
    if (0..arity).any(|variable| relaxed.admitted[rule][variable].is_empty()) {
        return Culprit::NoObject;
    }
    search(relaxed, rule, steps).unwrap_or(Culprit::Unclear)
}

fn search<'m>(relaxed: &Relaxed<'m>, rule: usize, steps: &mut u64) -> Result<Culprit<'m>, TooMuch> {
    let this = &relaxed.rules[rule];
    for index in 0..this.body.len() {
        if !relaxed.some(rule, &[index], &[], steps)? {
            return Ok(Culprit::Literal(index, Vec::new()));
        }
    }
    // What the schema itself requires, before what its subtasks do.
    let mut before: Vec<usize> = Vec::new();
    for last in [this.conditions, this.body.len()] {
        for index in before.len()..last {
            before.push(index);
            if !relaxed.some(rule, &before, &[], steps)? {
                before.pop();
                let with = shrink(before, |with| {
                    let both: Vec<usize> = with.iter().copied().chain([index]).collect();
                    relaxed.some(rule, &both, &[], steps)
                })?;
                return Ok(Culprit::Literal(index, with));
            }
        }
        for formula in &this.residue {
            if !relaxed.some(rule, &before, &[formula], steps)? {
                let with = shrink(before, |with| relaxed.some(rule, with, &[formula], steps))?;
                return Ok(Culprit::Formula(formula, with));
            }
        }
    }
    Ok(Culprit::Unclear)
}

/// Leaves out what is not needed for the rest to fail.
fn shrink(
    mut literals: Vec<usize>,
    mut some: impl FnMut(&[usize]) -> Result<bool, TooMuch>,
) -> Result<Vec<usize>, TooMuch> {
    let mut place = 0;
    while place < literals.len() {
        let left_out = literals.remove(place);
        if some(&literals)? {
            literals.insert(place, left_out);
            place += 1;
        }
    }
    Ok(literals)
}

/// Name, place, and whether it is an action.
fn owner<'m>(relaxed: &Relaxed<'m>, rule: usize) -> (&'m str, Span, bool) {
    let model = relaxed.model;
    match relaxed.rules[rule].owner {
        Owner::Action(id) => {
            let action = &model.actions[id.index()];
            (&action.name, action.span, true)
        }
        Owner::Method(id) => {
            let method = &model.methods[id.index()];
            (&method.name, method.span, false)
        }
        Owner::Derived(_) | Owner::Network => ("", Span::default(), false),
    }
}

fn explain(relaxed: &Relaxed<'_>, rule: usize, culprit: &Culprit<'_>) -> Dead {
    let this = &relaxed.rules[rule];
    let (name, own_span, is_action) = owner(relaxed, rule);
    let show = |index: usize| {
        let literal = &this.body[index];
        let name = match relaxed.meaning(literal.relation) {
            Meaning::Predicate(id) => &relaxed.model.predicates[id.index()].name,
            Meaning::Task(task) => look::task_name(relaxed.model, task),
        };
        let shown = look::show(relaxed.model, name, &literal.terms, this.variables);
        format!("`{shown}`")
    };
    let together = |with: &[usize]| match with {
        [] => String::new(),
        _ => {
            let with: Vec<String> = with.iter().map(|index| show(*index)).collect();
            format!(" together with {}", with.join(" and "))
        }
    };
    let spans = |with: &[usize]| with.iter().map(|index| this.body[*index].span).collect();
    let mut dead = Dead {
        name: name.to_owned(),
        is_action,
        why: "no choice of its variables satisfies all its conditions".to_owned(),
        span: own_span,
        is_literal: false,
        with: Vec::new(),
        note: None,
    };
    match culprit {
        Culprit::NoObject | Culprit::Unclear => {}
        Culprit::Literal(index, with) => {
            let meaning = relaxed.meaning(this.body[*index].relation);
            let fails = match meaning {
                Meaning::Predicate(_) => "never holds",
                Meaning::Task(TaskRef::Action(_)) => "is never applicable",
                Meaning::Task(TaskRef::Task(_)) => "can never be carried out",
            };
            dead.why = format!("{} {fails}{}", show(*index), together(with));
            dead.span = this.body[*index].span;
            dead.with = spans(with);
            if let (Meaning::Predicate(predicate), true) = (meaning, with.is_empty()) {
                dead.note = Some(Reason::new(relaxed).who_adds(predicate));
            }
        }
        Culprit::Formula(formula, with) => {
            let text = crate::write::formula(relaxed.model, formula, this.variables);
            let text = crate::syntax::excerpt(&text);
            dead.why = format!("`{text}` never holds{}", together(with));
            dead.with = spans(with);
            look::atoms(formula, true, &mut |atom, _| dead.span = atom.span);
        }
    }
    dead.is_literal = dead.span != own_span;
    dead
}

/// One diagnostic for all of them.
fn tell(places: &[Dead], follow: &[String]) -> Option<Diagnostic> {
    let (first, more) = places.split_first()?;
    let kind = |dead: &Dead| if dead.is_action { "action" } else { "method" };
    let mut diagnostic = match more {
        [] => {
            let message = format!(
                "{} `{}` can never apply in this problem: {}",
                kind(first),
                first.name,
                first.why
            );
            let label = match first.is_literal {
                true => "this empties the join",
                false => "never applicable",
            };
            Diagnostic::new(&NEVER_APPLIES, first.span, message).label(label)
        }
        _ => {
            let actions = places.iter().filter(|dead| dead.is_action).count();
            let message = format!(
                "{} can never apply in this problem",
                look::count(&[
                    (actions, "action", "actions"),
                    (places.len() - actions, "method", "methods"),
                ])
            );
            let label = match first.is_literal {
                true => format!("empties the join of {} `{}`", kind(first), first.name),
                false => "never applicable".to_owned(),
            };
            Diagnostic::new(&NEVER_APPLIES, first.span, message)
                .label(label)
                .note(format!("`{}`: {}", first.name, first.why))
        }
    };
    for span in &first.with {
        diagnostic = diagnostic.related(*span, "together with this");
    }
    if let Some(note) = &first.note {
        diagnostic = diagnostic.note(note);
    }
    for dead in more.iter().take(MOST_PLACES - 1) {
        let text = format!("{} `{}`: {}", kind(dead), dead.name, dead.why);
        diagnostic = diagnostic.related(dead.span, text);
    }
    if more.len() >= MOST_PLACES {
        let left = more.len() - (MOST_PLACES - 1);
        diagnostic = diagnostic.note(format!("and {left} more of them"));
    }
    if !follow.is_empty() {
        let names = follow[..follow.len().min(MOST_NAMES)].join(", ");
        let rest = match follow.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            left => format!(" and {left} more"),
        };
        diagnostic = diagnostic.note(format!("{names}{rest} can never apply either"));
    }
    Some(diagnostic)
}
