//! Lists of puzzles at full speed: the batch engine from file to file.
//!
//! What `solve` does by default, unless it draws, needs no record of each
//! puzzle. Here every thread does the whole work on a chunk of the input:
//!
//! ```text
//!   input ──take──▶ cells ──solve──▶ answers ──verify, write──▶ text ──hand in──▶ output
//!   (one at a time)                                            (in order, one at a time)
//! ```
//!
//! Plain lines become cells and answers become text without an allocation for
//! each puzzle; the memory of a chunk is used again. A chunk that is ready too
//! early waits until those before it are written, and only so many may wait.
//!
//! The batch engine answers for puzzles with one solution or none. Whatever
//! else there is (several solutions, other sizes, mistakes) goes through the
//! engine for single puzzles and comes out as it always does; so solutions do
//! not depend on what happened to stand in the same chunk.
//!
//! JSON tells nodes and time as well. The nodes of a puzzle may depend on its
//! neighbours in the chunk, and chunks are therefore cut by number, not by the
//! clock, as long as they are quick. Of the time every puzzle is given a share.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use planoku_engine::{Cancel, End};
use planoku_sudoku::native::{self, Answer, Batch, Cells, Isa};
use planoku_sudoku::{text, verify_cells};

use super::attempt::Record;
use super::show::{self, Object, View};
use super::work::{STACK, Settings};
use super::{Args, MISTAKES_SHOWN, Tally, next_size};
use crate::exit::{Context, Exit, Failure};
use crate::input::{Item, Meter, Reader};
use crate::output::{Output, complain};
use crate::progress::Progress;

/// True if this way of solving does all that the arguments ask for.
pub fn suits(args: &Args, view: View) -> bool {
    let native = args.engine.iter().all(|name| name == "native") && args.engine.len() <= 1;
    let budget = args.time.is_some() || args.nodes.is_some() || args.memory.is_some();
    let watched = args.trace.is_some() || args.svg.is_some();
    native && !budget && !watched && view != View::Drawn
}

/// Solves the inputs and writes a line for each puzzle.
pub fn run(
    args: &Args,
    inputs: &[String],
    view: View,
    settings: Settings,
    out: Output,
    context: &Context,
) -> Result<Exit, Failure> {
    let threads = match args.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let reader = Reader::new(inputs);
    let meter = reader.meter().clone();
    let floor = Arc::new(Floor {
        view,
        settings,
        limit: args.limit,
        cancel: context.cancel.clone(),
        size: AtomicUsize::new(IN_CACHE),
        taken: AtomicU64::new(0),
        most_waiting: 4 * threads,
        intake: Mutex::new(Intake {
            reader,
            ended: false,
        }),
        ledger: Mutex::new(Ledger::new(out, threads)),
        room: Condvar::new(),
        over: Condvar::new(),
        progress: Progress::new(&meter),
        meter,
    });
    for _ in 0..threads {
        let floor = Arc::clone(&floor);
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || floor.work())
            .map_err(|error| Failure::bad_input(format!("cannot start threads: {error}")))?;
    }
    floor.wait()
}

/// Where the threads work.
struct Floor {
    view: View,
    settings: Settings,
    limit: Option<u64>,
    cancel: Cancel,
    /// Puzzles in the next chunk, unless it is one of the first.
    size: AtomicUsize,
    /// Chunks taken so far.
    taken: AtomicU64,
    /// Chunks that may wait to be written.
    most_waiting: usize,
    intake: Mutex<Intake>,
    ledger: Mutex<Ledger>,
    /// There is room for chunks that wait, or no use in waiting.
    room: Condvar,
    /// All threads have ended, or nothing more will be written.
    over: Condvar,
    meter: Meter,
    progress: Progress,
}

struct Intake {
    reader: Reader,
    ended: bool,
}

/// What easy puzzles take up, from the line that is read to the line that is
/// written, is to stay in the cache of a core: 1024 of them are some 350 kB.
/// With 4096 the time goes up by a tenth.
const IN_CACHE: usize = 1 << 10;

/// How long Ctrl-C waits for chunks that are being solved.
const PATIENCE: Duration = Duration::from_secs(2);

impl Floor {
    /// What each thread does.
    fn work(&self) {
        let mut batch = Batch::new(Isa::best());
        let mut spare = Chunk::default();
        while let Some((number, mut chunk)) = self.take(spare) {
            let started = Instant::now();
            let done = catch_unwind(AssertUnwindSafe(|| chunk.solve(&mut batch, self)));
            if done.is_err() {
                // What the batch holds now is anyone's guess.
                batch = Batch::new(Isa::best());
                chunk.fault = Some("the native engine panicked".to_string());
            }
            let size = self.size.load(Ordering::Relaxed);
            let size = self.chunk_size(size, started.elapsed());
            self.size.store(size, Ordering::Relaxed);
            match self.hand_in(number, chunk) {
                Some(chunk) => spare = chunk,
                None => break,
            }
        }
        lock(&self.ledger).working -= 1;
        self.over.notify_all();
    }

