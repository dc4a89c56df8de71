//! Planning: domains and problems as texts.

use std::time::Duration;

use planoku_engine::{Budget, End, Engine, Run};
use planoku_planning::Instance;
use planoku_planning::check::{self, Thoroughness};
use planoku_planning::diagnostic::{Diagnostics, Severity};
use planoku_planning::ground::{GroundError, ground as ground_model};
use planoku_planning::language::source::Lines;
use planoku_planning::model::Model;
use planoku_planning::model::resolve::Options;
use planoku_planning::plan::{Plan, text};
use planoku_planning::planners::optimal as optimal_planner;
use planoku_planning::portfolio::Portfolio;
use planoku_planning::syntax::Tree;
use planoku_planning::verify::verify as judge;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error::{at, bad};
use crate::interrupt::interruptible;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_texts, module)?)?;
    module.add_function(wrap_pyfunction!(ground, module)?)?;
    module.add_function(wrap_pyfunction!(plan, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)
}

/// What the texts are called in errors: domain and problem.
type Names = [String; 2];

/// Where a diagnostic stands: file, line, column.
fn place<'a>(
    texts: &[&str],
    names: &'a Names,
    file: usize,
    offset: u32,
) -> (&'a str, usize, usize) {
    let file = file.min(texts.len() - 1);
    let position = Lines::new(texts[file]).position(texts[file], offset);
    (
        &names[file],
        position.line as usize,
        position.column as usize,
    )
}

/// A model, or an error at the first mistake.
fn read(py: Python<'_>, domain: &str, problem: &str, names: &Names) -> PyResult<Model> {
    let (model, found) = interruptible(py, |_| planoku_planning::read(domain, problem))?;
    model.ok_or_else(|| first_error(py, &found, &[domain, problem], names))
}

fn first_error(py: Python<'_>, found: &Diagnostics, texts: &[&str], names: &Names) -> PyErr {
    let is_error =
        |one: &&planoku_planning::diagnostic::Diagnostic| one.severity() == Severity::Error;
    match found.list.iter().find(is_error) {
        Some(first) => {
            let (file, line, column) =
                place(texts, names, first.span.file as usize, first.span.start);
            at(py, file, line, column, &first.message)
        }
        None => bad("the texts are no planning problem"),
    }
}

/// All diagnostics of a domain and a problem, as JSON.
#[pyfunction]
fn check_texts(
    py: Python<'_>,
    domain: &str,
    problem: Option<&str>,
    names: Names,
    strict: bool,
) -> PyResult<String> {
    let texts: Vec<&str> = [Some(domain), problem].into_iter().flatten().collect();
    let found = interruptible(py, |_| {
        let first = Tree::read(domain, 0);
        let second = problem.map(|text| Tree::read(text, 1));
        let thoroughness = Thoroughness {
            strict,
            ..Thoroughness::default()
        };
        check::check(&first, second.as_ref(), Options::default(), thoroughness)
    })?;
    let list: Vec<Value> = found
        .list
        .iter()
        .map(|one| {
            let (file, line, column) =
                place(&texts, &names, one.span.file as usize, one.span.start);
            let (_, end_line, end_column) =
                place(&texts, &names, one.span.file as usize, one.span.end);
            let fix = one.fix.as_ref().map(|fix| {
                let edits = fix.edits.iter().map(|edit| {
                    let (file, line, column) =
                        place(&texts, &names, edit.span.file as usize, edit.span.start);
                    json!({
                        "file": file, "line": line, "column": column,
                        "start": edit.span.start, "end": edit.span.end, "text": edit.text,
                    })
                });
                let edits: Vec<Value> = edits.collect();
                json!({ "message": fix.message, "certain": fix.certain, "edits": edits })
            });
            json!({
                "code": one.code.name, "severity": one.severity().word(), "message": one.message,
                "file": file, "line": line, "column": column, "end_line": end_line,
                "end_column": end_column, "count": one.count, "notes": one.notes,
                "helps": one.helps, "fix": fix,
            })
        })
        .collect();
    Ok(Value::from(list).to_string())
}

fn limited(time: Option<f64>, nodes: Option<u64>, memory: Option<u64>) -> PyResult<Budget> {
    let time = time.map(|seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| bad(format!("expected a time in seconds, found {seconds}")))
    });
    Ok(Budget {
        time: time.transpose()?,
        nodes,
        memory,
    })
}

