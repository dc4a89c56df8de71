//! The published Sudoku model: every defect in one run, drawn as it should be.
//!
//! The drawings are files in `tests/snapshots`; run with `UPDATE_SNAPSHOTS=1`
//! to write them anew after a deliberate change, and read the difference.

use planoku_language::diagnostic::{Diagnostics, Drawing, Source};
use planoku_language::lint::apply;
use planoku_language::lint::{self, Thoroughness};
use planoku_language::model::resolve::Options;
use planoku_language::syntax::Tree;
use std::path::{Path, PathBuf};

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder("../../models/exhibit").join(name)).unwrap()
}

fn run(domain: &str, problem: &str) -> Diagnostics {
    lint::check(
        &Tree::read(domain, 0),
        Some(&Tree::read(problem, 1)),
        Options::default(),
        Thoroughness::default(),
    )
}

fn snapshot(name: &str, domain: &str, problem: &str) -> Diagnostics {
    compare(name, [domain, problem], [&text(domain), &text(problem)])
}

#[track_caller]
fn compare(name: &str, names: [&str; 2], texts: [&str; 2]) -> Diagnostics {
    let found = run(texts[0], texts[1]);
    let source = |index: usize| Source {
        name: names[index],
        text: texts[index],
    };
    let sources = [source(0), source(1)];
    let drawing = Drawing::new(&sources, false);
    let drawn: Vec<String> = found.list.iter().map(|d| drawing.draw(d)).collect();
    let drawn = drawn.join("\n");
    let path = folder("tests/snapshots").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &drawn).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(drawn, expected, "{name}");
    found
}

/// Lines of the code's diagnostics, in order.
fn lines(found: &Diagnostics, code: &str, domain: &str, problem: &str) -> Vec<u32> {
    let texts = [text(domain), text(problem)];
    found
        .list
        .iter()
        .filter(|d| d.code.name == code)
        .map(|d| {
            let before = &texts[d.span.file as usize][..d.span.start as usize];
            before.matches('\n').count() as u32 + 1
        })
        .collect()
}

#[test]
fn every_defect_of_the_published_model_is_reported_in_one_run() {
    let files = ("domain.hddl", "figure-1.hddl");
    let found = snapshot("figure-1", files.0, files.1);
    let at = |code| lines(&found, code, files.0, files.1);
    // cell-at-box, digit-at and filled, each once with its count.
    assert_eq!(at("E0309"), [7, 9, 10]);
    let counts: Vec<u32> = (found.list.iter().filter(|d| d.code.name == "E0309"))
        .map(|d| d.count)
        .collect();
    assert_eq!(counts, [81, 35, 35]);
    // The network, and why: 35 of 81 hold, and nothing leads to the action.
    assert_eq!(at("E0501"), [194]);
    let why = found
        .list
        .iter()
        .find(|d| d.code.name == "E0501")
        .unwrap()
        .notes
        .join("\n");
    for words in [
        "`all-check` has one method",
        "needs 81 `filled` facts: 35 hold, 46 can never become true",
        "`FILL-CELL`, is not reachable from the initial network",
    ] {
        assert!(why.contains(words), "{why}");
    }
    // The literal that empties the join of FILL-CELL.
    assert_eq!(at("E0502"), [55]);
    assert_eq!(at("W0503"), [194]);
    assert_eq!(at("W0122"), [53]);
    assert_eq!(at("H0604"), [2]);
    // m-check-row and m-check-column.
    assert_eq!(at("W0409"), [36, 43]);
    assert_eq!(at("W0410"), [27]);
}

#[test]
fn the_skewed_problem_shows_duplicates_at_the_right_places() {
    let files = ("domain.hddl", "skewed.hddl");
    let found = snapshot("skewed", files.0, files.1);
    let problem = text(files.1);
    let copies: Vec<_> = found
        .list
        .iter()
        .filter(|d| d.code.name == "W0601")
        .collect();
    assert_eq!(copies.len(), 4);
    for copy in copies {
        let second = &problem[copy.span.start as usize..copy.span.end as usize];
        let first = copy.related[0].0;
        assert_eq!(second, &problem[first.start as usize..first.end as usize]);
        assert!(first.start < copy.span.start);
        assert!(second.starts_with("(digit-at-box"));
    }
}

#[test]
fn the_slides_have_syntax_errors_and_all_the_rest() {
    let files = ("slide-domain.hddl", "slide-problem.hddl");
    let found = snapshot("slide", files.0, files.1);
    let at = |code| lines(&found, code, files.0, files.1);
    // Two methods and one `and`; the end of the domain is where it should be.
    assert_eq!(at("E0011"), [35, 42, 55]);
    assert_eq!(at("E0013"), [4]);
    assert_eq!(at("E0309"), [7, 9, 10]);
}

#[test]
fn fixing_the_slides_yields_the_published_files() {
    let (domain, problem) = (text("slide-domain.hddl"), text("slide-problem.hddl"));
    let found = run(&domain, &problem);
    let mends = |d: &planoku_language::diagnostic::Diagnostic| d.code.name.starts_with("E001");
    let syntax: Vec<_> = found.list.iter().filter(|d| mends(d)).cloned().collect();
    let (fixed, edits) = apply(domain.as_bytes(), 0, &syntax).unwrap();
    assert_eq!(edits, 3);
    assert_eq!(String::from_utf8(fixed).unwrap(), text("domain.hddl"));
    let (fixed, edits) = apply(problem.as_bytes(), 1, &syntax).unwrap();
    assert_eq!(edits, 1);
    assert_eq!(String::from_utf8(fixed).unwrap(), text("figure-1.hddl"));
}

#[test]
fn fixing_the_arguments_leaves_the_modelling_mistake() {
    let (domain, problem) = (text("domain.hddl"), text("figure-1.hddl"));
    let (fixed, _) = apply(problem.as_bytes(), 1, &run(&domain, &problem).list).unwrap();
    let fixed = String::from_utf8(fixed).unwrap();
    assert!(fixed.contains("(cell-at-box b0 c0 r0)"));
    let codes = super::codes(&run(&domain, &fixed));
    assert!(codes.contains(&"E0501") && !codes.contains(&"E0309") && !codes.contains(&"E0502"));
}

/// What can never apply or is never reached, as the reader sees it.
#[test]
fn dead_and_idle_parts_are_drawn_with_the_literal_to_blame() {
    for name in [
        "never-applicable-action",
        "never-applicable-chain",
        "never-applicable-inequality",
        "never-applicable-join",
        "never-applicable-method",
        "unreached-action",
        "unreached-task",
    ] {
        let path = folder("tests/flawed").join(format!("{name}.hddl"));
        let text = std::fs::read_to_string(path).unwrap();
        let (domain, problem) = super::split(&text);
        compare(
            name,
            ["domain.hddl", "problem.hddl"],
            [domain, problem.unwrap()],
        );
    }
}
