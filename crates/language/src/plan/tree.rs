//! The decomposition tree of a plan, for people: text, SVG, HTML, Graphviz.
//!
//! A loop written as recursion (`solve` = do something, then `solve`) would
//! step to the right with every turn and leave the page. A last child that
//! repeats its parent's task is therefore shown on its parent's level, marked
//! `↻`: ten thousand turns are a list, not a staircase.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::Plan;
use crate::model::Model;

/// One line of a tree, in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRow {
    /// How far to the right.
    pub depth: usize,
    /// The action, or the task.
    pub label: String,
    /// The method, for a task.
    pub method: Option<String>,
    /// The place of an action in the plan, from 0.
    pub step: Option<usize>,
    /// How many actions are below (or 1 for an action).
    pub steps: usize,
    /// It repeats the task of the row it continues.
    pub repeats: bool,
    /// The id in the plan.
    pub id: u64,
    /// The ids of the children.
    pub children: Vec<u64>,
}

/// The rows of a plan's tree. A classical plan is a list of actions. Ids that
/// are not in the plan are passed over, so any plan has a tree.
pub fn rows(plan: &Plan, model: &Model) -> Vec<TreeRow> {
    let steps: FxHashMap<u64, usize> = plan.steps.iter().map(|s| s.id).zip(0..).collect();
    let tasks: FxHashMap<u64, usize> = plan.decompositions.iter().map(|d| d.id).zip(0..).collect();
    let mut open: Vec<(u64, usize, bool)> = if plan.roots.is_empty() && tasks.is_empty() {
        plan.steps.iter().rev().map(|s| (s.id, 0, false)).collect()
    } else {
        plan.roots.iter().rev().map(|&id| (id, 0, false)).collect()
    };
    let mut rows: Vec<TreeRow> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some((id, depth, repeats)) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let Some(&at) = steps.get(&id) {
            let step = &plan.steps[at];
            let name = &model.actions[step.action.index()].name;
            rows.push(TreeRow {
                depth,
                label: model.show(name, &step.arguments).to_string(),
                method: None,
                step: Some(at),
                steps: 1,
                repeats,
                id,
                children: vec![],
            });
        } else if let Some(&at) = tasks.get(&id) {
            let refined = &plan.decompositions[at];
            let name = &model.tasks[refined.task.index()].name;
            rows.push(TreeRow {
                depth,
                label: model.show(name, &refined.arguments).to_string(),
                method: Some(model.methods[refined.method.index()].name.clone()),
                step: None,
                steps: 0,
                repeats,
                id,
                children: refined.children.clone(),
            });
            for (place, &child) in refined.children.iter().enumerate().rev() {
                let turn = place + 1 == refined.children.len()
                    && tasks
                        .get(&child)
                        .is_some_and(|&c| plan.decompositions[c].task == refined.task);
                open.push((child, depth + usize::from(!turn), turn));
            }
        }
    }
    count_steps(&mut rows);
    rows
}

/// Counts the actions in the part of the page that belongs to each row.
fn count_steps(rows: &mut [TreeRow]) {
    let mut sums: Vec<usize> = Vec::new();
    for row in rows.iter_mut().rev() {
        sums.resize(sums.len().max(row.depth + 2), 0);
        let below = std::mem::take(&mut sums[row.depth + 1]);
        sums.truncate(row.depth + 1);
        if row.step.is_none() {
            row.steps = below;
        }
        sums[row.depth] += row.steps;
    }
}

