//! Tables: one row out for each row in.
//!
//! A row keeps the columns of the input, in their order and unchanged, with the
//! puzzle under `puzzle`; `solution` and `status` follow. A column of the input
//! that already has one of these two names is kept as `input_solution` or
//! `input_status`. Rows that hold no puzzle, or one without a solution, keep
//! their place.
//!
//! The columns of a CSV or TSV table are those of the first input. Where a row
//! of a later one has others, they have no place, and that is said.

use std::borrow::Cow;
use std::sync::Arc;

use planoku_sudoku::text::{Header, fields, members};
use serde_json::Value;

use super::record::Board;

/// The kinds of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Comma-separated values.
    Csv,
    /// Fields with tabs between them.
    Tsv,
    /// One JSON object a line.
    Jsonl,
}

impl Table {
    fn separator(self) -> char {
        match self {
            Table::Tsv => '\t',
            Table::Csv | Table::Jsonl => ',',
        }
    }
}

/// A row of the input.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// The record or object; empty if there is nothing but the puzzle.
    pub text: &'a str,
    /// The columns, if it is a record.
    pub header: Option<&'a Arc<Header>>,
}

/// What is added to a row.
pub struct Result<'a> {
    /// The puzzle, if it is one.
    pub puzzle: Option<Board<'a>>,
    /// A solution, if one was found.
    pub solution: Option<Board<'a>>,
    /// What is known.
    pub status: &'static str,
}

/// The columns of a table.
pub struct Columns {
    table: Table,
    header: Option<Arc<Header>>,
    /// What the columns of the input are called in the output.
    names: Vec<String>,
}

impl Columns {
    /// The columns that the first row of the input asks for.
    pub fn new(table: Table, first: Row<'_>) -> Columns {
        let names = match first.header {
            Some(header) => (0..header.names.len())
                .map(|nth| column_name(&header.names[nth], nth == header.puzzle))
                .collect(),
            None => row_members(first, None)
                .into_iter()
                .map(|member| member.name)
                .collect(),
        };
        Columns {
            table,
            header: first.header.cloned(),
            names,
        }
    }

    /// The line that names the columns, if there is one.
    pub fn write_header(&self, text: &mut Vec<u8>) {
        if self.table == Table::Jsonl {
            return;
        }
        let separator = self.table.separator();
        for name in &self.names {
            write_field(name, separator, text);
            push(separator, text);
        }
        text.extend_from_slice(format!("solution{separator}status\n").as_bytes());
    }

    /// Writes a row; what must be said if something of it has no place.
    pub fn write(&self, row: Row<'_>, result: &Result<'_>, text: &mut Vec<u8>) -> Option<String> {
        if self.table == Table::Jsonl {
            write_object(row, result, text);
            return None;
        }
        let separator = self.table.separator();
        let complaint = match self.as_it_stands(row) {
            Some(missing) => {
                text.extend_from_slice(row.text.as_bytes());
                (0..missing).for_each(|_| push(separator, text));
                push(separator, text);
                None
            }
            None => self.write_members(row, result, text),
        };
        if let Some(solution) = result.solution {
            solution.write(text);
        }
        push(separator, text);
        text.extend_from_slice(result.status.as_bytes());
        text.push(b'\n');
        complaint
    }

    /// How many fields are missing at the end of a record that can be copied,
    /// since it is written as our table is and its columns are ours.
    fn as_it_stands(&self, row: Row<'_>) -> Option<usize> {
        let (ours, theirs) = (self.header.as_ref()?, row.header?);
        let separator = self.table.separator();
        let same = Arc::ptr_eq(ours, theirs) || ours == theirs;
        if !same || ours.separator != separator || row.text.is_empty() {
            return None;
        }
        let found = match row.text.contains('"') {
            true => match closes_quotes(row.text) {
                true => fields(row.text, separator).len(),
                false => return None,
            },
            false => row.text.split(separator).count(),
        };
        self.names.len().checked_sub(found)
    }