    /// The next chunk of the input and its number.
    fn take(&self, mut chunk: Chunk) -> Option<(u64, Chunk)> {
        let mut intake = lock(&self.intake);
        if intake.ended || self.cancel.is_cancelled() {
            return None;
        }
        // The first puzzles are not to wait for many others.
        let number = self.taken.load(Ordering::Relaxed);
        let size = self.size.load(Ordering::Relaxed).min(1 << number.min(20));
        chunk.fill(&mut intake.reader, size);
        intake.ended = chunk.is_empty();
        if intake.ended {
            return None;
        }
        self.taken.store(number + 1, Ordering::Relaxed);
        Some((number, chunk))
    }

    /// Puzzles in the next chunk, after one of that size.
    ///
    /// Where puzzles are hard, the cache is no matter, but a batch should be
    /// full for as long as possible.
    fn chunk_size(&self, size: usize, took: Duration) -> usize {
        let easy = took < size as u32 * Duration::from_nanos(250);
        let most = match self.view {
            View::Json => IN_CACHE,
            _ if easy => IN_CACHE,
            _ => 1 << 12,
        };
        next_size(size, took).min(most)
    }

    /// Leaves a chunk to be written in its turn. Whoever finds the output free
    /// writes what is due; the others go on, unless too much waits already.
    /// Returns an empty chunk, or nothing if the work is over.
    fn hand_in(&self, number: u64, chunk: Chunk) -> Option<Chunk> {
        let mut ledger = lock(&self.ledger);
        while number != ledger.next
            && ledger.waiting.len() >= self.most_waiting
            && ledger.failure.is_none()
        {
            ledger.held_up += 1;
            let woken = self.room.wait(ledger);
            ledger = woken.unwrap_or_else(PoisonError::into_inner);
            ledger.held_up -= 1;
        }
        ledger.waiting.insert(number, chunk);
        while let Some((mut out, chunk)) = ledger.due() {
            let shown = ledger.note(&chunk);
            drop(ledger);
            let written = self.write(&chunk, shown, &mut out);
            ledger = lock(&self.ledger);
            ledger.written(out, chunk, written);
            if ledger.held_up > 0 {
                self.room.notify_all();
            }
        }
        match ledger.failure {
            None => Some(ledger.spare.pop().unwrap_or_default()),
            Some(_) => {
                self.room.notify_all();
                self.over.notify_all();
                None
            }
        }
    }

    /// Writes a chunk, after so many of its mistakes.
    fn write(&self, chunk: &Chunk, shown: usize, out: &mut Output) -> Result<(), Failure> {
        let puzzles = chunk.tally.puzzles + chunk.tally.mistakes;
        self.progress.advance(&self.meter, puzzles);
        let mistakes = chunk.mistakes.iter().take(shown);
        let messages = mistakes.chain(&chunk.complaints);
        if messages.clone().next().is_none() && !out.is_terminal() {
            return out.write_bytes(&chunk.text);
        }
        self.progress.aside(|| {
            for message in messages {
                complain(format_args!("error: {message}"));
            }
            out.write_bytes(&chunk.text)
        })
    }

    /// Waits until all is written, or nothing more will be.
    fn wait(&self) -> Result<Exit, Failure> {
        let mut cancelled: Option<Instant> = None;
        let mut ledger = lock(&self.ledger);
        while ledger.working > 0 && ledger.failure.is_none() {
            if self.cancel.is_cancelled() {
                // A thread may be waiting for input that never comes, so those
                // that have taken something are waited for, and not too long.
                let since = *cancelled.get_or_insert_with(Instant::now);
                let all = ledger.next == self.taken.load(Ordering::Relaxed);
                if all || since.elapsed() > PATIENCE {
                    break;
                }
            }
            let woken = self.over.wait_timeout(ledger, Duration::from_millis(20));
            ledger = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        self.progress.end();
        match ledger.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(ledger.tally.close(ledger.exit, self.cancel.is_cancelled())),
        }
    }
}

/// What has been written, and what waits.
struct Ledger {
    /// `None` while somebody writes.
    out: Option<Output>,
    tally: Tally,
    exit: Exit,
    failure: Option<Failure>,
    /// The chunk to be written next.
    next: u64,
    waiting: BTreeMap<u64, Chunk>,
    /// Chunks to be filled again.
    spare: Vec<Chunk>,
    /// Threads that have not ended.
    working: usize,
    /// Threads that wait for room.
    held_up: usize,
}