/// As text, with lines that show what belongs together.
pub fn text(plan: &Plan, model: &Model) -> String {
    let rows = rows(plan, model);
    // Whether a row at each depth is followed by another at that depth.
    let mut last = vec![true; rows.len()];
    let mut later: Vec<bool> = Vec::new();
    for (at, row) in rows.iter().enumerate().rev() {
        later.resize(later.len().max(row.depth + 1), false);
        later.truncate(row.depth + 1);
        last[at] = !later[row.depth];
        later[row.depth] = true;
    }
    let mut out = String::new();
    let mut bars: Vec<bool> = Vec::new();
    for (row, last) in rows.iter().zip(last) {
        bars.truncate(row.depth);
        if row.depth > 40 {
            let _ = write!(out, "{}({}) ", "   ".repeat(40), row.depth);
        } else if row.depth > 0 {
            for bar in &bars[1.min(bars.len())..] {
                out += if *bar { "│  " } else { "   " };
            }
            out += if last { "└─ " } else { "├─ " };
        }
        bars.resize(row.depth, false);
        bars.push(!last);
        out += &line(row);
        out.push('\n');
    }
    out
}

fn line(row: &TreeRow) -> String {
    let mark = if row.repeats { "↻ " } else { "" };
    match (&row.method, row.step) {
        (Some(method), _) => format!("{mark}{} → {method}", row.label),
        (None, Some(step)) => format!("{step}: {}", row.label),
        (None, None) => row.label.clone(),
    }
}

fn counted(number: usize, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Deeper rows are moved to the end of an HTML page, with a link.
const NESTING: usize = 100;

/// As a page in which every task folds. Large trees start folded.
pub fn html(plan: &Plan, model: &Model) -> String {
    let rows = rows(plan, model);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <title>{0}</title><style>{STYLE}</style></head><body>\n\
         <h1>{0}</h1><p>{1}, {2}{3}. \
         <button onclick=\"fold(true)\">open all</button> \
         <button onclick=\"fold(false)\">fold all</button></p>\n",
        escape(&model.problem),
        counted(plan.steps.len(), "step"),
        counted(plan.decompositions.len(), "task"),
        plan.cost.map_or(String::new(), |cost| format!(
            ", cost {}",
            model.show_cost(cost)
        ))
    );
    let small = rows.len() <= 300;
    let mut open: Vec<usize> = Vec::new();
    let mut base = 0;
    let mut sections = 0;
    for (at, row) in rows.iter().enumerate() {
        if row.depth < base {
            base = 0;
        }
        while open.last().is_some_and(|&depth| depth >= row.depth) {
            open.pop();
            out += "</div></details>\n";
        }
        if open.len() >= NESTING {
            // Browsers stop nesting; go on at the margin.
            while open.pop().is_some() {
                out += "</div></details>\n";
            }
            base = row.depth;
            sections += 1;
            let _ = writeln!(
                out,
                "<p class=\"s\">… depth {}, part {}</p>",
                row.depth, sections
            );
        }
        let has_children = rows.get(at + 1).is_some_and(|next| next.depth > row.depth);
        let mark = if row.repeats { "↻ " } else { "" };
        match (&row.method, row.step) {
            (Some(method), _) if has_children => {
                let unfolded = if small || row.depth == 0 && rows.len() < 3000 {
                    " open"
                } else {
                    ""
                };
                let _ = write!(
                    out,
                    "<details{unfolded}><summary>{mark}<b>{}</b> <i>{}</i> <small>{}</small></summary><div>",
                    escape(&row.label),
                    escape(method),
                    counted(row.steps, "step")
                );
                open.push(row.depth);
            }
            (Some(method), _) => {
                let _ = writeln!(
                    out,
                    "<p>{mark}<b>{}</b> <i>{}</i> <small>nothing to do</small></p>",
                    escape(&row.label),
                    escape(method)
                );
            }
            (None, step) => {
                let number = step.map_or(String::new(), |step| step.to_string());
                let _ = writeln!(
                    out,
                    "<p><span>{number}</span> <code>{}</code></p>",
                    escape(&row.label)
                );
            }
        }
    }
    while open.pop().is_some() {
        out += "</div></details>\n";
    }
    out + "<script>function fold(o){document.querySelectorAll('details').forEach(d=>d.open=o)}</script></body></html>\n"
}

