//! Planning: domains and problems as texts.

use std::time::Duration;

use planoku_engine::{Budget, Run};
use planoku_planning::check::{self, Thoroughness};
use planoku_planning::decompose::{Decomposed, decompose};
use planoku_planning::diagnostic::{Diagnostic, Severity};
use planoku_planning::ground::{Ground, GroundError, ground as ground_model};
use planoku_planning::language::layout;
use planoku_planning::language::source::Lines;
use planoku_planning::model::Model;
use planoku_planning::model::resolve::Options;
use planoku_planning::model::visit;
use planoku_planning::plan::text::{self, PlanTextError};
use planoku_planning::portfolio::Portfolio;
use planoku_planning::syntax::Tree;
use planoku_planning::verify::witness;
use planoku_planning::write;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error::{at, bad};
use crate::interrupt::interruptible;
use crate::plans::describe;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_texts, module)?)?;
    module.add_function(wrap_pyfunction!(format_text, module)?)?;
    module.add_function(wrap_pyfunction!(ground, module)?)?;
    module.add_function(wrap_pyfunction!(written, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)
}

/// What the texts are called in errors: domain and problem.
pub type Names = [String; 2];

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
pub fn read(py: Python<'_>, domain: &str, problem: &str, names: &Names) -> PyResult<Model> {
    let (model, found) = interruptible(py, |_| planoku_planning::read(domain, problem))?;
    model.ok_or_else(|| first_error(py, &found.list, &[domain, problem], names))
}

fn first_error(py: Python<'_>, found: &[Diagnostic], texts: &[&str], names: &Names) -> PyErr {
    let is_error = |one: &&Diagnostic| one.severity() == Severity::Error;
    match found.iter().find(is_error) {
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

pub fn limited(time: Option<f64>, nodes: Option<u64>, memory: Option<u64>) -> PyResult<Budget> {
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

/// A text laid out.
#[pyfunction]
fn format_text(py: Python<'_>, text: &str, name: String) -> PyResult<String> {
    let tree = Tree::read(text, 0);
    layout::format(&tree).map_err(|why| match why {
        layout::Unformattable::Errors => {
            first_error(py, &tree.errors, &[text], &[name.clone(), name])
        }
        layout::Unformattable::TooDeep => bad(format!("{name}: lists are nested too deeply")),
    })
}

/// Domain and problem written from the model: every type said, every list in one
/// form, so that little is needed to read them; and whether total cost is what each
/// action costs, added up.
#[pyfunction]
fn written(
    py: Python<'_>,
    domain: &str,
    problem: &str,
    names: Names,
) -> PyResult<(String, String, bool)> {
    let model = read(py, domain, problem, &names)?;
    let changing = visit::changing_functions(&model);
    let cost = |name: &str| name.eq_ignore_ascii_case("total-cost");
    let mut functions = model.functions.iter().zip(changing);
    let sums_costs =
        model.metric.is_none() && !functions.any(|(it, changes)| changes && cost(&it.name));
    interruptible(py, |_| {
        (write::domain(&model), write::problem(&model), sums_costs)
    })
}

/// Sizes of the grounded problem, as JSON; with the actions, if asked.
#[pyfunction]
fn ground(
    py: Python<'_>,
    domain: &str,
    problem: &str,
    names: Names,
    time: Option<f64>,
    memory: Option<u64>,
    actions: bool,
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
    let mut sizes = json!({
        "facts": found.facts.len(), "actions": found.actions.len(), "tasks": found.tasks.len(),
        "methods": found.methods.len(), "axioms": found.axioms.len(), "ordered": found.ordered,
    });
    if actions {
        sizes["instances"] = instances(&model, &found);
    }
    Ok(sizes.to_string())
}

/// The instances of actions: names with arguments, each once.
fn instances(model: &Model, found: &Ground) -> Value {
    let mut list: Vec<Vec<&str>> = Vec::new();
    for action in &found.actions {
        let Some(schema) = action.schema else {
            continue;
        };
        let arguments = action.arguments.iter();
        let names = arguments.map(|id| model.objects[id.index()].name.as_str());
        let name = model.actions[schema.index()].name.as_str();
        list.push(std::iter::once(name).chain(names).collect());
    }
    list.sort_unstable();
    list.dedup();
    json!(list)
}

/// The judgement of a plan, as JSON. A list of actions for a hierarchical problem
/// is given a decomposition, within the limits.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "named in Python")]
fn verify(
    py: Python<'_>,
    domain: &str,
    problem: &str,
    names: Names,
    plan: &str,
    plan_name: String,
    time: Option<f64>,
    nodes: Option<u64>,
    memory: Option<u64>,
) -> PyResult<String> {
    let model = read(py, domain, problem, &names)?;
    let budget = limited(time, nodes, memory)?;
    let judged = interruptible(py, |cancel| {
        let run = Run::limit(1)
            .with_budget(budget)
            .with_cancel(cancel.clone());
        judge(&model, plan, run)
    })?;
    match judged {
        Ok(object) => Ok(object.to_string()),
        Err(Unjudged::Text(error)) => {
            Err(at(py, &plan_name, error.line, error.column, &error.message))
        }
        Err(Unjudged::Failed(message)) => Err(bad(message)),
    }
}

/// Why there is no judgement.
enum Unjudged {
    Text(PlanTextError),
    Failed(String),
}

fn judge(model: &Model, plan: &str, mut run: Run<'_>) -> Result<Value, Unjudged> {
    let written = text::read_any(plan, model).map_err(Unjudged::Text)?;
    let mut plan = written.plan;
    let flat = written.flat && model.network.is_some();
    if flat {
        let found = decompose(model, &plan, &Portfolio::default(), &mut run);
        plan = match found.map_err(|error| Unjudged::Failed(error.to_string()))? {
            Decomposed::Plan(found) => found,
            Decomposed::Broken(broken) => {
                return Ok(json!({
                    "valid": false, "rule": broken.rule.name(), "reason": broken.reason,
                }));
            }
            Decomposed::Stopped(stop) => {
                return Ok(json!({ "valid": null, "stopped_by": stop.name() }));
            }
            Decomposed::GaveUp => return Ok(json!({ "valid": null, "reason": "gave up" })),
        };
    }
    Ok(match witness(model, &plan) {
        Ok((known, chosen)) => {
            let mut object = describe(model, &plan, known, &chosen);
            object.insert("valid".into(), true.into());
            object.insert("tasks_count".into(), known.tasks.into());
            object.into()
        }
        Err(broken) => json!({
            "valid": false, "rule": broken.rule.name(), "reason": broken.reason, "id": broken.id,
        }),
    })
}
