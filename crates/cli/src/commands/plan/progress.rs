//! A line on the terminal that says who is thinking, and how it goes.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use planoku_engine::Event;

use crate::memory;

/// The line; drawn on standard error if that is a terminal.
pub struct Progress {
    shown: bool,
    terminal: bool,
    started: Instant,
    last: Instant,
}

impl Progress {
    /// Nothing drawn yet.
    pub fn new() -> Progress {
        Progress {
            shown: false,
            terminal: std::io::stderr().is_terminal(),
            started: Instant::now(),
            last: Instant::now(),
        }
    }

    /// Draws the line anew, unless that was done a moment ago.
    pub fn show(&mut self, event: &Event) {
        let often = self.last.elapsed() < Duration::from_millis(100);
        if let Event::Progress { stage, nodes, best } = event
            && self.terminal
            && !often
        {
            eprint!("\r\x1b[K{}", self.line(stage, *nodes, *best));
            self.shown = true;
            self.last = Instant::now();
        }
    }

    fn line(&self, stage: &str, nodes: u64, best: Option<u64>) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let mut line = format!("{seconds:.1} s  {stage}  {nodes} nodes");
        if let Some(best) = best {
            line += &format!("  best h {best}");
        }
        if let Some(bytes) = memory::now() {
            line += &format!("  {}", memory::say(bytes));
        }
        line
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            eprint!("\r\x1b[K");
        }
    }
}
