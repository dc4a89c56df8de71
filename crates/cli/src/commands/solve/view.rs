//! A solved puzzle on its way out: as JSON, as a drawing, as plain lines.
//!
//! Where every solution is asked for, solutions are written one by one as they
//! are found ([`View::solution`]), and what else there is to say once the engine
//! is done ([`View::attempt`]). Tables have a file of their own.

use std::borrow::Cow;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use planoku_sudoku::text::{self, Format, Layer};
use planoku_sudoku::{Grid, no_repeats};
use serde_json::Value;

use super::record::{Attempt, Board, Place, Record, Verdict};
use super::table::Table;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Puzzle and solution drawn beside each other.
    Drawn,
    /// One line a puzzle, or a line for each solution.
    Lines { all: bool },
    /// Solutions in a file format: the first, or every one.
    Format { format: Format, all: bool },
    /// One JSON object for each puzzle and engine.
    Json,
    /// One row for each row of the input.
    Table(Table),
    /// How many solutions, one line a puzzle.
    Count,
    /// How many solutions, as JSON.
    CountJson,
}

impl View {
    /// True if every solution is written, not the first alone.
    pub fn wants_all(self) -> bool {
        matches!(
            self,
            View::Lines { all: true } | View::Format { all: true, .. } | View::Json
        )
    }

    /// True if no solution is written.
    pub fn only_counts(self) -> bool {
        matches!(self, View::Count | View::CountJson)
    }

    /// Writes one of many solutions; how many came before it from this engine.
    pub fn solution(
        self,
        before: u64,
        puzzle: Board<'_>,
        engine: &str,
        solution: Board<'_>,
        text: &mut Vec<u8>,
    ) {
        match self {
            View::Lines { all: true } => {
                solution.write(text);
                text.push(b'\n');
            }
            View::Format { format, all: true } => write_as(format, solution, text),
            View::Json => {
                match before {
                    0 => begin_object(puzzle, engine, text),
                    _ => text.push(b','),
                }
                text.push(b'"');
                solution.write(text);
                text.push(b'"');
            }
            _ => {}
        }
    }

    /// Writes what else an attempt says.
    pub fn attempt(
        self,
        place: Place<'_>,
        puzzle: Board<'_>,
        attempt: &Attempt,
        text: &mut Vec<u8>,
    ) {
        match self {
            View::Lines { all } => line(attempt, all, text),
            View::Format { format, all: false } => {
                if let Some(first) = &attempt.first {
                    write_as(format, first.board(), text);
                }
            }
            View::Json | View::CountJson => end_object(self, place, puzzle, attempt, text),
            View::Count => count(attempt, text),
            View::Format { all: true, .. } | View::Drawn | View::Table(_) => {}
        }
    }

    /// Holds the place of what is no puzzle.
    pub fn mistake(self, place: Place<'_>, message: &str, text: &mut Vec<u8>) {
        match self {
            // The whole source is at fault: no line to hold its place.
            View::Lines { .. } | View::Count if place.line == 0 => {}
            View::Lines { .. } | View::Count => {
                put(text, format_args!("# line {}: not a puzzle\n", place.line));
            }
            View::Json | View::CountJson => {
                let error = Value::from(message);
                put(text, format_args!("{{\"error\":{error},"));
                put_place(place, text);
                put(text, format_args!(",\"column\":{}}}\n", place.column));
            }
            View::Drawn | View::Format { .. } | View::Table(_) => {}
        }
    }
}

/// Writing to memory does not fail.
fn put(text: &mut Vec<u8>, what: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(what);
}

fn write_as(format: Format, board: Board<'_>, text: &mut Vec<u8>) {
    if let Some(grid) = board.to_grid() {
        text.extend_from_slice(text::write(&grid, format).as_bytes());
    }
}

fn begin_object(puzzle: Board<'_>, engine: &str, text: &mut Vec<u8>) {
    text.extend_from_slice(b"{\"puzzle\":\"");
    puzzle.write(text);
    put(
        text,
        format_args!("\",\"engine\":\"{engine}\",\"solutions\":["),
    );
}

