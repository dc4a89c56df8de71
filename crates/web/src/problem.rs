//! Refusals: `application/problem+json` (RFC 9457), whatever went wrong.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use planoku_engine::{EngineError, Stop};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a request was not answered.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Which kind of problem, for programs: `bad-input`, `too-large`, `busy`, …
    pub r#type: String,
    /// The kind in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What was wanted and what was found, in the reader's coordinates.
    pub detail: String,
    /// Where in a text the mistake stands: line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Where in the line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl Problem {
    /// A problem of a kind.
    pub fn new(status: StatusCode, kind: &str, title: &str, detail: impl ToString) -> Problem {
        Problem {
            r#type: kind.to_owned(),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.to_string(),
            line: None,
            column: None,
        }
    }

    /// What was sent is not what was asked for.
    pub fn bad_input(detail: impl ToString) -> Problem {
        Problem::new(
            StatusCode::BAD_REQUEST,
            "bad-input",
            "the input is not what was expected",
            detail,
        )
    }

    /// The same, at a place of a text.
    pub fn bad_text(detail: impl ToString, line: usize, column: usize) -> Problem {
        Problem {
            line: Some(line),
            column: Some(column),
            ..Problem::bad_input(detail)
        }
    }

    /// More than the service holds at once.
    pub fn busy(detail: impl ToString) -> Problem {
        Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "too much work at once; try again",
            detail,
        )
    }

    /// Our own mistake.
    pub fn fault(detail: impl ToString) -> Problem {
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "fault",
            "planoku made a mistake; please report it",
            detail,
        )
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Problem {
        match error {
            EngineError::Internal(detail) => Problem::fault(detail),
            other => Problem::bad_input(other),
        }
    }
}

/// Work that ended before it had anything to say.
impl From<Stop> for Problem {
    fn from(stop: Stop) -> Problem {
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "stopped",
            "stopped by a limit of the service",
            format!("stopped by {stop}"),
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// No such address.
pub async fn not_found(address: axum::http::Uri) -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "not-found",
        "there is nothing here",
        format!("no such address: {}", address.path()),
    )
}

/// The address is there, the method is not.
pub async fn wrong_method(method: axum::http::Method) -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "wrong-method",
        "the address does not answer to this method",
        format!("{method} is not answered here"),
    )
}
