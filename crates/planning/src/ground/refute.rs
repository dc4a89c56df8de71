//! Why there is no plan, in words, when even the relaxation has none.

use std::fmt;

use super::draft::Draft;
use super::prune::Alive;
use super::reach::Reach;

/// A reason why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// Sentences, the conclusion first, each explained by the next.
    pub reasons: Vec<String>,
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

/// Explains why the root cannot be carried out or the goal not be reached.
pub fn explain(_reach: &Reach<'_>, draft: &Draft, alive: &Alive) -> Refutation {
    let root = draft.tasks.first().is_none_or(|_| alive.tasks[0]);
    let reasons = if root {
        vec!["the goal cannot be reached".into()]
    } else {
        vec!["the initial task network cannot be carried out".into()]
    };
    Refutation { reasons }
}
