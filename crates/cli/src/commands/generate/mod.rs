//! `planoku generate`: puzzles to a recipe, the same for the same seed.
//!
//! Puzzles are made in chunks, on all cores, and written in order; a chunk
//! begins small, and when it goes quickly the next is larger and each core
//! makes many puzzles at once. The `index`-th puzzle depends on the seed and
//! its index alone, so the number of threads changes nothing but the time.
//!
//! Puzzles of a rating are another matter, see `order`.

mod order;
mod sink;

use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use planoku_engine::{Run, Stop};
use planoku_human::page::PER_PAGE;
use planoku_human::{Rating, Technique};
use planoku_sudoku::generate::{Level, PatternSymmetry, PuzzleRecipe};
use planoku_sudoku::text::Format;
use planoku_sudoku::{Grid, Shape};
use rayon::prelude::*;

use crate::exit::{Context, Exit, Failure};
use crate::output::complain;
use crate::values;
use sink::Sink;

/// Make puzzles; each has exactly one solution.
///
/// With --rating, --with, --without or --level (9x9 only) they are rated on the
/// scale of `planoku rate`, and only those as ordered are written. -o FILE.html
/// makes sheets to print, -o FILE.svg pictures.
///
/// The same seed gives the same puzzles, whatever the number of threads.
#[derive(clap::Args)]
pub struct Args {
    /// How many puzzles.
    #[arg(short, value_name = "N", default_value_t = 1)]
    n: u64,
    /// How hard: ER 1.0 to 1.5, 1.7 to 2.8, 3.0 to 6.2, or 6.5 and more, with
    /// about 51, 41, 31 % of the cells given, or as few as can be; on boards of
    /// other sizes the number of cells alone. The clues are those of medium
    /// unless they are given another way.
    #[arg(long, value_name = "easy|medium|hard|crazy", value_parser = values::offered(levels, level), hide_possible_values = true)]
    level: Option<Level>,
    /// The hardest step, from A to B on the scale, both included; or exactly A.
    #[arg(long, value_name = "A..B", value_parser = order::rating)]
    rating: Option<RangeInclusive<Rating>>,
    /// A technique that must be used, such as x-wing; may be given several
    /// times. `planoku generate --with ?` lists them.
    #[arg(long, value_name = "TECHNIQUE", value_parser = order::techniques, value_delimiter = ',')]
    with: Vec<Vec<Technique>>,
    /// A technique that must not be used, or chains, uniqueness, fish, wings,
    /// locked for several; may be given several times.
    #[arg(long, value_name = "TECHNIQUE", value_parser = order::techniques, value_delimiter = ',')]
    without: Vec<Vec<Technique>>,
    /// -n puzzles for each part of the range of ratings that is this wide, such
    /// as 0.5; from 1.0 up to 9.0 unless --rating says otherwise.
    #[arg(long, value_name = "STEP", value_parser = order::step, conflicts_with = "level")]
    buckets: Option<Rating>,
    /// How many clues, from A to B, both included; or exactly A.
    #[arg(long, value_name = "A..B", value_parser = clues, conflicts_with = "level")]
    clues: Option<Clues>,
    /// The pattern of clues: none, rotation180, rotation90, mirror or diagonal.
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = values::offered(symmetries, symmetry), hide_possible_values = true)]
    symmetry: PatternSymmetry,
    /// Only puzzles of which no clue can be removed.
    #[arg(long)]
    minimal: bool,
    /// Rows of the board: 4, 6, 9, 16 or 25.
    #[arg(long, value_name = "ROWS", default_value = "9", value_parser = values::offered(sides, shape), hide_possible_values = true)]
    size: Shape,
    /// The same seed gives the same puzzles; a new one if absent.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Stop after this time, such as 10s or 2m. Without it a puzzle that takes
    /// more than a minute is given up.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// How many puzzles are made at once; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Write the puzzles to a file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Puzzles on a page of a sheet to print (-o FILE.html): 1, 2, 4 or 6.
    #[arg(long, value_name = "1|2|4|6", value_parser = per_page)]
    per_page: Option<u8>,
    /// How puzzles are written: line (the usual), rows, boxed, sdk, ss, sdm, csv,
    /// jsonl, commas or opensudoku.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

/// Without `--time`, the time a single puzzle may take.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn run(mut args: Args, context: &Context) -> Result<Exit, Failure> {
    if args.buckets.is_some() && args.rating.is_none() {
        args.rating = Some(Rating(10)..=Rating(90));
    }
    let order = order::order(&args)?;
    match &order {
        Some(order) => order.check().map_err(Failure::bad_input)?,
        None => recipe(&args).check().map_err(Failure::bad_input)?,
    }
    let seed = args.seed.unwrap_or_else(new_seed);
    let mut sink = Sink::new(&args)?;
    let exit = match &order {
        Some(order) => order::run(&args, order, seed, &mut sink, context)?,
        None => by_clues(&args, seed, &mut sink, context)?,
    };
    sink.finish()?;
    if args.seed.is_none() {
        complain(format_args!("seed {seed} makes these puzzles again"));
    }
    Ok(exit)
}

/// The threads that make puzzles.
fn pool(args: &Args) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::bad_input(format!("cannot start threads: {error}")))
}

