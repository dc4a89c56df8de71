//! `planoku completions`: what a shell needs to complete our arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Cli;
use crate::exit::{Context, Exit, Failure};
use crate::output::Output;

/// Print completions for a shell, to be loaded by it.
#[derive(clap::Args)]
pub struct Args {
    /// Which shell.
    shell: Shell,
}

pub fn run(args: Args, _context: &Context) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "planoku", &mut script);
    let mut out = Output::stdout();
    out.write(&String::from_utf8_lossy(&script))?;
    out.flush()?;
    Ok(Exit::Done)
}
