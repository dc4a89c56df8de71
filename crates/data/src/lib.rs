//! Data sets of Sudoku, from ten puzzles to ten billion.
//!
//! A [`DatasetRecipe`] says what a data set is to hold, [`make`] makes it: shards of
//! puzzles with [labels](label) whose meaning is stated, [traces](trace) of
//! their steps, split by canonical solution so that no test puzzle is a disguise
//! of a training one. The same recipe gives the same bytes on any number of
//! threads, and after any number of deaths.
//!
//! [`check`] verifies every row again, [`leaks`] finds disguised duplicates
//! between any two lists, [`describe`] draws distributions.

#[cfg(feature = "arrow")]
pub mod arrow;
mod block;
pub mod check;
pub mod columns;
pub mod describe;
mod html;
mod id;
pub mod label;
pub mod leaks;
mod make;
mod manifest;
mod npy;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod read;
mod recipe;
pub mod relabel;
mod sha256;
mod shard;
mod share;
pub mod store;
pub mod table;
pub mod trace;
pub mod write;

pub use id::Id;
pub use make::{MakeError, MakeReport, Making, Progress, make};
pub use manifest::{Count, MANIFEST, Manifest, Shard};
pub use recipe::{Augment, BadRecipe, Bucket, DatasetRecipe, Traces};
pub use sha256::{hex, sha256};
pub use share::Share;
pub use write::{FileError, NO_PARQUET, TableFormat};
