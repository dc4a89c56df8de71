//! The OpenAPI description, made from the types of requests and answers.

use axum::routing::get;
use axum::{Json, Router};
use utoipa::OpenApi;

use crate::App;

/// Everything under `/api/v1`.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Planoku",
        description = "Sudoku solved as planning, and planning made to work. Every request is \
            bounded in size (1 MB), time (20 s), nodes, memory and number at once; what is too \
            much is refused with 413, 429 or 503. Work is cancelled when the client leaves. \
            Refusals are application/problem+json. Only the loopback interface is answered."
    ),
    servers((url = "/api/v1")),
    paths(
        super::questions::engines,
        super::questions::examples,
        super::questions::solve,
        super::questions::read,
        super::questions::hint,
        super::questions::rate,
        super::questions::generate,
        super::questions::models,
        super::questions::check,
        super::questions::layout,
        super::questions::hover,
        super::questions::ground,
        super::questions::plan,
        super::questions::verify,
        super::questions::watchable,
        super::reports::compare,
        super::reports::papers,
        super::watch::watch,
        super::race::race,
        super::race::cancel,
    ),
    components(schemas(planoku_api::Problem))
)]
struct Description;

/// Its address.
pub fn router() -> Router<App> {
    Router::new().route("/openapi.json", get(|| async { Json(description()) }))
}

/// The description, paths in full.
pub fn description() -> utoipa::openapi::OpenApi {
    let mut api = Description::openapi();
    let paths = std::mem::take(&mut api.paths.paths);
    for (path, item) in paths {
        api.paths.paths.insert(format!("/api/v1{path}"), item);
    }
    api.servers = None;
    api
}
