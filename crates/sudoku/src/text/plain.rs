//! The commonest line of all, at the speed of memory.
//!
//! Most puzzles of this world stand in long lists, 81 symbols a line. Such a
//! line needs no search for its format and no grid on the heap: its cells are
//! taken straight out of the reader's buffer, without a branch for each symbol.

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

/// The same symbols that [`Grid`](crate::Grid) reads; false if there are others.
#[inline]
fn read_cells(symbols: &[u8; CELLS], cells: &mut Cells) -> bool {
    let mut bad = false;
    for (cell, symbol) in cells.iter_mut().zip(symbols) {
        let digit = symbol.wrapping_sub(b'0');
        let is_digit = digit <= 9;
        let is_blank = matches!(symbol, b'.' | b'*' | b'_' | b'x' | b'X');
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
        for symbol in 0..=255u8 {
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
}
