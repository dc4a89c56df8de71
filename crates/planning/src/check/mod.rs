//! What can be wrong with a domain and a problem: one file per class of
//! mistake, each with its codes, its wording and its fixes.
//!
//! Classes that come up while reading (characters, parentheses, names, types)
//! are functions that word a mistake the reader or the resolver has found.
//! The others look at the whole [`crate::model::Model`].

/// Declares a [`Code`](crate::diagnostic::Code) whose explanation is the
/// Markdown file of its name.
macro_rules! code {
    ($name:ident = $code:literal, $severity:ident, $title:literal) => {
        #[doc = concat!("`", $code, "`: ", $title, ".")]
        pub static $name: crate::diagnostic::Code = crate::diagnostic::Code {
            name: $code,
            title: $title,
            severity: crate::diagnostic::Severity::$severity,
            explanation: include_str!(concat!("explain/", $code, ".md")),
        };
    };
}

pub mod case;
pub mod character;
pub mod duplicate;
pub mod fit;
pub mod form;
pub mod keyword;
pub mod parenthesis;
pub mod requirement;
pub mod shadow;
pub mod structure;
pub mod undefined;
pub mod unsupported;

use crate::diagnostic::Code;

/// Every class of mistake, by code.
pub fn codes() -> Vec<&'static Code> {
    let mut codes = vec![
        &character::NOT_UTF8,
        &character::STRAY,
        &character::TOO_LONG,
        &parenthesis::UNCLOSED,
        &parenthesis::UNMATCHED,
        &parenthesis::CLOSED_EARLY,
        &keyword::SPLIT,
        &keyword::UNKNOWN,
        &form::MALFORMED,
        &form::TOO_DEEP,
        &form::NO_DEFINITION,
        &form::REPEATED,
        &unsupported::UNSUPPORTED,
        &undefined::TYPE,
        &undefined::PREDICATE,
        &undefined::OBJECT,
        &undefined::VARIABLE,
        &undefined::TASK,
        &undefined::FUNCTION,
        &undefined::LABEL,
        &undefined::QUESTION_MARK,
        &duplicate::DEFINITION,
        &duplicate::PARAMETER,
        &duplicate::OBJECT,
        &duplicate::FACT,
        &duplicate::CONTRADICTION,
        &case::CLASH,
        &case::TASK_ACTION,
        &shadow::SHADOW,
        &requirement::DOMAIN_NAME,
        &requirement::MISSING,
        &requirement::UNKNOWN,
        &structure::CYCLIC_TYPES,
        &structure::CYCLIC_ORDERING,
        &fit::ARITY,
        &fit::KIND,
        &fit::MISMATCH,
        &fit::ORDER,
        &fit::NARROWED,
    ];
    codes.sort_by_key(|code| &code.name[1..]);
    codes
}
