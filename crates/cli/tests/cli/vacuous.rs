//! No test passes because what it needs is missing.
//!
//! `cargo test` uses what the repository holds. Tests that read corpora outside of
//! it ask `tests/corpora.rs` where they are, which fails without them, and are
//! ignored unless asked for.

use std::path::{Path, PathBuf};

/// Every Rust file of the crates, with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut folders = vec![root];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with(file!()) {
                let text = std::fs::read_to_string(&path).unwrap();
                sources.push((path, text));
            }
        }
    }
    assert!(sources.len() > 200, "{} files", sources.len());
    sources
}

#[test]
fn corpora_outside_are_found_in_one_place() {
    // Written so that this file does not find itself.
    let outside = ["/../sha", "red/"].concat();
    for (path, text) in sources() {
        assert!(
            !text.contains(&outside),
            "{} looks outside of the repository: ask tests/corpora.rs",
            path.display()
        );
    }
}

#[test]
fn a_test_that_reads_corpora_is_ignored_by_default() {
    let reason = "#[ignore = \"needs the corpora in ../shared\"]";
    let mut ignored = 0;
    for (path, text) in sources() {
        if !text.contains("corpora::path(") {
            continue;
        }
        ignored += text.matches(reason).count();
        let functions = functions(&text);
        // A function reads them itself, or calls one of the file that does.
        let mut reads = vec!["corpora::path(".to_string()];
        loop {
            let calls = |body: &str| reads.iter().any(|name| body.contains(name.as_str()));
            let more: Vec<String> = functions
                .iter()
                .filter(|function| !function.is_test && calls(function.body))
                .map(|function| format!("{}(", function.name))
                .filter(|name| !reads.contains(name))
                .collect();
            if more.is_empty() {
                break;
            }
            reads.extend(more);
        }
        for function in functions.iter().filter(|function| function.is_test) {
            let needs = reads
                .iter()
                .any(|name| function.body.contains(name.as_str()));
            assert!(
                !needs || function.above.contains(reason),
                "{}: {} reads corpora and is not ignored",
                path.display(),
                function.name
            );
        }
    }
    assert!(ignored >= 10, "{ignored}");
}

#[test]
fn no_test_says_that_it_was_passed_over() {
    let words = ["passed", "over:"].join(" ");
    for (path, text) in sources() {
        assert!(!text.contains(&words), "{}", path.display());
    }
}

struct Function<'t> {
    name: &'t str,
    is_test: bool,
    /// The attributes above it.
    above: &'t str,
    body: &'t str,
}

/// The functions at the margin of a file, from `fn` to `fn`.
fn functions(text: &str) -> Vec<Function<'_>> {
    let mut starts: Vec<usize> = ["\nfn ", "\npub fn "]
        .iter()
        .flat_map(|head| text.match_indices(head).map(|(at, _)| at + 1))
        .collect();
    starts.sort_unstable();
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let mut before = 0;
    let mut list = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let gap = &text[before..start];
        let above = &gap[gap.rfind("\n\n").unwrap_or(0)..];
        let rest = &text[start..end];
        let close = rest.find("\n}").map_or(rest.len(), |at| at + 2);
        let head = rest.trim_start_matches("pub ").trim_start_matches("fn ");
        let name = head.split(['(', '<']).next().unwrap_or("");
        list.push(Function {
            name,
            is_test: above.contains("#[test]"),
            above,
            body: &rest[..close],
        });
        before = start + close;
    }
    list
}
