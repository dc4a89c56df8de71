//! Sudoku as SAT, measured: encodings beside each other, agreement with
//! `native`, a very large DIMACS file, and large boards.
//!
//! `sat table` cuts each corpus into slices and runs every encoding over a
//! slice before the next begins, in an order that turns from slice to slice.
//! Times are thread CPU time from text to verified solution.

use std::io::{BufRead, Read};
use std::time::Duration;

use clap::Subcommand;
use cpu_time::ThreadTime;
use planoku_constraints::cnf::dimacs;
use planoku_constraints::sat::{Answer, Sat, SatEngine, Solver};
use planoku_engine::name::NameError;
use planoku_engine::{Engine, Run, Via};
use planoku_sudoku::generate::full_grid;
use planoku_sudoku::native::Native;
use planoku_sudoku::rng::Rng;
use planoku_sudoku::{Grid, Shape, verify};
use planoku_workbench::formulate::sat::{Encoding, Family};
use planoku_workbench::prove;
use serde_json::json;

use crate::corpus::{self, Corpus};

/// Measure Sudoku as SAT.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Encoding by corpus: size of the formulas, work, time.
    Table {
        /// Files of puzzles, or names of known corpora.
        corpus: Vec<String>,
        /// Encodings; all with pairwise "at most one" if absent, `all` for all.
        #[arg(long)]
        encoding: Vec<String>,
        /// Puzzles from each corpus, evenly spread; 0 for all.
        #[arg(long, default_value_t = 1000)]
        sample: usize,
        /// Solutions wanted: 1 solves, 2 also decides uniqueness.
        #[arg(long, default_value_t = 2)]
        limit: u64,
        /// One JSON object per corpus and encoding.
        #[arg(long)]
        json: bool,
    },
    /// Does `sat` agree with `native` on every puzzle: count up to the limit,
    /// and the solution where it is unique?
    Agree {
        /// Files of puzzles, or names of known corpora.
        corpus: Vec<String>,
        /// Puzzles from each corpus, evenly spread; 0 for all.
        #[arg(long, default_value_t = 0)]
        sample: usize,
        /// Solutions counted.
        #[arg(long, default_value_t = 1000)]
        limit: u64,
    },
    /// Reads a DIMACS file of this many megabytes, made as it is read.
    Dimacs {
        /// Size of the file.
        #[arg(long, default_value_t = 1024)]
        megabytes: u64,
    },
    /// Solves, and proves to be unique, puzzles of 16x16 and 25x25 made from
    /// random full boards.
    Large {
        /// Blank cells in a hundred, at most.
        #[arg(long, default_value_t = 55)]
        blank: usize,
        /// Boards of each size.
        #[arg(long, default_value_t = 3)]
        boards: u64,
    },
}

pub fn run(args: &Args) -> Result<(), String> {
    match &args.what {
        What::Table {
            corpus,
            encoding,
            sample,
            limit,
            json,
        } => {
            let encodings = encodings(encoding)?;
            for corpus in corpus::load(corpus)? {
                let puzzles = spread(&corpus, *sample);
                let rows = measure(&puzzles, &encodings, *limit)?;
                report(&corpus.name, puzzles.len(), &encodings, &rows, *json);
            }
            Ok(())
        }
        What::Agree {
            corpus,
            sample,
            limit,
        } => corpus::load(corpus)?
            .iter()
            .try_for_each(|corpus| agree(&corpus.name, &spread(corpus, *sample), *limit)),
        What::Dimacs { megabytes } => read_huge(*megabytes),
        What::Large { blank, boards } => large(*blank, *boards),
    }
}

fn encodings(names: &[String]) -> Result<Vec<Encoding>, String> {
    let plain = |encoding: &Encoding| !encoding.to_string().contains(':');
    match names {
        [] => Ok(Encoding::all().filter(plain).collect()),
        [all] if all == "all" => Ok(Encoding::all().collect()),
        names => names
            .iter()
            .map(|name| name.parse().map_err(|error: NameError| error.to_string()))
            .collect(),
    }
}

/// `sample` puzzles evenly spread over the corpus.
fn spread(corpus: &Corpus, sample: usize) -> Vec<String> {
    let step = corpus.lines.len().checked_div(sample).unwrap_or(1).max(1);
    corpus.lines.iter().step_by(step).cloned().collect()
}

fn via(encoding: Encoding) -> Via<Encoding, SatEngine> {
    Via {
        name: "sat".into(),
        summary: "".into(),
        formulation: encoding,
        engine: SatEngine {
            solver: Solver::default(),
        },
    }
}

/// Sums over a corpus.
#[derive(Clone, Default)]
struct Row {
    variables: u64,
    clauses: u64,
    propagations: u64,
    conflicts: u64,
    /// Reading and encoding alone, measured apart.
    encode: Duration,
    time: Duration,
}

