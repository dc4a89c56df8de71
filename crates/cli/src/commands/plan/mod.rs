//! `planoku plan`: from a domain and a problem to a verified plan.

mod anytime;
mod progress;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use planoku_engine::memory::share_regions;
use planoku_engine::{Budget, End, Engine, Event, Run};
use planoku_language::model::Model;
use planoku_language::plan::{Plan, tree};
use planoku_language::source::closest;
use planoku_language::verify::verify;
use planoku_planning::Instance;
use planoku_planning::ground::{GroundError, ground};
use planoku_planning::planners::{LiftedPlanner, lifted, optimal, planner};
use planoku_planning::portfolio::Portfolio;
use planoku_planning::{supports, why};

use super::planning::{
    Files, Limits, add_metric, cost_json, exit_for, metric_of, say, say_metric, write_whole,
};
use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain, counted, stopped_by};
use crate::{memory, values};
use progress::Progress;

/// Find a plan for any HDDL or PDDL problem, and verify it
///
/// Exit code 0 with a plan, 10 if it is proved that there is none, 11 if none
/// was found, 20 if stopped by time, nodes or memory.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    files: Option<Files>,
    /// Where to write the plan; standard output without it.
    plan: Option<PathBuf>,
    /// Which planner; a wrong name lists them all.
    #[arg(long, value_name = "NAME", default_value = "portfolio", value_parser = values::offered(values::planners, values::any), hide_possible_values = true)]
    planner: String,
    /// How many planners of the portfolio think at the same time; with 1 the
    /// same seed takes the same course. All cores without it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Where the portfolio's shuffling begins.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Take the first plan. Otherwise the portfolio makes it cheaper,
    /// or looks for a cheaper one, for half as long as the first has taken, or until a
    /// second has passed in all, but for four at most (as counted in work).
    #[arg(long, conflicts_with_all = ["optimal", "anytime"])]
    first: bool,
    /// Find a cheapest plan.
    #[arg(long, conflicts_with = "planner")]
    optimal: bool,
    /// Keep looking for cheaper plans until the last is proved cheapest, the
    /// time is up or Ctrl-C is pressed. PLAN is replaced, whole, by each better
    /// plan; without PLAN the best is printed at the end.
    #[arg(long, conflicts_with_all = ["planner", "optimal"])]
    anytime: bool,
    #[command(flatten)]
    limits: Limits,
    /// One JSON object instead of the plan.
    #[arg(long)]
    json: bool,
    /// Print what is supported, by requirement, and nothing else.
    #[arg(long, exclusive = true)]
    supports: bool,
    /// Write the decomposition tree to this file: .svg, .html, .dot or .txt.
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
}

/// How long a search may take if nobody says.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// How long to look for a reason where it is proved that there is no plan.
const WHY_TIME: Duration = Duration::from_secs(10);

/// What there is to tell about one attempt.
struct Report {
    planner: String,
    end: &'static str,
    stopped_by: Option<&'static str>,
    reason: Option<String>,
    sizes: Option<[usize; 4]>,
    nodes: u64,
    ground: Duration,
    search: Duration,
    /// Mistakes of ours that did not keep us from an answer.
    faults: Vec<String>,
}

