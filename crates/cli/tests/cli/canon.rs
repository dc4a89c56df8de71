//! `planoku canon` and `planoku minimal` as scripts see them, and the formats
//! they share with every command.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{check, planoku};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// The puzzle turned by a quarter, its digits renamed.
fn turned() -> String {
    let digits: Vec<char> = PUZZLE.chars().collect();
    let renamed = |c: char| match c.to_digit(10) {
        Some(9) => '1',
        Some(digit) => char::from(b'1' + digit as u8),
        None => c,
    };
    (0..81)
        .map(|at| renamed(digits[(8 - at % 9) * 9 + at / 9]))
        .collect()
}

#[test]
fn the_same_puzzle_in_other_clothes_has_the_same_form() {
    let turned = turned();
    let forms = planoku(&["canon", PUZZLE, &turned]).stdout;
    let forms = String::from_utf8(forms).unwrap();
    let lines: Vec<&str> = forms.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], lines[1]);
    assert!(lines[0].ends_with("  # 1 automorphism"), "{forms}");
    check(&["canon", "--same", PUZZLE, &turned], 0, "the same: ", "");
    check(
        &["canon", "--same", PUZZLE, &turned, "--json"],
        0,
        "\"same\":true",
        "",
    );
    let other = PUZZLE.replacen('5', ".", 1);
    check(&["canon", PUZZLE, &other, "--same"], 1, "not the same", "");
    check(&["canon", "--same", PUZZLE], 30, "", "two boards, found 1");
}

#[test]
fn what_has_no_form_is_bad_input() {
    check(
        &["canon", &".".repeat(256)],
        30,
        "",
        "up to 9x9, found 16x16",
    );
    check(
        &["canon", &PUZZLE.replacen("53.", "535", 1)],
        30,
        "",
        "row 1",
    );
    let mixed = ["canon", &".".repeat(256), PUZZLE];
    check(&mixed, 30, "automorphism", "too many symmetries");
}

#[test]
fn clues_that_are_not_needed_are_named() {
    check(
        &["minimal", PUZZLE],
        1,
        "clues are enough; any one of these could go: r1c",
        "",
    );
    let output = planoku(&["minimal", PUZZLE]);
    let text = String::from_utf8(output.stdout).unwrap();
    let smaller = text.split_whitespace().next().unwrap();
    check(&["minimal", smaller], 0, "# minimal, ", "");
    check(&["minimal", "--json", smaller], 0, "\"minimal\":true", "");
    check(&["minimal", &".".repeat(81)], 1, "several solutions", "");
    check(&["minimal", "11.............."], 10, "no solution", "");
    check(
        &["minimal", PUZZLE, "--nodes", "2"],
        20,
        "",
        "stopped by nodes",
    );
}

#[test]
fn compressed_lists_are_read_as_they_are() {
    let path = std::env::temp_dir().join(format!("planoku-{}.gz", std::process::id()));
    let mut encoder = GzEncoder::new(std::fs::File::create(&path).unwrap(), Compression::fast());
    for _ in 0..2000 {
        writeln!(encoder, "{PUZZLE}").unwrap();
    }
    encoder.finish().unwrap();
    let name = path.to_str().unwrap();
    let solved = planoku(&["solve", name]);
    assert!(solved.status.success());
    assert_eq!(
        String::from_utf8(solved.stdout).unwrap().lines().count(),
        2000
    );
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    check(&["canon", name], 30, "", "cannot read on");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn what_solve_draws_is_a_puzzle_again() {
    let drawn = planoku(&["solve", PUZZLE, "--format", "drawn"]);
    let drawn = String::from_utf8(drawn.stdout).unwrap();
    let again = planoku(&["canon", &drawn]);
    assert_eq!(again.stdout, planoku(&["canon", PUZZLE]).stdout, "{drawn}");
}
