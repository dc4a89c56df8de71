//! A data set judged: every row verified again, every checksum, every
//! duplicate up to symmetry.
//!
//! Nothing the manifest or a row says is believed. Labels are computed again
//! from the puzzle and compared word by word; steps are judged by the solution
//! ([`crate::trace::check_row`]); puzzles that are no disguise by declaration
//! must not be one by nature.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use planoku_engine::{Cancel, Stop};
use planoku_sudoku::{Grid, verify_cells};
use rayon::prelude::*;

use crate::label::{self, Label, Status, with_labeller};
use crate::leaks::{By, Ids, Repeats, exact_hash};
use crate::manifest::{Manifest, Shard};
use crate::read::read_table;
use crate::recipe::DatasetRecipe;
use crate::sha256::{hex, sha256};
use crate::store::Entry;
use crate::table::Table;
use crate::trace;
use crate::write::FileError;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// Files looked at.
    pub files: u64,
    /// Rows verified.
    pub rows: u64,
    /// Rows of traces verified.
    pub trace_rows: u64,
    /// What is wrong, in words; only the first hundred.
    pub problems: Vec<String>,
    /// How much is wrong.
    pub wrong: u64,
    /// Puzzles that repeat others without saying so.
    pub repeats: Repeats,
    /// Canonical solutions that occur in more than one split.
    pub leaks: u64,
}

impl CheckReport {
    fn problem(&mut self, place: &str, message: impl std::fmt::Display) {
        self.wrong += 1;
        if self.problems.len() < 100 {
            self.problems.push(format!("{place}: {message}"));
        }
    }

    /// True if nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.wrong == 0
    }
}

/// How a check ended.
pub type CheckEnd = Result<Result<CheckReport, Stop>, FileError>;

/// Checks a whole data set on the threads of the current pool; `progress` hears
/// how many of how many files are done.
pub fn check(
    folder: &Path,
    memory: usize,
    cancel: &Cancel,
    mut progress: impl FnMut(u64, u64),
) -> CheckEnd {
    let manifest = Manifest::read(folder)?;
    let path = folder.join(crate::manifest::MANIFEST);
    let recipe =
        DatasetRecipe::read(&manifest.recipe).map_err(|bad| FileError::content(&path, bad))?;
    let mut check = Check {
        found: CheckReport::default(),
        splits: recipe
            .splits()
            .iter()
            .map(|_| Ids::new(By::Solution, memory / 4))
            .collect(),
        puzzles: Ids::new(By::Puzzle, memory / 2),
        counted: 0,
        recipe: &recipe,
        folder,
        cancel,
    };
    if hex(&sha256(manifest.recipe.as_bytes())) != manifest.recipe_sha256 {
        check
            .found
            .problem("manifest.json", "the checksum of the recipe is wrong");
    }
    let files = manifest.files.len() as u64;
    for (nth, shard) in manifest.files.iter().enumerate() {
        progress(nth as u64, files);
        if let Err(stop) = check.shard(shard, &manifest)? {
            return Ok(Err(stop));
        }
    }
    check.finish(&manifest).map(Ok)
}

struct Check<'a> {
    recipe: &'a DatasetRecipe,
    folder: &'a Path,
    cancel: &'a Cancel,
    found: CheckReport,
    /// The solutions of each split.
    splits: Vec<Ids>,
    /// Puzzles that say they are no disguise.
    puzzles: Ids,
    /// Rows of the first format.
    counted: u64,
}

