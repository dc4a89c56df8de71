//! Lists that do not have the shape the language asks for.

use super::Diagnostic;
use crate::source::{Span, excerpt};

code!(MALFORMED = "E0031", Error, "unexpected form");
code!(TOO_DEEP = "E0032", Error, "nested too deeply");
code!(NO_DEFINITION = "E0033", Error, "no domain or problem");
code!(REPEATED = "E0034", Error, "key or section given twice");

/// Something else was wanted here.
pub fn malformed(span: Span, wanted: &str, found: &str) -> Diagnostic {
    let found = match found {
        "" => "nothing".to_owned(),
        text => format!("`{}`", excerpt(text)),
    };
    Diagnostic::new(
        &MALFORMED,
        span,
        format!("expected {wanted}, found {found}"),
    )
    .label(format!("expected {wanted}"))
}

/// A formula deeper than anyone writes.
pub fn too_deep(span: Span, limit: u32) -> Diagnostic {
    Diagnostic::new(
        &TOO_DEEP,
        span,
        format!("formulas may be nested {limit} deep, this one is deeper"),
    )
}

/// There is no `(define (domain …))` in the text, or the other kind.
pub fn no_definition(span: Span, wanted: &str, found: Option<&str>) -> Diagnostic {
    match found {
        Some(found) => Diagnostic::new(
            &NO_DEFINITION,
            span,
            format!("expected a {wanted}, found a {found}"),
        )
        .label(format!("this defines a {found}"))
        .help("the domain comes first, then the problem"),
        None => Diagnostic::new(
            &NO_DEFINITION,
            span,
            format!("expected `(define ({wanted} …) …)`, found none"),
        ),
    }
}

/// A key or section that may stand only once.
pub fn repeated(keyword: &str, second: Span, first: Span) -> Diagnostic {
    Diagnostic::new(&REPEATED, second, format!("`{keyword}` is given twice"))
        .label("second time")
        .related(first, "first time")
}
