//! Exceptions with positions.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    planoku,
    PlanokuError,
    PyValueError,
    "Something planoku was given cannot be worked on."
);
create_exception!(
    planoku,
    ParseError,
    PlanokuError,
    "A text is not what it should be; `file`, `line` and `column` say where, counted from 1."
);

/// An error without a place.
pub fn bad(message: impl std::fmt::Display) -> PyErr {
    PlanokuError::new_err(message.to_string())
}

/// An error at a place of a text.
pub fn at(py: Python<'_>, file: &str, line: usize, column: usize, message: &str) -> PyErr {
    let error = ParseError::new_err(format!("{file}:{line}:{column}: {message}"));
    let value = error.value(py);
    // An exception takes any attribute.
    let _ = value.setattr("file", file);
    let _ = value.setattr("line", line);
    let _ = value.setattr("column", column);
    let _ = value.setattr("message", message);
    error
}
