//! Read, work in parallel, write in order.
//!
//! Every thread does the whole work on a chunk of the input:
//!
//! ```text
//!   input ──fill──▶ chunk ──work──▶ page ──hand in──▶ output
//!   (one at a time)                       (in order, one at a time)
//! ```
//!
//! A page that is ready too early waits until those before it are written, and
//! only so many may wait; so memory does not depend on the length of the input.
//! Chunks grow while they are quick and shrink when they are slow, so that ten
//! million puzzles keep every core busy, and one hard puzzle is answered at
//! once. Work whose results are too long to be held [pours](Slot::pour) them out
//! as soon as its turn has come.
//!
//! A thread that panics ends the command with a message and the code for our
//! own fault. Ctrl-C is heard even if a read waits for input that never comes.
//!
//! [`puzzles()`] is the simple way in; [`run`] is for jobs that read and keep
//! memory in their own way.

mod puzzles;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use planoku_engine::{Cancel, Stop};

use crate::exit::{Context, Exit, Failure};
use crate::input::{Inputs, Meter, Reader};
use crate::output::{Output, complain};
use crate::progress::Progress;
pub use puzzles::puzzles;

/// What is done with the input.
pub trait Job: Send + Sync + 'static {
    /// What a thread keeps from one chunk to the next.
    type Worker;
    /// Some of the input. It is filled again and again.
    type Chunk: Default + Send + 'static;
    /// What the results of a chunk add up to.
    type Sum: Default + Send + 'static;

    /// A thread begins.
    fn worker(&self) -> Self::Worker;

    /// Forgets what the chunk held and takes about `most` puzzles; how many it
    /// has taken, 0 at the end of the input. Chunks are filled in order.
    fn fill(&self, chunk: &mut Self::Chunk, reader: &mut Reader, most: usize) -> usize;

    /// Does the work, and writes what comes of it.
    fn work(&self, worker: &mut Self::Worker, chunk: &mut Self::Chunk, slot: &mut Slot<'_, Self>)
    where
        Self: Sized;

    /// Adds a page's sum to those before it.
    fn add(&self, total: &mut Self::Sum, sum: &mut Self::Sum);

    /// How many puzzles a chunk holds, after one of that size took so long. The
    /// first is 0. Chunks aim at a twentieth of a second.
    fn size(&self, size: usize, took: Duration) -> usize {
        next_size(size, took)
    }

    /// What is written after all pages.
    fn ending(&self) -> &'static str {
        ""
    }

    /// True if pages may hold colours, which only terminals are to see.
    fn coloured(&self) -> bool {
        false
    }
}

/// A chunk size that aims at a twentieth of a second.
pub fn next_size(size: usize, took: Duration) -> usize {
    match took.as_millis() {
        0..=50 => (size * 2).clamp(1, 1 << 12),
        51..=200 => size.max(1),
        _ => (size / 4).max(1),
    }
}

/// What comes of a chunk.
#[derive(Debug)]
pub struct Page<S> {
    /// Results, to be written as they stand.
    pub text: Vec<u8>,
    /// Mistakes of the input, one message each; only so many are shown.
    pub mistakes: Vec<String>,
    /// How many mistakes there are beyond those in the list.
    pub mistakes_not_listed: u64,
    /// Whatever else must be said on standard error.
    pub complaints: Vec<String>,
    /// The highest code any puzzle earned.
    pub exit: Exit,
    /// How many puzzles were looked at.
    pub puzzles: u64,
    /// What else is added up.
    pub sum: S,
    fault: Option<String>,
}

impl<S: Default> Default for Page<S> {
    fn default() -> Page<S> {
        Page {
            text: Vec::new(),
            mistakes: Vec::new(),
            mistakes_not_listed: 0,
            complaints: Vec::new(),
            exit: Exit::Done,
            puzzles: 0,
            sum: S::default(),
            fault: None,
        }
    }
}

impl<S: Default> Page<S> {
    /// Takes note of a mistake in the input.
    pub fn mistake(&mut self, message: String) {
        self.exit = self.exit.max(Exit::BadInput);
        match (self.mistakes.len() as u64) < MISTAKES_SHOWN {
            true => self.mistakes.push(message),
            false => self.mistakes_not_listed += 1,
        }
    }

    /// An empty page that keeps the memory of this one.
    fn clear(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        *self = Page {
            text,
            ..Page::default()
        };
    }
}

/// How many mistakes are reported in full.
pub const MISTAKES_SHOWN: u64 = 20;

