//! A plan's tree in the words of players.
//!
//! A cell to be filled is a heading; what had to be cleared away for it, and
//! for what, stands indented below it; each step says why it is right.

use std::collections::HashMap;
use std::fmt;

use planoku_planning::model::{Model, ObjectId};
use planoku_planning::plan::Plan;
use planoku_planning::plan::tree::rows;

/// One line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How far to the right.
    pub depth: usize,
    /// The technique, as the domain calls it; `None` for a heading.
    pub technique: Option<String>,
    /// Ten times the technique's rating; 0 for a heading.
    pub rating: u64,
    /// What it says.
    pub text: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rating {
            0 => f.write_str(&self.text),
            rating => write!(f, "{} ({}.{})", self.text, rating / 10, rating % 10),
        }
    }
}

/// The lines of a plan.
pub(super) fn lines(plan: &Plan, model: &Model) -> Vec<Line> {
    let tasks: HashMap<u64, usize> = plan.decompositions.iter().map(|d| d.id).zip(0..).collect();
    let mut lines = Vec::new();
    for row in rows(plan, model) {
        // The tasks `solve` are the list itself, and a task that goes on under
        // its own heading needs no second one.
        let depth = row
            .depth
            .saturating_sub(usize::from(!plan.roots.is_empty()));
        if let Some(step) = row.step {
            let step = &plan.steps[step];
            let name = model.actions[step.action.index()].name.as_str();
            lines.push(Line {
                depth,
                technique: Some(name.into()),
                rating: rating(name),
                text: sentence(name, &words(model, &step.arguments)),
            });
        } else if let Some(&task) = tasks.get(&row.id)
            && !row.repeats
        {
            let task = &plan.decompositions[task];
            let words = words(model, &task.arguments);
            let text = match (model.tasks[task.task.index()].name.as_str(), &words[..]) {
                ("place", [cell, digit]) => format!("{cell} = {digit}"),
                ("clear", [cell, digit]) => format!("first {digit} leaves {cell}"),
                _ => continue,
            };
            lines.push(Line {
                depth,
                technique: None,
                rating: 0,
                text,
            });
        }
    }
    lines
}

/// Objects as players call them: `r3c6`, `4`, `row 3`.
fn words(model: &Model, arguments: &[ObjectId]) -> Vec<String> {
    let word = |id: &ObjectId| {
        let name = &model.objects[id.index()].name;
        match name.strip_prefix('d') {
            Some(digit) => digit.to_string(),
            None => match name.find(|c: char| c.is_ascii_digit()) {
                Some(at) if at > 1 => format!("{} {}", &name[..at], &name[at..]),
                _ => name.clone(),
            },
        }
    };
    arguments.iter().map(word).collect()
}

/// Ten times what Sudoku Explainer rates a technique: what the domain says it
/// costs.
fn rating(technique: &str) -> u64 {
    match technique {
        "hidden-single-box" => 12,
        "hidden-single-line" => 15,
        "naked-single" => 23,
        "pointing" => 26,
        "claiming" => 28,
        "naked-pair" => 30,
        "x-wing-rows" | "x-wing-columns" => 32,
        "hidden-pair" => 34,
        _ => 0,
    }
}

fn sentence(technique: &str, words: &[String]) -> String {
    match (technique, words) {
        ("hidden-single-box", [cell, digit, house]) => {
            format!("hidden single: {house} has no other place for {digit} than {cell}")
        }
        ("hidden-single-line", [cell, digit, house]) => {
            format!("hidden single: {house} has no other place for {digit} than {cell}")
        }
        ("naked-single", [cell, digit]) => {
            format!("naked single: nothing but {digit} is left in {cell}")
        }
        ("pointing", [digit, cell_box, line]) => {
            format!(
                "pointing: {digit} in {cell_box} lies on {line}, so the rest of {line} loses it"
            )
        }
        ("claiming", [digit, line, cell_box]) => {
            format!(
                "claiming: {digit} on {line} lies in {cell_box}, so the rest of {cell_box} loses it"
            )
        }
        ("naked-pair", [house, a, b, d, e]) => {
            format!("naked pair: {a} and {b} take {d} and {e}, so the rest of {house} loses them")
        }
        ("hidden-pair", [house, a, b, d, e]) => {
            format!("hidden pair: {d} and {e} of {house} are in {a} and {b}, so nothing else is")
        }
        ("x-wing-rows" | "x-wing-columns", [digit, a, b, c, d]) => format!(
            "X-wing: {digit} on {a} and {b} lies on {c} and {d}, so the rest of these loses it"
        ),
        _ => format!("{technique} {}", words.join(" ")),
    }
}
