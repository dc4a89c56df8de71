//! Everything that is wrong with a domain and a problem, with its fixes.

use planoku_language::diagnostic::{Diagnostic, Severity};
use planoku_language::lint::{self, Thoroughness};
use planoku_language::model::resolve::Options;
use planoku_language::syntax::Tree;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::places::{Place, Places};
use crate::{Allowance, Problem, Question};

/// Steps spent on the question what is reachable, while somebody types.
const STEPS: u64 = 50_000;

/// A domain and a problem.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": crate::DOMAIN, "problem": crate::PROBLEM}))]
pub struct Texts {
    /// A domain in HDDL or PDDL.
    pub domain: String,
    /// A problem for it; the domain is checked alone without it.
    pub problem: Option<String>,
}

/// Everything that is wrong.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckedModel)]
pub struct Checked {
    /// Worst first within a file.
    pub diagnostics: Vec<Finding>,
    /// How many are errors.
    pub errors: usize,
    /// How many are warnings.
    pub warnings: usize,
    /// How many are hints.
    pub hints: usize,
}

/// Something that is wrong, or could be better.
#[derive(Serialize, ToSchema)]
pub struct Finding {
    /// Such as `E0502`.
    pub code: String,
    /// `error`, `warning` or `hint`.
    pub severity: String,
    /// In a line.
    pub message: String,
    /// What to write beside the place.
    pub label: String,
    /// Where it is.
    pub place: Place,
    /// How many places it stands for.
    pub count: u32,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// More to know.
    pub notes: Vec<String>,
    /// What to do.
    pub helps: Vec<String>,
    /// A fix, if there is one.
    pub fix: Option<Mending>,
    /// What the code means, with an example and its correction.
    pub explanation: String,
}

/// Another place that matters.
#[derive(Serialize, ToSchema)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// Why.
    pub message: String,
}

/// Edits that mend something.
#[derive(Serialize, ToSchema)]
pub struct Mending {
    /// What it does.
    pub message: String,
    /// False if it is a guess.
    pub certain: bool,
    /// What to replace, by what; no two overlap.
    pub edits: Vec<Change>,
}

/// One edit.
#[derive(Serialize, ToSchema)]
pub struct Change {
    /// What is replaced.
    pub place: Place,
    /// By what.
    pub text: String,
}

impl Question for Texts {
    type Answer = Checked;

    fn answer(&self, _: &Allowance) -> Result<Checked, Problem> {
        let domain = Tree::read(&self.domain, 0);
        let problem = self.problem.as_ref().map(|text| Tree::read(text, 1));
        let thoroughness = Thoroughness {
            strict: false,
            steps: STEPS,
        };
        let found = lint::check(&domain, problem.as_ref(), Options::default(), thoroughness);
        let places = Places::new(&self.domain, self.problem.as_deref().unwrap_or_default());
        let tell = |one| finding(&places, one);
        Ok(Checked {
            errors: found.count(Severity::Error),
            warnings: found.count(Severity::Warning),
            hints: found.count(Severity::Hint),
            diagnostics: found.list.iter().map(tell).collect(),
        })
    }
}

fn finding(places: &Places<'_>, found: &Diagnostic) -> Finding {
    let related = found.related.iter().map(|(span, message)| Related {
        place: places.place(*span),
        message: message.clone(),
    });
    let fix = found.fix.as_ref().map(|fix| Mending {
        message: fix.message.clone(),
        certain: fix.certain,
        edits: (fix.edits.iter())
            .map(|edit| Change {
                place: places.place(edit.span),
                text: edit.text.clone(),
            })
            .collect(),
    });
    Finding {
        code: found.code.name.to_owned(),
        severity: found.severity().word().to_owned(),
        message: found.message.clone(),
        label: found.label.clone(),
        place: places.place(found.span),
        count: found.count,
        related: related.collect(),
        notes: found.notes.clone(),
        helps: found.helps.clone(),
        fix,
        explanation: found.code.explanation.to_owned(),
    }
}
