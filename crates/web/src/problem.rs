//! A problem as an answer: `application/problem+json` (RFC 9457).

use axum::Json;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use planoku_api::Problem;

/// Why a request was not answered.
#[derive(Clone, Debug)]
pub struct RequestRefused(pub Problem);

impl From<Problem> for RequestRefused {
    fn from(problem: Problem) -> RequestRefused {
        RequestRefused(problem)
    }
}

impl IntoResponse for RequestRefused {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self.0)).into_response();
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
pub async fn not_found(address: Uri) -> RequestRefused {
    Problem::not_found(address.path()).into()
}

/// The address is there, the method is not.
pub async fn wrong_method(method: Method) -> RequestRefused {
    let detail = format!("{method} is not answered here");
    Problem::new(
        405,
        "wrong-method",
        "the address does not answer to this method",
        detail,
    )
    .into()
}
