//! A solved puzzle on its way out: as JSON, as a drawing, as plain lines.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use planoku_engine::Outcome;
use planoku_sudoku::text::{self, Format, Layer};
use planoku_sudoku::{Grid, no_repeats};
use planoku_workbench::Solution;
use serde::Serialize;

use super::attempt::{Attempt, Record, Verdict};
use crate::exit::Failure;
use crate::input::Item;
use crate::output::Output;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Puzzle and solution drawn beside each other.
    Drawn,
    /// One line a puzzle.
    Lines,
    /// Solutions in a file format.
    Format(Format),
    /// One JSON object for each puzzle and engine.
    Json,
}

/// Writes one puzzle's results; `all` asks for every solution, not the first.
pub fn show(record: &Record, view: View, all: bool, out: &mut Output) -> Result<(), Failure> {
    match view {
        View::Json => {
            let mut text = Vec::new();
            json(record, &mut text)?;
            out.write(&String::from_utf8_lossy(&text))
        }
        View::Drawn => drawn(record, out),
        View::Lines => out.write(&lines(record, all)),
        View::Format(format) => out.write(&formatted(record, format, all)),
    }
}

/// One result of `solve --json`.
#[derive(Serialize)]
pub struct Object<'a> {
    pub puzzle: &'a str,
    pub engine: &'a str,
    pub end: &'static str,
    pub stopped_by: Option<&'static str>,
    pub solutions: &'a [&'a str],
    pub nodes: u64,
    pub time_us: u64,
    /// Every solution listed has passed the verifier.
    pub verified: bool,
    /// True or false if it is proved, null if it is not known.
    pub unique: Option<bool>,
    pub source: &'a str,
    pub line: usize,
    pub counters: BTreeMap<&'static str, u64>,
}

impl Object<'_> {
    /// Writes it as a line.
    pub fn write(&self, text: &mut Vec<u8>) -> Result<(), Failure> {
        json_line(self, text)
    }
}

fn json_line(object: &impl Serialize, text: &mut Vec<u8>) -> Result<(), Failure> {
    serde_json::to_writer(&mut *text, object).map_err(Failure::fault)?;
    text.push(b'\n');
    Ok(())
}

/// A line of `solve --json` in the place of a result.
#[derive(Serialize)]
struct Trouble<'a> {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a str>,
    source: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Trouble<'a> {
    fn new(item: &'a Item, error: &impl ToString, engine: Option<&'a str>) -> Trouble<'a> {
        Trouble {
            error: error.to_string(),
            puzzle: item.puzzle.as_ref().ok().map(Grid::to_string),
            engine,
            source: &item.source,
            line: item.line,
            column: item.column,
        }
    }
}

/// A line for each engine, or for the mistake.
pub fn json(record: &Record, text: &mut Vec<u8>) -> Result<(), Failure> {
    let item = &record.item;
    let puzzle = match &item.puzzle {
        Ok(puzzle) => puzzle.to_string(),
        Err(error) => return json_line(&Trouble::new(item, error, None), text),
    };
    for attempt in &record.attempts {
        let outcome = match &attempt.result {
            Ok(outcome) => outcome,
            Err(error) => {
                let trouble = Trouble::new(item, error, Some(&attempt.engine));
                json_line(&trouble, text)?;
                continue;
            }
        };
        let solutions: Vec<String> = solutions(outcome).map(Grid::to_string).collect();
        let solutions: Vec<&str> = solutions.iter().map(String::as_str).collect();
        let object = Object {
            puzzle: &puzzle,
            engine: &attempt.engine,
            end: outcome.end.name(),
            stopped_by: outcome.end.stopped_by().map(|stop| stop.name()),
            solutions: &solutions,
            nodes: outcome.stats.nodes,
            time_us: outcome.stats.time.as_micros() as u64,
            verified: true,
            unique: match attempt.verdict() {
                Some(Verdict::Exactly(found)) => Some(found == 1),
                Some(Verdict::AtLeast(_) | Verdict::Stopped(_, 2..)) => Some(false),
                _ => None,
            },
            source: &item.source,
            line: item.line,
            counters: outcome.stats.counters.iter().copied().collect(),
        };
        object.write(text)?;
    }
    Ok(())
}

fn solutions(outcome: &Outcome<Solution>) -> impl Iterator<Item = &Grid> {
    outcome.answers.iter().map(|solution| &solution.grid)
}

