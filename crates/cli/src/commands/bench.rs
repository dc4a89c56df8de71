//! `planoku bench`: how fast the native engine is on this machine.
//!
//! Every puzzle is solved and proved unique or not (limit 2), one thread, for
//! each set of instructions the processor knows: *single*, one call for each
//! puzzle, and *batch*, one call for all of them with memory that is kept. All
//! must agree on every count, and every solution is verified. The best of a few
//! passes over the corpus counts.
//!
//! Cycles are those of the time-stamp counter, which runs at a steady rate
//! whatever the processor's clock does just now; only x86 has them here.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use planoku_engine::Run;
use planoku_sudoku::generate::{Level, PuzzleRecipe};
use planoku_sudoku::native::{self, Batch, Cells, Isa, NativeAnswer};
use planoku_sudoku::{Shape, text};
use planoku_workbench::chart;
use serde_json::json;

use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Measure the native engine on this machine.
#[derive(clap::Args)]
pub struct Args {
    /// Files of 9x9 puzzles; without any, puzzles made on the spot, the same
    /// every time.
    corpus: Vec<String>,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Passes over each corpus; the best counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Draw the speeds as an SVG chart.
    #[arg(long, short, value_name = "FILE.svg")]
    output: Option<PathBuf>,
}

struct Corpus {
    name: String,
    puzzles: Vec<Cells>,
}

/// One way of solving a corpus, and how well it went.
struct Figures {
    isa: Isa,
    /// The memory of a batch; `None` for one call a puzzle.
    batch: Option<Batch>,
    best: Duration,
    /// Ticks of the time-stamp counter in the best pass.
    cycles: Option<u64>,
    nodes: u64,
}

impl Figures {
    fn new(isa: Isa, batch: Option<Batch>) -> Figures {
        Figures {
            isa,
            batch,
            best: Duration::MAX,
            cycles: None,
            nodes: 0,
        }
    }

    fn mode(&self) -> &'static str {
        match self.batch {
            Some(_) => "batch",
            None => "single",
        }
    }

    /// Solves the puzzles once, and remembers the time if it is the best.
    fn pass(&mut self, puzzles: &[Cells], answers: &mut [NativeAnswer]) {
        let (started, ticks) = (Instant::now(), ticks());
        match &mut self.batch {
            Some(batch) => batch.solve(puzzles, 2, answers),
            None => {
                for (puzzle, answer) in puzzles.iter().zip(&mut *answers) {
                    *answer = native::solve_cells(puzzle, 2, self.isa);
                }
            }
        }
        let (took, until) = (started.elapsed(), self::ticks());
        if took < self.best {
            self.best = took;
            self.cycles = ticks.zip(until).map(|(from, to)| to.saturating_sub(from));
        }
        self.nodes = answers.iter().map(|answer| answer.nodes).sum();
    }
}

/// The time-stamp counter, where there is one.
fn ticks() -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this kind has the counter, and reading it
    // changes nothing.
    return Some(unsafe { core::arch::x86_64::_rdtsc() });
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// Puzzles made for each corpus where no file is given.
const MADE: u64 = 4096;

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    // A pass over a large corpus hears nobody; what is measured is written.
    context.watch.arm_for_the_deaf(None, &context.cancel);
    let corpora = if args.corpus.is_empty() {
        complain("puzzles made on the spot; give files of 9x9 puzzles to measure those");
        made()
    } else {
        args.corpus
            .iter()
            .map(|name| read(name))
            .collect::<Result<_, _>>()?
    };
    let mut out = Output::stdout();
    let mut bars = Vec::new();
    for corpus in &corpora {
        let Some(all) = measure(corpus, args.passes, context)? else {
            complain("interrupted");
            return Ok(Exit::Stopped);
        };
        let fastest = all.iter().map(|figures| figures.best).min();
        let fastest = fastest.unwrap_or_default();
        context.watch.disarm();
        for figures in &all {
            out.write(&show(corpus, figures, fastest, args.json))?;
            bars.push(bar(corpus, figures));
        }
        out.flush()?;
        context.watch.rearm();
    }
    context.watch.disarm();
    if let Some(path) = &args.output {
        let axes = chart::Axes {
            x: "puzzles a second, one thread",
            y: "",
            describe: "Puzzles a second for each corpus, set of instructions and mode",
        };
        let mut file = Output::to(Some(path))?;
        file.write(&chart::bars(&axes, &bars))?;
        file.flush()?;
    }
    Ok(Exit::Done)
}

/// Easy puzzles, minimal ones, and minimal ones robbed of a clue.
fn made() -> Vec<Corpus> {
    let make = |recipe: PuzzleRecipe| -> Vec<Cells> {
        (0..MADE)
            .filter_map(|index| recipe.make(1, index, &mut Run::limit(1)).ok())
            .filter_map(|grid| native::to_cells(&grid))
            .collect()
    };
    let minimal = make(PuzzleRecipe::minimal(Shape::Three));
    let robbed = minimal.iter().map(|puzzle| {
        let mut puzzle = *puzzle;
        if let Some(clue) = puzzle.iter_mut().find(|digit| **digit != 0) {
            *clue = 0;
        }
        puzzle
    });
    let several = robbed.collect();
    [
        (
            "easy",
            make(PuzzleRecipe::for_level(Level::Easy, Shape::Three)),
        ),
        ("minimal", minimal),
        ("several", several),
    ]
    .map(|(name, puzzles)| Corpus {
        name: name.into(),
        puzzles,
    })
    .into()
}

