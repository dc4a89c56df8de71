//! Characters that belong in no planning text.

use super::Diagnostic;
use crate::source::Span;

code!(NOT_UTF8 = "E0001", Error, "bytes that are not UTF-8");
code!(STRAY = "E0002", Error, "control character in the text");
code!(TOO_LONG = "E0003", Error, "text too long");

/// Some bytes are not UTF-8; `bad` lists their offsets.
pub fn not_utf8(file: u32, bad: &[u32]) -> Diagnostic {
    let start = bad.first().copied().unwrap_or(0);
    let mut diagnostic = Diagnostic::new(
        &NOT_UTF8,
        span(file, start, 1),
        "the text is not UTF-8: this byte belongs to no character",
    )
    .help("save the file as UTF-8, or remove the byte")
    .plural("bytes");
    diagnostic.count = bad.len().max(1) as u32;
    diagnostic
}

/// Control characters, of which no name and no blank is made.
pub fn stray(text: &str, file: u32) -> Option<Diagnostic> {
    let strange = |byte: &u8| {
        (*byte < 0x20 && !matches!(*byte, b'\t' | b'\n' | b'\r' | 0x0B | 0x0C))
            && *byte != crate::source::BAD_BYTE
            || *byte == 0x7F
    };
    let first = text.bytes().position(|byte| strange(&byte))?;
    let byte = text.as_bytes()[first];
    let name = match byte {
        0 => "a NUL byte".to_owned(),
        _ => format!("the control character 0x{byte:02X}"),
    };
    let mut diagnostic = Diagnostic::new(
        &STRAY,
        span(file, first as u32, 1),
        format!("{name} stands in the text"),
    )
    .help("remove it; is this really a text file?")
    .plural("control characters");
    diagnostic.count = text.bytes().filter(strange).count() as u32;
    Some(diagnostic)
}

/// Offsets are kept in 32 bits.
pub fn too_long(file: u32) -> Diagnostic {
    Diagnostic::new(
        &TOO_LONG,
        span(file, 0, 1),
        "the text is longer than 4 GB; only its beginning is read",
    )
}

fn span(file: u32, start: u32, length: u32) -> Span {
    Span {
        file,
        start,
        end: start + length,
    }
}
