//! Boards inside records: CSV below a header, JSON objects, tags of XML.

use std::io::BufRead;
use std::sync::Arc;

use super::super::error::TextProblem;
use super::super::line::{Token, cells, is_border, whole_board};
use super::super::notes::Sheet;
use super::super::opensudoku::{self, Item};
use super::super::record::{Header, csv_fields, json_string, members};
use super::{LONGEST_LINE, Mode, PUZZLE_COLUMNS, Puzzles};
use crate::{Grid, Shape};

impl<R: BufRead> Puzzles<R> {
    /// True if this is a CSV header, which only the first line can be.
    pub(super) fn take_header(&mut self, line: &str) -> bool {
        if !matches!(self.mode, Mode::Start) {
            return false;
        }
        let is_puzzle = |name: &str| PUZZLE_COLUMNS.contains(&name);
        for separator in [',', '\t', ';'] {
            let Ok(fields) = csv_fields(line, separator) else {
                continue;
            };
            let mut names = fields.iter().map(|(_, name)| name.trim());
            if let Some(field) = names.position(|name| is_puzzle(&name.to_ascii_lowercase())) {
                self.mode = Mode::Csv { field, separator };
                self.header = Some(Arc::new(Header {
                    names: fields.into_iter().map(|(_, name)| name).collect(),
                    puzzle: field,
                    separator,
                }));
                return true;
            }
        }
        let Ok(fields) = csv_fields(line, ',') else {
            return false;
        };
        let mut names = fields.iter().map(|(_, name)| name.trim());
        // Words where cells would be: a header, but not one of ours.
        let letters = |name: &str| name.chars().filter(|c| c.is_alphabetic()).count();
        let is_name = |name: &str| letters(name) > 1 && Shape::from_cells(name.len()).is_none();
        if fields.len() > 1 && names.all(is_name) {
            self.fail(1, TextProblem::NoPuzzleColumn);
            return true;
        }
        false
    }

    pub(super) fn take_record(&mut self, line: &str, field: usize, separator: char) {
        if line.trim().is_empty() {
            return;
        }
        let start = self.line;
        let mut record = line.to_string();
        let fields = loop {
            match csv_fields(&record, separator) {
                Ok(fields) => break fields,
                Err(column) => match self.next_line() {
                    Ok(true) if record.len() + self.bytes.len() < LONGEST_LINE => {
                        record.push('\n');
                        record.push_str(&String::from_utf8_lossy(&self.bytes));
                    }
                    _ => {
                        self.keep_row(&record);
                        return self.fail_at(start, column, TextProblem::OpenQuote);
                    }
                },
            }
        };
        self.keep_row(&record);
        match fields.get(field) {
            Some((column, text)) => self.take_string(start, *column, text),
            None => {
                let (field, found) = (field + 1, fields.len());
                self.fail_at(start, 1, TextProblem::MissingField { field, found });
            }
        }
    }

    pub(super) fn take_json(&mut self, line: &str) {
        self.keep_row(line);
        let key = match members(line) {
            Some(members) if !members.iter().any(|(name, _)| name == "puzzle") => {
                let named = |key: &&&str| members.iter().any(|(name, _)| name == **key);
                PUZZLE_COLUMNS.iter().find(named).copied()
            }
            _ => None,
        };
        match json_string(line, key.unwrap_or("puzzle")) {
            Ok((column, text)) => self.take_string(self.line, column, &text),
            Err(bad) => self.fail(bad.column, TextProblem::Json(bad.message)),
        }
    }

    /// The puzzles of a line of XML.
    pub(super) fn take_tags(&mut self, line: &str) {
        let inside = matches!(self.mode, Mode::OpenSudoku);
        if !inside && !opensudoku::is_frame(line.trim_start()) {
            return self.fail(1, TextProblem::NoGame);
        }
        let column = |at: usize| line[..at].chars().count() + 1;
        for item in opensudoku::items(line) {
            match item {
                Item::Puzzle(at, text) => self.take_string(self.line, column(at), text),
                Item::NoData(at) => self.fail(column(at), TextProblem::NoGame),
            }
        }
        self.mode = match opensudoku::goes_on(line, inside) {
            true => Mode::OpenSudoku,
            false => Mode::Boards,
        };
    }

    /// A whole board inside a record, whose text begins at `column`.
    pub(super) fn take_string(&mut self, line: usize, column: usize, text: &str) {
        // The commonest text of all takes the shortest way.
        if text.len() == 81
            && let Ok(grid) = text.parse::<Grid>()
        {
            return self.push(line, Ok(Sheet::from(grid)));
        }
        let rows: Vec<&str> = text.lines().filter(|row| !is_border(row)).collect();
        let shift = |mut token: Token| {
            token.column += column - 1;
            token
        };
        let tokens: Vec<Token> = cells(&rows.join(" "))
            .tokens
            .into_iter()
            .map(shift)
            .collect();
        let board = whole_board(&tokens, line);
        self.push(line, board);
    }
}
