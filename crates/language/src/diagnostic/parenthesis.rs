//! Parentheses without partner.

use super::Diagnostic;
use crate::source::{Span, excerpt};

code!(UNCLOSED = "E0011", Error, "parenthesis never closed");
code!(
    UNMATCHED = "E0012",
    Error,
    "one closing parenthesis too many"
);
code!(
    CLOSED_EARLY = "E0013",
    Error,
    "section closed before its contents"
);

/// The list opened at `open` should have ended at `end`. `extra` more lists
/// are unclosed and not reported.
pub fn unclosed(head: &str, open: Span, end: u32, extra: usize) -> Diagnostic {
    let name = named(head);
    let here = Span {
        start: end,
        end,
        ..open
    };
    let mut diagnostic = Diagnostic::new(&UNCLOSED, open, format!("the {name} is never closed"))
        .label("opened here")
        .related(
            Span {
                start: end.saturating_sub(1),
                end,
                ..open
            },
            "by the indentation, it should end after this",
        )
        .edit("insert the missing `)`", here, ")");
    if extra > 0 {
        diagnostic = diagnostic.note(format!("{extra} more lists are not closed"));
    }
    diagnostic
}

/// A `)` that closes nothing.
pub fn unmatched(close: Span) -> Diagnostic {
    Diagnostic::new(&UNMATCHED, close, "this `)` closes nothing")
        .label("no `(` is open here")
        .edit("remove it", close, "")
}

/// A `)` that closes a list which, by what follows, goes on.
pub fn extra(head: &str, close: Span, open: Span) -> Diagnostic {
    let name = named(head);
    Diagnostic::new(
        &UNMATCHED,
        close,
        format!("this `)` closes the {name}, but what follows belongs to it"),
    )
    .label("one `)` too many, here or shortly before")
    .related(open, format!("the {name} begins here"))
    .edit("remove it", close, "")
}

/// `(:init)` and then the facts.
pub fn closed_early(head: &str, close: Span, open: Span) -> Diagnostic {
    Diagnostic::new(
        &CLOSED_EARLY,
        close,
        format!("`{head}` is closed before its contents"),
    )
    .label("this `)` leaves what follows outside")
    .related(open, format!("`{head}` begins here"))
    .edit("remove it", close, "")
}

fn named(head: &str) -> String {
    match head {
        "" => "list".to_owned(),
        "define" => "definition".to_owned(),
        _ if head.starts_with(':') => format!("section `{}`", excerpt(head)),
        _ => format!("list `({} …`", excerpt(head)),
    }
}
