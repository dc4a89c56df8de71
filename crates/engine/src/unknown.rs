//! A name that nothing has.

use std::fmt;

/// A name was read that nothing has: what was wanted, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What would have been understood.
    pub wanted: String,
    /// What was there instead.
    pub found: String,
}

impl UnknownName {
    /// A name that is none of those wanted.
    pub fn new(wanted: impl Into<String>, found: impl Into<String>) -> UnknownName {
        UnknownName {
            wanted: wanted.into(),
            found: found.into(),
        }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.wanted, self.found)
    }
}

impl std::error::Error for UnknownName {}