fn measure(puzzles: &[String], encodings: &[Encoding], limit: u64) -> Result<Vec<Row>, String> {
    let mut rows = vec![Row::default(); encodings.len()];
    for (turn, slice) in puzzles.chunks(50).enumerate() {
        for nth in 0..encodings.len() {
            let nth = (nth + turn) % encodings.len();
            let (engine, row) = (via(encodings[nth]), &mut rows[nth]);
            let started = ThreadTime::now();
            for line in slice {
                let puzzle: Grid = line.parse().map_err(|error| format!("{line}: {error}"))?;
                let outcome = engine
                    .solve(&puzzle, &mut Run::limit(limit))
                    .map_err(|error| format!("{line}: {error}"))?;
                for solution in &outcome.answers {
                    verify(&puzzle, solution).map_err(|broken| format!("{line}: {broken}"))?;
                }
                row.variables += outcome.stats.get("variables");
                row.clauses += outcome.stats.get("clauses");
                row.propagations += outcome.stats.get("propagations");
                row.conflicts += outcome.stats.get("conflicts");
            }
            row.time += started.elapsed();
            let started = ThreadTime::now();
            for puzzle in slice.iter().filter_map(|line| line.parse().ok()) {
                std::hint::black_box(encodings[nth].say(&puzzle));
            }
            row.encode += started.elapsed();
        }
    }
    Ok(rows)
}

fn report(corpus: &str, puzzles: usize, encodings: &[Encoding], rows: &[Row], as_json: bool) {
    let first = rows.first().map_or(Duration::ZERO, |row| row.time);
    if !as_json {
        println!("\n{corpus}: {puzzles} puzzles, per puzzle");
        println!(
            "{:<22} {:>9} {:>8} {:>12} {:>10} {:>10} {:>10} {:>11} {:>7}",
            "encoding",
            "variables",
            "clauses",
            "propagations",
            "conflicts",
            "encode µs",
            "µs",
            "puzzles/s",
            "ratio"
        );
    }
    for (encoding, row) in encodings.iter().zip(rows) {
        let each = |sum: u64| sum as f64 / puzzles as f64;
        let seconds = row.time.as_secs_f64() / puzzles as f64;
        let encode = row.encode.as_secs_f64() / puzzles as f64;
        let ratio = first.as_secs_f64() / row.time.as_secs_f64();
        if as_json {
            let object = json!({
                "bench": format!("solve/sat:{encoding}/{corpus}"),
                "puzzles": puzzles,
                "variables": each(row.variables),
                "clauses": each(row.clauses),
                "propagations": each(row.propagations),
                "conflicts": each(row.conflicts),
                "encode_us": encode * 1e6,
                "us": seconds * 1e6,
                "puzzles_per_s": 1.0 / seconds,
                "ratio": ratio,
            });
            println!("{object}");
        } else {
            println!(
                "{:<22} {:>9.1} {:>8.1} {:>12.1} {:>10.2} {:>10.1} {:>10.1} {:>11.0} {:>6.2}x",
                encoding.to_string(),
                each(row.variables),
                each(row.clauses),
                each(row.propagations),
                each(row.conflicts),
                encode * 1e6,
                seconds * 1e6,
                1.0 / seconds,
                ratio
            );
        }
    }
}

fn agree(name: &str, puzzles: &[String], limit: u64) -> Result<(), String> {
    let sat = via(Encoding::default());
    let mut counted = 0;
    for line in puzzles {
        let puzzle: Grid = line.parse().map_err(|error| format!("{line}: {error}"))?;
        let solve = |engine: &dyn Engine<Grid, Answer = Grid>| {
            engine
                .solve(&puzzle, &mut Run::limit(limit))
                .map_err(|error| format!("{line}: {error}"))
        };
        let (ours, theirs) = (solve(&sat)?, solve(&Native)?);
        let mut grids = [ours.answers, theirs.answers];
        grids.iter_mut().for_each(|grids| grids.sort());
        // Beyond the limit each may have found others.
        let full = grids[0].len() as u64 >= limit;
        if ours.end != theirs.end
            || grids[0].len() != grids[1].len()
            || !full && grids[0] != grids[1]
        {
            return Err(format!(
                "{name}: {line}: sat found {} ({}), native {} ({})",
                grids[0].len(),
                ours.end.name(),
                grids[1].len(),
                theirs.end.name()
            ));
        }
        counted += grids[0].len();
    }
    println!(
        "{name}: {} puzzles, {counted} solutions, all agree",
        puzzles.len()
    );
    Ok(())
}

