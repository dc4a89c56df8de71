//! Keywords nobody knows.

use super::Diagnostic;
use crate::source::{Near, Span, excerpt};

code!(SPLIT = "E0021", Error, "blank inside a keyword");
code!(UNKNOWN = "E0022", Error, "unknown keyword");
code!(GLUED = "W0023", Warning, "no blank before a question mark");

/// `(at?x)`: a variable begins in the middle of a word.
pub fn glued(before: &str, variable: &str, span: Span) -> Diagnostic {
    let gap = Span {
        end: span.start,
        ..span
    };
    Diagnostic::new(
        &GLUED,
        span,
        format!(
            "there is no blank between `{}` and `{}`",
            excerpt(before),
            excerpt(variable)
        ),
    )
    .label("a variable begins here")
    .plural("variables")
    .edit("insert a blank", gap, " ")
}

/// `(: action` instead of `(:action`; such texts come out of PDF files.
pub fn split(text: &str, span: Span) -> Diagnostic {
    let name = text[span.start as usize + 1..span.end as usize].trim_start();
    let gap = Span {
        start: span.start + 1,
        end: span.end - name.len() as u32,
        ..span
    };
    Diagnostic::new(
        &SPLIT,
        span,
        format!("there is a blank between `:` and `{}`", excerpt(name)),
    )
    .label(format!("write `:{}`", excerpt(name)))
    .edit("remove the blank", gap, "")
}

/// A keyword that means nothing where it stands.
pub fn unknown(keyword: &str, span: Span, place: &str, meant: Option<&Near<'_>>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &UNKNOWN,
        span,
        format!("{place} has no `{}`", excerpt(keyword)),
    );
    match meant {
        Some(meant) => diagnostic.label(meant.question()).suggest(
            meant.sure,
            format!("write `{}`", meant.word),
            span,
            meant.word,
        ),
        None => diagnostic.label("unknown keyword"),
    }
}
