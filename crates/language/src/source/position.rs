//! From byte offsets to lines and columns, and back.

/// A place as people count: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// Where the lines of a text start.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Lines {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines {
            starts: std::iter::once(0)
                .chain(newlines.map(|(at, _)| at as u32 + 1))
                .collect(),
        }
    }

    /// The line (from 0) that holds the byte.
    pub fn line(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// The first byte of a line (from 0).
    pub fn start(&self, line: usize) -> u32 {
        self.starts[line]
    }

    /// How many lines there are; at least one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Line and column of a byte.
    pub fn position(&self, text: &str, offset: u32) -> TextPosition {
        let offset = offset.min(text.len() as u32);
        let line = self.line(offset);
        let before = &text.as_bytes()[self.starts[line] as usize..offset as usize];
        // Continuation bytes of UTF-8 start no character.
        let column = before.iter().filter(|byte| *byte & 0xC0 != 0x80).count();
        TextPosition {
            line: line as u32 + 1,
            column: column as u32 + 1,
        }
    }
}
