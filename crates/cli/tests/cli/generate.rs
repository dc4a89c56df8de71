//! `planoku generate` as scripts see it: puzzles, messages, exit codes.

use std::process::{Command, Output, Stdio};

use planoku_sudoku::{Grid, reference};

fn generate(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_planoku"))
        .arg("generate")
        .args(arguments.split_whitespace())
        .output()
        .unwrap()
}

fn puzzles(output: &Output) -> Vec<Grid> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

#[track_caller]
fn check_refused(arguments: &str, code: i32, message: &str) {
    let output = generate(arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(message), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_seed_makes_the_same_puzzles_on_any_number_of_threads() {
    let one = generate("-n 40 --minimal --seed 7 --threads 1");
    let two = generate("-n 40 --minimal --seed 7 --threads 2");
    let fewer = generate("-n 10 --minimal --seed 7");
    let other = generate("-n 40 --minimal --seed 8");
    assert!(one.status.success());
    assert_eq!(one.stdout, two.stdout);
    assert!(one.stdout.starts_with(&fewer.stdout));
    assert_ne!(one.stdout, other.stdout);
    let made = puzzles(&one);
    assert_eq!(made.len(), 40);
    for puzzle in &made[..10] {
        assert_eq!(reference::solutions(puzzle, 2).len(), 1, "{puzzle}");
    }
}

#[test]
fn clues_and_size_are_as_asked() {
    for puzzle in puzzles(&generate("-n 5 --clues 30..32 --seed 1")) {
        assert!((30..=32).contains(&puzzle.clue_count()), "{puzzle}");
    }
    for puzzle in puzzles(&generate("-n 5 --size 6 --level crazy --seed 1")) {
        assert!((8..=9).contains(&puzzle.clue_count()), "{puzzle}");
    }
}

#[test]
fn impossible_wishes_end_with_the_reason() {
    check_refused("--clues 5", 30, "fewer than 17 clues");
    check_refused("--clues 90..95", 30, "81 cells");
    check_refused("--clues 30..20", 30, "empty");
    check_refused("--clues many", 30, "22..26");
    check_refused("--size 7", 30, "4, 6, 9, 16 or 25");
    check_refused("--symmetry round", 30, "rotation180");
    check_refused("--level easy --clues 30", 30, "cannot be used with");
    check_refused("--clues 17..17 --time 300ms --seed 1", 20, "made 0 of 1");
}

#[test]
fn what_was_found_in_time_is_kept() {
    let output = generate("-n 100000000 --seed 3 --time 300ms");
    assert_eq!(output.status.code(), Some(20));
    assert!(puzzles(&output).len() > 10);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_planoku"))
        .args(["generate", "-n", "100000000", "--seed", "3"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    check_refused("-n 10 -o /dev/full", 30, "cannot write /dev/full");
}
