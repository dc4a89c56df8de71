//! Planning made to work: from the model of a problem to a plan.
//!
//! ```text
//! text ─ language ─► Model ─ ground ─► Ground ─ search │ satplan ─► Derivation
//!                                                                      │
//!                   language::verify (sees Model and Plan only) ◄─ Plan ┘
//! ```

#[cfg(feature = "threads")]
pub mod anytime;
mod graph;
pub mod ground;
pub mod planners;
#[cfg(feature = "threads")]
pub mod portfolio;
#[cfg(feature = "sat")]
pub mod satplan;
pub mod search;

pub use planoku_language as language;
pub use planoku_language::lint as check;
pub use planoku_language::{
    ReadError, cost, diagnostic, index, model, plan, read, read_files, syntax, verify, write,
};

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