/// What everything adds up to.
pub struct Done<S> {
    /// What the pages add up to.
    pub sum: S,
    /// The highest code any puzzle earned, and that of Ctrl-C.
    pub exit: Exit,
    /// How many puzzles were looked at.
    pub puzzles: u64,
    /// Mistakes in the input.
    pub mistakes: u64,
    /// True if Ctrl-C was pressed.
    pub cancelled: bool,
}

impl<S> Done<S> {
    /// Tells of mistakes that were not shown and of Ctrl-C.
    pub fn say_what_is_missing(&self) {
        if self.mistakes > MISTAKES_SHOWN {
            let more = self.mistakes - MISTAKES_SHOWN;
            complain(format_args!("error: and {more} more that are not puzzles"));
        }
        if self.cancelled {
            complain(format_args!(
                "stopped by Ctrl-C after {} puzzle{}; the results so far are kept",
                self.puzzles,
                if self.puzzles == 1 { "" } else { "s" }
            ));
        }
    }
}

/// Does a job on the inputs of a command line.
pub fn run<'a, J: Job>(
    job: J,
    inputs: impl Into<Inputs<'a>>,
    threads: Option<u16>,
    out: Output,
    context: &Context,
) -> Result<Done<J::Sum>, Failure> {
    let threads = match threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let inputs = inputs.into();
    let mut reader = Reader::new(inputs.names);
    reader.keep_to(inputs.share);
    let meter = reader.meter().clone();
    let shared = Arc::new(Shared {
        cancel: context.cancel.clone(),
        size: AtomicUsize::new(job.size(0, Duration::ZERO)),
        taken: AtomicU64::new(0),
        most_waiting: 4 * threads,
        source: Mutex::new(Source {
            reader,
            ended: false,
        }),
        writer: Mutex::new(OrderedWriter::new(out, threads)),
        room: Condvar::new(),
        over: Condvar::new(),
        progress: Progress::new(&meter),
        meter,
        job,
    });
    for _ in 0..threads {
        let shared = Arc::clone(&shared);
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || shared.work())
            .map_err(|error| Failure::bad_input(format!("cannot start threads: {error}")))?;
    }
    shared.wait()
}

/// Planners recurse deeply; untouched stack costs nothing.
const STACK: usize = 256 << 20;

/// How long Ctrl-C waits for chunks that are being worked on.
const PATIENCE: Duration = Duration::from_millis(800);

/// What the threads share.
struct Shared<J: Job> {
    job: J,
    cancel: Cancel,
    /// Puzzles in the next chunk, unless it is one of the first.
    size: AtomicUsize,
    /// Chunks taken so far.
    taken: AtomicU64,
    /// Pages that may wait to be written.
    most_waiting: usize,
    source: Mutex<Source>,
    writer: Mutex<OrderedWriter<J::Sum>>,
    /// There is room for pages that wait, or no use in waiting.
    room: Condvar,
    /// All threads have ended, or nothing more will be written.
    over: Condvar,
    meter: Meter,
    progress: Progress,
}

/// The input, and whether it has ended.
struct Source {
    reader: Reader,
    ended: bool,
}

