//! Lines of HoDoKu's library: a position, and what it is an example of.
//!
//! ```text
//! :0708:9:1.+2…:511 528:999::a remark
//!  code
//!       digits
//!         the board, `+` before entries
//!               candidates struck so far: digit, row, column
//!                       what the example strikes, sets, and remarks
//! ```

use super::error::{TextError, TextProblem};
use super::line::{Token, cells};
use super::notes::Sheet;
use crate::{Candidates, Cell, Digit, Grid, Shape};

/// Reads a line of the library; `None` if it is none.
pub(super) fn read(line: &str, number: usize) -> Option<Result<Sheet, TextError>> {
    let inner = line.trim_start().strip_prefix(':')?;
    let lead = line[..line.len() - inner.len()].chars().count();
    let mut fields = Vec::new();
    let mut column = lead + 1;
    for field in inner.split(':') {
        fields.push((column, field));
        column += field.chars().count() + 1;
    }
    let (board, struck) = match fields[..] {
        [_, _, board, struck, ..] => (board, struck),
        [_, _, board] => (board, (column, "")),
        _ => return None,
    };
    Some(position(board, struck, number))
}

fn position(
    (column, board): (usize, &str),
    struck: (usize, &str),
    line: usize,
) -> Result<Sheet, TextError> {
    // A `+` marks the cell that follows; the others are told as usual.
    let mut entered = Vec::new();
    let mut tokens: Vec<Token> = Vec::new();
    let mut plus = false;
    for (at, symbol) in board.chars().enumerate() {
        if symbol == '+' {
            plus = true;
            continue;
        }
        let cell = cells(symbol.encode_utf8(&mut [0; 4])).tokens;
        for token in cell {
            entered.push(std::mem::replace(&mut plus, false));
            tokens.push(Token {
                column: column + at,
                ..token
            });
        }
    }
    let grid = super::line::whole_board(&tokens, line)?;
    let mut sheet = Sheet::new(grid.grid().shape());
    for ((cell, content), entered) in grid
        .grid()
        .shape()
        .all_cells()
        .zip(grid.grid().cells())
        .zip(entered)
    {
        match content {
            Some(digit) if entered => sheet.enter(cell, *digit),
            Some(digit) => sheet.put(cell, super::notes::Content::Digit(*digit)),
            None => {}
        }
    }
    strike(&mut sheet, struck, line)?;
    Ok(sheet)
}

/// Notes every candidate that the digits allow but those struck out.
fn strike(
    sheet: &mut Sheet,
    (column, struck): (usize, &str),
    line: usize,
) -> Result<(), TextError> {
    let shape = sheet.grid().shape();
    let mut left: Vec<Candidates> = shape
        .all_cells()
        .map(|cell| sheet.grid().candidates(cell))
        .collect();
    let mut at = column;
    for word in struck.split(' ') {
        if !word.is_empty() {
            let (digit, cell) = candidate(shape, word).ok_or_else(|| TextError {
                line,
                column: at,
                problem: TextProblem::BadStruck {
                    found: word.to_string(),
                },
            })?;
            left[cell.index()] = left[cell.index()].without(digit);
        }
        at += word.chars().count() + 1;
    }
    let blanks: Vec<Cell> = sheet.grid().blanks().collect();
    if !struck.trim().is_empty() {
        for cell in blanks {
            sheet.mark(cell, left[cell.index()]);
        }
    }
    Ok(())
}

/// `527`: the 5 in row 2, column 7.
fn candidate(shape: Shape, word: &str) -> Option<(Digit, Cell)> {
    let [digit, row, column] = <[u8; 3]>::try_from(word.as_bytes()).ok()?;
    let value = |byte: u8| byte.checked_sub(b'0').filter(|n| (1..=9).contains(n));
    let line = |byte: u8| {
        value(byte)
            .map(|n| usize::from(n) - 1)
            .filter(|n| *n < shape.side())
    };
    let digit = Digit::new(value(digit)?).filter(|digit| digit.index() < shape.side())?;
    Some((digit, shape.cell(line(row)?, line(column)?)))
}

/// A position as a line of the library: `clues` are the digits that were given,
/// `grid` those that stand, `marks` the candidates left in blank cells.
///
/// ```
/// use planoku_sudoku::{Candidates, Digit, Grid, text};
///
/// let grid: Grid = "12..............".parse().unwrap();
/// let three = Digit::new(3).unwrap();
/// let line = text::library_line(&grid, &grid, |cell| match cell.index() {
///     2 => Candidates::only(three),
///     _ => grid.candidates(cell),
/// });
/// assert_eq!(line, ":0000:x:12..............:413:::");
/// ```
pub fn library_line(clues: &Grid, grid: &Grid, marks: impl Fn(Cell) -> Candidates) -> String {
    let shape = grid.shape();
    let board: String = shape
        .all_cells()
        .map(|cell| match grid.get(cell) {
            Some(digit) if clues.get(cell).is_none() => format!("+{digit}"),
            Some(digit) => digit.to_string(),
            None => ".".to_string(),
        })
        .collect();
    let mut struck = Vec::new();
    for cell in grid.blanks() {
        let gone = grid
            .candidates(cell)
            .iter()
            .filter(|digit| !marks(cell).contains(*digit));
        struck.extend(
            gone.map(|digit| format!("{digit}{}{}", shape.row(cell) + 1, shape.column(cell) + 1)),
        );
    }
    format!(":0000:x:{board}:{}:::", struck.join(" "))
}
