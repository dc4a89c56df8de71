//! `encode`, `prove`, `backbone` and `core` as scripts see them.

use std::path::PathBuf;
use std::process::Output;

use crate::planoku;

const UNIQUE: &str =
    "345.....861..8354979..45..6...157.......649...719..4....9.2.6.4.5..1....2.6...3..";
/// Five solutions.
const SEVERAL: &str =
    "...92.....4.....5...2...3..2.......7...456...6.......9..7...8...3.....4....27....";

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A directory of this test's own, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("planoku-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Scratch(path)
    }

    fn names(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(&self.0) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_formula_goes_to_standard_output_with_its_legend() {
    let output = planoku(&["encode", UNIQUE, "--as", "dimacs", "--encoding", "minimal"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    let clues = UNIQUE.chars().filter(|symbol| *symbol != '.').count();
    assert!(text.contains(&format!("\np cnf 729 {}\n", 8_829 + clues)));
    assert!(text.contains("c 1 = row 1, column 1 holds 1\n"));
    assert!(text.contains("c 729 = row 9, column 9 holds 9\n"));
}

#[test]
fn several_puzzles_get_numbered_directories() {
    let scratch = Scratch::new("encode");
    let output = planoku(&[
        "encode",
        UNIQUE,
        SEVERAL,
        "--as",
        "dimacs",
        "-o",
        scratch.path(),
    ]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(scratch.names(), ["00001", "00002"]);
    assert!(scratch.0.join("00002/formula.cnf").is_file());
}

#[test]
fn an_unknown_encoding_is_bad_input() {
    let output = planoku(&["encode", UNIQUE, "--as", "dimacs", "--encoding", "maximal"]);
    assert_eq!(output.status.code(), Some(30));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("minimal, extended"), "{said}");
}

#[test]
fn a_proof_of_uniqueness_comes_with_formula_and_readme() {
    let scratch = Scratch::new("unique");
    let output = planoku(&["prove", UNIQUE, "-o", scratch.path()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("proved: exactly one solution"));
    let names = ["README.md", "formula.cnf", "proof.drat", "proof.lrat"];
    assert_eq!(scratch.names(), names);
    let readme = std::fs::read_to_string(scratch.0.join("README.md")).unwrap();
    assert!(readme.contains("exactly one solution") && readme.contains(UNIQUE));
}

#[test]
fn a_proof_that_there_is_no_solution_ends_with_ten() {
    let scratch = Scratch::new("none");
    let unsolvable = UNIQUE.replacen("345.....8", "345.1...8", 1);
    let output = planoku(&["prove", &unsolvable, "-o", scratch.path(), "--json"]);
    assert_eq!(output.status.code(), Some(10), "{}", stdout(&output));
    assert!(stdout(&output).contains("\"proved\":\"none\""));
    assert_eq!(scratch.names().len(), 4);
}

#[test]
fn nothing_is_called_proved_before_its_files_are_written() {
    let scratch = Scratch::new("blocked");
    std::fs::create_dir_all(&scratch.0).unwrap();
    // A file stands where the directory should be.
    let blocked = scratch.0.join("taken");
    std::fs::write(&blocked, "").unwrap();
    let path = blocked.to_str().unwrap();
    for puzzles in [&[UNIQUE][..], &[UNIQUE, UNIQUE]] {
        let mut arguments = vec!["prove", "-o", path];
        arguments.extend(puzzles);
        let output = planoku(&arguments);
        assert_eq!(output.status.code(), Some(30));
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn two_proofs_are_told_in_order() {
    let scratch = Scratch::new("two");
    let unsolvable = UNIQUE.replacen("345.....8", "345.1...8", 1);
    let output = planoku(&["prove", UNIQUE, SEVERAL, &unsolvable, "-o", scratch.path()]);
    assert_eq!(output.status.code(), Some(10), "{}", stdout(&output));
    assert_eq!(scratch.names(), ["00001", "00003"]);
    let told: Vec<bool> = (stdout(&output).lines())
        .map(|line| line.contains(": proved: "))
        .collect();
    assert_eq!(told, [true, false, true]);
}

#[test]
fn several_solutions_leave_nothing_to_prove() {
    let scratch = Scratch::new("several");
    let output = planoku(&["prove", SEVERAL, "-o", scratch.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("several solutions"));
    assert!(scratch.names().is_empty());
}

#[test]
fn a_budget_that_is_too_small_leaves_no_files() {
    let scratch = Scratch::new("stopped");
    let output = planoku(&["prove", UNIQUE, "-o", scratch.path(), "--nodes", "1"]);
    assert_eq!(output.status.code(), Some(20));
    assert!(scratch.names().is_empty());
}

#[test]
fn forced_cells_are_told_apart_from_open_ones() {
    let output = planoku(&["backbone", SEVERAL]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("blank cells are forced"));
    assert!(!stdout(&output).contains("unique"));
    let output = planoku(&["backbone", UNIQUE]);
    assert!(stdout(&output).contains("so the solution is unique"));
}

#[test]
fn the_clues_that_contradict_each_other_are_shown() {
    let output = planoku(&["core", "11.............2", "--draw"]);
    assert_eq!(output.status.code(), Some(10));
    let text = stdout(&output);
    assert!(text.starts_with("┌─────┬─────┐\n│ 1 1 │ · · │\n"), "{text}");
    assert!(text.contains("│ · · │ · + │\n"), "{text}");
    assert!(
        text.contains("2 of 3 clues contradict each other"),
        "{text}"
    );
    let output = planoku(&["core", UNIQUE]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_bad_puzzle_among_good_ones_is_reported_and_the_rest_goes_on() {
    let output = planoku(&["backbone", &UNIQUE[1..], UNIQUE]);
    assert_eq!(output.status.code(), Some(30));
    assert!(stdout(&output).contains("unique"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("81 cells"));
}