/// A line for each puzzle and engine, or for each solution.
pub fn lines(record: &Record, all: bool) -> String {
    let mut text = String::new();
    if record.item.puzzle.is_err() {
        return match record.item.line {
            0 => text, // The whole source is at fault: no line to hold its place.
            line => format!("# line {line}: not a puzzle\n"),
        };
    }
    for attempt in &record.attempts {
        let remark = remark(attempt);
        match &attempt.result {
            Ok(outcome) if !outcome.answers.is_empty() => {
                let wanted = if all { usize::MAX } else { 1 };
                let remark = if all { "" } else { &remark };
                for solution in solutions(outcome).take(wanted) {
                    text += &format!("{solution}{remark}\n");
                }
            }
            _ => text += &format!("{}\n", remark.trim_start()),
        }
    }
    text
}

/// What a plain line says beside the solution; nothing if all is well.
fn remark(attempt: &Attempt) -> String {
    match attempt.verdict() {
        None => "  # not solved: see standard error".to_string(),
        Some(Verdict::Exactly(0)) => "  # no solution".to_string(),
        Some(Verdict::Exactly(1) | Verdict::Solved) => String::new(),
        Some(Verdict::Exactly(n)) => format!("  # one of {n} solutions"),
        Some(Verdict::AtLeast(n)) => format!("  # one of {n} or more solutions"),
        Some(Verdict::GaveUp) => "  # gave up without proof".to_string(),
        Some(Verdict::Stopped(stop, _)) => format!("  # stopped by {stop}"),
    }
}

/// The solutions in a file format.
pub fn formatted(record: &Record, format: Format, all: bool) -> String {
    let mut text = String::new();
    for attempt in &record.attempts {
        let Ok(outcome) = &attempt.result else {
            continue;
        };
        let wanted = if all { usize::MAX } else { 1 };
        for solution in solutions(outcome).take(wanted) {
            text += &text::write(solution, format);
        }
    }
    text
}

const CLUE: Style = Style::new().bold();
const FOUND: Style = AnsiColor::Cyan.on_default();
const DIM: Style = AnsiColor::BrightBlack.on_default();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const POOR: Style = AnsiColor::Yellow.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

fn drawn(record: &Record, out: &mut Output) -> Result<(), Failure> {
    let Ok(puzzle) = &record.item.puzzle else {
        return Ok(()); // Standard error has told.
    };
    let empty = draw(puzzle, puzzle);
    match record.first_solution() {
        Some(solution) => {
            let width = drawn_width(puzzle);
            let full = draw(puzzle, solution);
            if 2 * width + 3 <= terminal_width() {
                out.write(&text::beside(&empty, &full, width, "   "))?;
            } else {
                out.write(&format!("{empty}{full}"))?;
            }
        }
        None => out.write(&empty)?,
    }
    for attempt in &record.attempts {
        out.write(&verdict_line(puzzle, attempt))?;
    }
    out.write("\n")
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
    let Ok(outcome) = &attempt.result else {
        return format!("{BAD}not solved{BAD:#} {DIM}· {engine}{DIM:#}\n");
    };
    let improper = "not a proper Sudoku";
    let (style, verdict): (Style, Cow<'static, str>) = match attempt.verdict() {
        None => (BAD, "not solved".into()),
        Some(Verdict::Exactly(0)) => (BAD, no_solution(puzzle).into()),
        Some(Verdict::Exactly(1)) => (GOOD, "unique".into()),
        Some(Verdict::Exactly(n)) => (POOR, format!("{n} solutions: {improper}").into()),
        Some(Verdict::AtLeast(n)) => (POOR, format!("{n} or more solutions: {improper}").into()),
        Some(Verdict::Solved) => (GOOD, "solved; uniqueness not decided".into()),
        Some(Verdict::GaveUp) => (BAD, "gave up, which proves nothing".into()),
        Some(Verdict::Stopped(stop, 0)) => (BAD, format!("stopped by {stop}").into()),
        Some(Verdict::Stopped(stop, 1)) => {
            let text = format!("solved; stopped by {stop} before uniqueness was decided");
            (POOR, text.into())
        }
        Some(Verdict::Stopped(stop, n)) => {
            let text = format!("{n} solutions, then stopped by {stop}: {improper}");
            (POOR, text.into())
        }
    };
    let verified = if outcome.answers.is_empty() {
        String::new()
    } else {
        format!(" · {GOOD}verified{GOOD:#}")
    };
    let nodes = outcome.stats.nodes;
    let time = outcome.stats.time;
    format!(
        "{style}{verdict}{style:#}{verified} {DIM}· {engine} · {nodes} node{} · {time:.1?}{DIM:#}\n",
        if nodes == 1 { "" } else { "s" }
    )
}

/// Why there is no solution, if the clues alone tell.
fn no_solution(puzzle: &Grid) -> String {
    match no_repeats(puzzle) {
        Err(broken) => format!("no solution: {broken}"),
        Ok(()) => "no solution".to_string(),
    }
}
