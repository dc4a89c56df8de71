//! Any bytes, read as a proof of what is not true.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| planoku_workbench::readers::check_proof(bytes));
