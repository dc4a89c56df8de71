//! Refusals, as `application/problem+json` (RFC 9457) tells them.

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
    pub fn new(status: u16, kind: &str, title: &str, detail: impl ToString) -> Problem {
        Problem {
            r#type: kind.to_owned(),
            title: title.to_owned(),
            status,
            detail: detail.to_string(),
            line: None,
            column: None,
        }
    }

    /// What was sent is not what was asked for.
    pub fn bad_input(detail: impl ToString) -> Problem {
        Problem::new(
            400,
            "bad-input",
            "the input is not what was expected",
            detail,
        )
    }

    /// Bad input at a place of a text.
    pub fn bad_text(detail: impl ToString, line: usize, column: usize) -> Problem {
        Problem {
            line: Some(line),
            column: Some(column),
            ..Problem::bad_input(detail)
        }
    }

    /// A body that is not the JSON that was expected.
    pub fn not_json(error: &serde_json::Error) -> Problem {
        let (line, column) = (error.line(), error.column());
        Problem::bad_text(error, line, column)
    }

    /// No such address.
    pub fn not_found(path: &str) -> Problem {
        Problem::new(
            404,
            "not-found",
            "there is nothing here",
            format!("no such address: {path}"),
        )
    }

    /// More than the service holds at once.
    pub fn busy(detail: impl ToString) -> Problem {
        Problem::new(429, "busy", "too much work at once; try again", detail)
    }

    /// Our own mistake.
    pub fn fault(detail: impl ToString) -> Problem {
        Problem::new(
            500,
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
            503,
            "stopped",
            "stopped by a limit of the service",
            format!("stopped by {stop}"),
        )
    }
}