/// The rest of the object; solutions have been written already.
fn end_object(
    view: View,
    place: Place<'_>,
    puzzle: Board<'_>,
    attempt: &Attempt,
    text: &mut Vec<u8>,
) {
    if view == View::CountJson {
        text.extend_from_slice(b"{\"puzzle\":\"");
        puzzle.write(text);
        put(text, format_args!("\",\"engine\":\"{}\"", attempt.engine));
    } else {
        if attempt.found == 0 {
            begin_object(puzzle, &attempt.engine, text);
        }
        text.push(b']');
    }
    put(text, format_args!(",\"count\":{}", attempt.found));
    let stop = attempt.end.as_ref().ok().and_then(|end| end.stopped_by());
    put_word("end", attempt.end.as_ref().ok().map(|end| end.name()), text);
    put_word("stopped_by", stop.map(|stop| stop.name()), text);
    put_number("nodes", attempt.nodes, text);
    let micros = attempt.time.map(|time| time.as_micros() as u64);
    put_number("time_us", micros, text);
    put_truth("verified", attempt.verified(), text);
    put_truth("unique", attempt.unique(), text);
    if let Err(error) = &attempt.end {
        let error = Value::from(error.to_string());
        put(text, format_args!(",\"error\":{error}"));
    }
    text.push(b',');
    put_place(place, text);
    text.extend_from_slice(b",\"counters\":{");
    let mut counters = attempt.counters.clone();
    counters.sort_unstable();
    for (nth, (name, amount)) in counters.iter().enumerate() {
        let comma = if nth == 0 { "" } else { "," };
        put(text, format_args!("{comma}\"{name}\":{amount}"));
    }
    text.extend_from_slice(b"}}\n");
}

fn put_place(place: Place<'_>, text: &mut Vec<u8>) {
    let source = Value::from(place.source);
    put(
        text,
        format_args!("\"source\":{source},\"line\":{}", place.line),
    );
}

fn put_word(name: &str, word: Option<&str>, text: &mut Vec<u8>) {
    match word {
        Some(word) => put(text, format_args!(",\"{name}\":\"{word}\"")),
        None => put(text, format_args!(",\"{name}\":null")),
    }
}

fn put_number(name: &str, number: Option<u64>, text: &mut Vec<u8>) {
    match number {
        Some(number) => put(text, format_args!(",\"{name}\":{number}")),
        None => put(text, format_args!(",\"{name}\":null")),
    }
}

fn put_truth(name: &str, truth: Option<bool>, text: &mut Vec<u8>) {
    match truth {
        Some(truth) => put(text, format_args!(",\"{name}\":{truth}")),
        None => put(text, format_args!(",\"{name}\":null")),
    }
}

/// A line for the puzzle; if all solutions were asked for and some were found,
/// they stand there already.
fn line(attempt: &Attempt, all: bool, text: &mut Vec<u8>) {
    let remark = remark(attempt);
    match (&attempt.first, all) {
        (Some(_), true) => {
            if let Some(Verdict::Stopped(stop, found)) = attempt.verdict() {
                put(
                    text,
                    format_args!(
                        "# stopped by {stop} after {}\n",
                        crate::output::counted(found as usize, "solution"),
                        stop = crate::output::stopped_by(stop)
                    ),
                );
            }
        }
        (Some(first), false) => {
            first.board().write(text);
            put(text, format_args!("{remark}\n"));
        }
        (None, _) => put(text, format_args!("{}\n", remark.trim_start())),
    }
}

/// What a plain line says beside the solution; nothing if all is well.
fn remark(attempt: &Attempt) -> Cow<'static, str> {
    match attempt.verdict() {
        None => "  # not solved: see standard error".into(),
        Some(Verdict::Exactly(0)) => "  # no solution".into(),
        Some(Verdict::Exactly(1) | Verdict::Solved) => "".into(),
        Some(Verdict::Exactly(n)) => format!("  # one of {n} solutions").into(),
        Some(Verdict::AtLeast(n)) => format!("  # one of {n} or more solutions").into(),
        Some(Verdict::GaveUp) => "  # gave up without proof".into(),
        Some(Verdict::Stopped(stop, _)) => format!(
            "  # stopped by {stop}",
            stop = crate::output::stopped_by(stop)
        )
        .into(),
    }
}

/// How many solutions, and whether there may be more.
fn count(attempt: &Attempt, text: &mut Vec<u8>) {
    let remark = match attempt.verdict() {
        None => "  # not counted: see standard error".to_string(),
        Some(Verdict::Exactly(_)) => String::new(),
        Some(Verdict::Stopped(stop, _)) => format!(
            "  # or more: stopped by {stop}",
            stop = crate::output::stopped_by(stop)
        ),
        Some(_) => "  # or more: as many as wanted".to_string(),
    };
    put(text, format_args!("{}{remark}\n", attempt.found));
}

