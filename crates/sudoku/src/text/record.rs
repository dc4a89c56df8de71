//! The one string we need out of a CSV record or a JSON object.
//!
//! Lists of puzzles come with ratings, sources and solutions beside them. We
//! read past all that, so these are not parsers of CSV and JSON but readers
//! strict enough to say where a record is broken and to take nothing for a
//! puzzle that is not one.

use std::borrow::Cow;

/// The first line of a CSV file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The columns, as they are named.
    pub names: Vec<String>,
    /// Which of them holds the puzzle, counted from 0.
    pub puzzle: usize,
    /// What stands between fields.
    pub separator: char,
}

/// The fields of a CSV record, without their quotes; a quote that never closes
/// holds all that follows.
///
/// ```
/// use planoku_sudoku::text::fields;
/// assert_eq!(fields("1,\"a, \"\"b\"\"\",c", ','), ["1", "a, \"b\"", "c"]);
/// ```
pub fn fields(record: &str, separator: char) -> Vec<String> {
    let closed;
    let fields = match csv_fields(record, separator) {
        Ok(fields) => fields,
        Err(_) => {
            closed = format!("{record}\"");
            csv_fields(&closed, separator).unwrap_or_default()
        }
    };
    fields.into_iter().map(|(_, field)| field).collect()
}

/// The texts of many records in one piece of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Rows {
    /// Adds a record.
    pub fn push(&mut self, record: &[u8]) {
        self.bytes.extend_from_slice(record);
        self.ends.push(self.bytes.len());
    }

    /// Forgets all of them and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The record of that number, counted from 0.
    pub fn get(&self, nth: usize) -> &[u8] {
        let start = nth.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[nth]]
    }
}

/// The fields of a CSV record (the separator may be another than a comma) with
/// the column each begins at (counted in
/// characters, from 1). `Err` gives the column of a quote that never closes;
/// the record may go on in the next line.
pub(super) fn csv_fields(record: &str, separator: char) -> Result<Vec<(usize, String)>, usize> {
    let mut fields = Vec::new();
    let mut rest = record.chars().enumerate().peekable();
    loop {
        let mut field = String::new();
        let start = rest.peek().map_or(record.chars().count(), |&(at, _)| at) + 1;
        if let Some((quote, _)) = rest.next_if(|&(_, c)| c == '"') {
            loop {
                match rest.next() {
                    None => return Err(quote + 1),
                    Some((_, '"')) if rest.next_if(|&(_, c)| c == '"').is_some() => {
                        field.push('"');
                    }
                    Some((_, '"')) => break,
                    Some((_, c)) => field.push(c),
                }
            }
            fields.push((start + 1, field));
            while rest.next_if(|&(_, c)| c != separator).is_some() {}
        } else {
            while let Some((_, c)) = rest.next_if(|&(_, c)| c != separator) {
                field.push(c);
            }
            fields.push((start, field));
        }
        if rest.next().is_none() {
            return Ok(fields);
        }
    }
}

/// Why a line is not an object with the string we need.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadJson {
    /// Counted in characters, from 1.
    pub column: usize,
    pub message: String,
}

/// The string member `key` of the JSON object on a line, with the column its
/// text begins at.
pub(super) fn json_string(line: &str, key: &str) -> Result<(usize, String), BadJson> {
    let mut json = Json { line, at: 0 };
    let mut found = None;
    json.expect('{')?;
    if json.peek() == Some('}') {
        json.at += 1;
    } else {
        loop {
            json.space();
            let name = json.string()?;
            json.expect(':')?;
            json.space();
            if name == key && json.peek() == Some('"') {
                let column = json.column() + 1;
                found = Some((column, json.string()?.into_owned()));
            } else if name == key {
                return Err(json.error(&format!("expected a string as `{key}`")));
            } else {
                json.skip_value()?;
            }
            json.space();
            match json.peek() {
                Some(',') => json.at += 1,
                _ => break json.expect('}')?,
            }
        }
    }
    json.space();
    if json.at < line.len() {
        return Err(json.error("expected one JSON object in the line"));
    }
    found.ok_or(BadJson {
        column: 1,
        message: format!("expected a JSON object with a string `{key}`, found none"),
    })
}

