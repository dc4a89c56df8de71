//! A trace being written, up to a limit.
//!
//! What the lines say is for `planoku_workbench::trace`. A search may take
//! millions of steps a second, so a trace ends after so many lines; its last
//! line then says that it was cut, and how much is left out.

use std::path::Path;

use planoku_engine::{End, Event};
use planoku_sudoku::{Grid, Shape};
use planoku_workbench::trace;

use crate::exit::Failure;
use crate::output::Output;

/// A trace being written.
pub struct Trace {
    out: Output,
    shape: Shape,
    /// Lines that may be written.
    most: u64,
    /// Lines there were to write.
    lines: u64,
    /// The first failure; a search cannot stop for it, so it waits for the end.
    failure: Option<Failure>,
}

impl Trace {
    /// Begins a trace in this file.
    pub fn create(path: &Path, most: u64) -> Result<Trace, Failure> {
        Ok(Trace {
            out: Output::to(Some(path))?,
            shape: Shape::Three,
            most,
            lines: 0,
            failure: None,
        })
    }

    /// A search begins.
    pub fn begin(&mut self, puzzle: &Grid, engine: &str) {
        self.shape = puzzle.shape();
        self.line(|| trace::begin(puzzle, engine));
    }

    /// Something happened.
    pub fn event(&mut self, event: &Event) {
        let shape = self.shape;
        self.line(|| trace::event(event, shape));
    }

    /// A search is over.
    pub fn end(&mut self, end: Option<End>, found: u64, nodes: Option<u64>) {
        self.line(|| trace::end(end, found, nodes));
    }

    /// Ends the trace; how many lines were left out, or what went wrong.
    pub fn finish(&mut self) -> Result<u64, Failure> {
        let left_out = self.lines.saturating_sub(self.most);
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if left_out > 0 {
            let written = self.most;
            self.out.write(&format!(
                "{{\"event\":\"cut\",\"written\":{written},\"left_out\":{left_out}}}\n"
            ))?;
        }
        self.out.flush()?;
        Ok(left_out)
    }

    fn line(&mut self, line: impl FnOnce() -> String) {
        self.lines += 1;
        if self.lines <= self.most && self.failure.is_none() {
            let line = line() + "\n";
            self.failure = self.out.write(&line).err();
        }
    }
}
