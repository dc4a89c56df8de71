//! `planoku verify`: is this a plan, and if not, why not?

use std::path::PathBuf;
use std::time::Instant;

use planoku_language::plan::text;
use planoku_language::verify::verify;

use super::planning::{Bounds, Files, cost_json};
use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, counted};

/// Judge a plan from any planner, and name the first rule it breaks
///
/// Plans of hierarchical problems are read in the IPC's format, everything
/// outside `==>` and `<==` is ignored; classical plans have one `(action
/// arguments)` a line. A comment `; cost = 12` is judged too. Exit code 0 if it is a plan, 1 if not.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// The plan; `-` reads it from standard input.
    plan: PathBuf,
    #[command(flatten)]
    bounds: Bounds,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    args.bounds.enforce(context);
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
    let plan = text::read(&content, &model)
        .map_err(|error| Failure::bad_input(format!("{name}:{error}")))?;
    let start = Instant::now();
    let verdict = verify(&model, &plan);
    let time = start.elapsed().as_micros() as u64;
    context.watch.disarm();
    let mut out = Output::stdout();
    let line = match (&verdict, args.json) {
        (Ok(known), true) => serde_json::json!({
            "valid": true, "steps": known.steps, "tasks": known.tasks,
            "cost": cost_json(&model, known.cost),
            "time_us": time,
        })
        .to_string(),
        (Err(broken), true) => serde_json::json!({
            "valid": false, "rule": broken.rule.name(), "id": broken.id,
            "reason": broken.reason, "time_us": time,
        })
        .to_string(),
        (Ok(known), false) => format!(
            "valid: {}, {}, cost {}",
            counted(known.steps, "step"),
            counted(known.tasks, "task"),
            model.show_cost(known.cost)
        ),
        (Err(broken), false) => format!("not a plan: {broken}"),
    };
    out.write(&format!("{line}\n"))?;
    out.flush()?;
    Ok(if verdict.is_ok() {
        Exit::Done
    } else {
        Exit::No
    })
}
