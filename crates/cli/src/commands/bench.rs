//! `planoku bench`: how fast the native engine is on this machine.
//!
//! Every puzzle is solved and proved unique or not (limit 2), one thread, once
//! for each set of instructions the processor knows. All of them must agree on
//! every count. The best of a few passes over the corpus counts.

use std::time::{Duration, Instant};

use planoku_engine::Run;
use planoku_sudoku::generate::{Level, Recipe};
use planoku_sudoku::native::{self, Cells, Isa};
use planoku_sudoku::{Shape, text};
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
}

struct Corpus {
    name: String,
    puzzles: Vec<Cells>,
}

struct Figures {
    isa: Isa,
    best: Duration,
    nodes: u64,
}

/// Puzzles made for each corpus where no file is given.
const MADE: u64 = 2000;

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
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
    for corpus in &corpora {
        let Some(all) = measure(corpus, args.passes, context)? else {
            complain("interrupted");
            return Ok(Exit::Stopped);
        };
        let fastest = all.iter().map(|figures| figures.best).min();
        for figures in &all {
            out.write(&show(
                corpus,
                figures,
                fastest.unwrap_or_default(),
                args.json,
            ))?;
        }
        out.flush()?;
    }
    Ok(Exit::Done)
}

/// Easy puzzles, minimal ones, and minimal ones robbed of a clue.
fn made() -> Vec<Corpus> {
    let make = |recipe: Recipe| -> Vec<Cells> {
        (0..MADE)
            .filter_map(|index| recipe.make(1, index, &mut Run::limit(1)).ok())
            .filter_map(|grid| native::to_cells(&grid))
            .collect()
    };
    let minimal = make(Recipe::minimal(Shape::Three));
    let robbed = minimal.iter().map(|puzzle| {
        let mut puzzle = *puzzle;
        if let Some(clue) = puzzle.iter_mut().find(|digit| **digit != 0) {
            *clue = 0;
        }
        puzzle
    });
    let several = robbed.collect();
    [
        ("easy", make(Recipe::for_level(Level::Easy, Shape::Three))),
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
        .map(|isa| Figures {
            isa,
            best: Duration::MAX,
            nodes: 0,
        })
        .collect();
    let mut expected: Option<Vec<u64>> = None;
    for _ in 0..passes {
        for figures in &mut all {
            if context.cancel.is_cancelled() {
                return Ok(None);
            }
            let started = Instant::now();
            let answers = native::solve_batch(&corpus.puzzles, 2, figures.isa);
            figures.best = figures.best.min(started.elapsed());
            figures.nodes = answers.iter().map(|answer| answer.nodes).sum();
            let counts: Vec<u64> = answers.iter().map(|answer| answer.count).collect();
            for ((puzzle, answer), cell) in corpus.puzzles.iter().zip(&answers).zip(0..) {
                if let Some(first) = &answer.first {
                    check(puzzle, first).map_err(|broken| {
                        Failure::fault(format!("{} puzzle {}: {broken}", corpus.name, cell + 1))
                    })?;
                }
            }
            if *expected.get_or_insert_with(|| counts.clone()) != counts {
                let isa = figures.isa.name();
                return Err(Failure::fault(format!(
                    "{}: {isa} counts otherwise",
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
    if json {
        let figures = json!({
            "benchmark": format!("solve/native/{}", corpus.name),
            "corpus": corpus.name,
            "mode": "single",
            "isa": figures.isa.name(),
            "puzzles_per_s": (puzzles / seconds).round(),
            "nodes_per_puzzle": nodes,
            "ns_per_puzzle": 1e9 * seconds / puzzles,
        });
        return format!("{figures}\n");
    }
    let bar = (30.0 * fastest.as_secs_f64() / seconds).round() as usize;
    format!(
        "{:<28} {:<9} {:>9.0} puzzles/s {:>7.2} nodes/puzzle {:>8.0} ns  {}\n",
        format!("solve/native/{}", corpus.name),
        figures.isa.name(),
        puzzles / seconds,
        nodes,
        1e9 * seconds / puzzles,
        "█".repeat(bar.max(1)),
    )
}
