//! All samples of the planning competitions are read without an error.

use planoku_language::model::resolve::{Options, Reading, resolve};
use planoku_language::syntax::Tree;
use std::path::{Path, PathBuf};

#[path = "../../../../tests/corpora.rs"]
mod corpora;

/// Every domain with its problems among the samples.
pub fn samples() -> Vec<(PathBuf, PathBuf)> {
    let root = corpora::path("ipc");
    let mut pairs = Vec::new();
    for track in ["total-order", "partial-order"] {
        let families = std::fs::read_dir(root.join(track)).unwrap();
        for family in families.flatten() {
            let mut files: Vec<PathBuf> = std::fs::read_dir(family.path())
                .unwrap()
                .flatten()
                .map(|file| file.path())
                .collect();
            files.sort();
            let is_domain = |path: &PathBuf| {
                path.file_name()
                    .unwrap()
                    .to_string_lossy()
                    .to_lowercase()
                    .contains("domain")
            };
            let (domains, problems): (Vec<PathBuf>, Vec<PathBuf>) =
                files.into_iter().partition(is_domain);
            for problem in problems {
                let stem = problem.file_stem().unwrap().to_string_lossy().into_owned();
                let own = |domain: &&PathBuf| {
                    domain
                        .file_name()
                        .unwrap()
                        .to_string_lossy()
                        .starts_with(&format!("{stem}-domain"))
                };
                let domain = domains.iter().find(own).unwrap_or(&domains[0]);
                pairs.push((domain.clone(), problem));
            }
        }
    }
    pairs
}

fn read(domain: &Path, problem: &Path) -> (Tree, Tree, Reading) {
    let tree = |path: &Path, file| Tree::read_bytes(std::fs::read(path).unwrap(), file);
    let (domain, problem) = (tree(domain, 0), tree(problem, 1));
    let reading = resolve(&domain, Some(&problem), Options::default());
    (domain, problem, reading)
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn every_sample_is_read_without_error() {
    for (domain, problem) in samples() {
        let (d, p, reading) = read(&domain, &problem);
        let names = [&domain, &problem].map(|path| path.display().to_string());
        let brief = reading
            .diagnostics
            .brief(&[(&names[0], d.text()), (&names[1], p.text())]);
        assert!(!reading.diagnostics.has_errors(), "{brief}");
        print!("{brief}");
        assert!(!reading.model.methods.is_empty());
        assert!(reading.model.network.is_some());
    }
}

/// Warnings that are true of some samples, and harmless: a problem that names
/// another domain, a narrowing (Ultralight-Cockpit), facts and objects said
/// twice, requirements not declared, an effect that adds and deletes the same
/// fact (Woodworking), method parameters without use (Ultralight-Cockpit),
/// parts of a domain that a problem does not use (in one hint each; that they
/// are dead is held against the grounder in the tests of `planoku-planning`).
const TRUE_OF_SAMPLES: &[(&str, &str)] = &[
    ("W0602", ""),
    ("W0310", "Ultralight-Cockpit"),
    ("W0601", ""),
    ("H0113", ""),
    ("H0604", ""),
    ("W0405", "partial-order/Woodworking"),
    ("W0407", "Ultralight-Cockpit"),
    ("H0504", "AssemblyHierarchical"),
    ("H0504", "Entertainment"),
    ("H0504", "Freecell-Learned"),
    ("H0504", "Lamps"),
    ("H0504", "Monroe"),
    ("H0504", "partial-order/Satellite"),
    ("H0504", "Robot"),
    ("H0504", "Towers"),
    ("H0504", "UM-Translog"),
    ("H0504", "Ultralight-Cockpit"),
    ("H0504", "Woodworking"),
    ("H0505", "Childsnack"),
    ("H0505", "Elevator-Learned"),
    ("H0505", "Freecell-Learned"),
    ("H0505", "Hiking"),
    ("H0505", "Logistics-Learned"),
    ("H0505", "PCP"),
    ("H0505", "Ultralight-Cockpit"),
];

/// What this thread has spent on a processor; on a busy machine the clock
/// measures the others.
pub fn cpu_time() -> std::time::Duration {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse().ok());
    std::time::Duration::from_nanos(nanoseconds.unwrap_or(0))
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn no_sample_is_troubled_by_false_alarm() {
    use planoku_language::lint;
    let mut slowest = (std::time::Duration::ZERO, String::new());
    let mut noise = String::new();
    for (domain, problem) in samples() {
        let bytes = [&domain, &problem].map(|path| std::fs::read(path).unwrap());
        let start = cpu_time();
        let [first, second] = bytes;
        let trees = [Tree::read_bytes(first, 0), Tree::read_bytes(second, 1)];
        let found = lint::check(
            &trees[0],
            Some(&trees[1]),
            Options::default(),
            Default::default(),
        );
        slowest = slowest.max((cpu_time() - start, problem.display().to_string()));
        if std::env::var_os("PLANOKU_TIMES").is_some() {
            println!("{:?} {}", cpu_time() - start, problem.display());
        }
        for diagnostic in &found.list {
            let name = problem.display().to_string();
            let is_true = |(code, family): &(&str, &str)| {
                *code == diagnostic.code.name && name.contains(family)
            };
            if !TRUE_OF_SAMPLES.iter().any(is_true) {
                noise += &format!(
                    "{}: {} {}\n{}\n",
                    problem.display(),
                    diagnostic.code.name,
                    diagnostic.message,
                    diagnostic.notes.join("\n")
                );
            }
        }
    }
    println!("slowest: {:?} {}", slowest.0, slowest.1);
    assert!(noise.is_empty(), "{noise}");
}