/// Makes puzzles of which only the clues matter.
fn by_clues(args: &Args, seed: u64, sink: &mut Sink, context: &Context) -> Result<Exit, Failure> {
    let recipe = recipe(args);
    let pool = pool(args)?;
    let started = Instant::now();
    let make = |indices: Range<u64>| -> Vec<Result<Grid, Stop>> {
        let left = args.time.map(|time| time.saturating_sub(started.elapsed()));
        let run = Run::limit(1).with_cancel(context.cancel.clone());
        recipe.make_many(seed, indices, &mut run.with_time(left.unwrap_or(PATIENCE)))
    };
    let (mut next, mut made, mut size) = (0, 0, 1);
    let mut stopped = None;
    while next < args.n && stopped.is_none() {
        let chunk = next..args.n.min(next + size);
        next = chunk.end;
        let chunk_started = Instant::now();
        let puzzles: Vec<_> = pool.install(|| {
            let parts = parts(chunk, pool.current_num_threads() as u64);
            parts.into_par_iter().flat_map_iter(make).collect()
        });
        for puzzle in puzzles {
            match puzzle {
                Ok(puzzle) => {
                    made += 1;
                    sink.write(&puzzle, None)?;
                }
                Err(stop) => stopped = Some(stop),
            }
        }
        sink.flush()?;
        if chunk_started.elapsed() < Duration::from_millis(300) {
            size = (2 * size).min(1 << 14);
        }
    }
    let Some(stop) = stopped else {
        return Ok(Exit::Done);
    };
    let why = match stop {
        Stop::Cancelled => "interrupted".to_string(),
        _ => format!("time is up after {:.1} s", started.elapsed().as_secs_f64()),
    };
    complain(format_args!(
        "{why}: made {made} of {} puzzles ({})",
        args.n,
        describe(&recipe)
    ));
    Ok(Exit::Stopped)
}

/// The indices in parts for so many threads, none so small that making many
/// at once does not pay.
fn parts(indices: Range<u64>, threads: u64) -> Vec<Range<u64>> {
    let count = indices.end - indices.start;
    let size = match count {
        0..256 => 1,
        _ => count.div_ceil(threads).clamp(128, 4096),
    };
    indices
        .clone()
        .step_by(size as usize)
        .map(|start| start..indices.end.min(start + size))
        .collect()
}

fn recipe(args: &Args) -> PuzzleRecipe {
    let shape = args.size;
    let mut recipe = match (&args.clues, args.level) {
        (Some(clues), _) => PuzzleRecipe {
            clues: clues.on(shape),
            minimal: false,
            ..PuzzleRecipe::minimal(shape)
        },
        (None, Some(level)) => PuzzleRecipe::for_level(level, shape),
        (None, None) if args.minimal => PuzzleRecipe::minimal(shape),
        (None, None) => PuzzleRecipe::for_level(Level::Medium, shape),
    };
    recipe.minimal |= args.minimal;
    recipe.symmetry = args.symmetry;
    recipe
}

fn describe(recipe: &PuzzleRecipe) -> String {
    let (least, most) = (recipe.clues.start(), recipe.clues.end());
    let minimal = if recipe.minimal { ", minimal" } else { "" };
    format!(
        "{}, {least} to {most} clues{minimal}, symmetry {}",
        recipe.shape,
        recipe.symmetry.name()
    )
}

/// Something new every time: the clock, and where this process happens to be.
fn new_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos() as u64);
    (nanos ^ (u64::from(std::process::id()) << 40)) & ((1 << 48) - 1)
}

/// A range of clues whose ends may be left open.
#[derive(Clone, Debug)]
struct Clues {
    least: Option<usize>,
    most: Option<usize>,
}

impl Clues {
    fn on(&self, shape: Shape) -> RangeInclusive<usize> {
        self.least.unwrap_or(0)..=self.most.unwrap_or(shape.cells())
    }
}

fn clues(text: &str) -> Result<Clues, String> {
    let wanted = |_| format!("expected a number of clues such as 24 or 22..26, found `{text}`");
    let bound = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some),
    };
    let (least, most) = match text.split_once("..") {
        Some((least, most)) => (
            bound(least).map_err(wanted)?,
            bound(most.trim_start_matches('=')).map_err(wanted)?,
        ),
        None => {
            let exactly = text.trim().parse().map_err(wanted)?;
            (Some(exactly), Some(exactly))
        }
    };
    Ok(Clues { least, most })
}

fn per_page(text: &str) -> Result<u8, String> {
    let count = text.parse().ok();
    count
        .filter(|count: &u8| PER_PAGE.contains(&usize::from(*count)))
        .ok_or_else(|| "expected 1, 2, 4 or 6".into())
}

fn levels() -> Vec<String> {
    ["easy", "medium", "hard", "crazy"].map(String::from).into()
}

fn symmetries() -> Vec<String> {
    PatternSymmetry::ALL.map(|it| it.name().to_string()).into()
}

fn sides() -> Vec<String> {
    ["4", "6", "9", "16", "25"].map(String::from).into()
}

fn level(text: &str) -> Result<Level, String> {
    match text {
        "easy" => Ok(Level::Easy),
        "medium" => Ok(Level::Medium),
        "hard" => Ok(Level::Hard),
        "crazy" => Ok(Level::Crazy),
        _ => Err("expected easy, medium, hard or crazy".into()),
    }
}

fn symmetry(text: &str) -> Result<PatternSymmetry, String> {
    let known = PatternSymmetry::ALL
        .into_iter()
        .find(|known| known.name() == text);
    known.ok_or_else(|| {
        let names = PatternSymmetry::ALL.map(PatternSymmetry::name);
        format!("expected one of {}", names.join(", "))
    })
}

fn shape(text: &str) -> Result<Shape, String> {
    let side = text.parse().ok();
    side.and_then(Shape::from_side)
        .ok_or_else(|| "expected 4, 6, 9, 16 or 25".into())
}
