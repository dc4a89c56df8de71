//! What `solve` does with a chunk of its input.
//!
//! The native engine takes 9x9 puzzles in batches, hundreds of boards in step.
//! A batch answers for puzzles with one solution or none, and verifies them;
//! whatever else there is (several solutions, other sizes, mistakes, other
//! engines, budgets, traces) goes through the engine for single puzzles, so
//! that solutions do not depend on what happened to stand in the same chunk.
//! Both ways fill the same [`Record`].
//!
//! Plain lines become cells and answers become text without an allocation for
//! each puzzle. A batch measures its nodes for each puzzle, and no time. Its
//! nodes may depend on the neighbours of a puzzle, and chunks are therefore cut
//! by number, not by the clock, as long as they are quick.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use planoku_engine::{Budget, Cancel, End, Ended, EngineError, Leave, Run};
use planoku_sudoku::native::{self, Batch, Cells, Isa, NativeAnswer};
use planoku_sudoku::text::{self, Header, Rows};
use planoku_sudoku::{Grid, verify_cells};
use planoku_workbench::trace::{WatchRequest, watch};
use planoku_workbench::{SudokuEngine, solve};

use super::record::{Attempt, Board, First, Place, Record, Verdict};
use super::table::{self, Columns};
use super::trace::Traces;
use super::view::{self, View};
use crate::exit::Exit;
use crate::input::{Item, Reader, Row};
use crate::pipeline::{Job, Slot, next_size};

/// Solutions looked for if nobody says how many: enough to name the number
/// where a puzzle has only a few.
const LIMIT: u64 = 10;

/// What easy puzzles take up, from the line that is read to the line that is
/// written, is to stay in the cache of a core: 1024 of them are some 350 kB.
/// With 4096 the time goes up by a tenth.
const IN_CACHE: usize = 1 << 10;

/// What is done with each puzzle.
pub struct Solve {
    pub view: View,
    pub engines: Vec<SudokuEngine>,
    pub limit: Option<u64>,
    pub budget: Budget,
    pub cancel: Cancel,
    /// True if the batch engine may answer.
    pub batch: bool,
    /// True if candidates are to be drawn.
    pub pencil: bool,
    /// True if the last puzzle is to be drawn.
    pub picture: bool,
    pub trace: Option<Arc<Mutex<Traces>>>,
    /// The columns of a table, known with the first row.
    pub columns: OnceLock<Columns>,
}

/// What the puzzles add up to.
#[derive(Default)]
pub struct Tally {
    pub unique: u64,
    pub several: u64,
    pub none: u64,
    /// The last puzzle and its solution, if they are to be drawn.
    pub last: Option<(Grid, Option<Grid>)>,
}

/// Some puzzles on their way from input to output.
#[derive(Default)]
pub struct Chunk {
    /// Puzzles for the batch engine.
    cells: Vec<Cells>,
    /// Where they stand: the first puzzle of each run of lines.
    runs: Vec<Lines>,
    /// What they stand in, if rows are kept.
    rows: Rows,
    /// Everything else, each before the puzzle of that number.
    others: Vec<(usize, Item)>,
    answers: Vec<NativeAnswer>,
}

/// Puzzles on consecutive lines.
struct Lines {
    first_puzzle: usize,
    source: Arc<str>,
    first_line: usize,
    header: Option<Arc<Header>>,
}

impl Job for Solve {
    type Worker = Batch;
    type Chunk = Chunk;
    type Sum = Tally;

    fn worker(&self) -> Batch {
        Batch::new(Isa::best())
    }

    fn fill(&self, chunk: &mut Chunk, reader: &mut Reader, most: usize) -> usize {
        let tabular = matches!(self.view, View::Table(_));
        if tabular {
            reader.keep_rows();
        }
        chunk.clear();
        while chunk.len() < most && (chunk.len() == 0 || !reader.may_wait()) {
            if !chunk.take(reader, most, self.batch, tabular) {
                break;
            }
        }
        if let View::Table(table) = self.view
            && self.columns.get().is_none()
            && chunk.len() > 0
        {
            // Chunks are filled in order, so this is the first row of all.
            let _ = self.columns.set(Columns::new(table, chunk.first_row()));
        }
        chunk.len()
    }

