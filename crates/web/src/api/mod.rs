//! The JSON API over HTTP: one file for each group of addresses.
//!
//! What is asked and answered by a body alone is a line in [`questions`]; the
//! others are modules with `pub fn router() -> Router<App>` that join by a line
//! in [`router`]. A body is taken by [`Asked`], which bounds and reads it; work
//! that may take long goes through [`WorkQueue::work`](crate::work::WorkQueue::work).

mod asked;
pub mod openapi;
pub mod questions;
mod race;
mod reports;
mod stream;
mod watch;

pub use asked::Asked;

use axum::Router;

use crate::App;

/// Every address under `/api/v1`.
pub fn router() -> Router<App> {
    Router::new()
        .merge(openapi::router())
        .merge(questions::router())
        .merge(race::router())
        .merge(reports::router())
        .merge(watch::router())
        .fallback(nowhere)
}

/// No such address; what is nested below `/api/v1` is told the rest only.
async fn nowhere(address: axum::http::Uri) -> crate::problem::RequestRefused {
    planoku_api::Problem::not_found(&format!("/api/v1{}", address.path())).into()
}
