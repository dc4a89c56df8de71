//! Planning made to work: from the model of a problem to a plan.
//!
//! ```text
//! text ─ language ─► Model ─ ground ─► Ground ─► Instance ─ algorithms │ satplan ─► Derivation
//!                                                                          │
//!                       language::verify (sees Model and Plan only) ◄─ Plan ┘
//! ```
//!
//! Inside, one direction:
//!
//! ```text
//! ground ─► state ─► analysis ─► instance ─► heuristics ─► spaces ─► algorithms ─► schedule
//!                                    └───────────────► satplan ──────────────────────▲
//! ```

pub mod algorithms;
mod analysis;
#[cfg(feature = "threads")]
pub mod decompose;
mod graph;
pub mod ground;
pub mod heuristics;
mod instance;
pub mod numbers;
mod random;
#[cfg(feature = "sat")]
pub mod satplan;
pub mod schedule;
mod spaces;
mod state;
pub mod supports;
pub mod why;

pub use instance::Instance;
pub use planoku_engine as engine;
pub use planoku_language as language;
pub use planoku_language::lint as check;
pub use planoku_language::{
    ReadError, cost, diagnostic, index, model, plan, read, read_files, syntax, verify, write,
};
pub use schedule::planners;
#[cfg(feature = "threads")]
pub use schedule::{anytime, portfolio};

/// The searches under their former name; see [`algorithms`] and [`heuristics`].
pub mod search {
    pub use crate::algorithms::*;
    pub use crate::heuristics::Estimate;
}

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
