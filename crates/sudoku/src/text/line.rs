//! One line of text, taken apart into cells.
//!
//! A cell is a symbol, or a number where a separator or white space sets cells
//! apart. Bars between boxes are dropped; whole lines that only draw the
//! border are recognised and carry no cells. Nothing here knows which board
//! the cells belong to: that takes more than one line.

use super::error::{Problem, TextError};
use crate::{Digit, Grid, Shape};

/// One cell as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// The character within the line, counted from 1.
    pub column: usize,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Blank,
    Digit(Digit),
    Bad(String),
}

/// A line as a sequence of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    pub tokens: Vec<Token>,
    /// Bars, commas or white space set the cells apart, so that sixteen of
    /// them are a row of the large board and not a small board in one line.
    pub apart: bool,
}

/// The line up to a `#`, which no board contains: the rest is remark.
pub(super) fn without_remark(line: &str) -> &str {
    line.find('#').map_or(line, |at| &line[..at])
}

/// True for lines that only draw: `+---+---+`, `*-----*`, `├───┼───┤`.
pub(super) fn is_border(line: &str) -> bool {
    let draws = line.contains("--")
        || line.contains("==")
        || line.chars().any(|c| matches!(c, '─' | '━' | '═'));
    draws
        && line.chars().all(|c| {
            c.is_whitespace()
                || matches!(c, '-' | '+' | '*' | '|' | '=' | '.' | ':' | '\'')
                || ('\u{2500}'..='\u{257f}').contains(&c)
        })
}

/// Takes a line apart.
pub(super) fn cells(line: &str) -> Cells {
    [',', ';', '\t']
        .into_iter()
        .find_map(|separator| separated(line, separator))
        .unwrap_or_else(|| spaced(line))
}

/// `5,3,,,7,,,,`: cells set apart by a separator, nothing meaning blank. `None`
/// if the fields do not make a board or a row.
fn separated(line: &str, separator: char) -> Option<Cells> {
    if !line.contains(separator) {
        return None;
    }
    let mut fields = columns_of(line, |c| c == separator);
    // A separator may end the line as well as part its cells.
    let ends_in_separator = fields
        .last()
        .is_some_and(|(_, last)| last.trim().is_empty());
    if ends_in_separator && !makes_sense(fields.len()) {
        fields.pop();
    }
    let short = |(_, field): &(usize, &str)| field.trim().chars().count() <= 2;
    if makes_sense(fields.len()) && fields.iter().all(short) {
        let tokens = fields
            .into_iter()
            .map(|(column, field)| {
                let lead = field.chars().take_while(|c| c.is_whitespace()).count();
                token(column + lead, field.trim())
            })
            .collect();
        return Some(Cells {
            tokens,
            apart: true,
        });
    }
    // A whole board, then remarks of any kind.
    let (_, first) = columns_of(line, |c| c == separator).swap_remove(0);
    let board = spaced(first);
    Shape::from_cells(board.tokens.len()).map(|_| board)
}

/// `53..7....`, `5 3 . | . 7 .`, `10 . 16 2`: cells with or without space.
fn spaced(line: &str) -> Cells {
    let parts = |c: char| c.is_whitespace() || is_bar(c);
    let words: Vec<(usize, &str)> = columns_of(line, parts)
        .into_iter()
        .filter(|(_, word)| !word.is_empty())
        .collect();
    let is_number = |word: &str| word.parse::<u8>().is_ok_and(|n| (10..=25).contains(&n));
    let numbers = matches!(words.len(), 16 | 25)
        && words.iter().all(|(_, word)| word.chars().count() <= 2)
        && words.iter().any(|(_, word)| is_number(word));
    let lone = words.len() > 1 && words.iter().all(|(_, word)| word.chars().count() == 1);
    let tokens = if numbers {
        words
            .into_iter()
            .map(|(column, word)| token(column, word))
            .collect()
    } else {
        let symbols = words.into_iter().flat_map(|(column, word)| {
            word.char_indices()
                .enumerate()
                .map(move |(nth, (at, c))| (column + nth, &word[at..at + c.len_utf8()]))
        });
        symbols.map(|(column, word)| token(column, word)).collect()
    };
    Cells {
        tokens,
        apart: numbers || lone || line.contains(is_bar),
    }
}

