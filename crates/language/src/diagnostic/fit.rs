//! Arguments that do not fit what was declared: number, type, order.

use super::Diagnostic;
use crate::source::Span;

code!(ARITY = "E0301", Error, "wrong number of arguments");
code!(KIND = "E0302", Error, "action where a task is needed");
code!(MISMATCH = "E0308", Error, "argument of the wrong type");
code!(ORDER = "E0309", Error, "arguments in the wrong order");
code!(NARROWED = "W0310", Warning, "parameter narrowed by its use");

/// Too many or too few.
pub fn arity(
    what: &str,
    name: &str,
    span: Span,
    wanted: usize,
    found: usize,
    declared: Span,
) -> Diagnostic {
    let s = if wanted == 1 { "" } else { "s" };
    Diagnostic::new(
        &ARITY,
        span,
        format!("{what} `{name}` takes {wanted} argument{s}, found {found}"),
    )
    .label(format!("{found} here"))
    .related(declared, "declared here")
    .plural("uses")
}

/// A method refines an action.
pub fn refines_action(name: &str, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::new(
        &KIND,
        span,
        format!("`{name}` is an action; methods refine compound tasks"),
    )
    .label("not a compound task")
    .related(declared, "the action")
    .help(format!(
        "declare a task of its own and let the method lead to `{name}`"
    ))
}

/// What does not fit, and where it was declared.
pub struct Misfit<'a> {
    /// "predicate", "task", …
    pub what: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Where it is declared.
    pub declared: Span,
    /// The whole use.
    pub whole: Span,
}

/// One argument has a type that the parameter excludes.
pub fn mismatch(
    misfit: &Misfit<'_>,
    argument: (&str, Span),
    place: usize,
    found: &str,
    wanted: &str,
) -> Diagnostic {
    Diagnostic::new(
        &MISMATCH,
        argument.1,
        format!(
            "argument {} of {} `{}` must be {wanted}, `{}` is {found}",
            place + 1,
            misfit.what,
            misfit.name,
            argument.0
        ),
    )
    .label(format!("{found}, not {wanted}"))
    .related(misfit.declared, "declared here")
    .plural("uses")
}

/// The arguments fit in another order.
pub fn order(
    misfit: &Misfit<'_>,
    signature: &str,
    found: &str,
    arguments: &[(&str, Span)],
    permutation: &[usize],
    plural: &'static str,
) -> Diagnostic {
    let moved: Vec<&str> = permutation.iter().map(|from| arguments[*from].0).collect();
    let fitting = format!("({} {})", misfit.name, moved.join(" "));
    let mut diagnostic = Diagnostic::new(
        &ORDER,
        misfit.whole,
        format!(
            "the arguments of `{}` are in the wrong order: declared {signature}, found {found}",
            misfit.name
        ),
    )
    .label(format!("`{fitting}` fits"))
    .related(misfit.declared, "declared here")
    .plural(plural);
    for (place, from) in permutation.iter().enumerate() {
        if place != *from {
            let (text, _) = arguments[*from];
            diagnostic = diagnostic.edit(
                "put the arguments in the declared order",
                arguments[place].1,
                text,
            );
        }
    }
    diagnostic
}

/// A variable is declared wider than something it is passed to.
pub fn narrowed(
    misfit: &Misfit<'_>,
    argument: (&str, Span),
    place: usize,
    found: &str,
    wanted: &str,
) -> Diagnostic {
    Diagnostic::new(
        &NARROWED,
        argument.1,
        format!(
            "`{}` is {found}, but argument {} of {} `{}` must be {wanted}",
            argument.0,
            place + 1,
            misfit.what,
            misfit.name
        ),
    )
    .label(format!("only {wanted} will do"))
    .related(misfit.declared, "declared here")
    .note(format!(
        "read as if `{}` were declared {wanted}",
        argument.0
    ))
}
