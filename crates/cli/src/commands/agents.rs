//! `planoku agents`: robots fill the board, and their messages are counted.

use std::path::PathBuf;
use std::time::Duration;

use planoku_engine::{Budget, Run};
use planoku_sudoku::Grid;
use planoku_sudoku::text::{Layer, draw};
use planoku_workbench::agents::judge::{unique_solution, wrong_boxes};
use planoku_workbench::agents::{
    Fault, FaultKind, Finish, Interpretation, Loss, Policy, RobotEvent, RobotId, RobotModel,
    RobotSettings, RunError, RunReport, Scheduler, run_with,
};
use planoku_workbench::trace::{self, Robots, robots_header};
use serde_json::json;

use crate::exit::{Context, Exit, Failure};
use crate::input::Input;
use crate::output::{Output, complain};
use crate::values;

/// Let robots of the block world fill the board, and count their messages.
///
/// Model 1 is backtracking with two robots; in the others one robot per number
/// looks for a place for its boxes until nobody finds one. The models are those
/// of Abednego and Nugraheni, and two of ours (5, 6).
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input.
    #[arg(required = true)]
    input: Vec<String>,
    /// Which robots: 1, 2, 3, 4, 4+1, 5 or 6.
    #[arg(long, default_value = "4+1")]
    model: RobotModel,
    /// How models 3 and 4 are read: sound, or printed (to the letter; robots
    /// then place wrong boxes).
    #[arg(long, default_value = "sound")]
    reading: Interpretation,
    /// Who goes next: round-robin, random, fewest, interleaved or concurrent.
    #[arg(long, default_value = "round-robin")]
    scheduler: Scheduler,
    /// How long a robot keeps its turn: whole-scan or one-box.
    #[arg(long, default_value = "whole-scan")]
    policy: Policy,
    /// For the schedulers that draw: random and interleaved.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Time for each puzzle, such as 10s or 500ms.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// Requests served for each puzzle.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Boxes taken back for each puzzle.
    #[arg(long, value_name = "N")]
    removals: Option<u64>,
    /// With the concurrent scheduler: how long silence is borne before a robot
    /// that owes an answer is given up.
    #[arg(long, value_name = "TIME", value_parser = values::duration, default_value = "5s")]
    patience: Duration,
    /// With the concurrent scheduler: let a robot die or sleep, such as `3:dies`
    /// or `3:sleeps:2s`, after its first action.
    #[arg(long, value_name = "FAULT", value_parser = fault)]
    fault: Option<Fault>,
    /// Write what happens as JSON Lines, for `planoku replay`; one puzzle only.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Events of the trace; if there would be more, the deepest are left out.
    #[arg(long, value_name = "N", default_value_t = trace::LIMIT)]
    trace_events: usize,
    /// One JSON object a line, for each puzzle.
    #[arg(long)]
    json: bool,
}

fn fault(text: &str) -> Result<Fault, String> {
    let wanted = || format!("expected ROBOT:dies or ROBOT:sleeps:TIME, found `{text}`");
    let (robot, what) = text.split_once(':').ok_or_else(wanted)?;
    let number: u8 = robot.parse().map_err(|_| wanted())?;
    let kind = match what.split_once(':') {
        None if what == "dies" => FaultKind::Dies,
        Some(("sleeps", time)) => FaultKind::Sleeps(values::duration(time)?),
        _ => return Err(wanted()),
    };
    Ok(Fault {
        robot: RobotId(number.checked_sub(1).ok_or_else(wanted)?),
        after: 1,
        kind,
    })
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let settings = settings(&args)?;
    let mut output = Output::stdout();
    let input = Input::open(&args.input);
    let (mut worst, mut total) = (Exit::Done, Total::default());
    loop {
        let chunk = input.next_chunk(1, &context.cancel);
        let Some(item) = chunk.into_iter().next() else {
            break;
        };
        if let Some(mistake) = item.mistake() {
            complain(format_args!("error: {mistake}"));
            worst = worst.max(Exit::BadInput);
        }
        let Ok(puzzle) = item.puzzle else {
            continue;
        };
        if args.trace.is_some() && total.puzzles > 0 {
            return Err(Failure::bad_input("--trace takes one puzzle, found more"));
        }
        let exit = one(&puzzle, &args, &settings, context, &mut output, &mut total)?;
        worst = worst.max(exit);
    }
    if context.cancel.is_cancelled() {
        worst = worst.max(Exit::Stopped);
    }
    if total.puzzles > 1 && !args.json {
        output.write(&total.describe())?;
    }
    output.flush()?;
    Ok(worst)
}

