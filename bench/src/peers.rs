//! Native beside the crate `sudoku`: one interleaved run, thread CPU time,
//! limit 2 (the solution, and the proof that there is no other), one thread.
//!
//! The corpus is cut into slices; every contender solves a slice before the
//! next slice begins, and the order of contenders changes from slice to slice,
//! so that whatever disturbs the machine disturbs all of them alike. Each
//! contender's best pass over the corpus counts.

use std::io::Write;
use std::time::Duration;

use cpu_time::ThreadTime;
use planoku_sudoku::native::{self, Cells, Isa};
use serde_json::json;

use crate::corpus::{self, Corpus};

/// Prints a line; a reader that has left is no reason to panic.
macro_rules! say {
    ($($text:tt)*) => {{
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

/// Measure native beside its peers.
#[derive(clap::Args)]
pub struct Args {
    /// Files of puzzles, or names of known corpora; the usual eight if absent.
    corpus: Vec<String>,
    /// One JSON object per corpus and mode.
    #[arg(long)]
    json: bool,
    /// Passes over each corpus.
    #[arg(long, default_value_t = 3)]
    passes: usize,
    /// Compare every count and solution with the reference first (slow).
    #[arg(long)]
    check: bool,
}

/// Somebody who counts the solutions of puzzles up to two.
struct Contender {
    engine: &'static str,
    mode: &'static str,
    isa: &'static str,
    /// Counts per puzzle, and nodes if known.
    #[allow(clippy::type_complexity)]
    solve: Box<dyn Fn(&Slice<'_>, &mut Vec<u8>) -> Option<u64>>,
}

/// The same puzzles as everyone likes them.
struct Slice<'a> {
    cells: &'a [Cells],
    peers: &'a [sudoku::Sudoku],
}

pub fn run(args: &Args) -> Result<(), String> {
    for corpus in corpus::load(&args.corpus)? {
        if args.check {
            check(&corpus)?;
        }
        let measured = measure(&corpus, args.passes)?;
        report(&corpus, &measured, args.json);
    }
    Ok(())
}

fn contenders() -> Vec<Contender> {
    let mut all = vec![Contender {
        engine: "sudoku",
        mode: "single",
        isa: "portable",
        solve: Box::new(|slice, counts| {
            counts.extend(
                slice
                    .peers
                    .iter()
                    .map(|puzzle| puzzle.solutions_count_up_to(2) as u8),
            );
            None
        }),
    }];
    for isa in Isa::available() {
        all.push(Contender {
            engine: "native",
            mode: "single",
            isa: isa.name(),
            solve: Box::new(move |slice, counts| {
                let mut nodes = 0;
                for puzzle in slice.cells {
                    let answer = native::solve_cells(puzzle, 2, isa);
                    nodes += answer.nodes;
                    counts.push(answer.count as u8);
                }
                Some(nodes)
            }),
        });
    }
    all
}

struct Measured {
    contender: Contender,
    best: Duration,
    nodes: Option<u64>,
}

const SLICE: usize = 500;

fn measure(corpus: &Corpus, passes: usize) -> Result<Vec<Measured>, String> {
    let peers: Vec<sudoku::Sudoku> = corpus
        .lines
        .iter()
        .map(|line| sudoku::Sudoku::from_str_line(line).map_err(|error| format!("{error:?}")))
        .collect::<Result<_, _>>()?;
    let mut all: Vec<Measured> = contenders()
        .into_iter()
        .map(|contender| Measured {
            contender,
            best: Duration::MAX,
            nodes: None,
        })
        .collect();
    for pass in 0..passes.max(1) {
        let mut spent = vec![Duration::ZERO; all.len()];
        let mut nodes = vec![Some(0); all.len()];
        let slices = corpus.puzzles.chunks(SLICE).zip(peers.chunks(SLICE));
        for (number, (cells, peers)) in slices.enumerate() {
            let slice = Slice { cells, peers };
            let mut expected: Option<Vec<u8>> = None;
            for turn in 0..all.len() {
                let who = (turn + number + pass) % all.len();
                let mut counts = Vec::with_capacity(cells.len());
                let start = ThreadTime::now();
                let counted = (all[who].contender.solve)(&slice, &mut counts);
                spent[who] += start.elapsed();
                nodes[who] = nodes[who].zip(counted).map(|(sum, more)| sum + more);
                if *expected.get_or_insert_with(|| counts.clone()) != counts {
                    return Err(format!("{}: the contenders disagree", corpus.name));
                }
            }
        }
        for ((measured, spent), nodes) in all.iter_mut().zip(spent).zip(nodes) {
            measured.best = measured.best.min(spent);
            measured.nodes = nodes;
        }
    }
    Ok(all)
}

fn report(corpus: &Corpus, all: &[Measured], json: bool) {
    let puzzles = corpus.puzzles.len() as f64;
    let yardstick = all[0].best.as_secs_f64();
    for Measured {
        contender,
        best,
        nodes,
    } in all
    {
        let seconds = best.as_secs_f64();
        let per_puzzle = nodes.map(|nodes| nodes as f64 / puzzles);
        let name = format!("solve/{}/{}", contender.engine, corpus.name);
        if json {
            say!(
                "{}",
                json!({
                    "benchmark": name,
                    "corpus": corpus.name,
                    "engine": contender.engine,
                    "mode": contender.mode,
                    "isa": contender.isa,
                    "puzzles_per_s": (puzzles / seconds).round(),
                    "nodes_per_puzzle": per_puzzle,
                    "ratio": yardstick / seconds,
                })
            );
        } else {
            say!(
                "{name:<26} {:<7} {:<9} {:>10.0} puzzles/s {:>8} nodes/puzzle  ratio {:.2}",
                contender.mode,
                contender.isa,
                puzzles / seconds,
                per_puzzle.map_or("-".into(), |nodes| format!("{nodes:.2}")),
                yardstick / seconds,
            );
        }
    }
}

/// Every count and every solution against the reference.
fn check(corpus: &Corpus) -> Result<(), String> {
    let mut seen = [0u64; 3];
    for (cells, line) in corpus.puzzles.iter().zip(&corpus.lines) {
        let grid = native::from_cells(cells).ok_or("a byte that is no digit")?;
        let expected = planoku_sudoku::reference::solutions(&grid, 2);
        seen[expected.len()] += 1;
        for isa in Isa::available() {
            let answer = native::solve_cells(cells, 2, isa);
            let right = answer.count as usize == expected.len()
                && answer.first.as_ref().is_none_or(|first| {
                    native::from_cells(first).is_some_and(|first| {
                        expected.len() > 1 && planoku_sudoku::verify(&grid, &first).is_ok()
                            || expected.contains(&first)
                    })
                });
            if !right {
                return Err(format!("{} is wrong about {line}", isa.name()));
            }
        }
    }
    say!(
        "check/native/{}: {} with no solution, {} with one, {} with more; all as the reference says",
        corpus.name,
        seen[0],
        seen[1],
        seen[2]
    );
    Ok(())
}
