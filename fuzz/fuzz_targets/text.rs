//! Any bytes, read as puzzles.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| planoku_sudoku::text::check_reading(bytes));
