//! Any bytes through every reader: the bodies of the fuzz targets.
//!
//! Each function panics if a reader breaks a promise. The targets in `fuzz/`
//! call them with whatever a fuzzer invents; `tests/workbench/readers.rs` calls them with
//! a fixed series of random and damaged texts on every test run. Puzzles have
//! their own: [`planoku_sudoku::text::check_reading`].

use planoku_constraints::cnf::dimacs;
use planoku_constraints::proof;
use planoku_engine::Run;
use planoku_planning::syntax::{Tree, tokens};

/// Reads bytes as a planning domain and, after the first form feed, a problem.
/// Every text has a tree, the tree keeps the text, its tokens cover it, and
/// every mistake lies inside it.
pub fn check_planning(bytes: &[u8]) {
    let (domain, problem) = match bytes.iter().position(|byte| *byte == b'\x0c') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[][..]),
    };
    let tree = Tree::read_bytes(domain.to_vec(), 0);
    if let Ok(text) = std::str::from_utf8(domain) {
        assert_eq!(tree.text(), text, "the tree keeps the text");
        let covered: usize = tokens(text)
            .map(|token| (token.end - token.start) as usize)
            .sum();
        assert_eq!(covered, text.len(), "the tokens cover the text");
    }
    for error in &tree.errors {
        assert!(error.span.end as usize <= tree.text().len(), "{error:?}");
    }
    let (domain, problem) = (
        String::from_utf8_lossy(domain),
        String::from_utf8_lossy(problem),
    );
    let (model, diagnostics) = planoku_planning::read(&domain, &problem);
    assert_eq!(model.is_some(), !diagnostics.has_errors());
}

/// Reads bytes as a formula in DIMACS form. What is read can be written and
/// read again.
pub fn check_dimacs(bytes: &[u8]) {
    let cap = dimacs::Cap {
        clause: 1 << 12,
        literals: 1 << 16,
    };
    if let Ok(cnf) = dimacs::read(bytes, cap) {
        let mut text = Vec::new();
        dimacs::write(&cnf, [], &mut text).expect("memory takes every byte");
        let again = dimacs::read(&text[..], cap).expect("what we write can be read");
        assert!(again.clauses().eq(cnf.clauses()), "the same clauses");
    }
}

/// Reads bytes as a proof, in each form, that a formula with a solution has
/// none. No proof may be accepted, whatever the bytes.
pub fn check_proof(bytes: &[u8]) {
    let formula = "p cnf 4 4\n1 2 0\n-1 3 0\n-2 4 0\n-3 -4 0\n";
    let cnf = dimacs::read(formula.as_bytes(), dimacs::Cap::default()).expect("well formed");
    let run = || Run::all().with_nodes(10_000);
    assert!(proof::check::drat(&cnf, bytes, &mut run()).is_err());
    assert!(proof::check::lrat(&cnf, bytes, &mut run()).is_err());
}
