//! `planoku solve`: puzzles in, verified solutions out.
//!
//! Puzzles are read, solved and written in chunks: read what is there, solve
//! it on all cores, write it in order. Chunks grow while they are quick and
//! shrink when they are slow, so that a file of ten million puzzles keeps every
//! core busy in constant memory, and one hard puzzle shows its answer at once.
//!
//! Lists for the native engine, as lines or as JSON, take a shorter way
//! (`many`).

mod attempt;
mod many;
mod show;
mod trace;
mod work;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use planoku_sudoku::Grid;
use planoku_sudoku::text::{self, Format};
use planoku_workbench::EXAMPLES;

use crate::exit::{Context, Exit, Failure};
use crate::input::Input;
use crate::output::{Output, complain};
use crate::progress::Progress;
use crate::values;
use attempt::Record;
use show::View;
use work::{Settings, Work};

/// Solve puzzles; every solution is verified.
///
/// A terminal shows each puzzle drawn beside its solution. A pipe gets one line
/// a puzzle: its solution, and after `#` whatever else must be said (several
/// solutions, none, not a puzzle). With an explicit --limit above 1, every
/// solution found gets its own line.
///
/// Without --limit an engine that counts looks for up to 10 solutions, enough
/// to say "unique" or how many there are; an engine that does not count looks
/// for one.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input; a built-in puzzle if absent.
    input: Vec<String>,
    /// The engine to use, see `planoku engines`; may be given several times.
    #[arg(long, short, value_name = "NAME")]
    engine: Vec<String>,
    /// Stop at this many solutions of a puzzle: 1 solves, 2 decides uniqueness.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Time for each puzzle, such as 10s or 500ms.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// Search nodes for each puzzle.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Memory for each puzzle, such as 512M, as the engine estimates it.
    #[arg(long, value_name = "SIZE", value_parser = values::bytes)]
    memory: Option<u64>,
    /// How many puzzles are solved at once; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Write what happens inside each search to a file, as JSON Lines; puzzles
    /// are then solved one after the other.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// One JSON object a line, for each puzzle and engine.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// How solutions are written: drawn (as on a terminal), line, rows, boxed,
    /// sdk, ss, sdm, csv, jsonl or commas.
    #[arg(long, value_name = "FORMAT", value_parser = view)]
    format: Option<View>,
    /// Write results to a file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the last puzzle and its solution as an SVG picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn view(name: &str) -> Result<View, String> {
    match name {
        "drawn" => Ok(View::Drawn),
        "line" => Ok(View::Lines),
        name => name
            .parse::<Format>()
            .map(View::Format)
            .map_err(|error| error.replace("one of ", "one of drawn, ")),
    }
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let mut inputs = args.input.clone();
    if inputs.is_empty() {
        inputs.push(EXAMPLES[0].text.to_string());
    }
    let settings = Settings::new(&args, context)?;
    let mut session = Session::new(&args, context)?;
    if args.input.is_empty() {
        complain("a built-in puzzle; give a file, a puzzle, or - for standard input");
    }
    if many::suits(&args, session.view) {
        return many::run(&args, &inputs, session.view, settings, session.out, context);
    }
    let mut work = Work::new(&args, settings)?;
    let input = Input::open(&inputs);
    let progress = Progress::new(input.meter());
    let mut chunk_size = 1;
    loop {
        let chunk = input.next_chunk(chunk_size, &context.cancel);
        if chunk.is_empty() {
            break;
        }
        let started = Instant::now();
        let records = work.solve(chunk);
        chunk_size = next_size(chunk_size, started.elapsed());
        progress.advance(input.meter(), records.len() as u64);
        progress.aside(|| session.write(records))?;
    }
    progress.end();
    work.finish()?;
    session.finish()
}

/// Chunks aim at a twentieth of a second.
fn next_size(size: usize, took: Duration) -> usize {
    match took.as_millis() {
        0..=50 => (size * 2).min(1 << 12),
        51..=200 => size,
        _ => (size / 4).max(1),
    }
}

