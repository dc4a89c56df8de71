//! Quasigroup completion: fill a Latin square that has some cells filled.
//!
//! `cargo run --release -p planoku-constraints --example quasigroup`

use planoku_constraints::csp::{Network, NetworkError, Recipe, Values, Variable};
use planoku_engine::{Engine, Run};

/// What is given, row by row; a dot is open.
const GIVEN: [&str; 7] = [
    "..3..6.", ".5...1.", "7..2...", "...6..4", ".1..3..", "4....2.", "..5...1",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = latin_square(&GIVEN)?;
    for name in ["fc:mrv", "mac:domwdeg", "regin:mrv"] {
        let engine: Recipe = name.parse()?;
        let outcome = engine.solve(&network, &mut Run::limit(1000))?;
        println!(
            "{name}: {} completions ({}), {} nodes",
            outcome.answers.len(),
            outcome.end.name(),
            outcome.stats.nodes
        );
        if let Some(first) = outcome.answers.first() {
            for row in first.0.chunks(GIVEN.len()) {
                let row: Vec<String> = row.iter().map(u32::to_string).collect();
                println!("  {}", row.join(" "));
            }
        }
    }
    Ok(())
}

/// Every row and every column has each symbol once.
fn latin_square(given: &[&str]) -> Result<Network, NetworkError> {
    let order = given.len();
    let mut network = Network::new();
    let cells = network.variables(order * order, 1..=order as u32)?;
    for line in 0..order {
        let row: Vec<Variable> = (0..order).map(|at| cells[line * order + at]).collect();
        let column: Vec<Variable> = (0..order).map(|at| cells[at * order + line]).collect();
        network.all_different(&row)?;
        network.all_different(&column)?;
    }
    let symbols = given.iter().flat_map(|row| row.chars());
    for (&cell, symbol) in cells.iter().zip(symbols) {
        if let Some(values) = symbol.to_digit(10).and_then(Values::only) {
            network.restrict(cell, values)?;
        }
    }
    Ok(network)
}
