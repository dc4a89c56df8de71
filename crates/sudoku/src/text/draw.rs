//! A board drawn with lines, for people to look at.
//!
//! ```text
//! ┌─────┬─────┐
//! │ 1 · │ · 4 │
//! │ · 3 │ 1 · │
//! ├─────┼─────┤
//! │ · · │ · · │
//! │ · 4 │ · · │
//! └─────┴─────┘
//! ```
//!
//! How clues and found digits differ is the caller's business: [`draw`] hands
//! each cell with its [`Layer`] to a painter, so that this file knows nothing
//! of terminals and colours.

use crate::{Cell, Digit, Grid};

/// Where the content of a drawn cell comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Given with the puzzle.
    Clue,
    /// Found by an engine.
    Found,
    /// Nothing yet.
    Blank,
}

/// Draws a board: `puzzle` says which digits are clues, `content` what stands
/// in the cells. `paint` is given one symbol at a time and returns it as it
/// shall appear; it must not change the visible width.
///
/// ```
/// use planoku_sudoku::{Grid, text::draw};
///
/// let puzzle: Grid = "1..4............".parse().unwrap();
/// let drawing = draw(&puzzle, &puzzle, |_, _, symbol| symbol.to_string());
/// assert!(drawing.starts_with("┌─────┬─────┐\n│ 1 · │ · 4 │\n"));
/// ```
pub fn draw(
    puzzle: &Grid,
    content: &Grid,
    mut paint: impl FnMut(Cell, Layer, char) -> String,
) -> String {
    let shape = content.shape();
    let across = shape.side() / shape.box_columns();
    let segment = "─".repeat(2 * shape.box_columns() + 1);
    let rule = |left, middle, right| {
        format!(
            "{left}{}{right}\n",
            vec![segment.as_str(); across].join(middle)
        )
    };
    let mut drawing = rule("┌", "┬", "┐");
    for row in 0..shape.side() {
        if row > 0 && row % shape.box_rows() == 0 {
            drawing += &rule("├", "┼", "┤");
        }
        for column in 0..shape.side() {
            if column % shape.box_columns() == 0 {
                drawing += "│ ";
            }
            let cell = shape.cell(row, column);
            let (layer, symbol) = layer(puzzle, content, cell);
            drawing += &paint(cell, layer, symbol);
            drawing += " ";
        }
        drawing += "│\n";
    }
    drawing + &rule("└", "┴", "┘")
}

pub(super) fn layer(puzzle: &Grid, content: &Grid, cell: Cell) -> (Layer, char) {
    let clue = puzzle.shape() == content.shape() && puzzle.get(cell).is_some();
    match content.get(cell).map(Digit::symbol) {
        Some(symbol) if clue => (Layer::Clue, symbol),
        Some(symbol) => (Layer::Found, symbol),
        None => (Layer::Blank, '·'),
    }
}

/// Two drawings beside each other, where `left_width` is how wide the left one
/// appears (its paint does not count).
pub fn beside(left: &str, right: &str, left_width: usize, gap: &str) -> String {
    let mut lines = String::new();
    let (mut lefts, mut rights) = (left.lines(), right.lines());
    loop {
        match (lefts.next(), rights.next()) {
            (None, None) => return lines,
            (left, right) => {
                let padded = left.map_or(" ".repeat(left_width), str::to_string);
                lines += padded.as_str();
                lines += gap;
                lines += right.unwrap_or("");
                lines += "\n";
            }
        }
    }
}