/// The members of the JSON object on a line, in order: names, and values as
/// they are written. `None` if there is no object.
///
/// ```
/// use planoku_sudoku::text::members;
/// let found = members(r#"{"id": 1.50, "puzzle": "1..."}"#).unwrap();
/// assert_eq!(found, [("id".to_string(), "1.50"), ("puzzle".to_string(), "\"1...\"")]);
/// ```
pub fn members(line: &str) -> Option<Vec<(String, &str)>> {
    let mut json = Json { line, at: 0 };
    let mut found = Vec::new();
    json.expect('{').ok()?;
    while json.peek() != Some('}') {
        let name = json.string().ok()?;
        json.expect(':').ok()?;
        let start = json.at;
        json.skip_value().ok()?;
        found.push((name.into_owned(), &line[start..json.at]));
        json.space();
        if json.peek() == Some(',') {
            json.at += 1;
            json.space();
        }
    }
    json.expect('}').ok()?;
    (json.at == line.len()).then_some(found)
}

struct Json<'a> {
    line: &'a str,
    /// Where it stands, in bytes.
    at: usize,
}

impl<'a> Json<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Where it stands, in characters from 1.
    fn column(&self) -> usize {
        self.line[..self.at].chars().count() + 1
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), BadJson> {
        self.space();
        if self.peek() != Some(wanted) {
            return Err(self.error(&format!("expected `{wanted}`")));
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    fn error(&self, expected: &str) -> BadJson {
        let found = self.peek().map_or_else(
            || "the end of the line".to_string(),
            |c| format!("`{}`", c.escape_debug()),
        );
        BadJson {
            column: self.column(),
            message: format!("not JSON Lines: {expected}, found {found}"),
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, BadJson> {
        if self.peek() != Some('"') {
            return Err(self.error("expected a string"));
        }
        self.at += 1;
        let mut text = Cow::Borrowed("");
        loop {
            let rest = self.rest();
            let Some(end) = rest.find(['"', '\\']) else {
                self.at = self.line.len();
                return Err(self.error("expected a closing quote"));
            };
            self.at += end + 1;
            text += &rest[..end];
            if rest[end..].starts_with('"') {
                return Ok(text);
            }
            text.to_mut().push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Result<char, BadJson> {
        let escaped = match self.peek() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b' | 'f') => ' ',
            Some('u') => {
                self.at += 1;
                let digits = self.rest().get(..4).unwrap_or_default();
                let all_hex = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_hexdigit());
                let code = u32::from_str_radix(digits, 16).ok().filter(|_| all_hex);
                let Some(code) = code else {
                    return Err(self.error("expected four hexadecimal digits"));
                };
                self.at += 4;
                // Halves of a surrogate pair mean nothing in a puzzle.
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => return Err(self.error("expected an escape")),
        };
        self.at += 1;
        Ok(escaped)
    }

    /// Steps over any value. Brackets are counted, not matched in kind: what
    /// we skip need only end where it ends.
    fn skip_value(&mut self) -> Result<(), BadJson> {
        let mut depth = 0usize;
        loop {
            self.space();
            match self.peek() {
                Some('"') => drop(self.string()?),
                Some('[' | '{') => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                Some(']' | '}') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(',' | ':') if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                Some(c) if c.is_ascii_alphanumeric() || c == '-' => self.skip_word(),
                _ => return Err(self.error("expected a value")),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// A number, `true`, `false` or `null`.
    fn skip_word(&mut self) {
        let in_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.');
        let start = self.at;
        while self.peek().is_some_and(in_word) {
            self.at += 1;
        }
        debug_assert!(self.at > start, "{}", self.line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_fields_know_quotes_and_columns() {
        let fields = csv_fields("1,\"a \"\"b\"\", c\",,x", ',').unwrap();
        let expected = [(1, "1"), (4, "a \"b\", c"), (16, ""), (17, "x")];
        assert_eq!(fields, expected.map(|(at, text)| (at, text.to_string())));
        assert_eq!(csv_fields("1,\"open", ','), Err(3));
        assert_eq!(csv_fields("", ',').unwrap(), [(1, String::new())]);
    }

    #[test]
    fn the_string_is_found_among_other_members() {
        let line = r#" {"id": -1.5e3, "tags":["a",{"puzzle":"no"},[]], "puzzle" : "1.\u00322\n3", "x":null} "#;
        let (column, text) = json_string(line, "puzzle").unwrap();
        assert_eq!(text, "1.22\n3");
        assert_eq!(line.chars().nth(column - 1), Some('1'));
    }

    #[test]
    fn broken_objects_are_located() {
        let column = |line| json_string(line, "puzzle").unwrap_err().column;
        assert_eq!(column(r#"{"puzzle": 5}"#), 12);
        assert_eq!(column(r#"{"puzzle": "12"#), 15);
        assert_eq!(column(r#"{"other": 1}"#), 1);
        assert_eq!(column(r#"{"puzzle": "1"} x"#), 17);
        assert_eq!(column(r#"{"a": [1, }"#), 12);
        assert_eq!(column("{"), 2);
        assert_eq!(column(r#"{"puzzle": "\q"}"#), 14);
    }
}
