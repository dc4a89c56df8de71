//! `planoku verify`: is this a plan, and if not, why not?

use std::path::PathBuf;
use std::time::{Duration, Instant};

use planoku_engine::Stop;
use planoku_language::model::Model;
use planoku_language::plan::Plan;
use planoku_language::plan::text::{self, Written};
use planoku_language::verify::{Broken, Rule, Verified, verify, verify_timed};
use planoku_planning::decompose::{Decomposed, decompose};
use planoku_planning::portfolio::Portfolio;
use serde_json::json;

use super::planning::{Files, Limits, add_metric, cost_json, say_metric, write_whole};
use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain, counted, stopped_by};

/// Judge a plan from any planner, and name the first rule it breaks
///
/// Plans of hierarchical problems are read in the IPC's format, everything
/// outside `==>` and `<==` is ignored. Lists of actions are read as Fast
/// Downward, FF, VAL, unified-planning and others print them; for a
/// hierarchical problem a decomposition that leads to the list is looked for,
/// which is hard where orders are partial (give it --time; a minute without).
/// Where actions take time, plans are lists of `0.5: (action arguments) [5.0]`.
/// Steps are numbered from 0. A comment `; cost = 12` is judged too. Exit code 0
/// if it is a plan, 1 if not, 20 if a limit was reached before that was known.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// The plan; `-` reads it from standard input.
    plan: PathBuf,
    /// Write the plan, with the decomposition that was found, to this file.
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

/// How long a decomposition is looked for if nobody says.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// What became of a plan.
enum Verdict {
    /// It is one; with the decomposition, if that had to be found.
    Valid(Verified, Option<Plan>),
    Broken(Broken),
    /// By a limit; `None` if everybody gave up.
    Open(Option<Stop>),
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    args.limits.bounds.enforce(context);
    let model = args.files.read()?;
    let name = args.plan.display().to_string();
    let bytes = if name == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(&args.plan)
    };
    let bytes = bytes.map_err(|error| Failure::bad_input(format!("{name}: {error}")))?;
    let content = String::from_utf8_lossy(&bytes);
    let mut beyond = model.beyond.iter();
    if let Some(beyond) = beyond.clone().find(|it| !it.feature.is_judged()) {
        return Err(args.files.refused(beyond, "judged"));
    }
    if beyond.any(|it| it.feature.needs_times()) {
        return timed(&args, &model, &content, context);
    }
    let written = text::read_any(&content, &model)
        .map_err(|error| Failure::bad_input(format!("{name}:{error}")))?;
    let start = Instant::now();
    let verdict = judge(&args, &model, &written, context)?;
    let time = start.elapsed().as_micros() as u64;
    context.watch.disarm();
    if let (Verdict::Valid(_, found), Some(path)) = (&verdict, &args.output) {
        let plan = found.as_ref().unwrap_or(&written.plan);
        write_whole(path, &plan.text(&model))?;
    }
    tell(&args, &model, &written, &verdict, time)?;
    Ok(match verdict {
        Verdict::Valid(..) => Exit::Done,
        Verdict::Broken(_) => Exit::No,
        Verdict::Open(Some(_)) => Exit::Stopped,
        Verdict::Open(None) => Exit::GaveUp,
    })
}

/// Judges a plan with times.
fn timed(args: &Args, model: &Model, content: &str, context: &Context) -> Result<Exit, Failure> {
    let name = args.plan.display();
    let (plan, lines) = text::read_timed(content, model)
        .map_err(|error| Failure::bad_input(format!("{name}:{error}")))?;
    let start = Instant::now();
    let verdict = verify_timed(model, &plan);
    let time = start.elapsed().as_micros() as u64;
    context.watch.disarm();
    let line = |broken: &Broken| lines.get(broken.id? as usize).copied();
    let text = match (&verdict, args.json) {
        (Ok(known), true) => {
            let mut json = json!({
                "valid": true, "steps": known.steps, "makespan": known.makespan.to_string(),
                "time_us": time,
            });
            add_metric(&mut json, model, known.metric);
            json.to_string()
        }
        (Err(broken), true) => json!({
            "valid": false, "rule": broken.rule.name(), "id": broken.id, "line": line(broken),
            "step": broken.id, "reason": broken.reason, "time_us": time,
        })
        .to_string(),
        (Ok(known), false) => format!(
            "valid: {}, ends at {}{}",
            counted(known.steps, "step"),
            known.makespan,
            say_metric(known.metric)
        ),
        (Err(broken), false) => match line(broken) {
            Some(line) => format!("not a plan: {name}:{line}: {broken}"),
            None => format!("not a plan: {broken}"),
        },
    };
    let mut out = Output::stdout();
    out.write(&format!("{text}\n"))?;
    out.flush()?;
    Ok(match verdict {
        Ok(_) => Exit::Done,
        Err(_) => Exit::No,
    })
}

