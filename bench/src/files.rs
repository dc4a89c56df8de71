//! `planoku solve FILE -o FILE` on several threads: how much faster than on one,
//! for lines, CSV and JSON Lines.
//!
//! The program is run as a user would run it, on a file that repeats a corpus,
//! with one thread and with several by turns; the best of each counts, by the
//! wall. Beside it runs as many processes of one thread each, on their share of
//! the same file: what they reach together is what the machine allows, since they
//! have nothing in common. The CPU time tells what the threads lose to each
//! other; it is worth something even where other work makes the wall worthless.
//! Whatever the number of threads, the output must be the same.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::corpus;

/// Measure files on one thread and on several.
#[derive(clap::Args)]
pub struct Args {
    /// A file of puzzles, or the name of a known corpus.
    #[arg(default_value = "kaggle")]
    corpus: String,
    /// The program to run; that beside this one if absent.
    #[arg(long)]
    program: Option<PathBuf>,
    /// How many puzzles the file has.
    #[arg(long, default_value_t = 2_000_000)]
    puzzles: usize,
    /// Threads beside one; the number of cores if absent.
    #[arg(long)]
    threads: Option<usize>,
    /// Runs of each kind.
    #[arg(long, default_value_t = 5)]
    passes: usize,
}

/// The shapes of input and output: a name, a first line, and the value of
/// `--format`.
const SHAPES: [(&str, Option<&str>, Option<&str>); 3] = [
    ("lines", None, None),
    ("csv", Some("number,puzzle"), Some("csv")),
    ("jsonl", None, Some("jsonl")),
];

/// What a run took.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    cpu: f64,
}

impl Took {
    const FOREVER: Took = Took {
        wall: Duration::MAX,
        cpu: f64::INFINITY,
    };

    fn best(&mut self, other: Took) {
        self.wall = self.wall.min(other.wall);
        self.cpu = self.cpu.min(other.cpu);
    }
}

pub fn run(args: &Args) -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(cores).max(1);
    let program = match &args.program {
        Some(program) => program.clone(),
        None => std::env::current_exe()
            .map_err(|error| error.to_string())?
            .with_file_name("planoku"),
    };
    let folder = Folder::new()?;
    for corpus in corpus::load(std::slice::from_ref(&args.corpus))? {
        if corpus.lines.is_empty() {
            return Err(format!("{}: no puzzles", corpus.name));
        }
        for (shape, header, format) in SHAPES {
            let row = |number: usize| {
                let puzzle = &corpus.lines[number % corpus.lines.len()];
                match shape {
                    "csv" => format!("{number},{puzzle}"),
                    "jsonl" => format!("{{\"number\":{number},\"puzzle\":\"{puzzle}\"}}"),
                    _ => puzzle.clone(),
                }
            };
            let whole = folder.write("whole", shape, header, (0..args.puzzles).map(row))?;
            let share = args.puzzles.div_ceil(threads);
            let mut shares = Vec::new();
            for nth in 0..threads {
                let rows = nth * share..((nth + 1) * share).min(args.puzzles);
                shares.push(folder.write(&nth.to_string(), shape, header, rows.map(row))?);
            }
            let solve = |inputs: &[PathBuf], threads| solve(&program, inputs, format, threads);
            let [mut one, mut several, mut apart] = [Took::FOREVER; 3];
            for pass in 0..args.passes.max(1) {
                one.best(solve(std::slice::from_ref(&whole), 1)?);
                let expected = (pass == 0).then(|| read(&solved(&whole))).transpose()?;
                several.best(solve(std::slice::from_ref(&whole), threads)?);
                if expected.is_some_and(|expected| read(&solved(&whole)) != Ok(expected)) {
                    return Err(format!("{shape}: {threads} threads write something else"));
                }
                apart.best(solve(&shares, 1)?);
            }
            let times = |took: Took| one.wall.as_secs_f64() / took.wall.as_secs_f64();
            let line = format!(
                "file/native/{:<10} {shape:<5}  1 thread {:.2} s ({:.2} CPU)  {threads} threads \
                 {:.2} s ({:.2} CPU), {:.2} times  {threads} processes {:.2} times",
                corpus.name,
                one.wall.as_secs_f64(),
                one.cpu,
                several.wall.as_secs_f64(),
                several.cpu,
                times(several),
                times(apart),
            );
            let _ = writeln!(std::io::stdout(), "{line}");
        }
    }
    Ok(())
}

/// Solves every input in a process of its own, all at once.
fn solve(
    program: &Path,
    inputs: &[PathBuf],
    format: Option<&str>,
    threads: usize,
) -> Result<Took, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", program.display());
    for input in inputs {
        // To empty a large file takes its time, on one core.
        let _ = std::fs::remove_file(solved(input));
    }
    let (cpu, start) = (cpu_of_children(), Instant::now());
    let mut running = Vec::new();
    for input in inputs {
        let mut command = Command::new(program);
        command.arg("solve").arg(input).arg("-o").arg(solved(input));
        command.args(["--threads", &threads.to_string()]);
        command.args(format.iter().flat_map(|format| ["--format", format]));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        running.push(command.spawn().map_err(fail)?);
    }
    for mut process in running {
        let status = process.wait().map_err(fail)?;
        if !status.success() {
            return Err(format!("{}: {status}", program.display()));
        }
    }
    Ok(Took {
        wall: start.elapsed(),
        cpu: cpu_of_children() - cpu,
    })
}

/// Seconds of all processes that have been waited for, where Linux tells.
fn cpu_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, in brackets, may hold anything. User and system time of the
    // children are the 14th and 15th after it, in hundredths.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

/// Where the answers to a file go.
fn solved(input: &Path) -> PathBuf {
    input.with_file_name(format!(
        "solved-{}",
        input.file_name().unwrap_or_default().to_string_lossy()
    ))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A folder for this run, gone when it is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        let path = std::env::temp_dir().join(format!("planoku-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Folder(path))
    }

    fn write(
        &self,
        name: &str,
        shape: &str,
        header: Option<&str>,
        rows: impl Iterator<Item = String>,
    ) -> Result<PathBuf, String> {
        let extension = if shape == "lines" { "txt" } else { shape };
        let path = self.0.join(name).with_extension(extension);
        let write = || -> std::io::Result<()> {
            let mut file = BufWriter::new(File::create(&path)?);
            for row in header.map(String::from).into_iter().chain(rows) {
                writeln!(file, "{row}")?;
            }
            file.flush()
        };
        write().map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
