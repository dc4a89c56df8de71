//! Who may ask, and what a browser may do with the answer.
//!
//! A page from elsewhere can make a browser talk to this machine. It cannot
//! choose the `Host` that its name resolves under, so requests for any name but
//! our own are refused (DNS rebinding), and so are those that a browser says
//! come from another origin.

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use planoku_api::Problem;

use crate::problem::RequestRefused;

/// What our page may load: from us, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets through what asks for this very server.
pub async fn same_house(State(port): State<u16>, request: Request, next: Next) -> Response {
    match refusal(port, request.headers(), request.uri().authority()) {
        None => next.run(request).await,
        Some(problem) => RequestRefused(problem).into_response(),
    }
}

fn refusal(
    port: u16,
    headers: &HeaderMap,
    authority: Option<&axum::http::uri::Authority>,
) -> Option<Problem> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = host.or(authority.map(|authority| authority.as_str()));
    if !host.is_some_and(|host| is_ours(host, port)) {
        return Some(Problem::new(
            421,
            "wrong-host",
            "this server answers to its own name only",
            format!(
                "expected the host localhost:{port} or 127.0.0.1:{port}, found {}",
                host.unwrap_or("none")
            ),
        ));
    }
    let origin = headers.get(ORIGIN)?;
    let ours = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.strip_prefix("http://"))
        .is_some_and(|host| is_ours(host, port));
    (!ours).then(|| {
        Problem::new(
            403,
            "wrong-origin",
            "pages from elsewhere may not ask",
            "expected an Origin that is this server",
        )
    })
}

/// Whether this is a name of the loopback interface, with our port.
fn is_ours(host: &str, port: u16) -> bool {
    let (name, found) = host.rsplit_once(':').unwrap_or((host, "80"));
    matches!(name, "localhost" | "127.0.0.1") && found.parse() == Ok(port)
}

/// Sets what every answer carries.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(X_FRAME_OPTIONS, "DENY");
    set(REFERRER_POLICY, "no-referrer");
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    set(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    set(
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    );
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_with_our_port_are_ours() {
        for host in ["localhost:7000", "127.0.0.1:7000"] {
            assert!(is_ours(host, 7000), "{host}");
        }
        let others = [
            "localhost",
            "localhost:7001",
            "127.0.0.1.evil.example:7000",
            "evil.example:7000",
            "localhost:7000:7000",
            "[::1]:7000",
            "",
            ":7000",
        ];
        for host in others {
            assert!(!is_ours(host, 7000), "{host}");
        }
    }
}
