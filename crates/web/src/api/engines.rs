//! What there is to choose from: engines and built-in puzzles.

use axum::routing::get;
use axum::{Json, Router};
use planoku_workbench::EXAMPLES;
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;

/// Its addresses.
pub fn router() -> Router<App> {
    Router::new()
        .route("/engines", get(engines))
        .route("/examples", get(examples))
}

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
#[utoipa::path(get, path = "/engines", tag = "puzzles", responses((status = 200, body = Vec<Engine>)))]
pub(crate) async fn engines() -> Json<Vec<Engine>> {
    let engines = planoku_workbench::engines();
    let profiles = engines.iter().map(|engine| engine.profile());
    let rows = profiles.map(|profile| Engine {
        name: profile.name.into(),
        summary: profile.summary.into(),
        complete: profile.complete,
        counts: profile.counts,
    });
    Json(rows.collect())
}

/// The built-in puzzles.
#[utoipa::path(get, path = "/examples", tag = "puzzles", responses((status = 200, body = Vec<Example>)))]
pub(crate) async fn examples() -> Json<Vec<Example>> {
    let rows = EXAMPLES.iter().map(|example| Example {
        name: example.name.to_owned(),
        puzzle: example.text.to_owned(),
    });
    Json(rows.collect())
}
