//! A quantifier that hides a parameter.

use super::Diagnostic;
use crate::source::Span;

code!(SHADOW = "W0123", Warning, "variable hides another");

/// The inner variable has the name of an outer one.
pub fn shadow(name: &str, inner: Span, outer: Span) -> Diagnostic {
    Diagnostic::new(
        &SHADOW,
        inner,
        format!("`{name}` hides the variable of the same name outside"),
    )
    .label("inside, this one is meant")
    .related(outer, "the one hidden")
    .help("rename one of them")
}
