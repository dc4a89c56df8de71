//! The states of Australia in three colours, the textbook's favourite map.
//!
//! `cargo run -p planoku-constraints --example colouring`

use planoku_constraints::csp::{Network, Recipe, Variable};
use planoku_engine::{Engine, Run};

const STATES: [&str; 7] = ["WA", "NT", "SA", "Q", "NSW", "V", "T"];
const BORDERS: [(u32, u32); 9] = [
    (0, 1),
    (0, 2),
    (1, 2),
    (1, 3),
    (2, 3),
    (2, 4),
    (2, 5),
    (3, 4),
    (4, 5),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine: Recipe = "fc+cbj:mrv-deg:lcv".parse()?;
    for colours in 2..=4 {
        let mut network = Network::new();
        network.variables(STATES.len(), 0..colours)?;
        for (a, b) in BORDERS {
            network.not_equal(Variable(a), Variable(b))?;
        }
        let outcome = engine.solve(&network, &mut Run::all())?;
        println!("{colours} colours: {} ways", outcome.answers.len());
        if let Some(first) = outcome.answers.first() {
            for (state, colour) in STATES.iter().zip(&first.0) {
                let name = ["red", "green", "blue", "yellow"][*colour as usize];
                println!("  {state:4} {name}");
            }
        }
    }
    Ok(())
}
