//! `planoku engines`: every engine, with what it claims.

use crate::exit::{Context, Exit, Failure};

/// List every engine: name, how it thinks, complete?, counts?
#[derive(clap::Args)]
pub struct Args {
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

pub fn run(_args: Args, _context: &Context) -> Result<Exit, Failure> {
    for engine in planoku_workbench::engines() {
        let profile = engine.profile();
        anstream::println!("{:<16} {}", profile.name, profile.summary);
    }
    Ok(Exit::Done)
}
