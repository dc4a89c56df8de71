//! Parts of PDDL that are beyond classical and hierarchical planning.

use super::Diagnostic;
use crate::source::Span;

code!(UNSUPPORTED = "E0041", Error, "not supported");

/// The construct is known, and not supported.
pub fn unsupported(span: Span, what: &str, why: &str) -> Diagnostic {
    Diagnostic::new(&UNSUPPORTED, span, format!("{what} not supported"))
        .label("not supported")
        .note(why)
}
