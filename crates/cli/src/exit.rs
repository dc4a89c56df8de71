//! How a command ends: an [`Exit`] with its documented code, or a [`Failure`].

use std::fmt;
use std::process::ExitCode;

use planoku_engine::Cancel;

/// What every command is given.
#[derive(Default)]
pub struct Context {
    /// Pressed by Ctrl-C.
    pub cancel: Cancel,
}

/// The exit codes scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done as asked.
    Done = 0,
    /// The answer is "no" (`verify`, `check`).
    No = 1,
    /// Proved: no solution, or no plan.
    Proved = 10,
    /// Gave up without proof.
    GaveUp = 11,
    /// Stopped by time, nodes or memory.
    Stopped = 20,
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
    /// What to tell the user: place, what was wanted, what was found.
    pub message: String,
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
}

/// Reports a failure and turns the result into the process's exit code.
pub fn finish(result: Result<Exit, Failure>) -> ExitCode {
    let exit = result.unwrap_or_else(|failure| {
        anstream::eprintln!("error: {}", failure.message);
        failure.exit
    });
    ExitCode::from(exit as u8)
}
