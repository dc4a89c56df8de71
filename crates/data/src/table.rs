//! Rows by column, as shards hold them.
//!
//! Labels, traces and what `label` adds to other people's files are all tables:
//! named columns of one type each, any value possibly missing. Writers and
//! readers know nothing else.

use planoku_human::Rating;

/// Named columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns, in the order they are written.
    pub columns: Vec<Column>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What it is called.
    pub name: String,
    /// What it holds.
    pub values: ColumnValues,
}

/// The values of a column; `None` is written as nothing, or `null`.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// Whole numbers.
    Number(Vec<Option<u64>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
    /// Points on the scale of ratings, with one decimal.
    Rating(Vec<Option<Rating>>),
    /// Text.
    Text(Vec<Option<String>>),
}

impl ColumnValues {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            ColumnValues::Number(values) => values.len(),
            ColumnValues::Flag(values) => values.len(),
            ColumnValues::Rating(values) => values.len(),
            ColumnValues::Text(values) => values.len(),
        }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A value as it is written in a text file; `None` if it is missing.
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            ColumnValues::Number(values) => values[row].map(|value| value.to_string()),
            ColumnValues::Flag(values) => values[row].map(|value| value.to_string()),
            ColumnValues::Rating(values) => values[row].map(|value| value.to_string()),
            ColumnValues::Text(values) => values[row].clone(),
        }
    }

    /// No values of the same kind.
    fn none(&self) -> ColumnValues {
        match self {
            ColumnValues::Number(_) => ColumnValues::Number(Vec::new()),
            ColumnValues::Flag(_) => ColumnValues::Flag(Vec::new()),
            ColumnValues::Rating(_) => ColumnValues::Rating(Vec::new()),
            ColumnValues::Text(_) => ColumnValues::Text(Vec::new()),
        }
    }

    /// Adds a value of another list of the same kind.
    fn push_from(&mut self, other: &ColumnValues, row: usize) {
        match (self, other) {
            (ColumnValues::Number(to), ColumnValues::Number(from)) => to.push(from[row]),
            (ColumnValues::Flag(to), ColumnValues::Flag(from)) => to.push(from[row]),
            (ColumnValues::Rating(to), ColumnValues::Rating(from)) => to.push(from[row]),
            (ColumnValues::Text(to), ColumnValues::Text(from)) => to.push(from[row].clone()),
            _ => unreachable!("columns of one name have one type"),
        }
    }
}

impl Table {
    /// Adds a column.
    pub fn push(&mut self, name: impl Into<String>, values: ColumnValues) {
        let name = name.into();
        self.columns.push(Column { name, values });
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&ColumnValues> {
        let column = self.columns.iter().find(|column| column.name == name)?;
        Some(&column.values)
    }

    /// A value as text, if there are such a column and a value.
    pub fn text(&self, name: &str, row: usize) -> Option<String> {
        self.column(name)?.text(row)
    }

    /// The rows of these numbers, in that order.
    pub fn select(&self, rows: &[usize]) -> Table {
        let columns = self.columns.iter().map(|column| {
            let mut values = column.values.none();
            rows.iter()
                .for_each(|row| values.push_from(&column.values, *row));
            Column {
                name: column.name.clone(),
                values,
            }
        });
        Table {
            columns: columns.collect(),
        }
    }

    /// Adds the rows of a table with the same columns.
    pub fn append(&mut self, other: &Table) {
        if self.columns.is_empty() {
            *self = other.clone();
            return;
        }
        for (column, more) in self.columns.iter_mut().zip(&other.columns) {
            (0..more.values.len()).for_each(|row| column.values.push_from(&more.values, row));
        }
    }
}
