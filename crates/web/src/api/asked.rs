//! The body of a request: bounded, read in time, and understood or refused.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use planoku_api::Problem;
use serde::de::DeserializeOwned;
use tokio_stream::StreamExt;

use crate::App;
use crate::problem::RequestRefused;

/// How much of a body that is too large is still read, and thrown away, so that
/// the client hears why.
const COURTESY: usize = 32 << 20;

/// A JSON body.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Asked<T> {
    type Rejection = RequestRefused;

    async fn from_request(request: Request, app: &App) -> Result<Self, RequestRefused> {
        let limits = &app.queue.limits;
        is_json(request.headers())?;
        let body = read(request.into_body(), limits.body);
        let bytes = tokio::time::timeout(limits.patience, body)
            .await
            .map_err(|_| too_slow())??;
        let read = serde_json::from_slice(&bytes);
        Ok(Asked(read.map_err(|error| Problem::not_json(&error))?))
    }
}

/// A form on another page cannot send this type without asking us first.
fn is_json(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let name = kind.split(';').next().unwrap_or_default().trim();
    match name.eq_ignore_ascii_case("application/json") {
        true => Ok(()),
        false => Err(Problem::new(
            415,
            "wrong-type",
            "the body is not JSON",
            format!("expected content-type application/json, found `{kind}`"),
        )),
    }
}

async fn read(body: Body, most: usize) -> Result<Bytes, Problem> {
    let mut stream = body.into_data_stream();
    let (mut bytes, mut seen) = (Vec::new(), 0);
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| Problem::bad_input(format!("body: {error}")))?;
        seen += chunk.len();
        if seen <= most {
            bytes.extend_from_slice(&chunk);
        } else {
            bytes = Vec::new();
        }
        if seen > COURTESY {
            break;
        }
    }
    match seen <= most {
        true => Ok(bytes.into()),
        false => Err(Problem::new(
            413,
            "too-large",
            "the body is too large",
            format!("at most {most} bytes are read"),
        )),
    }
}

fn too_slow() -> Problem {
    Problem::new(
        408,
        "too-slow",
        "the body took too long to arrive",
        "send the whole body at once",
    )
}
