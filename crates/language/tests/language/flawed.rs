//! Flawed domains: each is reported with exactly the codes it expects, and a
//! fix, where offered, removes the mistake it was offered for.

use super::{check, codes, split};
use planoku_language::lint::{FixRefused, apply};
use std::collections::BTreeSet;
use std::path::Path;

struct Flawed {
    name: String,
    text: String,
    expected: Vec<String>,
    strict: bool,
}

fn flawed() -> Vec<Flawed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/flawed");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|f| f.path())
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let expected = text
                .lines()
                .find_map(|line| line.strip_prefix("; expect:"))
                .unwrap();
            Flawed {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                expected: expected.split_whitespace().map(str::to_owned).collect(),
                strict: text.lines().any(|line| line == "; strict"),
                text,
            }
        })
        .collect()
}

#[test]
fn each_flaw_is_found_and_nothing_else() {
    let mut wrong = String::new();
    for file in flawed() {
        let found = check(&file.text, file.strict);
        let got: BTreeSet<&str> = codes(&found).into_iter().collect();
        let expected: BTreeSet<&str> = file.expected.iter().map(String::as_str).collect();
        if got != expected {
            let (domain, problem) = split(&file.text);
            let sources = [("domain", domain), ("problem", problem.unwrap_or(""))];
            wrong += &format!(
                "{}: expected {expected:?}, found {got:?}\n{}\n",
                file.name,
                found.brief(&sources)
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_set_is_large_and_varied() {
    let files = flawed();
    let kinds: BTreeSet<String> = files.iter().flat_map(|f| f.expected.clone()).collect();
    assert!(files.len() >= 40, "{} files", files.len());
    assert!(kinds.len() >= 26, "{} kinds", kinds.len());
}

#[test]
fn a_fix_removes_its_mistake_and_adds_no_error() {
    let mut fixed_files = 0;
    for file in flawed() {
        let (domain, problem) = split(&file.text);
        let texts = [domain, problem.unwrap_or("")];
        let found = check(&file.text, false);
        let mut after = String::new();
        let mut changed = false;
        for (number, text) in texts.iter().enumerate() {
            match apply(text.as_bytes(), number as u32, &found.list) {
                Ok((fixed, _)) => {
                    after += std::str::from_utf8(&fixed).unwrap();
                    changed = true;
                }
                Err(FixRefused::Nothing) => after += text,
                Err(FixRefused::Unreadable(error)) => panic!("{}: {error}", file.name),
            }
        }
        if !changed {
            continue;
        }
        fixed_files += 1;
        let left = codes(&check(&after, false));
        for diagnostic in &found.list {
            if diagnostic.certain_fix().is_some() {
                let name = diagnostic.code.name;
                assert!(
                    !left.contains(&name),
                    "{}: {name} is still there in\n{after}",
                    file.name
                );
            }
        }
        let errors = |codes: &[&str]| codes.iter().filter(|code| code.starts_with('E')).count();
        assert!(
            errors(&left) <= errors(&codes(&found)),
            "{}: {left:?}",
            file.name
        );
    }
    assert!(fixed_files >= 20, "{fixed_files}");
}
