//! Things that are said twice.

use super::Diagnostic;
use crate::source::{Span, excerpt};

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

/// A definition repeated where names do not matter: a predicate or function is declared,
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
