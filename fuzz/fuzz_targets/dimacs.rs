//! Any bytes, read as a formula.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| planoku_workbench::readers::check_dimacs(bytes));
