//! How a command ends: an [`Exit`] with its documented code, or a [`Failure`].

use std::fmt;
use std::io;

use planoku_engine::{Cancel, EngineError};

use crate::watch::Watch;

/// What every command is given.
#[derive(Default)]
pub struct Context {
    /// Pressed by Ctrl-C.
    pub cancel: Cancel,
    /// Ends what does not hear it.
    pub watch: Watch,
}

/// The exit codes scripts rely on.
///
/// A command that does many things ends with the highest code any of them
/// earned, so that nothing bad hides behind something good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[allow(
    dead_code,
    reason = "the list is the contract; some codes wait for their commands"
)]
pub enum Exit {
    /// Done as asked.
    #[default]
    Done = 0,
    /// The answer is "no" (`verify`, `check`).
    No = 1,
    /// Proved: no solution, or no plan.
    Proved = 10,
    /// Gave up without proof.
    GaveUp = 11,
    /// Stopped by time, nodes or memory.
    Stopped = crate::memory::STOPPED as isize,
    /// Bad input.
    BadInput = 30,
    /// Our own fault.
    Fault = 70,
}

/// A command that could not do its work, and why.
#[derive(Debug)]
pub struct Failure {
    /// The code to end with.
    pub exit: Exit,
    /// What to tell the user: place, what was wanted, what was found. Empty if
    /// nothing needs to be said.
    pub message: String,
}

/// What an engine refuses is bad input; its faults are ours.
impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        match error {
            EngineError::Unsupported(_) => Failure::bad_input(error),
            EngineError::Internal(_) => Failure::fault(error),
        }
    }
}

impl Failure {
    /// The user's input is at fault.
    pub fn bad_input(message: impl fmt::Display) -> Failure {
        Failure {
            exit: Exit::BadInput,
            message: message.to_string(),
        }
    }

    /// We are at fault.
    pub fn fault(message: impl fmt::Display) -> Failure {
        Failure {
            exit: Exit::Fault,
            message: message.to_string(),
        }
    }

    /// A result could not be written. A closed pipe (`| head -1`) has read all
    /// it wants: that is a quiet end, not an error.
    pub fn cannot_write(name: &str, error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure {
                exit: Exit::Done,
                message: String::new(),
            };
        }
        Failure::bad_input(format!("cannot write {name}: {error}"))
    }
}
