//! What each idea of constraint search buys, on puzzles anyone can look up.
//!
//! `csp` prints two tables. The first puts our times beside the ones published
//! in "The CSP Sudoku" (Elíasson and Titze, 2020), Table 1, column BT, node for
//! node the same search. The second runs many combinations over the same
//! puzzles: how many each solves within a budget of nodes, at how many nodes
//! and how much CPU time a puzzle. Engines take turns puzzle by puzzle, so a
//! noisy moment falls on all of them, and of several rounds the fastest counts.

use std::path::PathBuf;
use std::time::Duration;

use cpu_time::ThreadTime;
use planoku_engine::Run;
use planoku_sudoku::Grid;
use planoku_workbench::papers::csp::published;
use planoku_workbench::solve::solve;
use planoku_workbench::{SudokuEngine, find};

/// Nodes and time of the constraint engines, combination by combination.
#[derive(clap::Args)]
pub struct Args {
    /// Files with one puzzle a line.
    #[arg(default_values = ["../shared/puzzles/top95.txt", "../shared/puzzles/clue17.txt"])]
    corpus: Vec<PathBuf>,
    /// Take this many puzzles of each file, evenly spread.
    #[arg(long, default_value_t = 95)]
    sample: usize,
    /// Give up on a puzzle after this many nodes.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Run these engines instead of the usual ones.
    #[arg(long)]
    engine: Vec<String>,
    /// Leave out the published table.
    #[arg(long)]
    no_paper: bool,
    /// Print one JSON object a line instead of tables.
    #[arg(long)]
    json: bool,
}

const COMBINATIONS: [&str; 36] = [
    "bt",
    "bj",
    "cbj",
    "ac3+bt",
    "ac3+bj",
    "ac3+gbj",
    "ac3+cbj",
    "ac3+bm",
    "ac3+db",
    "ac3+cbj:few",
    "fc",
    "ac3+fc",
    "fc+cbj",
    "fc:mrv",
    "fc+bj:mrv",
    "fc+gbj:mrv",
    "fc+cbj:mrv",
    "fc:mrv-deg",
    "fc:domwdeg",
    "fc+cbj:domwdeg",
    "mac",
    "mac:mrv",
    "mac:mrv-deg",
    "mac:domwdeg",
    "mac+cbj:mrv",
    "mac+cbj+learn:domwdeg:luby",
    "mac:mrv:lcv",
    "mac2001:mrv",
    "elim",
    "elim:mrv",
    "elim:mrv-deg",
    "elim:domwdeg",
    "elim+cbj:mrv",
    "hall:mrv",
    "regin:mrv",
    "regin:domwdeg",
];

/// Prints the tables.
pub fn run(args: &Args) -> Result<(), String> {
    if !args.no_paper {
        against_the_paper(args.json)?;
    }
    let names: Vec<&str> = if args.engine.is_empty() {
        COMBINATIONS.to_vec()
    } else {
        args.engine.iter().map(String::as_str).collect()
    };
    for path in &args.corpus {
        let Ok(text) = std::fs::read_to_string(path) else {
            eprintln!("note: {} is not there, passed over", path.display());
            continue;
        };
        let corpus = path.file_stem().unwrap_or_default().to_string_lossy();
        let puzzles = sample(&text, args.sample).map_err(|why| format!("{corpus}: {why}"))?;
        combinations(&corpus, &puzzles, &names, args)?;
    }
    Ok(())
}

/// Evenly spread lines of a corpus, read as puzzles.
fn sample(text: &str, wanted: usize) -> Result<Vec<Grid>, String> {
    let lines: Vec<&str> = text.lines().filter(|line| line.len() >= 81).collect();
    let count = wanted.min(lines.len());
    (0..count)
        .map(|at| {
            let line = at * lines.len() / count;
            let puzzle = lines[line].get(..81).unwrap_or_default();
            puzzle
                .parse()
                .map_err(|error| format!("line {}: {error}", line + 1))
        })
        .collect()
}

fn named(name: &str) -> Result<SudokuEngine, String> {
    find(name).map_err(|error| error.to_string())
}

/// Nodes and CPU time of one run, after checking its answers.
fn measure(engine: &SudokuEngine, puzzle: &Grid, nodes: u64) -> Result<Measured, String> {
    let start = ThreadTime::now();
    let outcome = solve(&**engine, puzzle, &mut Run::limit(1).with_nodes(nodes));
    let time = start.elapsed();
    let outcome = outcome.map_err(|error| error.to_string())?;
    Ok(Measured {
        solved: !outcome.answers.is_empty(),
        nodes: outcome.stats.nodes,
        time,
    })
}

