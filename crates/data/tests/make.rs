//! Data sets are made from their recipe and nothing else: not from the number of
//! threads, not from when the work was cut short.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use planoku_data::check::check;
use planoku_data::{MakeError, MakeReport, Making, Share, make};
use planoku_engine::Cancel;

const RECIPE: &str = r#"
seed = 11
block = 20
formats = ["csv", "jsonl", "npy"]
[split]
train = 0.7
test = 0.3
[[bucket]]
name = "any"
count = 50
[[bucket]]
name = "pairs"
count = 24
rating = "3.0..3.4"
[augment]
copies = 2
splits = ["train"]
[traces]
share = 0.3
negatives = 1
[labels]
engines = ["native"]
"#;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("planoku-data-{}-{name}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        let _ = fs::remove_dir_all(&folder.0);
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every file with its content.
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

fn threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.unwrap().install(work)
}

fn made(folder: &Path, count: usize) -> BTreeMap<PathBuf, Vec<u8>> {
    let making = Making::default();
    let made = threads(count, || make(RECIPE, folder, &making, |_| ())).unwrap();
    assert!(matches!(made, MakeReport::Complete(_)));
    contents(folder)
}

#[test]
fn a_puzzle_that_an_earlier_block_has_is_dropped() {
    let folder = Folder::new("dropped");
    let making = Making {
        shard: Some(Share { nth: 1, of: 1 }),
        ..Making::default()
    };
    make(RECIPE, &folder.0, &making, |_| ()).unwrap();
    // Two puzzles of block 1 claim to be two of block 0.
    let ids = |block: u64| folder.0.join(format!(".blocks/{block:05}.ids"));
    let (first, mut second) = (fs::read(ids(0)).unwrap(), fs::read(ids(1)).unwrap());
    for nth in [3, 11] {
        let id = 24 * nth + 8..24 * nth + 24;
        second[id.clone()].copy_from_slice(&first[id]);
    }
    fs::write(ids(1), second).unwrap();
    let MakeReport::Complete(manifest) =
        make(RECIPE, &folder.0, &Making::default(), |_| ()).unwrap()
    else {
        panic!("not complete");
    };
    assert_eq!((manifest.puzzles, manifest.dropped), (72, 2));
    let checked = check(&folder.0, 1 << 20, &Cancel::new(), |_, _| ());
    assert!(checked.unwrap().unwrap().problems.is_empty());
}

#[test]
fn the_same_recipe_gives_the_same_bytes() {
    let one = Folder::new("one");
    let expected = made(&one.0, 1);
    assert!(expected.contains_key(Path::new("manifest.json")));
    assert!(expected.contains_key(Path::new("npy/train/all__inputs.npy")));
    assert!(!expected.keys().any(|path| path.starts_with(".blocks")));

    let three = Folder::new("three");
    assert!(made(&three.0, 3) == expected, "three threads, other bytes");

    // Two parts, in the wrong order, then what is missing.
    let parts = Folder::new("parts");
    for nth in [2, 1] {
        let shard = Some(Share { nth, of: 2 });
        let making = Making {
            shard,
            ..Making::default()
        };
        let part = threads(2, || make(RECIPE, &parts.0, &making, |_| ())).unwrap();
        assert!(matches!(part, MakeReport::Part { of: 5, .. }));
    }
    assert!(made(&parts.0, 2) == expected, "in parts, other bytes");

    // Cut short after each block in turn.
    let cut = Folder::new("cut");
    for blocks in 1..4 {
        let cancel = Cancel::new();
        let making = Making {
            cancel: cancel.clone(),
            ..Making::default()
        };
        let made = make(RECIPE, &cut.0, &making, |progress| {
            if progress.done == blocks {
                cancel.cancel();
            }
        });
        assert!(matches!(made.unwrap(), MakeReport::Stopped(_)));
    }
    // A shard that never was completed, and one that is gone although its
    // record is there.
    fs::write(cut.0.join("train/.00004.csv.1.tmp"), "half").unwrap();
    fs::remove_file(cut.0.join("train/00000.csv")).unwrap();
    assert!(made(&cut.0, 2) == expected, "cut short, other bytes");

    let other = RECIPE.replace("seed = 11", "seed = 12");
    let refused = make(&other, &cut.0, &Making::default(), |_| ());
    assert!(matches!(refused, Err(MakeError::OtherRecipe(_))));

    everything_is_checked(&cut.0);
}

/// What is wrong is found: in labels, solutions, steps, splits, checksums.
fn everything_is_checked(folder: &Path) {
    let wrong = || {
        let found = check(folder, 1 << 20, &Cancel::new(), |_, _| ())
            .unwrap()
            .unwrap();
        (found.rows, found.trace_rows, found.problems)
    };
    let (rows, steps, problems) = wrong();
    assert!(
        rows > 74 && steps > 100 && problems.is_empty(),
        "{problems:?}"
    );
    let spoil = |file: &str, change: &dyn Fn(&str) -> String, expected: &str| {
        let path = folder.join(file);
        let whole = fs::read_to_string(&path).unwrap();
        let changed = change(&whole);
        assert_ne!(whole, changed, "{file}");
        fs::write(&path, changed).unwrap();
        let (_, _, problems) = wrong();
        fs::write(&path, whole).unwrap();
        let told = |what: &str| problems.iter().any(|problem| problem.contains(what));
        assert!(
            told("checksum") && told(expected),
            "{file}, {expected}: {problems:?}"
        );
    };
    let train = "train/00001.csv";
    let field = |nth: usize, value: &'static str| {
        move |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
            let mut fields: Vec<&str> = lines[1].split(',').collect();
            fields[nth] = value;
            lines[1] = fields.join(",");
            lines.join("\n") + "\n"
        }
    };
    spoil(train, &field(10, "9.9"), "er is");
    spoil(train, &field(4, "1"), "solution is");
    spoil(train, &field(6, "0"), "solution_id is");
    spoil(train, &field(0, "77777"), "no disguise of its parent");
    let last = |text: &str| text.trim_end().rsplit_once('\n').unwrap().0.to_string() + "\n";
    spoil(train, &last, "the manifest says");
    let twice = |text: &str| format!("{text}{}\n", text.lines().last().unwrap());
    spoil(train, &twice, "the manifest says");
    let lie = |text: &str| text.replacen(",true,", ",false,", 1);
    spoil("traces/train/00000.csv", &lie, "`sound` is false");
    spoil(
        "train/00001.jsonl",
        &last,
        "the rows are not those of train/00001.csv",
    );
}
