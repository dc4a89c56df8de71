//! A random planning problem, chosen by the bytes, for every planner.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| planoku_torture::case::check_bytes(bytes));
