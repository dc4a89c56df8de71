//! Random problems for every planner until the time is up.
//!
//! Planners run in worker processes that say what they are about to do, so
//! that a hang, a stack overflow or a flood of memory is a finding with a name
//! and not the end of the run. What is found is shrunk to a pair of files in
//! a process of its own (`shrink`), and the command that shows it is printed.

mod shrink;
mod worker;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

pub use shrink::{ProbeArgs, ShrinkArgs, run_probe, run_shrink};
pub use worker::{WorkerArgs, run_worker};

/// Torture every planner with random problems.
#[derive(clap::Args)]
pub struct Args {
    /// How long.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// Where the problems begin.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Processes at the same time; all cores without it.
    #[arg(long)]
    workers: Option<u64>,
    /// One problem in so many is huge; 0 for none.
    #[arg(long, default_value_t = 20)]
    rare: u64,
    /// Only this planner.
    #[arg(long)]
    planner: Option<String>,
    /// Where to write what is found.
    #[arg(long, default_value = "torture-findings")]
    out: PathBuf,
    /// How many findings of one kind are shrunk.
    #[arg(long, default_value_t = 3)]
    keep: usize,
}

/// What a worker may use beyond the time limit of a planner.
const CPU_SLACK: Duration = Duration::from_secs(5);
/// What the oracle may use for a problem, and the generator to make it.
const ORACLE_SLACK: Duration = Duration::from_secs(20);
/// How long a worker may stand still: a deadlock uses nothing. (On a busy machine
/// one that gets little of the processor is not to blame.)
const STANDSTILL: Duration = Duration::from_secs(30);
/// CPU time, or time spent waiting for a processor, that is a sign of life.
const SIGN: Duration = Duration::from_millis(50);
/// What a worker may hold whatever it does: the planners' limit, and what
/// surrounds them.
const MEMORY: u64 = 700 << 20;
/// How a worker ends in which a planner exceeded its memory budget.
const MEMORY_CODE: i32 = 4;

