//! Why there is no plan, in words.

use std::fmt;

use planoku_engine::Run;

use crate::algorithms::furthest;
use crate::ground::{GroundError, ground};
use crate::instance::Instance;
use crate::language::source::Span;
use crate::model::Model;

/// What is known of why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPlan {
    /// Sentences, each explained by the next.
    pub reasons: Vec<String>,
    /// Where what could not be done is declared, if that is known.
    pub span: Option<Span>,
}

impl fmt::Display for NoPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no plan: {}", self.reasons.join("; "))
    }
}

/// Tells why a problem that was proved to have no plan has none: what the
/// relaxation cannot reach, or else how far a search comes and what it misses
/// there. Takes as much as the run allows, and says less if that is little.
///
/// ```
/// use planoku_planning::{engine::Run, why::why_none};
///
/// let domain = "(define (domain lamp) (:requirements :hierarchy)
///   (:predicates (lit) (whole))
///   (:action drop :effect (not (whole)))
///   (:action light :precondition (whole) :effect (lit)))";
/// let problem = "(define (problem p) (:domain lamp)
///   (:htn :ordered-subtasks (and (drop) (light))) (:init (whole)))";
/// let model = planoku_planning::read(domain, problem).0.unwrap();
/// let why = why_none(&model, &mut Run::default()).to_string();
/// assert!(why.ends_with("after 1 step: (light) cannot be executed, as (whole) does not hold"));
/// ```
pub fn why_none(model: &Model, run: &mut Run<'_>) -> NoPlan {
    let tried = || vec!["everything was tried".to_string()];
    match ground(model, run) {
        Err(GroundError::Refuted(refutation)) => NoPlan {
            reasons: refutation.reasons,
            span: None,
        },
        Err(_) => NoPlan {
            reasons: tried(),
            span: None,
        },
        Ok(problem) => {
            let stuck = furthest(model, &Instance::new(problem), run);
            let mut reasons = tried();
            reasons.extend(stuck.as_ref().map(ToString::to_string));
            NoPlan {
                reasons,
                span: stuck.and_then(|stuck| stuck.span),
            }
        }
    }
}
