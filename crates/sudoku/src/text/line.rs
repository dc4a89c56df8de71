//! One line of text, taken apart into cells.
//!
//! A cell is a symbol, or a number where a separator or white space sets cells
//! apart. Bars between boxes are dropped; whole lines that only draw the
//! border are recognised and carry no cells. Nothing here knows which board
//! the cells belong to: that takes more than one line.

use super::error::{TextError, TextProblem};
use super::notes::{Content, Sheet};
use crate::{Candidates, Digit, Shape};

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
    /// Several digits, any of which may stand here.
    Marks(Candidates),
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
    if let Some(tokens) = pencil_marks(&words) {
        return Cells {
            tokens,
            apart: true,
        };
    }
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

/// `5 13 | 4789`: words of ascending digits, as many as a row or a board has
/// cells. Rows of a solution, nine words of nine digits, do not ascend.
fn pencil_marks(words: &[(usize, &str)]) -> Option<Vec<Token>> {
    let small = |shape: &Shape| shape.side() <= 9;
    let shape = Shape::from_side(words.len()).or(Shape::from_cells(words.len()));
    let side = shape.filter(small)?.side();
    if words.iter().all(|(_, word)| word.len() == 1) {
        return None;
    }
    let token = |(column, word): &(usize, &str)| {
        let symbols = word.as_bytes();
        let last = b'0' + side as u8;
        let ascends = symbols.is_sorted_by(|a, b| a < b);
        let marks = ascends && symbols.iter().all(|symbol| (b'1'..=last).contains(symbol));
        match symbols {
            [_] => Some(token(*column, word)),
            _ if marks => {
                let bit = |bits, symbol: &u8| bits | 1 << (symbol - b'1');
                let value = Value::Marks(Candidates(symbols.iter().fold(0, bit)));
                Some(Token {
                    column: *column,
                    value,
                })
            }
            _ => None,
        }
    };
    words.iter().map(token).collect()
}

/// How many dashes the line has, if it has nothing else.
pub(super) fn only_dashes(line: &str) -> Option<usize> {
    (line.starts_with('-') && line.bytes().all(|byte| byte == b'-')).then_some(line.len())
}

/// The left of two boards drawn beside each other with lines: the puzzle, if
/// its solution stands to the right.
pub(super) fn left_of_two(line: &str) -> &str {
    let gap = |(at, bar): (usize, &str)| {
        let rest = &line[at + bar.len()..];
        let next = rest.trim_start();
        (next.len() + 1 < rest.len() && next.starts_with(['│', '┃', '║']))
            .then_some(&line[..at + bar.len()])
    };
    let bars = line.match_indices(['│', '┃', '║']);
    bars.filter_map(gap).next().unwrap_or(line)
}

/// `53  7    `: digits, each in its column, spaces for blanks. A line may be
/// read so if it makes a row or a board no other way. `known` is the board it
/// would belong to; in one written `spaced` so far, a line may end early.
pub(super) fn spaces_as_blanks(line: &str, known: Option<Shape>, spaced: bool) -> Option<Cells> {
    let width = line.len();
    let plain = |byte: u8| byte == b' ' || byte.is_ascii_digit();
    if !line.bytes().all(plain) || !line.contains(' ') || line.trim().is_empty() {
        return None;
    }
    let digits = line.bytes().filter(u8::is_ascii_digit).count();
    let row = match known {
        Some(shape) => width == shape.side() || spaced && width < shape.side(),
        None => matches!(width, 6 | 9),
    };
    let board = known.is_none() && matches!(width, 36 | 81);
    let otherwise = match known {
        Some(shape) => digits == shape.side(),
        None => makes_sense(digits),
    };
    if otherwise || !(row || board) {
        return None;
    }
    let missing = known.map_or(0, |shape| shape.side() - width.min(shape.side()));
    let symbols = line.bytes().chain(std::iter::repeat_n(b' ', missing));
    let tokens = symbols.enumerate().map(|(at, byte)| match byte {
        b' ' => token(at + 1, "."),
        _ => token(at + 1, char::from(byte).encode_utf8(&mut [0; 4])),
    });
    Some(Cells {
        tokens: tokens.collect(),
        apart: row,
    })
}

/// A whole board, if the cells are as many as one has; or the candidates of
/// one, a symbol for each.
pub(super) fn whole_board(tokens: &[Token], line: usize) -> Result<Sheet, TextError> {
    let in_cube = |shape: &Shape| shape.side() <= 9 && shape.side().pow(3) == tokens.len();
    if let Some(shape) = Shape::ALL.into_iter().find(in_cube) {
        return candidates_of_board(shape, tokens, line);
    }
    let Some(shape) = Shape::from_cells(tokens.len()) else {
        return Err(TextError {
            line,
            column: tokens.first().map_or(1, |token| token.column),
            problem: TextProblem::WrongLength {
                found: tokens.len(),
            },
        });
    };
    let mut sheet = Sheet::new(shape);
    for (cell, token) in shape.all_cells().zip(tokens) {
        let place = (shape.row(cell) + 1, shape.column(cell) + 1);
        sheet.put(cell, token.on(shape, line, place)?);
    }
    Ok(sheet)
}

/// `1..4..7..` and so on for every cell: each digit in its place, or a blank.
fn candidates_of_board(shape: Shape, tokens: &[Token], line: usize) -> Result<Sheet, TextError> {
    let mut sheet = Sheet::new(shape);
    for (cell, tokens) in shape.all_cells().zip(tokens.chunks(shape.side())) {
        let mut marks = Candidates::default();
        for (digit, token) in shape.digits().zip(tokens) {
            match &token.value {
                Value::Blank => {}
                Value::Digit(found) if *found == digit => marks = marks.with(digit),
                other => {
                    return Err(TextError {
                        line,
                        column: token.column,
                        problem: TextProblem::BadCandidate {
                            row: shape.row(cell) + 1,
                            column: shape.column(cell) + 1,
                            expected: digit.symbol(),
                            found: match other {
                                Value::Digit(found) => found.to_string(),
                                Value::Bad(text) => text.clone(),
                                _ => "several digits".to_string(),
                            },
                        },
                    });
                }
            }
        }
        sheet.put(cell, Content::Marks(marks));
    }
    Ok(sheet)
}

impl Token {
    /// What the cell holds on a board of this shape; `place` is its row and
    /// column there, counted from 1.
    pub fn on(
        &self,
        shape: Shape,
        line: usize,
        place: (usize, usize),
    ) -> Result<Content, TextError> {
        let symbol = match &self.value {
            Value::Blank => return Ok(Content::Blank),
            Value::Marks(marks) => return Ok(Content::Marks(*marks)),
            Value::Digit(digit) if digit.index() < shape.side() => {
                return Ok(Content::Digit(*digit));
            }
            Value::Digit(digit) => digit.to_string(),
            Value::Bad(text) => text.clone(),
        };
        Err(TextError {
            line,
            column: self.column,
            problem: TextProblem::BadSymbol {
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
        (None | Some('.' | '0' | '*' | '_' | 'x' | 'X' | '-' | '?' | '·'), None) => Value::Blank,
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
                Value::Marks(marks) => format!("({})", marks.len()),
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
