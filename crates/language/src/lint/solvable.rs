//! Problems without solution even when deletes are ignored, with the reason
//! in words (see `reason`), and static facts that match no literal.

use super::reason::Reason;
use super::relax::Relaxed;
use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::resolve::Reading;
use crate::model::visit;
use crate::model::{Model, ObjectId, Term};

code!(
    UNSOLVABLE = "E0501",
    Error,
    "no solution, even ignoring deletes"
);
code!(
    NEVER_MATCHES = "E0502",
    Error,
    "facts exist, but none can match"
);
/// Examines a problem that has been read completely. False if it is known to
/// have no solution.
pub(super) fn check(reading: &Reading, limit: u64, out: &mut Diagnostics) -> bool {
    let model = &reading.model;
    let mut repaired: Vec<Option<&Vec<ObjectId>>> = vec![None; model.init.len()];
    for (index, arguments) in &reading.repaired {
        repaired[*index as usize] = Some(arguments);
    }
    // The facts as they were meant: swapped arguments have their own message.
    let meant = model
        .init
        .iter()
        .zip(&repaired)
        .map(|(fact, repaired)| (fact.predicate, repaired.unwrap_or(&fact.arguments).clone()));
    never_matches(model, out);
    let Ok(mut relaxed) = Relaxed::new(model, meant, false, limit) else {
        return true;
    };
    if relaxed.run().is_err() {
        relaxed.sketch();
        super::applicable::check(&relaxed, &[], out);
        return true;
    }
    let reason = Reason::new(&relaxed);
    let verdict = match &model.network {
        Some(_) => reason.network(),
        None => reason.goal(),
    };
    super::applicable::check(&relaxed, &reason.told(), out);
    let Ok(Some((span, message, mut notes))) = verdict else {
        return true;
    };
    if !reading.repaired.is_empty() {
        notes.push("this holds even with all arguments put in the declared order".to_owned());
    }
    let mut diagnostic = Diagnostic::new(&UNSOLVABLE, span, message)
        .label("cannot be accomplished, even if nothing ever became false");
    diagnostic.notes = notes;
    for (span, text) in reason.places() {
        diagnostic = diagnostic.related(span, text);
    }
    out.push(diagnostic);
    false
}

/// A static predicate has facts, but none that fits a literal's variables.
fn never_matches(model: &Model, out: &mut Diagnostics) {
    let changing = visit::changing(model);
    let mut facts: Vec<Vec<&[ObjectId]>> = vec![Vec::new(); model.predicates.len()];
    for fact in &model.init {
        facts[fact.predicate.index()].push(&fact.arguments);
    }
    let actions =
        (model.actions.iter()).map(|a| ("action", &a.name, &a.variables, &a.precondition));
    let methods =
        (model.methods.iter()).map(|m| ("method", &m.name, &m.variables, &m.precondition));
    for (what, name, variables, precondition) in actions.chain(methods) {
        for atom in visit::required(precondition) {
            let facts = &facts[atom.predicate.index()];
            // A fact of the wrong types is needed for this to be a slip; a
            // few thousand are enough to be sure that none fits.
            if changing[atom.predicate.index()] || facts.is_empty() || facts.len() > 5000 {
                continue;
            }
            let fits = |tuple: &&[ObjectId]| {
                atom.arguments
                    .iter()
                    .zip(*tuple)
                    .all(|(term, object)| match term {
                        Term::Object(constant) => constant == object,
                        Term::Variable(id) => model.admits(&variables[id.index()], *object),
                    })
            };
            let by_type = |tuple: &&[ObjectId]| {
                let parameters = &model.predicates[atom.predicate.index()].parameters;
                (parameters.iter().zip(*tuple)).all(|(p, object)| model.admits(p, *object))
            };
            if facts.iter().any(fits) || facts.iter().any(by_type) {
                continue;
            }
            let literal = visit::show_atom(model, atom, variables);
            let predicate = &model.predicates[atom.predicate.index()].name;
            out.push(
                Diagnostic::new(
                    &NEVER_MATCHES,
                    atom.span,
                    format!("{what} `{name}` has no instance: `{literal}` never matches"),
                )
                .label("this literal empties the join")
                .note(format!(
                    "`{predicate}` never changes, and of its {} facts none has arguments of \
                     these types",
                    facts.len()
                )),
            );
        }
    }
}
