//! The commonest lines of all, at the speed of memory.
//!
//! Most puzzles of this world stand in long lists, 81 symbols a line, in a field
//! of a record without quotes or in a string of a flat JSON object. Such a line
//! needs no search for its format and no grid on the heap: its cells are taken
//! straight out of the reader's buffer, without a branch for each symbol.

use crate::native::Cells;

/// How many symbols a plain line has.
const CELLS: usize = 81;

/// Reads the plain line at the beginning of the bytes; how many bytes it takes
/// with its end. `None` if what stands there is anything else, or the end of
/// the line is not in sight: then the cells are of no use.
#[inline]
pub(super) fn plain_line(bytes: &[u8], cells: &mut Cells) -> Option<usize> {
    let (symbols, rest) = bytes.split_first_chunk::<CELLS>()?;
    let end = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    read_cells(symbols, cells).then_some(CELLS + end)
}

/// Reads a CSV record with 81 symbols in this field, counted from 0.
/// `None` as well if anything in the record asks for more care.
#[inline]
pub(super) fn plain_record(
    bytes: &[u8],
    field: usize,
    separator: char,
    cells: &mut Cells,
) -> Option<usize> {
    let end = line_end(bytes)?;
    let record = &bytes[..end];
    // All bytes are looked at, whatever is found: that is faster than to stop.
    let careful = |found, byte: &u8| found | matches!(byte, 0 | b'"' | 128..);
    if record.iter().fold(false, careful) {
        return None;
    }
    let record = record.strip_suffix(b"\r").unwrap_or(record);
    let symbols = record
        .split(|byte| char::from(*byte) == separator)
        .nth(field)?;
    read_cells(symbols.try_into().ok()?, cells).then_some(end + 1)
}

/// Where the line ends, sought in pieces.
#[inline]
fn line_end(bytes: &[u8]) -> Option<usize> {
    const PIECE: usize = 32;
    let ends = |byte: &u8| *byte == b'\n';
    let pieces = bytes.as_chunks::<PIECE>().0;
    let nth = pieces
        .iter()
        .position(|piece| piece.iter().fold(false, |found, byte| found | ends(byte)));
    let start = PIECE * nth.unwrap_or(pieces.len());
    let within = bytes[start..].iter().position(ends)?;
    Some(start + within)
}

/// Reads a JSON object in a line of its own, with 81 symbols as `puzzle`. `None`
/// as well if anything in it asks for more care: escapes, brackets, anything but
/// ASCII, a second puzzle.
#[inline]
pub(super) fn plain_object(bytes: &[u8], cells: &mut Cells) -> Option<usize> {
    let mut rest = skip(bytes.strip_prefix(b"{")?);
    let mut found = false;
    loop {
        let (name, after) = string(rest)?;
        rest = skip(skip(after).strip_prefix(b":")?);
        if name == b"puzzle" {
            let symbols = rest.strip_prefix(b"\"")?;
            let (symbols, after) = symbols.split_first_chunk::<CELLS>()?;
            if found || !read_cells(symbols, cells) {
                return None;
            }
            (found, rest) = (true, after.strip_prefix(b"\"")?);
        } else if let [b'"', ..] = rest {
            rest = string(rest)?.1;
        } else {
            rest = word(rest)?;
        }
        match skip(rest) {
            [b',', after @ ..] => rest = skip(after),
            [b'}', after @ ..] => {
                let after = skip(after);
                let after = after.strip_prefix(b"\r").unwrap_or(after);
                let after = after.strip_prefix(b"\n").filter(|_| found)?;
                return Some(bytes.len() - after.len());
            }
            _ => return None,
        }
    }
}

/// What comes after blanks.
#[inline]
fn skip(bytes: &[u8]) -> &[u8] {
    let blanks = bytes.iter().take_while(|byte| **byte == b' ');
    &bytes[blanks.count()..]
}

/// A JSON string without escapes, and what comes after it.
#[inline]
fn string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let bytes = bytes.strip_prefix(b"\"")?;
    let careful = |byte: &u8| matches!(byte, ..32 | b'"' | b'\\' | 127..);
    let (text, rest) = bytes.split_at(bytes.iter().position(careful)?);
    Some((text, rest.strip_prefix(b"\"")?))
}

/// What comes after a number without exponent, `true`, `false` or `null`.
#[inline]
fn word(bytes: &[u8]) -> Option<&[u8]> {
    for word in [b"true".as_slice(), b"false", b"null"] {
        if let Some(rest) = bytes.strip_prefix(word) {
            return Some(rest);
        }
    }
    let (whole, rest) = digits(bytes.strip_prefix(b"-").unwrap_or(bytes))?;
    let zeros = whole.len() > 1 && whole[0] == b'0';
    let rest = match rest {
        [b'.', part @ ..] => digits(part)?.1,
        _ => rest,
    };
    (!zeros).then_some(rest)
}

