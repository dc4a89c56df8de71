//! Planners, grounding and costs on whole problems; one program, so that it is linked once.

#[path = "../../../../tests/corpora.rs"]
mod corpora;

mod anytime;
mod classical;
mod costs;
mod dead;
mod ground_ipc;
mod long;
mod numbers;
mod search;
mod supports;
mod unsolvable;
