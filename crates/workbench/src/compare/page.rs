//! A comparison as one self-contained page.

use maud::{Markup, html};

use super::{Claim, Report, Summary, disagreements, summaries};
use crate::chart::{self, Axes, short_count, short_time};
use crate::html::{figure, page as frame};

/// How many engines a line chart shows before it stops being readable.
const LINES: usize = 10;

/// The page: disagreements first, then the table, then charts.
pub fn page(report: &Report) -> String {
    frame("Planoku: engines compared", body(report))
}

/// The page without its frame, for reports that hold more than this.
pub fn body(report: &Report) -> Markup {
    let rows = summaries(report);
    let budget = match (report.budget.time, report.budget.nodes) {
        (Some(time), _) => format!("{} each", short_time(time.as_secs_f64())),
        (None, Some(nodes)) => format!("{} nodes each", short_count(nodes as f64)),
        (None, None) => "no limit".to_string(),
    };
    html! {
        h1 { "The same puzzles, " (report.engines.len()) " engines" }
        p.quiet {
            (report.puzzles.len()) " puzzles, " (report.rounds) " interleaved rounds, budget "
            (budget) ". Every solution was verified."
            @if report.cut_short { " The run was stopped early; what was measured until then is shown." }
        }
        (verdict(report))
        h2 { "Fastest first" }
        p.quiet { "Engines that decided every puzzle come before those that did not." }
        (table(&rows))
        (charts(report, &rows))
    }
}

fn verdict(report: &Report) -> Markup {
    let found = disagreements(report);
    html! {
        @if found.is_empty() {
            div.box { p.good { "All engines agree on every puzzle they decided." } }
        } @else {
            div.box.alarm {
                p.bad { "Engines disagree on " (found.len()) " of " (report.puzzles.len()) " puzzles." }
                @for disagreement in &found {
                    p.mono { (report.puzzles[disagreement.puzzle]) }
                    ul {
                        @for (says, names) in &disagreement.sides {
                            li { (names.join(", ")) ": " span.mono { (says) } }
                        }
                    }
                }
            }
        }
    }
}

fn table(rows: &[Summary]) -> Markup {
    html! {
        div.scroll { table {
            thead { tr {
                th { "engine" } th { "solved" } th { "proved none" } th { "gave up" } th { "stopped" }
                th { "median time" } th { "middle half" } th { "slowest" } th { "median nodes" }
            } }
            tbody { @for row in rows { tr {
                td { (row.engine) @if row.wrong > 0 { " " span.bad { "wrong on " (row.wrong) } } }
                td { (count(row.solved)) } td { (count(row.refuted)) } td { (count(row.gave_up)) } td { (count(row.stopped)) }
                td { (short_time(row.time.median.as_secs_f64())) }
                td { (short_time(row.time.lower.as_secs_f64())) " – " (short_time(row.time.upper.as_secs_f64())) }
                td { (short_time(row.time.most.as_secs_f64())) }
                td { (short_count(row.nodes.median as f64)) }
            } } }
        } }
        p.quiet { "A search that was stopped counts with the time it was given; it is neither a failure nor a win." }
    }
}

/// A nought is nothing to look at.
fn count(number: usize) -> String {
    if number == 0 {
        "·".to_string()
    } else {
        number.to_string()
    }
}

fn charts(report: &Report, rows: &[Summary]) -> Markup {
    let shown = &rows[..rows.len().min(LINES)];
    let names: Vec<String> = shown.iter().map(|row| row.engine.clone()).collect();
    let decided = |row: &Summary| {
        let mine = report.results.iter().filter(|m| m.engine == row.index);
        let decided = mine.filter(|m| matches!(m.claim, Claim::Solved(_) | Claim::None));
        decided
            .map(|m| m.time().as_secs_f64())
            .collect::<Vec<f64>>()
    };
    let survival: Vec<Vec<f64>> = shown.iter().map(decided).collect();
    let five = |row: &Summary| {
        let t = row.time;
        [t.least, t.lower, t.median, t.upper, t.most].map(|d| d.as_secs_f64())
    };
    let boxes: Vec<(String, [f64; 5])> = rows
        .iter()
        .map(|row| (row.engine.clone(), five(row)))
        .collect();
    html! {
        h2 { "Puzzles decided against time" }
        (figure(
            &chart::survival(
                &Axes { x: "time for one puzzle", y: "puzzles decided", describe: "puzzles decided within a given time, one line per engine" },
                &survival,
            ),
            &names,
            "The further left and the higher, the better. The ten fastest of those that decided most.",
        ))
        h2 { "Nodes against difficulty" }
        (figure(
            &chart::scatter(
                &Axes { x: "difficulty: nodes of the reference search", y: "nodes", describe: "search nodes of each engine against the difficulty of the puzzle" },
                &difficulty(report, shown),
            ),
            &names,
            "Each dot is one puzzle. Difficulty is how many nodes plain search by fewest candidates needs.",
        ))
        h2 { "Spread of times" }
        (figure(
            &chart::boxes(
                &Axes { x: "time for one puzzle", y: "", describe: "least, quartiles and most of the times of each engine" },
                &boxes,
            ),
            &[],
            "Thin line: fastest to slowest puzzle. Thick: the middle half. Tick: the median.",
        ))
    }
}

/// For each engine, `(difficulty, nodes)` of every puzzle it decided.
fn difficulty(report: &Report, rows: &[Summary]) -> Vec<Vec<(f64, f64)>> {
    let hard: Vec<f64> = report
        .puzzles
        .iter()
        .map(|puzzle| reference_nodes(puzzle) as f64)
        .collect();
    let points = |row: &Summary| {
        let mine = report.results.iter().filter(|m| m.engine == row.index);
        let decided = mine.filter(|m| matches!(m.claim, Claim::Solved(_) | Claim::None));
        decided
            .map(|m| (hard[m.puzzle], m.nodes.max(1) as f64))
            .collect()
    };
    rows.iter().map(points).collect()
}

/// Nodes of the search by fewest candidates until its first solution, as far
/// as a bounded budget goes.
fn reference_nodes(puzzle: &planoku_sudoku::Grid) -> u64 {
    use planoku_engine::{Engine, Run};
    let engine = planoku_sudoku::reference::Reference;
    let outcome = engine.solve(puzzle, &mut Run::limit(1).with_nodes(200_000));
    outcome.map_or(1, |outcome| outcome.stats.nodes.max(1))
}