impl<J: Job> Shared<J> {
    /// What each thread does.
    fn work(&self) {
        let _leaving = Leaving(self);
        let mut worker = self.job.worker();
        let mut chunk = J::Chunk::default();
        let mut page = Page::default();
        while let Some(number) = self.take(&mut chunk) {
            let started = Instant::now();
            let mut slot = Slot {
                page,
                number,
                poured: started,
                shared: self,
            };
            let work = || self.job.work(&mut worker, &mut chunk, &mut slot);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                // What the worker holds now is anyone's guess.
                worker = self.job.worker();
                let what = panic.downcast_ref::<String>().map(String::as_str);
                let what = what.or(panic.downcast_ref::<&str>().copied());
                slot.page.fault = Some(format!(
                    "planoku made a mistake: {}; please report it",
                    what.unwrap_or("a thread panicked")
                ));
            }
            let size = self.size.load(Ordering::Relaxed);
            let size = self.job.size(size, started.elapsed());
            self.size.store(size, Ordering::Relaxed);
            match self.hand_in(number, slot.page) {
                Some(spare) => page = spare,
                None => break,
            }
        }
    }

    /// Takes the next chunk of the input; its number.
    fn take(&self, chunk: &mut J::Chunk) -> Option<u64> {
        let mut source = lock(&self.source);
        if source.ended || self.cancel.is_cancelled() {
            return None;
        }
        // The first puzzles are not to wait for many others.
        let number = self.taken.load(Ordering::Relaxed);
        let size = self.size.load(Ordering::Relaxed).min(1 << number.min(20));
        // If filling panics, nobody is to try again.
        source.ended = true;
        source.ended = self.job.fill(chunk, &mut source.reader, size) == 0;
        if source.ended {
            return None;
        }
        self.taken.store(number + 1, Ordering::Relaxed);
        Some(number)
    }

    /// Leaves a page to be written in its turn. Whoever finds the output free
    /// writes what is due; the others go on, unless too much waits already.
    /// Returns an empty page, or nothing if the work is over.
    fn hand_in(&self, number: u64, page: Page<J::Sum>) -> Option<Page<J::Sum>> {
        let mut writer = lock(&self.writer);
        while number != writer.next
            && writer.waiting.len() >= self.most_waiting
            && writer.failure.is_none()
        {
            writer.held_up += 1;
            let woken = self.room.wait(writer);
            writer = woken.unwrap_or_else(PoisonError::into_inner);
            writer.held_up -= 1;
        }
        writer.waiting.insert(number, page);
        while let Some((mut out, mut page)) = writer.due() {
            let shown = writer.note(&mut page, &self.job);
            drop(writer);
            let written = self.write(&page, shown, &mut out);
            writer = lock(&self.writer);
            writer.written(out, page, written);
            if writer.held_up > 0 {
                self.room.notify_all();
            }
        }
        match writer.failure {
            None => Some(writer.spare.pop().unwrap_or_default()),
            Some(_) => {
                self.room.notify_all();
                self.over.notify_all();
                None
            }
        }
    }

    /// Writes a page, after so many of its mistakes.
    fn write(&self, page: &Page<J::Sum>, shown: usize, out: &mut Output) -> Result<(), Failure> {
        self.progress.advance(&self.meter, page.puzzles);
        let mistakes = page.mistakes.iter().take(shown);
        let messages = mistakes.chain(&page.complaints);
        if messages.clone().next().is_none() && !out.is_terminal() {
            return self.write_text(&page.text, out);
        }
        self.progress.aside(|| {
            for message in messages {
                complain(format_args!("error: {message}"));
            }
            self.write_text(&page.text, out)
        })
    }

    fn write_text(&self, text: &[u8], out: &mut Output) -> Result<(), Failure> {
        if !self.job.coloured() {
            return out.write_bytes(text);
        }
        out.write(&String::from_utf8_lossy(text))?;
        out.flush()
    }

    /// Waits until all is written, or nothing more will be.
    fn wait(&self) -> Result<Done<J::Sum>, Failure> {
        let mut cancelled: Option<Instant> = None;
        let mut writer = lock(&self.writer);
        while writer.working > 0 && writer.failure.is_none() {
            if self.cancel.is_cancelled() {
                // A thread may be waiting for input that never comes, so those
                // that have taken something are waited for, and not too long.
                let since = *cancelled.get_or_insert_with(Instant::now);
                let all = writer.next == self.taken.load(Ordering::Relaxed);
                if all || since.elapsed() > PATIENCE {
                    break;
                }
            }
            let woken = self.over.wait_timeout(writer, Duration::from_millis(20));
            writer = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        self.progress.end();
        if let Some(failure) = writer.failure.take() {
            return Err(failure);
        }
        if let Some(out) = &mut writer.out
            && !self.job.ending().is_empty()
        {
            out.write(self.job.ending())?;
            out.flush()?;
        }
        let cancelled = self.cancel.is_cancelled();
        Ok(Done {
            sum: std::mem::take(&mut writer.sum),
            exit: match cancelled {
                true => writer.exit.max(Exit::Stopped),
                false => writer.exit,
            },
            puzzles: writer.puzzles,
            mistakes: writer.mistakes,
            cancelled,
        })
    }
}

/// A thread that ends, however it ends: those who wait for it are told.
struct Leaving<'s, J: Job>(&'s Shared<J>);

impl<J: Job> Drop for Leaving<'_, J> {
    fn drop(&mut self) {
        let mut writer = lock(&self.0.writer);
        writer.working -= 1;
        if std::thread::panicking() {
            writer.failure.get_or_insert_with(|| {
                Failure::fault("planoku made a mistake (see above); please report it")
            });
        }
        drop(writer);
        self.0.room.notify_all();
        self.0.over.notify_all();
    }
}

