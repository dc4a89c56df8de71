//! The short way: two texts in, a model and what is wrong with it out.

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::model::resolve::{Options, Reading, resolve};
use crate::syntax::Tree;
use std::fmt;
use std::path::Path;

/// Reads a domain and a problem. There is a model if there are no errors;
/// warnings and hints may be there in both cases.
///
/// ```
/// let domain = "(define (domain d) (:predicates (lit ?l))
///     (:action light :parameters (?l) :effect (lit ?l)))";
/// let problem = "(define (problem p) (:domain d) (:objects a)
///     (:init) (:goal (lit a)))";
/// let (model, diagnostics) = planoku_language::read(domain, problem);
/// assert!(!diagnostics.has_errors());
/// assert_eq!(model.unwrap().actions.len(), 1);
/// ```
pub fn read(domain: &str, problem: &str) -> (Option<Model>, Diagnostics) {
    let domain = Tree::read(domain, 0);
    let problem = Tree::read(problem, 1);
    finish(resolve(&domain, Some(&problem), Options::default()))
}

fn finish(reading: Reading) -> (Option<Model>, Diagnostics) {
    let mut diagnostics = reading.diagnostics;
    diagnostics.sort();
    let model = (!diagnostics.has_errors()).then_some(reading.model);
    (model, diagnostics)
}

/// Why two files are not a planning problem. Its text names file, line and
/// column of every error, one a line.
#[derive(Debug)]
pub struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for ReadError {}

/// Reads a domain and a problem from two files. Warnings are not an error and
/// are dropped; `check` shows them.
pub fn read_files(domain: &Path, problem: &Path) -> Result<Model, ReadError> {
    let load = |path: &Path, file| match std::fs::read(path) {
        Ok(bytes) => Ok(Tree::read_bytes(bytes, file)),
        Err(error) => Err(ReadError(format!("{}: {error}", path.display()))),
    };
    let (first, second) = (load(domain, 0)?, load(problem, 1)?);
    let (model, mut diagnostics) = finish(resolve(&first, Some(&second), Options::default()));
    model.ok_or_else(|| {
        let names = [domain, problem].map(|path| path.display().to_string());
        let sources = [
            (names[0].as_str(), first.text()),
            (names[1].as_str(), second.text()),
        ];
        diagnostics
            .list
            .retain(|d| d.severity() == crate::diagnostic::Severity::Error);
        ReadError(diagnostics.brief(&sources))
    })
}
