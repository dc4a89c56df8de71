//! Problems of the planning competitions ground. Needs `../shared/ipc`.

use std::path::{Path, PathBuf};

use planoku_engine::{Budget, Run};
use planoku_planning::ground::{Ground, Node, ground};
use planoku_planning::read_files;

/// Per family: the domain and the smallest problem.
fn smallest(track: &str) -> Vec<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/ipc");
    let Ok(families) = std::fs::read_dir(root.join(track)) else {
        eprintln!("passed over: {} is not here", root.display());
        return vec![];
    };
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

fn check(track: &str) {
    for (domain, problem) in smallest(track) {
        let model = read_files(&domain, &problem).unwrap();
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
fn the_smallest_problem_of_every_total_order_family_grounds() {
    check("total-order");
}
