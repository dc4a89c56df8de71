//! Reads the IPC's format for hierarchical plans.

use super::names::{Names, Word, words};
use super::{PlanTextError, Written};
use crate::model::{ActionId, MethodId, TaskId};
use crate::plan::{Decomposition, Step};

/// True if the text holds such a plan.
pub fn begins(text: &str) -> bool {
    text.lines().any(|line| {
        words(line, 1)
            .first()
            .is_some_and(|word| word.text == "==>")
    })
}

pub fn read(text: &str, names: &Names<'_>) -> Result<Written, PlanTextError> {
    let mut written = Written::default();
    let mut inside = false;
    let mut began = false;
    let mut rooted = false;
    let mut last = 0;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let words = words(line, number + 1);
        let Some(first) = words.first() else {
            continue;
        };
        if !inside {
            inside = !began && first.text == "==>";
            began |= inside;
            continue;
        }
        let plan = &mut written.plan;
        if first.text == "<==" {
            inside = false;
        } else if first.text.eq_ignore_ascii_case("root") {
            if std::mem::replace(&mut rooted, true) {
                return Err(first.error("a second line of roots".into()));
            }
            plan.roots = ids(&words[1..])?;
        } else if let Some(arrow) = words.iter().position(|word| word.text == "->") {
            let refined = decomposition(&words, arrow, names)?;
            written.lines.entry(refined.id).or_insert(number + 1);
            plan.decompositions.push(refined);
        } else {
            let step = step(&words, names)?;
            written.lines.entry(step.id).or_insert(number + 1);
            plan.steps.push(step);
        }
    }
    let missing = |message: &str| PlanTextError {
        line: last.max(1),
        column: 1,
        message: message.into(),
    };
    if !began {
        return Err(missing(
            "expected a plan that starts with `==>`, found none",
        ));
    }
    if !rooted {
        return Err(missing(
            "expected a line `root` with the ids of the initial tasks, found the end",
        ));
    }
    Ok(written)
}

fn ids(words: &[Word<'_>]) -> Result<Vec<u64>, PlanTextError> {
    words.iter().map(Word::id).collect()
}

fn step(words: &[Word<'_>], names: &Names<'_>) -> Result<Step, PlanTextError> {
    let id = words[0].id()?;
    let Some(name) = words.get(1) else {
        return Err(words[0].error("expected an action after the id, found nothing".into()));
    };
    if let (None, Some(_)) = (names.actions.get(name.text), names.tasks.get(name.text)) {
        return Err(name.error(format!(
            "`{}` is a compound task: expected `-> method` and the ids of its children",
            name.text
        )));
    }
    Ok(Step {
        id,
        action: ActionId(names.actions.find(name)?),
        arguments: names.arguments(&words[2..])?,
    })
}

fn decomposition(
    words: &[Word<'_>],
    arrow: usize,
    names: &Names<'_>,
) -> Result<Decomposition, PlanTextError> {
    let id = words[0].id()?;
    if arrow < 2 {
        return Err(words[arrow].error("expected a task before `->`".into()));
    }
    let Some(method) = words.get(arrow + 1) else {
        return Err(words[arrow].error("expected a method after `->`".into()));
    };
    Ok(Decomposition {
        id,
        task: TaskId(names.tasks.find(&words[1])?),
        arguments: names.arguments(&words[2..arrow])?,
        method: MethodId(names.methods.find(method)?),
        children: ids(&words[arrow + 2..])?,
    })
}
