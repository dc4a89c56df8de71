//! Names that nothing declares.

use super::{Code, Diagnostic};
use crate::source::{Span, excerpt};

code!(TYPE = "E0101", Error, "undefined type");
code!(PREDICATE = "E0102", Error, "undefined predicate");
code!(OBJECT = "E0103", Error, "undefined object");
code!(VARIABLE = "E0104", Error, "undefined variable");
code!(TASK = "E0105", Error, "undefined task");
code!(FUNCTION = "E0106", Error, "undefined function");
code!(LABEL = "E0107", Error, "undefined subtask label");
code!(PARENT = "H0114", Hint, "undeclared supertype");
code!(MISSPELT_PARENT = "W0115", Warning, "supertype misspelt");
code!(QUESTION_MARK = "E0108", Error, "forgotten question mark");

/// A declared name that a misspelt one may have meant.
#[derive(Clone, Debug)]
pub struct Meant {
    /// The declared name.
    pub name: String,
    /// Where it is declared.
    pub declared: Span,
    /// A question that names it and all that are as near.
    pub question: String,
    /// True if nothing else can have been meant.
    pub sure: bool,
}

/// The name is not declared; `meant` is the nearest one that is.
pub fn name(
    code: &'static Code,
    what: &str,
    name: &str,
    span: Span,
    meant: Option<Meant>,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        code,
        span,
        format!("{what} `{}` is not declared", excerpt(name)),
    )
    .plural("uses of it");
    match meant {
        Some(meant) => diagnostic
            .label(meant.question)
            .related(meant.declared, format!("`{}` is declared here", meant.name))
            .suggest(
                meant.sure,
                format!("write `{}`", meant.name),
                span,
                meant.name.clone(),
            ),
        None => diagnostic.label("not declared"),
    }
}

/// A type that is named as a parent and declared nowhere: a type of its own, or
/// another one misspelt.
pub fn parent(name: &str, span: Span, meant: Option<Meant>) -> Diagnostic {
    let code = match &meant {
        Some(meant) if meant.sure => &MISSPELT_PARENT,
        _ => &PARENT,
    };
    let diagnostic = Diagnostic::new(
        code,
        span,
        format!("supertype `{}` is not declared", excerpt(name)),
    )
    .note("it is taken as a type of its own, below `object`");
    match meant {
        // Whether it is a mistake at all, nobody but the author knows.
        Some(meant) => diagnostic
            .label(meant.question)
            .related(meant.declared, format!("`{}` is declared here", meant.name))
            .suggest(
                false,
                format!("write `{}`", meant.name),
                span,
                meant.name.clone(),
            ),
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
