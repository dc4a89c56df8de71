//! The portfolio on every instance below a directory, one process each.
//!
//! Each instance runs in a process of its own, on one thread, under a limit of
//! CPU time and of memory that the shell enforces, so that one instance can
//! neither starve nor crash the others. A plan counts if `planning::verify`
//! accepts it. With `--report` the rows, which `--from` may also read from an
//! earlier run, become a page and a chart beside the peers.

pub mod learn;
pub mod lengths;
pub mod members;
mod report;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cpu_time::ProcessTime;
use planoku_engine::{Budget, Cancel, End, Engine, EngineError, Outcome, Run, Stop, memory};
use planoku_planning::Instance;
use planoku_planning::anytime::Anytime;
use planoku_planning::ground::{GroundError, ground};
use planoku_planning::model::Model;
use planoku_planning::plan::Plan;
use planoku_planning::planners::{Settings, lifted, planner_with};
use planoku_planning::portfolio::Portfolio;
use planoku_planning::verify::verify;
use serde_json::{Value, json};

/// Plan every instance below a directory.
#[derive(clap::Args)]
pub struct Args {
    /// Where the instances are: problem files beside their domain.
    directory: PathBuf,
    /// CPU seconds for each.
    #[arg(long, default_value_t = 60.0)]
    time: f64,
    /// Gigabytes for each.
    #[arg(long, default_value_t = 8)]
    memory: u64,
    /// Threads for each.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Where shuffling begins.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// A planner alone instead of the portfolio, or `anytime` for its last plan.
    #[arg(long, default_value = "portfolio")]
    planner: String,
    /// Improve the portfolio's first plan as `planoku plan` does without `--first`.
    #[arg(long)]
    short: bool,
    /// Only instances whose path contains this.
    #[arg(long)]
    only: Option<String>,
    /// Only every so many-th instance, in the order of their paths.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// How many instances to leave out before the first one that counts.
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// One JSON object per instance instead of a table.
    #[arg(long)]
    json: bool,
    /// Write STEM.md and STEM.svg: counts, chart, every instance.
    #[arg(long, value_name = "STEM")]
    report: Option<PathBuf>,
    /// Peers for the report: CSV files with `instance` and `…_cpu_s` columns.
    #[arg(long, value_name = "CSV")]
    peers: Vec<PathBuf>,
    /// Take the rows from an earlier run with `--json` instead of running.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

/// Plan one instance and say how it went; what `ipc` starts.
#[derive(clap::Args)]
pub struct OneArgs {
    domain: PathBuf,
    problem: PathBuf,
    #[arg(long)]
    time: f64,
    #[arg(long)]
    memory: u64,
    #[arg(long)]
    threads: usize,
    #[arg(long)]
    seed: u64,
    #[arg(long, default_value = "portfolio")]
    planner: String,
    #[arg(long)]
    short: bool,
}

pub fn run(args: &Args) -> Result<(), String> {
    let rows = match &args.from {
        Some(file) => earlier(file)?,
        None => run_all(args)?,
    };
    let quick = |row: &&Value| row["cpu_s"].as_f64().is_some_and(|cpu| cpu <= 1.0);
    let solved = || rows.iter().filter(|row| row["verified"] == json!(true));
    eprintln!(
        "{} of {} solved, {} within a second",
        solved().count(),
        rows.len(),
        solved().filter(quick).count()
    );
    match &args.report {
        Some(stem) => write_report(args, stem, &rows),
        None => Ok(()),
    }
}

/// The rows of an earlier run.
fn earlier(file: &Path) -> Result<Vec<Value>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| failed(&error))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).map_err(|error| failed(&error)))
        .collect()
}