fn settings(args: &Args) -> Result<RobotSettings, Failure> {
    let model = args.model;
    if args.reading == Interpretation::Printed && !model.is_printed() {
        return Err(Failure::bad_input(format!(
            "model {model} was never printed; --reading printed is for models 1 to 4"
        )));
    }
    if args.fault.is_some() && args.scheduler != Scheduler::Concurrent {
        return Err(Failure::bad_input(
            "--fault needs --scheduler concurrent: only threads die or sleep",
        ));
    }
    Ok(RobotSettings {
        model,
        reading: args.reading,
        scheduler: args.scheduler,
        policy: args.policy,
        seed: args.seed,
        removals: args.removals,
        patience: args.patience,
        fault: args.fault,
    })
}

/// Nodes the judge may spend on finding out what the only solution is.
const JUDGE_NODES: u64 = 2_000_000;

fn one(
    puzzle: &Grid,
    args: &Args,
    settings: &RobotSettings,
    context: &Context,
    output: &mut Output,
    total: &mut Total,
) -> Result<Exit, Failure> {
    let solution = unique_solution(puzzle, JUDGE_NODES);
    let mut robots = args.trace.as_ref().map(|_| {
        let engine = format!("agents:{}", settings.model);
        let header = robots_header(&engine, puzzle, solution.as_ref(), settings);
        Robots::new(header, args.trace_events)
    });
    let budget = Budget {
        time: args.time,
        nodes: args.nodes,
        memory: None,
    };
    let mut run = Run::limit(1)
        .with_budget(budget)
        .with_cancel(context.cancel.clone());
    let mut note = |event: RobotEvent| {
        if let Some(robots) = &mut robots {
            robots.event(event);
        }
    };
    // Without a trace nobody listens, and the run is not slowed down.
    let listener: Option<&mut dyn FnMut(RobotEvent)> = match args.trace {
        Some(_) => Some(&mut note),
        None => None,
    };
    let report = match run_with(puzzle, settings, &mut run, listener, &mut |_| false) {
        Ok(report) => report,
        Err(RunError::Contradiction(twice)) => {
            return contradiction(puzzle, twice, args, output, total);
        }
        Err(error) => return Err(Failure::fault(error)),
    };
    if let (Some(robots), Some(path)) = (robots, &args.trace) {
        let found = u64::from(report.finish == Finish::Solved);
        let trace = robots.finish(report.finish.name(), found, Some(run.nodes()));
        let mut file = Output::to(Some(path))?;
        file.write(&trace.to_string())?;
        file.flush()?;
    }
    let wrong = solution
        .as_ref()
        .map(|solution| wrong_boxes(&report.grid, solution));
    for (robot, how) in &report.lost {
        let how = match how {
            Loss::Died => "has died".to_owned(),
            Loss::Late => format!("owed an answer for {:?} and was given up", args.patience),
        };
        complain(format_args!("warning: {robot} {how}"));
    }
    if report.finish == Finish::Abandoned {
        complain("error: the work was abandoned: nobody can replace the lost robot");
    }
    total.add(puzzle, &report, wrong);
    let text = match args.json {
        true => json_line(puzzle, settings, &report, wrong),
        false => describe(puzzle, solution.as_ref(), settings, &report, wrong),
    };
    output.write(&text)?;
    Ok(exit(&report))
}

fn exit(report: &RunReport) -> Exit {
    match report.finish {
        Finish::Solved => Exit::Done,
        Finish::Exhausted => Exit::Proved,
        Finish::FixedPoint | Finish::DeadEnd | Finish::Abandoned => Exit::GaveUp,
        Finish::Stopped(_) => Exit::Stopped,
    }
}

fn contradiction(
    puzzle: &Grid,
    twice: impl std::fmt::Display,
    args: &Args,
    output: &mut Output,
    total: &mut Total,
) -> Result<Exit, Failure> {
    total.puzzles += 1;
    let text = match args.json {
        true => {
            let (puzzle, because) = (puzzle.to_string(), twice.to_string());
            let object = json!({
                "puzzle": puzzle, "model": args.model.name(), "reading": args.reading.name(),
                "scheduler": args.scheduler.name(), "solved": false, "end": "exhausted",
                "placements": 0, "removals": 0, "wrong": null, "messages": 0, "refusals": 0,
                "rounds": 0, "grid": puzzle, "because": because,
            });
            format!("{object}\n")
        }
        false => format!("no solution: {twice}\n"),
    };
    output.write(&text)?;
    Ok(Exit::Proved)
}

