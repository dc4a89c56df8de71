//! Tables as Arrow keeps them, and columns added to batches.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt64Array,
};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema};
use planoku_engine::Cancel;
use planoku_sudoku::text::PUZZLE_COLUMNS;

use crate::columns::Work;
use crate::table::{Column, ColumnValues, Table};

/// The columns of a table as arrays.
pub fn arrays(table: &Table) -> Vec<(String, ArrayRef)> {
    let array = |column: &Column| -> ArrayRef {
        match &column.values {
            ColumnValues::Number(values) => Arc::new(UInt64Array::from(values.clone())),
            ColumnValues::Flag(values) => Arc::new(BooleanArray::from(values.clone())),
            ColumnValues::Rating(values) => {
                let values = values
                    .iter()
                    .map(|value| value.map(|rating| rating.value()));
                Arc::new(values.collect::<Float64Array>())
            }
            ColumnValues::Text(values) => Arc::new(StringArray::from(values.clone())),
        }
    };
    let columns = table.columns.iter();
    columns
        .map(|column| (column.name.clone(), array(column)))
        .collect()
}

/// A table as a batch.
pub fn batch(table: &Table) -> Result<RecordBatch, String> {
    let columns = arrays(table)
        .into_iter()
        .map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).map_err(|error| error.to_string())
}

/// The column that holds the puzzles.
pub fn puzzle_column(schema: &Schema) -> Result<usize, String> {
    let is_puzzle =
        |name: &str| PUZZLE_COLUMNS.contains(&name.trim().to_ascii_lowercase().as_str());
    let fields = schema.fields();
    fields
        .iter()
        .position(|field| is_puzzle(field.name()))
        .ok_or_else(|| {
            let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            format!(
                "expected a column `puzzle` or `question`, found {}",
                names.join(", ")
            )
        })
}

/// A column as text, as it is if it is one: there are four ways to keep texts,
/// and files whose texts are called bytes.
pub fn text_column(name: &str, array: &ArrayRef) -> Result<ArrayRef, String> {
    let wrong = || {
        let found = array.data_type();
        format!("column `{name}`: expected texts, found {found}")
    };
    let kept = match array.data_type() {
        DataType::Dictionary(_, values) => values,
        own => own,
    };
    match kept {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View if kept == array.data_type() => {
            Ok(Arc::clone(array))
        }
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::Null => cast(array, &DataType::LargeUtf8).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}

/// The values of what [`text_column`] gave, where they lie.
pub fn texts(column: &ArrayRef) -> Vec<Option<&str>> {
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().iter().collect(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().collect(),
        _ => column.as_string_view().iter().collect(),
    }
}

/// Any column whose values have a text.
pub fn shown_column(name: &str, array: &ArrayRef) -> Result<StringArray, String> {
    let text = cast(array, &DataType::Utf8).map_err(|_| {
        let found = array.data_type();
        format!("column `{name}`: expected values that have a text, found {found}")
    })?;
    Ok(text.as_string::<i32>().clone())
}

/// The batch with the columns of some work behind its own; a name that is taken
/// gets `planoku_` before it. `Ok(None)` if the switch was pressed.
pub fn append(
    batch: &RecordBatch,
    column: Option<&str>,
    work: &Work,
    cancel: &Cancel,
) -> Result<Option<RecordBatch>, String> {
    let schema = batch.schema();
    let place = match column {
        Some(name) => schema.index_of(name).map_err(|error| error.to_string())?,
        None => puzzle_column(&schema)?,
    };
    let puzzles = text_column(schema.field(place).name(), batch.column(place))?;
    let puzzles = texts(&puzzles);
    let Ok(table) = work.on(&puzzles, cancel) else {
        return Ok(None);
    };
    let mut fields: Vec<Arc<Field>> = schema.fields().iter().cloned().collect();
    let mut columns = batch.columns().to_vec();
    for (name, array) in arrays(&table) {
        let name = match schema.column_with_name(&name) {
            Some(_) => format!("planoku_{name}"),
            None => name,
        };
        fields.push(Arc::new(Field::new(name, array.data_type().clone(), true)));
        columns.push(array);
    }
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    RecordBatch::try_new(Arc::new(schema), columns)
        .map(Some)
        .map_err(|error| error.to_string())
}
