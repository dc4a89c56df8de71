//! Names that differ only in upper and lower case.

use super::Diagnostic;
use crate::source::Span;

code!(CLASH = "W0121", Warning, "names differ only by case");
code!(
    TASK_ACTION = "W0122",
    Warning,
    "a task and an action share a name"
);

/// Two spellings of one name are both declared.
pub fn clash(what: &str, second: (&str, Span), first: (&str, Span)) -> Diagnostic {
    Diagnostic::new(
        &CLASH,
        second.1,
        format!(
            "{what} `{}` and `{}` are one name in PDDL, which ignores case",
            second.0, first.0
        ),
    )
    .label("taken as the same")
    .related(first.1, "declared here")
    .help("rename one, or read with `--case-sensitive`")
}

/// A compound task and an action that PDDL cannot tell apart.
pub fn task_action(task: (&str, Span), action: (&str, Span)) -> Diagnostic {
    let message = if task.0 == action.0 {
        format!("`{}` is both a task and an action", task.0)
    } else {
        format!(
            "task `{}` and action `{}` are one name in PDDL, which ignores case",
            task.0, action.0
        )
    };
    Diagnostic::new(&TASK_ACTION, action.1, message)
        .label("the action")
        .related(task.1, "the task")
        .note("here the spelling decides which one a subtask means; other planners may choose the other")
        .help("rename one of them")
}