/// What is written, and what it adds up to.
struct Session<'a> {
    args: &'a Args,
    context: &'a Context,
    view: View,
    out: Output,
    exit: Exit,
    tally: Tally,
    last: Option<(Grid, Option<Grid>)>,
}

#[derive(Default)]
struct Tally {
    puzzles: u64,
    unique: u64,
    several: u64,
    none: u64,
    mistakes: u64,
    not_started: u64,
}

/// How many mistakes are reported in full.
const MISTAKES_SHOWN: u64 = 20;

impl<'a> Session<'a> {
    fn new(args: &'a Args, context: &'a Context) -> Result<Session<'a>, Failure> {
        let mut out = Output::to(args.output.as_deref())?;
        let view = match args.format {
            _ if args.json => View::Json,
            Some(view) => view,
            None if out.is_terminal() => View::Drawn,
            None => View::Lines,
        };
        if let View::Format(format) = view {
            out.write(text::header(format))?;
        }
        Ok(Session {
            args,
            context,
            view,
            out,
            exit: Exit::Done,
            tally: Tally::default(),
            last: None,
        })
    }

    /// Writes solved puzzles in order and adds up what they mean.
    fn write(&mut self, records: Vec<Record>) -> Result<(), Failure> {
        for record in records {
            if record.never_started() {
                self.tally.not_started += 1;
                continue;
            }
            self.complain_about(&record);
            self.exit = self.exit.max(record.exit());
            self.tally.add(&record);
            let all = self.args.limit.is_some_and(|limit| limit > 1);
            show::show(&record, self.view, all, &mut self.out)?;
            if let (Some(_), Ok(puzzle)) = (&self.args.svg, &record.item.puzzle) {
                self.last = Some((puzzle.clone(), record.first_solution().cloned()));
            }
        }
        self.out.flush()
    }

    fn complain_about(&self, record: &Record) {
        if let Some(mistake) = record.item.mistake()
            && self.tally.mistakes < MISTAKES_SHOWN
        {
            complain(format_args!("error: {mistake}"));
        }
        for message in record.complaints() {
            complain(format_args!("error: {message}"));
        }
    }

    fn finish(self) -> Result<Exit, Failure> {
        if let (Some(path), Some((puzzle, solution))) = (&self.args.svg, &self.last) {
            let mut file = Output::to(Some(path))?;
            file.write(&text::svg(puzzle, solution.as_ref()))?;
            file.flush()?;
        }
        let cancelled = self.context.cancel.is_cancelled();
        Ok(self.tally.close(self.exit, cancelled))
    }
}

impl Tally {
    fn add(&mut self, record: &Record) {
        if record.item.puzzle.is_err() {
            self.mistakes += 1;
            return;
        }
        self.puzzles += 1;
        match record.solution_count() {
            Some(0) => self.none += 1,
            Some(1) => self.unique += 1,
            Some(_) => self.several += 1,
            None => {}
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.puzzles += other.puzzles;
        self.unique += other.unique;
        self.several += other.several;
        self.none += other.none;
        self.mistakes += other.mistakes;
        self.not_started += other.not_started;
    }

    /// Says what it all adds up to; the code to end with.
    fn close(&self, exit: Exit, cancelled: bool) -> Exit {
        if self.mistakes > MISTAKES_SHOWN {
            let more = self.mistakes - MISTAKES_SHOWN;
            complain(format_args!("error: and {more} more that are not puzzles"));
        }
        if cancelled {
            complain(format_args!(
                "stopped by Ctrl-C after {} puzzle{}; the results so far are kept",
                self.puzzles,
                if self.puzzles == 1 { "" } else { "s" }
            ));
        }
        if self.puzzles > 1 {
            complain(self);
        }
        match cancelled {
            true => exit.max(Exit::Stopped),
            false => exit,
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} puzzles: {} unique, {} with several solutions, {} without",
            self.puzzles, self.unique, self.several, self.none
        )?;
        let open = self.puzzles - self.unique - self.several - self.none;
        if open > 0 {
            write!(f, ", {open} not decided")?;
        }
        if self.mistakes > 0 {
            write!(f, "; {} bad input", self.mistakes)?;
        }
        Ok(())
    }
}
