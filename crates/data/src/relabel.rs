//! Labels for other people's files: columns are added, their own are kept.
//!
//! A record of a table keeps its text to the letter and gets fields at its end,
//! an object gets members, a bare puzzle becomes a record. Where a file has a
//! column of the same name already, ours is called `planoku_…`.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use planoku_engine::{Cancel, Stop};
use planoku_sudoku::Grid;
use planoku_sudoku::text::{Header, Puzzles};
use rayon::prelude::*;

use crate::label::{self, Label, Labels, Status, with_labeller};
use crate::share::Share;
use crate::table::Table;
use crate::write::{csv, members, push_field};

/// Rows worked on together.
const CHUNK: usize = 2048;

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relabelled {
    /// Rows written.
    pub rows: u64,
    /// Rows that hold no puzzle, or one without exactly one solution: their
    /// labels are missing, `status` says why.
    pub without: u64,
    /// Mistakes as `line:column: message`; only the first twenty.
    pub mistakes: Vec<String>,
}

/// A row on its way.
struct Row {
    text: String,
    header: Option<Arc<Header>>,
    puzzle: Option<Grid>,
}

/// Adds labels to the rows of a text file, or to every `of`-th of them.
pub fn relabel(
    input: impl BufRead,
    mut output: impl Write,
    labels: &Labels,
    share: Option<Share>,
    cancel: &Cancel,
    mut progress: impl FnMut(u64),
) -> io::Result<Result<Relabelled, Stop>> {
    let mut done = Relabelled::default();
    let mut puzzles = Puzzles::new(input).keeping_rows();
    let (mut number, mut begun) = (0, false);
    loop {
        let mut rows = Vec::new();
        while rows.len() < CHUNK {
            let Some(next) = puzzles.next() else {
                break;
            };
            number += 1;
            if share.is_some_and(|share| !share.has(number - 1)) {
                continue;
            }
            if let Err(error) = &next
                && done.mistakes.len() < 20
            {
                done.mistakes.push(error.to_string());
            }
            rows.push(Row {
                text: puzzles.row().to_string(),
                header: puzzles.header().cloned(),
                puzzle: next.ok().map(|puzzle| puzzle.grid),
            });
        }
        if rows.is_empty() {
            output.flush()?;
            return Ok(Ok(done));
        }
        let found = match label_all(
            rows.iter().map(|row| row.puzzle.as_ref()).collect(),
            labels,
            cancel,
        ) {
            Ok(found) => found,
            Err(stop) => return Ok(Err(stop)),
        };
        done.rows += rows.len() as u64;
        done.without += found
            .iter()
            .filter(|label| label.status != Status::Unique)
            .count() as u64;
        let table = label::columns(&found, labels);
        let mut text = Vec::new();
        for (nth, row) in rows.iter().enumerate() {
            write_row(&mut text, row, &table, nth, &mut begun);
        }
        output.write_all(&text)?;
        progress(done.rows);
    }
}

/// Labels of several puzzles on the threads of the current pool.
pub fn label_all(
    puzzles: Vec<Option<&Grid>>,
    labels: &Labels,
    cancel: &Cancel,
) -> Result<Vec<Label>, Stop> {
    let none = Label {
        status: Status::Invalid,
        solution: None,
        puzzle_id: None,
        solution_id: None,
        automorphisms: None,
        clues: 0,
        minimal: None,
        rated: None,
        nodes: Vec::new(),
    };
    puzzles
        .into_par_iter()
        .with_max_len(16)
        .map(|puzzle| match puzzle {
            Some(puzzle) => with_labeller(labels, |labeller| labeller.label(puzzle, cancel)),
            None => Ok(none.clone()),
        })
        .collect()
}

fn write_row(text: &mut Vec<u8>, row: &Row, table: &Table, nth: usize, begun: &mut bool) {
    let own = |names: &[String]| {
        let mut table = table.select(&[nth]);
        for column in &mut table.columns {
            if names.contains(&column.name) {
                column.name = format!("planoku_{}", column.name);
            }
        }
        table
    };
    if let Some(header) = &row.header {
        let separator = header.separator;
        let join = |text: &mut Vec<u8>, ours: Vec<u8>| {
            let mut buffer = [0; 4];
            text.extend_from_slice(separator.encode_utf8(&mut buffer).as_bytes());
            match separator {
                ',' => text.extend_from_slice(&ours),
                // No value of ours holds a comma or needs quotes.
                _ => text.extend_from_slice(
                    String::from_utf8_lossy(&ours)
                        .replace(',', &separator.to_string())
                        .as_bytes(),
                ),
            }
        };
        let ours = own(&header.names);
        if !std::mem::replace(begun, true) {
            for (nth, name) in header.names.iter().enumerate() {
                if nth > 0 {
                    text.extend_from_slice(separator.to_string().as_bytes());
                }
                push_field(text, name);
            }
            let head = csv(&ours.select(&[]), true);
            join(text, head);
        }
        text.extend_from_slice(row.text.as_bytes());
        join(text, csv(&ours, false));
    } else if let Some(found) = planoku_sudoku::text::members(row.text.trim()) {
        let names: Vec<String> = found.into_iter().map(|(name, _)| name).collect();
        let ours = own(&names);
        let body = row.text.trim();
        let body = body.strip_suffix('}').unwrap_or(body).trim_end();
        text.extend_from_slice(body.as_bytes());
        text.push(b',');
        text.extend_from_slice(members(&ours, 0).as_bytes());
        text.extend_from_slice(b"}\n");
    } else {
        let ours = own(&[]);
        if !std::mem::replace(begun, true) {
            text.extend_from_slice(b"puzzle,");
            text.extend_from_slice(&csv(&ours.select(&[]), true));
        }
        let puzzle = row
            .puzzle
            .as_ref()
            .map_or(row.text.clone(), Grid::to_string);
        push_field(text, &puzzle);
        text.push(b',');
        text.extend_from_slice(&csv(&ours, false));
    }
}
