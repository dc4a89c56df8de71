//! What there is to choose from: engines and built-in puzzles.

use planoku_workbench::EXAMPLES;
use serde::Serialize;
use utoipa::ToSchema;

/// An engine, with what it claims.
#[derive(Serialize, ToSchema)]
pub struct Engine {
    /// What to pass as `engine`.
    name: String,
    /// How it thinks, in a line.
    summary: String,
    /// Whether it always finds a solution or proves that there is none.
    complete: bool,
    /// Whether it finds distinct solutions, and so can say "unique".
    counts: bool,
}

/// A puzzle of our own.
#[derive(Serialize, ToSchema)]
#[schema(as = ExamplePuzzle)]
pub struct Example {
    /// What it is called.
    name: String,
    /// Its cells, row by row.
    puzzle: String,
}

/// Every engine, with what it claims.
pub fn engines() -> Vec<Engine> {
    let engines = planoku_workbench::engines();
    let profiles = engines.iter().map(|engine| engine.profile());
    let rows = profiles.map(|profile| Engine {
        name: profile.name.into(),
        summary: profile.summary.into(),
        complete: profile.complete,
        counts: profile.counts,
    });
    rows.collect()
}

/// The built-in puzzles.
pub fn examples() -> Vec<Example> {
    let rows = EXAMPLES.iter().map(|example| Example {
        name: example.name.to_owned(),
        puzzle: example.text.to_owned(),
    });
    rows.collect()
}