fn json_line(
    puzzle: &Grid,
    settings: &RobotSettings,
    report: &RunReport,
    wrong: Option<usize>,
) -> String {
    let counts = report.counts;
    let stopped_by = match report.finish {
        Finish::Stopped(by) => Some(by.name()),
        _ => None,
    };
    let lost: Vec<_> = report
        .lost
        .iter()
        .map(|(robot, how)| json!({"robot": robot.0 + 1, "how": how}))
        .collect();
    let object = json!({
        "puzzle": puzzle.to_string(),
        "model": settings.model.name(),
        "reading": settings.reading.name(),
        "scheduler": settings.scheduler.name(),
        "policy": settings.policy.name(),
        "seed": settings.seed,
        "solved": report.finish == Finish::Solved,
        "end": report.finish.name(),
        "stopped_by": stopped_by,
        "placements": counts.placements,
        "removals": counts.removals,
        "wrong": wrong,
        "messages": counts.messages,
        "refusals": counts.refusals,
        "rounds": counts.rounds,
        "turns": counts.turns,
        "lost": lost,
        "time_us": report.time.as_micros() as u64,
        "grid": report.grid.to_string(),
    });
    format!("{object}\n")
}

fn describe(
    puzzle: &Grid,
    solution: Option<&Grid>,
    settings: &RobotSettings,
    report: &RunReport,
    wrong: Option<usize>,
) -> String {
    let drawing = draw(puzzle, &report.grid, |cell, layer, symbol| {
        let wrong = solution.is_some_and(|solution| solution.get(cell) != report.grid.get(cell));
        let style = match layer {
            Layer::Found if wrong => anstyle::AnsiColor::Red.on_default().bold(),
            Layer::Found => anstyle::AnsiColor::Cyan.on_default(),
            Layer::Clue => anstyle::Style::new().bold(),
            Layer::Blank => anstyle::Style::new(),
        };
        format!("{style}{symbol}{style:#}")
    });
    let end = match report.finish {
        Finish::Solved => "solved".to_owned(),
        Finish::FixedPoint => "gave up: nobody finds anything to do".to_owned(),
        Finish::Exhausted => "no solution: everything was tried".to_owned(),
        Finish::DeadEnd => "gave up: nothing fits on top of what was placed".to_owned(),
        Finish::Abandoned => "abandoned".to_owned(),
        Finish::Stopped(by) => format!(
            "stopped by {}",
            match by.name() {
                "cancelled" => "Ctrl-C",
                other => other,
            }
        ),
    };
    let wrong = match wrong {
        Some(wrong) => format!("{wrong} wrong"),
        None => "no unique solution to judge by".to_owned(),
    };
    let placed = report.grid.clue_count() - puzzle.clue_count();
    let counts = report.counts;
    format!(
        "{drawing}model {} ({}), {}, {}: {end}\n\
         {placed} of {} boxes stand, {wrong}\n\
         {} placements, {} removals, {} messages, {} refusals, {} rounds, {:.1?}\n",
        settings.model,
        settings.reading,
        settings.scheduler,
        settings.policy,
        puzzle.blanks().count(),
        counts.placements,
        counts.removals,
        counts.messages,
        counts.refusals,
        counts.rounds,
        report.time,
    )
}

/// What many puzzles add up to, as the paper's tables count.
#[derive(Default)]
struct Total {
    puzzles: usize,
    solved: usize,
    with_wrong_boxes: usize,
    blanks: usize,
    filled: usize,
}

impl Total {
    fn add(&mut self, puzzle: &Grid, report: &RunReport, wrong: Option<usize>) {
        self.puzzles += 1;
        self.solved += usize::from(report.finish == Finish::Solved);
        self.with_wrong_boxes += usize::from(wrong.is_some_and(|wrong| wrong > 0));
        self.blanks += puzzle.blanks().count();
        self.filled += report.grid.clue_count() - puzzle.clue_count();
    }

    fn describe(&self) -> String {
        let per_cent = 100.0 * self.filled as f64 / self.blanks.max(1) as f64;
        format!(
            "{}: {} solved, {per_cent:.1} % of the empty cells filled, {} with a wrong box\n",
            crate::output::counted(self.puzzles, "puzzle"),
            self.solved,
            self.with_wrong_boxes
        )
    }
}
