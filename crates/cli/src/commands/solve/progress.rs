//! A sign of life for long work, on terminals only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Meter;

/// A bar over the bytes of the input, or a counter where the size is unknown.
/// It appears after a second and leaves no trace.
pub struct Progress {
    bar: ProgressBar,
    solved: u64,
}

impl Progress {
    /// Watches over the reading that this meter shows.
    pub fn new(meter: &Meter) -> Progress {
        let template = match meter.total_bytes() {
            Some(_) => "{bar:30} {percent:>3} %  {msg}  {eta} left",
            None => "{spinner} {msg}  {elapsed}",
        };
        let bar = ProgressBar::with_draw_target(meter.total_bytes(), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let later = bar.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(1));
            if !later.is_finished() {
                // Without a terminal on standard error this draws nothing.
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Progress { bar, solved: 0 }
    }

    /// Takes note of what was done.
    pub fn advance(&mut self, meter: &Meter, puzzles: u64) {
        self.solved += puzzles;
        self.bar.set_position(meter.bytes_read());
        let per_second = self.solved as f64 / self.bar.elapsed().as_secs_f64();
        let message = format!("{} puzzles, {per_second:.0} a second", self.solved);
        self.bar.set_message(message);
    }

    /// Steps aside while something is printed.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Leaves.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
