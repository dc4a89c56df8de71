//! A file of traces being written, one after the other.
//!
//! What they say is for `planoku_workbench::trace`; here it becomes lines.

use std::path::Path;

use planoku_workbench::trace::Trace;

use crate::exit::Failure;
use crate::output::Output;

/// A file of traces.
pub struct Traces {
    out: Output,
    /// Events that each may have.
    pub limit: usize,
    /// How many had more.
    pub capped: u64,
    /// The first failure; a search cannot stop for it, so it waits for the end.
    failure: Option<Failure>,
}

impl Traces {
    /// Begins the file.
    pub fn create(path: &Path, limit: usize) -> Result<Traces, Failure> {
        Ok(Traces {
            out: Output::to(Some(path))?,
            limit,
            capped: 0,
            failure: None,
        })
    }

    /// Writes a trace.
    pub fn write(&mut self, trace: &Trace) {
        self.capped += u64::from(trace.header.capped);
        for line in trace.lines() {
            if self.failure.is_none() {
                self.failure = self.out.write(&(line + "\n")).err();
            }
        }
    }

    /// Ends the file.
    pub fn finish(&mut self) -> Result<(), Failure> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.out.flush(),
        }
    }
}