/// A file that exists only as it is read.
struct Endless {
    left: u64,
    at: usize,
}

const LINE: &[u8] = b"-1234567 1234568 -99999 31 0\n";

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let line = self.fill_buf()?;
        let amount = line.len().min(buffer.len());
        buffer[..amount].copy_from_slice(&line[..amount]);
        self.consume(amount);
        Ok(amount)
    }
}

impl BufRead for Endless {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Ok(if self.left == 0 {
            &[]
        } else {
            &LINE[self.at..]
        })
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
        if self.at == LINE.len() {
            self.at = 0;
            self.left -= 1;
        }
    }
}

fn read_huge(megabytes: u64) -> Result<(), String> {
    let clauses = (megabytes << 20) / LINE.len() as u64;
    let header = format!("p cnf 1234568 {clauses}\n");
    let file = || {
        header.as_bytes().chain(Endless {
            left: clauses,
            at: 0,
        })
    };
    let cap = dimacs::Cap::default();

    let before = peak_memory();
    let started = ThreadTime::now();
    let mut reader = dimacs::Reader::new(file(), cap).map_err(|error| error.to_string())?;
    let (mut clause, mut literals) = (Vec::new(), 0u64);
    while reader
        .next_clause(&mut clause)
        .map_err(|error| error.to_string())?
    {
        literals += clause.len() as u64;
    }
    println!(
        "streamed: {megabytes} MB, {clauses} clauses, {literals} literals, {:.1} s CPU, peak memory {} -> {} KB",
        started.elapsed().as_secs_f64(),
        before,
        peak_memory()
    );
    let cap = dimacs::Cap {
        literals: 1 << 20,
        ..cap
    };
    match dimacs::read(file(), cap) {
        Err(error) => println!(
            "read with a cap of 2^20 literals: {error}; peak memory {} KB",
            peak_memory()
        ),
        Ok(cnf) => println!("read whole: {} clauses", cnf.len()),
    }
    Ok(())
}

/// The most memory this process has had, in KB; 0 where nobody tells.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

fn large(blank: usize, boards: u64) -> Result<(), String> {
    for shape in [Shape::Four, Shape::Five] {
        for seed in 0..boards {
            let puzzle = dug(shape, blank, seed)?;
            let started = ThreadTime::now();
            let outcome = via(Encoding::default())
                .solve(&puzzle, &mut Run::limit(2))
                .map_err(|error| error.to_string())?;
            let solved = started.elapsed();
            for solution in &outcome.answers {
                verify(&puzzle, solution).map_err(|broken| broken.to_string())?;
            }
            let started = ThreadTime::now();
            let proved = prove::prove(&puzzle, prove::ENCODING, &mut Run::limit(1));
            let proved = match proved {
                Ok(prove::ProofFinding::Proved(certificate)) => {
                    format!("proved with {} lemmas", certificate.lemmas)
                }
                Ok(prove::ProofFinding::Several(_)) => "several solutions".to_string(),
                Err(failed) => return Err(failed.to_string()),
            };
            println!(
                "{shape}, {} clues, seed {seed}: {} solution(s), {}, {:.3} s; {proved} in {:.3} s",
                puzzle.clue_count(),
                outcome.answers.len(),
                outcome.end.name(),
                solved.as_secs_f64(),
                started.elapsed().as_secs_f64()
            );
        }
    }
    Ok(())
}

/// A puzzle with one solution: cells of a random full board are cleared, in
/// random order, as long as the others force them, until enough are blank.
fn dug(shape: Shape, blank: usize, seed: u64) -> Result<Grid, String> {
    let mut rng = Rng::new(seed);
    let mut grid =
        full_grid(shape, &mut rng, &mut Run::limit(1)).map_err(|stop| stop.to_string())?;
    let rules = Encoding::plain(Family::Extended).say(&Grid::empty(shape));
    let mut sat = Sat::new();
    sat.add_cnf(&rules.cnf);
    let mut cells: Vec<_> = shape.all_cells().collect();
    rng.shuffle(&mut cells);
    let mut left = shape.cells() * blank / 100;
    for cell in cells {
        let Some(digit) = grid.get(cell).filter(|_| left > 0) else {
            break;
        };
        grid.set(cell, None);
        let lit = |(cell, digit)| rules.lit(cell, digit);
        let mut assumed: Vec<_> = grid.clues().filter_map(lit).collect();
        assumed.extend(lit((cell, digit)).map(|lit| !lit));
        // A clue whose need is hard to decide stays.
        match sat.solve(&assumed, &mut Run::limit(1).with_nodes(1_000)) {
            Ok(Answer::Unsat) => left -= 1,
            _ => grid.set(cell, Some(digit)),
        }
    }
    Ok(grid)
}
