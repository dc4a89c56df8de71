//! What a file says it needs: requirements, and the domain it belongs to.

use super::Diagnostic;
use crate::source::{Span, nearest};

code!(
    DOMAIN_NAME = "W0602",
    Warning,
    "problem names another domain"
);
code!(MISSING = "H0604", Hint, "requirement not declared");
code!(UNKNOWN = "W0605", Warning, "unknown requirement");

/// Requirements anyone has defined, for PDDL up to 3.1 and HDDL.
pub const KNOWN: &[&str] = &[
    ":strips",
    ":typing",
    ":equality",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":action-costs",
    ":adl",
    ":ucpop",
    ":fluents",
    ":numeric-fluents",
    ":object-fluents",
    ":durative-actions",
    ":duration-inequalities",
    ":continuous-effects",
    ":timed-initial-literals",
    ":time",
    ":preferences",
    ":constraints",
    ":goal-utilities",
    ":htn",
    ":hierarchy",
    ":method-preconditions",
    ":htn-method-prec",
    ":non-deterministic",
    ":probabilistic-effects",
];

/// Spellings that are common enough to be understood, and never advised.
const MISSPELT: &[&str] = &[":hierachy"];

/// A requirement nobody has defined.
pub fn unknown(keyword: &str, span: Span) -> Option<Diagnostic> {
    if KNOWN.contains(&keyword) || MISSPELT.contains(&keyword) {
        return None;
    }
    let diagnostic = Diagnostic::new(
        &UNKNOWN,
        span,
        format!("`{keyword}` is not a known requirement"),
    );
    Some(match nearest(keyword, KNOWN.iter().copied()) {
        Some(meant) => diagnostic.label(meant.question()).suggest(
            meant.sure,
            format!("write `{}`", meant.word),
            span,
            meant.word,
        ),
        None => diagnostic.label("unknown; ignored"),
    })
}

/// The problem's `:domain` is not the domain's name.
pub fn domain_name(found: &str, span: Span, domain: &str) -> Diagnostic {
    Diagnostic::new(
        &DOMAIN_NAME,
        span,
        format!("the problem is for domain `{found}`, the domain is `{domain}`"),
    )
    .label(format!("the domain is `{domain}`"))
    .edit(format!("write `{domain}`"), span, domain)
}
