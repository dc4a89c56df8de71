//! What happens inside a search, written as JSON Lines.
//!
//! Each search begins with `{"event":"search","puzzle":…,"engine":…}`; the
//! events that follow, up to the next such line, belong to it. Variables of a
//! Sudoku are its cells row by row from 0, values its digits.

use std::path::Path;

use planoku_engine::Event;
use planoku_sudoku::Grid;
use serde_json::{Value, json};

use crate::exit::Failure;
use crate::output::Output;

/// A trace being written.
pub struct Trace {
    out: Output,
    /// The first failure; a search cannot stop for it, so it waits for the end.
    failure: Option<Failure>,
}

impl Trace {
    /// Begins a trace in this file.
    pub fn create(path: &Path) -> Result<Trace, Failure> {
        Ok(Trace {
            out: Output::to(Some(path))?,
            failure: None,
        })
    }

    /// A new search begins.
    pub fn begin(&mut self, puzzle: &Grid, engine: &str) {
        self.line(&json!({"event": "search", "puzzle": puzzle.to_string(), "engine": engine}));
    }

    /// Something happened.
    pub fn event(&mut self, event: &Event) {
        self.line(&as_json(event));
    }

    /// Ends the trace, and tells if anything of it is missing.
    pub fn finish(mut self) -> Result<(), Failure> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.out.flush(),
        }
    }

    fn line(&mut self, value: &Value) {
        if self.failure.is_none() {
            self.failure = self.out.write(&format!("{value}\n")).err();
        }
    }
}

fn as_json(event: &Event) -> Value {
    match event {
        Event::Assign { variable, value } => {
            json!({"event": "assign", "variable": variable, "value": value})
        }
        Event::Unassign { variable } => json!({"event": "unassign", "variable": variable}),
        Event::Prune { variable, value } => {
            json!({"event": "prune", "variable": variable, "value": value})
        }
        Event::Restore { variable, value } => {
            json!({"event": "restore", "variable": variable, "value": value})
        }
        Event::Conflict { variable } => json!({"event": "conflict", "variable": variable}),
        Event::Jump { from, to } => json!({"event": "jump", "from": from, "to": to}),
        Event::Restart => json!({"event": "restart"}),
        Event::Answer(nth) => json!({"event": "answer", "nth": nth}),
        Event::Progress { stage, nodes, best } => {
            json!({"event": "progress", "stage": stage, "nodes": nodes, "best": best})
        }
    }
}
