//! The process that asks planners. It says every step on standard output,
//! before it takes it.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use cpu_time::ProcessTime;
use planoku_engine::{Budget, memory};
use planoku_torture::attempt::{Claim, Report};
use planoku_torture::case::Case;
use planoku_torture::judge::{Finding, Kind, too_slow};

/// Ask planners about case after case; what `torture` starts.
#[derive(clap::Args)]
pub struct WorkerArgs {
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    step: u64,
    #[arg(long)]
    rare: u64,
    #[arg(long)]
    planner: Option<String>,
}

/// How much longer than allowed a planner may take: it is asked to hear a
/// limit within a second.
pub(super) const LATE: Duration = Duration::from_millis(1_000);

/// Cases between two tallies.
const OFTEN: u64 = 20;

/// Goes on until nobody listens any more.
pub fn run_worker(args: &WorkerArgs) -> Result<(), String> {
    // The stack that the main thread of `planoku` has.
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    let work = || {
        let mut seed = args.seed;
        let mut tallies = BTreeMap::new();
        for count in 1.. {
            say(&format!("case {seed}")).map_err(|error| error.to_string())?;
            let mut case = Case::of(seed, args.rare);
            if let Some(planner) = &args.planner {
                case.planners = vec![planner.clone()];
            }
            work(&case, &mut tallies).map_err(|error| error.to_string())?;
            if count % OFTEN == 0 {
                for (name, [plans, proofs, open]) in std::mem::take(&mut tallies) {
                    say(&format!("tally {name} {plans} {proofs} {open}"))
                        .map_err(|error| error.to_string())?;
                }
            }
            seed += args.step;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|error| error.to_string())?;
        thread
            .join()
            .unwrap_or_else(|_| Err("a panic outside of planners".into()))
    })
}

fn work(case: &Case, tallies: &mut BTreeMap<String, [u64; 3]>) -> Result<(), std::io::Error> {
    let (reports, findings) = examine(case, |name, cpu| {
        let _ = say(&format!("ask {name} {}", cpu.as_micros()));
    });
    for report in &reports {
        let row = tallies.entry(report.planner.clone()).or_default();
        match report.claim {
            Claim::Plan(_) => row[0] += 1,
            Claim::None => row[1] += 1,
            _ => row[2] += 1,
        }
    }
    for finding in findings {
        let detail = finding.detail.replace('\n', " ");
        say(&format!(
            "finding {} {} {detail}",
            finding.kind.name(),
            finding.planner
        ))?;
    }
    say(match case.truth.exists {
        Some(_) => "done decided",
        None => "done",
    })
}

/// Asks everyone, and measures how long it takes them.
pub(super) fn examine(
    case: &Case,
    mut before: impl FnMut(&str, Duration),
) -> (Vec<Report>, Vec<Finding>) {
    let mut late = Vec::new();
    let mut costs = Vec::new();
    let (reports, mut findings) = case.examine(|name, attempt| {
        let start = ProcessTime::now();
        before(name, start.as_duration());
        let report = within_memory(case.budget, attempt);
        let used = start.elapsed();
        costs.push(used);
        if let Some(allowed) = case.budget.time
            && used > allowed + LATE
        {
            late.push(Finding {
                kind: Kind::Time,
                planner: name.to_string(),
                detail: format!("{used:.1?} of CPU time where {allowed:?} were allowed"),
            });
        }
        report
    });
    findings.extend(late);
    findings.extend(too_slow(&reports, &costs));
    (reports, findings)
}

/// Ends the process as soon as twice the memory budget is held. (The command
/// ends itself at the budget; this is how far planners may go between two
/// looks, when the largest table they have doubles.)
pub(super) fn within_memory(budget: Budget, attempt: &mut dyn FnMut() -> Report) -> Report {
    let held = memory::in_use().unwrap_or(0);
    if let Some(allowed) = budget.memory {
        // What surrounds the planners is not theirs to save.
        let most = 2 * allowed.max(held);
        memory::set_ceiling(most, || std::process::exit(super::MEMORY_CODE));
    }
    let report = attempt();
    memory::set_ceiling(u64::MAX, || {});
    report
}

fn say(line: &str) -> Result<(), std::io::Error> {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()
}
