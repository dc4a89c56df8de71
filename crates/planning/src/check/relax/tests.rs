//! What is called dead has no instance for the grounder either.

use super::{Owner, Relaxed};
use crate::ground::ground;
use crate::model::Model;
use planoku_engine::{Budget, Run};
use std::path::{Path, PathBuf};

/// What is found dead within so many steps.
fn dead(model: &Model, steps: u64) -> Vec<Owner> {
    let facts = (model.init.iter()).map(|fact| (fact.predicate, fact.arguments.clone()));
    let Ok(mut relaxed) = Relaxed::new(model, facts, false, steps) else {
        return Vec::new();
    };
    if relaxed.run().is_err() {
        relaxed.sketch();
    }
    (relaxed.rules.iter().zip(&relaxed.fired))
        .filter(|(rule, fired)| !**fired && rule.owner != Owner::Network)
        .map(|(rule, _)| rule.owner)
        .collect()
}

/// No dead schema occurs in the grounded problem. Returns how many there
/// were, or nothing if grounding would take too long.
#[track_caller]
fn check(name: &str, model: &Model) -> Option<usize> {
    // With the usual steps, and with so few that only names are followed.
    let mut dead: Vec<Owner> = [60_000, 10_000]
        .into_iter()
        .flat_map(|steps| dead(model, steps))
        .collect();
    dead.dedup();
    if dead.is_empty() {
        return None;
    }
    let mut run = Run::limit(1).with_budget(Budget {
        nodes: Some(100_000),
        memory: Some(1 << 30),
        ..Budget::default()
    });
    let ground = ground(model, &mut run).ok()?;
    for schema in ground.actions.iter().filter_map(|action| action.schema) {
        assert!(!dead.contains(&Owner::Action(schema)), "{name}: {schema:?}");
    }
    for schema in ground.methods.iter().filter_map(|method| method.schema) {
        assert!(!dead.contains(&Owner::Method(schema)), "{name}: {schema:?}");
    }
    Some(dead.len())
}

/// Every problem of the competitions' samples with its domain.
fn samples() -> Vec<(PathBuf, PathBuf)> {
    let root = corpora::path("ipc");
    let entries = |path: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().to_lowercase();
    let mut pairs = Vec::new();
    for family in entries(&root).iter().flat_map(|track| entries(track)) {
        let (domains, problems): (Vec<PathBuf>, Vec<PathBuf>) =
            (entries(&family).into_iter()).partition(|path| name(path).contains("domain"));
        for problem in problems {
            let stem = problem
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .to_lowercase();
            let own = |domain: &&PathBuf| name(domain).starts_with(&format!("{stem}-domain"));
            let domain = domains.iter().find(own).or(domains.first());
            pairs.extend(domain.map(|domain| (domain.clone(), problem)));
        }
    }
    pairs
}

#[path = "../../../../../tests/corpora.rs"]
mod corpora;

/// The domains with something wrong, of which many have dead parts.
#[test]
fn what_is_dead_in_a_flawed_domain_has_no_ground_instance() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/flawed");
    let (mut compared, mut found) = (0, 0);
    for file in std::fs::read_dir(folder).unwrap().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap();
        let Some(at) = text.find("(define (problem") else {
            continue;
        };
        let (Some(model), _) = crate::read(&text[..at], &text[at..]) else {
            continue;
        };
        if let Some(dead) = check(&file.path().display().to_string(), &model) {
            compared += 1;
            found += dead;
        }
    }
    assert!(compared >= 5 && found >= 5, "{found} in {compared}");
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn what_is_dead_has_no_ground_instance() {
    let (mut compared, mut found) = (0, 0);
    for (domain, problem) in samples() {
        let Ok(model) = crate::read_files(&domain, &problem) else {
            continue;
        };
        if let Some(dead) = check(&problem.display().to_string(), &model) {
            compared += 1;
            found += dead;
        }
    }
    println!("{compared} problems with dead schemas, {found} of them");
    assert!(found > 100, "{found}");
}
