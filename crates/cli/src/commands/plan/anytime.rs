//! `planoku plan --anytime`: each better plan is written as soon as it is
//! verified, and stays when the search is stopped.

use std::sync::Mutex;
use std::time::Instant;

use planoku_engine::{End, EngineError, Event, Run};
use planoku_planning::anytime::Anytime;
use planoku_planning::model::Model;
use planoku_planning::plan::Plan;
use planoku_planning::portfolio::Portfolio;
use serde_json::json;

use super::super::planning::{add_metric, cost_json, metric_of};
use super::progress::Progress;
use super::{Args, DEFAULT_TIME, deliver, none_found, warn_of};
use crate::exit::{Context, Exit, Failure};
use crate::memory;
use crate::output::{Output, complain, counted, stopped_by};

pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let model = args.model()?;
    let engine = Anytime {
        portfolio: Portfolio {
            threads: args.threads(),
            seed: args.seed,
            improves: false,
        },
    };
    let progress = Mutex::new(Progress::new());
    let draw = |event: &Event| {
        if let Ok(mut progress) = progress.lock() {
            progress.show(event);
        }
    };
    let clear = || {
        if let Ok(mut progress) = progress.lock() {
            progress.clear();
        }
    };
    let mut observer = draw;
    let limits = args.limits.run(Some(DEFAULT_TIME), context);
    let mut run = Run::all()
        .with_budget(limits.budget())
        .with_cancel(context.cancel.clone())
        .with_observer(&mut observer);
    let start = Instant::now();
    let mut improvements = Vec::new();
    let mut failure = None;
    let outcome = engine.improve(&model, &mut run, &mut |plan, by| {
        // From here on there is something to lose.
        context.watch.disarm();
        let time = start.elapsed();
        improvements.push(json!({
            "cost": plan.cost.map(|cost| cost_json(&model, cost)),
            "length": plan.steps.len(),
            "time_us": time.as_micros() as u64,
            "planner": by,
        }));
        clear();
        complain(format!(
            "{}, {}, verified; by {by} after {:.3} s",
            worth(&model, plan),
            counted(plan.steps.len(), "step"),
            time.as_secs_f64()
        ));
        deliver(args, &model, plan).map_err(|error| {
            failure = Some(error);
            EngineError::Internal("the plan could not be written".into())
        })
    });
    context.watch.disarm();
    drop(run);
    clear();
    if let Some(failure) = failure {
        return Err(failure);
    }
    let outcome = outcome?;
    let best = outcome.answers.last();
    let (exit, note) = match best {
        None => none_found(outcome.end),
        Some(_) => (Exit::Done, how_good(outcome.end)),
    };
    warn_of(&outcome.stats.faults);
    let mut out = Output::stdout();
    if args.json {
        let mut json = json!({
            "planner": "anytime",
            "end": outcome.end.name(),
            "stopped_by": outcome.end.stopped_by().map(|stop| stop.name()),
            "optimal": best.is_some() && outcome.end == End::Exhausted,
            "length": best.map(|plan| plan.steps.len()),
            "cost": best.and_then(|plan| Some(cost_json(&model, plan.cost?))),
            "nodes": outcome.stats.nodes,
            "time_us": start.elapsed().as_micros() as u64,
            "memory_bytes": memory::peak(),
            "verified": best.is_some(),
            "faults": outcome.stats.faults,
            "plans": improvements,
            "plan": best.map(|plan| plan.text(&model)),
        });
        if let Some(plan) = best {
            add_metric(&mut json, &model, metric_of(&model, plan));
        }
        out.write(&format!("{json}\n"))?;
    } else if let (Some(plan), None) = (best, &args.plan) {
        out.write(&plan.text(&model))?;
    }
    let memory = memory::peak().map_or(String::new(), |it| format!(", {}", memory::say(it)));
    complain(format!(
        "{note} ({}{memory})",
        counted(outcome.stats.nodes as usize, "node")
    ));
    out.flush()?;
    Ok(exit)
}

/// What a plan costs, and its metric.
fn worth(model: &Model, plan: &Plan) -> String {
    let cost = (plan.cost).map(|cost| format!("cost {}", model.show_cost(cost)));
    let metric = metric_of(model, plan).map(|metric| format!("metric {metric}"));
    cost.into_iter()
        .chain(metric)
        .collect::<Vec<_>>()
        .join(", ")
}

fn how_good(end: End) -> String {
    match end {
        End::Exhausted => "proved: no plan is cheaper".into(),
        End::Stopped(stop) => format!(
            "stopped by {stop}: the best plan so far",
            stop = stopped_by(stop)
        ),
        End::Enough | End::Incomplete => "nothing cheaper was found; that proves nothing".into(),
    }
}