impl Args {
    /// How many planners think at the same time.
    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores).max(1)
    }

    /// The problem to plan for.
    fn model(&self) -> Result<Model, Failure> {
        match &self.files {
            Some(files) => files.read_to_plan(),
            // The shell asks for both files before anything begins.
            None => Err(Failure::bad_input("expected a domain and a problem")),
        }
    }
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    if args.supports {
        let mut out = Output::stdout();
        out.write(&supports::Table.to_string())?;
        out.flush()?;
        return Ok(Exit::Done);
    }
    if let Some(path) = &args.tree {
        tree_kind(path)?;
    }
    args.limits.enforce(Some(DEFAULT_TIME), context);
    share_regions(args.threads());
    if args.anytime {
        return anytime::run(&args, context);
    }
    if !args.optimal
        && let Some(engine) = ungrounded(&args)
    {
        return without_grounding(&args, &*engine, context);
    }
    let name = match args.optimal {
        true => "auto",
        false => args.planner.as_str(),
    };
    let mut engine = match planner(name) {
        Some(engine) => engine,
        None => return Err(unknown(&args.planner)),
    };
    let model = args.model()?;
    let mut progress = Progress::new();
    let mut observer = |event: &Event| progress.show(event);
    let mut run = limited(&args, context).with_observer(&mut observer);
    let start = Instant::now();
    let grounded = ground(&model, &mut run);
    let mut report = Report {
        planner: args.planner.clone(),
        end: "exhausted",
        stopped_by: None,
        reason: None,
        sizes: None,
        nodes: 0,
        ground: start.elapsed(),
        search: Duration::ZERO,
        faults: Vec::new(),
    };
    let problem = match grounded {
        Ok(problem) => Instance::new(problem),
        Err(error) => {
            if let GroundError::Stopped { stop, .. } = &error {
                report.end = "stopped";
                report.stopped_by = Some(stop.name());
            }
            report.reason = Some(say(&error));
            let exit = exit_for(&error);
            if exit == Exit::BadInput {
                return Err(Failure::bad_input(error));
            }
            context.watch.disarm();
            tell(&args, &report, None)?;
            return Ok(exit);
        }
    };
    if args.optimal {
        engine = optimal(&problem);
        report.planner = engine.profile().name.into();
    }
    report.sizes = Some([
        problem.facts.len(),
        problem.actions.len(),
        problem.tasks.len(),
        problem.methods.len(),
    ]);
    let start = Instant::now();
    let outcome = engine.solve(&problem, &mut run);
    drop(run);
    progress.clear();
    let outcome = outcome?;
    // The time is not up any more, but whoever presses Ctrl-C is heard.
    context.watch.arm(None, &context.cancel);
    report.search = start.elapsed();
    report.nodes = outcome.stats.nodes;
    report.end = outcome.end.name();
    report.stopped_by = outcome.end.stopped_by().map(|stop| stop.name());
    let Some(derivation) = outcome.answers.first() else {
        let (exit, reason) = none_found(outcome.end);
        report.reason = Some(reason);
        tell(&args, &report, None)?;
        return Ok(exit);
    };
    let plan = derivation.plan(&problem).map_err(Failure::fault)?;
    judge(&model, &plan, &report)?;
    context.watch.disarm();
    deliver(&args, &model, &plan)?;
    tell(&args, &report, Some((&plan, &model)))?;
    Ok(Exit::Done)
}

/// How a search without a plan ends, and what to say.
fn none_found(end: End) -> (Exit, String) {
    match end {
        End::Exhausted => (
            Exit::Proved,
            "there is no plan: everything was tried".into(),
        ),
        End::Stopped(stop) => (
            Exit::Stopped,
            format!("no plan found: stopped by {stop}", stop = stopped_by(stop)),
        ),
        End::Enough | End::Incomplete => (
            Exit::GaveUp,
            "no plan found; that does not prove that there is none".into(),
        ),
    }
}

/// The planner asked for, if it takes the model as it is.
fn ungrounded(args: &Args) -> Option<LiftedPlanner> {
    match args.planner.as_str() {
        "portfolio" => Some(Box::new(Portfolio {
            threads: args.threads(),
            seed: args.seed,
            improves: !args.first,
        })),
        name => lifted(name, args.seed),
    }
}

/// A run for one plan within the limits of the command line, or a minute.
fn limited<'o>(args: &Args, context: &Context) -> Run<'o> {
    let limits = args.limits.run(Some(DEFAULT_TIME), context);
    Run::limit(1)
        .with_budget(limits.budget())
        .with_cancel(context.cancel.clone())
}

/// Plans without grounding first; the portfolio does that by itself.
fn without_grounding(
    args: &Args,
    engine: &dyn Engine<Model, Answer = Plan>,
    context: &Context,
) -> Result<Exit, Failure> {
    let model = args.model()?;
    let mut progress = Progress::new();
    let mut observer = |event: &Event| progress.show(event);
    let mut run = limited(args, context).with_observer(&mut observer);
    let start = Instant::now();
    let outcome = engine.solve(&model, &mut run);
    context.watch.arm(None, &context.cancel);
    let left = run.time_left();
    drop(run);
    progress.clear();
    let outcome = outcome?;
    let ground = Duration::from_micros(outcome.stats.get("ground_us"));
    let winners = Portfolio::winners(&outcome.stats);
    let mut report = Report {
        planner: match winners.is_empty() {
            true => args.planner.clone(),
            false => format!("{} ({})", args.planner, winners.join(", then ")),
        },
        end: outcome.end.name(),
        stopped_by: outcome.end.stopped_by().map(|stop| stop.name()),
        reason: None,
        sizes: None,
        nodes: outcome.stats.nodes,
        ground,
        search: start.elapsed().saturating_sub(ground),
        faults: outcome.stats.faults.clone(),
    };
    let Some(plan) = outcome.answers.first() else {
        let (exit, reason) = match outcome.end {
            End::Exhausted => (Exit::Proved, why_none(args, &model, left, context)),
            end => none_found(end),
        };
        report.reason = Some(reason);
        tell(args, &report, None)?;
        return Ok(exit);
    };
    judge(&model, plan, &report)?;
    context.watch.disarm();
    deliver(args, &model, plan)?;
    tell(args, &report, Some((plan, &model)))?;
    Ok(Exit::Done)
}

