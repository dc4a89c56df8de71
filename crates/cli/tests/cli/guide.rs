//! The guide tells the truth: its commands are run, its links lead somewhere.
//!
//! In a block marked `console`, a line that begins with `$ planoku` is a
//! command, `# exit N` behind it the exit code it ends with if not 0, and what
//! follows is what it prints, compared by snapbox: `...` stands for any number of
//! lines, `[..]` for anything within one. With `PLANOKU_WRITE_GUIDE` set, the blocks are written anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use snapbox::Assert;

/// Longer output is cut when a block is written anew.
const LONGEST: usize = 26;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn markdown(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(markdown(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A folder of its own for each chapter, with the models in reach.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path =
            std::env::temp_dir().join(format!("planoku-guide-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        copy(&root().join("models"), &path.join("models"));
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target)
        } else {
            fs::copy(&path, &target).map(drop).unwrap()
        }
    }
}

/// Runs a line of the guide: what it printed, and how it ended.
fn run(line: &str, scratch: &Scratch) -> (String, i32) {
    let command = line.split('#').next().unwrap();
    let arguments = command.split_whitespace().skip(2);
    let output = Command::new(env!("CARGO_BIN_EXE_planoku"))
        .args(arguments)
        .current_dir(&scratch.0)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .concat();
    (text, output.status.code().unwrap_or(-1))
}

fn expected_code(line: &str) -> i32 {
    line.split_once("# exit ")
        .map_or(0, |(_, code)| code.trim().parse().unwrap())
}

/// The lines as one text, without what is blank at their ends.
fn lines_of(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

#[test]
fn every_command_of_the_guide_prints_what_the_guide_says() {
    let write = std::env::var_os("PLANOKU_WRITE_GUIDE").is_some();
    let compare = Assert::new().normalize_paths(false);
    let mut wrong = Vec::new();
    let mut commands = 0;
    for file in markdown(&root().join("docs/guide/src")) {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let scratch = Scratch::new(&name);
        let mut lines = text.lines().peekable();
        let mut written = String::new();
        let mut inside = false;
        while let Some(line) = lines.next() {
            written += &format!("{line}\n");
            if line.starts_with("```") {
                inside = line == "```console";
            }
            if !inside || !line.starts_with("$ planoku") {
                continue;
            }
            let mut expected = Vec::new();
            while let Some(next) = lines.next_if(|l| !l.starts_with("$ ") && !l.starts_with("```"))
            {
                expected.push(next);
            }
            commands += 1;
            let (output, code) = run(line, &scratch);
            let found: Vec<&str> = output.lines().collect();
            if write {
                let kept = if found.len() > LONGEST {
                    &found[..LONGEST - 8]
                } else {
                    &found[..]
                };
                kept.iter()
                    .for_each(|line| written += &format!("{}\n", line.trim_end()));
                if kept.len() < found.len() {
                    written += "...\n";
                }
                continue;
            }
            assert_eq!(
                code,
                expected_code(line),
                "{name}: `{line}` printed\n{output}"
            );
            if let Err(difference) =
                compare.try_eq(None, lines_of(&found).into(), lines_of(&expected).into())
            {
                wrong.push(format!("{name}: `{line}`\n{difference}"));
            }
        }
        if write {
            fs::write(&file, written).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(commands > 20, "only {commands} commands found");
}

#[test]
fn every_link_of_our_documents_leads_somewhere() {
    let mut files = markdown(&root().join("docs"));
    files.extend(markdown(&root().join("models")));
    files.extend(
        [
            "README.md",
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
        ]
        .map(|f| root().join(f)),
    );
    let mut links = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            if path.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            links += 1;
            let target_file = match path {
                "" => file.clone(),
                path => file.parent().unwrap().join(path),
            };
            assert!(target_file.exists(), "{}: no `{path}`", file.display());
            if !anchor.is_empty() {
                let target_text = fs::read_to_string(&target_file).unwrap();
                let heads = target_text
                    .lines()
                    .filter(|line| line.starts_with('#'))
                    .map(slug);
                assert!(
                    heads.into_iter().any(|head| head == anchor),
                    "{}: no `#{anchor}`",
                    file.display()
                );
            }
        }
    }
    assert!(links > 10, "only {links} links found");
}

/// The anchor of a heading.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