struct Measured {
    solved: bool,
    nodes: u64,
    time: Duration,
}

fn against_the_paper(json: bool) -> Result<(), String> {
    let bt = named("bt")?;
    if !json {
        println!("The CSP Sudoku, Table 1, BT: the same nodes, then and now\n");
        println!("puzzle       nodes   published s     ours s   times faster");
    }
    let (mut theirs, mut ours, mut least) = (0.0, 0.0, f64::INFINITY);
    for figure in published() {
        if figure.engine != "bt" {
            continue;
        }
        let puzzle: Grid = figure.puzzle.parse().map_err(|e| format!("{e}"))?;
        let rounds = if figure.nodes < 1_000_000 { 5 } else { 2 };
        let mut best = Duration::MAX;
        for _ in 0..rounds {
            let measured = measure(&bt, &puzzle, u64::MAX)?;
            if measured.nodes != figure.nodes || !measured.solved {
                return Err(format!(
                    "puzzle {}: {} nodes",
                    figure.number, measured.nodes
                ));
            }
            best = best.min(measured.time);
        }
        let seconds = best.as_secs_f64();
        let ratio = figure.seconds / seconds;
        theirs += figure.seconds;
        ours += seconds;
        least = least.min(ratio);
        if json {
            println!(
                "{{\"table\":1,\"puzzle\":{},\"engine\":\"bt\",\"nodes\":{},\"published_s\":{},\"cpu_s\":{seconds:.6},\"ratio\":{ratio:.0}}}",
                figure.number, figure.nodes, figure.seconds
            );
        } else {
            println!(
                "{:6} {:11} {:13.4} {seconds:10.6} {ratio:14.0}",
                figure.number, figure.nodes, figure.seconds
            );
        }
    }
    if !json {
        println!(
            "{:6} {:11} {theirs:13.4} {ours:10.6} {:14.0}",
            "all",
            "",
            theirs / ours
        );
        println!("\nleast on one puzzle: {least:.0} times faster\n");
    }
    Ok(())
}

fn combinations(corpus: &str, puzzles: &[Grid], names: &[&str], args: &Args) -> Result<(), String> {
    let engines: Vec<SudokuEngine> = names
        .iter()
        .map(|name| named(name))
        .collect::<Result<_, _>>()?;
    let mut totals: Vec<Total> = engines.iter().map(|_| Total::default()).collect();
    for puzzle in puzzles {
        for (engine, total) in engines.iter().zip(&mut totals) {
            let mut best = measure(engine, puzzle, args.nodes)?;
            // Long runs need no repetition to be told from noise.
            let rounds = if best.time < Duration::from_millis(5) {
                4
            } else {
                0
            };
            for _ in 0..rounds {
                best.time = best.time.min(measure(engine, puzzle, args.nodes)?.time);
            }
            total.add(&best);
        }
    }
    if !args.json {
        println!(
            "solve/*/{corpus}: {} puzzles, at most {} nodes each\n",
            puzzles.len(),
            args.nodes
        );
        println!(
            "| engine | solved | nodes per puzzle | most nodes | µs per puzzle | ns per node |"
        );
        println!("|---|---:|---:|---:|---:|---:|");
    }
    for (name, total) in names.iter().zip(&totals) {
        let count = puzzles.len().max(1) as f64;
        let micros = total.time.as_secs_f64() * 1e6 / count;
        let nodes = total.nodes as f64 / count;
        if args.json {
            println!(
                "{{\"corpus\":\"{corpus}\",\"engine\":\"{name}\",\"puzzles\":{},\"solved\":{},\"nodes_per_puzzle\":{nodes:.1},\"most_nodes\":{},\"us_per_puzzle\":{micros:.1}}}",
                puzzles.len(),
                total.solved,
                total.most
            );
        } else {
            println!(
                "| `{name}` | {} | {nodes:.1} | {} | {micros:.1} | {:.0} |",
                total.solved,
                total.most,
                micros * 1e3 / nodes
            );
        }
    }
    if !args.json {
        println!();
    }
    Ok(())
}

#[derive(Default)]
struct Total {
    solved: usize,
    nodes: u64,
    most: u64,
    time: Duration,
}

impl Total {
    fn add(&mut self, measured: &Measured) {
        self.solved += usize::from(measured.solved);
        self.nodes += measured.nodes;
        self.most = self.most.max(measured.nodes);
        self.time += measured.time;
    }
}
