//! Tasks that cannot be carried out because of the hierarchy alone: no method,
//! or only methods that lead back to themselves.

use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::visit;
use crate::model::{Model, TaskRef};

code!(NO_METHOD = "W0402", Warning, "task without method");
code!(
    NO_REFINEMENT = "W0403",
    Warning,
    "task that never ends in actions"
);

/// Looks at every task that something uses.
pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    let mut methods = vec![Vec::new(); model.tasks.len()];
    for method in &model.methods {
        methods[method.task.index()].push(method);
    }
    // The first use of each task, as a place to point at.
    let mut used = vec![None; model.tasks.len()];
    let networks = model.methods.iter().map(|method| &method.network);
    let initial = model.network.iter().map(|network| &network.network);
    for subtask in initial
        .chain(networks)
        .flat_map(|network| &network.subtasks)
    {
        if let TaskRef::Task(id) = subtask.task {
            used[id.index()].get_or_insert(subtask.span);
        }
    }
    let ends = finite(model);
    for (index, task) in model.tasks.iter().enumerate() {
        let Some(place) = used[index] else {
            continue;
        };
        if methods[index].is_empty() {
            out.push(
                Diagnostic::new(
                    &NO_METHOD,
                    task.span,
                    format!(
                        "task `{}` has no method, so it can never be done",
                        task.name
                    ),
                )
                .label("no method refines it")
                .related(place, "used here"),
            );
        } else if !ends[index] {
            let mut diagnostic = Diagnostic::new(
                &NO_REFINEMENT,
                task.span,
                format!("no refinement of task `{}` ever ends", task.name),
            )
            .label("every method leads on to tasks without end")
            .related(place, "used here");
            for method in methods[index].iter().take(3) {
                let endless = method
                    .network
                    .subtasks
                    .iter()
                    .find(|subtask| match subtask.task {
                        TaskRef::Task(id) => !ends[id.index()],
                        TaskRef::Action(_) => false,
                    });
                if let Some(subtask) = endless {
                    let name = visit::task_name(model, subtask.task);
                    let text = format!("`{}` needs `{name}`", method.name);
                    diagnostic = diagnostic.related(subtask.span, text);
                }
            }
            out.push(diagnostic.help("add a method that ends: with actions only, or empty"));
        }
    }
}

/// For each task, whether some refinement ends. A task without method counts
/// as ending, so that the blame stays where it belongs.
fn finite(model: &Model) -> Vec<bool> {
    let mut ends = vec![true; model.tasks.len()];
    for method in &model.methods {
        ends[method.task.index()] = false;
    }
    // For each method, how many subtasks are not known to end; and for each
    // task, the methods that wait for it.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); model.tasks.len()];
    let mut open = vec![0usize; model.methods.len()];
    let mut ready: Vec<usize> = Vec::new();
    for (index, method) in model.methods.iter().enumerate() {
        for subtask in &method.network.subtasks {
            if let TaskRef::Task(id) = subtask.task
                && !ends[id.index()]
            {
                open[index] += 1;
                waiting[id.index()].push(index);
            }
        }
        if open[index] == 0 {
            ready.push(index);
        }
    }
    while let Some(method) = ready.pop() {
        let task = model.methods[method].task.index();
        if std::mem::replace(&mut ends[task], true) {
            continue;
        }
        for waiter in &waiting[task] {
            open[*waiter] -= 1;
            if open[*waiter] == 0 {
                ready.push(*waiter);
            }
        }
    }
    ends
}
