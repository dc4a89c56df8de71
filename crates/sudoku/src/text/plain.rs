//! The commonest lines of all, at the speed of memory.
//!
//! Most puzzles of this world stand in long lists, 81 symbols a line or in a
//! field of a record without quotes. Such a line needs no search for its format
//! and no grid on the heap: its cells are taken straight out of the reader's
//! buffer, without a branch for each symbol.

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
    let careful = |byte: u8| matches!(byte, 0 | b'\n' | b'"' | 128..);
    let end = bytes.iter().position(|byte| careful(*byte))?;
    let (record, rest) = bytes.split_at(end);
    let record = record.strip_suffix(b"\r").unwrap_or(record);
    let symbols = record
        .split(|byte| char::from(*byte) == separator)
        .nth(field)?;
    let plain = rest[0] == b'\n' && read_cells(symbols.try_into().ok()?, cells);
    plain.then_some(end + 1)
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
}
