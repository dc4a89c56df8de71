//! Whether something is a plan, and the first rule it breaks.

use planoku_language::model::Model;
use planoku_language::plan::{Plan, text};
use planoku_language::verify::{Broken, verify};
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
    /// A plan from any planner, as files of its kind are written. A list of
    /// actions of a hierarchical problem is given a decomposition.
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
    /// The metric's value at the end, where there is a metric other than total
    /// cost.
    pub metric: Option<String>,
    /// How many steps it has.
    pub steps: usize,
    /// The plan with the decomposition that was found for a list of actions.
    pub decomposition: Option<String>,
}

impl Question for AskVerdict {
    type Answer = Verdict;

    fn answer(&self, allowance: &Allowance) -> Result<Verdict, Problem> {
        let model = model(&self.domain, &self.problem)?;
        let written = text::read_any(&self.plan, &model).map_err(|error| {
            let words = format!("plan: {}", error.message);
            Problem::bad_text(words, error.line, error.column)
        })?;
        let steps = written.plan.steps.len();
        let (plan, found) = match written.flat && model.network.is_some() {
            true => match decomposed(&model, &written.plan, allowance)? {
                Ok(plan) => (plan, true),
                Err(broken) => return Ok(refused(&broken, steps)),
            },
            false => (written.plan, false),
        };
        Ok(match verify(&model, &plan) {
            Ok(known) => Verdict {
                valid: true,
                rule: None,
                reason: None,
                cost: Some(model.show_cost(known.cost).to_string()),
                metric: known.metric.map(|value| value.to_string()),
                steps,
                decomposition: found.then(|| plan.text(&model)),
            },
            Err(broken) => refused(&broken, steps),
        })
    }
}

fn refused(broken: &Broken, steps: usize) -> Verdict {
    Verdict {
        valid: false,
        rule: Some(broken.rule.name().to_owned()),
        reason: Some(broken.reason.clone()),
        cost: None,
        metric: None,
        steps,
        decomposition: None,
    }
}

/// A decomposition that leads to the steps, or the rule they break.
#[cfg(feature = "threads")]
fn decomposed(
    model: &Model,
    plan: &Plan,
    allowance: &Allowance,
) -> Result<Result<Plan, Broken>, Problem> {
    use planoku_planning::decompose::{Decomposed, decompose};
    use planoku_planning::portfolio::Portfolio;
    let mut run = allowance.run(1);
    match decompose(model, plan, &Portfolio::default(), &mut run)? {
        Decomposed::Plan(found) => Ok(Ok(found)),
        Decomposed::Broken(broken) => Ok(Err(broken)),
        Decomposed::Stopped(stop) => Err(stop.into()),
        Decomposed::GaveUp => Err(Problem::bad_input(
            "plan: no decomposition was found, which proves nothing",
        )),
    }
}

/// Without threads only parsing is left, which total orders need.
#[cfg(not(feature = "threads"))]
fn decomposed(
    model: &Model,
    plan: &Plan,
    allowance: &Allowance,
) -> Result<Result<Plan, Broken>, Problem> {
    use planoku_engine::Stop;
    use planoku_language::verify::{Parsed, parse};
    let mut run = allowance.run(1);
    let mut stopped = None;
    let parsed = parse(model, plan, &mut || {
        stopped = run.tick().err();
        stopped.is_none()
    });
    match parsed {
        Err(broken) | Ok(Parsed::None(broken)) => Ok(Err(broken)),
        Ok(Parsed::Plan(found)) => Ok(Ok(found)),
        Ok(Parsed::Partial) => Err(Problem::bad_input(
            "plan: orders are partial here, and only planners with threads find a decomposition",
        )),
        Ok(Parsed::Stopped) => Err(stopped.unwrap_or(Stop::Cancelled).into()),
    }
}

#[cfg(test)]
mod tests {
    use planoku_engine::Cancel;
    use serde_json::{Value, json};

    use crate::{Bounds, ask};

    #[test]
    fn a_list_of_actions_is_judged_by_the_decomposition_it_has() {
        let domain = "(define (domain tea) (:requirements :hierarchy) (:predicates (hot))
          (:task serve :parameters ())
          (:method m :parameters () :task (serve) :ordered-subtasks (and (boil) (pour)))
          (:action boil :parameters () :effect (hot))
          (:action pour :parameters () :precondition (hot)))";
        let problem = "(define (problem p) (:domain tea) (:htn :subtasks (serve)) (:init))";
        let judged = |plan: &str| -> Value {
            let body = json!({"domain": domain, "problem": problem, "plan": plan}).to_string();
            let answer = ask("/verify", &body, &Bounds::default(), Cancel::new()).unwrap();
            serde_json::from_str(&answer.to_string()).unwrap()
        };
        let good = judged("(boil)\n(pour)\n");
        assert_eq!(good["valid"], true);
        let found = good["decomposition"].as_str().unwrap();
        assert!(found.contains("serve -> m"), "{found}");
        let again = judged(found);
        assert_eq!(
            (&again["valid"], &again["decomposition"]),
            (&json!(true), &Value::Null)
        );
        let bad = judged("(boil)\n(pour)\n(pour)\n");
        assert_eq!(
            (&bad["valid"], &bad["rule"]),
            (&json!(false), &json!("decomposition"))
        );
    }
}
