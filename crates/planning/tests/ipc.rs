//! All samples of the planning competitions are read without an error.

use planoku_planning::model::resolve::{Options, Reading, resolve};
use planoku_planning::syntax::Tree;
use std::path::{Path, PathBuf};

/// Every domain with its problems below `../shared/ipc`, or nothing where the
/// samples are absent.
fn samples() -> Vec<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/ipc");
    let mut pairs = Vec::new();
    for track in ["total-order", "partial-order"] {
        let Ok(families) = std::fs::read_dir(root.join(track)) else {
            println!("passed over: no samples in {}", root.display());
            continue;
        };
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