    /// Fits the members of a row into the columns of the table.
    fn write_members(
        &self,
        row: Row<'_>,
        result: &Result<'_>,
        text: &mut Vec<u8>,
    ) -> Option<String> {
        let separator = self.table.separator();
        let members = row_members(row, result.puzzle);
        for name in &self.names {
            if let Some(member) = members.iter().find(|member| member.name == *name) {
                write_field(&member.as_text(), separator, text);
            }
            push(separator, text);
        }
        let lost: Vec<&str> = members
            .iter()
            .filter(|member| !self.names.contains(&member.name))
            .map(|member| &*member.name)
            .collect();
        let what = format!(
            "the table has no column for {}: its columns are those of the first row, {}",
            lost.join(", "),
            self.names.join(", ")
        );
        (!lost.is_empty()).then_some(what)
    }
}

/// True if every quote that opens also closes.
fn closes_quotes(record: &str) -> bool {
    record.bytes().filter(|byte| *byte == b'"').count() % 2 == 0
}

/// A column of the input in the output.
fn column_name(name: &str, is_puzzle: bool) -> String {
    match name.trim() {
        _ if is_puzzle => "puzzle".to_string(),
        name @ ("solution" | "status") => format!("input_{name}"),
        _ => name.to_string(),
    }
}

/// One field of a row with its name.
struct Member<'a> {
    name: String,
    value: MemberValue<'a>,
}

enum MemberValue<'a> {
    Text(String),
    Json(&'a str),
}

impl Member<'_> {
    /// As a field of a CSV record: strings without quotes, nothing for null.
    fn as_text(&self) -> Cow<'_, str> {
        match &self.value {
            MemberValue::Text(text) => Cow::Borrowed(text),
            MemberValue::Json("null") => Cow::Borrowed(""),
            MemberValue::Json(json) => match serde_json::from_str(json) {
                Ok(Value::String(text)) => Cow::Owned(text),
                _ => Cow::Borrowed(json),
            },
        }
    }

    fn write_json(&self, text: &mut Vec<u8>) {
        write_string(&self.name, text);
        text.push(b':');
        match &self.value {
            MemberValue::Text(value) => write_string(value, text),
            MemberValue::Json(json) => text.extend_from_slice(json.as_bytes()),
        }
        text.push(b',');
    }
}

/// Writes a JSON string.
fn write_string(string: &str, text: &mut Vec<u8>) {
    serde_json::to_writer(text, string).expect("strings can be written to memory");
}

/// What a row holds, under the names of the output.
fn row_members<'a>(row: Row<'a>, puzzle: Option<Board<'_>>) -> Vec<Member<'a>> {
    if let Some(header) = row.header {
        let fields = fields(row.text, header.separator);
        let name = |nth: usize| match header.names.get(nth) {
            Some(name) => column_name(name, nth == header.puzzle),
            None => format!("field {}", nth + 1),
        };
        return fields
            .into_iter()
            .enumerate()
            .map(|(nth, field)| Member {
                name: name(nth),
                value: MemberValue::Text(field),
            })
            .collect();
    }
    let is_json = |text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if let Some(members) = members(row.text).filter(|_| is_json(row.text)) {
        return members
            .into_iter()
            .map(|(name, json)| Member {
                name: column_name(&name, name == "puzzle"),
                value: MemberValue::Json(json),
            })
            .collect();
    }
    let text = match puzzle {
        Some(board) => {
            let mut symbols = Vec::new();
            board.write(&mut symbols);
            String::from_utf8_lossy(&symbols).into_owned()
        }
        None => row.text.to_string(),
    };
    vec![Member {
        name: "puzzle".to_string(),
        value: MemberValue::Text(text),
    }]
}

fn write_object(row: Row<'_>, result: &Result<'_>, text: &mut Vec<u8>) {
    text.push(b'{');
    for member in row_members(row, result.puzzle) {
        member.write_json(text);
    }
    text.extend_from_slice(b"\"solution\":");
    match result.solution {
        Some(solution) => {
            text.push(b'"');
            solution.write(text);
            text.push(b'"');
        }
        None => text.extend_from_slice(b"null"),
    }
    text.extend_from_slice(b",\"status\":\"");
    text.extend_from_slice(result.status.as_bytes());
    text.extend_from_slice(b"\"}\n");
}

/// Writes a field, in quotes if it needs them.
fn write_field(field: &str, separator: char, text: &mut Vec<u8>) {
    if field.contains([separator, '"', '\n', '\r']) {
        text.extend_from_slice(format!("\"{}\"", field.replace('"', "\"\"")).as_bytes());
    } else {
        text.extend_from_slice(field.as_bytes());
    }
}

