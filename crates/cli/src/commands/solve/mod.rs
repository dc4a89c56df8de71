//! `planoku solve`: puzzles in, verified solutions out.
//!
//! One way for one puzzle and for ten million: read, solve on all cores, write
//! in order (`crate::pipeline`). What is done with a puzzle stands in `job`,
//! what is known about it in `record`, how it is written in `view`, and in
//! `table` where rows are kept.

mod job;
mod record;
mod table;
mod trace;
mod view;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use planoku_data::Share;
use planoku_data::columns::Work;
use planoku_engine::Budget;
use planoku_sudoku::text::{self, Format};
use planoku_workbench::{EXAMPLES, SudokuEngine};

use crate::columns;
use crate::exit::{Context, Exit, Failure};
use crate::input::Inputs;
use crate::output::{Output, complain};
use crate::pipeline::{self, Done};
use crate::values;
use job::{Solve, Tally};
use table::Table;
use trace::Traces;
use view::View;

/// Solve puzzles; every solution is verified.
///
/// A terminal shows each puzzle drawn beside its solution. A pipe gets one line
/// a puzzle: its solution, and after `#` whatever else must be said (several
/// solutions, none, not a puzzle). With an explicit --limit above 1, every
/// solution gets its own line as soon as it is found and verified; none is
/// kept, so memory does not depend on how many there are.
///
/// Without --limit an engine that counts looks for up to 10 solutions, enough
/// to say "unique" or how many there are; an engine that does not count looks
/// for one.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input; a built-in puzzle if absent.
    pub input: Vec<String>,
    /// The engine to use, see `planoku engines`; may be given several times.
    #[arg(long, short, value_name = "NAME", value_parser = values::offered(values::engines, values::any), hide_possible_values = true)]
    pub engine: Vec<String>,
    /// Stop at this many solutions of a puzzle: 1 solves, 2 decides uniqueness.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Only say how many solutions there are (all of them, unless --limit says
    /// otherwise), as `planoku count` does.
    #[arg(long, conflicts_with_all = ["format", "svg", "trace"])]
    pub count: bool,
    /// Time for each puzzle, such as 10s or 500ms.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub time: Option<Duration>,
    /// Search nodes for each puzzle.
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Memory for each puzzle, such as 512M.
    #[arg(long, value_name = "SIZE", value_parser = values::bytes)]
    pub memory: Option<u64>,
    /// How many puzzles are solved at once; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Only part I of N of the puzzles, for one of N machines.
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Share>,
    /// Write what happens inside each search to a file, as JSON Lines for
    /// `planoku replay`; puzzles are then solved one after the other, each to
    /// its first solution unless --limit says otherwise.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Events of each trace; if there would be more, the deepest are left out.
    #[arg(long, value_name = "N", default_value_t = TRACE_LIMIT)]
    pub trace_limit: usize,
    /// One JSON object a line, for each puzzle and engine.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// How solutions are written: drawn (as on a terminal), line, rows, boxed,
    /// sdk, ss, sdm, commas or opensudoku. csv, tsv and jsonl write a row for
    /// each row of the input: puzzle, solution, status and the input's other
    /// columns.
    #[arg(long, value_name = "FORMAT", value_parser = values::offered(shapes, shape), hide_possible_values = true)]
    pub format: Option<Shape>,
    /// Draw each puzzle with its candidates, also into a pipe.
    #[arg(long, conflicts_with_all = ["json", "format", "count"])]
    pub pencil: bool,
    /// Write results to a file instead of standard output; if its name ends in
    /// .parquet, a row for each row of the input with all its columns, `solution`
    /// and `solutions`.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Draw the last puzzle and its solution as an SVG picture.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Events of a trace if nobody says how many: some 10 MB.
pub const TRACE_LIMIT: usize = planoku_workbench::trace::LIMIT;

/// What `--format` asks for.
#[derive(Clone, Copy)]
pub enum Shape {
    Drawn,
    Table(Table),
    Format(Format),
}

/// What `--format` takes.
fn shapes() -> Vec<String> {
    let own = ["drawn", "csv", "tsv", "jsonl"].map(String::from);
    let formats = Format::ALL.map(|format| format.name().to_string());
    let mut names = own.to_vec();
    names.extend(formats.into_iter().filter(|name| !own.contains(name)));
    names
}