impl Ledger {
    fn new(out: Output, threads: usize) -> Ledger {
        Ledger {
            out: Some(out),
            tally: Tally::default(),
            exit: Exit::Done,
            failure: None,
            next: 0,
            waiting: BTreeMap::new(),
            spare: Vec::new(),
            working: threads,
            held_up: 0,
        }
    }

    /// The chunk whose turn has come, for whoever takes the output with it.
    fn due(&mut self) -> Option<(Output, Chunk)> {
        if self.failure.is_some() || !self.waiting.contains_key(&self.next) {
            return None;
        }
        let out = self.out.take()?;
        let chunk = self.waiting.remove(&self.next)?;
        Some((out, chunk))
    }

    /// Adds up what a chunk says; how many of its mistakes are to be shown.
    fn note(&mut self, chunk: &Chunk) -> usize {
        let shown = MISTAKES_SHOWN.saturating_sub(self.tally.mistakes);
        self.exit = self.exit.max(chunk.exit);
        self.tally.merge(&chunk.tally);
        shown as usize
    }

    /// A chunk has been written; the output is free again.
    fn written(&mut self, out: Output, mut chunk: Chunk, written: Result<(), Failure>) {
        self.out = Some(out);
        self.next += 1;
        self.failure = written.err().or(chunk.fault.take().map(Failure::fault));
        self.spare.push(chunk);
    }
}

/// Some puzzles on their way from input to output.
#[derive(Default)]
struct Chunk {
    cells: Vec<Cells>,
    /// Where the puzzles stand: the first puzzle of each run of lines.
    runs: Vec<Lines>,
    /// Mistakes, and puzzles of other sizes, each before the puzzle of that
    /// number.
    odd: Vec<(usize, Item)>,
    answers: Vec<Answer>,
    text: Vec<u8>,
    mistakes: Vec<String>,
    complaints: Vec<String>,
    tally: Tally,
    exit: Exit,
    fault: Option<String>,
    share: Share,
}

/// The time of a batch, shared out among its puzzles by their nodes.
#[derive(Default)]
struct Share {
    time: Duration,
    nodes: u64,
    /// Nodes of the puzzles that have been given their shares.
    given: u64,
}

impl Share {
    /// The next puzzle's share in whole microseconds. What is lost in rounding
    /// goes to those after it, so that the shares add up to the whole.
    fn next(&mut self, nodes: u64) -> u64 {
        let micros = self.time.as_micros() as u64;
        let until = |given: u64| micros * given / self.nodes.max(1);
        let before = until(self.given);
        self.given += nodes;
        until(self.given) - before
    }
}

/// Puzzles on consecutive lines.
struct Lines {
    first_puzzle: usize,
    source: Arc<str>,
    first_line: usize,
}

