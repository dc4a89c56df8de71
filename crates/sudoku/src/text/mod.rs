//! Puzzles as text: every format people exchange them in, read and written.
//!
//! | [`Format`] | looks like |
//! |---|---|
//! | `Line` | `53..7....6..195...` and so on, one board a line (also `.sdm`) |
//! | `Rows` | a line a row |
//! | `Boxed` | rows and boxes set apart with `\|` and `-` |
//! | `Sdk` | SadMan: remarks, `[Puzzle]`, rows |
//! | `Ss` | SimpleSudoku: a frame of `*---*` and `\|` |
//! | `Sdm` | one board a line |
//! | `Csv` | a header with a column `puzzle` or `quizzes`, one record a line |
//! | `Jsonl` | one object with a string `puzzle` a line |
//! | `Commas` | rows with a comma between cells |
//! | `OpenSudoku` | XML with a tag `<game data="…" />` for each puzzle |
//!
//! [`Puzzles`] reads all of them, recognised by content, one puzzle at a time.
//! Blanks are `.`, `0`, `*`, `_`, `x`, `-`, `?`, or spaces where every cell
//! stands in its column; digits beyond 9 are `A` to `P`, or numbers where cells
//! are set apart; records may be set apart by commas, tabs or semicolons; `#`
//! begins a remark.
//!
//! What a player notes on a puzzle comes as [`Notes`]: from a grid of pencil
//! marks ([`pencil`]), a line with a symbol for every candidate
//! ([`candidates_line`]), or a line of HoDoKu's library ([`library_line`]). A
//! cell with a single mark holds that digit. What we draw can be read again; of
//! two boards drawn beside each other, the left one is the puzzle.

mod block;
mod check;
mod draw;
mod error;
mod library;
mod line;
mod notes;
mod opensudoku;
mod plain;
mod read;
mod record;
mod svg;
mod write;

#[doc(hidden)]
pub use check::check_reading;
pub use draw::{Layer, beside, draw};
pub use error::{TextError, TextProblem};
pub use library::library_line;
pub use notes::{Notes, candidates_line, pencil};
pub use read::{LONGEST_LINE, PUZZLE_COLUMNS, Puzzle, Puzzles};
pub use record::{Header, Rows, fields, members};
pub use svg::svg;
pub use write::{Format, footer, header, write};

use crate::Grid;

/// Reads every puzzle of a text; the first mistake wins.
///
/// ```
/// let grids = planoku_sudoku::text::read("12|34\n34|..\n--+--\n..|..\n..|..").unwrap();
/// assert_eq!(grids[0].to_string(), "123434..........");
/// ```
pub fn read(text: &str) -> Result<Vec<Grid>, TextError> {
    Puzzles::new(text.as_bytes())
        .map(|puzzle| puzzle.map(|puzzle| puzzle.grid))
        .collect()
}
