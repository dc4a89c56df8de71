//! Fixes applied to a text: the edits, and nothing but the edits.

use crate::diagnostic::{Diagnostic, Severity};
use crate::syntax::Tree;

/// Why fixes were not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixRefused {
    /// No diagnostic has a certain fix for the file.
    Nothing,
    /// The fixed text would not be read: the first error it would have.
    Unreadable(String),
}

/// Applies every certain fix that concerns the file, in bytes, and makes sure
/// that the result can be read. Where two edits overlap, the first in the text wins.
/// Returns the fixed bytes and how many edits were made.
pub fn apply(
    bytes: &[u8],
    file: u32,
    diagnostics: &[Diagnostic],
) -> Result<(Vec<u8>, usize), FixRefused> {
    let mut edits: Vec<_> = diagnostics
        .iter()
        .filter_map(Diagnostic::certain_fix)
        .flat_map(|fix| &fix.edits)
        .filter(|edit| edit.span.file == file && edit.span.end as usize <= bytes.len())
        .collect();
    if edits.is_empty() {
        return Err(FixRefused::Nothing);
    }
    // Stable: insertions at one place keep the order in which they were found.
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut fixed = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let mut made = 0;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        if start < at {
            continue;
        }
        fixed.extend_from_slice(&bytes[at..start]);
        fixed.extend_from_slice(edit.text.as_bytes());
        at = end;
        made += 1;
    }
    fixed.extend_from_slice(&bytes[at..]);
    let tree = Tree::read_bytes(fixed.clone(), file);
    let error = tree
        .errors
        .iter()
        .find(|error| error.severity() == Severity::Error);
    match error {
        Some(error) => Err(FixRefused::Unreadable(error.message.clone())),
        None => Ok((fixed, made)),
    }
}
