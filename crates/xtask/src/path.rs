//! Paths in Rust text, found without parsing it: comments and strings go, then
//! `use` trees are written out, and every `crate::`, `self::` and `super::` in
//! what is left is followed as far as it goes.

use std::collections::BTreeSet;

/// A path, or the name of a module.
pub type Segments = Vec<String>;

/// The text without comments, and without the contents of strings.
pub fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"//") {
            at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += find(rest, b"*/").map_or(rest.len(), |end| end + 2);
        } else if let Some(hashes) = raw_string(rest) {
            let close = [&b"\""[..], &b"#".repeat(hashes)].concat();
            let body = &rest[2 + hashes..];
            at += 2 + hashes + find(body, &close).map_or(body.len(), |end| end + close.len());
            out.extend(b"\"\"");
        } else if rest[0] == b'"' {
            let mut end = 1;
            while end < rest.len() && rest[end] != b'"' {
                end += if rest[end] == b'\\' { 2 } else { 1 };
            }
            at += end + 1;
            out.extend(b"\"\"");
        } else if rest.starts_with(b"'\"'") || rest.starts_with(b"'{'") || rest.starts_with(b"'}'")
        {
            at += 3;
        } else if rest.starts_with(b"'\\") {
            at += 2 + find(&rest[2..], b"'").map_or(1, |end| end.max(1) + 1);
        } else {
            out.push(rest[0]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The public types and traits that a text without comments declares.
pub fn public_types(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let Some(rest) = line.trim_start().strip_prefix("pub ") else {
            continue;
        };
        let rest = rest.trim_start_matches("unsafe ");
        for keyword in ["struct ", "enum ", "trait ", "type ", "union "] {
            if let Some(rest) = rest.strip_prefix(keyword) {
                let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
                names.insert(rest[..end.unwrap_or(rest.len())].to_string());
            }
        }
    }
    names
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|part| part == wanted)
}

/// How many `#` a raw string that begins here has.
fn raw_string(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"r")?;
    let hashes = rest.iter().take_while(|b| **b == b'#').count();
    (rest.get(hashes) == Some(&b'"')).then_some(hashes)
}

const TEST: &str = "#[cfg(test)]";

/// Modules in files of their own that only tests have.
pub fn test_modules(text: &str) -> Vec<String> {
    text.match_indices(TEST)
        .filter_map(|(at, _)| {
            let rest = text[at + TEST.len()..].trim_start();
            let rest = rest.strip_prefix("pub(crate) ").unwrap_or(rest);
            let name = rest.strip_prefix("mod ")?.split(';').next()?;
            name.bytes().all(is_word).then(|| name.to_owned())
        })
        .collect()
}

/// The text without items under `#[cfg(test)]`.
pub fn without_tests(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(TEST) {
        out += &rest[..at];
        rest = &rest[at + TEST.len()..];
        let end = rest.find([';', '{']).unwrap_or(rest.len());
        let mut length = (end + 1).min(rest.len());
        if rest[end..].starts_with('{') {
            let mut depth = 1;
            for byte in rest[length..].bytes() {
                length += 1;
                match byte {
                    b'{' => depth += 1,
                    b'}' => depth -= 1,
                    _ => continue,
                }
                if depth == 0 {
                    break;
                }
            }
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    out + rest
}

/// Every path that a `use` names, trees written out. A renamed import ends
/// with its new name.
pub fn uses(text: &str) -> Vec<Segments> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("use ") {
        if text[..at].bytes().next_back().is_some_and(is_word) {
            continue;
        }
        let tree = text[at + 4..].split(';').next().unwrap_or_default();
        expand(&mut Vec::new(), tree.trim(), &mut found);
    }
    found
}

fn expand(before: &mut Segments, tree: &str, found: &mut Vec<Segments>) {
    let tree = tree.trim();
    if let Some(inner) = tree.strip_prefix('{') {
        for part in split(inner.strip_suffix('}').unwrap_or(inner)) {
            expand(before, part, found);
        }
        return;
    }
    match tree.split_once("::") {
        Some((first, rest)) if !first.contains('{') => {
            before.push(first.trim().to_owned());
            expand(before, rest, found);
            before.pop();
        }
        _ if tree.is_empty() => {}
        _ => {
            let mut path = before.clone();
            let name = tree.split(" as ").next().unwrap_or(tree).trim();
            if !matches!(name, "self" | "*") {
                path.push(name.to_owned());
            }
            found.push(path);
        }
    }
}

/// The parts of a list, at the commas that stand in no braces.
fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// Every path in the text that says where it begins.
pub fn mentions(text: &str) -> Vec<Segments> {
    let mut found = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].bytes().next_back();
            if before.is_some_and(|byte| is_word(byte) || byte == b':' || byte == b'$') {
                continue;
            }
            let path = &text[at..];
            let end = path.find(|c: char| !c.is_ascii() || !is_word(c as u8) && c != ':');
            let path = path[..end.unwrap_or(path.len())].trim_end_matches(':');
            found.push(path.split("::").map(str::to_owned).collect());
        }
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The path from the crate's root; `None` if it leads out of the crate.
pub fn absolute(module: &[String], path: &[String]) -> Option<Segments> {
    let first = path.first()?;
    let mut whole = match first.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        _ => return None,
    };
    for segment in path {
        match segment.as_str() {
            "crate" | "self" => {}
            "super" => _ = whole.pop(),
            name => whole.push(name.to_owned()),
        }
    }
    Some(whole)
}
