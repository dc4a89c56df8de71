//! Where results go: standard output or a file, with every way of failing
//! to write turned into a [`Failure`].
//!
//! `println!` panics when the reader of a pipe leaves early or a disk is full;
//! commands write through [`Output`] instead. Everything that is not a result
//! goes to standard error through [`complain`].

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use planoku_engine::Stop;
use planoku_language::diagnostic::{Diagnostics, Severity};

use crate::exit::Failure;

/// Standard output or a file.
pub struct Output {
    writer: Box<dyn Write + Send>,
    /// The destination itself, with nothing in between.
    bytes: Box<dyn Write + Send>,
    name: String,
    terminal: bool,
}

impl Output {
    /// Standard output. Colour reaches terminals only, and respects `NO_COLOR`.
    pub fn stdout() -> Output {
        Output {
            writer: Box::new(BufWriter::with_capacity(
                1 << 16,
                anstream::AutoStream::auto(io::stdout()),
            )),
            bytes: Box::new(io::stdout()),
            name: "standard output".to_string(),
            terminal: io::stdout().is_terminal(),
        }
    }

    /// The file of `-o FILE`, or standard output without one.
    pub fn to(path: Option<&Path>) -> Result<Output, Failure> {
        let Some(path) = path else {
            return Ok(Output::stdout());
        };
        let name = path.display().to_string();
        let fail = |error: io::Error| Failure::cannot_write(&name, &error);
        let file = File::create(path).map_err(fail)?;
        let bytes = Box::new(file.try_clone().map_err(fail)?);
        Ok(Output {
            writer: Box::new(BufWriter::with_capacity(
                1 << 16,
                anstream::StripStream::new(file),
            )),
            bytes,
            name,
            terminal: false,
        })
    }

    /// True if a person is looking.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Writes some text.
    pub fn write(&mut self, text: &str) -> Result<(), Failure> {
        let result = self.writer.write_all(text.as_bytes());
        result.map_err(|error| Failure::cannot_write(&self.name, &error))
    }

    /// Writes much text at once: it goes where it is to go without being looked
    /// at, so it must hold no colours.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.flush()?;
        let result = self.bytes.write_all(bytes);
        result
            .and_then(|()| self.bytes.flush())
            .map_err(|error| Failure::cannot_write(&self.name, &error))
    }

    /// Hands everything written so far to the other side. Call it last: what
    /// is still held when an `Output` is dropped cannot fail loudly.
    pub fn flush(&mut self) -> Result<(), Failure> {
        let result = self.writer.flush();
        result.map_err(|error| Failure::cannot_write(&self.name, &error))
    }
}

/// Rows as aligned columns: the first to the left, the others to the right; the
/// first row is the head.
pub fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let dim = anstyle::AnsiColor::BrightBlack.on_default();
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| wide(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells =
            row.iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, width))| match column {
                    0 => format!("{cell:<width$}"),
                    _ => format!("{cell:>width$}"),
                });
        let line = cells.collect::<Vec<_>>().join("  ");
        match index {
            0 => text += &format!("{dim}{line}{dim:#}\n"),
            _ => text += &format!("{line}\n"),
        }
    }
    text
}

/// A number of things, as people say it: `1 step`, `2 steps`.
pub fn counted(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// `2 errors, 1 hint`; empty where nothing was found.
pub fn tally(found: &Diagnostics) -> String {
    let counts = [Severity::Error, Severity::Warning, Severity::Hint]
        .map(|severity| (found.count(severity), severity.word()));
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, word)| counted(*count, word)).collect();
    counts.join(", ")
}

/// What stopped something, in the user's words.
pub fn stopped_by(stop: Stop) -> &'static str {
    match stop {
        Stop::Cancelled => "Ctrl-C",
        other => other.name(),
    }
}

/// Tells the user something on standard error. If even that is closed there is
/// nobody left to tell.
pub fn complain(message: impl std::fmt::Display) {
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{message}");
}