/// Runs until the time is up. The exit code is 1 if anything was found.
pub fn run(args: &Args) -> Result<ExitCode, String> {
    let workers = args.workers.unwrap_or_else(|| {
        std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64)
    });
    let end = Instant::now() + Duration::from_secs_f64(args.minutes * 60.0);
    let (send, receive) = mpsc::channel();
    let mut run = Torture {
        args,
        step: workers,
        send,
        tallies: BTreeMap::new(),
        findings: BTreeMap::new(),
        cases: 0,
        decided: 0,
        seeds: BTreeMap::new(),
        waiting: VecDeque::new(),
        shrinking: None,
    };
    let start = Instant::now();
    let mut crew = Vec::new();
    for number in 0..workers {
        crew.push(run.start(args.seed + number)?);
    }
    while Instant::now() < end {
        match receive.recv_timeout(Duration::from_millis(200)) {
            Ok((process, line)) => {
                // The last words of a worker that was replaced do not count.
                let worker = crew.iter_mut().find(|it| it.child.id() == process);
                if let Some(worker) = worker {
                    run.hear(worker, line.as_deref(), start);
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        for worker in &mut crew {
            if let Some((kind, detail)) = worker.trouble() {
                let planner = match worker.planner.as_str() {
                    "" => "oracle",
                    planner => planner,
                };
                run.report(worker.seed, kind, planner, &detail, start);
                worker.end();
                *worker = run.start(worker.seed + workers)?;
            }
        }
        run.shrink_next();
    }
    for worker in &mut crew {
        worker.end();
    }
    // What is to be shrunk comes to its end: each has its own limit.
    while run.shrink_next() {
        std::thread::sleep(Duration::from_millis(50));
    }
    run.summary(start.elapsed());
    Ok(match run.findings.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    })
}

/// A process that asks planners, and what it said last.
struct Worker {
    child: Child,
    seed: u64,
    planner: String,
    /// When it said something, and the CPU time it had used by then.
    heard: (Instant, Duration),
    /// When it last showed a sign of life, the CPU time it had used, and how
    /// long its busiest thread had waited for some.
    moved: (Instant, Duration, Duration),
    looked: Instant,
    closed: bool,
}

impl Worker {
    /// What is wrong with it, if something is.
    fn trouble(&mut self) -> Option<(&'static str, String)> {
        if self.closed {
            return Some(match self.child.wait() {
                Ok(status) if status.code() == Some(MEMORY_CODE) => {
                    ("memory", "twice the budget was held".into())
                }
                Ok(status) => ("crash", status.to_string()),
                Err(error) => ("crash", error.to_string()),
            });
        }
        if self.looked.elapsed() < Duration::from_millis(200) {
            return None;
        }
        self.looked = Instant::now();
        let cpu = cpu_of(self.child.id()).unwrap_or_default();
        let queued = queued(self.child.id());
        let (_, used, waited) = self.moved;
        if cpu.saturating_sub(used) > SIGN || queued.abs_diff(waited) > SIGN {
            self.moved = (Instant::now(), cpu, queued);
        }
        let used = cpu.saturating_sub(self.heard.1);
        let still = self.moved.0.max(self.heard.0).elapsed();
        // Between two planners the oracle is at work.
        let slack = match self.planner.is_empty() {
            true => ORACLE_SLACK,
            false => CPU_SLACK,
        };
        if used > slack || still > STANDSTILL {
            let silent = self.heard.0.elapsed();
            let detail = format!("silent for {silent:.1?}, {used:.1?} of CPU time");
            return Some(("hang", detail));
        }
        let held = memory_of(self.child.id()).unwrap_or_default();
        (held > MEMORY).then(|| ("memory", format!("the process holds {} MB", held >> 20)))
    }

    /// It has said that no planner is at work.
    fn between_planners(&mut self) {
        self.planner.clear();
        self.heard.1 = cpu_of(self.child.id()).unwrap_or_default();
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Default)]
struct Tally {
    plans: u64,
    proofs: u64,
    open: u64,
}

struct Torture<'a> {
    args: &'a Args,
    step: u64,
    send: mpsc::Sender<(u32, Option<String>)>,
    tallies: BTreeMap<String, Tally>,
    /// How often each kind was found of each planner.
    findings: BTreeMap<(String, String), usize>,
    cases: u64,
    decided: u64,
    /// The seeds of what is shrunk, by kind.
    seeds: BTreeMap<String, BTreeSet<u64>>,
    /// Commands that shrink, one at a time.
    waiting: VecDeque<Command>,
    shrinking: Option<Child>,
}

