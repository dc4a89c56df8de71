//! Native beside the crate `sudoku` and solvers from outside: one interleaved
//! run, thread CPU time, limit 2 (the solution, and the proof that there is no
//! other), one thread.
//!
//! A solver from outside is a shared library named by its path (`--peer
//! tdoku=PATH`); see `outside` for the one function it must have.
//!
//! A large corpus is cut into slices, large enough that the end of a batch does
//! not weigh; every contender solves a slice before the next slice begins, and
//! the order of contenders changes from slice to slice and from pass to pass,
//! so that whatever disturbs the machine disturbs all of them alike. Each
//! contender's best pass over the corpus counts.
//!
//! *single* means one call for each puzzle, *batch* one call for all puzzles of
//! a slice, with memory that is kept between calls. The time ends when a count
//! has been written down for every puzzle, and in a batch its solution too;
//! comparing what the contenders say is not part of it.

use std::ffi::CString;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use planoku_sudoku::native::{self, Batch, Cells, Isa, NativeAnswer};
use serde_json::json;

use crate::corpus::{self, Corpus};
use crate::judge;
use crate::outside::Library;

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
    #[arg(long, default_value_t = 20)]
    passes: usize,
    /// A solver from outside: its name, and the path of its shared library.
    /// The first one given is what the ratios refer to.
    #[arg(long, value_name = "NAME=PATH")]
    peer: Vec<String>,
    /// Compare every count and solution with the reference first (slow).
    #[arg(long)]
    check: bool,
    /// Measure nothing; compare every count and solution of this many random
    /// and mutilated puzzles with the reference.
    #[arg(long, value_name = "N", conflicts_with_all = ["corpus", "check", "json"])]
    random: Option<usize>,
    /// Which random puzzles.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Somebody who counts the solutions of puzzles up to two.
struct Contender {
    engine: String,
    mode: &'static str,
    isa: &'static str,
    work: Box<dyn Work>,
}

trait Work {
    /// Solves the puzzles: the part that is timed.
    fn solve(&mut self, slice: &Slice<'_>);
    /// What it found: a count for each puzzle, and the nodes if known.
    fn found(&self) -> (Vec<u8>, Option<u64>);
}

/// Crate `sudoku`.
#[derive(Default)]
struct Peer {
    counts: Vec<u8>,
}

impl Work for Peer {
    fn solve(&mut self, slice: &Slice<'_>) {
        self.counts.clear();
        let count = |puzzle: &sudoku::Sudoku| puzzle.solutions_count_up_to(2) as u8;
        self.counts.extend(slice.peers.iter().map(count));
    }

    fn found(&self) -> (Vec<u8>, Option<u64>) {
        (self.counts.clone(), None)
    }
}

/// A library from outside.
struct Outsider {
    library: Library,
    counts: Vec<u8>,
}

impl Work for Outsider {
    fn solve(&mut self, slice: &Slice<'_>) {
        self.counts.clear();
        let count = |line: &CString| self.library.count(line, 2) as u8;
        self.counts.extend(slice.lines.iter().map(count));
    }

    fn found(&self) -> (Vec<u8>, Option<u64>) {
        (self.counts.clone(), None)
    }
}

/// Native, one call for each puzzle.
struct Single {
    isa: Isa,
    counts: Vec<u8>,
    nodes: u64,
}

impl Work for Single {
    fn solve(&mut self, slice: &Slice<'_>) {
        self.counts.clear();
        self.nodes = 0;
        for puzzle in slice.cells {
            let answer = native::solve_cells(puzzle, 2, self.isa);
            self.nodes += answer.nodes;
            self.counts.push(answer.count as u8);
        }
    }

    fn found(&self) -> (Vec<u8>, Option<u64>) {
        (self.counts.clone(), Some(self.nodes))
    }
}

/// Native, one call for all.
struct Many {
    batch: Batch,
    answers: Vec<NativeAnswer>,
}

impl Work for Many {
    fn solve(&mut self, slice: &Slice<'_>) {
        self.answers
            .resize(slice.cells.len(), NativeAnswer::default());
        self.batch.solve(slice.cells, 2, &mut self.answers);
    }

