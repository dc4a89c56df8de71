//! Places as editors count them: lines and columns from 0, columns in UTF-16
//! code units. We count bytes; this is the only file that knows both.

use planoku_language::model::Span;
use planoku_language::source::Lines;

/// A place in an editor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// From 0.
    pub line: u32,
    /// From 0, in UTF-16 code units.
    pub column: u32,
}

/// Translates between bytes and points of one text.
#[derive(Debug)]
pub struct Map {
    lines: Lines,
    /// Bytes are columns then, however long the line.
    ascii: bool,
}

impl Map {
    pub fn new(text: &str) -> Map {
        Map {
            lines: Lines::new(text),
            ascii: text.is_ascii(),
        }
    }

    /// The point of a byte; beyond the end of the text, its end.
    pub fn point(&self, text: &str, offset: u32) -> Point {
        let offset = boundary(text, offset as usize);
        let line = self.lines.line(offset as u32);
        let start = self.lines.start(line) as usize;
        let column = match self.ascii {
            true => offset - start,
            false => text[start..offset].chars().map(char::len_utf16).sum(),
        };
        Point {
            line: line as u32,
            column: column as u32,
        }
    }

    /// The byte of a point; beyond the end of a line, the line's end.
    pub fn offset(&self, text: &str, point: Point) -> usize {
        let line = point.line as usize;
        if line >= self.lines.count() {
            return text.len();
        }
        let start = self.lines.start(line) as usize;
        let end = match line + 1 < self.lines.count() {
            true => self.lines.start(line + 1) as usize,
            false => text.len(),
        };
        let content = text[start..end].trim_end_matches(['\n', '\r']);
        if self.ascii {
            return start + (point.column as usize).min(content.len());
        }
        let mut column = 0;
        for (at, c) in content.char_indices() {
            if column >= point.column {
                return start + at;
            }
            column += c.len_utf16() as u32;
        }
        start + content.len()
    }

    /// Both ends of a span.
    pub fn range(&self, text: &str, span: Span) -> (Point, Point) {
        let start = self.point(text, span.start);
        (start, self.point(text, span.end).max(start))
    }
}

/// The nearest byte at or before the offset that starts a character.
fn boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units_and_come_back() {
        let text = "; é 🎲 x\r\n(p ?x)\n";
        let map = Map::new(text);
        for (offset, _) in text.char_indices() {
            let point = map.point(text, offset as u32);
            let inside = !matches!(text.as_bytes()[offset], b'\n');
            if inside {
                assert_eq!(map.offset(text, point), offset, "{point:?}");
            }
        }
        let x = text.find('x').unwrap() as u32;
        assert_eq!(map.point(text, x), Point { line: 0, column: 7 });
        assert_eq!(map.point(text, 1000), Point { line: 2, column: 0 });
        // The second half of the die belongs to the die's end.
        assert_eq!(map.offset(text, Point { line: 0, column: 5 }), 9);
    }

    #[test]
    fn points_beyond_a_line_or_the_text_are_its_end() {
        let text = "(a\r\nb)";
        let map = Map::new(text);
        assert_eq!(
            map.offset(
                text,
                Point {
                    line: 0,
                    column: 99
                }
            ),
            2
        );
        assert_eq!(map.offset(text, Point { line: 7, column: 0 }), 6);
        assert_eq!(Map::new("").offset("", Point { line: 1, column: 1 }), 0);
    }
}
