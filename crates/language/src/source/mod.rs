//! Texts and places in them: byte spans, lines and columns, pieces of a text
//! for messages, and what a misspelt word may have meant.
//!
//! Everything else in this crate speaks of places in these terms; this module
//! knows nothing of what the texts say.

mod near;
mod position;

pub use near::{Near, closest, nearest};
pub use position::{Lines, TextPosition};

/// Stands for a byte that is not UTF-8: a control character, which no name has.
pub const BAD_BYTE: u8 = 0x1A;

/// A place in one of the two texts, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Which text: 0 the domain, 1 the problem.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Cuts a text for a message: one line, at most 40 characters.
pub fn excerpt(text: &str) -> String {
    let mut words = String::new();
    let mut blank = false;
    for (count, c) in text.chars().enumerate() {
        if count >= 40 {
            words.push('…');
            break;
        }
        match c.is_whitespace() {
            true => blank = true,
            false => {
                if std::mem::take(&mut blank) {
                    words.push(' ');
                }
                words.push(if c.is_control() { '\u{FFFD}' } else { c });
            }
        }
    }
    words
}
