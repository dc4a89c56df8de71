//! Tables as files.
//!
//! A shard is made in memory and written under another name, then renamed: it is
//! there whole or not at all, whenever the process dies.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::table::Table;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TableFormat {
    /// A header and a record a line.
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// Parquet, with the feature `parquet`.
    Parquet,
    /// Arrays as HRM and TRM read them: puzzles and solutions only.
    Npy,
}

impl TableFormat {
    /// How names of shards end.
    pub fn extension(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::Jsonl => "jsonl",
            TableFormat::Parquet => "parquet",
            TableFormat::Npy => "part",
        }
    }

    /// True if this build can write it.
    pub fn is_built(self) -> bool {
        self != TableFormat::Parquet || cfg!(feature = "parquet")
    }
}

/// What is said where Parquet is asked for and was not built in.
pub const NO_PARQUET: &str =
    "this planoku was built without Parquet: build it with `--features parquet`";

/// Why rows could not be written or read.
#[derive(Debug)]
pub enum FileError {
    /// The file system says no.
    Io(String, io::Error),
    /// What stands there is not what it should be.
    Content(String, String),
}

impl FileError {
    /// About a file.
    pub fn io(path: &Path, error: io::Error) -> FileError {
        FileError::Io(path.display().to_string(), error)
    }

    /// About what a file holds.
    pub fn content(path: &Path, message: impl fmt::Display) -> FileError {
        FileError::Content(path.display().to_string(), message.to_string())
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io(name, error) => write!(f, "{name}: {error}"),
            FileError::Content(name, message) => write!(f, "{name}: {message}"),
        }
    }
}

impl std::error::Error for FileError {}

/// Writes a file so that it is there whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let write = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|error| FileError::io(path, error))
}

/// A header, if wanted, and a record a line.
pub fn csv(table: &Table, header: bool) -> Vec<u8> {
    let mut text = Vec::new();
    let mut record = |fields: &mut dyn Iterator<Item = Option<String>>| {
        for (nth, field) in fields.enumerate() {
            if nth > 0 {
                text.push(b',');
            }
            push_field(&mut text, &field.unwrap_or_default());
        }
        text.push(b'\n');
    };
    if header {
        record(&mut table.columns.iter().map(|column| Some(column.name.clone())));
    }
    for row in 0..table.rows() {
        record(&mut table.columns.iter().map(|column| column.values.text(row)));
    }
    text
}

/// Adds a field of a record, in quotes where it needs them.
pub(crate) fn push_field(text: &mut Vec<u8>, field: &str) {
    if field.contains([',', '"', '\n', '\r']) {
        text.push(b'"');
        text.extend_from_slice(field.replace('"', "\"\"").as_bytes());
        text.push(b'"');
    } else {
        text.extend_from_slice(field.as_bytes());
    }
}

/// An object a line.
pub fn jsonl(table: &Table) -> Vec<u8> {
    let mut text = Vec::new();
    for row in 0..table.rows() {
        text.extend_from_slice(b"{");
        text.extend_from_slice(members(table, row).as_bytes());
        text.extend_from_slice(b"}\n");
    }
    text
}

/// A row as the members of a JSON object, without its braces.
pub fn members(table: &Table, row: usize) -> String {
    let mut text = String::new();
    for column in &table.columns {
        if !text.is_empty() {
            text.push(',');
        }
        text += &json_string(&column.name);
        text.push(':');
        match (&column.values, column.values.text(row)) {
            (_, None) => text += "null",
            (crate::table::ColumnValues::Text(_), Some(value)) => text += &json_string(&value),
            (_, Some(value)) => text += &value,
        }
    }
    text
}

fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
