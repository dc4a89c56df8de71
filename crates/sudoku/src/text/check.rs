//! What must hold of reading, whatever the bytes: the body of the fuzz target,
//! and of the bounded run that every test run makes of it.

use std::io::{BufRead, BufReader};

use super::{Format, Puzzle, Puzzles, Rows, TextError, footer, header, write};
use crate::native;

/// Reads `bytes` as puzzles and panics if the reader breaks a promise: it ends,
/// it says the same however the bytes arrive, it names places that exist, and
/// every board it reads can be written and read again in every format.
pub fn check_reading(bytes: &[u8]) {
    let at_once: Vec<Result<Puzzle, TextError>> = Puzzles::new(bytes).collect();
    let in_drops: Vec<_> = Puzzles::new(BufReader::with_capacity(1, bytes)).collect();
    assert_eq!(at_once, in_drops, "the answer depends on the buffer");
    let in_gulps = Puzzles::new(BufReader::with_capacity(200, bytes)).keeping_rows();
    let (in_gulps, rows): (Vec<_>, Vec<_>) = with_plain_lines(in_gulps).into_iter().unzip();
    assert_eq!(at_once, in_gulps, "plain lines are read otherwise");
    let mut slowly = Puzzles::new(bytes).keeping_rows();
    for row in rows {
        slowly.next();
        assert_eq!(slowly.row(), row, "another row is kept");
    }

    let lines = bytes.split(|byte| *byte == b'\n').count();
    for result in &at_once {
        let (line, column) = match result {
            Ok(puzzle) => (puzzle.line, 1),
            Err(error) => (error.line, error.column),
        };
        assert!((1..=lines).contains(&line), "no line {line} of {lines}");
        assert!(
            (1..=bytes.len() + 1).contains(&column),
            "no column {column}"
        );
    }
    for puzzle in at_once.iter().flatten().take(4) {
        for format in Format::ALL {
            let text = header(format).to_string() + &write(&puzzle.grid, format) + footer(format);
            let again = super::read(&text).expect("what we write can be read");
            assert_eq!(again, std::slice::from_ref(&puzzle.grid), "{format}");
        }
    }
}

/// What a reader says if plain lines are taken the short way, and the rows it
/// keeps.
fn with_plain_lines(
    mut puzzles: Puzzles<impl BufRead>,
) -> Vec<(Result<Puzzle, TextError>, String)> {
    let mut rows = Rows::default();
    let mut all = Vec::new();
    let mut cells = Vec::new();
    loop {
        cells.clear();
        rows.clear();
        let first = puzzles.take_plain_rows(3, &mut cells, Some(&mut rows));
        for (nth, cells) in cells.iter().enumerate() {
            let grid = native::from_cells(cells).expect("plain lines hold digits");
            let line = first + nth;
            let row = String::from_utf8_lossy(rows.get(nth)).into_owned();
            let puzzle = Puzzle {
                line,
                grid,
                notes: None,
            };
            all.push((Ok(puzzle), row));
        }
        if cells.is_empty() {
            match puzzles.next() {
                Some(result) => all.push((result, puzzles.row().to_string())),
                None => return all,
            }
        }
    }
}