/// Why there is no plan, with the line that could not be done.
fn why_none(args: &Args, model: &Model, left: Option<Duration>, context: &Context) -> String {
    let time = left.map_or(WHY_TIME, |left| left.min(WHY_TIME));
    let budget = Budget {
        time: Some(time),
        ..args.limits.run(None, context).budget()
    };
    let mut run = Run::limit(1)
        .with_budget(budget)
        .with_cancel(context.cancel.clone());
    let why = why::why_none(model, &mut run);
    match why.span.and_then(|span| args.files.as_ref()?.place(span)) {
        Some(place) => format!("{why} ({place})"),
        None => why.to_string(),
    }
}

/// Writes the files asked for.
fn deliver(args: &Args, model: &Model, plan: &Plan) -> Result<(), Failure> {
    if let Some(path) = &args.tree {
        let text = match tree_kind(path)? {
            "svg" => tree::svg(plan, model),
            "html" => tree::html(plan, model),
            "dot" => tree::dot(plan, model),
            _ => tree::text(plan, model),
        };
        write_whole(path, &text)?;
    }
    match &args.plan {
        Some(path) => write_whole(path, &plan.text(model)),
        None => Ok(()),
    }
}

/// Nothing is shown that the verifier does not accept.
fn judge(model: &Model, plan: &Plan, report: &Report) -> Result<(), Failure> {
    let wrong = |broken| {
        let planner = &report.planner;
        Failure::fault(format!("planner {planner} found a wrong plan: {broken}"))
    };
    verify(model, plan).map(drop).map_err(wrong)
}

fn unknown(name: &str) -> Failure {
    let known = values::planners();
    let meant = closest(name, known.iter().map(String::as_str));
    let meant = meant.map_or(String::new(), |it| format!("did you mean `{it}`? "));
    Failure::bad_input(format!(
        "there is no planner `{name}`; {meant}there are {}",
        known.join(", ")
    ))
}

fn tree_kind(path: &Path) -> Result<&'static str, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok("svg"),
        Some("html" | "htm") => Ok("html"),
        Some("dot" | "gv") => Ok("dot"),
        Some("txt") => Ok("txt"),
        _ => Err(Failure::bad_input(format!(
            "{}: expected a name that ends in .svg, .html, .dot or .txt",
            path.display()
        ))),
    }
}

/// Says what went wrong on the way to an answer that is right all the same.
fn warn_of(faults: &[String]) {
    for fault in faults {
        complain(format!("warning: our mistake: {fault}; please report it"));
    }
}

/// Prints the plan, or why there is none.
fn tell(args: &Args, report: &Report, plan: Option<(&Plan, &Model)>) -> Result<(), Failure> {
    warn_of(&report.faults);
    let mut out = Output::stdout();
    if args.json {
        let [facts, actions, tasks, methods] = report.sizes.map_or([None; 4], |s| s.map(Some));
        let mut json = serde_json::json!({
            "planner": report.planner,
            "end": report.end,
            "stopped_by": report.stopped_by,
            "reason": report.reason,
            "length": plan.map(|(plan, _)| plan.steps.len()),
            "cost": plan.and_then(|(plan, model)| Some(cost_json(model, plan.cost?))),
            "nodes": report.nodes,
            "facts": facts, "actions": actions, "tasks": tasks, "methods": methods,
            "ground_us": report.ground.as_micros() as u64,
            "search_us": report.search.as_micros() as u64,
            "memory_bytes": memory::peak(),
            "verified": plan.is_some(),
            "faults": report.faults,
            "plan": plan.map(|(plan, model)| plan.text(model)),
        });
        if let Some((plan, model)) = plan {
            add_metric(&mut json, model, metric_of(model, plan));
        }
        out.write(&format!("{json}\n"))?;
    } else if let Some((plan, model)) = plan {
        if args.plan.is_none() {
            out.write(&plan.text(model))?;
        }
        let cost = plan.cost.map_or(String::new(), |cost| {
            format!(", cost {}", model.show_cost(cost))
        });
        complain(format!(
            "{}{}{}, verified; grounded in {:.3} s, planned by {} in {:.3} s ({}{})",
            counted(plan.steps.len(), "step"),
            cost,
            say_metric(metric_of(model, plan)),
            report.ground.as_secs_f64(),
            report.planner,
            report.search.as_secs_f64(),
            counted(report.nodes as usize, "node"),
            memory::peak().map_or(String::new(), |it| format!(", {}", memory::say(it)))
        ));
    } else if let Some(reason) = &report.reason {
        complain(reason);
    }
    out.flush()
}
