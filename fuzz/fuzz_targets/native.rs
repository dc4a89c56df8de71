//! Boards of any kind through every path of the native engine.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| planoku_sudoku::check_solving(bytes));
