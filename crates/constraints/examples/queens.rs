//! Queens that do not attack each other, by several ways of searching.
//!
//! `cargo run --release -p planoku-constraints --example queens -- 12`

use planoku_constraints::csp::{Network, NetworkError, Recipe};
use planoku_engine::{Engine, Run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 10,
    };
    let network = queens(size)?;
    println!(
        "{:24} {:>10} {:>12} {:>12}",
        "engine", "ways", "nodes", "checks"
    );
    for name in [
        "bt",
        "bm",
        "cbj",
        "fc",
        "fc+cbj:mrv",
        "mac:domwdeg",
        "regin:mrv",
    ] {
        let engine: Recipe = name.parse()?;
        let outcome = engine.solve(&network, &mut Run::all().with_nodes(5_000_000))?;
        println!(
            "{name:24} {:>10} {:>12} {:>12} {}",
            outcome.answers.len(),
            outcome.stats.nodes,
            outcome.stats.get("constraint_checks"),
            outcome.end.name(),
        );
    }
    Ok(())
}

/// One variable per row, its value the column of the row's queen.
fn queens(size: u32) -> Result<Network, NetworkError> {
    let mut network = Network::new();
    let rows = network.variables(size as usize, 0..size)?;
    network.all_different(&rows)?;
    for (at, &upper) in rows.iter().enumerate() {
        for (below, &lower) in rows[at + 1..].iter().enumerate() {
            let distance = below as u32 + 1;
            network.relation(upper, lower, |a, b| a.abs_diff(b) != distance)?;
        }
    }
    Ok(network)
}
