//! Whether something is a plan, and the first rule it breaks.

use planoku_language::plan::text;
use planoku_language::verify::verify;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::model;
use crate::{Allowance, Problem, Question};

/// A plan to judge.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": crate::DOMAIN, "problem": crate::PROBLEM, "plan": "(light a)"}))]
pub struct AskVerdict {
    /// A domain in HDDL or PDDL.
    pub domain: String,
    /// A problem for it.
    pub problem: String,
    /// A plan from any planner, as files of its kind are written.
    pub plan: String,
}

/// Whether it is a plan.
#[derive(Serialize, ToSchema)]
pub struct Verdict {
    /// Whether it is.
    pub valid: bool,
    /// The first rule it breaks.
    pub rule: Option<String>,
    /// In words.
    pub reason: Option<String>,
    /// What it costs, if it is valid.
    pub cost: Option<String>,
    /// How many steps it has.
    pub steps: usize,
}

impl Question for AskVerdict {
    type Answer = Verdict;

    fn answer(&self, _: &Allowance) -> Result<Verdict, Problem> {
        let model = model(&self.domain, &self.problem)?;
        let plan = text::read(&self.plan, &model).map_err(|error| {
            let words = format!("plan: {}", error.message);
            Problem::bad_text(words, error.line, error.column)
        })?;
        let verdict = verify(&model, &plan);
        let broken = verdict.as_ref().err();
        Ok(Verdict {
            valid: verdict.is_ok(),
            rule: broken.map(|broken| broken.rule.name().to_owned()),
            reason: broken.map(|broken| broken.reason.clone()),
            cost: (verdict.as_ref().ok()).map(|known| model.show_cost(known.cost).to_string()),
            steps: plan.steps.len(),
        })
    }
}
