//! Models in HDDL and PDDL: what is wrong with them, how to lay them out, and
//! what a planner makes of them.
//!
//! Texts come with the question and go with the answer; no file is ever read.

mod check;
mod hover;
mod layout;
mod places;
mod plan;
mod size;
mod verdict;

pub use check::{Change, Checked, Finding, Mending, Related, Texts};
pub use hover::{Meaning, Pointed};
pub use layout::{Tidy, Untidy};
pub use places::Place;
pub use plan::{AskPlan, Planned, Row, StepChanges};
pub use size::{AskGround, Grounded, Wide};
pub use verdict::{AskVerdict, Verdict};

use places::Places;
use planoku_language::diagnostic::Severity;
use planoku_language::model::Model;

use crate::Problem;

/// The model, or its first mistake.
fn model(domain: &str, problem: &str) -> Result<Model, Problem> {
    let (model, found) = planoku_language::read(domain, problem);
    model.ok_or_else(|| {
        let places = Places::new(domain, problem);
        let errors = found.list.iter();
        let first = errors
            .filter(|one| one.severity() == Severity::Error)
            .map(|one| (one, places.place(one.span)))
            .next();
        match first {
            Some((one, place)) => Problem::bad_text(
                format!(
                    "{}:{}:{}: {}",
                    place.file, place.line, place.column, one.message
                ),
                place.line as usize,
                place.column as usize,
            ),
            None => Problem::bad_input("the texts are no planning problem"),
        }
    })
}
