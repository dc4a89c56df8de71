//! The board's symmetries and its text formats.

mod symmetry;
mod text;
