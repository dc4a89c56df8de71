//! From a recipe to a folder of shards, through any number of deaths.
//!
//! ```text
//! folder/
//!   recipe.toml             as it was given
//!   manifest.json           written last: the data set is complete
//!   train/00000.csv         rows of block 0 that belong to the split `train`
//!   traces/train/00000.csv  steps of some of them
//!   npy/train/…             the arrays of HRM and TRM
//!   .blocks/00000.json      only while it is being made: block 0 is finished
//!   .blocks/00000.ids       and these are its puzzles
//! ```
//!
//! Every file is written under another name and renamed. A block is finished
//! once its record is there, which is written after its shards; whoever starts
//! again makes what has no record, and since a block's bytes follow from recipe
//! and number, nothing is lost and nothing comes twice.
//!
//! Blocks know nothing of each other, so two of them may hold the same puzzle in
//! other clothes. That is next to impossible among puzzles that are merely dug,
//! but an order may be so narrow that few puzzles meet it. So when all blocks are
//! there, ids are compared, and a block with repetitions of an earlier puzzle is
//! made again without them; the manifest says how many were dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use planoku_engine::{Cancel, Stop};

use crate::block::{Block, blocks};
use crate::id::Id;
use crate::leaks::{By, Ids};
use crate::manifest::{Count, MANIFEST, Manifest, Record, SAMPLING, Shard};
use crate::recipe::{BadRecipe, DatasetRecipe};
use crate::sha256::{hex, sha256};
use crate::shard::to_bytes;
use crate::share::Share;
use crate::store::Entry;
use crate::write::{FileError, TableFormat, write_whole};
use crate::{npy, trace};

/// Which part of the work to do, and when to stop.
#[derive(Clone, Debug, Default)]
pub struct Making {
    /// Every `of`-th block, beginning with number `nth` (from 1), and no
    /// manifest; all blocks and the manifest if absent.
    pub shard: Option<Share>,
    /// The switch.
    pub cancel: Cancel,
}

/// How far the making has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Blocks finished, those of earlier runs counted.
    pub done: u64,
    /// Blocks to be made by this call, finished or not.
    pub blocks: u64,
    /// Puzzles made by this call so far.
    pub puzzles: u64,
}

/// How it ended.
#[derive(Clone, Debug)]
pub enum MakeReport {
    /// The data set is complete.
    Complete(Box<Manifest>),
    /// This part of the work is done; the last call, without a share, is missing.
    Part {
        /// Blocks of the part.
        blocks: u64,
        /// Blocks of all.
        of: u64,
    },
    /// It was stopped, and can be resumed.
    Stopped(Stop),
}

/// Why a data set could not be made.
#[derive(Debug)]
pub enum MakeError {
    /// The recipe is none.
    Recipe(BadRecipe),
    /// The folder holds another one.
    OtherRecipe(PathBuf),
    /// Files.
    File(FileError),
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MakeError::Recipe(bad) => bad.fmt(f),
            MakeError::OtherRecipe(folder) => write!(
                f,
                "{} was begun with another recipe: give another folder, or remove this one",
                folder.display()
            ),
            MakeError::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MakeError {}

impl From<FileError> for MakeError {
    fn from(error: FileError) -> MakeError {
        MakeError::File(error)
    }
}

/// Makes a data set, or what is missing of it, on the threads of the current
/// pool.
pub fn make(
    text: &str,
    folder: &Path,
    making: &Making,
    mut progress: impl FnMut(Progress),
) -> Result<MakeReport, MakeError> {
    let recipe = DatasetRecipe::read(text).map_err(MakeError::Recipe)?;
    claim(text, folder)?;
    if folder.join(MANIFEST).exists() {
        let manifest = Manifest::read(folder)?;
        clean(folder);
        return Ok(MakeReport::Complete(Box::new(manifest)));
    }
    let all = blocks(&recipe);
    let wanted = |block: &&Block<'_>| making.shard.is_none_or(|share| share.has(block.number));
    let mine: Vec<&Block<'_>> = all.iter().filter(wanted).collect();
    let mut puzzles = 0;
    for (nth, block) in mine.iter().enumerate() {
        if finished(folder, block).is_none() {
            if let Err(stop) = make_block(&recipe, folder, block, &[], &making.cancel)? {
                return Ok(MakeReport::Stopped(stop));
            }
            puzzles += block.puzzles;
        }
        progress(Progress {
            done: nth as u64 + 1,
            blocks: mine.len() as u64,
            puzzles,
        });
    }
    if making.shard.is_some() {
        return Ok(MakeReport::Part {
            blocks: mine.len() as u64,
            of: all.len() as u64,
        });
    }
    for (block, repeated) in repetitions(folder, &all)? {
        let without: Vec<u64> = repeated.into_iter().collect();
        forget(folder, block)?;
        if let Err(stop) = make_block(&recipe, folder, block, &without, &making.cancel)? {
            return Ok(MakeReport::Stopped(stop));
        }
    }
    let manifest = finish(&recipe, text, folder, &all)?;
    clean(folder);
    Ok(MakeReport::Complete(Box::new(manifest)))
}

/// Makes sure that the folder is for this recipe.
fn claim(text: &str, folder: &Path) -> Result<(), MakeError> {
    let path = folder.join("recipe.toml");
    match fs::read_to_string(&path) {
        Ok(found) if found == text => Ok(()),
        Ok(_) => Err(MakeError::OtherRecipe(folder.to_owned())),
        Err(_) => Ok(write_whole(&path, text.as_bytes())?),
    }
}

/// Bytes of ids kept in memory; more of them go to files.
const MEMORY: usize = 1 << 30;

/// Blocks with puzzles that are the same as an earlier one, and the numbers of
/// all that such a block is to be without.
fn repetitions<'a>(
    folder: &Path,
    all: &'a [Block<'a>],
) -> Result<Vec<(&'a Block<'a>, BTreeSet<u64>)>, MakeError> {
    let mut known = Ids::new(By::Puzzle, MEMORY);
    for block in all {
        let path = ids_path(folder, block.number);
        let fail = |error| FileError::io(&path, error);
        let bytes = fs::read(&path).map_err(fail)?;
        let entries = bytes.as_chunks::<24>().0.iter().map(|entry| Entry {
            id: Id(*entry.last_chunk().expect("16 of 24 bytes")),
            exact: 0,
            row: u64::from_le_bytes(*entry.first_chunk().expect("8 of 24 bytes")),
        });
        known.add_known(entries).map_err(fail)?;
    }
    let mut numbers = BTreeSet::new();
    let told = known.repeats(|repeat| {
        numbers.insert(repeat.second);
    });
    told.map_err(|error| FileError::io(folder, error))?;
    let mut found = Vec::new();
    for block in all {
        let mut repeated: BTreeSet<u64> = numbers.range(block.numbers()).copied().collect();
        if !repeated.is_empty() {
            // What an earlier call dropped stays away.
            repeated.extend(finished(folder, block).map_or(Vec::new(), |record| record.dropped));
            found.push((block, repeated));
        }
    }
    Ok(found)
}