/// Sizes of the grounded problem, as JSON.
#[pyfunction]
fn ground(
    py: Python<'_>,
    domain: &str,
    problem: &str,
    names: Names,
    time: Option<f64>,
    memory: Option<u64>,
) -> PyResult<String> {
    let model = read(py, domain, problem, &names)?;
    let budget = limited(time, None, memory)?;
    let grounded = interruptible(py, |cancel| {
        let run = Run::limit(1)
            .with_budget(budget)
            .with_cancel(cancel.clone());
        ground_model(&model, &mut { run })
    })?;
    let found = match grounded {
        Ok(found) => found,
        Err(error @ GroundError::Refuted(_)) => {
            return Ok(json!({ "solvable": false, "reason": error.to_string() }).to_string());
        }
        Err(error) => return Err(bad(error)),
    };
    Ok(json!({
        "facts": found.facts.len(), "actions": found.actions.len(), "tasks": found.tasks.len(),
        "methods": found.methods.len(), "axioms": found.axioms.len(), "ordered": found.ordered,
    })
    .to_string())
}

/// How planning ended, as JSON; a plan was verified.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "named in Python")]
fn plan(
    py: Python<'_>,
    domain: &str,
    problem: &str,
    names: Names,
    optimal: bool,
    time: Option<f64>,
    nodes: Option<u64>,
    memory: Option<u64>,
    threads: usize,
    seed: u64,
) -> PyResult<String> {
    let model = read(py, domain, problem, &names)?;
    let budget = limited(time, nodes, memory)?;
    let found = interruptible(py, |cancel| {
        let mut run = Run::limit(1)
            .with_budget(budget)
            .with_cancel(cancel.clone());
        match optimal {
            true => cheapest(&model, &mut run),
            false => {
                let threads = threads.max(1);
                let outcome = Portfolio { threads, seed }.solve(&model, &mut run);
                outcome.map_err(|error| error.to_string()).map(|outcome| {
                    (
                        outcome.answers.into_iter().next(),
                        outcome.end,
                        outcome.stats.nodes,
                    )
                })
            }
        }
    })?;
    let (found, end, nodes) = found.map_err(bad)?;
    let status = match (&found, end) {
        (Some(_), _) if optimal => "optimal",
        (Some(_), _) => "solved",
        (None, End::Exhausted) => "unsolvable",
        (None, End::Stopped(_)) => "stopped",
        (None, _) => "gave up",
    };
    let stopped_by = end.stopped_by().map(|stop| stop.name());
    let Some(found) = found else {
        let object = json!({ "status": status, "stopped_by": stopped_by, "nodes": nodes });
        return Ok(object.to_string());
    };
    let known = judge(&model, &found).map_err(|broken| bad(format!("a wrong plan: {broken}")))?;
    Ok(json!({
        "status": status, "stopped_by": stopped_by, "nodes": nodes, "text": found.text(&model),
        "length": known.steps, "cost": model.show_cost(known.cost).to_string(),
        "tree": planoku_planning::plan::tree::text(&found, &model),
    })
    .to_string())
}

type Found = Result<(Option<Plan>, End, u64), String>;

/// A cheapest plan, proved so.
fn cheapest(model: &Model, run: &mut Run<'_>) -> Found {
    let problem = match ground_model(model, run) {
        Ok(problem) => Instance::new(problem),
        Err(GroundError::Refuted(_)) => return Ok((None, End::Exhausted, run.nodes())),
        Err(GroundError::Stopped { stop, .. }) => {
            return Ok((None, End::Stopped(stop), run.nodes()));
        }
        Err(error) => return Err(error.to_string()),
    };
    let outcome = optimal_planner(&problem)
        .solve(&problem, run)
        .map_err(|error| error.to_string())?;
    let first = outcome.answers.first();
    let plan = first.map(|found| found.plan(&problem)).transpose();
    Ok((
        plan.map_err(|error| error.to_string())?,
        outcome.end,
        outcome.stats.nodes,
    ))
}

/// The judgement of a plan, as JSON.
#[pyfunction]
fn verify(
    py: Python<'_>,
    domain: &str,
    problem: &str,
    names: Names,
    plan: &str,
    plan_name: String,
) -> PyResult<String> {
    let model = read(py, domain, problem, &names)?;
    let judged = interruptible(py, |_| {
        text::read(plan, &model).map(|plan| judge(&model, &plan))
    })?;
    let judged =
        judged.map_err(|error| at(py, &plan_name, error.line, error.column, &error.message))?;
    Ok(match judged {
        Ok(known) => json!({
            "valid": true, "steps": known.steps, "tasks": known.tasks,
            "cost": model.show_cost(known.cost).to_string(),
        }),
        Err(broken) => json!({
            "valid": false, "rule": broken.rule.name(), "reason": broken.reason.to_string(),
        }),
    }
    .to_string())
}
