//! Where puzzles come from: arguments, files, standard input.
//!
//! Puzzles are read by a thread of their own and handed over through a bounded
//! queue. So memory stays constant however long a file is, reading and solving
//! overlap, and Ctrl-C is heard even while a read is waiting for more input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use planoku_engine::Cancel;
use planoku_sudoku::Grid;
use planoku_sudoku::text::Puzzles;

/// How many puzzles may wait between reader and engines.
const QUEUE: usize = 1 << 13;

/// One puzzle, or one mistake, and where it stands.
pub struct Item {
    /// The file, or what stands for it.
    pub source: Arc<str>,
    /// Line in the source, from 1; 0 if the source as a whole is at fault.
    pub line: usize,
    /// Column in the line, from 1.
    pub column: usize,
    /// The puzzle, or what is wrong.
    pub puzzle: Result<Grid, String>,
}

impl Item {
    /// `file:line:column: message`, if this is a mistake.
    pub fn mistake(&self) -> Option<String> {
        let message = self.puzzle.as_ref().err()?;
        Some(match self.line {
            0 => format!("{}: {message}", self.source),
            line => format!("{}:{line}:{}: {message}", self.source, self.column),
        })
    }
}

/// Puzzles on their way from the sources to whoever solves them.
pub struct Input {
    queue: Receiver<Item>,
    bytes: Arc<AtomicU64>,
    total_bytes: Option<u64>,
}

impl Input {
    /// Begins to read the inputs of a command line, in order.
    pub fn open(inputs: &[String]) -> Input {
        let total_bytes = inputs.iter().map(|input| size(input)).sum();
        let bytes = Arc::new(AtomicU64::new(0));
        let (sender, queue) = sync_channel(QUEUE);
        let (inputs, counter) = (inputs.to_vec(), Arc::clone(&bytes));
        std::thread::spawn(move || {
            for input in inputs {
                // A send fails only when nobody wants more.
                if read_input(&input, &counter, &sender).is_none() {
                    return;
                }
            }
        });
        Input {
            queue,
            bytes,
            total_bytes,
        }
    }

    /// Up to `most` puzzles: at least one, unless the input is at its end or
    /// the switch is pressed; more only if they are there already.
    pub fn next_chunk(&self, most: usize, cancel: &Cancel) -> Vec<Item> {
        let mut chunk = Vec::new();
        while !cancel.is_cancelled() {
            match self.queue.recv_timeout(Duration::from_millis(20)) {
                Ok(first) => {
                    chunk.push(first);
                    chunk.extend(self.queue.try_iter().take(most.saturating_sub(1)));
                    break;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        chunk
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Bytes to read in all, if that is known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }
}

/// The size of an input, `None` if only reading will tell.
fn size(input: &str) -> Option<u64> {
    match std::fs::metadata(input) {
        Ok(about) if about.is_file() => Some(about.len()),
        Ok(_) => None,
        Err(_) if input == "-" => None,
        Err(_) => Some(input.len() as u64),
    }
}

/// Sends everything in one input; `None` when nobody listens any more.
fn read_input(input: &str, bytes: &Arc<AtomicU64>, sender: &SyncSender<Item>) -> Option<()> {
    let counted = |reader: Box<dyn Read>| {
        let counting = Counting {
            reader,
            bytes: Arc::clone(bytes),
        };
        BufReader::with_capacity(1 << 16, counting)
    };
    if input == "-" {
        return read_all("<stdin>", counted(Box::new(io::stdin())), sender);
    }
    let fail = |message: String| {
        sender
            .send(Item {
                source: input.into(),
                line: 0,
                column: 0,
                puzzle: Err(message),
            })
            .ok()
    };
    match open(input) {
        Ok(Some(file)) => read_all(input, counted(Box::new(file)), sender),
        Ok(None) if looks_like_a_puzzle(input) => read_all("<argument>", input.as_bytes(), sender),
        Ok(None) => fail(format!(
            "expected a file or a puzzle; there is no such file, and a puzzle has 81 cells \
             (or 16, 36, 256, 625), not {}",
            input.chars().count()
        )),
        Err(message) => fail(message),
    }
}

/// The file of that name; `Ok(None)` if there is none.
fn open(input: &str) -> Result<Option<File>, String> {
    // A puzzle may be too long for a file name, which is an error of its own.
    if Path::new(input).is_dir() {
        return Err("expected a file of puzzles, found a directory".to_string());
    }
    match File::open(input) {
        Ok(file) => Ok(Some(file)),
        Err(_) if !Path::new(input).exists() => Ok(None),
        Err(error) => Err(format!("cannot open: {error}")),
    }
}

/// True if a mistake in this argument is best explained as one in a puzzle.
fn looks_like_a_puzzle(input: &str) -> bool {
    let cells = input.chars().filter(|c| !c.is_whitespace()).count();
    let blanks_or_digits = input
        .chars()
        .filter(|c| c.is_ascii_digit() || "._*|".contains(*c))
        .count();
    input.contains('\n') || input.starts_with('{') || cells >= 16 && 2 * blanks_or_digits > cells
}

fn read_all(name: &str, reader: impl BufRead, sender: &SyncSender<Item>) -> Option<()> {
    let source: Arc<str> = name.into();
    let mut any = false;
    for result in Puzzles::new(reader) {
        any = true;
        let (line, column, puzzle) = match result {
            Ok(puzzle) => (puzzle.line, 1, Ok(puzzle.grid)),
            Err(error) => (error.line, error.column, Err(error.problem.to_string())),
        };
        let source = Arc::clone(&source);
        sender
            .send(Item {
                source,
                line,
                column,
                puzzle,
            })
            .ok()?;
    }
    if !any {
        let puzzle = Err("expected a puzzle, found none: the input is empty".to_string());
        sender
            .send(Item {
                source,
                line: 0,
                column: 0,
                puzzle,
            })
            .ok()?;
    }
    Some(())
}

/// Counts the bytes that pass through.
struct Counting {
    reader: Box<dyn Read>,
    bytes: Arc<AtomicU64>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
