//! Commands that take their time: plan, verify, ground.
//!
//! Each runs on a thread of its own, so that the editor is answered meanwhile, and
//! answers itself when it is done. `$/cancelRequest` stops it. What comes of it is
//! the answer (plan, tree, reasons), and a sentence that any editor shows.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};
use planoku_engine::{Budget, Cancel, End, Engine, Run};
use planoku_language::diagnostic::Severity;
use planoku_language::model::Model;
use planoku_language::plan::{Plan, text, tree};
use planoku_language::verify::{Verified, verify};
use planoku_planning::Instance;
use planoku_planning::decompose::{Decomposed, decompose};
use planoku_planning::ground::{GroundError, ground};
use planoku_planning::planners::optimal;
use planoku_planning::portfolio::Portfolio;
use planoku_planning::why::why_none;
use serde_json::{Value, json};

use super::documents::{Documents, Sheet, path_of, uri_of};

/// The commands.
pub const COMMANDS: [&str; 4] = [
    "planoku.plan",
    "planoku.cheapest",
    "planoku.verify",
    "planoku.ground",
];

/// How long a command may take if the editor does not say.
const DEFAULT_TIME: f64 = 60.0;
const MEMORY: u64 = 4 << 30;
/// Planners recurse deeply; untouched stack costs nothing.
const STACK: usize = 256 << 20;
/// Trees of more tasks and actions are not drawn.
const MOST_DRAWN: usize = 20_000;

/// What is under way.
#[derive(Default)]
pub struct Jobs {
    running: Arc<Mutex<HashMap<RequestId, Cancel>>>,
}

type Running<'a> = MutexGuard<'a, HashMap<RequestId, Cancel>>;

impl Jobs {
    fn running(&self) -> Running<'_> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops a command; it answers with what it has.
    pub fn cancel(&self, id: &RequestId) {
        if let Some(cancel) = self.running().remove(id) {
            cancel.cancel();
        }
    }

    /// Starts a command; why not, if it cannot.
    pub fn start(
        &self,
        documents: &mut Documents,
        tell: impl Fn(Message) + Send + 'static,
        id: RequestId,
        params: &Value,
    ) -> Result<(), (ErrorCode, String)> {
        let invalid = |message: &str| (ErrorCode::InvalidParams, message.to_owned());
        let command = params["command"].as_str().unwrap_or_default();
        if !COMMANDS.contains(&command) {
            return Err(invalid(&format!("`{command}` is no command")));
        }
        let uri = params["arguments"][0].as_str();
        let uri = uri.ok_or_else(|| invalid("the first argument is the address of a problem"))?;
        let options = params["arguments"][1].clone();
        let job = Job {
            texts: texts(documents, uri).map_err(|why| (ErrorCode::RequestFailed, why))?,
            plan: plan_text(documents, &options).map_err(|why| (ErrorCode::RequestFailed, why))?,
            command: command.to_owned(),
            time: options["time"].as_f64().unwrap_or(DEFAULT_TIME),
            quiet: options["quiet"] == true,
        };
        let cancel = Cancel::new();
        self.running().insert(id.clone(), cancel.clone());
        let running = self.running.clone();
        let work = move || {
            let done = catch_unwind(AssertUnwindSafe(|| job.run(&cancel)));
            let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
            running.remove(&id);
            drop(running);
            let response = match done {
                Ok(Ok(value)) => {
                    if let (false, Some(message)) = (job.quiet, value["message"].as_str()) {
                        // 3 is information.
                        let params = json!({ "type": 3, "message": message });
                        let note = Notification::new("window/showMessage".to_owned(), params);
                        tell(note.into());
                    }
                    Response::new_ok(id, value)
                }
                Ok(Err(why)) => Response::new_err(id, ErrorCode::RequestFailed as i32, why),
                Err(_) => {
                    let code = ErrorCode::InternalError as i32;
                    Response::new_err(id, code, "planoku made a mistake".to_owned())
                }
            };
            tell(response.into());
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
        thread.map_or_else(
            |error| Err((ErrorCode::InternalError, error.to_string())),
            |_| Ok(()),
        )
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.running().values().for_each(Cancel::cancel);
    }
}

/// Domain and problem of an address of either.
fn texts(documents: &mut Documents, uri: &str) -> Result<[String; 2], String> {
    let sheet = match (documents.get(uri), path_of(uri)) {
        (Some(sheet), _) => Some(sheet),
        (None, Some(path)) => documents.load(&path),
        (None, None) => None,
    };
    let sheet = sheet.ok_or_else(|| format!("cannot read {uri}"))?;
    let (domain, problem) = match sheet.header.is_problem() {
        true => (documents.domain_of(&sheet), Some(sheet)),
        false => {
            let first = documents.problems_of(&sheet).into_iter().next();
            (Some(sheet), first.and_then(|path| documents.load(&path)))
        }
    };
    let domain = domain.ok_or("there is no domain for this problem in its folder")?;
    let problem = problem.ok_or("there is no problem for this domain in its folder")?;
    Ok([domain.text().to_owned(), problem.text().to_owned()])
}

/// The plan to judge: a text, or a file by its address.
fn plan_text(documents: &mut Documents, options: &Value) -> Result<Option<String>, String> {
    let Some(plan) = options["plan"].as_str() else {
        return Ok(None);
    };
    if let Some(sheet) = documents.get(plan) {
        return Ok(Some(sheet.text().to_owned()));
    }
    match path_of(plan) {
        Some(path) => match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) => Err(format!("{}: {error}", path.display())),
        },
        None => Ok(Some(plan.to_owned())),
    }
}

