//! What is called dead has no instance for the grounder either.

use planoku_engine::{Budget, Run};
use planoku_language::lint::{Owner, dead_schemas};
use planoku_planning::ground::ground;
use planoku_planning::model::Model;
use planoku_planning::{read, read_files};
use std::path::{Path, PathBuf};

use crate::corpora;

/// No dead schema occurs in the grounded problem. Returns how many there
/// were, or nothing if grounding would take too long.
#[track_caller]
fn check(name: &str, model: &Model) -> Option<usize> {
    // With the usual steps, and with so few that only names are followed.
    let mut dead: Vec<Owner> = [60_000, 10_000]
        .into_iter()
        .flat_map(|steps| dead_schemas(model, steps))
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

/// A courier that could fly if anything had wings: what needs them is dead,
/// and nothing is once something has.
#[test]
fn what_is_dead_for_a_courier_has_no_ground_instance() {
    let text = include_str!("../../../language/tests/flawed/correct.hddl");
    let (domain, problem) = text.split_at(text.find("(define (problem").unwrap());
    let domain = domain
        .replace(
            "(paved ?p - place)",
            "(paved ?p - place) (winged ?v - vehicle)",
        )
        .replace(
            "(:action drive",
            "(:method m-fly
               :parameters (?v - vehicle ?from ?to - place) :task (get-to ?v ?to)
               :ordered-subtasks (and (fly ?v ?from ?to)))
             (:action fly
               :parameters (?v - vehicle ?from ?to - place)
               :precondition (and (winged ?v) (at ?v ?from))
               :effect (and (not (at ?v ?from)) (at ?v ?to)))
             (:action drive",
        );
    let (grounded, said) = read(&domain, problem);
    let grounded = grounded.unwrap_or_else(|| panic!("{said:?}"));
    assert!(check("no wings", &grounded).unwrap() >= 1);
    let (winged, _) = read(&domain, &problem.replace("(at v1", "(winged v1) (at v1"));
    assert_eq!(check("wings", &winged.unwrap()), None);
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn what_is_dead_has_no_ground_instance() {
    let (mut compared, mut found) = (0, 0);
    for (domain, problem) in samples() {
        let Ok(model) = read_files(&domain, &problem) else {
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