/// What has been written, and what waits.
struct OrderedWriter<S> {
    /// `None` while somebody writes.
    out: Option<Output>,
    sum: S,
    exit: Exit,
    puzzles: u64,
    mistakes: u64,
    failure: Option<Failure>,
    /// The page to be written next.
    next: u64,
    waiting: BTreeMap<u64, Page<S>>,
    /// Pages to be used again.
    spare: Vec<Page<S>>,
    /// Threads that have not ended.
    working: usize,
    /// Threads that wait for room.
    held_up: usize,
}

impl<S: Default> OrderedWriter<S> {
    fn new(out: Output, threads: usize) -> OrderedWriter<S> {
        OrderedWriter {
            out: Some(out),
            sum: S::default(),
            exit: Exit::Done,
            puzzles: 0,
            mistakes: 0,
            failure: None,
            next: 0,
            waiting: BTreeMap::new(),
            spare: Vec::new(),
            working: threads,
            held_up: 0,
        }
    }

    /// The page whose turn has come, for whoever takes the output with it.
    fn due(&mut self) -> Option<(Output, Page<S>)> {
        if self.failure.is_some() || !self.waiting.contains_key(&self.next) {
            return None;
        }
        let out = self.out.take()?;
        let page = self.waiting.remove(&self.next)?;
        Some((out, page))
    }

    /// Adds up what a page says; how many of its mistakes are to be shown.
    fn note(&mut self, page: &mut Page<S>, job: &impl Job<Sum = S>) -> usize {
        let shown = MISTAKES_SHOWN.saturating_sub(self.mistakes);
        self.exit = self.exit.max(page.exit);
        self.puzzles += page.puzzles;
        self.mistakes += page.mistakes.len() as u64 + page.mistakes_not_listed;
        job.add(&mut self.sum, &mut page.sum);
        shown as usize
    }

    /// A page has been written; the output is free again.
    fn written(&mut self, out: Output, mut page: Page<S>, written: Result<(), Failure>) {
        self.out = Some(out);
        self.next += 1;
        self.failure = written.err().or(page.fault.take().map(Failure::fault));
        page.clear();
        self.spare.push(page);
    }
}

/// The place of a page among the others.
pub struct Slot<'s, J: Job> {
    /// What is to be written in this place.
    pub page: Page<J::Sum>,
    /// How many chunks come before.
    pub number: u64,
    poured: Instant,
    shared: &'s Shared<J>,
}

/// Text that is worth writing.
const WORTH_WRITING: usize = 1 << 16;

/// Text that is not to be held any longer.
const TOO_LONG: usize = 1 << 20;

/// How long a result may be held back while the next is searched for.
const HELD_BACK: Duration = Duration::from_millis(100);

impl<J: Job> Slot<'_, J> {
    /// True if nobody wants more.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancel.is_cancelled()
    }

    /// To be called after each of many results: hands over what has piled up,
    /// if it is much or old. Waits only if there is too much to be held and it
    /// is not this page's turn. Says stop if nobody wants the rest.
    pub fn offer(&mut self) -> Result<(), Stop> {
        let held = self.page.text.len();
        match held {
            TOO_LONG.. => self.pour(),
            WORTH_WRITING.. if self.is_due() => self.pour(),
            1.. if self.poured.elapsed() >= HELD_BACK && self.is_due() => self.pour(),
            _ => Ok(()),
        }
    }

    fn is_due(&self) -> bool {
        let writer = lock(&self.shared.writer);
        writer.next == self.number && writer.out.is_some()
    }

    /// Writes what the page holds so far, once all before it is written.
    pub fn pour(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        let mut writer = lock(&shared.writer);
        let mut out = loop {
            if writer.failure.is_some() || shared.cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            if writer.next == self.number
                && let Some(out) = writer.out.take()
            {
                break out;
            }
            writer.held_up += 1;
            let woken = shared.room.wait_timeout(writer, Duration::from_millis(20));
            writer = woken.unwrap_or_else(PoisonError::into_inner).0;
            writer.held_up -= 1;
        };
        drop(writer);
        let written = shared.write_text(&self.page.text, &mut out);
        self.page.text.clear();
        self.poured = Instant::now();
        let mut writer = lock(&shared.writer);
        writer.out = Some(out);
        match written {
            Ok(()) => Ok(()),
            Err(failure) => {
                writer.failure.get_or_insert(failure);
                shared.over.notify_all();
                Err(Stop::Cancelled)
            }
        }
    }
}

/// Locks, whatever became of those who held the lock before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
