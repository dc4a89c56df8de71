//! `planoku steps --plan`: the easiest explanation, found and proved by the
//! planner, after the path of the scale.

use std::fmt::Write as _;

use planoku_engine::{End, Run};
use planoku_sudoku::Grid;
use planoku_workbench::formulate::planning::human::{TechniqueLevel, explain};

use crate::exit::{Exit, Failure};

/// The plan's tree in words, or why there is none; `greedy` is how many steps
/// the path of the scale takes.
pub(super) fn words(
    puzzle: &Grid,
    level: TechniqueLevel,
    greedy: usize,
    run: &mut Run<'_>,
) -> Result<(String, Exit), Failure> {
    let outcome = explain(puzzle, level, run).map_err(Failure::fault)?;
    let Some(found) = outcome.answers.first() else {
        return Ok(match outcome.end {
            End::Stopped(stop) => (
                format!(
                    "# no explanation found: stopped by {stop}\n",
                    stop = crate::output::stopped_by(stop)
                ),
                Exit::Stopped,
            ),
            _ => (
                format!("# techniques up to {level} do not explain it: proved\n"),
                Exit::Proved,
            ),
        });
    };
    let tenths = |rating: u64| format!("{}.{}", rating / 10, rating % 10);
    let mut text = format!(
        "# the easiest explanation with techniques up to {level}: {} (the path above: {greedy}), hardest {}, together {}; proved\n",
        crate::output::counted(found.steps().count(), "step"),
        tenths(found.hardest()),
        tenths(found.cost),
    );
    let mut step = 0;
    for line in &found.lines {
        let indent = 2 * line.depth;
        let _ = match line.technique {
            Some(_) => {
                step += 1;
                writeln!(
                    text,
                    "{step:>3}. {:>4}  {:indent$}{}",
                    tenths(line.rating),
                    "",
                    line.text
                )
            }
            None => writeln!(text, "{:11}{:indent$}{}", "", "", line.text),
        };
    }
    Ok((text, Exit::Done))
}
