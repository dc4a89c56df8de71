//! OpenSudoku's collections of puzzles: XML in which every puzzle is a tag.
//!
//! ```text
//! <?xml version="1.0" encoding="UTF-8"?>
//! <opensudoku>
//!   <name>…</name>
//!   <game data="000105000140000670…" />
//! </opensudoku>
//! ```
//!
//! Only the attribute `data` of the tag `game` matters; names, authors and
//! folders are passed over. A tag stands on one line, and a line may hold many.

/// What a file begins with, and ends with.
pub(super) const HEADER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n";
pub(super) const FOOTER: &str = "</opensudoku>\n";

/// What a line of XML holds.
pub(super) enum Item<'t> {
    /// The puzzle of a tag, and the byte where it begins.
    Puzzle(usize, &'t str),
    /// A tag at this byte has no puzzle.
    NoData(usize),
}

/// True if a collection begins on this line, or goes on after it.
pub(super) fn goes_on(line: &str, inside: bool) -> bool {
    match (line.rfind("<opensudoku"), line.rfind("</opensudoku")) {
        (begin, end) if begin.is_some() || end.is_some() => begin > end,
        _ => inside,
    }
}

/// True for a line that may stand around a collection.
pub(super) fn is_frame(trimmed: &str) -> bool {
    let known = ["<?xml", "<!--", "<game", "<opensudoku", "</opensudoku"];
    known.iter().any(|opening| trimmed.starts_with(opening))
}

/// The puzzles of a line.
pub(super) fn items(line: &str) -> impl Iterator<Item = Item<'_>> {
    let tags = line.match_indices("<game").filter(|(at, tag)| {
        let after = line[at + tag.len()..].chars().next();
        after.is_none_or(|letter| letter.is_whitespace() || "/>".contains(letter))
    });
    tags.map(|(at, _)| {
        let rest = &line[at..];
        let tag = &rest[..rest.find('>').unwrap_or(rest.len())];
        match data(tag) {
            Some((within, text)) => Item::Puzzle(at + within, text),
            None => Item::NoData(at),
        }
    })
}

/// The value of the attribute `data`, and where it begins.
fn data(tag: &str) -> Option<(usize, &str)> {
    for (at, name) in tag.match_indices("data") {
        let is_name = tag[..at].ends_with(char::is_whitespace);
        let rest = tag[at + name.len()..].trim_start();
        let Some(rest) = rest.strip_prefix('=').filter(|_| is_name) else {
            continue;
        };
        let rest = rest.trim_start();
        let quote = rest
            .chars()
            .next()
            .filter(|letter| "\"'".contains(*letter))?;
        let (text, _) = rest[1..].split_once(quote)?;
        return Some((tag.len() - rest.len() + 1, text));
    }
    None
}
