//! `planoku rate`, `hint`, `steps` and `generate` to order, as scripts see
//! them.

use std::process::Output;

use planoku_human::rate;
use planoku_sudoku::{Grid, reference, text};

use crate::{check, planoku};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A file that is removed at the end.
struct File(String);

impl File {
    fn new(name: &str) -> File {
        let path = std::env::temp_dir().join(format!("planoku-{}-{name}", std::process::id()));
        File(path.to_str().unwrap().to_string())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn ratings_are_the_same_on_any_number_of_threads_and_in_order() {
    let list = File::new("list.txt");
    let puzzles = planoku(&["generate", "-n", "60", "--minimal", "--seed", "3"]);
    let mut lines: Vec<String> = stdout(&puzzles).lines().map(String::from).collect();
    lines.insert(7, "nonsense".into());
    std::fs::write(&list.0, lines.join("\n")).unwrap();
    let one = planoku(&["rate", &list.0, "--threads", "1"]);
    let two = planoku(&["rate", &list.0, "--threads", "2"]);
    assert_eq!(one.status.code(), Some(30));
    assert_eq!(one.stdout, two.stdout);
    let said = stdout(&one);
    let rated: Vec<&str> = said.lines().collect();
    assert_eq!(rated.len(), 60);
    assert!(String::from_utf8_lossy(&one.stderr).contains("list.txt:8:1: "));
    lines.remove(7);
    for (line, puzzle) in rated.iter().zip(&lines) {
        let expected = rate(&puzzle.parse().unwrap()).unwrap();
        assert!(
            line.starts_with(&format!("{puzzle}  # ER {} ", expected.er)),
            "{line}"
        );
    }
}

#[test]
fn a_rating_as_data_has_what_the_contract_says() {
    let said = stdout(&planoku(&["rate", "--json", PUZZLE]));
    let object: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(object["er"].as_f64(), Some(1.2));
    assert_eq!(object["hardest"], "hidden-single-box");
    let sum: u64 = object["histogram"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(|n| n.as_u64())
        .sum();
    assert_eq!(object["steps"].as_u64(), Some(sum));
}

#[test]
fn what_cannot_be_rated_says_why() {
    check(&["rate", &".".repeat(81)], 30, "several solutions", "");
    check(&["rate", "1..............."], 30, "not rated", "");
    check(
        &["rate", &PUZZLE.replacen("53.", "535", 1)],
        30,
        "twice",
        "",
    );
    let none = PUZZLE.replacen("53..7", "53.27", 1);
    check(&["rate", &none], 10, "no solution", "");
    check(&["rate", "--json", &".".repeat(81)], 30, "\"error\":", "");
    check(&["rate", PUZZLE, "--nodes", "3"], 20, "stopped", "");
}

#[test]
fn hints_come_in_three_depths() {
    let hint = |depth| stdout(&planoku(&["hint", PUZZLE, "--depth", depth]));
    let (one, two, three) = (hint("1"), hint("2"), hint("3"));
    assert!(one.starts_with("Look for a hidden single"), "{one}");
    assert!(two.contains(" in box ") || two.contains(" in "), "{two}");
    assert!(!one.contains("r5c5") && three.contains(" is "), "{three}");
    check(&["hint", PUZZLE, "--depth", "4"], 30, "", "1, 2 or 3");
    let solution = reference::solve(&PUZZLE.parse().unwrap())
        .unwrap()
        .to_string();
    check(&["hint", &solution], 0, "Solved", "");
}

#[test]
fn a_mistake_is_told_before_any_hint() {
    // r1c3 is 4, not 2.
    let wrong = PUZZLE.replacen("53.", "532", 1);
    check(
        &["hint", PUZZLE, "--entries", &wrong],
        1,
        "A digit is wrong",
        "",
    );
    check(
        &["hint", PUZZLE, "--entries", &wrong, "--depth", "2"],
        1,
        "box 1",
        "",
    );
    check(
        &["hint", PUZZLE, "--entries", &wrong, "--depth", "3"],
        1,
        "r1c3 is not 2.",
        "",
    );
    check(&["hint", &wrong], 10, "", "a digit is wrong");
    let other = PUZZLE.replacen("53.", "54.", 1);
    check(
        &["hint", PUZZLE, "--entries", &other],
        30,
        "",
        "r1c2: the puzzle has 3",
    );
    // With marks: the 4 of r1c3 was struck out.
    let grid: Grid = PUZZLE.parse().unwrap();
    let four = planoku_sudoku::Digit::new(4).unwrap();
    let marks = |cell: planoku_sudoku::Cell| match cell.index() {
        2 => grid.candidates(cell).without(four),
        _ => grid.candidates(cell),
    };
    let library = text::library_line(&grid, &grid, marks);
    check(
        &["hint", &library, "--depth", "3"],
        1,
        "4 belongs in r1c3",
        "",
    );
}

#[test]
fn marks_already_struck_are_not_hinted_again() {
    // Every step of a path leads on from the position before it.
    let made = planoku(&["generate", "--rating", "2.6..3.4", "--seed", "2"]);
    let puzzle: Grid = stdout(&made)[..81].parse().unwrap();
    let path = planoku_human::Rater::new()
        .path(&puzzle, &mut planoku_engine::Run::limit(1))
        .unwrap();
    let boards = planoku_human::page::positions(&puzzle, &path.steps);
    let at = path
        .steps
        .iter()
        .position(|step| step.placement.is_none())
        .unwrap();
    let after = &boards[at + 1];
    let drawing = text::pencil(&after.grid(), |cell| after.candidates(cell));
    let said = stdout(&planoku(&[
        "hint",
        &puzzle.to_string(),
        "--entries",
        &drawing,
        "--depth",
        "3",
    ]));
    assert!(!said.contains(&path.steps[at].conclusion()), "{said}");
}

#[test]
fn steps_are_told_in_words_data_and_pictures() {
    let said = stdout(&planoku(&["steps", PUZZLE]));
    assert_eq!(said.lines().count(), 51 + 2, "{said}");
    let data = stdout(&planoku(&["steps", PUZZLE, "--json"]));
    let object: serde_json::Value = serde_json::from_str(&data).unwrap();
    assert_eq!(object["path"].as_array().unwrap().len(), 51);
    let page = File::new("steps.html");
    check(&["steps", PUZZLE, "-o", &page.0], 0, "", "");
    let html = std::fs::read_to_string(&page.0).unwrap();
    assert_eq!(html.matches("<svg").count(), 52);
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
    check(
        &["steps", PUZZLE, "-o", "steps.doc"],
        30,
        "",
        ".html, .svg, .txt or .json",
    );
    check(&["steps", &".".repeat(81)], 30, "", "several solutions");
}

#[test]
fn puzzles_to_order_are_as_ordered_on_any_number_of_threads() {
    let order = [
        "generate",
        "-n",
        "20",
        "--rating",
        "1.5..2.6",
        "--symmetry",
        "rotation180",
        "--seed",
        "5",
    ];
    let one = planoku(&[&order[..], &["--threads", "1"]].concat());
    let two = planoku(&[&order[..], &["--threads", "2"]].concat());
    assert!(one.status.success());
    assert_eq!(one.stdout, two.stdout);
    assert_eq!(stdout(&one).lines().count(), 20);
    for line in stdout(&one).lines() {
        let rated = rate(&line[..81].parse().unwrap()).unwrap();
        assert!((15..=26).contains(&rated.er.0), "{line}");
        assert!(line.contains(&format!("# ER {} ", rated.er)), "{line}");
    }
    let fewer = planoku(&[
        "generate",
        "-n",
        "3",
        "--rating",
        "1.5..2.6",
        "--symmetry",
        "rotation180",
        "--seed",
        "5",
    ]);
    assert!(one.stdout.starts_with(&fewer.stdout));
}

#[test]
fn levels_are_ranges_of_the_scale() {
    for (level, from, to) in [("easy", 10, 15), ("medium", 17, 28), ("hard", 30, 62)] {
        let made = stdout(&planoku(&[
            "generate", "-n", "2", "--level", level, "--seed", "1",
        ]));
        for line in made.lines() {
            let er = rate(&line[..81].parse().unwrap()).unwrap().er.0;
            assert!((from..=to).contains(&er), "{level}: {line}");
        }
    }
}

#[test]
fn buckets_hold_as_many_each() {
    let arguments = [
        "generate",
        "-n",
        "3",
        "--buckets",
        "0.5",
        "--rating",
        "1.0..2.5",
        "--seed",
        "1",
    ];
    let made = planoku(&arguments);
    let ratings: Vec<u8> = stdout(&made)
        .lines()
        .map(|line| rate(&line[..81].parse().unwrap()).unwrap().er.0)
        .collect();
    assert_eq!(ratings.len(), 9);
    for (nth, er) in ratings.iter().enumerate() {
        let from = 10 + 5 * (nth as u8 / 3);
        assert!((from..from + 5).contains(er), "{ratings:?}");
    }
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert_eq!(said.matches("as ordered").count(), 3, "{said}");
}

#[test]
fn orders_that_cannot_be_met_end_with_the_reason() {
    check(
        &["generate", "--rating", "5..4"],
        30,
        "",
        "no puzzle is rated 5.0 to 4.0",
    );
    check(&["generate", "--rating", "hard"], 30, "", "7.0..7.5");
    check(&["generate", "--with", "magic"], 30, "", "x-wing");
    check(
        &["generate", "--rating", "2..3", "--with", "x-wing"],
        30,
        "",
        "3.2 or more",
    );
    check(
        &["generate", "--rating", "2..3", "--size", "6"],
        30,
        "",
        "9x9",
    );
    check(&["generate", "--per-page", "3"], 30, "", "1, 2, 4 or 6");
    let rare = [
        "generate", "-n", "9999", "--rating", "9.5..9.9", "--time", "300ms", "--seed", "1",
    ];
    check(&rare, 20, "", "time is up");
}

#[test]
fn sheets_hold_every_puzzle_and_its_answer() {
    let sheet = File::new("sheet.html");
    check(
        &[
            "generate",
            "-n",
            "5",
            "--rating",
            "1.0..2.0",
            "--per-page",
            "2",
            "-o",
            &sheet.0,
            "--seed",
            "1",
        ],
        0,
        "",
        "",
    );
    let html = std::fs::read_to_string(&sheet.0).unwrap();
    assert_eq!(html.matches("<figure>").count(), 10);
    assert_eq!(html.matches("class=\"page p2").count(), 3);
    assert_eq!(html.matches("ER ").count(), 10);
}
