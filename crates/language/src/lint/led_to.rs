//! What the initial network never leads to.
//!
//! An HTN planner executes only what the tasks of the initial network are
//! refined into. A task or an action that no chain of methods reaches from
//! there is idle in this problem. If that leaves no action at all and the
//! problem has no solution, it is the likely cause and a warning; otherwise
//! other problems of the domain may use what is idle, and it is a hint.

use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::visit;
use crate::model::{ActionId, Model, Span, TaskId, TaskRef};
use rustc_hash::FxHashSet;

code!(
    NO_ACTION = "W0503",
    Warning,
    "the initial network leads to no action"
);
code!(
    IDLE = "H0505",
    Hint,
    "never reached from the initial network"
);

/// More names than this are counted only.
const MOST_NAMES: usize = 12;

/// Looks at a problem; `solvable` is false if it is known to have no solution.
pub(super) fn check(model: &Model, solvable: bool, out: &mut Diagnostics) {
    let Some(network) = &model.network else {
        return;
    };
    let led_to = visit::led_to(model);
    let idle = |task: &TaskRef| !led_to.contains(task);
    let tasks: Vec<TaskRef> = (0..model.tasks.len() as u32)
        .map(|index| TaskRef::Task(TaskId(index)))
        .filter(idle)
        .collect();
    let actions: Vec<TaskRef> = (0..model.actions.len() as u32)
        .map(|index| TaskRef::Action(ActionId(index)))
        .filter(idle)
        .collect();
    let names = [
        named(model, "task", &tasks),
        named(model, "action", &actions),
    ];
    let listed: Vec<String> = names.into_iter().flatten().collect();
    let listed = listed.join(" and ");
    if !solvable && !actions.is_empty() && actions.len() == model.actions.len() {
        let mut diagnostic = Diagnostic::new(
            &NO_ACTION,
            network.span,
            "the initial network leads to no action, so nothing can ever change",
        )
        .label(format!("never leads to {listed}"))
        .note(
            "an HTN planner executes only what the initial network leads to; a task is not a goal",
        )
        .help("put a task into the network whose methods lead to the actions");
        if let Some(action) = model.actions.first() {
            diagnostic = diagnostic.related(action.span, "declared, but out of reach");
        }
        out.push(diagnostic);
        return;
    }
    let all: Vec<TaskRef> = tasks.into_iter().chain(actions).collect();
    // Best seen where the thread is lost: something that nothing asks for.
    let asked_for = asked_for(model);
    let lost = all.iter().find(|task| !asked_for.contains(task));
    let Some(place) = lost.or(all.first()) else {
        return;
    };
    let label = match asked_for.contains(place) {
        true => "asked for only by what is out of reach",
        false => "neither the network nor any method asks for it",
    };
    out.push(
        Diagnostic::new(
            &IDLE,
            span(model, *place),
            format!("the initial network never leads to {listed}"),
        )
        .label(label)
        .related(network.span, "the network of this problem")
        .note("an HTN planner executes only what the initial network leads to"),
    );
}

/// Every task and action that stands in the network or in a method.
fn asked_for(model: &Model) -> FxHashSet<TaskRef> {
    let methods = model.methods.iter().map(|method| &method.network);
    let initial = model.network.iter().map(|network| &network.network);
    methods
        .chain(initial)
        .flat_map(|network| network.subtasks.iter().map(|subtask| subtask.task))
        .collect()
}

fn span(model: &Model, task: TaskRef) -> Span {
    match task {
        TaskRef::Task(id) => model.tasks[id.index()].span,
        TaskRef::Action(id) => model.actions[id.index()].span,
    }
}

/// "task `a`", "actions `b`, `c`", or nothing.
fn named(model: &Model, what: &str, all: &[TaskRef]) -> Option<String> {
    let names: Vec<String> = (all.iter().take(MOST_NAMES))
        .map(|task| format!("`{}`", visit::task_name(model, *task)))
        .collect();
    let names = names.join(", ");
    match all.len() {
        0 => None,
        1 => Some(format!("{what} {names}")),
        count if count <= MOST_NAMES => Some(format!("{what}s {names}")),
        count => Some(format!("{what}s {names} (and {} more)", count - MOST_NAMES)),
    }
}
