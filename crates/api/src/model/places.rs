//! Places in the two texts of a question.

use planoku_language::model::Span;
use planoku_language::source::Lines;
use serde::Serialize;
use utoipa::ToSchema;

/// A place in one of the two texts; lines and columns are counted from 1,
/// columns in characters.
#[derive(Serialize, ToSchema)]
pub struct Place {
    /// `domain` or `problem`.
    pub file: &'static str,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
}

/// Both texts and their lines.
pub struct Places<'t>([(&'t str, Lines); 2]);

impl<'t> Places<'t> {
    pub fn new(domain: &'t str, problem: &'t str) -> Places<'t> {
        Places([domain, problem].map(|text| (text, Lines::new(text))))
    }

    pub fn place(&self, span: Span) -> Place {
        let file = usize::from(span.file != 0);
        let (text, lines) = &self.0[file];
        let (start, end) = (
            lines.position(text, span.start),
            lines.position(text, span.end),
        );
        Place {
            file: ["domain", "problem"][file],
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}