    fn work(&self, batch: &mut Batch, chunk: &mut Chunk, slot: &mut Slot<'_, Solve>) {
        if let (0, Some(columns)) = (slot.number, self.columns.get()) {
            columns.write_header(&mut slot.page.text);
        }
        chunk
            .answers
            .resize(chunk.cells.len(), NativeAnswer::default());
        // Two solutions are enough to know that there are several.
        batch.solve(&chunk.cells, 2, &mut chunk.answers);
        let mut others = std::mem::take(&mut chunk.others).into_iter().peekable();
        for nth in 0..=chunk.cells.len() {
            while let Some((_, item)) = others.next_if(|(before, _)| *before == nth) {
                self.single(&item, slot);
            }
            if nth < chunk.cells.len() && !self.batched(chunk, nth, slot) {
                self.single(&chunk.item(nth), slot);
            }
        }
    }

    fn add(&self, total: &mut Tally, sum: &mut Tally) {
        total.unique += sum.unique;
        total.several += sum.several;
        total.none += sum.none;
        total.last = sum.last.take().or(total.last.take());
    }

    /// Where puzzles are hard, the cache is no matter, but a batch should be
    /// full for as long as possible.
    fn size(&self, size: usize, took: Duration) -> usize {
        if !self.batch {
            return next_size(size, took);
        }
        if size == 0 {
            return IN_CACHE;
        }
        let easy = took < size as u32 * Duration::from_nanos(250);
        let most = match self.view {
            View::Json => IN_CACHE,
            _ if easy => IN_CACHE,
            _ => 1 << 12,
        };
        next_size(size, took).min(most)
    }

    fn ending(&self) -> &'static str {
        match self.view {
            View::Format { format, .. } => text::footer(format),
            _ => "",
        }
    }

    fn coloured(&self) -> bool {
        self.view == View::Drawn
    }
}

impl Solve {
    /// Writes what the batch engine found, if that is all there is to say.
    fn batched(&self, chunk: &Chunk, nth: usize, slot: &mut Slot<'_, Solve>) -> bool {
        let NativeAnswer {
            count,
            first,
            nodes,
        } = &chunk.answers[nth];
        let cells = &chunk.cells[nth];
        match (count, first) {
            (0, None) => {}
            (1, Some(first)) if verify_cells(cells, first) => {}
            _ => return false,
        }
        let attempt = Attempt {
            engine: Cow::Borrowed("native"),
            // A second solution was looked for as well.
            end: Ok(End::Exhausted),
            found: *count,
            first: first.map(First::Cells),
            nodes: Some(*nodes),
            time: None,
            counters: Vec::new(),
        };
        let lines = chunk.lines(nth);
        let record = Record {
            place: Place {
                source: &lines.source,
                line: lines.first_line + nth - lines.first_puzzle,
                column: 1,
            },
            puzzle: Ok(Board::Cells(cells)),
            attempts: std::slice::from_ref(&attempt),
        };
        let text = &mut slot.page.text;
        if let (Some(first), true) = (first, self.view.wants_all()) {
            let (puzzle, solution) = (Board::Cells(cells), Board::Cells(first));
            self.view.solution(0, puzzle, "native", solution, text);
        }
        let puzzle = Board::Cells(cells);
        self.view.attempt(record.place, puzzle, &attempt, text);
        self.close(&record, || chunk.row(nth), slot);
        true
    }