impl Torture<'_> {
    fn start(&self, seed: u64) -> Result<Worker, String> {
        let this = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(this);
        command
            .args(["torture-worker", "--seed", &seed.to_string()])
            .args(["--step", &self.step.to_string()])
            .args(["--rare", &self.args.rare.to_string()])
            // What one case has freed is given back before the next: the worker
            // is watched from outside.
            .env("MALLOC_ARENA_MAX", "1")
            .env("MALLOC_MMAP_THRESHOLD_", "131072")
            .env("MALLOC_TRIM_THRESHOLD_", "131072")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(planner) = &self.args.planner {
            command.args(["--planner", planner]);
        }
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let (send, process) = (self.send.clone(), child.id());
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send((process, Some(line))).is_err() {
                    return;
                }
            }
            let _ = send.send((process, None));
        });
        Ok(Worker {
            child,
            seed,
            planner: String::new(),
            heard: (Instant::now(), Duration::ZERO),
            moved: (Instant::now(), Duration::ZERO, Duration::ZERO),
            looked: Instant::now(),
            closed: false,
        })
    }

    /// One line of a worker; `None` when there will be no other.
    fn hear(&mut self, worker: &mut Worker, line: Option<&str>, start: Instant) {
        let Some(line) = line else {
            worker.closed = true;
            return;
        };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        worker.heard.0 = Instant::now();
        match word {
            "case" => {
                worker.seed = rest.parse().unwrap_or(worker.seed);
                worker.between_planners();
            }
            "ask" => {
                worker.planner = rest.to_string();
                worker.heard.1 = Duration::ZERO;
                if let Some(cpu) = rest.split_once(' ').map(|it| it.1) {
                    worker.heard.1 = Duration::from_micros(cpu.parse().unwrap_or(0));
                    worker.planner = rest.split(' ').next().unwrap_or("").to_string();
                }
            }
            "done" => {
                self.cases += 1;
                self.decided += u64::from(rest == "decided");
                worker.between_planners();
            }
            "tally" => {
                let mut fields = rest.split(' ');
                let name = fields.next().unwrap_or("").to_string();
                let mut next = || fields.next().and_then(|it| it.parse().ok()).unwrap_or(0);
                let tally = self.tallies.entry(name).or_default();
                tally.plans += next();
                tally.proofs += next();
                tally.open += next();
            }
            "finding" => {
                let mut fields = rest.splitn(3, ' ');
                let mut next = || fields.next().unwrap_or("").to_string();
                let (kind, planner, detail) = (next(), next(), next());
                self.report(worker.seed, &kind, &planner, &detail, start);
            }
            _ => {}
        }
    }

    fn report(&mut self, seed: u64, kind: &str, planner: &str, detail: &str, start: Instant) {
        let key = (kind.to_string(), planner.to_string());
        *self.findings.entry(key).or_default() += 1;
        // One mistake makes many planners stumble over the same problem: the
        // first of them is enough.
        let seeds = self.seeds.entry(kind.to_string()).or_default();
        if seeds.len() >= self.args.keep || !seeds.insert(seed) {
            return;
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds:.1} s, seed {seed}: {kind} by {planner}: {detail}");
        // The oracle is slow, not wrong: there is nothing to shrink.
        let Ok(this) = std::env::current_exe() else {
            return;
        };
        if planner == "oracle" {
            return;
        }
        let mut command = Command::new(this);
        command
            .args(["torture-shrink", "--seed", &seed.to_string()])
            .args(["--rare", &self.args.rare.to_string()])
            .args(["--kind", kind, "--planner", planner, "--out"])
            .arg(&self.args.out)
            .stderr(Stdio::null());
        self.waiting.push_back(command);
    }

    /// Starts to shrink what waits; false if nothing waits or runs.
    fn shrink_next(&mut self) -> bool {
        if let Some(child) = &mut self.shrinking
            && matches!(child.try_wait(), Ok(None))
        {
            return true;
        }
        self.shrinking = None;
        let Some(mut command) = self.waiting.pop_front() else {
            return false;
        };
        match command.spawn() {
            Ok(child) => self.shrinking = Some(child),
            Err(error) => println!("not shrunk: {error}"),
        }
        true
    }

    fn summary(&self, time: Duration) {
        let minutes = time.as_secs_f64() / 60.0;
        println!(
            "{} cases in {minutes:.1} minutes from seed {}; the oracle decided {}",
            self.cases, self.args.seed, self.decided
        );
        println!("planner              plans   proofs     open  findings");
        for (name, tally) in &self.tallies {
            let of = self.findings.iter().filter(|((_, by), _)| by == name);
            let findings: usize = of.map(|(_, count)| count).sum();
            println!(
                "{name:18} {:7}  {:7}  {:7}  {findings:8}",
                tally.plans, tally.proofs, tally.open
            );
        }
        if self.findings.is_empty() {
            println!("nothing was found");
        }
        for ((kind, planner), count) in &self.findings {
            println!("found: {kind} by {planner}, {count} times");
        }
    }
}

/// The CPU time a process has used, where the system says so.
fn cpu_of(process: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Fields 14 and 15, counted after the name, which may contain spaces.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// How long the busiest thread of a process has waited for a processor, where
/// the system says so.
fn queued(process: u32) -> Duration {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Duration::ZERO;
    };
    let waited = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(path.join("schedstat")).ok()?;
        let mut fields = text.split_whitespace().map(|it| it.parse::<u64>().ok());
        Some((fields.next()??, fields.next()??))
    };
    let threads = threads.flatten().filter_map(|it| waited(it.path()));
    Duration::from_nanos(threads.max().map_or(0, |(_, waited)| waited))
}

/// The memory a process holds, where the system says so.
fn memory_of(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
