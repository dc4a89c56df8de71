//! The JSON API without HTTP: questions, answers, and what lies between.
//!
//! A [`Question`] is read from JSON, says what it wishes to spend, and is
//! answered within an [`Allowance`]; whoever asks decides how: `planoku-web`
//! over HTTP, on threads and in turns, `planoku-wasm` in a worker of a browser.
//! What cannot be answered is a [`Problem`].
//!
//! - [`solve`], [`read`], [`people`] and [`model`] hold the questions.
//! - [`mod@list`] is what there is to choose from, [`watch`] a search as a trace.
//! - [`ask`] answers a question by its name, from text to text.

mod ask;
pub mod examples;
pub mod list;
pub mod model;
pub mod people;
mod problem;
pub mod read;
pub mod solve;
pub mod watch;

use std::time::Duration;

use planoku_engine::clock::Instant;
use planoku_engine::{Budget, Cancel, Run};
use planoku_sudoku::Grid;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use ask::ask;
pub use problem::Problem;

/// What the description shows: a puzzle of ours, and a small planning problem.
pub const EXAMPLE: &str =
    "..7....2..1.7..5...35.....4..9.831...2.....9...316.4..5.....81...2..5.3..6....2..";
/// A domain to show.
pub const DOMAIN: &str = "(define (domain lamps) (:predicates (lit ?l))
  (:action light :parameters (?l) :effect (lit ?l)))";
/// A problem for it.
pub const PROBLEM: &str = "(define (problem one) (:domain lamps) (:objects a)
  (:init) (:goal (lit a)))";

/// Something that can be asked.
pub trait Question: DeserializeOwned + Send + 'static {
    /// What is answered.
    type Answer: Serialize + Send + 'static;

    /// What it wishes to spend; nothing is promised.
    fn wish(&self) -> Wish {
        Wish::default()
    }

    /// Answers it.
    fn answer(&self, allowance: &Allowance) -> Result<Self::Answer, Problem>;
}

/// What a question wishes to spend; absent is as much as there is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wish {
    /// Milliseconds.
    pub time_ms: Option<u64>,
    /// Search nodes.
    pub nodes: Option<u64>,
}

impl Wish {
    /// So much time.
    pub fn time(time_ms: impl Into<Option<u64>>) -> Wish {
        Wish {
            time_ms: time_ms.into(),
            nodes: None,
        }
    }
}

/// What any question may cost.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Time a question may take if it does not wish for less.
    pub time: Duration,
    /// Nodes a question may spend.
    pub nodes: u64,
    /// Bytes the whole process may hold before searches are stopped.
    pub memory: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            time: Duration::from_secs(20),
            nodes: 200_000_000,
            memory: 2 << 30,
        }
    }
}

impl Bounds {
    /// The wish, as far as it is within the bounds.
    pub fn grant(&self, wish: Wish) -> Budget {
        let time = wish.time_ms.map_or(self.time, Duration::from_millis);
        Budget {
            time: Some(time.min(self.time)),
            nodes: Some(wish.nodes.unwrap_or(u64::MAX).min(self.nodes)),
            memory: Some(self.memory),
        }
    }
}

/// What a piece of work may spend: makes the [`Run`]s it needs.
#[derive(Clone)]
pub struct Allowance {
    /// Time, nodes and memory.
    pub budget: Budget,
    /// Pressed when nobody waits for the answer.
    pub cancel: Cancel,
}

impl Allowance {
    /// A run within this allowance.
    pub fn run(&self, wanted: u64) -> Run<'static> {
        Run::limit(wanted)
            .with_budget(self.budget)
            .with_cancel(self.cancel.clone())
    }
}

/// The one puzzle of a text, in any format.
pub fn one_puzzle(text: &str) -> Result<Grid, Problem> {
    let mut puzzles = planoku_sudoku::text::Puzzles::new(text.as_bytes());
    match puzzles.next() {
        Some(Ok(puzzle)) => Ok(puzzle.grid),
        Some(Err(error)) => Err(Problem::bad_text(&error.problem, error.line, error.column)),
        None => Err(Problem::bad_input("expected a puzzle, found nothing")),
    }
}

/// Microseconds since a moment.
fn micros(started: Instant) -> u64 {
    started.elapsed().as_micros().try_into().unwrap_or(u64::MAX)
}

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