fn read(name: &str) -> Result<Corpus, Failure> {
    let text = std::fs::read_to_string(name)
        .map_err(|error| Failure::bad_input(format!("cannot read {name}: {error}")))?;
    let grids =
        text::read(&text).map_err(|error| Failure::bad_input(format!("{name}: {error}")))?;
    let puzzles = grids
        .iter()
        .map(|grid| {
            native::to_cells(grid).ok_or_else(|| {
                let shape = grid.shape();
                Failure::bad_input(format!(
                    "{name}: expected 9x9 puzzles, found one of {shape}"
                ))
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    if puzzles.is_empty() {
        return Err(Failure::bad_input(format!(
            "{name}: expected puzzles, found none"
        )));
    }
    Ok(Corpus {
        name: name.into(),
        puzzles,
    })
}

/// `None` if somebody pressed Ctrl-C.
fn measure(
    corpus: &Corpus,
    passes: u32,
    context: &Context,
) -> Result<Option<Vec<Figures>>, Failure> {
    let mut all: Vec<Figures> = Isa::available()
        .into_iter()
        .flat_map(|isa| {
            [
                Figures::new(isa, None),
                Figures::new(isa, Some(Batch::new(isa))),
            ]
        })
        .collect();
    let mut answers = vec![NativeAnswer::default(); corpus.puzzles.len()];
    let mut expected: Option<Vec<u64>> = None;
    for _ in 0..passes {
        for figures in &mut all {
            if context.cancel.is_cancelled() {
                return Ok(None);
            }
            figures.pass(&corpus.puzzles, &mut answers);
            for ((puzzle, answer), nth) in corpus.puzzles.iter().zip(&answers).zip(1..) {
                if let Some(first) = &answer.first {
                    check(puzzle, first).map_err(|broken| {
                        Failure::fault(format!("{} puzzle {nth}: {broken}", corpus.name))
                    })?;
                }
            }
            let counts: Vec<u64> = answers.iter().map(|answer| answer.count).collect();
            if *expected.get_or_insert_with(|| counts.clone()) != counts {
                let (isa, mode) = (figures.isa.name(), figures.mode());
                return Err(Failure::fault(format!(
                    "{}: {isa} {mode} counts otherwise",
                    corpus.name
                )));
            }
        }
    }
    Ok(Some(all))
}

fn check(puzzle: &Cells, solution: &Cells) -> Result<(), String> {
    let grids = native::from_cells(puzzle).zip(native::from_cells(solution));
    let (puzzle, solution) = grids.ok_or("a byte that is no digit")?;
    planoku_sudoku::verify(&puzzle, &solution).map_err(|broken| broken.to_string())
}

fn show(corpus: &Corpus, figures: &Figures, fastest: Duration, json: bool) -> String {
    let puzzles = corpus.puzzles.len() as f64;
    let seconds = figures.best.as_secs_f64().max(1e-9);
    let nodes = figures.nodes as f64 / puzzles;
    let cycles = figures.cycles.map(|cycles| cycles as f64 / puzzles);
    if json {
        let figures = json!({
            "benchmark": format!("solve/native/{}", corpus.name),
            "corpus": corpus.name,
            "mode": figures.mode(),
            "isa": figures.isa.name(),
            "puzzles_per_s": (puzzles / seconds).round(),
            "nodes_per_puzzle": nodes,
            "cycles_per_puzzle": cycles.map(f64::round),
            "ns_per_puzzle": 1e9 * seconds / puzzles,
        });
        return format!("{figures}\n");
    }
    let bar = (30.0 * fastest.as_secs_f64() / seconds).round() as usize;
    format!(
        "{:<22} {:<11} {:<6} {:>9.0} puzzles/s {:>7.2} nodes {}  {}\n",
        format!("solve/native/{}", corpus.name),
        figures.isa.name(),
        figures.mode(),
        puzzles / seconds,
        nodes,
        cycles.map_or(String::new(), |cycles| format!("{cycles:>8.0} cycles")),
        "█".repeat(bar.max(1)),
    )
}

/// A bar of the chart: its name and its length.
fn bar(corpus: &Corpus, figures: &Figures) -> (String, f64) {
    let file = Path::new(&corpus.name).file_stem();
    let name = file.map_or(corpus.name.as_str().into(), |name| name.to_string_lossy());
    let per_second = corpus.puzzles.len() as f64 / figures.best.as_secs_f64().max(1e-9);
    (
        format!("{name} {} {}", figures.isa.name(), figures.mode()),
        per_second,
    )
}
