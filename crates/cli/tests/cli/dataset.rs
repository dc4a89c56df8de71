//! `planoku dataset` as scripts see it, killed ones included.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use planoku_sudoku::rng::Rng;
use planoku_sudoku::{Grid, Shape, Symmetry};

use crate::{check, command, planoku};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("planoku-dataset-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, content: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(place) = folders.pop() {
        for entry in fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_owned();
                    found.insert(name, fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

const RECIPE: &str = "seed = 4\nblock = 8\nformats = [\"csv\", \"npy\"]\n\
    [split]\ntrain = 0.5\ntest = 0.5\n[[bucket]]\ncount = 120\n[traces]\nshare = 0.2\n";

#[test]
fn a_data_set_survives_being_killed() {
    let folder = Folder::new("killed");
    let recipe = folder.file("recipe.toml", RECIPE);
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    check(
        &["dataset", "make", &recipe, "-o", &whole],
        0,
        "120 puzzles",
        "",
    );
    // Killed later and later, however fast the machine, until it comes to its end.
    let mut deaths = 0;
    for pause in (0..).step_by(3) {
        let mut child = command(&["dataset", "make", &recipe, "-o", &killed])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        match child.wait().unwrap().code() {
            Some(0) => break,
            Some(code) => panic!("it ended by itself with {code}"),
            None => deaths += 1,
        }
    }
    assert!(deaths > 0, "it was never killed");
    check(
        &["dataset", "make", &recipe, "-o", &killed],
        0,
        "120 puzzles",
        "",
    );
    let (whole, killed) = (Path::new(&whole), Path::new(&killed));
    assert!(contents(whole) == contents(killed), "other bytes");
    let whole = whole.to_str().unwrap();
    check(
        &["dataset", "check", whole],
        0,
        "all is as it should be",
        "",
    );
    check(&["dataset", "describe", whole], 0, "<h2>Ratings</h2>", "");
    let train = format!("{whole}/train");
    let test = format!("{whole}/test");
    check(&["dataset", "leaks", &train, &test], 0, "0 (0.00 %)", "");
    check(
        &["dataset", "leaks", &train, &test, "--solutions"],
        0,
        "0 (0.00 %)",
        "",
    );
    check(
        &["dataset", "leaks", whole, &test],
        1,
        "as they stand, 0 in disguise",
        "",
    );
}

#[test]
fn mistakes_in_recipes_have_a_place() {
    let folder = Folder::new("recipes");
    let wrong = folder.file(
        "wrong.toml",
        "seed = 1\n[[bucket]]\ncount = 3\nclues = \"7..9\"\n",
    );
    let out = folder.path("out");
    check(
        &["dataset", "make", &wrong, "-o", &out],
        30,
        "",
        "wrong.toml:2:1: ",
    );
    let typo = folder.file("typo.toml", "seed = 1\n[[bucket]]\ncuont = 3\n");
    check(
        &["dataset", "make", &typo, "-o", &out],
        30,
        "",
        "typo.toml:3:1: unknown field",
    );
    check(
        &["dataset", "make", "nowhere.toml", "-o", &out],
        30,
        "",
        "cannot read `nowhere.toml`",
    );
    check(&["dataset", "check", &folder.path("none")], 30, "", "none");
    if !cfg!(feature = "parquet") {
        let text = "seed = 1\nformats = [\"parquet\"]\n[[bucket]]\ncount = 3\n";
        let parquet = folder.file("parquet.toml", text);
        check(
            &["dataset", "make", &parquet, "-o", &out],
            30,
            "",
            "--features parquet",
        );
        let fake = folder.file("fake.parquet", "PAR1 and more");
        check(&["rate", &fake], 30, "", "--features parquet");
        let puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let file = folder.file("one.txt", puzzle);
        check(
            &["canon", &file, "-o", &folder.path("x.parquet")],
            30,
            "",
            "--features parquet",
        );
    }
}

#[test]
fn labels_stand_behind_the_columns_there_are() {
    let folder = Folder::new("label");
    let puzzle =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let many = ".".repeat(81);
    let csv = format!("id,question,er\n1,{puzzle},\"a, b\"\n2,{many},x\n");
    let input = folder.file("in.csv", &csv);
    let output = folder.path("out.csv");
    check(
        &["dataset", "label", &input, "-o", &output],
        0,
        "",
        "2 rows labelled, 1 of them",
    );
    let text = fs::read_to_string(&output).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("id,question,er,status,solution,puzzle_id,"),
        "{}",
        lines[0]
    );
    assert!(lines[0].contains(",planoku_er,"), "{}", lines[0]);
    assert!(lines[1].starts_with(&format!("1,{puzzle},\"a, b\",unique,5346789126")));
    assert!(
        lines[1].contains(",1.2,1.2,1.2,hidden-single-box,51,"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].starts_with(&format!("2,{many},x,several,,")),
        "{}",
        lines[2]
    );

    let input = folder.file(
        "in.jsonl",
        &format!("{{\"a\":{{\"b\":1}},\"puzzle\":\"{puzzle}\"}}\n"),
    );
    let output = folder.path("out.jsonl");
    check(
        &["dataset", "label", &input, "-o", &output, "--no-rating"],
        0,
        "",
        "1 row",
    );
    let text = fs::read_to_string(&output).unwrap();
    let object: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
    assert_eq!(object["a"]["b"], 1);
    assert_eq!(object["status"], "unique");
    assert_eq!(object["automorphisms"], 1);

    // Parts of the rows add up to all of them.
    let list = planoku(&["generate", "-n", "10", "--seed", "1"]).stdout;
    let list = folder.file("list.txt", std::str::from_utf8(&list).unwrap());
    let mut rows = 0;
    for part in ["1/3", "2/3", "3/3"] {
        let output = folder.path("part.csv");
        check(
            &["dataset", "label", &list, "-o", &output, "--shard", part],
            0,
            "",
            "labelled",
        );
        rows += fs::read_to_string(&output).unwrap().lines().count() - 1;
    }
    assert_eq!(rows, 10);
}

#[test]
fn files_from_elsewhere_are_seen_through() {
    let folder = Folder::new("elsewhere");
    let made = planoku(&["generate", "-n", "60", "--seed", "9"]).stdout;
    let made = String::from_utf8(made).unwrap();
    let puzzles: Vec<Grid> = made.lines().map(|line| line.parse().unwrap()).collect();
    let rng = &mut Rng::new(2);
    let mut disguise = |puzzle: &Grid| Symmetry::draw(Shape::Three, |n| rng.below(n)).apply(puzzle);
    let train: Vec<String> = puzzles[..40].iter().map(Grid::to_string).collect();
    let mut test: Vec<String> = puzzles[40..].iter().map(Grid::to_string).collect();
    test[3] = disguise(&puzzles[7]).to_string();
    test[5] = puzzles[8].to_string();
    let csv = |rows: &[String]| format!("question,answer\n{}\n", rows.join(",\n") + ",");
    let train = folder.file("train.csv", &csv(&train));
    let test = folder.file("test.csv", &csv(&test));
    let found = check(&["dataset", "leaks", &train, &test], 1, "2 (10.00 %)", "");
    assert!(
        found.contains("B line 5 is a disguise of A line 9"),
        "{found}"
    );
    assert!(found.contains("B line 7 is A line 10"), "{found}");
    check(
        &["dataset", "leaks", &train, &test, "--memory", "1k"],
        1,
        "1 as they stand, 1 in",
        "",
    );

    let solved = planoku(&["solve", puzzles[0].to_string().as_str()]).stdout;
    let solved = String::from_utf8(solved).unwrap().trim().to_string();
    let wrong = solved.replace('1', "x").replace('2', "1").replace('x', "2");
    let rows = format!(
        "puzzle,solution\n{0},{solved}\n{0},{wrong}\n{1},{solved}\nnonsense,1\n",
        puzzles[0],
        disguise(&puzzles[0])
    );
    let file = folder.file("bad.csv", &rows);
    let found = check(
        &["dataset", "check", &file],
        1,
        "not puzzles              1",
        "bad.csv:",
    );
    assert!(found.contains("wrong solutions          2"), "{found}");
    assert!(found.contains("exact duplicates         1"), "{found}");
    assert!(found.contains("disguised duplicates     1"), "{found}");
}

/// What the parts write, put together again, is what one call writes.
#[test]
fn parts_of_the_work_add_up_to_the_whole() {
    let folder = Folder::new("parts");
    let made = planoku(&["generate", "-n", "20", "--seed", "4"]);
    let puzzles = String::from_utf8(made.stdout).unwrap();
    let mut lines: Vec<&str> = puzzles.lines().collect();
    assert_eq!(lines.len(), 20);
    lines.insert(7, "no puzzle");
    let list = folder.file("list.txt", &(lines.join("\n") + "\n"));
    for name in ["solve", "rate", "canon"] {
        let written = |arguments: &[&str]| {
            let output = planoku(&[&[name, list.as_str()][..], arguments].concat());
            let text = String::from_utf8(output.stdout).unwrap();
            let complained = String::from_utf8(output.stderr).unwrap();
            let lines: Vec<String> = text.lines().map(str::to_string).collect();
            (lines, complained.contains("list.txt:8:"))
        };
        let (whole, told) = written(&[]);
        assert!(told, "{name}");
        let parts = ["1/3", "2/3", "3/3"].map(|share| written(&["--shard", share]));
        // Line 8, the second of part 2, is complained of there and nowhere else.
        assert_eq!(
            parts.each_ref().map(|(_, told)| *told),
            [false, true, false]
        );
        let mut parts = parts.map(|(lines, _)| lines);
        let lengths = parts.each_ref().map(Vec::len);
        assert_eq!(lengths.iter().sum::<usize>(), whole.len(), "{name}");
        let mut all: Vec<String> = parts.iter_mut().flat_map(std::mem::take).collect();
        let mut expected = whole.clone();
        all.sort();
        expected.sort();
        assert_eq!(all, expected, "{name}");
    }
    check(
        &["solve", &list, "--shard", "4/3"],
        30,
        "",
        "expected a part of the work such as 2/8",
    );
}
