//! `planoku doctor`: a domain and a problem, checked, grounded, planned and
//! verified in one go, told as a story.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use planoku_engine::{End, Engine};
use planoku_language::diagnostic::Diagnostics;
use planoku_language::lint::{self, Thoroughness};
use planoku_language::model::Model;
use planoku_language::model::resolve::Options;
use planoku_language::plan::Plan;
use planoku_language::syntax::Tree;
use planoku_language::verify::verify;
use planoku_planning::ground::{Ground, GroundError, ground};
use planoku_planning::portfolio::Portfolio;
use planoku_planning::why::why_none;

use super::planning::{Limits, exit_for, say, say_metric};
use crate::exit::{Context, Exit, Failure};
use crate::memory;
use crate::output::{Output, counted, stopped_by, tally};

/// Check, ground, plan and verify in one go, and tell the story
///
/// Exit code 0 with a verified plan, 1 if the files have errors, otherwise as
/// `planoku plan`: 10 if it is proved that there is no plan, 11 if none was found,
/// 20 if stopped.
#[derive(clap::Args)]
pub struct Args {
    /// The domain.
    domain: PathBuf,
    /// The problem.
    problem: PathBuf,
    #[command(flatten)]
    limits: Limits,
}

/// How long it may take if nobody says.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    args.limits.enforce(Some(DEFAULT_TIME), context);
    let mut out = Output::stdout();
    if let Some(exit) = check(&args, &mut out)? {
        return Ok(exit);
    }
    let model =
        planoku_language::read_files(&args.domain, &args.problem).map_err(Failure::bad_input)?;
    introduce(&model, &mut out)?;
    let start = Instant::now();
    let mut run = args.limits.run(Some(DEFAULT_TIME), context);
    match ground(&model, &mut run) {
        Ok(problem) => size(&problem, start.elapsed(), &mut out)?,
        Err(error @ GroundError::Stopped { .. }) => out.write(&format!(
            "Grounding: {}. The planners that need no grounding go on.\n",
            say(&error)
        ))?,
        Err(error) => {
            context.watch.disarm();
            out.write(&format!("Grounding: {}\n", say(&error)))?;
            out.flush()?;
            return Ok(exit_for(&error));
        }
    }
    out.flush()?;
    drop(run);
    let Some(left) = left(&args, start, context) else {
        out.write("Planning: no time is left; --time gives more.\n")?;
        out.flush()?;
        return Ok(Exit::Stopped);
    };
    let mut run = args.limits.run(Some(DEFAULT_TIME), context).with_time(left);
    let start = Instant::now();
    let outcome = Portfolio::default().solve(&model, &mut run)?;
    context.watch.disarm();
    let exit = match outcome.answers.first() {
        Some(plan) => {
            let by = Portfolio::winner(&outcome.stats).unwrap_or("portfolio");
            out.write(&format!(
                "Planning: {} found a plan of {} after {} in {:.3} s{}.\n",
                by,
                counted(plan.steps.len(), "step"),
                counted(outcome.stats.nodes as usize, "node"),
                start.elapsed().as_secs_f64(),
                memory::peak().map_or(String::new(), |it| format!(" with {}", memory::say(it)))
            ))?;
            judge(&model, plan, &args, &mut out)?;
            Exit::Done
        }
        None => none(outcome.end, &mut out, || {
            let mut run = args
                .limits
                .run(Some(DEFAULT_TIME), context)
                .with_time(left.saturating_sub(start.elapsed()));
            why_none(&model, &mut run).to_string()
        })?,
    };
    out.flush()?;
    Ok(exit)
}

/// What is wrong with the files; an exit if that is the end of the story.
fn check(args: &Args, out: &mut Output) -> Result<Option<Exit>, Failure> {
    let mut trees = Vec::new();
    for (number, path) in [&args.domain, &args.problem].into_iter().enumerate() {
        let name = path.display();
        let bytes = std::fs::read(path)
            .map_err(|error| Failure::bad_input(format!("cannot read `{name}`: {error}")))?;
        trees.push(Tree::read_bytes(bytes, number as u32));
    }
    let found: Diagnostics = lint::check(
        &trees[0],
        Some(&trees[1]),
        Options::default(),
        Thoroughness::default(),
    );
    let names = [&args.domain, &args.problem].map(|path| path.display().to_string());
    let sources: Vec<(&str, &str)> = names
        .iter()
        .zip(&trees)
        .map(|(name, tree)| (name.as_str(), tree.text()))
        .collect();
    let counts = tally(&found);
    match counts.is_empty() {
        true => out.write("Checking: nothing is wrong with the files.\n")?,
        false => {
            out.write(&format!("Checking: {counts}.\n"))?;
            for line in found.brief(&sources).lines() {
                out.write(&format!("  {line}\n"))?;
            }
            out.write(&format!(
                "  planoku check {} {} shows the lines and what may be fixed.\n",
                names[0], names[1]
            ))?;
        }
    }
    out.flush()?;
    Ok(found.has_errors().then_some(Exit::No))
}