    fn found(&self) -> (Vec<u8>, Option<u64>) {
        let counts = self.answers.iter().map(|answer| answer.count as u8);
        let nodes = self.answers.iter().map(|answer| answer.nodes).sum();
        (counts.collect(), Some(nodes))
    }
}

/// Some puzzles, in the form each peer takes.
struct Slice<'a> {
    cells: &'a [Cells],
    peers: &'a [sudoku::Sudoku],
    lines: &'a [CString],
}

pub fn run(args: &Args) -> Result<(), String> {
    if let Some(puzzles) = args.random {
        let seen = judge::random(puzzles, args.seed)?;
        say!("check/native/random: {seen}");
        return Ok(());
    }
    for corpus in corpus::load(&args.corpus)? {
        if args.check {
            let seen = judge::all(&corpus.puzzles)?;
            say!("check/native/{}: {seen}", corpus.name);
        }
        let measured = measure(&corpus, args)?;
        report(&corpus, &measured, args.json);
    }
    Ok(())
}

fn contenders(outside: &[String]) -> Result<Vec<Contender>, String> {
    let mut all = Vec::new();
    for peer in outside {
        let (name, path) = peer
            .split_once('=')
            .ok_or_else(|| format!("--peer {peer}: expected NAME=PATH"))?;
        all.push(Contender {
            engine: name.into(),
            mode: "single",
            isa: "own",
            work: Box::new(Outsider {
                library: Library::open(Path::new(path))?,
                counts: Vec::new(),
            }),
        });
    }
    all.push(Contender {
        engine: "sudoku".into(),
        mode: "single",
        isa: "portable",
        work: Box::new(Peer::default()),
    });
    for isa in Isa::available() {
        all.push(Contender {
            engine: "native".into(),
            mode: "single",
            isa: isa.name(),
            work: Box::new(Single {
                isa,
                counts: Vec::new(),
                nodes: 0,
            }),
        });
        all.push(Contender {
            engine: "native".into(),
            mode: "batch",
            isa: isa.name(),
            work: Box::new(Many {
                batch: Batch::new(isa),
                answers: Vec::new(),
            }),
        });
    }
    Ok(all)
}

struct Measured {
    contender: Contender,
    best: Duration,
    nodes: Option<u64>,
}

/// Puzzles in a slice at most.
const SLICE: usize = 10_000;

fn measure(corpus: &Corpus, args: &Args) -> Result<Vec<Measured>, String> {
    let lines: Vec<CString> = corpus
        .lines
        .iter()
        .map(|line| CString::new(line.as_str()).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let peers: Vec<sudoku::Sudoku> = corpus
        .lines
        .iter()
        .map(|line| sudoku::Sudoku::from_str_line(line).map_err(|error| format!("{error:?}")))
        .collect::<Result<_, _>>()?;
    let mut all: Vec<Measured> = contenders(&args.peer)?
        .into_iter()
        .map(|contender| Measured {
            contender,
            best: Duration::MAX,
            nodes: None,
        })
        .collect();
    // Slices of equal size, so that none is all tail.
    let slices = corpus.puzzles.len().div_ceil(SLICE).max(1);
    let size = corpus.puzzles.len().div_ceil(slices).max(1);
    for pass in 0..args.passes.max(1) {
        let mut spent = vec![Duration::ZERO; all.len()];
        let mut nodes = vec![Some(0); all.len()];
        let slices = corpus.puzzles.chunks(size).zip(peers.chunks(size));
        let slices = slices.zip(lines.chunks(size));
        for (number, ((cells, peers), lines)) in slices.enumerate() {
            let slice = Slice {
                cells,
                peers,
                lines,
            };
            let mut expected: Option<Vec<u8>> = None;
            for turn in 0..all.len() {
                let who = (turn + number + pass) % all.len();
                let work = &mut all[who].contender.work;
                let start = ThreadTime::now();
                work.solve(&slice);
                spent[who] += start.elapsed();
                let (counts, counted) = work.found();
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
                "{name:<26} {:<7} {:<11} {:>10.0} puzzles/s {:>8} nodes/puzzle  ratio {:.2}",
                contender.mode,
                contender.isa,
                puzzles / seconds,
                per_puzzle.map_or("-".into(), |nodes| format!("{nodes:.2}")),
                yardstick / seconds,
            );
        }
    }
}