impl Chunk {
    fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.odd.is_empty()
    }

    /// Forgets what it held and takes up to `most` puzzles.
    fn fill(&mut self, reader: &mut Reader, most: usize) {
        self.cells.clear();
        self.runs.clear();
        self.odd.clear();
        while self.cells.len() + self.odd.len() < most {
            if !self.is_empty() && reader.may_wait() {
                return;
            }
            let first_puzzle = self.cells.len();
            let room = most - first_puzzle - self.odd.len();
            if let Some((source, first_line)) = reader.take_plain(room, &mut self.cells) {
                self.runs.push(Lines {
                    first_puzzle,
                    source,
                    first_line,
                });
                continue;
            }
            let Some(item) = reader.next() else { return };
            match item.puzzle.as_ref().ok().and_then(native::to_cells) {
                Some(cells) => {
                    self.cells.push(cells);
                    self.runs.push(Lines {
                        first_puzzle,
                        source: item.source,
                        first_line: item.line,
                    });
                }
                None => self.odd.push((first_puzzle, item)),
            }
        }
    }

    /// Solves and verifies everything, and writes it down in order.
    fn solve(&mut self, batch: &mut Batch, floor: &Floor) {
        self.text.clear();
        self.mistakes.clear();
        self.complaints.clear();
        (self.tally, self.exit) = (Tally::default(), Exit::Done);
        self.answers.resize(self.cells.len(), Answer::default());
        // Two solutions are enough to know that there are several.
        let started = Instant::now();
        batch.solve(&self.cells, 2, &mut self.answers);
        self.share = Share {
            time: started.elapsed(),
            nodes: self.answers.iter().map(|answer| answer.nodes).sum(),
            given: 0,
        };
        let mut odd = std::mem::take(&mut self.odd).into_iter().peekable();
        for nth in 0..=self.cells.len() {
            while let Some((_, item)) = odd.next_if(|(before, _)| *before == nth) {
                self.write_single(item, floor);
            }
            if nth < self.cells.len() && !self.write_answer(nth, floor) {
                self.write_single(self.item(nth), floor);
            }
        }
    }

    /// Writes what the batch engine found, if that is all there is to say.
    fn write_answer(&mut self, nth: usize, floor: &Floor) -> bool {
        let Answer {
            count,
            first,
            nodes,
        } = &self.answers[nth];
        let time = self.share.next(*nodes);
        match (count, first) {
            (0, None) => {
                self.exit = self.exit.max(Exit::Proved);
                self.tally.none += 1;
            }
            // Who wants no more than one solution does not ask whether there
            // are others.
            (1, Some(first)) if verify_cells(&self.cells[nth], first) => {
                self.tally.unique += u64::from(floor.limit != Some(1));
            }
            _ => return false,
        }
        self.tally.puzzles += 1;
        match (floor.view, first) {
            (View::Json, _) => self.write_object(nth, time, floor.limit),
            (View::Format(format), Some(first)) => {
                let solution = native::from_cells(first).map(|grid| text::write(&grid, format));
                self.text
                    .extend_from_slice(solution.unwrap_or_default().as_bytes());
            }
            (View::Format(_), None) => {}
            (_, Some(first)) => {
                self.text
                    .extend_from_slice(&first.map(|digit| b'0' + digit));
                self.text.push(b'\n');
            }
            (_, None) => self.text.extend_from_slice(b"# no solution\n"),
        }
        true
    }

    /// The same as JSON, with the fields that the engine for single puzzles
    /// would give it.
    fn write_object(&mut self, nth: usize, time_us: u64, limit: Option<u64>) {
        let Answer { first, nodes, .. } = &self.answers[nth];
        let symbol = |digit| if digit == 0 { b'.' } else { b'0' + digit };
        let puzzle = self.cells[nth].map(symbol);
        let solution = first.map(|first| first.map(symbol));
        let solution = solution.as_ref().map(as_text);
        let (end, unique) = match solution {
            Some(_) if limit == Some(1) => (End::Enough, None),
            solution => (End::Exhausted, Some(solution.is_some())),
        };
        let (source, line) = place(&self.runs, nth);
        let object = Object {
            puzzle: as_text(&puzzle),
            engine: "native",
            end: end.name(),
            stopped_by: None,
            solutions: solution.as_slice(),
            nodes: *nodes,
            time_us,
            verified: true,
            unique,
            source,
            line,
            counters: BTreeMap::new(),
        };
        if let Err(failure) = object.write(&mut self.text) {
            self.fault = Some(failure.message);
        }
    }

    /// Whatever is not so simple, as the engine for single puzzles sees it.
    fn write_single(&mut self, item: Item, floor: &Floor) {
        let record: Record = floor.settings.solve(item, None);
        if record.never_started() {
            self.tally.not_started += 1;
            return;
        }
        if (self.mistakes.len() as u64) < MISTAKES_SHOWN {
            self.mistakes.extend(record.item.mistake());
        }
        self.complaints.extend(record.complaints());
        self.exit = self.exit.max(record.exit());
        self.tally.add(&record);
        let all = floor.limit.is_some_and(|limit| limit > 1);
        let text = match floor.view {
            View::Json => {
                if let Err(failure) = show::json(&record, &mut self.text) {
                    self.fault = Some(failure.message);
                }
                return;
            }
            View::Format(format) => show::formatted(&record, format, all),
            _ => show::lines(&record, all),
        };
        self.text.extend_from_slice(text.as_bytes());
    }

    /// A puzzle of the batch with its place.
    fn item(&self, nth: usize) -> Item {
        let (source, line) = place(&self.runs, nth);
        Item {
            source: Arc::clone(source),
            line,
            column: 1,
            puzzle: native::from_cells(&self.cells[nth])
                .ok_or_else(|| "a byte that is no digit".to_string()),
            notes: None,
        }
    }
}

/// Source and line of a puzzle of the batch.
fn place(runs: &[Lines], nth: usize) -> (&Arc<str>, usize) {
    let run = &runs[runs.partition_point(|run| run.first_puzzle <= nth) - 1];
    (&run.source, run.first_line + nth - run.first_puzzle)
}

/// Symbols are text.
fn as_text(symbols: &[u8; 81]) -> &str {
    std::str::from_utf8(symbols).unwrap_or_default()
}

/// Locks, whatever became of those who held the lock before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
