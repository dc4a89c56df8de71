//! What the whole model shows to be wrong with a domain and a problem: one
//! file per class of mistake, each with its codes, its wording and its fixes.
//!
//! Classes that come up while reading (characters, parentheses, names, types)
//! are in [`crate::diagnostic`].

pub mod applicable;
mod apply;
pub mod complementary;
pub mod cost;
mod duplicate;
pub mod implication;
pub mod led_to;
pub mod mend;
pub mod numeric;
mod reason;
pub mod refine;
mod relax;
mod requirement;
pub mod solvable;

pub use apply::{FixRefused, apply};
pub use relax::{Owner, dead_schemas};

use crate::diagnostic::{
    Code, Diagnostics, case, character, duplicate as twice, fit, form, keyword, parenthesis,
    requirement as requirements, shadow, structure, undefined, unsupported,
};
use crate::model::resolve::{Options, Reading, resolve};
use crate::syntax::Tree;

/// How thoroughly to look.
#[derive(Clone, Copy, Debug)]
pub struct Thoroughness {
    /// Also say what is rarely a mistake.
    pub strict: bool,
    /// Steps to spend on what is reachable; beyond, the question stays open.
    pub steps: u64,
}

impl Default for Thoroughness {
    fn default() -> Thoroughness {
        Thoroughness {
            strict: false,
            steps: 60_000,
        }
    }
}

/// Everything that is wrong with a domain and, if given, a problem: errors
/// first, then by place.
///
/// ```
/// use planoku_language::{lint, model::resolve::Options, syntax::Tree};
/// let domain = Tree::read("(define (domain d) (:predicates (p)) (:action a :effect (q)))", 0);
/// let found = lint::check(&domain, None, Options::default(), Default::default());
/// assert_eq!(found.list[0].code.name, "E0102");
/// ```
pub fn check(
    domain: &Tree,
    problem: Option<&Tree>,
    options: Options,
    thoroughness: Thoroughness,
) -> Diagnostics {
    let mut reading = resolve(domain, problem, options);
    examine(&mut reading, problem.is_some(), thoroughness);
    reading.diagnostics.sort();
    reading.diagnostics
}

/// Adds what the whole model shows to what its reading has found. A model
/// with holes is only asked questions that holes cannot falsify.
pub fn examine(reading: &mut Reading, has_problem: bool, thoroughness: Thoroughness) {
    let mut out = std::mem::take(&mut reading.diagnostics);
    duplicate::check(reading, &mut out);
    if thoroughness.strict {
        out.list.append(&mut reading.undeclared_parents);
    }
    if !reading.broken {
        requirement::check(reading, &mut out);
    }
    // Where there is time, what can be reached is another question.
    if !reading.broken && reading.model.beyond.is_empty() {
        let model = &reading.model;
        refine::check(model, &mut out);
        complementary::check(model, thoroughness.strict, &mut out);
        implication::check(model, &mut out);
        numeric::check(model, has_problem, &mut out);
        let facts = model
            .init
            .iter()
            .map(|fact| (fact.predicate, fact.arguments.clone()));
        let relaxed = relax::Relaxed::new(model, facts, true, thoroughness.steps).ok();
        cost::check(model, relaxed.as_ref(), &mut out);
        if has_problem {
            let solvable = solvable::check(reading, thoroughness.steps, &mut out);
            led_to::check(model, solvable, &mut out);
        }
    }
    reading.diagnostics = out;
}

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
        &keyword::GLUED,
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
        &undefined::PARENT,
        &undefined::MISSPELT_PARENT,
        &twice::DEFINITION,
        &twice::PARAMETER,
        &twice::REPEATED,
        &twice::OBJECT,
        &twice::FACT,
        &twice::CONTRADICTION,
        &case::CLASH,
        &case::TASK_ACTION,
        &shadow::SHADOW,
        &requirements::DOMAIN_NAME,
        &requirements::MISSING,
        &requirements::UNKNOWN,
        &complementary::PRECONDITION,
        &complementary::EFFECT,
        &complementary::POSSIBLE,
        &cost::UNUSED,
        &cost::ONLY_JOINS,
        &cost::LATE,
        &implication::EXISTS_IMPLY,
        &numeric::UNREAD,
        &numeric::NO_VALUE,
        &numeric::NEVER_HOLDS,
        &numeric::BY_ZERO,
        &refine::NO_METHOD,
        &refine::NO_REFINEMENT,
        &solvable::UNSOLVABLE,
        &solvable::NEVER_MATCHES,
        &led_to::NO_ACTION,
        &applicable::NEVER_APPLIES,
        &led_to::IDLE,
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