const CLUE: Style = Style::new().bold();
const FOUND: Style = AnsiColor::Cyan.on_default();
const DIM: Style = AnsiColor::BrightBlack.on_default();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const POOR: Style = AnsiColor::Yellow.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Puzzle and solution beside each other, with a verdict for each engine; with
/// `pencil` the puzzle shows its candidates and the solution stands below it.
pub fn drawn(puzzle: &Grid, record: &Record<'_>, pencil: bool) -> String {
    let empty = match pencil {
        true => text::pencil(puzzle, |cell| puzzle.candidates(cell)),
        false => draw(puzzle, puzzle),
    };
    let mut text = match record.first_solution().and_then(Board::to_grid) {
        Some(solution) => {
            let width = drawn_width(puzzle);
            let full = draw(puzzle, &solution);
            if !pencil && 2 * width + 3 <= terminal_width() {
                text::beside(&empty, &full, width, "   ")
            } else {
                format!("{empty}{full}")
            }
        }
        None => empty,
    };
    for attempt in record.attempts {
        text += &verdict_line(puzzle, attempt);
    }
    text + "\n"
}

fn draw(puzzle: &Grid, content: &Grid) -> String {
    text::draw(puzzle, content, |_, layer, symbol| {
        let style = match layer {
            Layer::Clue => CLUE,
            Layer::Found => FOUND,
            Layer::Blank => DIM,
        };
        format!("{style}{symbol}{style:#}")
    })
}

fn drawn_width(puzzle: &Grid) -> usize {
    let shape = puzzle.shape();
    2 * shape.side() + 2 * (shape.side() / shape.box_columns()) + 1
}

fn terminal_width() -> usize {
    crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns))
}

/// `unique · verified · native · 12 nodes · 34 µs`.
fn verdict_line(puzzle: &Grid, attempt: &Attempt) -> String {
    let engine = &attempt.engine;
    let improper = "not a proper Sudoku";
    let (style, verdict): (Style, Cow<'static, str>) = match attempt.verdict() {
        None => (BAD, "not solved".into()),
        Some(Verdict::Exactly(0)) => (BAD, no_solution(puzzle).into()),
        Some(Verdict::Exactly(1)) => (GOOD, "unique".into()),
        Some(Verdict::Exactly(n)) => (POOR, format!("{n} solutions: {improper}").into()),
        Some(Verdict::AtLeast(n)) => (POOR, format!("{n} or more solutions: {improper}").into()),
        Some(Verdict::Solved) => (GOOD, "solved; uniqueness not decided".into()),
        Some(Verdict::GaveUp) => (BAD, "gave up, which proves nothing".into()),
        Some(Verdict::Stopped(stop, 0)) => (
            BAD,
            format!("stopped by {stop}", stop = crate::output::stopped_by(stop)).into(),
        ),
        Some(Verdict::Stopped(stop, 1)) => {
            let text = format!(
                "solved; stopped by {stop} before uniqueness was decided",
                stop = crate::output::stopped_by(stop)
            );
            (POOR, text.into())
        }
        Some(Verdict::Stopped(stop, n)) => {
            let text = format!(
                "{n} solutions, then stopped by {stop}: {improper}",
                stop = crate::output::stopped_by(stop)
            );
            (POOR, text.into())
        }
    };
    let verified = match attempt.verified() {
        Some(true) => format!(" · {GOOD}verified{GOOD:#}"),
        _ => String::new(),
    };
    let nodes = attempt.nodes.map(|nodes| {
        let plural = if nodes == 1 { "" } else { "s" };
        format!(" · {nodes} node{plural}")
    });
    let time = attempt.time.map(|time| format!(" · {time:.1?}"));
    format!(
        "{style}{verdict}{style:#}{verified} {DIM}· {engine}{}{}{DIM:#}\n",
        nodes.unwrap_or_default(),
        time.unwrap_or_default()
    )
}

/// Why there is no solution, if the clues alone tell.
fn no_solution(puzzle: &Grid) -> String {
    match no_repeats(puzzle) {
        Err(broken) => format!("no solution: {broken}"),
        Ok(()) => "no solution".to_string(),
    }
}
