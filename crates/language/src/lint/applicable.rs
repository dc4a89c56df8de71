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

use super::reason::Reason;
use super::relax::{Meaning, Owner, RelationId, Relaxed, TooMuch};
use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::visit;
use crate::model::{Formula, Span, TaskRef};
use rustc_hash::{FxHashMap, FxHashSet};

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
    let known: Vec<bool> = (0..dead.len()).map(is_known).collect();
    let (roots, dependent) = roots(relaxed, &dead, &culprits, &known);
    let said: FxHashSet<Span> = (out.list.iter().filter(|d| says_so(d)))
        .map(|diagnostic| diagnostic.span)
        .collect();
    let untold: Vec<usize> = (roots.into_iter())
        .filter(|place| !said.contains(&blamed(relaxed, dead[*place], &culprits[*place])))
        .collect();
    let actions = (untold.iter())
        .filter(|place| owner(relaxed, dead[**place]).2)
        .count();
    let shown: Vec<Dead> = (untold.iter().take(MOST_PLACES))
        .map(|place| explain(relaxed, dead[*place], &culprits[*place]))
        .collect();
    let follow: Vec<&str> = (dependent.iter())
        .map(|place| owner(relaxed, dead[*place]).0)
        .collect();
    if let Some(diagnostic) = tell(&shown, actions, untold.len() - actions, &follow) {
        out.push(diagnostic);
    }
}

/// True for messages that already say why a schema never applies.
fn says_so(diagnostic: &Diagnostic) -> bool {
    ["W0404", "E0502"].contains(&diagnostic.code.name)
}

/// What is known of a dead rule.
#[derive(Clone, Copy, PartialEq)]
enum Standing {
    /// It may follow from another.
    Open,
    /// It is told already, or follows from what is.
    Silent,
    /// It is dead of itself.
    Root,
    /// It follows from a root.
    Follows,
}

/// The dead rules that are dead of themselves, and those that only follow
/// from them. What follows from a rule that is known needs no word.
fn roots(
    relaxed: &Relaxed<'_>,
    dead: &[usize],
    culprits: &[Culprit<'_>],
    known: &[bool],
) -> (Vec<usize>, Vec<usize>) {
    let heads = |place: usize| {
        let rule = &relaxed.rules[dead[place]];
        let quantified = rule.quantified.iter().map(|(_, head)| head);
        (rule.heads.iter().chain(quantified)).map(|head| head.relation)
    };
    // For each relation, the dead rules that would supply it, and those that
    // lack something of it.
    let mut suppliers: FxHashMap<RelationId, Vec<usize>> = FxHashMap::default();
    let mut lacking: FxHashMap<RelationId, Vec<usize>> = FxHashMap::default();
    for place in 0..dead.len() {
        heads(place).for_each(|head| suppliers.entry(head).or_default().push(place));
    }
    let mut standing = vec![Standing::Root; dead.len()];
    for (place, culprit) in culprits.iter().enumerate() {
        if let Culprit::Literal(literal, with) = culprit {
            for index in with.iter().chain([literal]) {
                let relation = relaxed.rules[dead[place]].body[*index].relation;
                let others = suppliers
                    .get(&relation)
                    .is_some_and(|s| s.iter().any(|s| *s != place));
                if others {
                    standing[place] = Standing::Open;
                    lacking.entry(relation).or_default().push(place);
                }
            }
        }
        if known[place] {
            standing[place] = Standing::Silent;
        }
    }
    // From the roots first, then from what is silent; what is left after that
    // waits for itself in a circle, which is broken at its first rule.
    let all = |standing: &[Standing], wanted| -> Vec<usize> {
        let is = |place: &usize| standing[*place] == wanted;
        (0..standing.len()).filter(is).collect()
    };
    let mut spread = |mut from: Vec<usize>, standing: &mut [Standing], becomes| {
        while let Some(place) = from.pop() {
            for waiting in heads(place).flat_map(|head| lacking.remove(&head).unwrap_or_default()) {
                if standing[waiting] == Standing::Open {
                    standing[waiting] = becomes;
                    from.push(waiting);
                }
            }
        }
    };
    spread(
        all(&standing, Standing::Root),
        &mut standing,
        Standing::Follows,
    );
    spread(
        all(&standing, Standing::Silent),
        &mut standing,
        Standing::Silent,
    );
    for place in 0..dead.len() {
        if standing[place] == Standing::Open {
            standing[place] = Standing::Root;
            spread(vec![place], &mut standing, Standing::Follows);
        }
    }
    (
        all(&standing, Standing::Root),
        all(&standing, Standing::Follows),
    )
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

/// The literal to point at, or else the schema.
fn blamed(relaxed: &Relaxed<'_>, rule: usize, culprit: &Culprit<'_>) -> Span {
    let mut span = owner(relaxed, rule).1;
    match culprit {
        Culprit::NoObject | Culprit::Unclear => {}
        Culprit::Literal(index, _) => span = relaxed.rules[rule].body[*index].span,
        Culprit::Formula(formula, _) => {
            visit::atoms(formula, true, &mut |atom, _| span = atom.span);
        }
    }
    span
}

fn explain(relaxed: &Relaxed<'_>, rule: usize, culprit: &Culprit<'_>) -> Dead {
    let this = &relaxed.rules[rule];
    let (name, own_span, is_action) = owner(relaxed, rule);
    let show = |index: usize| {
        let literal = &this.body[index];
        let name = match relaxed.meaning(literal.relation) {
            Meaning::Predicate(id) => &relaxed.model.predicates[id.index()].name,
            Meaning::Task(task) => visit::task_name(relaxed.model, task),
        };
        let shown = visit::show(relaxed.model, name, &literal.terms, this.variables);
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
    let span = blamed(relaxed, rule, culprit);
    let mut dead = Dead {
        name: name.to_owned(),
        is_action,
        why: "no choice of its variables satisfies all its conditions".to_owned(),
        span,
        is_literal: span != own_span,
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
            dead.with = spans(with);
            if let (Meaning::Predicate(predicate), true) = (meaning, with.is_empty()) {
                dead.note = Some(Reason::new(relaxed).who_adds(predicate));
            }
        }
        Culprit::Formula(formula, with) => {
            let text = crate::write::formula(relaxed.model, formula, this.variables);
            let text = crate::source::excerpt(&text);
            dead.why = format!("`{text}` never holds{}", together(with));
            dead.with = spans(with);
        }
    }
    dead
}

/// One diagnostic for all of them, of which some are shown.
fn tell(shown: &[Dead], actions: usize, methods: usize, follow: &[&str]) -> Option<Diagnostic> {
    let (first, more) = shown.split_first()?;
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
            let message = format!(
                "{} can never apply in this problem",
                visit::count(&[
                    (actions, "action", "actions"),
                    (methods, "method", "methods"),
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
    for dead in more {
        let text = format!("{} `{}`: {}", kind(dead), dead.name, dead.why);
        diagnostic = diagnostic.related(dead.span, text);
    }
    let left = actions + methods - shown.len();
    if left > 0 {
        diagnostic = diagnostic.note(format!("and {left} more of them"));
    }
    if !follow.is_empty() {
        let named = |name: &&str| format!("`{name}`");
        let names: Vec<String> = follow.iter().take(MOST_NAMES).map(named).collect();
        let names = names.join(", ");
        let rest = match follow.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            left => format!(" and {left} more"),
        };
        diagnostic = diagnostic.note(format!("{names}{rest} can never apply either"));
    }
    Some(diagnostic)
}
