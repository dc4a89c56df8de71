//! What a file is, from its first words: a domain or a problem, and of what
//! name. Enough to find the files that belong together without reading them
//! whole.

use crate::syntax::{Token, TokenKind, tokens};

/// The first words of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileHeader {
    /// The name after `(define (domain`, in lower case.
    pub domain: Option<String>,
    /// The name after `(define (problem`, in lower case.
    pub problem: Option<String>,
    /// The name after `(:domain`, in lower case.
    pub wants: Option<String>,
}

impl FileHeader {
    /// Looks for the words in a text, which may be cut off or broken.
    ///
    /// ```
    /// use planoku_language::index::FileHeader;
    /// let header = FileHeader::of("(define (problem P1) (:domain Rooms) (:objects");
    /// assert_eq!(header.problem.as_deref(), Some("p1"));
    /// assert_eq!(header.wants.as_deref(), Some("rooms"));
    /// ```
    pub fn of(text: &str) -> FileHeader {
        let mut header = FileHeader::default();
        let significant = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::Open | TokenKind::Close | TokenKind::Word
            )
        };
        let mut tokens = tokens(text).filter(significant);
        let mut before = TokenKind::Close;
        while let Some(token) = tokens.next() {
            let opened = std::mem::replace(&mut before, token.kind) == TokenKind::Open;
            if token.kind != TokenKind::Word || !opened {
                continue;
            }
            let word = &text[token.start as usize..token.end as usize];
            let place = if word.eq_ignore_ascii_case("domain") {
                &mut header.domain
            } else if word.eq_ignore_ascii_case("problem") {
                &mut header.problem
            } else if word.eq_ignore_ascii_case(":domain") {
                &mut header.wants
            } else {
                continue;
            };
            if place.is_none()
                && let Some(name) = tokens.clone().next()
                && name.kind == TokenKind::Word
            {
                *place = Some(super::fold(&text[name.start as usize..name.end as usize]));
            }
            // A predicate may be called `domain`; the header comes first.
            if header.domain.is_some() || header.wants.is_some() {
                break;
            }
        }
        header
    }

    /// True for a problem.
    pub fn is_problem(&self) -> bool {
        self.problem.is_some() || (self.wants.is_some() && self.domain.is_none())
    }
}
