//! HDDL and PDDL as languages: reading, checking, writing.

mod exhibit;
mod explain;
mod flawed;
mod fuzz;
mod ipc;
mod mend;
mod models;
mod numeric;
mod syntax;
mod timed;
mod write;

use planoku_language::diagnostic::Diagnostics;
use planoku_language::lint::{self, Thoroughness};
use planoku_language::model::resolve::Options;
use planoku_language::syntax::Tree;

/// A text with a domain and, after it, perhaps a problem.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.find("(define (problem") {
        Some(at) => (&text[..at], Some(&text[at..])),
        None => (text, None),
    }
}

/// Everything that is wrong with such a text.
fn check(text: &str, strict: bool) -> Diagnostics {
    let (domain, problem) = split(text);
    let domain = Tree::read(domain, 0);
    let problem = problem.map(|text| Tree::read(text, 1));
    let thoroughness = Thoroughness {
        strict,
        ..Thoroughness::default()
    };
    lint::check(&domain, problem.as_ref(), Options::default(), thoroughness)
}

/// The codes found, in order of severity and place.
fn codes(found: &Diagnostics) -> Vec<&'static str> {
    found.list.iter().map(|d| d.code.name).collect()
}
