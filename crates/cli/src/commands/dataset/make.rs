//! `planoku dataset make`: from a recipe to a folder.

use std::path::PathBuf;
use std::time::Instant;

use planoku_data::{MakeError, MakeReport, Making, Manifest, Share};

use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Make a data set from a recipe.
///
/// The same recipe gives the same bytes on any number of threads. Stopped at any
/// moment, even by `kill -9`, the same command goes on where it was. The guide's
/// chapter on data sets shows recipes.
#[derive(clap::Args)]
pub struct Args {
    /// The recipe, in TOML.
    recipe: PathBuf,
    /// The folder to fill.
    #[arg(required_unless_present = "output")]
    folder: Option<PathBuf>,
    /// The folder to fill, for those who are used to it.
    #[arg(long, short, value_name = "FOLDER", conflicts_with = "folder")]
    output: Option<PathBuf>,
    /// Make only part I of N, on one of N machines that share the folder; then
    /// once without, for the manifest.
    #[arg(long, value_name = "I/N")]
    shard: Option<Share>,
    /// How many threads work; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let name = args.recipe.display();
    let text = std::fs::read_to_string(&args.recipe)
        .map_err(|error| Failure::bad_input(format!("cannot read `{name}`: {error}")))?;
    let folder = args.folder.as_deref().or(args.output.as_deref());
    let folder = folder.expect("one of them is given");
    let making = Making {
        shard: args.shard,
        cancel: context.cancel.clone(),
    };
    let started = Instant::now();
    let bar = super::bar(1);
    let pool = super::pool(args.threads)?;
    let made = pool.install(|| {
        planoku_data::make(&text, folder, &making, |progress| {
            bar.set_length(progress.blocks);
            bar.set_position(progress.done);
            let rate = progress.puzzles as f64 / started.elapsed().as_secs_f64();
            bar.set_message(format!("{} puzzles, {rate:.0} a second", progress.puzzles));
        })
    });
    bar.finish_and_clear();
    let made = made.map_err(|error| match error {
        MakeError::Recipe(bad) => Failure::bad_input(format!("{name}:{bad}")),
        other => Failure::bad_input(other),
    })?;
    match made {
        MakeReport::Complete(manifest) => {
            let mut out = Output::stdout();
            out.write(&summary(&manifest, &folder.display().to_string()))?;
            out.flush()?;
            Ok(Exit::Done)
        }
        MakeReport::Part { blocks, of } => {
            complain(format_args!(
                "{blocks} of {of} blocks are made; when all parts are, the same command without \
                 --shard writes the manifest"
            ));
            Ok(Exit::Done)
        }
        MakeReport::Stopped(stop) => Ok(super::stopped(stop, "the same command goes on from here")),
    }
}

fn summary(manifest: &Manifest, folder: &str) -> String {
    let bytes: u64 = manifest.files.iter().map(|file| file.bytes).sum();
    let mut text = format!(
        "{folder}: {}, {}, {}, {}, {:.1} MB\n",
        crate::output::counted(manifest.puzzles as usize, "puzzle"),
        crate::output::counted(manifest.rows as usize, "row"),
        crate::output::counted(manifest.trace_rows as usize, "step"),
        crate::output::counted(manifest.files.len(), "file"),
        bytes as f64 / 1e6
    );
    if manifest.dropped > 0 {
        let dropped = manifest.dropped;
        text += &format!(
            "  {} dropped: disguises of others\n",
            crate::output::counted(dropped as usize, "puzzle")
        );
    }
    for (split, count) in &manifest.splits {
        text += &format!(
            "  {split}: {}, {}\n",
            crate::output::counted(count.rows as usize, "row"),
            crate::output::counted(count.puzzles as usize, "puzzle")
        );
    }
    text
}