/// One digit or more, and what comes after them.
#[inline]
fn digits(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| !byte.is_ascii_digit())?;
    (end > 0).then_some(bytes.split_at(end))
}

/// The same symbols that [`Grid`](crate::Grid) reads, but for `-`, of which a
/// line may be a border; false if there are others.
#[inline]
fn read_cells(symbols: &[u8; CELLS], cells: &mut Cells) -> bool {
    let mut bad = false;
    for (cell, symbol) in cells.iter_mut().zip(symbols) {
        let digit = symbol.wrapping_sub(b'0');
        let is_digit = digit <= 9;
        let is_blank = matches!(symbol, b'.' | b'*' | b'_' | b'x' | b'X' | b'?');
        *cell = if is_digit { digit } else { 0 };
        bad |= !(is_digit | is_blank);
    }
    !bad
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, native};

    fn plain_line(bytes: &[u8]) -> Option<(Cells, usize)> {
        let mut cells = [0; CELLS];
        super::plain_line(bytes, &mut cells).map(|bytes| (cells, bytes))
    }

    #[test]
    fn every_symbol_means_what_it_means_in_a_grid() {
        for symbol in (0..=255u8).filter(|symbol| *symbol != b'-') {
            let mut line = [b'.'; 82];
            (line[40], line[81]) = (symbol, b'\n');
            let grid: Option<Grid> = std::str::from_utf8(&line[..81])
                .ok()
                .and_then(|text| text.parse().ok());
            let expected = grid.as_ref().and_then(native::to_cells);
            assert_eq!(plain_line(&line).map(|(cells, _)| cells), expected);
        }
    }

    #[test]
    fn a_line_without_its_end_is_not_taken() {
        let line = [b'1'; 90];
        assert_eq!(plain_line(&line[..81]), None);
        assert_eq!(plain_line(&line), None);
        let mut line = line;
        line[81] = b'\r';
        assert_eq!(plain_line(&line), None);
        line[82] = b'\n';
        assert_eq!(plain_line(&line), Some(([1; 81], 83)));
    }

    #[test]
    fn a_record_is_taken_only_if_nothing_in_it_needs_care() {
        let board = "1".repeat(CELLS);
        let taken = |record: &str, field| {
            let mut cells = [0; CELLS];
            plain_record(record.as_bytes(), field, ',', &mut cells).map(|bytes| (cells[80], bytes))
        };
        assert_eq!(taken(&format!("{board},x\n"), 0), Some((1, 84)));
        assert_eq!(taken(&format!("7,{board}\r\nnext"), 1), Some((1, 85)));
        assert_eq!(taken(&format!("{board}\n"), 0), Some((1, 82)));
        for odd in [
            "{},x",
            "{},\"x\"\n",
            "{},\u{e9}\n",
            "{},\0\n",
            "x,{}\n",
            "{}1,x\n",
        ] {
            assert_eq!(taken(&odd.replace("{}", &board), 0), None, "{odd:?}");
        }
        assert_eq!(taken(&format!("{board}\n"), 1), None);
    }

    #[test]
    fn an_object_is_taken_only_if_nothing_in_it_needs_care() {
        let board = "1".repeat(CELLS);
        let taken = |object: &str| {
            let mut cells = [0; CELLS];
            let object = object.replace("{}", &board) + "\n";
            let bytes = plain_object(object.as_bytes(), &mut cells)?;
            (bytes == object.len()).then_some(cells[80])
        };
        for plain in [
            r#"{"puzzle":"{}"}"#,
            r#"{ "id" : -1.5, "n": 10, "name": "a b", "puzzle": "{}", "x":null } "#,
            "{\"puzzle\":\"{}\"}\r",
        ] {
            assert_eq!(taken(plain), Some(1), "{plain}");
        }
        for odd in [
            r#"{"puzzle":"{}1"}"#,
            r#"{"puzzle":"{}","puzzle":"{}"}"#,
            r#"{"puzzle":"{}","a":[1]}"#,
            r#"{"puzzle":"{}","a":"\n"}"#,
            r#"{"puzzle":"{}","a":"é"}"#,
            r#"{"puzzle":"{}",}"#,
            r#"{"puzzle":"{}"} x"#,
            r#"{"quiz":"{}"}"#,
            r#"{"puzzle":"{}""#,
            r#"{"a":.5,"puzzle":"{}"}"#,
            r#"{"a":5.,"puzzle":"{}"}"#,
            r#"{"a":05,"puzzle":"{}"}"#,
            r#"{"a":1e9,"puzzle":"{}"}"#,
            r#"{"a":nul,"puzzle":"{}"}"#,
            r#"{"a":nulls,"puzzle":"{}"}"#,
            r#"{"a":,"puzzle":"{}"}"#,
            "{}",
            "",
        ] {
            assert_eq!(taken(odd), None, "{odd}");
        }
    }
}