fn shape(name: &str) -> Result<Shape, String> {
    match name {
        "drawn" => Ok(Shape::Drawn),
        "csv" => Ok(Shape::Table(Table::Csv)),
        "tsv" => Ok(Shape::Table(Table::Tsv)),
        "jsonl" => Ok(Shape::Table(Table::Jsonl)),
        name => name.parse::<Format>().map(Shape::Format).map_err(|error| {
            let text = error.to_string();
            text.replace("one of ", "one of drawn, tsv, ")
        }),
    }
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    if let Some(path) = args
        .output
        .as_deref()
        .filter(|path| columns::wanted(Some(path)))
    {
        return parquet(&args, path, context);
    }
    let engines = engines(&args.engine)?;
    let mut out = Output::to(args.output.as_deref())?;
    let view = view(&args, &out);
    refuse(view, &engines)?;
    let mut inputs = args.input.clone();
    if inputs.is_empty() {
        inputs.push(EXAMPLES[0].text.to_string());
        complain("a built-in puzzle; give a file, a puzzle, or - for standard input");
    }
    if let View::Format { format, .. } = view {
        out.write(text::header(format))?;
    }
    let trace = args.trace.as_deref();
    let trace = trace.map(|path| Traces::create(path, args.trace_limit));
    let trace = trace.transpose()?.map(|trace| Arc::new(Mutex::new(trace)));
    let job = Solve {
        view,
        batch: suits_batch(&args, view),
        engines,
        limit: args.limit,
        budget: Budget {
            time: args.time,
            nodes: args.nodes,
            memory: args.memory,
        },
        cancel: context.cancel.clone(),
        pencil: args.pencil,
        picture: args.svg.is_some(),
        trace: trace.clone(),
        columns: OnceLock::new(),
    };
    // A trace is one thing after the other.
    let threads = trace.as_ref().map_or(args.threads, |_| Some(1));
    let feed = Inputs {
        names: &inputs,
        share: args.shard,
    };
    let done = pipeline::run(job, feed, threads, out, context)?;
    done.say_what_is_missing();
    if done.puzzles > 1 {
        complain(summary(&done));
    }
    if let Some(trace) = trace {
        let mut traces = trace.lock().unwrap_or_else(PoisonError::into_inner);
        traces.finish()?;
        if traces.capped > 0 {
            complain(format_args!(
                "the trace was kept to {} events by leaving out the deepest; see --trace-limit",
                args.trace_limit
            ));
        }
    }
    if let (Some(path), Some((puzzle, solution))) = (&args.svg, &done.sum.last) {
        let mut file = Output::to(Some(path))?;
        file.write(&text::svg(puzzle, solution.as_ref()))?;
        file.flush()?;
    }
    Ok(done.exit)
}

/// A row for each row of the input, with its solution and how many there are.
fn parquet(args: &Args, path: &Path, context: &Context) -> Result<Exit, Failure> {
    let plain = args.engine.iter().all(|name| name == "native")
        && args.limit.is_none_or(|limit| limit == 2)
        && !(args.count
            || args.json
            || args.format.is_some()
            || args.pencil
            || args.trace.is_some())
        && args.time.is_none()
        && args.nodes.is_none()
        && args.memory.is_none();
    match plain {
        true => {
            let inputs = Inputs {
                names: &args.input,
                share: args.shard,
            };
            columns::run(inputs, path, &Work::Solve, args.threads, context)
        }
        false => Err(Failure::bad_input(
            "a Parquet file gets `solution` and `solutions` from the native engine: expected no \
             option but --threads and --shard beside it",
        )),
    }
}

/// How results are written.
fn view(args: &Args, out: &Output) -> View {
    let all = args.limit.is_some_and(|limit| limit > 1);
    match args.format {
        _ if args.count && args.json => View::CountJson,
        _ if args.count => View::Count,
        _ if args.json => View::Json,
        _ if args.pencil => View::Drawn,
        Some(Shape::Drawn) => View::Drawn,
        Some(Shape::Table(table)) => View::Table(table),
        Some(Shape::Format(Format::Line)) => View::Lines { all },
        Some(Shape::Format(format)) => View::Format { format, all },
        None if out.is_terminal() && !(all && args.limit > Some(MANY)) => View::Drawn,
        None => View::Lines { all },
    }
}

/// Who asks for more solutions than this does not want a drawing of the first.
const MANY: u64 = 1000;

/// Says no to what would not be what it seems.
fn refuse(view: View, engines: &[SudokuEngine]) -> Result<(), Failure> {
    if matches!(view, View::Table(_)) && engines.len() > 1 {
        return Err(Failure::bad_input(
            "a table has one row for each row of the input: expected one --engine, found several \
             (--json has a line for each engine)",
        ));
    }
    let mut profiles = engines.iter().map(|engine| engine.profile());
    match profiles.find(|profile| view.only_counts() && !profile.counts) {
        Some(profile) => Err(Failure::bad_input(format!(
            "expected an engine that counts, found {}; see `planoku engines`",
            profile.name
        ))),
        None => Ok(()),
    }
}

/// True if batches do all that the arguments ask for.
fn suits_batch(args: &Args, view: View) -> bool {
    let native = args.engine.iter().all(|name| name == "native") && args.engine.len() <= 1;
    let budget = args.time.is_some() || args.nodes.is_some() || args.memory.is_some();
    let watched = args.trace.is_some() || args.svg.is_some();
    native && !budget && !watched && view != View::Drawn
}

/// What many puzzles add up to.
fn summary(done: &Done<Tally>) -> String {
    let Tally {
        unique,
        several,
        none,
        ..
    } = done.sum;
    let mut text = format!(
        "{}: {unique} unique, {several} with several solutions, {none} without",
        crate::output::counted(done.puzzles as usize, "puzzle")
    );
    let open = done.puzzles - unique - several - none;
    if open > 0 {
        text += &format!(", {open} not decided");
    }
    if done.mistakes > 0 {
        text += &format!("; {} bad input", done.mistakes);
    }
    text
}

/// The engines of those names; the first of the registry if none is named.
fn engines(names: &[String]) -> Result<Vec<SudokuEngine>, Failure> {
    if names.is_empty() {
        let first = planoku_workbench::engines().into_iter().next();
        let first = first.ok_or_else(|| Failure::fault("no engine is registered"))?;
        return Ok(vec![first]);
    }
    let by_name = |name: &String| {
        planoku_workbench::find(name).map_err(|error| {
            let known = values::engines().join(", ");
            values::no_engine(&error, &format!("there are {known}"))
        })
    };
    names.iter().map(by_name).collect()
}
