//! How long plans are beside the shortest known.
//!
//! The table of best known lengths is a CSV file, `instance,length,by`, kept in
//! the repository. Runs of `ipc --json` and the peers' tables are held against
//! it: their score is the sum over instances of best known length by own, as the
//! competitions count it. With `--update` shorter plans enter the table.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Hold the lengths of plans against the shortest known.
#[derive(clap::Args)]
pub struct Args {
    /// The table of best known lengths.
    table: PathBuf,
    /// Rows of `ipc --json`; the file's name is the run's.
    #[arg(long, value_name = "FILE")]
    run: Vec<PathBuf>,
    /// Tables of peers: CSV files with `instance` and a column `…plan` or `plan_length`.
    #[arg(long, value_name = "CSV")]
    peers: Vec<PathBuf>,
    /// Put shorter plans into the table.
    #[arg(long)]
    update: bool,
}

/// Lengths by instance.
type Lengths = BTreeMap<String, u64>;

pub fn run(args: &Args) -> Result<(), String> {
    let mut best = match args.table.exists() {
        true => read_table(&args.table)?,
        false => BTreeMap::new(),
    };
    let mut runs = Vec::new();
    for file in &args.run {
        runs.push((stem(file), own(file)?));
    }
    for file in &args.peers {
        runs.extend(peers(file)?);
    }
    if args.update {
        for (name, lengths) in &runs {
            for (instance, &length) in lengths {
                let known = best.get(instance).map(|(known, _)| *known);
                if known.is_none_or(|known| length < known) {
                    best.insert(instance.clone(), (length, name.clone()));
                }
            }
        }
        let mut text = String::from("instance,length,by\n");
        for (instance, (length, by)) in &best {
            let _ = writeln!(text, "{instance},{length},{by}");
        }
        std::fs::write(&args.table, text).map_err(|error| said(&args.table, error))?;
    }
    for (name, lengths) in &runs {
        println!("{}", scored(name, lengths, &best));
    }
    Ok(())
}

/// The score of a run, on all instances and on those it solved, and the plans
/// that are longest beside the shortest known.
fn scored(name: &str, lengths: &Lengths, best: &BTreeMap<String, (u64, String)>) -> String {
    // A plan without steps is as short as can be.
    let ratio = |best: u64, own: u64| match own {
        0 => 1.0,
        own => best as f64 / own as f64,
    };
    let mut ratios: Vec<(f64, &str, u64, u64)> = best
        .iter()
        .filter_map(|(instance, &(best, _))| {
            let own = *lengths.get(instance)?;
            Some((ratio(best, own), instance.as_str(), best, own))
        })
        .collect();
    let score: f64 = ratios.iter().map(|it| it.0).sum();
    let mut text = format!(
        "{name}: {score:.2} of {} (best known); {:.4} in the mean of {} that it solved",
        best.len(),
        score / ratios.len().max(1) as f64,
        ratios.len()
    );
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (ratio, instance, best, own) in ratios.iter().take(8).filter(|it| it.0 < 1.0) {
        let _ = write!(text, "\n  {ratio:.2} {instance}: {own} steps, {best} known");
    }
    text
}

fn read_table(file: &Path) -> Result<BTreeMap<String, (u64, String)>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| said(file, error))?;
    let mut table = BTreeMap::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let parts: Vec<&str> = line.split(',').collect();
        let [instance, length, by] = parts[..] else {
            return Err(said(
                file,
                format!("line {}: not three columns", number + 1),
            ));
        };
        let length = length
            .parse()
            .map_err(|error| said(file, format!("line {}: {error}", number + 1)))?;
        table.insert(instance.to_owned(), (length, by.to_owned()));
    }
    Ok(table)
}

/// The verified plans of an earlier run.
fn own(file: &Path) -> Result<Lengths, String> {
    let rows = super::earlier(file)?;
    let verified = rows
        .iter()
        .filter(|row| row["verified"] == Value::Bool(true));
    let lengths = verified.filter_map(|row| {
        let instance = row["instance"].as_str()?.to_owned();
        Some((instance, row["plan_length"].as_u64()?))
    });
    Ok(lengths.collect())
}

/// The planners of a table, one for each column that holds lengths.
fn peers(file: &Path) -> Result<Vec<(String, Lengths)>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| said(file, error))?;
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let lines: Vec<Vec<&str>> = lines.collect();
    let at = |wanted: &str| header.iter().position(|it| *it == wanted);
    let instance = at("instance").ok_or_else(|| said(file, "no column `instance`"))?;
    let mut found = Vec::new();
    for (column, title) in header.iter().enumerate() {
        let name = match title.strip_suffix("_plan") {
            Some(name) => name.to_owned(),
            None if *title == "plan_length" => super::report::last_word(file),
            None => continue,
        };
        let lengths = lines.iter().filter_map(|line| {
            let length = line.get(column)?.parse().ok()?;
            Some(((*line.get(instance)?).to_owned(), length))
        });
        found.push((name, lengths.collect()));
    }
    Ok(found)
}

fn stem(file: &Path) -> String {
    file.file_stem()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn said(file: &Path, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", file.display())
}
