//! A table as the bytes of a shard, whatever the format.

use crate::npy;
use crate::table::Table;
use crate::write::{Format, csv, jsonl};

/// The rows in a format of tables.
pub fn to_bytes(table: &Table, format: Format) -> Result<Vec<u8>, String> {
    match format {
        Format::Csv => Ok(csv(table, true)),
        Format::Jsonl => Ok(jsonl(table)),
        Format::Npy => Ok(npy::part(table)),
        #[cfg(feature = "parquet")]
        Format::Parquet => crate::parquet::to_bytes(table),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(crate::write::NO_PARQUET.to_string()),
    }
}
