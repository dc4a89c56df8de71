//! `planoku dataset leaks`: what two lists share, in whatever clothes.

use std::path::{Path, PathBuf};

use planoku_data::Manifest;
use planoku_data::leaks::{By, Ids, Leak};
use planoku_sudoku::text::Puzzles;
use planoku_sudoku::{Grid, native};

use crate::exit::{Context, Exit, Failure};
use crate::input;
use crate::output::Output;
use crate::values;

/// Find rows of one list that are rows of another in disguise.
///
/// Rows, columns, bands, stacks and digits exchanged, or the board turned over:
/// still the same puzzle. A and B are files of puzzles in any format and of any
/// length, or folders of data sets. Ends with 1 if there are leaks.
#[derive(clap::Args)]
pub struct Args {
    /// The list to look in, such as the training set.
    first: PathBuf,
    /// The list to look for, such as the test set.
    second: PathBuf,
    /// Compare canonical solutions instead: other clues of one grid count too.
    #[arg(long)]
    solutions: bool,
    /// Write every leak to this file as CSV: line in B, line in A, exact or
    /// disguised.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// One JSON object with the numbers.
    #[arg(long)]
    json: bool,
    /// Memory for the ids of rows, beyond which files are used.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = values::bytes)]
    memory: u64,
    /// How many threads work; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Leaks that are sorted before they are written; more go as they come.
const SORTED: usize = 1 << 20;

pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let pool = super::pool(args.threads)?;
    let (mut exact, mut disguised) = (0u64, 0u64);
    let Some(first) = pool.install(|| ids(&args.first, args, context))? else {
        return Ok(super::stopped(
            planoku_engine::Stop::Cancelled,
            "nothing is told",
        ));
    };
    let Some(second) = pool.install(|| ids(&args.second, args, context))? else {
        return Ok(super::stopped(
            planoku_engine::Stop::Cancelled,
            "nothing is told",
        ));
    };
    let mut list = args
        .output
        .as_deref()
        .map(|path| Output::to(Some(path)))
        .transpose()?;
    if let Some(out) = &mut list {
        out.write("line_b,line_a,kind\n")?;
    }
    let mut kept: Vec<Leak> = Vec::new();
    let mut failed = Ok(());
    let told = first.leaks(&second, |leak| {
        match leak.exact {
            true => exact += 1,
            false => disguised += 1,
        }
        if kept.len() < SORTED {
            kept.push(leak);
        } else if let Some(out) = &mut list
            && failed.is_ok()
        {
            failed = out.write(&line(&leak));
        }
    });
    told.map_err(Failure::bad_input)?;
    failed?;
    kept.sort_unstable();
    if let Some(out) = &mut list {
        kept.iter().try_for_each(|leak| out.write(&line(leak)))?;
        out.flush()?;
    }
    let mut out = Output::stdout();
    out.write(&match args.json {
        true => format!(
            "{}\n",
            serde_json::json!({
                "rows_a": first.len(), "rows_b": second.len(),
                "without_id_a": first.without, "without_id_b": second.without,
                "exact": exact, "disguised": disguised,
            })
        ),
        false => words(&first, &second, exact, disguised, &kept),
    })?;
    out.flush()?;
    Ok(match exact + disguised {
        0 => Exit::Done,
        _ => Exit::No,
    })
}

fn words(first: &Ids, second: &Ids, exact: u64, disguised: u64, kept: &[Leak]) -> String {
    let mut text = format!(
        "A  {}\nB  {}\n",
        crate::output::counted(first.len() as usize, "row"),
        crate::output::counted(second.len() as usize, "row")
    );
    let without = first.without + second.without;
    if without > 0 {
        text += &format!(
            "{} left out: no puzzle\n",
            crate::output::counted(without as usize, "row")
        );
    }
    let share = 100.0 * (exact + disguised) as f64 / second.len().max(1) as f64;
    text += &format!(
        "rows of B that are in A  {} ({share:.2} %): {exact} as they stand, {disguised} in disguise\n",
        exact + disguised
    );
    for leak in kept.iter().take(10) {
        let kind = if leak.exact { "is" } else { "is a disguise of" };
        text += &format!("  B line {} {kind} A line {}\n", leak.second, leak.first);
    }
    if kept.len() > 10 {
        text += "  …\n";
    }
    text
}

fn line(leak: &Leak) -> String {
    let kind = if leak.exact { "exact" } else { "disguised" };
    format!("{},{},{kind}\n", leak.second, leak.first)
}

/// The ids of a file, or of all files of a folder; `None` if Ctrl-C came first.
fn ids(path: &Path, args: &Args, context: &Context) -> Result<Option<Ids>, Failure> {
    let by = match args.solutions {
        true => By::Solution,
        false => By::Puzzle,
    };
    let mut ids = Ids::new(by, args.memory as usize / 2);
    let bar = super::bar(0);
    for path in files_of(path)? {
        let mut puzzles = Puzzles::new(input::open_rows(&path, true)?);
        let mut cells = Vec::new();
        loop {
            if context.cancel.is_cancelled() {
                bar.finish_and_clear();
                return Ok(None);
            }
            let mut rows: Vec<(u64, Grid)> = Vec::new();
            while rows.len() < 1 << 15 {
                cells.clear();
                let line = puzzles.take_plain(1 << 12, &mut cells) as u64;
                let boards = cells.iter().filter_map(native::from_cells);
                rows.extend(boards.zip(line..).map(|(board, line)| (line, board)));
                if !cells.is_empty() {
                    continue;
                }
                match puzzles.next() {
                    None => break,
                    Some(Ok(puzzle)) => rows.push((puzzle.line as u64, puzzle.grid)),
                    Some(Err(_)) => ids.without += 1,
                }
            }
            if rows.is_empty() {
                break;
            }
            ids.add(&rows).map_err(Failure::bad_input)?;
            bar.set_message(format!("{}: {} rows", path.display(), ids.len()));
        }
    }
    bar.finish_and_clear();
    Ok(Some(ids))
}

/// A file, or the files of a data set that hold its rows.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let manifest = match Manifest::read(path) {
        Ok(manifest) => manifest,
        // A split of a data set, or any folder of files.
        Err(_) => return files_in(path),
    };
    let mut stems: Vec<String> = Vec::new();
    let mut list = Vec::new();
    for file in &manifest.files {
        let stem = file
            .path
            .rsplit_once('.')
            .map_or(&*file.path, |(stem, _)| stem);
        let other = file.path.starts_with("npy/") || file.path.starts_with("traces/");
        if !other && !stems.iter().any(|known| known == stem) {
            stems.push(stem.to_string());
            list.push(path.join(&file.path));
        }
    }
    Ok(list)
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot = |error| Failure::bad_input(format!("cannot read `{}`: {error}", folder.display()));
    let mut list = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.is_file() {
            list.push(path);
        }
    }
    list.sort();
    match list.is_empty() {
        true => Err(Failure::bad_input(format!(
            "expected files of puzzles in `{}`, found none",
            folder.display()
        ))),
        false => Ok(list),
    }
}
