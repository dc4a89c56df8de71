//! Why a text is not a puzzle, in the reader's coordinates.

use std::fmt;

/// A mistake in a text, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character within the line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: TextProblem,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextProblem {
    /// A symbol that is neither a digit of this board nor a blank.
    BadSymbol {
        /// The row of the board, counted from 1.
        row: usize,
        /// The column of the board, counted from 1.
        column: usize,
        /// How many rows the board has.
        side: usize,
        /// What stands there.
        symbol: String,
    },
    /// A list of candidates has a symbol where it has no place.
    BadCandidate {
        /// The row of the board, counted from 1.
        row: usize,
        /// The column of the board, counted from 1.
        column: usize,
        /// The digit that may stand there.
        expected: char,
        /// What stands there.
        found: String,
    },
    /// A candidate of a library line that is not a digit, a row and a column.
    BadStruck {
        /// What stands there.
        found: String,
    },
    /// The line is neither a whole board nor a row of one.
    WrongLength {
        /// Cells found.
        found: usize,
    },
    /// A row has more or fewer cells than the rows before it.
    WrongWidth {
        /// The row of the board, counted from 1.
        row: usize,
        /// Cells wanted.
        expected: usize,
        /// Cells found.
        found: usize,
    },
    /// The board ends before its last row.
    Truncated {
        /// Rows found.
        found: usize,
        /// Rows wanted.
        expected: usize,
    },
    /// The line is longer than anything a puzzle needs.
    TooLong {
        /// Bytes allowed.
        limit: usize,
    },
    /// The line is not UTF-8 text.
    NotUtf8,
    /// The file is not text at all; nothing after this is read.
    Binary,
    /// A CSV file whose header names no column of puzzles.
    NoPuzzleColumn,
    /// A CSV record without the field that holds the puzzle.
    MissingField {
        /// The field wanted, counted from 1.
        field: usize,
        /// Fields found.
        found: usize,
    },
    /// A quote in a CSV file that is never closed.
    OpenQuote,
    /// A line that should be a JSON object with a string `puzzle`, and is not.
    Json(String),
    /// A tag of XML that holds no puzzle where one is wanted.
    NoGame,
    /// The input could not be read any further.
    Io(String),
}

impl TextProblem {
    /// True if nothing after the mistake can be read.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            TextProblem::Binary | TextProblem::NoPuzzleColumn | TextProblem::Io(_)
        )
    }
}

impl fmt::Display for TextProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextProblem::BadSymbol {
                row,
                column,
                side,
                symbol,
            } => {
                let last = crate::Digit::new(*side as u8).map_or('9', crate::Digit::symbol);
                write!(
                    f,
                    "row {row}, column {column} of the board: expected 1 to {last} or `.`, found `{}`",
                    symbol.escape_debug()
                )
            }
            TextProblem::BadCandidate {
                row,
                column,
                expected,
                found,
            } => write!(
                f,
                "candidates of row {row}, column {column} of the board: expected {expected} or `.`, found `{}`",
                found.escape_debug()
            ),
            TextProblem::BadStruck { found } => write!(
                f,
                "expected a digit, a row and a column such as 527, found `{}`",
                found.escape_debug()
            ),
            TextProblem::WrongLength { found } => write!(
                f,
                "expected 81 cells (or 16, 36, 256, 625) or a row of 9 (or 4, 6, 16, 25), found {found}"
            ),
            TextProblem::WrongWidth {
                row,
                expected,
                found,
            } => write!(
                f,
                "row {row} of the board: expected {expected} cells, found {found}"
            ),
            TextProblem::Truncated { found, expected } => write!(
                f,
                "the board that begins here has {found} of its {expected} rows"
            ),
            TextProblem::TooLong { limit } => {
                write!(f, "expected a line of at most {limit} bytes, found more")
            }
            TextProblem::NotUtf8 => write!(f, "expected UTF-8 text, found other bytes"),
            TextProblem::Binary => write!(
                f,
                "expected text, found binary data (or UTF-16; puzzles are read as UTF-8)"
            ),
            TextProblem::NoPuzzleColumn => write!(
                f,
                "expected a CSV header with a column `puzzle` or `quizzes`, found none"
            ),
            TextProblem::MissingField { field, found } => write!(
                f,
                "expected the puzzle in field {field}, found {found} field{}",
                if *found == 1 { "" } else { "s" }
            ),
            TextProblem::OpenQuote => write!(f, "this quote is never closed"),
            TextProblem::Json(what) => write!(f, "{what}"),
            TextProblem::NoGame => write!(
                f,
                "expected `<game data=\"…\" />` of an OpenSudoku file, found another tag"
            ),
            TextProblem::Io(what) => write!(f, "cannot read on: {what}"),
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.problem
        )
    }
}

impl std::error::Error for TextError {}
