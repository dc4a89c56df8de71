//! Keywords nobody knows.

use crate::diagnostic::Diagnostic;
use crate::model::Span;
use crate::syntax::excerpt;

code!(SPLIT = "E0021", Error, "blank inside a keyword");
code!(UNKNOWN = "E0022", Error, "unknown keyword");

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
pub fn unknown(keyword: &str, span: Span, place: &str, meant: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &UNKNOWN,
        span,
        format!("{place} has no `{}`", excerpt(keyword)),
    );
    match meant {
        Some(meant) => diagnostic.label(format!("did you mean `{meant}`?")).edit(
            format!("write `{meant}`"),
            span,
            meant,
        ),
        None => diagnostic.label("unknown keyword"),
    }
}
