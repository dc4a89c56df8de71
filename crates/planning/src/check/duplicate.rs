//! Things that are said twice.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::resolve::Reading;
use crate::model::{ObjectId, PredicateId, Span};
use crate::syntax::excerpt;
use rustc_hash::FxHashMap;

code!(DEFINITION = "E0111", Error, "defined twice");
code!(PARAMETER = "E0112", Error, "two parameters of one name");
code!(
    REPEATED = "W0116",
    Warning,
    "parameter of a declaration repeated"
);
code!(OBJECT = "H0113", Hint, "object declared twice");
code!(FACT = "W0601", Warning, "fact stated twice");
code!(CONTRADICTION = "W0606", Warning, "fact stated and denied");

/// A predicate, task, action, method or label that exists already.
pub fn definition(what: &str, name: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        &DEFINITION,
        second,
        format!("{what} `{}` is defined twice", excerpt(name)),
    )
    .label("second definition")
    .related(first, "first definition")
}

/// A name that occurs twice in one parameter list.
pub fn parameter(name: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        &PARAMETER,
        second,
        format!("two parameters are called `{}`", excerpt(name)),
    )
    .label("second")
    .related(first, "first")
}

/// The same where names do not matter: a predicate or function is declared,
/// and only the number and types of its parameters count.
pub fn repeated(name: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        &REPEATED,
        second,
        format!("two parameters are called `{}`", excerpt(name)),
    )
    .label("second")
    .related(first, "first")
    .note("nothing depends on it, but some planners refuse the file")
}

/// An object or constant that is declared again; its types add up.
pub fn object(name: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(
        &OBJECT,
        second,
        format!("object `{}` is declared twice", excerpt(name)),
    )
    .label("declared again")
    .related(first, "declared here already")
    .plural("objects")
}

/// The same fact, twice in `:init`.
pub fn fact(fact: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&FACT, second, format!("the fact `{fact}` is stated twice"))
        .label("second copy")
        .related(first, "first copy")
        .note("the second copy changes nothing here, but some planners crash on it")
        .edit("remove the second copy", second, "")
}

/// `(p a)` and `(not (p a))` in one `:init`.
pub fn contradiction(fact: &str, denied: Span, stated: Span) -> Diagnostic {
    Diagnostic::new(
        &CONTRADICTION,
        denied,
        format!("`:init` both states and denies `{fact}`"),
    )
    .label("denied here")
    .related(stated, "stated here; this one counts")
}

/// Copies told one by one before the rest is only counted.
const TOLD: usize = 20;

/// Looks for facts that stand twice, or are both stated and denied.
pub(super) fn check(reading: &Reading, out: &mut Diagnostics) {
    let model = &reading.model;
    let mut seen: FxHashMap<(PredicateId, &[ObjectId]), Span> = FxHashMap::default();
    let show = |predicate: PredicateId, arguments: &[ObjectId]| {
        let name = &model.predicates[predicate.index()].name;
        format!("({})", model.show(name, arguments))
    };
    let mut told = 0;
    for statement in &model.init {
        let key = (statement.predicate, statement.arguments.as_slice());
        match seen.get(&key) {
            Some(first) => {
                told += 1;
                let shown = show(statement.predicate, &statement.arguments);
                let diagnostic = fact(&shown, statement.span, *first).plural("facts");
                let about = match told <= TOLD {
                    true => told.to_string(),
                    false => String::new(),
                };
                out.group(about, diagnostic);
            }
            None => {
                seen.insert(key, statement.span);
            }
        }
    }
    for denied in &reading.denied {
        if let Some(stated) = seen.get(&(denied.predicate, denied.arguments.as_slice())) {
            let shown = show(denied.predicate, &denied.arguments);
            out.group(
                "",
                contradiction(&shown, denied.span, *stated).plural("facts"),
            );
        }
    }
}