/// Plans beside a problem: files that are named like it, such as `p01.plan`.
pub fn plans_of(sheet: &Sheet) -> Vec<PathBuf> {
    let Some((folder, stem)) = sheet.path.as_deref().and_then(|path| {
        let stem = path.file_stem()?.to_str()?;
        Some((path.parent()?, stem))
    }) else {
        return Vec::new();
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| is_plan(path) && path.file_stem().and_then(|s| s.to_str()) == Some(stem))
        .take(4)
        .collect();
    found.sort();
    found
}

fn is_plan(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    ["plan", "sol", "solution", "soln"].contains(&extension)
}

/// What may be done with a text: what to show, which command, with what.
pub fn lenses(sheet: &Sheet) -> Vec<(String, &'static str, Value)> {
    if !sheet.header.is_problem() {
        return Vec::new();
    }
    let own = |title: &str, command| (title.to_owned(), command, json!([sheet.uri]));
    let mut found = vec![
        own("plan this problem", "planoku.plan"),
        own("cheapest plan", "planoku.cheapest"),
        own("ground", "planoku.ground"),
    ];
    for path in plans_of(sheet) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let arguments = json!([sheet.uri, { "plan": uri_of(&path) }]);
        found.push((format!("verify {name}"), "planoku.verify", arguments));
    }
    found
}

/// One command.
struct Job {
    command: String,
    texts: [String; 2],
    plan: Option<String>,
    time: f64,
    quiet: bool,
}

type Done = Result<Value, String>;

impl Job {
    fn run(&self, cancel: &Cancel) -> Done {
        let start = Instant::now();
        let [domain, problem] = &self.texts;
        let (model, found) = planoku_language::read(domain, problem);
        let model = model.ok_or_else(|| {
            let mut errors = found.list.iter();
            let first = errors.find(|one| one.severity() == Severity::Error);
            first.map_or("the texts have mistakes".to_owned(), |one| {
                one.message.clone()
            })
        })?;
        let budget = Budget {
            time: Duration::try_from_secs_f64(self.time).ok(),
            nodes: None,
            memory: Some(MEMORY),
        };
        let mut run = Run::limit(1)
            .with_budget(budget)
            .with_cancel(cancel.clone());
        let mut value = match self.command.as_str() {
            "planoku.verify" => self.verify(&model, &mut run)?,
            "planoku.ground" => sizes(&model, &mut run)?,
            "planoku.cheapest" => cheapest(&model, &mut run)?,
            _ => first(&model, &mut run)?,
        };
        value["seconds"] = json!(start.elapsed().as_secs_f64());
        Ok(value)
    }