fn introduce(model: &Model, out: &mut Output) -> Result<(), Failure> {
    let kind = match &model.network {
        None => format!(
            "a classical problem with {}",
            counted(model.actions.len(), "action")
        ),
        Some(network) => {
            let ordered = network.network.ordered
                && model.methods.iter().all(|method| method.network.ordered);
            format!(
                "a hierarchical problem, {} ordered, that begins with {}; the domain has {}, {} \
                 and {}",
                if ordered { "totally" } else { "partially" },
                counted(network.network.subtasks.len(), "task"),
                counted(model.tasks.len(), "task"),
                counted(model.methods.len(), "method"),
                counted(model.actions.len(), "action"),
            )
        }
    };
    out.write(&format!(
        "Reading: `{}` of the domain `{}` is {kind}. There are {} and {} at the start.\n",
        model.problem,
        model.domain,
        counted(model.objects.len(), "object"),
        counted(model.init.len(), "fact"),
    ))
}

fn size(problem: &Ground, time: Duration, out: &mut Output) -> Result<(), Failure> {
    let mut parts = vec![
        counted(problem.facts.len(), "fact that can change"),
        counted(problem.actions.len(), "action"),
    ];
    if problem.root.is_some() {
        parts.push(counted(problem.tasks.len(), "task"));
        parts.push(counted(problem.methods.len(), "method"));
    }
    if !problem.axioms.is_empty() {
        parts.push(counted(problem.axioms.len(), "axiom"));
    }
    parts[0] = match problem.facts.len() {
        1 => "1 fact that can change".into(),
        n => format!("{n} facts that can change"),
    };
    out.write(&format!(
        "Grounding: without variables there are {} ({:.3} s).\n",
        parts.join(", "),
        time.as_secs_f64()
    ))
}

/// What is left of the time; `None` if nothing is.
fn left(args: &Args, start: Instant, context: &Context) -> Option<Duration> {
    let all = args.limits.run(Some(DEFAULT_TIME), context).budget().time;
    let left = all.unwrap_or(DEFAULT_TIME).checked_sub(start.elapsed())?;
    (!left.is_zero()).then_some(left)
}

/// The plan, judged by the verifier, and its beginning.
fn judge(model: &Model, plan: &Plan, args: &Args, out: &mut Output) -> Result<(), Failure> {
    let verified = verify(model, plan)
        .map_err(|broken| Failure::fault(format!("a wrong plan was found: {broken}")))?;
    let tasks = match model.network {
        Some(_) => format!(
            ", {} decomposed as the methods allow",
            counted(verified.tasks, "task")
        ),
        None => String::new(),
    };
    out.write(&format!(
        "Verifying: every step is executable{tasks}, the goal holds at the end; the cost is {}{}.\n",
        model.show_cost(verified.cost),
        say_metric(verified.metric)
    ))?;
    const SHOWN: usize = 12;
    for (place, step) in plan.steps.iter().enumerate().take(SHOWN) {
        let name = &model.actions[step.action.index()].name;
        out.write(&format!(
            "  {place}: {}\n",
            model.show(name, &step.arguments)
        ))?;
    }
    if plan.steps.len() > SHOWN {
        let more = counted(plan.steps.len() - SHOWN, "more step");
        out.write(&format!("  … and {more}\n"))?;
    }
    out.write(&format!(
        "All is well. planoku plan {} {} plan.txt writes the plan to a file.\n",
        args.domain.display(),
        args.problem.display()
    ))
}

/// Says that there is no plan; if that is proved, why.
fn none(end: End, out: &mut Output, why: impl FnOnce() -> String) -> Result<Exit, Failure> {
    let (exit, text) = match end {
        End::Exhausted => (Exit::Proved, why()),
        End::Stopped(stop) => (
            Exit::Stopped,
            format!(
                "no plan found so far: stopped by {}; --time, --nodes and --memory give more",
                stopped_by(stop)
            ),
        ),
        End::Enough | End::Incomplete => (
            Exit::GaveUp,
            "no plan found; that does not prove that there is none".to_string(),
        ),
    };
    out.write(&format!("Planning: {text}.\n"))?;
    Ok(exit)
}
