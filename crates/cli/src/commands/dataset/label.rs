//! `planoku dataset label`: columns added to an existing file.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use planoku_data::Share;
use planoku_data::columns::Work;
use planoku_data::label::Labels;
use planoku_data::relabel::relabel;

use crate::columns;
use crate::exit::{Context, Exit, Failure};
use crate::input::{self, Inputs};
use crate::output::complain;

/// Add labels to the rows of a file; all its own columns are kept.
///
/// Status, solution, canonical ids, automorphisms, clues, whether minimal, ER, EP,
/// ED, techniques. CSV stays CSV, JSON Lines stay JSON Lines, bare puzzles become
/// CSV, and an output that ends in .parquet is Parquet; a column of ours whose name is taken is called planoku_….
#[derive(clap::Args)]
pub struct Args {
    /// A file of puzzles.
    input: PathBuf,
    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Leave the rating out, which takes most of the time.
    #[arg(long)]
    no_rating: bool,
    /// Also count the nodes of this engine; may be given several times.
    #[arg(long = "engine", value_name = "NAME")]
    engines: Vec<String>,
    /// The most nodes an engine may spend.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// Only part I of N of the rows.
    #[arg(long, value_name = "I/N")]
    shard: Option<Share>,
    /// How many threads work; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let labels = Labels {
        rating: !args.no_rating,
        engines: args.engines.clone(),
        nodes: args.nodes,
    };
    labels.check().map_err(Failure::bad_input)?;
    if columns::wanted(Some(&args.output)) {
        let inputs = Inputs {
            names: &[args.input.display().to_string()],
            share: args.shard,
        };
        return columns::run(
            inputs,
            &args.output,
            &Work::Label(labels),
            args.threads,
            context,
        );
    }
    let name = args.output.display().to_string();
    let cannot = |error: std::io::Error| Failure::cannot_write(&name, &error);
    let pool = super::pool(args.threads)?;
    let bar = super::bar(0);
    let input = input::open_rows(&args.input, false)?;
    let output = BufWriter::new(File::create(&args.output).map_err(cannot)?);
    let done = pool.install(|| {
        relabel(
            input,
            output,
            &labels,
            args.shard,
            &context.cancel,
            |rows| {
                bar.set_message(format!("{rows} rows"));
            },
        )
    });
    bar.finish_and_clear();
    let done = match done.map_err(cannot)? {
        Ok(done) => done,
        Err(stop) => return Ok(super::stopped(stop, "the rows so far are written")),
    };
    for mistake in &done.mistakes {
        complain(format_args!("error: {}:{mistake}", args.input.display()));
    }
    complain(format_args!(
        "{} labelled, {} of them without exactly one solution",
        crate::output::counted(done.rows as usize, "row"),
        done.without
    ));
    Ok(match done.mistakes.is_empty() {
        true => Exit::Done,
        false => Exit::BadInput,
    })
}
