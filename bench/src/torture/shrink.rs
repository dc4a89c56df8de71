//! From a finding to a pair of files and a command.
//!
//! What kills or stalls a process is tried in processes of its own (`probe`).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use planoku_engine::Budget;
use planoku_torture::attempt::arguments;
use planoku_torture::case::Case;
use planoku_torture::oracle::{EFFORT, truth};
use planoku_torture::print::texts;
use planoku_torture::problem::Problem;
use planoku_torture::shrink::shrink;

use super::MEMORY_CODE;
use super::worker::{examine, within_memory};

/// Shrink one finding; what `torture` starts.
#[derive(clap::Args)]
pub struct ShrinkArgs {
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    rare: u64,
    #[arg(long)]
    kind: String,
    #[arg(long)]
    planner: String,
    #[arg(long)]
    out: PathBuf,
}

/// Ask one planner about two files; what shrinking starts.
#[derive(clap::Args)]
pub struct ProbeArgs {
    domain: PathBuf,
    problem: PathBuf,
    #[arg(long)]
    planner: String,
    #[arg(long)]
    nodes: Option<u64>,
    #[arg(long)]
    time_ms: u64,
    #[arg(long)]
    memory: u64,
}

/// How long one finding may be shrunk.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a probe may take.
const PROBE: Duration = Duration::from_secs(8);

/// Writes the smallest pair of files found and prints the command.
pub fn run_shrink(args: &ShrinkArgs) -> Result<(), String> {
    let case = Case::of(args.seed, args.rare);
    let folder = args
        .out
        .join(format!("{}-{}-{}", args.kind, args.planner, args.seed));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    write(&folder, &case.problem)?;
    let end = Instant::now() + PATIENCE;
    let hard = ["crash", "hang", "time", "memory", "panic"].contains(&args.kind.as_str());
    let still = |problem: &Problem| match hard {
        true => dies(args, &case, problem, &folder),
        false => says_so(args, &case, problem),
    };
    let smallest = match still(&case.problem) {
        false => {
            println!(
                "seed {}: {} by {} did not show again",
                args.seed, args.kind, args.planner
            );
            case.problem.clone()
        }
        true => shrink(&case.problem, still, || Instant::now() < end),
    };
    write(&folder, &smallest)?;
    let limits = match (args.kind.as_str(), case.budget) {
        (
            "nodes",
            Budget {
                nodes: Some(it), ..
            },
        ) => format!(" --nodes {it}"),
        ("time" | "hang", _) => " --time 1".into(),
        (
            "memory",
            Budget {
                memory: Some(it), ..
            },
        ) => format!(" --memory {}M", it >> 20),
        _ => String::new(),
    };
    let folder = folder.display();
    println!(
        "  {} by {}: planoku {} {folder}/domain.hddl {folder}/problem.hddl{limits}",
        args.kind,
        args.planner,
        arguments(&args.planner)
    );
    Ok(())
}

fn write(folder: &Path, problem: &Problem) -> Result<(), String> {
    let (domain, instance) = texts(problem);
    let files = [("domain.hddl", domain), ("problem.hddl", instance)];
    files.into_iter().try_for_each(|(name, text)| {
        std::fs::write(folder.join(name), text).map_err(|error| error.to_string())
    })
}

/// True if the planner still says the same untruth.
fn says_so(args: &ShrinkArgs, case: &Case, problem: &Problem) -> bool {
    let known = truth(problem, EFFORT);
    let mut planners = vec![args.planner.clone()];
    if known.exists.is_none() || known.cheapest.is_none() {
        // Somebody has to know better.
        planners = case.planners.clone();
    }
    let small = Case {
        problem: problem.clone(),
        truth: known,
        planners,
        budget: case.budget,
    };
    let (_, findings) = examine(&small, |_, _| {});
    let mut findings = findings.iter();
    findings.any(|it| it.kind.name() == args.kind && it.planner == args.planner)
}

/// True if the planner still dies, panics, or takes too long, in a process of
/// its own.
fn dies(args: &ShrinkArgs, case: &Case, problem: &Problem, folder: &Path) -> bool {
    let probe = folder.join("probe");
    let ready = std::fs::create_dir_all(&probe).is_ok() && write(&probe, problem).is_ok();
    let Ok(this) = std::env::current_exe() else {
        return false;
    };
    let time = case.budget.time.unwrap_or_default();
    let mut command = Command::new(this);
    command
        .arg("torture-probe")
        .args([probe.join("domain.hddl"), probe.join("problem.hddl")])
        .args(["--planner", &args.planner])
        .args(["--time-ms", &time.as_millis().to_string()])
        .args([
            "--memory",
            &case.budget.memory.unwrap_or(1 << 40).to_string(),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(nodes) = case.budget.nodes {
        command.args(["--nodes", &nodes.to_string()]);
    }
    let Ok(mut child) = command.spawn() else {
        return false;
    };
    let end = Instant::now() + PROBE;
    let mut held = 0;
    let code = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code(),
            _ if Instant::now() > end => break Some(LATE_CODE),
            _ => {
                held = held.max(super::memory_of(child.id()).unwrap_or(0));
                if held > super::MEMORY {
                    break Some(MEMORY_CODE);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    };
    let _ = child.kill();
    let _ = child.wait();
    let _ = std::fs::remove_dir_all(&probe);
    ready
        && match args.kind.as_str() {
            "crash" => code.is_none() || code == Some(134),
            "time" | "hang" => code == Some(LATE_CODE),
            "memory" => code == Some(MEMORY_CODE),
            _ => code == Some(PANIC_CODE),
        }
}

const LATE_CODE: i32 = 3;
const PANIC_CODE: i32 = 5;

/// Asks the planner and tells by the exit code how it went.
pub fn run_probe(args: &ProbeArgs) -> Result<(), String> {
    use planoku_torture::attempt::{Bench, Claim};
    let read = |path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let (domain, problem) = (read(&args.domain)?, read(&args.problem)?);
    let budget = planoku_engine::Budget {
        nodes: args.nodes,
        time: Some(Duration::from_millis(args.time_ms)),
        memory: Some(args.memory),
    };
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    let asked = thread.spawn({
        let planner = args.planner.clone();
        move || {
            let mut bench = Bench::read(&domain, &problem)?;
            let start = cpu_time::ProcessTime::now();
            let report = within_memory(budget, &mut || bench.attempt(&planner, budget));
            Ok::<_, String>((report, start.elapsed()))
        }
    });
    let asked = asked.map_err(|error| error.to_string())?;
    let (report, used) = asked.join().map_err(|_| "a panic outside of planners")??;
    let late = used > Duration::from_millis(args.time_ms) + super::worker::LATE;
    if let Claim::Panicked(_) = report.claim {
        std::process::exit(PANIC_CODE);
    }
    if late {
        std::process::exit(LATE_CODE);
    }
    Ok(())
}