/// A whole board, if the cells are as many as one has.
pub(super) fn whole_board(tokens: &[Token], line: usize) -> Result<Grid, TextError> {
    let Some(shape) = Shape::from_cells(tokens.len()) else {
        return Err(TextError {
            line,
            column: tokens.first().map_or(1, |token| token.column),
            problem: Problem::WrongLength {
                found: tokens.len(),
            },
        });
    };
    let mut grid = Grid::empty(shape);
    for (cell, token) in shape.all_cells().zip(tokens) {
        let place = (shape.row(cell) + 1, shape.column(cell) + 1);
        grid.set(cell, token.on(shape, line, place)?);
    }
    Ok(grid)
}

impl Token {
    /// What the cell holds on a board of this shape; `place` is its row and
    /// column there, counted from 1.
    pub fn on(
        &self,
        shape: Shape,
        line: usize,
        place: (usize, usize),
    ) -> Result<Option<Digit>, TextError> {
        let symbol = match &self.value {
            Value::Blank => return Ok(None),
            Value::Digit(digit) if digit.index() < shape.side() => return Ok(Some(*digit)),
            Value::Digit(digit) => digit.to_string(),
            Value::Bad(text) => text.clone(),
        };
        Err(TextError {
            line,
            column: self.column,
            problem: Problem::BadSymbol {
                row: place.0,
                column: place.1,
                side: shape.side(),
                symbol,
            },
        })
    }
}

fn makes_sense(cells: usize) -> bool {
    Shape::from_side(cells).is_some() || Shape::from_cells(cells).is_some()
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

/// The pieces between separators, with the column each begins at.
fn columns_of(line: &str, separates: impl Fn(char) -> bool) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let (mut start, mut start_column) = (0, 1);
    for (column, (at, c)) in line.char_indices().enumerate() {
        if separates(c) {
            pieces.push((start_column, &line[start..at]));
            (start, start_column) = (at + c.len_utf8(), column + 2);
        }
    }
    pieces.push((start_column, &line[start..]));
    pieces
}

/// A symbol, or a number of two figures.
fn token(column: usize, text: &str) -> Token {
    let mut symbols = text.chars();
    let value = match (symbols.next(), symbols.next()) {
        (None | Some('.' | '0' | '*' | '_' | 'x' | 'X'), None) => Value::Blank,
        (Some(c @ '1'..='9'), None) => digit(c as u8 - b'0', text),
        (Some(c @ 'A'..='P'), None) => digit(c as u8 - b'A' + 10, text),
        (Some(c @ 'a'..='p'), None) => digit(c as u8 - b'a' + 10, text),
        (Some('1' | '2'), Some('0'..='9')) => digit(text.parse().unwrap_or(0), text),
        _ => Value::Bad(text.to_string()),
    };
    Token { column, value }
}

fn digit(value: u8, text: &str) -> Value {
    Digit::new(value).map_or_else(|| Value::Bad(text.to_string()), Value::Digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, symbols: &str, apart: bool) {
        let found = cells(line);
        let text: String = found
            .tokens
            .iter()
            .map(|token| match &token.value {
                Value::Blank => ".".to_string(),
                Value::Digit(digit) => digit.to_string(),
                Value::Bad(bad) => format!("<{bad}>"),
            })
            .collect();
        assert_eq!((text.as_str(), found.apart), (symbols, apart), "{line:?}");
    }

    #[test]
    fn bars_spaces_and_separators_fall_away() {
        check("53..7....", "53..7....", false);
        check("53.|.7.|...", "53..7....", true);
        check("| 5 3 0 | 0 7 0 | 0 0 0 |", "53..7....", true);
        check("5,3,,,7,,,,", "53..7....", true);
        check("5,3,.,.,7,.,.,.,.,", "53..7....", true);
        check("5\t3\t\t\t7\t\t\t\t", "53..7....", true);
        check("\t\t\t\t\t\t\t\t", ".........", true);
        check(
            "1 . . 2 10 . 16 . . . . . . . . G",
            "1..2A.G........G",
            true,
        );
        check("12.z", "12.<z>", false);
    }

    #[test]
    fn columns_are_counted_in_characters_of_the_line() {
        let columns = |line| {
            let tokens = cells(line).tokens;
            tokens.iter().map(|token| token.column).collect::<Vec<_>>()
        };
        assert_eq!(columns("│ 1 2 │ 3 4 │"), [3, 5, 9, 11]);
        assert_eq!(columns("1, 2,,4"), [1, 4, 6, 7]);
    }

    #[test]
    fn borders_are_not_rows() {
        for border in ["---+---+---", "*-----------*", "├───┼───┤", ".-----.-----."]
        {
            assert!(is_border(border), "{border}");
        }
        for row in [".........", "*********", "|...|...|...|", "1--2"] {
            assert!(!is_border(row), "{row}");
        }
    }
}
