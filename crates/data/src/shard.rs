//! A table as the bytes of a shard, whatever the format.

use crate::npy;
use crate::table::Table;
use crate::write::{TableFormat, csv, jsonl};

/// The rows in a format of tables.
pub fn to_bytes(table: &Table, format: TableFormat) -> Result<Vec<u8>, String> {
    match format {
        TableFormat::Csv => Ok(csv(table, true)),
        TableFormat::Jsonl => Ok(jsonl(table)),
        TableFormat::Npy => Ok(npy::part(table)),
        #[cfg(feature = "parquet")]
        TableFormat::Parquet => crate::parquet::to_bytes(table),
        #[cfg(not(feature = "parquet"))]
        TableFormat::Parquet => Err(crate::write::NO_PARQUET.to_string()),
    }
}
