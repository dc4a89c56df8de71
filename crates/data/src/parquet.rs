//! Parquet files: tables written, read back, and read as if they were CSV.
//!
//! Everything that reads puzzles reads text, so a Parquet file becomes text on
//! the way: a header and a record for each row. What a column holds must have a
//! text; lists and structures have none, and are refused by name.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, RecordBatch, RecordBatchReader, StringArray};
use arrow_schema::Schema;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::arrow::{batch, puzzle_column, shown_column};
use crate::table::{ColumnValues, Table};
use crate::write::{FileError, push_field};

/// Rows read at a time.
const ROWS: usize = 1 << 13;

/// A table as a whole file.
pub fn to_bytes(table: &Table) -> Result<Vec<u8>, String> {
    let batch = batch(table)?;
    let mut writer = ParquetWriter::new(Vec::new(), &batch.schema())?;
    writer.write(&batch)?;
    writer.finish()
}

/// Writes batches to a file.
pub struct ParquetWriter<W: io::Write + Send>(ArrowWriter<W>);

impl<W: io::Write + Send> ParquetWriter<W> {
    /// Of batches like this.
    pub fn new(to: W, schema: &Arc<Schema>) -> Result<ParquetWriter<W>, String> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("planoku ", env!("CARGO_PKG_VERSION")).to_string())
            .build();
        ArrowWriter::try_new(to, Arc::clone(schema), Some(properties))
            .map(ParquetWriter)
            .map_err(|error| error.to_string())
    }

    /// Adds rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), String> {
        self.0.write(batch).map_err(|error| error.to_string())
    }

    /// Writes the end, and gives back what was written to.
    pub fn finish(self) -> Result<W, String> {
        self.0.into_inner().map_err(|error| error.to_string())
    }
}

/// The batches of a file; if asked for, only the column that holds puzzles.
pub fn batches(file: File, only_puzzles: bool) -> Result<ParquetRecordBatchReader, String> {
    let words = |error: parquet::errors::ParquetError| error.to_string();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(words)?;
    let place = puzzle_column(builder.schema())?;
    let builder = match only_puzzles {
        true => {
            let mask = ProjectionMask::roots(builder.parquet_schema(), [place]);
            builder.with_projection(mask)
        }
        false => builder,
    };
    builder.with_batch_size(ROWS).build().map_err(words)
}

/// The whole file as a table of text.
pub fn read_table(path: &Path) -> Result<Table, FileError> {
    let file = File::open(path).map_err(|error| FileError::io(path, error))?;
    let fail = |message: String| FileError::content(path, message);
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| fail(error.to_string()))?;
    let mut table = Table::default();
    for field in builder.schema().fields() {
        table.push(field.name(), ColumnValues::Text(Vec::new()));
    }
    let reader = builder.with_batch_size(ROWS).build();
    for batch in reader.map_err(|error| fail(error.to_string()))? {
        let batch = batch.map_err(|error| fail(error.to_string()))?;
        for (column, array) in table.columns.iter_mut().zip(batch.columns()) {
            let text = shown_column(&column.name, array).map_err(fail)?;
            if let ColumnValues::Text(values) = &mut column.values {
                values.extend(text.iter().map(|value| value.map(str::to_string)));
            }
        }
    }
    Ok(table)
}

/// A Parquet file as a CSV text.
pub struct Text {
    reader: ParquetRecordBatchReader,
    names: Vec<String>,
    ready: Vec<u8>,
    at: usize,
}

impl Text {
    /// Of all columns, or of the one that holds puzzles.
    pub fn new(file: File, only_puzzles: bool) -> Result<Text, String> {
        let reader = batches(file, only_puzzles)?;
        let schema = reader.schema();
        let names: Vec<String> = schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect();
        let mut ready = Vec::new();
        record(&mut ready, names.iter().map(|name| Some(name.as_str())));
        Ok(Text {
            reader,
            names,
            ready,
            at: 0,
        })
    }

    fn more(&mut self) -> Result<bool, String> {
        let Some(batch) = self.reader.next() else {
            return Ok(false);
        };
        let batch = batch.map_err(|error| error.to_string())?;
        let columns: Result<Vec<StringArray>, String> = self
            .names
            .iter()
            .zip(batch.columns())
            .map(|(name, array)| shown_column(name, array))
            .collect();
        let columns = columns?;
        self.ready.clear();
        self.at = 0;
        for row in 0..batch.num_rows() {
            let field = |column: &'_ StringArray| {
                column.is_valid(row).then(|| column.value(row).to_string())
            };
            let fields: Vec<Option<String>> = columns.iter().map(field).collect();
            record(&mut self.ready, fields.iter().map(Option::as_deref));
        }
        Ok(true)
    }
}

fn record<'a>(text: &mut Vec<u8>, fields: impl Iterator<Item = Option<&'a str>>) {
    for (nth, field) in fields.enumerate() {
        if nth > 0 {
            text.push(b',');
        }
        push_field(text, field.unwrap_or_default());
    }
    text.push(b'\n');
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.ready.len() {
            match self.more() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(message) => return Err(io::Error::new(io::ErrorKind::InvalidData, message)),
            }
        }
        let take = buffer.len().min(self.ready.len() - self.at);
        buffer[..take].copy_from_slice(&self.ready[self.at..self.at + take]);
        self.at += take;
        Ok(take)
    }
}
