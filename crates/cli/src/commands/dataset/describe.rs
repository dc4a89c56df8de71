//! `planoku dataset describe`: a page with distributions.

use std::path::PathBuf;

use planoku_data::describe::{Description, describe};
use planoku_data::read::read_table;

use crate::exit::{Context, Exit, Failure};
use crate::output::Output;

/// Draw what a data set holds: sizes, ratings, techniques, clues.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of a data set, or a file that `label` has written.
    input: PathBuf,
    /// Write the page to this file instead of standard output.
    #[arg(long, short, value_name = "FILE.html")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args, _: &Context) -> Result<Exit, Failure> {
    let page = match args.input.is_dir() {
        true => describe(&args.input).map_err(Failure::bad_input)?,
        false => {
            let mut found = Description::default();
            found.add(&read_table(&args.input).map_err(Failure::bad_input)?);
            let name = args.input.file_name().unwrap_or_default().to_string_lossy();
            found.page(&name, None)
        }
    };
    let mut out = Output::to(args.output.as_deref())?;
    out.write(&page)?;
    out.flush()?;
    Ok(Exit::Done)
}
