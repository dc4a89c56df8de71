//! Any bytes, read as a domain followed by a problem, checked and laid out.
#![no_main]

use planoku_language::{layout, lint, syntax::Tree};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let problem = b"(define (problem";
    let at = bytes.windows(problem.len()).position(|window| window == problem);
    let (domain, problem) = bytes.split_at(at.unwrap_or(bytes.len()));
    let domain = Tree::read_bytes(domain.to_vec(), 0);
    let problem = Tree::read_bytes(problem.to_vec(), 1);
    lint::check(&domain, Some(&problem), Default::default(), Default::default());
    if let Ok(text) = layout::format(&domain) {
        assert_eq!(layout::format(&Tree::read(text.as_str(), 0)), Ok(text));
    }
});
