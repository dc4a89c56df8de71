//! Which methods and tasks can come to nothing: a refinement without actions.

use crate::ground::{Ground, Node};

/// For each method, and for each task, whether some refinement of it has no action.
pub(crate) fn may_be_empty(ground: &Ground) -> (Vec<bool>, Vec<bool>) {
    let mut methods = vec![false; ground.methods.len()];
    let mut tasks = vec![false; ground.tasks.len()];
    // The methods in which each task occurs, and how many of a method's
    // subtasks are not known to be possibly empty.
    let mut uses = vec![Vec::new(); ground.tasks.len()];
    let mut missing = vec![0usize; ground.methods.len()];
    let mut open = Vec::new();
    for (index, method) in ground.methods.iter().enumerate() {
        missing[index] = method.subtasks.len();
        for &node in &method.subtasks {
            if let Node::Task(task) = node {
                uses[task as usize].push(index);
            }
        }
        if method.subtasks.is_empty() {
            open.push(index);
        }
    }
    while let Some(index) = open.pop() {
        methods[index] = true;
        let task = ground.methods[index].task as usize;
        if std::mem::replace(&mut tasks[task], true) {
            continue;
        }
        for &user in &uses[task] {
            missing[user] -= 1;
            if missing[user] == 0 {
                open.push(user);
            }
        }
    }
    (methods, tasks)
}
