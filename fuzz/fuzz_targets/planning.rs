//! Any bytes, read as a planning domain and problem.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| planoku_workbench::readers::check_planning(bytes));
