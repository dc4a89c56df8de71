//! How people solve Sudoku: techniques, steps, hints, ratings.
//!
//! A [`Board`] is a position: digits and candidates. A [`Technique`] is a way to
//! make progress, a [`Step`] one use of it, with everything that is its cause.
//! [`rate`] follows the path of Sudoku Explainer 1.2.1, whose scale players
//! quote: its order of techniques, its numbers.
//!
//! ```
//! use planoku_human::rate;
//! use planoku_sudoku::Grid;
//!
//! let puzzle: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
//!         .parse()
//!         .unwrap();
//! let rated = rate(&puzzle).unwrap();
//! assert_eq!(rated.er.to_string(), "1.2");
//! ```
//!
//! The scale's greedy path is not the kindest one: [`Rater::gentlest`] tries
//! other orders and keeps the path with the easiest hardest step, then with the
//! fewest hard steps.
//!
//! Every step is sound: it never strikes a candidate of a solution, or of the
//! only solution where [`Technique::assumes_uniqueness`] says so.

mod board;
mod candidate;
mod chains;
mod data;
mod finder;
mod found;
mod gentlest;
mod order;
pub mod page;
mod pattern;
pub mod picture;
mod position;
mod rate;
mod score;
mod searched;
mod spots;
mod step;
mod tables;
mod technique;
mod techniques;

pub use board::{BadBoard, Board};
pub use candidate::Candidate;
pub use order::{GROUP, OrderedPuzzle, PuzzleOrder, Unmet};
pub use position::{Astray, Position, PositionMistake};
pub use rate::{Path, Rated, Rater, Unrated, rate};
pub use step::{Cause, Chain, ChainNode, Depth, LinkReason, Role, Step};
pub use technique::{BadRating, Rating, Technique, UnknownTechnique};

pub use planoku_engine as engine;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
