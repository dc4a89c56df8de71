//! What the initial network never leads to.
//!
//! An HTN planner executes only what the tasks of the initial network are
//! refined into. A task or an action that no chain of methods reaches from
//! there is idle in this problem. If that leaves no action at all and the
//! problem has no solution, it is the likely cause and a warning; otherwise
//! other problems of the domain may use what is idle, and it is a hint.

use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::visit;
use crate::model::{ActionId, Model, Span, TaskId, TaskRef, Variable};
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
        if let Some((message, place, text)) = lead_there(model, &tasks) {
            diagnostic = diagnostic.suggest(false, message, place, text);
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

/// A guess at what was meant: a task that leads to an action, and that nobody
/// asks for, was to be done before a task of the network, again and again. The
/// fix is one more method of that task: the lost task, then itself.
fn lead_there(model: &Model, idle: &[TaskRef]) -> Option<(String, Span, String)> {
    let asked_for = asked_for(model);
    let acts = |task: &&TaskRef| {
        let TaskRef::Task(id) = task else {
            return false;
        };
        let mut methods = model.methods.iter().filter(|method| method.task == *id);
        !asked_for.contains(task)
            && methods.any(|method| {
                let subtasks = &method.network.subtasks;
                subtasks
                    .iter()
                    .any(|s| matches!(s.task, TaskRef::Action(_)))
            })
    };
    let mut lost = idle.iter().filter(acts);
    let (Some(TaskRef::Task(lost)), None) = (lost.next(), lost.next()) else {
        return None; // Nobody, or too many to guess.
    };
    let asked = model.network.as_ref()?.network.subtasks.iter();
    let above = asked.rev().find_map(|subtask| match subtask.task {
        TaskRef::Task(id) => Some(id),
        TaskRef::Action(_) => None,
    })?;
    let method = model.methods.iter().find(|method| method.task == above)?;
    let (lost, above) = (&model.tasks[lost.index()], &model.tasks[above.index()]);
    let names = |parameters: &[Variable]| -> String {
        parameters.iter().map(|v| format!(" {}", v.name)).collect()
    };
    let clash = |v: &Variable| above.parameters.iter().any(|other| other.name == v.name);
    if lost.parameters.iter().any(clash) {
        return None;
    }
    let parameters: Vec<String> = (lost.parameters.iter().chain(&above.parameters))
        .map(|variable| declared(model, variable))
        .collect();
    let (head, step) = (
        format!("({}{})", above.name, names(&above.parameters)),
        format!("({}{})", lost.name, names(&lost.parameters)),
    );
    // The edit begins after the `(:method` that is there, and ends with another.
    let text = format!(
        "m-{}-{}\n    :parameters ({})\n    :task {head}\n    :ordered-subtasks (and\n      {step}\n      {head}))\n  (:method ",
        above.name,
        lost.name,
        parameters.join(" ")
    );
    let place = Span {
        end: method.span.start,
        ..method.span
    };
    let message = format!(
        "let `{}` be done by doing `{}` first, as often as needed",
        above.name, lost.name
    );
    Some((message, place, text))
}

/// A variable as it is declared.
fn declared(model: &Model, variable: &Variable) -> String {
    let types: Vec<&str> = (variable.types.iter())
        .map(|id| model.types[id.index()].name.as_str())
        .collect();
    match types.as_slice() {
        [] => variable.name.clone(),
        [one] => format!("{} - {one}", variable.name),
        many => format!("{} - (either {})", variable.name, many.join(" ")),
    }
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