fn push(separator: char, text: &mut Vec<u8>) {
    text.push(separator as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "1...............";

    /// The table made of these records, each solved by `42`.
    #[track_caller]
    fn check(table: Table, header: Option<(&str, usize, char)>, rows: &[&str], expected: &[&str]) {
        let header = header.map(|(names, puzzle, separator)| {
            Arc::new(Header {
                names: fields(names, separator),
                puzzle,
                separator,
            })
        });
        let grid = PUZZLE.parse().unwrap();
        let row = |text| Row {
            text,
            header: header.as_ref(),
        };
        let columns = Columns::new(table, row(rows[0]));
        let mut text = Vec::new();
        columns.write_header(&mut text);
        for record in rows {
            let result = Result {
                puzzle: Some(Board::Grid(&grid)),
                solution: None,
                status: "none",
            };
            columns.write(row(record), &result, &mut text);
        }
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, expected.join("\n") + "\n");
    }

    #[test]
    fn records_are_carried_through_whatever_they_hold() {
        check(
            Table::Csv,
            Some(("id,quizzes,note", 1, ',')),
            &[
                "1,1...............,plain",
                "2,1...............,\"a, \"\"b\"\"\nc\"",
                "3,1...............",
                "4",
                "5,1...............,,surplus",
            ],
            &[
                "id,puzzle,note,solution,status",
                "1,1...............,plain,,none",
                "2,1...............,\"a, \"\"b\"\"\nc\",,none",
                "3,1...............,,,none",
                "4,,,,none",
                "5,1...............,,,none",
            ],
        );
    }

    #[test]
    fn separators_are_exchanged_and_quotes_follow() {
        check(
            Table::Csv,
            Some(("id;puzzle;a,b", 1, ';')),
            &["1;1...............;x,y"],
            &[
                "id,puzzle,\"a,b\",solution,status",
                "1,1...............,\"x,y\",,none",
            ],
        );
        check(
            Table::Tsv,
            Some(("puzzle,note", 0, ',')),
            &["1...............,\"x,y\"", "1...............,a\tb"],
            &[
                "puzzle\tnote\tsolution\tstatus",
                "1...............\tx,y\t\tnone",
                "1...............\t\"a\tb\"\t\tnone",
            ],
        );
    }

    #[test]
    fn columns_of_our_names_are_kept_under_others() {
        check(
            Table::Csv,
            Some(("puzzle,solution,status", 0, ',')),
            &["1...............,2,3"],
            &[
                "puzzle,input_solution,input_status,solution,status",
                "1...............,2,3,,none",
            ],
        );
    }

    #[test]
    fn objects_keep_their_members_in_order_and_to_the_letter() {
        check(
            Table::Jsonl,
            None,
            &[
                r#"{"z": 1.50, "puzzle": "1...............", "a":{"b": [1, null]}, "status":"old"}"#,
                PUZZLE,
            ],
            &[
                r#"{"z":1.50,"puzzle":"1...............","a":{"b": [1, null]},"input_status":"old","solution":null,"status":"none"}"#,
                r#"{"puzzle":"1...............","solution":null,"status":"none"}"#,
            ],
        );
        check(
            Table::Csv,
            None,
            &[r#"{"id": 7, "puzzle": "1...............", "name": "a \"b\"", "none": null}"#],
            &[
                "id,puzzle,name,none,solution,status",
                "7,1...............,\"a \"\"b\"\"\",,,none",
            ],
        );
        check(
            Table::Jsonl,
            Some(("id,puzzle", 1, ',')),
            &["\"a \"\"b\"\"\",1..............."],
            &[r#"{"id":"a \"b\"","puzzle":"1...............","solution":null,"status":"none"}"#],
        );
    }

    #[test]
    fn what_has_no_column_is_named() {
        let row = |text| Row { text, header: None };
        let columns = Columns::new(Table::Csv, row(r#"{"puzzle":"1","a":2}"#));
        let result = Result {
            puzzle: None,
            solution: None,
            status: "invalid",
        };
        let mut text = Vec::new();
        let told = columns.write(row(r#"{"puzzle":"1","b":2}"#), &result, &mut text);
        assert!(told.unwrap().contains("no column for b"));
        assert_eq!(text, b"1,,,invalid\n");
    }
}
