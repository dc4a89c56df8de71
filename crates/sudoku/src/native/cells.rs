//! How a 9x9 board is passed around: by cell, and by digit.

/// A 9x9 board, row by row. What is not a digit from 1 to 9 is a blank.
pub type Cells = [u8; 81];

/// The places left for each digit, by band.
pub(super) type ByDigit = [[u32; 9]; 3];