const STYLE: &str = "body{font:14px/1.45 system-ui,sans-serif;margin:2em;color:#222;background:#fff}\
details>div{margin-left:1.2em;border-left:1px solid #ccc;padding-left:.6em}p{margin:.1em 0}\
summary{cursor:pointer}i{color:#06c;font-style:normal}small,span{color:#777}span{display:inline-block;min-width:3em;text-align:right}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}i{color:#6af}details>div{border-color:#444}}";

/// A picture has at most this many rows; what is below gets folded.
const PICTURE: usize = 1500;

/// As a picture. The deepest levels are folded where there are too many rows.
pub fn svg(plan: &Plan, model: &Model) -> String {
    let all = rows(plan, model);
    let mut counts: Vec<usize> = Vec::new();
    for row in &all {
        counts.resize(counts.len().max(row.depth + 1), 0);
        counts[row.depth] += 1;
    }
    let mut deepest = 0;
    let mut total = counts.first().copied().unwrap_or(0);
    while deepest + 1 < counts.len() && total + counts[deepest + 1] <= PICTURE {
        deepest += 1;
        total += counts[deepest];
    }
    let shown: Vec<&TreeRow> = all.iter().filter(|row| row.depth <= deepest).collect();
    let cut = shown.len().saturating_sub(PICTURE);
    let shown = &shown[..shown.len() - cut];
    let text = |row: &TreeRow| {
        let folded = match row.method {
            Some(_) if row.depth == deepest && row.steps > 0 => {
                format!("  ({})", counted(row.steps, "step"))
            }
            _ => String::new(),
        };
        line(row) + &folded
    };
    let width = shown
        .iter()
        .map(|row| row.depth * 18 + text(row).chars().count() * 8 + 40)
        .max()
        .unwrap_or(100);
    let height = (shown.len() + usize::from(cut > 0)) * 20 + 20;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace,monospace\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let mut parents: Vec<usize> = Vec::new();
    for (at, row) in shown.iter().enumerate() {
        let (x, y) = (row.depth * 18 + 16, at * 20 + 24);
        parents.truncate(row.depth);
        if let Some(parent) = parents.last() {
            let _ = writeln!(
                out,
                "<path d=\"M{} {} V{} H{}\" fill=\"none\" stroke=\"#bbb\"/>",
                x - 12,
                parent * 20 + 30,
                y - 4,
                x - 3
            );
        }
        parents.resize(row.depth, at);
        parents.push(at);
        let colour = if row.step.is_some() { "#075" } else { "#114" };
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{}</text>",
            escape(&text(row))
        );
    }
    if cut > 0 {
        let y = shown.len() * 20 + 24;
        let _ = writeln!(out, "<text x=\"16\" y=\"{y}\">… and {cut} more</text>");
    }
    out + "</svg>\n"
}

/// For Graphviz: tasks are boxes, actions ellipses, numbered by execution.
pub fn dot(plan: &Plan, model: &Model) -> String {
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = String::from("digraph plan {\n  rankdir=LR;\n  node [fontname=\"monospace\"];\n");
    let rows = rows(plan, model);
    let known: rustc_hash::FxHashSet<u64> = rows.iter().map(|row| row.id).collect();
    for row in &rows {
        let label = match (&row.method, row.step) {
            (Some(method), _) => format!("{}\\n{}", quote(&row.label), quote(method)),
            (None, Some(step)) => format!("{step}: {}", quote(&row.label)),
            (None, None) => quote(&row.label),
        };
        let shape = if row.step.is_some() { "ellipse" } else { "box" };
        let _ = writeln!(out, "  n{} [shape={shape}, label=\"{label}\"];", row.id);
        for child in row.children.iter().filter(|child| known.contains(child)) {
            let _ = writeln!(out, "  n{} -> n{child};", row.id);
        }
    }
    out + "}\n"
}
