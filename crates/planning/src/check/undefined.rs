//! Names that nothing declares.

use crate::diagnostic::{Code, Diagnostic};
use crate::model::Span;
use crate::syntax::excerpt;

code!(TYPE = "E0101", Error, "undefined type");
code!(PREDICATE = "E0102", Error, "undefined predicate");
code!(OBJECT = "E0103", Error, "undefined object");
code!(VARIABLE = "E0104", Error, "undefined variable");
code!(TASK = "E0105", Error, "undefined task");
code!(FUNCTION = "E0106", Error, "undefined function");
code!(LABEL = "E0107", Error, "undefined subtask label");
code!(QUESTION_MARK = "E0108", Error, "forgotten question mark");

/// The name is not declared; `meant` is the nearest one that is, with the
/// place of its declaration.
pub fn name(
    code: &'static Code,
    what: &str,
    name: &str,
    span: Span,
    meant: Option<(String, Span)>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        code,
        span,
        format!("{what} `{}` is not declared", excerpt(name)),
    )
    .plural("uses of it");
    match meant {
        Some((meant, at)) => diagnostic
            .label(format!("did you mean `{meant}`?"))
            .related(at, format!("`{meant}` is declared here"))
            .edit(format!("write `{meant}`"), span, meant.clone()),
        None => diagnostic.label("not declared"),
    }
}

/// `x` stands where `?x` is a variable.
pub fn question_mark(name: &str, span: Span, declared: Option<Span>) -> Diagnostic {
    let insert = Span {
        end: span.start,
        ..span
    };
    let diagnostic = Diagnostic::new(
        &QUESTION_MARK,
        span,
        format!(
            "`{0}` lacks a question mark: variables are written `?{0}`",
            excerpt(name)
        ),
    )
    .label(format!("did you mean `?{}`?", excerpt(name)))
    .edit("insert `?`", insert, "?");
    match declared {
        Some(at) => diagnostic.related(at, "the variable is declared here"),
        None => diagnostic,
    }
}
