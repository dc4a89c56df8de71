//! A plan and what there is to see of it, or why there is none.

use planoku_engine::clock::Instant;
use planoku_engine::{End, Engine};
use planoku_language::model::Model;
use planoku_language::plan::{Plan, tree};
use planoku_language::verify::{changes, verify};
use planoku_planning::Instance;
use planoku_planning::ground::{GroundError, ground};
use planoku_planning::planners::planner;
#[cfg(feature = "threads")]
use planoku_planning::portfolio::Portfolio;
use planoku_planning::why;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::model;
use crate::{Allowance, Problem, Question, Wish, micros};

/// Rows of a tree, and facts of a change, that one answer holds.
const MOST_ROWS: usize = 20_000;

/// A domain and a problem to plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": crate::DOMAIN, "problem": crate::PROBLEM}))]
pub struct AskPlan {
    /// A domain in HDDL or PDDL.
    pub domain: String,
    /// A problem for it.
    pub problem: String,
    /// A planner of `planoku plan`; several take turns if absent.
    pub planner: Option<String>,
    /// Milliseconds to spend, within the limit of the service.
    pub time_ms: Option<u64>,
    /// Search nodes to spend, within the limit of the service.
    pub nodes: Option<u64>,
}

/// What a planner found.
#[derive(Serialize, ToSchema)]
pub struct Planned {
    /// `enough` with a plan; `exhausted`: there is none; `incomplete`;
    /// `stopped`.
    pub end: String,
    /// `time`, `nodes`, `memory` or `cancelled` if stopped.
    pub stopped_by: Option<String>,
    /// Why there is no plan, in words.
    pub reason: Option<String>,
    /// Who found it.
    pub planner: String,
    /// The plan, as files of its kind are written.
    pub plan: Option<String>,
    /// The steps in order, such as `(move a b)`.
    pub steps: Vec<String>,
    /// What the plan costs.
    pub cost: Option<String>,
    /// The metric's value at the end, where there is a metric other than total
    /// cost.
    pub metric: Option<String>,
    /// The decomposition, row by row; the steps alone without a hierarchy.
    pub tree: Vec<Row>,
    /// What each step changes; the first is the initial state.
    pub states: Vec<StepChanges>,
    /// True if something was left out because there is too much of it.
    pub cut: bool,
    /// Search nodes.
    pub nodes: u64,
    /// Time spent, in microseconds.
    pub time_us: u64,
    /// The plan passed the verifier, which sees the model and the plan only.
    pub verified: bool,
}

/// A row of a decomposition.
#[derive(Serialize, ToSchema)]
#[schema(as = TreeRow)]
pub struct Row {
    /// How deep it stands.
    pub depth: usize,
    /// The task or action.
    pub label: String,
    /// The method chosen, for a task.
    pub method: Option<String>,
    /// The number of the step, counted from 0, for an action.
    pub step: Option<usize>,
}

/// What one step changes.
#[derive(Serialize, ToSchema)]
pub struct StepChanges {
    /// Facts that become true.
    pub added: Vec<String>,
    /// Facts that become false.
    pub removed: Vec<String>,
}

impl Question for AskPlan {
    type Answer = Planned;

    fn wish(&self) -> Wish {
        Wish {
            time_ms: self.time_ms,
            nodes: self.nodes,
        }
    }

    fn answer(&self, allowance: &Allowance) -> Result<Planned, Problem> {
        planned(self, allowance)
    }
}

/// Who plans if nobody is asked for.
#[cfg(feature = "threads")]
const USUAL: &str = "portfolio";
#[cfg(not(feature = "threads"))]
const USUAL: &str = "auto";

fn planned(asked: &AskPlan, allowance: &Allowance) -> Result<Planned, Problem> {
    let name = asked.planner.as_deref().unwrap_or(USUAL);
    if name != USUAL && planner(name).is_none() {
        return Err(Problem::bad_input(format!("no planner is called `{name}`")));
    }
    let model = model(&asked.domain, &asked.problem)?;
    let started = Instant::now();
    let mut run = allowance.run(1);
    let (found, end, nodes, winner) = match name {
        #[cfg(feature = "threads")]
        "portfolio" => {
            let portfolio = Portfolio {
                threads: 1,
                seed: 0,
                improves: true,
            };
            let mut outcome = portfolio.solve(&model, &mut run)?;
            let winner = Portfolio::winner(&outcome.stats).map(|name| name.to_string());
            (
                outcome.answers.pop(),
                outcome.end,
                outcome.stats.nodes,
                winner,
            )
        }
        _ => match ground(&model, &mut run) {
            Err(GroundError::Stopped { stop, .. }) => (None, End::Stopped(stop), 0, None),
            Err(GroundError::Refuted(_)) => (None, End::Exhausted, 0, None),
            Err(error) => return Err(Problem::bad_input(error)),
            Ok(problem) => {
                let problem = Instance::new(problem);
                let engine = planner(name).ok_or_else(|| Problem::bad_input("no such planner"))?;
                let outcome = engine.solve(&problem, &mut run)?;
                let plan = (outcome.answers.first())
                    .map(|derivation| derivation.plan(&problem))
                    .transpose()?;
                (plan, outcome.end, outcome.stats.nodes, None)
            }
        },
    };
    let mut answer = Planned {
        end: end.name().to_owned(),
        stopped_by: end.stopped_by().map(|stop| stop.name().to_owned()),
        reason: None,
        planner: winner.unwrap_or_else(|| name.to_owned()),
        plan: None,
        steps: Vec::new(),
        cost: None,
        metric: None,
        tree: Vec::new(),
        states: Vec::new(),
        cut: false,
        nodes,
        time_us: micros(started),
        verified: false,
    };
    match found {
        Some(plan) => show(&mut answer, &model, &plan)?,
        None => answer.reason = Some(why_none(&model, end, allowance)),
    }
    Ok(answer)
}

/// Fills in what there is to see of a plan, after it is verified.
fn show(answer: &mut Planned, model: &Model, plan: &Plan) -> Result<(), Problem> {
    let known = verify(model, plan)
        .map_err(|broken| Problem::fault(format!("a wrong plan was found: {broken}")))?;
    answer.verified = true;
    answer.cost = Some(model.show_cost(known.cost).to_string());
    answer.metric = known.metric.map(|value| value.to_string());
    answer.plan = Some(plan.text(model));
    answer.steps = (plan.steps.iter())
        .map(|step| {
            let action = &model.actions[step.action.index()];
            format!("({})", model.show(&action.name, &step.arguments))
        })
        .collect();
    let rows = tree::rows(plan, model);
    answer.cut = rows.len() > MOST_ROWS;
    answer.tree = (rows.into_iter().take(MOST_ROWS))
        .map(|row| Row {
            depth: row.depth,
            label: row.label,
            method: row.method,
            step: row.step,
        })
        .collect();
    let mut left = MOST_ROWS;
    for change in changes(model, plan).map_err(Problem::fault)? {
        let facts = change.added.len() + change.removed.len();
        answer.cut |= facts > left;
        if facts > left {
            break;
        }
        left -= facts;
        answer.states.push(StepChanges {
            added: change.added,
            removed: change.removed,
        });
    }
    Ok(())
}

/// Why there is no plan, as far as is known.
fn why_none(model: &Model, end: End, allowance: &Allowance) -> String {
    match end {
        End::Exhausted => why::why_none(model, &mut allowance.run(1)).to_string(),
        End::Stopped(stop) => format!("no plan found: stopped by {stop}"),
        End::Enough | End::Incomplete => {
            "no plan found; that does not prove that there is none".to_owned()
        }
    }
}
