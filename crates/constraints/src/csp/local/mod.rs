//! Local search: start with every variable assigned, and repair.
//!
//! These engines hold a full assignment that breaks some constraints, and
//! change it step by step until none is broken. They know nothing of what they
//! have seen before, so they can neither prove that there is no answer nor
//! count answers: they end [`Incomplete`](planoku_engine::End::Incomplete) when
//! they have had their share of steps.

mod annealing;
mod min_conflicts;

pub use annealing::Annealing;
pub use min_conflicts::MinConflicts;
