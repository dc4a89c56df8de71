//! Where puzzles come from: arguments, files, standard input.
//!
//! A [`Reader`] reads the inputs of a command line one after the other. Mostly
//! it runs on a thread of its own and hands puzzles over through a bounded
//! queue ([`Input`]). So memory stays constant however long a file is, reading
//! and solving overlap, and Ctrl-C is heard even while a read is waiting for
//! more input.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use planoku_data::Share;
use planoku_engine::Cancel;
use planoku_sudoku::Grid;
use planoku_sudoku::native::Cells;
use planoku_sudoku::text::{Header, Notes, Puzzles, Rows};

use crate::exit::Failure;
use crate::gunzip::Gunzip;

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
    /// What a player has noted on it.
    pub notes: Option<Box<Notes>>,
    /// What it stands in, for those who [keep rows](Reader::keep_rows).
    pub row: Row,
}

/// The record, object or line that a puzzle or a mistake stands in.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Its text; empty if there is nothing but the puzzle.
    pub text: String,
    /// The columns, if it is a record of a table.
    pub header: Option<Arc<Header>>,
}

impl Item {
    /// A mistake of a source as a whole.
    fn whole(source: Arc<str>, message: String) -> Item {
        Item {
            source,
            line: 0,
            column: 0,
            puzzle: Err(message),
            notes: None,
            row: Row::default(),
        }
    }

    /// `file:line:column: message`, if this is a mistake.
    pub fn mistake(&self) -> Option<String> {
        let message = self.puzzle.as_ref().err()?;
        Some(match self.line {
            0 => format!("{}: {message}", self.source),
            line => format!("{}:{line}:{}: {message}", self.source, self.column),
        })
    }
}

/// How much has been read of how much.
#[derive(Clone)]
pub struct Meter {
    bytes: Arc<AtomicU64>,
    total: Option<u64>,
}

impl Meter {
    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Bytes to read in all, if that is known.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total
    }
}

/// Puzzles on their way from the sources to whoever solves them.
pub struct Input {
    queue: Receiver<Item>,
}

impl Input {
    /// Begins to read the inputs of a command line, in order.
    pub fn open(inputs: &[String]) -> Input {
        let mut reader = Reader::new(inputs);
        let (sender, queue) = sync_channel(QUEUE);
        std::thread::spawn(move || {
            while let Some(item) = reader.next() {
                // A send fails only when nobody wants more.
                if sender.send(item).is_err() {
                    return;
                }
            }
        });
        Input { queue }
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
}

/// The inputs of a command line, and which of their puzzles are wanted.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// Puzzles written out, files, or `-`.
    pub names: &'a [String],
    /// Only every so manyth; all if absent.
    pub share: Option<Share>,
}

impl<'a, N: AsRef<[String]>> From<&'a N> for Inputs<'a> {
    fn from(names: &'a N) -> Inputs<'a> {
        let names = names.as_ref();
        Inputs { names, share: None }
    }
}

/// Reads the inputs of a command line, in order, when asked.
pub struct Reader {
    inputs: std::vec::IntoIter<String>,
    source: Option<Source>,
    meter: Meter,
    rows: bool,
    share: Option<Share>,
    /// Puzzles and mistakes found so far, wanted or not.
    found: u64,
}

/// An input being read.
struct Source {
    name: Arc<str>,
    puzzles: Puzzles<BufReader<Gunzip<Counting>>>,
    /// True if anything was found in it.
    any: bool,
    /// True if reading may have to wait for somebody.
    live: bool,
}

/// Bytes read at a time; they are to be still in the cache when they are looked
/// at.
const BUFFER: usize = 1 << 16;

impl Reader {
    /// A reader of these inputs.
    pub fn new(inputs: &[String]) -> Reader {
        Reader {
            inputs: Vec::from(inputs).into_iter(),
            source: None,
            meter: Meter {
                bytes: Arc::default(),
                total: inputs.iter().map(|input| size(input)).sum(),
            },
            rows: false,
            share: None,
            found: 0,
        }
    }

    /// From now on, passes over what is not in this share. To be said before
    /// reading.
    pub fn keep_to(&mut self, share: Option<Share>) {
        self.share = share;
    }

    /// From now on, keeps what puzzles stand in. To be said before reading.
    pub fn keep_rows(&mut self) {
        self.rows = true;
    }

    /// How far the reading has come.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The next puzzle or mistake.
    pub fn next(&mut self) -> Option<Item> {
        loop {
            let item = self.any_next()?;
            self.found += 1;
            if self.share.is_none_or(|share| share.has(self.found - 1)) {
                return Some(item);
            }
        }
    }

    fn any_next(&mut self) -> Option<Item> {
        loop {
            if let Some(source) = &mut self.source {
                if let Some(item) = source.next() {
                    return Some(item);
                }
                self.source = None;
            }
            let input = self.inputs.next()?;
            match open(&input, &self.meter.bytes) {
                Ok(source) if self.rows => self.source = Some(source.keeping_rows()),
                Ok(source) => self.source = Some(source),
                Err(message) => {
                    // A name that cannot be seen would leave a riddle.
                    let name = if input.trim().is_empty() {
                        "<argument>"
                    } else {
                        &input
                    };
                    return Some(Item::whole(name.into(), message));
                }
            }
        }
    }

