//! `planoku lsp`: a language server for HDDL and PDDL on standard input and
//! output.

use std::io::IsTerminal;

use lsp_server::Connection;

use crate::exit::{Context, Exit, Failure};
use crate::lsp::{self, Ended};
use crate::output::complain;

/// Serve an editor: diagnostics, names, completion and layout for HDDL and PDDL.
///
/// Editors start this and speak the Language Server Protocol with it on
/// standard input and output; README says how to set them up.
#[derive(clap::Args)]
pub struct Args {
    /// Accepted for editors that pass it; there is no other way.
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn run(_args: Args, context: &Context) -> Result<Exit, Failure> {
    if std::io::stdin().is_terminal() {
        complain("planoku lsp is started by an editor; Ctrl-C ends it");
    }
    let (connection, threads) = Connection::stdio();
    let ended = lsp::serve(&connection, &context.cancel);
    drop(connection);
    match ended {
        // Standard input may still be open: nobody to wait for.
        Ended::Cancelled => return Ok(Exit::Stopped),
        Ended::Unheard => return Ok(Exit::Done),
        Ended::Asked | Ended::Left => {}
    }
    match (threads.join(), ended) {
        (Ok(()), Ended::Asked) => Ok(Exit::Done),
        (Ok(()), _) => Ok(Exit::No),
        (Err(error), _) if error.kind() == std::io::ErrorKind::InvalidData => Err(
            Failure::bad_input(format!("standard input is not the protocol: {error}")),
        ),
        (Err(error), _) => Err(Failure::cannot_write("standard output", &error)),
    }
}
