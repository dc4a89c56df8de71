//! HDDL and PDDL as languages, and planning made to work.
//!
//! ```text
//! text ─ syntax ─► tree ─ model ─► Model ─ ground ─► Ground ─ search │ satplan ─► Derivation
//!                    │      │                                                        │
//!                    └ check ┘                     Plan ◄────────── plan ────────────┘
//!                                                   └── verify (sees Model and Plan only)
//! ```

pub mod ground;
pub mod model;
pub mod plan;
