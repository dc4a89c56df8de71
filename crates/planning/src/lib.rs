//! HDDL and PDDL as languages, and planning made to work.
//!
//! ```text
//! text ─ syntax ─► tree ─ model ─► Model ─ ground ─► Ground ─ search │ satplan ─► Derivation
//!                    │      │                                                        │
//!                    └ check ┘                     Plan ◄────────── plan ────────────┘
//!                                                   └── verify (sees Model and Plan only)
//! ```

pub mod anytime;
pub mod check;
pub mod cost;
pub mod diagnostic;
mod graph;
pub mod ground;
pub mod index;
pub mod model;
pub mod plan;
pub mod planners;
pub mod portfolio;
mod read;
pub mod satplan;
pub mod search;
pub mod syntax;
pub mod verify;
pub mod write;

pub use read::{ReadError, read, read_files};