    fn verify(&self, model: &Model, run: &mut Run<'_>) -> Done {
        let plan = self.plan.as_deref().ok_or("there is no plan to verify")?;
        let written = text::read_any(plan, model).map_err(|error| error.to_string())?;
        let mut plan = written.plan;
        if written.flat && model.network.is_some() {
            let found = decompose(model, &plan, &Portfolio::default(), run);
            plan = match found.map_err(|error| error.to_string())? {
                Decomposed::Plan(found) => found,
                Decomposed::Broken(broken) => return Ok(broken_plan(&broken.reason)),
                Decomposed::Stopped(stop) => {
                    return Ok(json!({
                        "status": "stopped",
                        "message": format!("not decided: stopped by {}", stop.name()),
                    }));
                }
                Decomposed::GaveUp => {
                    return Ok(json!({ "status": "gave up", "message": "not decided" }));
                }
            };
        }
        Ok(match verify(model, &plan) {
            Ok(known) => shown(model, &plan, known, "valid"),
            Err(broken) => broken_plan(&broken.reason),
        })
    }
}

fn broken_plan(reason: &str) -> Value {
    json!({
        "status": "invalid", "message": format!("not a plan: {reason}"), "reasons": [reason],
    })
}

/// A plan by whoever finds one first.
fn first(model: &Model, run: &mut Run<'_>) -> Done {
    let outcome = Portfolio::default().solve(model, run);
    let outcome = outcome.map_err(|error| error.to_string())?;
    planned(model, outcome.answers.first(), outcome.end, "solved", run)
}

/// A cheapest plan, proved so.
fn cheapest(model: &Model, run: &mut Run<'_>) -> Done {
    let problem = match ground(model, run) {
        Ok(problem) => Instance::new(problem),
        Err(error) => return ungrounded(error),
    };
    let outcome = optimal(&problem).solve(&problem, run);
    let outcome = outcome.map_err(|error| error.to_string())?;
    let plan = outcome.answers.first().map(|found| found.plan(&problem));
    let plan = plan.transpose().map_err(|error| error.to_string())?;
    planned(model, plan.as_ref(), outcome.end, "cheapest", run)
}

/// How large the problem is without variables.
fn sizes(model: &Model, run: &mut Run<'_>) -> Done {
    match ground(model, run) {
        Ok(found) => {
            let counts = [
                (found.facts.len(), "facts"),
                (found.actions.len(), "actions"),
                (found.tasks.len(), "tasks"),
                (found.methods.len(), "methods"),
            ];
            let words = counts.map(|(count, what)| format!("{count} {what}"));
            let widest = found.widest(model).into_iter().take(20);
            let widest: Vec<Value> = widest
                .map(|(kind, name, count)| json!({ "kind": kind, "name": name, "count": count }))
                .collect();
            Ok(json!({
                "status": "grounded", "message": words.join(", "), "widest": widest,
                "ordered": found.ordered,
            }))
        }
        Err(error) => ungrounded(error),
    }
}

fn ungrounded(error: GroundError) -> Done {
    match error {
        GroundError::Refuted(refutation) => Ok(json!({
            "status": "unsolvable", "message": "there is no plan", "reasons": refutation.reasons,
        })),
        GroundError::Stopped { .. } => {
            Ok(json!({ "status": "stopped", "message": error.to_string() }))
        }
        GroundError::Unsupported(_) => Err(error.to_string()),
    }
}

fn planned(model: &Model, plan: Option<&Plan>, end: End, status: &str, run: &mut Run<'_>) -> Done {
    if let Some(plan) = plan {
        let known = verify(model, plan).map_err(|broken| format!("a wrong plan: {broken}"))?;
        return Ok(shown(model, plan, known, status));
    }
    match end {
        End::Exhausted => Ok(json!({
            "status": "unsolvable", "message": "there is no plan",
            "reasons": why_none(model, run).reasons,
        })),
        End::Stopped(stop) => Ok(json!({
            "status": "stopped", "message": format!("no plan yet: stopped by {}", stop.name()),
        })),
        End::Enough | End::Incomplete => {
            Ok(json!({ "status": "gave up", "message": "no plan was found, which proves nothing" }))
        }
    }
}

fn shown(model: &Model, plan: &Plan, known: Verified, status: &str) -> Value {
    let cost = model.show_cost(known.cost).to_string();
    let steps = match known.steps {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    let metric = known.metric.map(|value| format!(", metric {value}"));
    let metric = metric.unwrap_or_default();
    let mut value = json!({
        "status": status, "message": format!("{status}: {steps}, cost {cost}{metric}"),
        "steps": known.steps, "tasks": known.tasks, "cost": cost, "text": plan.text(model),
    });
    if known.steps + known.tasks <= MOST_DRAWN {
        value["tree"] = tree::text(plan, model).into();
        value["html"] = tree::html(plan, model).into();
    }
    value
}
