//! Problems ground, and what they ground to is in order: our own models, and
//! those of the planning competitions.

use std::path::{Path, PathBuf};

use planoku_engine::{Budget, Run};
use planoku_planning::ground::{Ground, Node, ground};
use planoku_planning::read_files;

use crate::corpora;

/// Per family: the domain and the smallest problem.
fn smallest(track: &str) -> Vec<(PathBuf, PathBuf)> {
    let families = std::fs::read_dir(corpora::path("ipc").join(track)).unwrap();
    let mut list = Vec::new();
    for family in families {
        let mut files: Vec<PathBuf> = std::fs::read_dir(family.unwrap().path())
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort_by_key(|file| std::fs::metadata(file).unwrap().len());
        let is_domain = |file: &Path| {
            let name = file.file_stem().unwrap().to_string_lossy().to_lowercase();
            name.ends_with("domain")
        };
        let problem = files.iter().find(|file| !is_domain(file)).unwrap().clone();
        let stem = problem.file_stem().unwrap().to_string_lossy();
        let own = problem.with_file_name(format!("{stem}-domain.hddl"));
        let domain = match own.exists() {
            true => own,
            false => files.iter().find(|file| is_domain(file)).unwrap().clone(),
        };
        list.push((domain, problem));
    }
    list
}

/// What [`Ground`] promises.
fn check_invariants(ground: &Ground) {
    let facts = ground.facts.len() as u32;
    let sorted = |list: &[u32]| {
        assert!(list.is_sorted_by(|a, b| a < b));
        assert!(list.iter().all(|&fact| fact < facts));
    };
    for action in &ground.actions {
        sorted(&action.precondition.positive);
        sorted(&action.precondition.negative);
        sorted(&action.add);
        sorted(&action.delete);
    }
    for (index, task) in ground.tasks.iter().enumerate() {
        assert!(!task.methods.is_empty());
        for &method in &task.methods {
            assert_eq!(ground.methods[method as usize].task as usize, index);
        }
    }
    for method in &ground.methods {
        assert_eq!(method.places.len(), method.subtasks.len());
        for node in &method.subtasks {
            match node {
                Node::Task(task) => assert!((*task as usize) < ground.tasks.len()),
                Node::Action(action) => assert!((*action as usize) < ground.actions.len()),
            }
        }
    }
    sorted(&ground.init);
    sorted(&ground.goal.positive);
}

#[track_caller]
fn check(pairs: &[(PathBuf, PathBuf)]) {
    assert!(!pairs.is_empty());
    for (domain, problem) in pairs {
        let model = read_files(domain, problem).unwrap();
        let mut run = Run::limit(1).with_budget(Budget {
            memory: Some(2 << 30),
            ..Budget::default()
        });
        match ground(&model, &mut run) {
            Ok(ground) => {
                assert!(ground.root.is_some());
                assert!(ground.ordered, "{}", problem.display());
                check_invariants(&ground);
            }
            Err(error) => panic!("{}: {error}", problem.display()),
        }
    }
}

#[test]
fn the_hierarchical_models_ground() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/htn");
    let mut pairs = Vec::new();
    for model in ["order", "recursive"] {
        for (kind, domain, problem) in [
            ("plain", "domain.hddl", "4x4.hddl"),
            ("plain", "domain.hddl", "figure-1.hddl"),
            ("published", "domain-4x4.hddl", "4x4.hddl"),
            ("published", "domain-9x9.hddl", "figure-1.hddl"),
        ] {
            let folder = folder.join(model).join(kind);
            pairs.push((folder.join(domain), folder.join(problem)));
        }
    }
    check(&pairs);
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn the_smallest_problem_of_every_total_order_family_grounds() {
    check(&smallest("total-order"));
}
