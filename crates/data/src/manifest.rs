//! What a data set says of itself: `manifest.json`.
//!
//! It holds nothing that changes from run to run, no time and no machine, so
//! that the same recipe gives the same manifest. Checksums are SHA-256, so that
//! `sha256sum` agrees.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::write::FileError;

/// The name of the file.
pub const MANIFEST: &str = "manifest.json";

/// What a data set says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of this layout.
    pub format: u32,
    /// The version of the program.
    pub planoku: String,
    /// What everything random follows from.
    pub seed: u64,
    /// The recipe, as it was written.
    pub recipe: String,
    /// Its checksum.
    pub recipe_sha256: String,
    /// Puzzles, disguises not counted.
    pub puzzles: u64,
    /// Puzzles that were left out because they are disguises of others.
    #[serde(default)]
    pub dropped: u64,
    /// Rows, disguises counted.
    pub rows: u64,
    /// Rows of traces.
    pub trace_rows: u64,
    /// Rows and puzzles of each split.
    pub splits: BTreeMap<String, Count>,
    /// Rows and puzzles of each bucket.
    pub buckets: BTreeMap<String, Count>,
    /// What every column means.
    pub columns: BTreeMap<String, String>,
    /// What every column of the traces means.
    pub trace_columns: BTreeMap<String, String>,
    /// How the puzzles were drawn, and what that favours.
    pub sampling: String,
    /// Every file, with its checksum.
    pub files: Vec<Shard>,
}

/// How many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Disguises counted.
    pub rows: u64,
    /// Not counted.
    pub puzzles: u64,
}

impl Count {
    /// Adds another.
    pub fn add(&mut self, other: Count) {
        self.rows += other.rows;
        self.puzzles += other.puzzles;
    }
}

/// A file of the data set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From the folder of the data set, with `/`.
    pub path: String,
    /// How many rows it holds.
    pub rows: u64,
    /// How long it is.
    pub bytes: u64,
    /// Its checksum.
    pub sha256: String,
}

/// What is known of a block that is finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Counted from 0.
    pub block: u64,
    /// Of the bucket of this name.
    pub bucket: String,
    /// Numbers of puzzles that repeat an earlier one and were left out.
    #[serde(default)]
    pub dropped: Vec<u64>,
    /// Rows and puzzles of each split.
    pub splits: BTreeMap<String, Count>,
    /// Rows of traces.
    pub trace_rows: u64,
    /// Its files.
    pub files: Vec<Shard>,
}

/// How puzzles are drawn.
pub const SAMPLING: &str = "Full grids are drawn at random (not uniformly from all classes) and dug \
     clue by clue as long as one solution remains; puzzles so found are no uniform sample of all \
     puzzles: those with very few clues are rare among them. A bucket with a rating or techniques \
     is filled by a walk that gives clues back and takes others away until the order is met, and \
     where such puzzles are rare by changing the last one found, so the puzzles of a group of \
     sixteen may share clues. Buckets have the sizes of the recipe, not those of nature.";

impl Manifest {
    /// Reads the manifest of a folder.
    pub fn read(folder: &Path) -> Result<Manifest, FileError> {
        let path = folder.join(MANIFEST);
        let text = std::fs::read_to_string(&path).map_err(|error| FileError::io(&path, error))?;
        serde_json::from_str(&text).map_err(|error| FileError::content(&path, error))
    }
}
