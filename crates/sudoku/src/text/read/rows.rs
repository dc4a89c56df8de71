//! Boards row by row: which lines make a block, and where it ends.

use std::io::BufRead;

use super::super::block::{Blanks, Block};
use super::super::line::{Cells, Token, Value, cells, whole_board};
use super::Puzzles;
use crate::Shape;

impl<R: BufRead> Puzzles<R> {
    /// A line of dashes is a border, unless the board writes its blanks so.
    pub(super) fn take_dashes(&mut self, count: usize) {
        match &self.block {
            Some(block) if block.blanks.dashes && block.shape.side() == count => {
                let text = "-".repeat(count);
                self.take_row(cells(&text), Blanks::default());
            }
            Some(_) => {}
            None => self.dashed.push((self.line, count)),
        }
    }

    /// True if a line of spaces is a row without a clue.
    pub(super) fn take_blank_row(&mut self, text: &str) -> bool {
        let is_row = self.block.as_ref().is_some_and(|block| {
            block.blanks.spaces && text.len() == block.shape.side() && text.trim().is_empty()
        });
        if is_row {
            self.take_row(cells(&".".repeat(text.len())), Blanks::default());
        }
        is_row
    }

    /// Cells of one line: a whole board, a row, or a mistake.
    pub(super) fn take_cells(&mut self, cells: Cells, blanks: Blanks) {
        let count = cells.tokens.len();
        let row_of_block = self.block.as_ref().is_some_and(|block| {
            block.shape.side() == count || cells.apart || Shape::from_cells(count).is_none()
        });
        if row_of_block {
            return self.take_row(cells, blanks);
        }
        // Sixteen cells without space are a small board, or a row of a large
        // one. The lines that follow decide.
        if count == 16 && !cells.apart {
            self.end_rows();
            self.held.push((self.line, cells));
            if self.held.len() == 16 {
                self.settle();
            }
            return;
        }
        self.settle();
        if self.block.is_some() && Shape::from_cells(count).is_none() {
            return self.take_row(cells, blanks);
        }
        match Shape::from_side(count) {
            Some(shape) if cells.apart || Shape::from_cells(count).is_none() => {
                self.end_rows();
                self.open_block(shape, blanks);
                self.take_row(cells, blanks);
            }
            _ => {
                self.end_rows();
                let board = whole_board(&cells.tokens, self.line);
                self.push(self.line, board);
            }
        }
    }

    /// Begins a block, with the rows of dashes just above it if it writes its
    /// blanks so.
    pub(super) fn open_block(&mut self, shape: Shape, blanks: Blanks) {
        let dashed = std::mem::take(&mut self.dashed);
        let here = self.line;
        let above = |nth: usize| here.checked_sub(nth + 1);
        let rows = dashed.iter().rev().enumerate();
        let rows = rows
            .take_while(|(nth, (line, count))| {
                blanks.dashes && above(*nth) == Some(*line) && *count == shape.side()
            })
            .count()
            .min(shape.side() - 1);
        let mut block = Block::new(shape, here - rows);
        for row in 0..rows {
            block.row(&cells(&"-".repeat(shape.side())).tokens, here - rows + row);
        }
        self.block = Some(block);
    }

    pub(super) fn take_row(&mut self, cells: Cells, blanks: Blanks) {
        if let Some(mut block) = self.block.take() {
            block.row(&cells.tokens, self.line);
            block.blanks.dashes |= blanks.dashes;
            block.blanks.spaces |= blanks.spaces;
            if block.rows == block.shape.side() {
                self.push(block.line, block.finish());
            } else {
                self.block = Some(block);
            }
        }
    }

    /// Decides what the lines of sixteen cells were: rows of the large board if
    /// most of them hold a digit that the small one lacks.
    pub(super) fn settle(&mut self) {
        let held = std::mem::take(&mut self.held);
        let large = |(_, cells): &&(usize, Cells)| {
            let large =
                |token: &Token| matches!(token.value, Value::Digit(digit) if digit.get() > 4);
            cells.tokens.iter().any(large)
        };
        let rows = held.iter().filter(large).count() * 2 > held.len();
        let here = self.line;
        for (line, cells) in held {
            if rows {
                self.line = line;
                if self.block.is_none() {
                    self.block = Some(Block::new(Shape::Four, line));
                }
                self.take_row(cells, Blanks::default());
            } else {
                let board = whole_board(&cells.tokens, line);
                self.push(line, board);
            }
        }
        self.line = here;
    }

    /// An empty line ends a block, unless it parts its bands.
    pub(super) fn empty_line(&mut self) {
        self.settle();
        if !self.block.as_mut().is_some_and(Block::parts_bands) {
            self.end_rows();
        }
    }

    pub(super) fn end_block(&mut self) {
        self.settle();
        self.end_rows();
    }

    pub(super) fn end_rows(&mut self) {
        if let Some(block) = self.block.take() {
            self.push(block.line, block.finish());
        }
    }
}
