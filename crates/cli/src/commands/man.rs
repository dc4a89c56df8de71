//! `planoku man`: a manual page for every command.

use std::path::PathBuf;

use clap::CommandFactory;

use crate::Cli;
use crate::exit::{Context, Exit, Failure};
use crate::output::complain;

/// Write manual pages into a directory.
#[derive(clap::Args)]
pub struct Args {
    /// Where to; made if it is not there.
    directory: PathBuf,
}

pub fn run(args: Args, _context: &Context) -> Result<Exit, Failure> {
    let name = args.directory.display().to_string();
    let failed = |error| Failure::cannot_write(&name, &error);
    std::fs::create_dir_all(&args.directory).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), &args.directory).map_err(failed)?;
    complain(format_args!(
        "manual pages are in {name}; see `man {name}/planoku.1`"
    ));
    Ok(Exit::Done)
}
