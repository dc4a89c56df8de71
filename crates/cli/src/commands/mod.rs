//! One file (or folder) per command: its arguments and what it does.
//!
//! A command is a module with a `clap::Args` struct named `Args`, whose first
//! doc line is its help, and `run(Args, &Context) -> Result<Exit, Failure>`.
//! To add one: write the file, name it below, add a variant to `Command` and
//! an arm to the `match` in `main.rs`. Results go through
//! [`crate::output::Output`], everything else through
//! [`crate::output::complain`].

pub mod agents;
pub mod backbone;
pub mod bench;
pub mod canon;
pub mod check;
pub mod compare;
pub mod completions;
pub mod core;
pub mod count;
pub mod dataset;
pub mod doctor;
pub mod encode;
pub mod engines;
pub mod explain;
pub mod fmt;
pub mod generate;
pub mod ground;
pub mod hint;
pub mod lsp;
pub mod man;
pub mod minimal;
pub mod new;
pub mod plan;
pub mod planning;
pub mod prove;
pub mod rate;
pub mod replay;
pub mod reproduce;
pub mod serve;
pub mod solve;
pub mod steps;
pub mod verify;
pub mod welcome;
