//! What the workbench promises, one file per part of it; one program, so that it is linked once.

#[path = "../../../../tests/corpora.rs"]
mod corpora;

mod agents_checked;
mod agents_figures;
mod agents_runs;
mod compare;
mod conformance;
mod csp;
mod csp_tables;
mod human;
mod readers;
mod sat;
mod trace;