fn write_report(args: &Args, stem: &Path, rows: &[Value]) -> Result<(), String> {
    let mut series = vec![report::Series::own(rows)];
    for file in &args.peers {
        series.extend(report::peers(file, rows)?);
    }
    let picture = stem.with_extension("svg");
    let command = format!(
        "cargo run --release -p planoku-bench -- ipc DIR --time {} --threads {}",
        args.time, args.threads
    );
    let title = file_name(stem);
    let page = report::page(&title, &command, &file_name(&picture), rows, &series);
    for (path, text) in [
        (stem.with_extension("md"), page),
        (picture, report::chart(&series)),
    ] {
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Runs every instance and prints its row.
fn run_all(args: &Args) -> Result<Vec<Value>, String> {
    let instances = instances(&args.directory)?.into_iter();
    let mut rows = Vec::new();
    for (domain, problem) in instances.skip(args.skip).step_by(args.every.max(1)) {
        let name = name_of(&args.directory, &problem);
        if args.only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let mut row = measure(args, &args.planner, args.time, &domain, &problem)?;
        row["instance"] = json!(name);
        match args.json {
            true => println!("{row}"),
            false => println!(
                "{:<90} {:>12} {:>8.2} s  {:>6}  {}",
                name,
                row["status"].as_str().unwrap_or("?"),
                row["cpu_s"].as_f64().unwrap_or(0.0),
                row["plan_length"],
                row["by"].as_str().unwrap_or("")
            ),
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Starts a process for one instance and reads what it says.
fn measure(
    args: &Args,
    planner: &str,
    time: f64,
    domain: &Path,
    problem: &Path,
) -> Result<Value, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let script = format!(
        "ulimit -t {}; ulimit -v {}; exec \"$@\"",
        time.ceil() + 5.0,
        args.memory * 1024 * 1024
    );
    let output = Command::new("sh")
        .args(["-c", &script, "sh"])
        .arg(own)
        .arg("ipc-one")
        .args([domain, problem])
        .args(["--time", &time.to_string()])
        .args(["--memory", &args.memory.to_string()])
        .args(["--threads", &args.threads.to_string()])
        .args(["--seed", &args.seed.to_string()])
        .args(["--planner", planner])
        .args(args.short.then_some("--short"))
        .output()
        .map_err(|error| format!("sh: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().unwrap_or("");
    Ok(serde_json::from_str(line).unwrap_or_else(|_| {
        // Killed by a limit before it could say anything.
        json!({
            "status": "killed",
            "cpu_s": time,
            "ground_s": null,
            "plan_length": null,
            "verified": false,
            "detail": String::from_utf8_lossy(&output.stderr).trim(),
        })
    }))
}

/// Plans one instance and prints one JSON object.
pub fn run_one(args: &OneArgs) -> Result<(), String> {
    let start = ProcessTime::now();
    memory::share_regions(args.threads);
    let model = planoku_planning::read_files(&args.domain, &args.problem)
        .map_err(|error| error.to_string())?;
    // CPU time is what counts: on a busy machine the clock runs ahead of it.
    let cancel = Cancel::new();
    watch(start, Duration::from_secs_f64(args.time), cancel.clone());
    let budget = Budget {
        time: None,
        nodes: None,
        memory: Some(args.memory * 800 * 1024 * 1024),
    };
    let run = match args.planner.as_str() {
        "anytime" => Run::all(),
        _ => Run::limit(1),
    };
    let mut run = run.with_budget(budget).with_cancel(cancel);
    let outcome = ask(args, &model, start, &mut run)?;
    let plan = outcome.answers.last();
    let judged = plan.and_then(|plan| verify(&model, plan).ok());
    let verified = judged.is_some();
    let status = match (plan, outcome.end) {
        (Some(_), _) => "solved",
        (None, End::Exhausted) => "proved_unsolvable",
        (None, End::Stopped(Stop::Memory)) => "out_of_memory",
        (None, End::Stopped(_)) => "out_of_time",
        (None, _) => "gave_up",
    };
    let by = match args.planner.as_str() {
        "portfolio" => Portfolio::winner(&outcome.stats),
        planner => Some(planner),
    };
    let row = json!({
        "status": status,
        "cpu_s": start.elapsed().as_secs_f64(),
        "ground_s": outcome.stats.get("ground_us") as f64 / 1e6,
        // Nodes and effort as counted, without those of grounding.
        "work": run.work() - outcome.stats.get("ground_work"),
        "nodes": outcome.stats.nodes,
        "plan_length": plan.map(|plan| plan.steps.len()),
        "cost": judged.map(|judged| model.scale.show(judged.cost).to_string()),
        "verified": verified,
        "proved": plan.is_some() && outcome.end == End::Exhausted,
        "refused": outcome.stats.get("refused"),
        "by": by,
        "peak_mb": peak_megabytes(),
        "features": Portfolio::features(&model).map(|(_, it)| it).collect::<Vec<f64>>(),
    });
    println!("{row}");
    Ok(())
}

/// Asks the portfolio, or one planner alone.
fn ask(
    args: &OneArgs,
    model: &Model,
    start: ProcessTime,
    run: &mut Run<'_>,
) -> Result<Outcome<Plan>, String> {
    let failed = |error: EngineError| error.to_string();
    if args.planner == "portfolio" {
        let portfolio = Portfolio {
            threads: args.threads,
            seed: args.seed,
            improves: args.short,
        };
        return portfolio.solve(model, run).map_err(failed);
    }
    if args.planner == "anytime" {
        let anytime = Anytime {
            portfolio: Portfolio {
                threads: args.threads,
                seed: args.seed,
                improves: false,
            },
        };
        return anytime.solve(model, run).map_err(failed);
    }
    if let Some(planner) = lifted(&args.planner, args.seed) {
        return planner.solve(model, run).map_err(failed);
    }
    let settings = Settings {
        seed: args.seed,
        ..Settings::default()
    };
    let planner = planner_with(&args.planner, &settings).ok_or("there is no such planner")?;
    let instance = match ground(model, run) {
        Ok(ground) => Instance::new(ground),
        Err(error) => {
            let end = match error {
                GroundError::Refuted(_) => End::Exhausted,
                GroundError::Stopped { stop, .. } => End::Stopped(stop),
                error => return Err(error.to_string()),
            };
            return Ok(Outcome {
                answers: Vec::new(),
                end,
                stats: run.finish(),
            });
        }
    };
    let grounded = (start.elapsed(), run.work());
    let outcome = planner.solve(&instance, run).map_err(failed)?;
    let mut outcome = outcome
        .try_map(|found| found.plan(&instance))
        .map_err(failed)?;
    outcome
        .stats
        .add("ground_us", grounded.0.as_micros() as u64);
    outcome.stats.add("ground_work", grounded.1);
    Ok(outcome)
}

/// Presses the switch when the process has had its CPU time.
fn watch(start: ProcessTime, limit: Duration, cancel: Cancel) {
    std::thread::spawn(move || {
        while start.elapsed() < limit {
            std::thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
    });
}

/// The most memory this process has held, without the pages of its program and
/// libraries, where the system tells. Those come from files and only grow: what they
/// are at the end they were at most before.
fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = |field: &str| -> Option<f64> {
        let line = status.lines().find(|line| line.starts_with(field))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    let held = kilobytes("VmHWM:")? - kilobytes("RssFile:")?;
    Some((held / 102.4).round() / 10.0)
}

/// Problem files below a directory with the domain that belongs to each.
fn instances(directory: &Path) -> Result<Vec<(PathBuf, PathBuf)>, String> {
    let mut found = Vec::new();
    let mut files = Vec::new();
    let entries = std::fs::read_dir(directory)
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => found.extend(instances(&path)?),
            false => files.push(path),
        }
    }
    let (domains, problems): (Vec<_>, Vec<_>) = files
        .into_iter()
        .partition(|path| file_name(path).contains("domain"));
    let readable = |path: &PathBuf| {
        let kind = path.extension().map(|kind| kind.to_ascii_lowercase());
        kind.is_some_and(|kind| kind == "pddl" || kind == "hddl")
    };
    for problem in problems.into_iter().filter(readable) {
        if let Some(domain) = domain_of(&problem, &domains) {
            found.push((domain.clone(), problem));
        }
    }
    found.sort_by(|one, other| one.1.cmp(&other.1));
    Ok(found)
}

/// The domain among those in a problem's directory that its name asks for,
/// as collections have it: `p01-domain`, `domain_p01` or `domain-p01` for `p01`
/// and `p01-map`, else `domain`, else the only one.
fn domain_of<'a>(problem: &Path, domains: &'a [PathBuf]) -> Option<&'a PathBuf> {
    let name = file_name(problem);
    let stem = name.split('.').next().unwrap_or_default();
    let start = stem.split('-').next().unwrap_or_default();
    let wanted = [
        format!("{stem}-domain"),
        format!("domain_{stem}"),
        format!("domain-{stem}"),
        format!("{start}-domain"),
        "domain".into(),
    ];
    let called = |wanted: &String| {
        let stem = |path: &&PathBuf| file_name(path).split('.').next() == Some(wanted);
        domains.iter().find(stem)
    };
    let only = match domains {
        [only] => Some(only),
        _ => None,
    };
    wanted.iter().find_map(called).or(only)
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn name_of(directory: &Path, problem: &Path) -> String {
    problem
        .strip_prefix(directory)
        .unwrap_or(problem)
        .display()
        .to_string()
}