    /// Every engine's attempt at a puzzle, or the mistake that stands for it.
    fn single(&self, item: &Item, slot: &mut Slot<'_, Solve>) {
        let place = Place::of(item);
        let row = || table::Row {
            text: &item.row.text,
            header: item.row.header.as_ref(),
        };
        let puzzle = match &item.puzzle {
            Ok(puzzle) => puzzle,
            Err(message) => {
                slot.page.mistake(item.mistake().unwrap_or_default());
                self.view.mistake(place, message, &mut slot.page.text);
                let record = Record {
                    place,
                    puzzle: Err(message),
                    attempts: &[],
                };
                // A source that is at fault as a whole has no row.
                if item.line > 0 {
                    self.write_row(&record, row(), slot);
                }
                return;
            }
        };
        let board = Board::Grid(puzzle);
        let mut attempts = Vec::with_capacity(self.engines.len());
        for engine in &self.engines {
            if self.cancel.is_cancelled() && attempts.is_empty() {
                return; // Never started.
            }
            let attempt = self.attempt(&**engine, puzzle, slot);
            let text = &mut slot.page.text;
            self.view.attempt(place, board, &attempt, text);
            attempts.push(attempt);
        }
        let record = Record {
            place,
            puzzle: Ok(board),
            attempts: &attempts,
        };
        if self.view == View::Drawn {
            let drawing = view::drawn(puzzle, &record, self.pencil);
            slot.page.text.extend_from_slice(drawing.as_bytes());
        }
        self.close(&record, row, slot);
    }

    /// Adds up what a puzzle means; the same for both ways of solving it.
    fn close<'a>(
        &self,
        record: &Record<'_>,
        row: impl FnOnce() -> table::Row<'a>,
        slot: &mut Slot<'_, Solve>,
    ) {
        if matches!(self.view, View::Table(_)) {
            self.write_row(record, row(), slot);
        }
        let page = &mut slot.page;
        page.puzzles += 1;
        let exit = record.exit();
        page.exit = page.exit.max(exit);
        // Engines that fail or contradict each other earn no lower code.
        if exit >= Exit::BadInput {
            page.complaints.extend(record.complaints());
        }
        match record.solution_count() {
            Some(0) => page.sum.none += 1,
            Some(1) => page.sum.unique += 1,
            Some(_) => page.sum.several += 1,
            None => {}
        }
        if self.picture
            && let Ok(puzzle) = record.puzzle
        {
            let solution = record.first_solution().and_then(Board::to_grid);
            page.sum.last = puzzle.to_grid().map(|puzzle| (puzzle, solution));
        }
    }

    fn write_row(&self, record: &Record<'_>, row: table::Row<'_>, slot: &mut Slot<'_, Solve>) {
        let Some(columns) = self.columns.get() else {
            return; // Not a table.
        };
        let verdict = record.attempts.first().map(Attempt::verdict);
        let result = table::Result {
            puzzle: record.puzzle.ok(),
            solution: record.first_solution(),
            status: match verdict {
                None => "invalid",
                Some(None) => "failed",
                Some(Some(verdict)) => Verdict::status(verdict),
            },
        };
        let page = &mut slot.page;
        if let Some(lost) = columns.write(row, &result, &mut page.text) {
            let Place { source, line, .. } = record.place;
            page.mistake(format!("{source}:{line}:1: {lost}"));
        }
    }

    /// One engine's attempt. Where every solution is asked for, they are
    /// written as they are found.
    fn attempt(
        &self,
        engine: &dyn planoku_engine::Engine<Grid, Answer = planoku_workbench::Solution>,
        puzzle: &Grid,
        slot: &mut Slot<'_, Solve>,
    ) -> Attempt {
        let profile = engine.profile();
        let limit = match self.limit {
            _ if !profile.counts => 1,
            None if self.view.only_counts() => u64::MAX,
            limit => limit.unwrap_or(LIMIT),
        };
        let (mut found, mut first) = (0, None);
        // One engine's mistake must not cost the answers of the others.
        let solved = catch_unwind(AssertUnwindSafe(|| {
            let mut run = Run::limit(limit)
                .with_budget(self.budget)
                .with_cancel(self.cancel.clone());
            if self.view.only_counts() {
                let counted = solve::count(engine, puzzle, &mut run)?;
                found = counted.count;
                let (end, stats) = (counted.end, counted.stats);
                return Ok(Ended { end, stats });
            }
            let all = self.view.wants_all();
            let mut take = |solution: planoku_workbench::Solution| -> Result<(), Leave> {
                let grid = solution.grid;
                if all {
                    let (puzzle, solution) = (Board::Grid(puzzle), Board::Grid(&grid));
                    let text = &mut slot.page.text;
                    self.view
                        .solution(found, puzzle, &profile.name, solution, text);
                }
                found += 1;
                first.get_or_insert(grid);
                match all {
                    true => Ok(slot.offer()?),
                    false => Ok(()),
                }
            };
            match &self.trace {
                None => solve::solve_into(engine, puzzle, &mut run, &mut take),
                Some(traces) => {
                    let asked = WatchRequest {
                        wanted: self.limit.unwrap_or(1),
                        budget: self.budget,
                        cancel: self.cancel.clone(),
                        limit: lock(traces).limit,
                    };
                    let name = &profile.name;
                    let watched = watch(name, puzzle, &asked, &mut |_| (), &mut take)?;
                    lock(traces).write(&watched.trace);
                    let (end, stats) = (watched.end, watched.stats);
                    Ok(Ended { end, stats })
                }
            }
        }));
        let solved = solved.unwrap_or_else(|_| {
            let what = format!("{} panicked on {puzzle}", profile.name);
            Err(EngineError::Internal(what))
        });
        let (end, stats) = match solved {
            Ok(Ended { end, stats }) => (Ok(end), Some(stats)),
            Err(error) => (Err(error), None),
        };
        let nodes = stats.as_ref().map(|stats| stats.nodes);
        Attempt {
            engine: profile.name,
            end,
            found,
            first: first.map(First::Grid),
            nodes,
            time: stats.as_ref().map(|stats| stats.time),
            counters: stats.map(|stats| stats.counters).unwrap_or_default(),
        }
    }
}

