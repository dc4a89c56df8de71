//! Plans: one, or one after the other, each cheaper than the last.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use planoku_engine::{Cancel, End, Engine, EngineError, Run};
use planoku_planning::Instance;
use planoku_planning::anytime::Anytime;
use planoku_planning::ground::{GroundError, ground as ground_model};
use planoku_planning::model::{Model, ObjectId};
use planoku_planning::plan::{Plan, tree};
use planoku_planning::planners::optimal as optimal_planner;
use planoku_planning::portfolio::Portfolio;
use planoku_planning::verify::{Chosen, Verified, Witness, witness};
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

use crate::error::bad;
use crate::interrupt::{STACK, interruptible};
use crate::planning::{Names, limited, read};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Improving>()?;
    module.add_function(wrap_pyfunction!(plan, module)?)
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
        let found = match optimal {
            true => cheapest(&model, &mut run),
            false => {
                let threads = threads.max(1);
                let portfolio = Portfolio {
                    threads,
                    seed,
                    improves: true,
                };
                let outcome = portfolio.solve(&model, &mut run);
                outcome.map_err(|error| error.to_string()).map(|outcome| {
                    (
                        outcome.answers.into_iter().next(),
                        outcome.end,
                        outcome.stats.nodes,
                    )
                })
            }
        };
        found.and_then(|(plan, end, nodes)| {
            // Whatever else was left undone: a plan was asked for.
            let end = plan.as_ref().map_or(end, |_| End::Enough);
            told(&model, plan.as_ref(), end, nodes, optimal)
        })
    })?;
    found.map_err(bad)
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

/// How planning ended, as JSON.
fn told(
    model: &Model,
    plan: Option<&Plan>,
    end: End,
    nodes: u64,
    optimal: bool,
) -> Result<String, String> {
    let status = match (plan, end) {
        (Some(_), _) if optimal => "optimal",
        (Some(_), End::Enough | End::Exhausted) => "solved",
        (None, End::Exhausted) => "unsolvable",
        (_, End::Stopped(_)) => "stopped",
        (_, End::Enough | End::Incomplete) => "gave up",
    };
    let mut object = Map::new();
    if let Some(plan) = plan {
        let (known, chosen) =
            witness(model, plan).map_err(|broken| format!("a wrong plan: {broken}"))?;
        object = describe(model, plan, known, &chosen);
    }
    object.insert("status".into(), status.into());
    let stopped_by = end.stopped_by().map(|stop| stop.name());
    object.insert("stopped_by".into(), stopped_by.into());
    object.insert("nodes".into(), nodes.into());
    Ok(Value::from(object).to_string())
}

/// A plan with everything that makes it one.
pub fn describe(
    model: &Model,
    plan: &Plan,
    known: Verified,
    witness: &Witness,
) -> Map<String, Value> {
    let objects = |ids: &[ObjectId]| -> Vec<&str> {
        let names = ids.iter().map(|id| model.objects[id.index()].name.as_str());
        names.collect()
    };
    let steps = plan.steps.iter().map(|step| {
        json!({
            "id": step.id, "action": model.actions[step.action.index()].name,
            "arguments": objects(&step.arguments),
        })
    });
    let nothing = Chosen::default();
    let tasks = plan.decompositions.iter().map(|task| {
        let chosen = witness.tasks.get(&task.id).unwrap_or(&nothing);
        json!({
            "id": task.id, "task": model.tasks[task.task.index()].name,
            "arguments": objects(&task.arguments),
            "method": model.methods[task.method.index()].name,
            "values": objects(&chosen.values), "children": chosen.children,
        })
    });
    let network = model.network.as_ref().map(|_| {
        let chosen = &witness.network;
        json!({ "values": objects(&chosen.values), "children": chosen.children })
    });
    let mut object = Map::new();
    object.insert("text".into(), plan.text(model).into());
    object.insert("length".into(), known.steps.into());
    let cost = model.show_cost(known.cost).to_string();
    object.insert("cost".into(), cost.into());
    let metric = known.metric.map(|value| value.to_string());
    object.insert("metric".into(), metric.into());
    object.insert("tree".into(), tree::text(plan, model).into());
    object.insert("steps".into(), steps.collect());
    object.insert("tasks".into(), tasks.collect());
    object.insert("network".into(), network.into());
    object
}

/// Plans that keep getting cheaper: a search on a thread of its own, which is
/// told to stop when nobody wants to hear more.
#[pyclass(frozen)]
struct Improving {
    cancel: Cancel,
    /// Empty once all was told.
    told: Mutex<Option<Receiver<Result<String, String>>>>,
}

#[pymethods]
impl Improving {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "named in Python")]
    fn new(
        py: Python<'_>,
        domain: &str,
        problem: &str,
        names: Names,
        time: Option<f64>,
        nodes: Option<u64>,
        memory: Option<u64>,
        threads: usize,
        seed: u64,
    ) -> PyResult<Improving> {
        let model = read(py, domain, problem, &names)?;
        let budget = limited(time, nodes, memory)?;
        let cancel = Cancel::new();
        let (tell, told) = channel();
        let switch = cancel.clone();
        let portfolio = Portfolio {
            threads: threads.max(1),
            seed,
            improves: false,
        };
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || {
                let mut run = Run::limit(1).with_budget(budget).with_cancel(switch);
                let last = improve(&model, portfolio, &mut run, &tell);
                // Nobody may be listening any more.
                let _ = tell.send(last);
            })
            .map_err(bad)?;
        Ok(Improving {
            cancel,
            told: Mutex::new(Some(told)),
        })
    }

    /// The next plan as JSON; the last object says how the search ended, and
    /// repeats the best plan. `None` after that.
    fn next(&self, py: Python<'_>) -> PyResult<Option<String>> {
        loop {
            let wait = Duration::from_millis(50);
            let heard = py.detach(|| {
                let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
                let heard = told.as_ref().map(|told| told.recv_timeout(wait));
                if matches!(
                    heard,
                    Some(Err(RecvTimeoutError::Disconnected) | Ok(Err(_)))
                ) {
                    *told = None;
                }
                heard
            });
            match heard {
                Some(Ok(Ok(found))) => return Ok(Some(found)),
                Some(Ok(Err(error))) => return Err(bad(error)),
                Some(Err(RecvTimeoutError::Disconnected)) | None => return Ok(None),
                Some(Err(RecvTimeoutError::Timeout)) => {
                    py.check_signals().inspect_err(|_| self.cancel.cancel())?;
                }
            }
        }
    }

    /// Ends the search.
    fn stop(&self) {
        self.cancel.cancel();
    }
}

impl Drop for Improving {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Tells each plan; returns how it ended.
fn improve(
    model: &Model,
    portfolio: Portfolio,
    run: &mut Run<'_>,
    tell: &Sender<Result<String, String>>,
) -> Result<String, String> {
    let mut each = |plan: &Plan, _: &'static str| {
        let found = told(model, Some(plan), End::Enough, 0, false);
        let _ = tell.send(Ok(found.map_err(EngineError::Internal)?));
        Ok(())
    };
    let outcome = Anytime { portfolio }
        .improve(model, run, &mut each)
        .map_err(|error| error.to_string())?;
    let (end, nodes) = (outcome.end, outcome.stats.nodes);
    let proved = end == End::Exhausted;
    // Where nothing says what a cheaper plan would be, one is enough; as an end
    // of the search that proves nothing.
    let end = match end {
        End::Enough => End::Incomplete,
        other => other,
    };
    told(model, outcome.answers.last(), end, nodes, proved)
}