/// Makes a block unfinished: the record goes first, then its files.
fn forget(folder: &Path, block: &Block<'_>) -> Result<(), FileError> {
    let files = finished(folder, block).map_or(Vec::new(), |record| record.files);
    let files = files.iter().map(|shard| folder.join(&shard.path));
    for path in std::iter::once(record_path(folder, block.number)).chain(files) {
        fs::remove_file(&path).map_err(|error| FileError::io(&path, error))?;
    }
    Ok(())
}

fn ids_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!(".blocks/{number:05}.ids"))
}

fn record_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!(".blocks/{number:05}.json"))
}

/// The record of a block that is finished and whose files are there.
fn finished(folder: &Path, block: &Block<'_>) -> Option<Record> {
    let text = fs::read_to_string(record_path(folder, block.number)).ok()?;
    let record: Record = serde_json::from_str(&text).ok()?;
    let there = |shard: &Shard| {
        let found = fs::metadata(folder.join(&shard.path));
        found.is_ok_and(|about| about.len() == shard.bytes)
    };
    let complete = record.files.iter().all(there) && ids_path(folder, block.number).exists();
    complete.then_some(record)
}

fn make_block(
    recipe: &DatasetRecipe,
    folder: &Path,
    block: &Block<'_>,
    without: &[u64],
    cancel: &Cancel,
) -> Result<Result<(), Stop>, MakeError> {
    let parts = match block.make(recipe, without, cancel) {
        Ok(parts) => parts,
        Err(stop) => return Ok(Err(stop)),
    };
    let mut record = Record {
        block: block.number,
        bucket: block.bucket_name(),
        dropped: without.to_vec(),
        splits: BTreeMap::new(),
        trace_rows: 0,
        files: Vec::new(),
    };
    for (split, part) in recipe.splits().into_iter().zip(&parts) {
        let rows = part.rows.rows() as u64;
        let puzzles = part.ids.len() as u64;
        record
            .splits
            .insert(split.to_string(), Count { rows, puzzles });
        record.trace_rows += part.trace.rows() as u64;
        for &format in &recipe.formats {
            let folders = match format {
                TableFormat::Npy => [(format!(".blocks/npy-{split}"), &part.rows)].to_vec(),
                _ => [
                    (split.to_string(), &part.rows),
                    (format!("traces/{split}"), &part.trace),
                ]
                .to_vec(),
            };
            for (place, table) in folders.into_iter().filter(|(_, table)| table.rows() > 0) {
                let path = format!("{place}/{:05}.{}", block.number, format.extension());
                let fail = |message| FileError::Content(path.clone(), message);
                let bytes = to_bytes(table, format).map_err(fail)?;
                write_whole(&folder.join(&path), &bytes)?;
                record.files.push(Shard {
                    rows: table.rows() as u64,
                    bytes: bytes.len() as u64,
                    sha256: hex(&sha256(&bytes)),
                    path,
                });
            }
        }
    }
    let ids = parts.iter().flat_map(|part| &part.ids);
    let ids: Vec<u8> = ids
        .flat_map(|(number, id)| number.to_le_bytes().into_iter().chain(id.0))
        .collect();
    write_whole(&ids_path(folder, block.number), &ids)?;
    let text = serde_json::to_string(&record).expect("names and numbers");
    write_whole(&record_path(folder, block.number), text.as_bytes())?;
    Ok(Ok(()))
}

