//! What the papers printed: their puzzles and figures, as data.

pub mod blocks;
pub mod csp;
