//! Circles: in types and in orderings.

use super::Diagnostic;
use crate::source::Span;

code!(CYCLIC_TYPES = "E0201", Error, "types in a circle");
code!(
    CYCLIC_ORDERING = "E0401",
    Error,
    "subtasks ordered in a circle"
);

/// A type is its own ancestor; `path` starts and ends with it.
pub fn cyclic_types(path: &[&str], span: Span) -> Diagnostic {
    Diagnostic::new(
        &CYCLIC_TYPES,
        span,
        format!("type `{}` is its own ancestor", path[0]),
    )
    .label(path.join(" - "))
    .help("remove one of these parents")
}

/// Subtasks that must each come before the next, and the last before the first.
pub fn cyclic_ordering(path: &[String], span: Span, subtask: Span) -> Diagnostic {
    Diagnostic::new(
        &CYCLIC_ORDERING,
        span,
        "the subtasks are ordered in a circle, so none can come first",
    )
    .label(path.join(" < "))
    .related(subtask, "this subtask would have to precede itself")
}
