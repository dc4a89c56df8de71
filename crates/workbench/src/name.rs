//! Names of engines that mean nothing, and why.

use std::fmt;

/// Why no engine has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// Nobody answers to it.
    Unknown(String),
    /// It begins like the name of an engine that is put together from parts,
    /// and the parts do not make one: the reason.
    Refused(String),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Unknown(name) => write!(f, "there is no engine `{name}`"),
            NameError::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NameError {}
