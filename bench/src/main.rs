//! Benchmarks beside the peers.
fn main() {}