impl Check<'_> {
    fn shard(&mut self, shard: &Shard, manifest: &Manifest) -> Result<Result<(), Stop>, FileError> {
        self.found.files += 1;
        let path = self.folder.join(&shard.path);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.found.problem(&shard.path, error);
                return Ok(Ok(()));
            }
        };
        if bytes.len() as u64 != shard.bytes || hex(&sha256(&bytes)) != shard.sha256 {
            self.found
                .problem(&shard.path, "the checksum is not that of the manifest");
        }
        let split = shard.path.split('/').next().unwrap_or_default();
        if split == "npy" {
            self.arrays(shard, &bytes);
            return Ok(Ok(()));
        }
        drop(bytes);
        if split == "traces" {
            return self.traces(shard, &path);
        }
        let Some(split) = self.recipe.splits().iter().position(|name| *name == split) else {
            self.found
                .problem(&shard.path, "no split of the recipe has this name");
            return Ok(Ok(()));
        };
        let table = match read_table(&path) {
            Ok(table) => table,
            Err(error) => {
                self.found.problem(&shard.path, error);
                return Ok(Ok(()));
            }
        };
        if table.rows() as u64 != shard.rows {
            let message = format!("{} rows, the manifest says {}", table.rows(), shard.rows);
            self.found.problem(&shard.path, message);
        }
        // The same rows in another format are compared with the first.
        let first = manifest.files.iter().find(|other| {
            let stem = |path: &str| path.rsplit_once('.').map(|(stem, _)| stem.to_string());
            stem(&other.path) == stem(&shard.path)
        });
        match first.filter(|first| first.path != shard.path) {
            Some(first) => {
                let other = read_table(&self.folder.join(&first.path))?;
                if other != table {
                    let message = format!("the rows are not those of {}", first.path);
                    self.found.problem(&shard.path, message);
                }
                Ok(Ok(()))
            }
            None => self.rows(shard, &table, split),
        }
    }

    fn rows(
        &mut self,
        shard: &Shard,
        table: &Table,
        split: usize,
    ) -> Result<Result<(), Stop>, FileError> {
        let labels: Result<Vec<Result<Label, String>>, Stop> = (0..table.rows())
            .into_par_iter()
            .map(|row| {
                let text = table.text("puzzle", row).unwrap_or_default();
                match text.parse::<Grid>() {
                    Err(error) => Ok(Err(format!("puzzle: {error}"))),
                    Ok(puzzle) => with_labeller(&self.recipe.labels, |labeller| {
                        labeller.label(&puzzle, self.cancel).map(Ok)
                    }),
                }
            })
            .collect();
        let labels = match labels {
            Ok(labels) => labels,
            Err(stop) => return Ok(Err(stop)),
        };
        let mut parents: HashMap<String, String> = HashMap::new();
        for (row, label) in labels.into_iter().enumerate() {
            self.counted += 1;
            self.found.rows += 1;
            let id = table.text("id", row).unwrap_or_default();
            let place = format!("{}: id {id}", shard.path);
            let label = match label {
                Ok(label) if label.status == Status::Unique => label,
                Ok(label) => {
                    self.found
                        .problem(&place, format!("the puzzle is {}", label.status.name()));
                    continue;
                }
                Err(message) => {
                    self.found.problem(&place, message);
                    continue;
                }
            };
            let (Some(puzzle_id), Some(solution_id)) = (label.puzzle_id, label.solution_id) else {
                continue;
            };
            let again = label::columns(std::slice::from_ref(&label), &self.recipe.labels);
            for column in again
                .columns
                .iter()
                .filter(|column| column.name != "status")
            {
                let (said, is) = (table.text(&column.name, row), column.values.text(0));
                if said != is {
                    let show = |value: Option<String>| value.unwrap_or("nothing".to_string());
                    let message = format!(
                        "{} is {}, the row says {}",
                        column.name,
                        show(is),
                        show(said)
                    );
                    self.found.problem(&place, message);
                }
            }
            if self.recipe.split_of(solution_id.fraction()) != split {
                self.found
                    .problem(&place, "the solution belongs to another split");
            }
            let text = table.text("puzzle", row).unwrap_or_default();
            let entry = |id| Entry {
                id,
                exact: exact_hash(&text),
                row: id_number(&id_text(table, row)),
            };
            let note = |error| FileError::io(self.folder, error);
            self.splits[split]
                .add_known([entry(solution_id)])
                .map_err(note)?;
            match table.text("parent", row) {
                None => {
                    self.puzzles.add_known([entry(puzzle_id)]).map_err(note)?;
                    parents.insert(id, puzzle_id.to_string());
                }
                Some(parent) if parents.get(&parent) != Some(&puzzle_id.to_string()) => {
                    self.found
                        .problem(&place, format!("no disguise of its parent {parent}"));
                }
                Some(_) => {}
            }
        }
        Ok(Ok(()))
    }

    fn traces(&mut self, shard: &Shard, path: &Path) -> Result<Result<(), Stop>, FileError> {
        let table = read_table(path)?;
        let rows = read_table(&self.folder.join(shard.path.trim_start_matches("traces/")))?;
        let boards: HashMap<String, (Option<Grid>, Option<Grid>)> = (0..rows.rows())
            .map(|row| {
                let board = |name: &str| rows.text(name, row)?.parse().ok();
                (id_text(&rows, row), (board("puzzle"), board("solution")))
            })
            .collect();
        if table.rows() as u64 != shard.rows {
            let message = format!("{} rows, the manifest says {}", table.rows(), shard.rows);
            self.found.problem(&shard.path, message);
        }
        let problems: Vec<(String, String)> = (0..table.rows())
            .into_par_iter()
            .filter_map(|row| {
                let id = id_text(&table, row);
                let judged = match boards.get(&id) {
                    Some((Some(puzzle), Some(solution))) => {
                        trace::check_row(&table, row, puzzle, solution)
                    }
                    _ => Err("no puzzle of this shard has the id".to_string()),
                };
                let step = table.text("step", row).unwrap_or_default();
                judged
                    .err()
                    .map(|why| (format!("{}: id {id}, step {step}", shard.path), why))
            })
            .collect();
        for (place, message) in problems {
            self.found.problem(&place, message);
        }
        self.found.trace_rows += table.rows() as u64;
        Ok(match self.cancel.is_cancelled() {
            true => Err(Stop::Cancelled),
            false => Ok(()),
        })
    }

    /// Arrays: solutions that solve the puzzle of the same row.
    fn arrays(&mut self, shard: &Shard, inputs: &[u8]) {
        let Some(stem) = shard.path.strip_suffix("inputs.npy") else {
            return;
        };
        let labels = fs::read(self.folder.join(format!("{stem}labels.npy"))).unwrap_or_default();
        let values = |bytes: &[u8]| -> Vec<[u8; 81]> {
            let start = bytes.first_chunk::<10>().map_or(0, |head| {
                10 + usize::from(u16::from_le_bytes([head[8], head[9]]))
            });
            let cells = bytes.get(start..).unwrap_or_default();
            let rows = cells.as_chunks::<81>().0.iter();
            rows.map(|row| row.map(|value| value.saturating_sub(1)))
                .collect()
        };
        let (puzzles, solutions) = (values(inputs), values(&labels));
        if puzzles.len() as u64 != shard.rows || puzzles.len() != solutions.len() {
            self.found
                .problem(&shard.path, "puzzles and solutions differ in number");
        }
        for (row, (puzzle, solution)) in puzzles.iter().zip(&solutions).enumerate() {
            if !verify_cells(puzzle, solution) {
                self.found
                    .problem(&shard.path, format!("row {row}: the solution is wrong"));
            }
        }
    }

    fn finish(mut self, manifest: &Manifest) -> Result<CheckReport, FileError> {
        let note = |error| FileError::io(self.folder, error);
        let tables = manifest
            .files
            .iter()
            .any(|file| !file.path.starts_with("npy/"));
        if tables && self.counted != manifest.rows {
            let message = format!("{} rows, {} were promised", self.counted, manifest.rows);
            self.found.problem("manifest.json", message);
        }
        let mut first = None;
        self.found.repeats = self
            .puzzles
            .repeats(|leak| first = Some(leak))
            .map_err(note)?;
        if let Some(leak) = first {
            let count = self.found.repeats.exact + self.found.repeats.disguised;
            let message = format!(
                "{count} repeat others, such as id {} id {}",
                leak.second, leak.first
            );
            self.found.problem("puzzles", message);
        }
        for (nth, one) in self.splits.iter().enumerate() {
            for other in &self.splits[nth + 1..] {
                one.leaks(other, |_| self.found.leaks += 1).map_err(note)?;
            }
        }
        if self.found.leaks > 0 {
            let message = format!("{} rows have a solution of another split", self.found.leaks);
            self.found.problem("splits", message);
        }
        Ok(self.found)
    }
}

fn id_text(table: &Table, row: usize) -> String {
    table.text("id", row).unwrap_or_default()
}

fn id_number(id: &str) -> u64 {
    id.parse().unwrap_or(u64::MAX)
}