/// Adds everything up and writes the manifest.
fn finish(
    recipe: &DatasetRecipe,
    text: &str,
    folder: &Path,
    all: &[Block<'_>],
) -> Result<Manifest, MakeError> {
    let mut manifest = Manifest {
        format: 1,
        planoku: env!("CARGO_PKG_VERSION").to_string(),
        seed: recipe.seed,
        recipe: text.to_string(),
        recipe_sha256: hex(&sha256(text.as_bytes())),
        puzzles: 0,
        dropped: 0,
        rows: 0,
        trace_rows: 0,
        splits: BTreeMap::new(),
        buckets: BTreeMap::new(),
        columns: columns(recipe),
        trace_columns: match recipe.traces.share > 0.0 {
            true => trace::MEANINGS
                .map(|(name, means)| (name.into(), means.into()))
                .into(),
            false => BTreeMap::new(),
        },
        sampling: SAMPLING.to_string(),
        files: Vec::new(),
    };
    let mut parts: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    for block in all {
        let Some(record) = finished(folder, block) else {
            let path = record_path(folder, block.number);
            return Err(FileError::content(&path, "the block has gone since it was made").into());
        };
        manifest.trace_rows += record.trace_rows;
        manifest.dropped += record.dropped.len() as u64;
        for (split, count) in &record.splits {
            manifest.puzzles += count.puzzles;
            manifest.rows += count.rows;
            manifest
                .splits
                .entry(split.clone())
                .or_default()
                .add(*count);
            manifest
                .buckets
                .entry(record.bucket.clone())
                .or_default()
                .add(*count);
        }
        for shard in record.files {
            let of = |split: &&str| shard.path.starts_with(&format!(".blocks/npy-{split}/"));
            match recipe.splits().into_iter().find(of) {
                Some(split) => parts
                    .entry(split)
                    .or_default()
                    .push(folder.join(&shard.path)),
                None => manifest.files.push(shard),
            }
        }
    }
    for (split, parts) in &parts {
        let place = folder.join("npy").join(split);
        let files = npy::assemble(parts, &place).map_err(|error| FileError::io(&place, error))?;
        for file in files {
            let rows = manifest.splits[*split].rows;
            manifest.files.push(describe_file(folder, &file, rows)?);
        }
    }
    if !parts.is_empty() {
        let path = folder.join("npy/identifiers.json");
        write_whole(&path, b"[\"<blank>\"]\n")?;
        manifest.files.push(describe_file(folder, &path, 0)?);
    }
    let text = serde_json::to_string_pretty(&manifest).expect("names and numbers");
    write_whole(&folder.join(MANIFEST), format!("{text}\n").as_bytes())?;
    Ok(manifest)
}

/// Every column with what it means.
fn columns(recipe: &DatasetRecipe) -> BTreeMap<String, String> {
    let mut columns: BTreeMap<String, String> = recipe.labels.meanings().into_iter().collect();
    columns.remove("status");
    columns.insert("id".into(), "the number of the row in the data set".into());
    let parent = "the id of the puzzle this one is a disguise of, if it is one";
    columns.insert("parent".into(), parent.into());
    columns
}

fn describe_file(folder: &Path, file: &Path, rows: u64) -> Result<Shard, FileError> {
    let bytes = fs::read(file).map_err(|error| FileError::io(file, error))?;
    let path = file.strip_prefix(folder).unwrap_or(file);
    Ok(Shard {
        path: path.to_string_lossy().replace('\\', "/"),
        rows,
        bytes: bytes.len() as u64,
        sha256: hex(&sha256(&bytes)),
    })
}

/// Removes what only the making needed: the records, and files whose writing
/// was cut short.
fn clean(folder: &Path) {
    // What stays does no harm, and there is nobody to tell.
    let _ = fs::remove_dir_all(folder.join(".blocks"));
    let mut folders = vec![folder.to_owned()];
    while let Some(place) = folders.pop() {
        for entry in fs::read_dir(place).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            match (
                name.starts_with('.') && name.ends_with(".tmp"),
                path.is_dir(),
            ) {
                (true, true) => drop(fs::remove_dir_all(path)),
                (true, false) => drop(fs::remove_file(path)),
                (false, true) => folders.push(path),
                (false, false) => {}
            }
        }
    }
}
