//! `planoku compare`: the same puzzles through many engines.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use anstyle::AnsiColor;
use indicatif::{ProgressBar, ProgressStyle};
use planoku_engine::Budget;
use planoku_sudoku::Grid;
use planoku_workbench::chart::{short_count, short_time};
use planoku_workbench::compare::{
    Claim, Contest, EngineComparison, Measured, Summary, disagreements, summaries,
};
use planoku_workbench::{EXAMPLES, SudokuEngine};
use serde_json::json;

use crate::exit::{Context, Exit, Failure};
use crate::input::Input;
use crate::output::{Output, complain};
use crate::values;

/// Run the same puzzles through many engines; disagreements first.
///
/// Engines take turns on each puzzle, several rounds; times are medians. A
/// search that hits its budget is shown as stopped: neither a failure nor a
/// win. Ends with exit code 70 if two engines contradict each other.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input; built-in puzzles if absent.
    input: Vec<String>,
    /// An engine to compare, see `planoku engines`; may be given several times.
    /// All of them if absent.
    #[arg(long, short, value_name = "NAME", value_parser = values::offered(values::engines, values::any), hide_possible_values = true)]
    engine: Vec<String>,
    /// Time for each search.
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = values::duration)]
    time: Duration,
    /// Search nodes for each search.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How often each search is timed.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// How many searches run at once; one for each core if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// One JSON object a line, for each puzzle and engine.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Comma-separated values, a row for each puzzle and engine.
    #[arg(long)]
    csv: bool,
    /// Write a page with charts as well, complete in one HTML file.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let engines = entrants(&args.engine)?;
    let (puzzles, mistakes) = puzzles(&args.input, context);
    if puzzles.is_empty() {
        return Err(Failure {
            exit: Exit::BadInput,
            message: "no puzzle to compare on".into(),
        });
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let contest = Contest {
        engines,
        puzzles,
        budget: Budget {
            time: Some(args.time),
            nodes: args.nodes,
            memory: None,
        },
        rounds: usize::from(args.rounds),
        threads: args.threads.map_or(cores, usize::from),
    };
    let bar = ProgressBar::new(contest.puzzles.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} puzzles, {elapsed}, {eta} left")
            .map_err(Failure::fault)?,
    );
    let report = contest.run(&context.cancel, &|done, _| bar.set_position(done as u64));
    bar.finish_and_clear();
    show(&args, &report)?;
    if let Some(path) = &args.output {
        let mut file = Output::to(Some(path))?;
        file.write(&planoku_web::report::comparison_page(&report))?;
        file.flush()?;
        complain(format_args!("wrote {}", path.display()));
    }
    Ok(if !disagreements(&report).is_empty() {
        Exit::Fault
    } else if mistakes {
        Exit::BadInput
    } else if report.cut_short {
        Exit::Stopped
    } else {
        Exit::Done
    })
}

fn entrants(names: &[String]) -> Result<Vec<SudokuEngine>, Failure> {
    if names.is_empty() {
        return Ok(planoku_workbench::engines());
    }
    let find = |name: &String| {
        let hint = "`planoku engines` lists them";
        planoku_workbench::find(name).map_err(|error| values::no_engine(&error, hint))
    };
    names.iter().map(find).collect()
}

/// The puzzles, and whether something in the input was none.
fn puzzles(inputs: &[String], context: &Context) -> (Vec<Grid>, bool) {
    if inputs.is_empty() {
        let built_in = EXAMPLES.iter().map(|example| example.grid());
        return (built_in.collect(), false);
    }
    let input = Input::open(inputs);
    let mut puzzles = Vec::new();
    let mut mistakes = false;
    loop {
        let chunk = input.next_chunk(1 << 12, &context.cancel);
        if chunk.is_empty() {
            return (puzzles, mistakes);
        }
        for item in chunk {
            if let Some(mistake) = item.mistake() {
                complain(format_args!("error: {mistake}"));
                mistakes = true;
            }
            puzzles.extend(item.puzzle);
        }
    }
}

fn show(args: &Args, report: &EngineComparison) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let text = if args.json {
        json_lines(report)
    } else if args.csv {
        csv_rows(report)
    } else {
        format!("{}{}", verdict(report), table(&summaries(report)))
    };
    out.write(&text)?;
    out.flush()
}

fn verdict(report: &EngineComparison) -> String {
    let (good, bad) = (
        AnsiColor::Green.on_default(),
        AnsiColor::Red.on_default().bold(),
    );
    let found = disagreements(report);
    let mut text = String::new();
    for disagreement in &found {
        let puzzle = &report.puzzles[disagreement.puzzle];
        let _ = writeln!(text, "{bad}DISAGREEMENT{bad:#} on {puzzle}");
        for (says, names) in &disagreement.sides {
            let _ = writeln!(text, "  {}: {says}", names.join(", "));
        }
    }
    let (engines, puzzles) = (report.engines.len(), report.puzzles.len());
    let _ = match found.len() {
        0 => writeln!(
            text,
            "{}, {}: {good}all agree, every solution verified{good:#}",
            crate::output::counted(engines, "engine"),
            crate::output::counted(puzzles, "puzzle")
        ),
        n => writeln!(
            text,
            "{bad}{n} of {} in dispute{bad:#}",
            crate::output::counted(puzzles, "puzzle")
        ),
    };
    text
}

fn table(rows: &[Summary]) -> String {
    let number = |n: usize| {
        if n == 0 {
            "·".to_string()
        } else {
            n.to_string()
        }
    };
    let time = |time: Duration| short_time(time.as_secs_f64());
    let head = [
        "engine",
        "solved",
        "none",
        "gave up",
        "stopped",
        "median",
        "middle half",
        "slowest",
        "nodes",
    ];
    let mut cells = vec![head.map(String::from)];
    cells.extend(rows.iter().map(|row| {
        [
            row.engine.clone(),
            number(row.solved),
            number(row.refuted),
            number(row.gave_up),
            number(row.stopped),
            time(row.time.median),
            format!("{} – {}", time(row.time.lower), time(row.time.upper)),
            time(row.time.most),
            short_count(row.nodes.median as f64),
        ]
    }));
    format!("\n{}", crate::output::columns(&cells))
}

fn json_lines(report: &EngineComparison) -> String {
    let line = |measured: &Measured| {
        let stopped_by = match measured.claim {
            Claim::Stopped(stop) => Some(stop.name()),
            _ => None,
        };
        let solution = match &measured.claim {
            Claim::Solved(grid) => Some(grid.to_string()),
            _ => None,
        };
        json!({
            "puzzle": report.puzzles[measured.puzzle].to_string(),
            "engine": report.engines[measured.engine],
            "claim": measured.claim.name(),
            "stopped_by": stopped_by,
            "solution": solution,
            "verified": solution.is_some(),
            "nodes": measured.nodes,
            "time_us": measured.time().as_micros() as u64,
            "times_us": measured.times.iter().map(|t| t.as_micros() as u64).collect::<Vec<_>>(),
        })
        .to_string()
    };
    report
        .results
        .iter()
        .map(|measured| line(measured) + "\n")
        .collect()
}

fn csv_rows(report: &EngineComparison) -> String {
    let mut text = String::from("puzzle,engine,claim,nodes,time_us\n");
    for measured in &report.results {
        let _ = writeln!(
            text,
            "{},{},{},{},{}",
            report.puzzles[measured.puzzle],
            report.engines[measured.engine],
            measured.claim.name(),
            measured.nodes,
            measured.time().as_micros()
        );
    }
    text
}
