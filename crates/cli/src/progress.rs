//! A sign of life for long work, on terminals only.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Meter;

/// A bar over the bytes of the input, or a counter where the size is unknown.
/// It appears after a second and leaves no trace.
pub struct Progress {
    bar: ProgressBar,
    solved: AtomicU64,
    /// When it was last told, in milliseconds.
    told: AtomicU64,
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
        Progress {
            bar,
            solved: AtomicU64::new(0),
            told: AtomicU64::new(0),
        }
    }

    /// Takes note of what was done.
    pub fn advance(&self, meter: &Meter, puzzles: u64) {
        let solved = self.solved.fetch_add(puzzles, Ordering::Relaxed) + puzzles;
        let elapsed = self.bar.elapsed();
        // Nobody reads faster than this.
        let now = elapsed.as_millis() as u64;
        if now < self.told.load(Ordering::Relaxed) + 50 {
            return;
        }
        self.told.store(now, Ordering::Relaxed);
        self.bar.set_position(meter.bytes_read());
        let per_second = solved as f64 / elapsed.as_secs_f64();
        self.bar
            .set_message(format!("{solved} puzzles, {per_second:.0} a second"));
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
