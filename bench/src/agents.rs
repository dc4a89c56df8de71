//! The block world measured: Table III of Abednego and Nugraheni, and
//! threads against round robin.
//!
//! `agents` takes the ten puzzles of a corpus that cost model 1 most and runs
//! model 1 and 4+1 on each; then it makes concurrent runs of every sound
//! fixed-point model and compares the board they end in with round robin's.

use planoku_engine::Run;
use planoku_sudoku::Grid;
use planoku_workbench::agents::{Policy, RobotModel, RobotSettings, Scheduler, experiment, run};
use serde_json::json;

use crate::corpus;

/// Table III, and concurrent runs against round robin.
#[derive(clap::Args)]
pub struct Args {
    /// A file of puzzles, or the name of a known corpus.
    #[arg(default_value = "euler50")]
    corpus: String,
    /// Puzzles in the table.
    #[arg(long, default_value_t = 10)]
    rows: usize,
    /// Concurrent runs.
    #[arg(long, default_value_t = 1000)]
    runs: usize,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs both experiments.
pub fn run_experiments(args: &Args) -> Result<(), String> {
    let mut puzzles: Vec<Grid> = Vec::new();
    for corpus in corpus::load(std::slice::from_ref(&args.corpus))? {
        for line in &corpus.lines {
            puzzles.push(line.parse().map_err(|error| format!("{line}: {error}"))?);
        }
    }
    table_three(&puzzles, args)?;
    concurrent(&puzzles, args)
}

fn table_three(puzzles: &[Grid], args: &Args) -> Result<(), String> {
    let rows = experiment::hardest(puzzles, args.rows).map_err(|error| error.to_string())?;
    if !args.json {
        println!(
            "puzzle  placements 1   removals 1     ms 1  placements 4+1  removals 4+1  ms 4+1"
        );
    }
    for row in &rows {
        let (alone, combined) = (row.alone.counts, row.combined.counts);
        let ms = |report: &planoku_workbench::agents::RunReport| report.time.as_secs_f64() * 1e3;
        let (alone_ms, combined_ms) = (ms(&row.alone), ms(&row.combined));
        if args.json {
            println!(
                "{}",
                json!({
                    "puzzle": row.number,
                    "placements_1": alone.placements, "removals_1": alone.removals, "ms_1": alone_ms,
                    "placements_4_1": combined.placements, "removals_4_1": combined.removals,
                    "ms_4_1": combined_ms, "worse": row.is_worse(),
                })
            );
        } else {
            println!(
                "{:>6} {:>13} {:>12} {alone_ms:>8.1} {:>15} {:>13} {combined_ms:>7.1}",
                row.number,
                alone.placements,
                alone.removals,
                combined.placements,
                combined.removals,
            );
        }
    }
    let worse = rows.iter().filter(|row| row.is_worse()).count();
    eprintln!(
        "4+1 is worse (more placements or removals) on {worse} of {}",
        rows.len()
    );
    Ok(())
}

fn concurrent(puzzles: &[Grid], args: &Args) -> Result<(), String> {
    let models = [
        RobotModel::M2,
        RobotModel::M3,
        RobotModel::M4,
        RobotModel::M5,
        RobotModel::M6,
    ];
    let mut refusals = 0;
    for nth in 0..args.runs {
        let Some(puzzle) = puzzles.get(nth % puzzles.len().max(1)) else {
            break;
        };
        let model = models[nth / puzzles.len() % models.len()];
        let once = |scheduler, policy| {
            let settings = RobotSettings {
                scheduler,
                policy,
                ..RobotSettings::new(model)
            };
            run(puzzle, &settings, &mut Run::limit(1)).map_err(|error| error.to_string())
        };
        let expected = once(Scheduler::RoundRobin, Policy::WholeScan)?;
        let found = once(Scheduler::Concurrent, Policy::ALL[nth % 2])?;
        refusals += found.counts.refusals;
        if found.grid != expected.grid || !found.lost.is_empty() {
            return Err(format!(
                "run {nth}: model {model} ended elsewhere on {puzzle}"
            ));
        }
    }
    eprintln!(
        "{} concurrent runs ended in the same board as round robin; {refusals} requests came too late",
        args.runs
    );
    Ok(())
}