impl Chunk {
    fn len(&self) -> usize {
        self.cells.len() + self.others.len()
    }

    fn clear(&mut self) {
        self.cells.clear();
        self.runs.clear();
        self.rows.clear();
        self.others.clear();
    }

    /// Takes a run of plain lines, or one item; false at the end of the input.
    fn take(&mut self, reader: &mut Reader, most: usize, batch: bool, tabular: bool) -> bool {
        let first_puzzle = self.cells.len();
        let room = most - self.len();
        if batch
            && let Some((source, first_line, header)) =
                reader.take_plain(room, &mut self.cells, &mut self.rows)
        {
            self.runs.push(Lines {
                first_puzzle,
                source,
                first_line,
                header,
            });
            return true;
        }
        let Some(item) = reader.next() else {
            return false;
        };
        let cells = item.puzzle.as_ref().ok().and_then(native::to_cells);
        match cells.filter(|_| batch) {
            Some(cells) => {
                self.cells.push(cells);
                if tabular {
                    self.rows.push(item.row.text.as_bytes());
                }
                self.runs.push(Lines {
                    first_puzzle,
                    source: item.source,
                    first_line: item.line,
                    header: item.row.header,
                });
            }
            None => self.others.push((first_puzzle, item)),
        }
        true
    }

    /// What the first puzzle or mistake stands in.
    fn first_row(&self) -> table::Row<'_> {
        match self.others.first() {
            Some((0, item)) => table::Row {
                text: &item.row.text,
                header: item.row.header.as_ref(),
            },
            _ => self.row(0),
        }
    }

    /// What a puzzle of the batch stands in.
    fn row(&self, nth: usize) -> table::Row<'_> {
        table::Row {
            text: std::str::from_utf8(self.rows.get(nth)).unwrap_or_default(),
            header: self.lines(nth).header.as_ref(),
        }
    }

    fn lines(&self, nth: usize) -> &Lines {
        let next = self.runs.partition_point(|run| run.first_puzzle <= nth);
        &self.runs[next - 1]
    }

    /// A puzzle of the batch with its place.
    fn item(&self, nth: usize) -> Item {
        let lines = self.lines(nth);
        let puzzle = native::from_cells(&self.cells[nth]);
        Item {
            source: Arc::clone(&lines.source),
            line: lines.first_line + nth - lines.first_puzzle,
            column: 1,
            puzzle: puzzle.ok_or_else(|| "a byte that is no digit".to_string()),
            notes: None,
            row: match self.rows.is_empty() {
                true => Row::default(),
                false => Row {
                    text: self.row(nth).text.to_string(),
                    header: lines.header.clone(),
                },
            },
        }
    }
}

/// Locks, whatever became of those who held the lock before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