    /// Plain lines that come next, as [`Puzzles::take_plain`] takes them; their
    /// source and the line of the first.
    /// What they stand in goes to `rows`, if it is kept.
    pub fn take_plain(
        &mut self,
        most: usize,
        cells: &mut Vec<Cells>,
        rows: &mut Rows,
    ) -> Option<(Arc<str>, usize, Option<Arc<Header>>)> {
        if self.share.is_some() {
            return None;
        }
        let rows = self.rows.then_some(rows);
        let source = self.source.as_mut()?;
        let before = cells.len();
        let line = source.puzzles.take_plain_rows(most, cells, rows);
        let any = cells.len() > before;
        source.any |= any;
        let header = source.puzzles.header();
        any.then(|| (Arc::clone(&source.name), line, header.cloned()))
    }

    /// True if the next puzzle may have to be waited for.
    pub fn may_wait(&self) -> bool {
        self.source
            .as_ref()
            .is_some_and(|source| source.live && !source.puzzles.input().buffer().contains(&b'\n'))
    }
}

impl Source {
    fn new(name: &str, reader: Box<dyn Read + Send>, live: bool, bytes: &Arc<AtomicU64>) -> Source {
        let bytes = Arc::clone(bytes);
        let plain = Gunzip::new(Counting { reader, bytes });
        Source {
            name: name.into(),
            puzzles: Puzzles::new(BufReader::with_capacity(BUFFER, plain)),
            any: false,
            live,
        }
    }

    fn keeping_rows(self) -> Source {
        Source {
            puzzles: self.puzzles.keeping_rows(),
            ..self
        }
    }

    fn next(&mut self) -> Option<Item> {
        let source = Arc::clone(&self.name);
        let Some(result) = self.puzzles.next() else {
            let empty = "expected a puzzle, found none: the input is empty";
            let first = !std::mem::replace(&mut self.any, true);
            return first.then(|| Item {
                row: Row {
                    text: String::new(),
                    header: self.puzzles.header().cloned(),
                },
                ..Item::whole(source, empty.to_string())
            });
        };
        self.any = true;
        let (line, column, puzzle, notes) = match result {
            Ok(puzzle) => (puzzle.line, 1, Ok(puzzle.grid), puzzle.notes),
            Err(error) => {
                let message = error.problem.to_string();
                (error.line, error.column, Err(message), None)
            }
        };
        Some(Item {
            source,
            line,
            column,
            puzzle,
            notes,
            row: Row {
                text: self.puzzles.row().to_string(),
                header: self.puzzles.header().cloned(),
            },
        })
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

/// Begins to read an input; what stands in the way if it cannot be done.
fn open(input: &str, bytes: &Arc<AtomicU64>) -> Result<Source, String> {
    if input == "-" {
        return Ok(Source::new("<stdin>", Box::new(io::stdin()), true, bytes));
    }
    match open_file(input)? {
        Some(file) => {
            let live = !file.metadata().is_ok_and(|about| about.is_file());
            let reader = match parquet_text(&file, false)? {
                Some(text) => text,
                None => Box::new(file),
            };
            Ok(Source::new(input, reader, live, bytes))
        }
        None if looks_like_a_puzzle(input) => {
            let text = io::Cursor::new(input.to_string());
            Ok(Source::new("<argument>", Box::new(text), false, bytes))
        }
        None => Err(format!(
            "expected a file or a puzzle; there is no such file, and a puzzle has 81 cells \
             (or 16, 36, 256, 625), not {}",
            input.chars().count()
        )),
    }
}

/// A file of rows as text, whether it is plain, compressed or Parquet; of Parquet
/// only the column with the puzzles, if that is enough.
pub fn open_rows(
    path: &Path,
    only_puzzles: bool,
) -> Result<BufReader<Box<dyn Read + Send>>, Failure> {
    let name = path.display();
    let fail = |message: String| Failure::bad_input(format!("{name}: {message}"));
    let file = open_file(&path.to_string_lossy()).map_err(fail)?;
    let file = file.ok_or_else(|| fail("there is no such file".to_string()))?;
    let reader: Box<dyn Read + Send> = match parquet_text(&file, only_puzzles).map_err(fail)? {
        Some(text) => text,
        None => Box::new(Gunzip::new(file)),
    };
    Ok(BufReader::with_capacity(BUFFER, reader))
}

/// The text of a Parquet file, if it is one.
fn parquet_text(file: &File, only_puzzles: bool) -> Result<Option<Box<dyn Read + Send>>, String> {
    let file = file.try_clone().map_err(|error| error.to_string())?;
    let Some(file) = parquet_file(file) else {
        return Ok(None);
    };
    #[cfg(feature = "parquet")]
    return Ok(Some(Box::new(planoku_data::parquet::Text::new(
        file,
        only_puzzles,
    )?)));
    #[cfg(not(feature = "parquet"))]
    {
        let _ = (file, only_puzzles);
        Err(planoku_data::NO_PARQUET.to_string())
    }
}

/// The file itself, if it begins like Parquet.
pub fn parquet_file(mut file: File) -> Option<File> {
    if !file.metadata().is_ok_and(|about| about.is_file()) {
        return None;
    }
    let mut magic = [0; 4];
    let read = file.read_exact(&mut magic);
    file.rewind().ok()?;
    (read.is_ok() && &magic == b"PAR1").then_some(file)
}

/// The file of that name; `Ok(None)` if there is none.
fn open_file(input: &str) -> Result<Option<File>, String> {
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

/// Counts the bytes that pass through.
struct Counting {
    reader: Box<dyn Read + Send>,
    bytes: Arc<AtomicU64>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
