//! Shards read back, all values as text.

use std::fs;
use std::path::Path;

use planoku_sudoku::text::fields;

use crate::table::{ColumnValues, Table};
use crate::write::FileError;

/// The rows of a shard, by the ending of its name.
pub fn read_table(path: &Path) -> Result<Table, FileError> {
    let name = path.to_string_lossy();
    if name.ends_with(".parquet") {
        #[cfg(feature = "parquet")]
        return crate::parquet::read_table(path);
        #[cfg(not(feature = "parquet"))]
        return Err(FileError::content(path, crate::write::NO_PARQUET));
    }
    let text = fs::read_to_string(path).map_err(|error| FileError::io(path, error))?;
    match name.ends_with(".jsonl") {
        true => jsonl(&text),
        false => csv(&text),
    }
    .map_err(|message| FileError::content(path, message))
}

fn csv(text: &str) -> Result<Table, String> {
    let mut lines = text.lines();
    let names = fields(lines.next().unwrap_or_default(), ',');
    let mut columns: Vec<Vec<Option<String>>> = vec![Vec::new(); names.len()];
    for (nth, line) in lines.enumerate() {
        let record = fields(line, ',');
        if record.len() != names.len() {
            return Err(format!(
                "line {}: expected {} fields, found {}",
                nth + 2,
                names.len(),
                record.len()
            ));
        }
        for (column, field) in columns.iter_mut().zip(record) {
            column.push((!field.is_empty()).then_some(field));
        }
    }
    Ok(table(names, columns))
}

fn jsonl(text: &str) -> Result<Table, String> {
    let mut names: Vec<String> = Vec::new();
    let mut columns: Vec<Vec<Option<String>>> = Vec::new();
    for (nth, line) in text.lines().enumerate() {
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", nth + 1))?;
        if names.is_empty() {
            // In the order of the line, which the map does not keep.
            let members = planoku_sudoku::text::members(line).unwrap_or_default();
            names = members.into_iter().map(|(name, _)| name).collect();
            columns = vec![Vec::new(); names.len()];
        }
        for (name, column) in names.iter().zip(&mut columns) {
            column.push(match object.get(name) {
                None | Some(serde_json::Value::Null) => None,
                Some(serde_json::Value::String(text)) => Some(text.clone()),
                Some(other) => Some(other.to_string()),
            });
        }
    }
    Ok(table(names, columns))
}

fn table(names: Vec<String>, columns: Vec<Vec<Option<String>>>) -> Table {
    let mut table = Table::default();
    for (name, column) in names.into_iter().zip(columns) {
        table.push(name, ColumnValues::Text(column));
    }
    table
}