fn judge(
    args: &Args,
    model: &Model,
    written: &Written,
    context: &Context,
) -> Result<Verdict, Failure> {
    let plan = &written.plan;
    let found = match written.flat && model.network.is_some() {
        false => None,
        true => {
            // From here on the work listens.
            args.limits.enforce(Some(DEFAULT_TIME), context);
            let mut run = args.limits.run(Some(DEFAULT_TIME), context);
            match decompose(model, plan, &Portfolio::default(), &mut run)? {
                Decomposed::Plan(found) => Some(found),
                Decomposed::Broken(broken) => return Ok(Verdict::Broken(broken)),
                Decomposed::Stopped(stop) => return Ok(Verdict::Open(Some(stop))),
                Decomposed::GaveUp => return Ok(Verdict::Open(None)),
            }
        }
    };
    let verified = match verify(model, found.as_ref().unwrap_or(plan)) {
        Ok(verified) => verified,
        Err(broken) => return Ok(Verdict::Broken(broken)),
    };
    if let Some((said, line)) = written.said_steps
        && model.show_cost(said).to_string() != verified.steps.to_string()
    {
        let said = model.show_cost(said);
        return Ok(Verdict::Broken(Broken {
            rule: Rule::Cost,
            id: None,
            reason: format!(
                "line {line} says that there are {said} steps, but there are {}",
                verified.steps
            ),
        }));
    }
    Ok(Verdict::Valid(verified, found))
}

fn tell(
    args: &Args,
    model: &Model,
    written: &Written,
    verdict: &Verdict,
    time: u64,
) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let line = match (verdict, args.json) {
        (Verdict::Valid(known, found), true) => {
            let mut json = json!({
                "valid": true, "steps": known.steps, "tasks": known.tasks,
                "cost": cost_json(model, known.cost),
                "decomposition": found.as_ref().map(|plan| plan.text(model)),
                "time_us": time,
            });
            add_metric(&mut json, model, known.metric);
            json.to_string()
        }
        (Verdict::Broken(broken), true) => json!({
            "valid": false, "rule": broken.rule.name(), "id": broken.id,
            "line": line_of(written, broken), "step": step_of(written, broken),
            "reason": broken.reason, "time_us": time,
        })
        .to_string(),
        (Verdict::Open(stop), true) => json!({
            "valid": null, "stopped_by": stop.map(Stop::name), "time_us": time,
        })
        .to_string(),
        (Verdict::Valid(known, found), false) => format!(
            "valid: {}, {}, cost {}{}{}",
            counted(known.steps, "step"),
            counted(known.tasks, "task"),
            model.show_cost(known.cost),
            say_metric(known.metric),
            match found {
                Some(_) => "; a decomposition was found",
                None => "",
            }
        ),
        (Verdict::Broken(broken), false) => match line_of(written, broken) {
            Some(line) => format!("not a plan: {}:{line}: {broken}", args.plan.display()),
            None => format!("not a plan: {broken}"),
        },
        (Verdict::Open(stop), false) => {
            let why = match stop {
                Some(stop) => format!("stopped by {}", stopped_by(*stop)),
                None => "every planner gave up".into(),
            };
            complain(format_args!(
                "not decided: {why} while looking for a decomposition; where orders are partial \
                 that is as hard as planning"
            ));
            return out.flush();
        }
    };
    out.write(&format!("{line}\n"))?;
    out.flush()
}

/// The line of the plan file that breaks the rule.
fn line_of(written: &Written, broken: &Broken) -> Option<usize> {
    written.lines.get(&broken.id?).copied()
}

/// The number of the step that breaks the rule, if it is a step.
fn step_of(written: &Written, broken: &Broken) -> Option<usize> {
    let id = broken.id?;
    written.plan.steps.iter().position(|step| step.id == id)
}
