//! A board that is being read row by row.

use super::error::{TextError, TextProblem};
use super::line::Token;
use super::notes::Sheet;
use crate::Shape;

/// How the blanks of a board are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Blanks {
    /// As `-`, so that a line of nothing else may be a row.
    pub dashes: bool,
    /// As spaces, so that every cell stands in its column.
    pub spaces: bool,
}

/// A board being read row by row.
pub(super) struct Block {
    pub shape: Shape,
    sheet: Sheet,
    /// Where it begins.
    pub line: usize,
    pub rows: usize,
    /// How blanks are written in the rows so far, where that decides what a
    /// line means.
    pub blanks: Blanks,
    /// How many rows stand since the last empty line.
    since_empty: usize,
    /// The first mistake. The rows after it are still counted, so that the
    /// next board is found where it begins.
    mistake: Option<TextError>,
}

impl Block {
    pub fn new(shape: Shape, line: usize) -> Block {
        Block {
            shape,
            sheet: Sheet::new(shape),
            line,
            rows: 0,
            blanks: Blanks::default(),
            since_empty: 0,
            mistake: None,
        }
    }

    pub fn row(&mut self, tokens: &[Token], line: usize) {
        let row = self.rows;
        self.rows += 1;
        self.since_empty += 1;
        let result = self.fill(row, tokens, line);
        if self.mistake.is_none() {
            self.mistake = result.err();
        }
    }

    fn fill(&mut self, row: usize, tokens: &[Token], line: usize) -> Result<(), TextError> {
        let side = self.shape.side();
        if tokens.len() != side {
            // Point at the first cell too many, or at the last there is.
            let at = tokens.get(side).or(tokens.last());
            return Err(TextError {
                line,
                column: at.map_or(1, |token| token.column),
                problem: TextProblem::WrongWidth {
                    row: row + 1,
                    expected: side,
                    found: tokens.len(),
                },
            });
        }
        for (column, token) in tokens.iter().enumerate() {
            let content = token.on(self.shape, line, (row + 1, column + 1))?;
            self.sheet.put(self.shape.cell(row, column), content);
        }
        Ok(())
    }

    /// True if an empty line here parts one band from the next.
    pub fn parts_bands(&mut self) -> bool {
        let parts = self.since_empty == self.shape.box_rows() || self.since_empty == 0;
        self.since_empty = 0;
        parts
    }

    pub fn finish(self) -> Result<Sheet, TextError> {
        match self.mistake {
            Some(mistake) => Err(mistake),
            None if self.rows < self.shape.side() => Err(TextError {
                line: self.line,
                column: 1,
                problem: TextProblem::Truncated {
                    found: self.rows,
                    expected: self.shape.side(),
                },
            }),
            None => Ok(self.sheet),
        }
    }
}
