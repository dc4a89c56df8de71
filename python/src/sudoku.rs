//! One puzzle at a time.

use planoku_data::{Id, MakeReport, Making, make};
use planoku_engine::{Engine, Run, Stop};
use planoku_human::{Board, GROUP, PuzzleOrder, Rater, Rating, Technique};
use planoku_sudoku::generate::{PatternSymmetry, PuzzleRecipe};
use planoku_sudoku::native::Native;
use planoku_sudoku::{Grid, Shape, canon, text, verify};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::error::{at, bad};
use crate::interrupt::interruptible;
use crate::pool::on_all_cores;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(solve, module)?)?;
    module.add_function(wrap_pyfunction!(count, module)?)?;
    module.add_function(wrap_pyfunction!(generate, module)?)?;
    module.add_function(wrap_pyfunction!(rate, module)?)?;
    module.add_function(wrap_pyfunction!(steps, module)?)?;
    module.add_function(wrap_pyfunction!(hint, module)?)?;
    module.add_function(wrap_pyfunction!(canonical, module)?)?;
    module.add_function(wrap_pyfunction!(broken_rule, module)?)?;
    module.add_function(wrap_pyfunction!(engines, module)?)?;
    module.add_function(wrap_pyfunction!(make_dataset, module)?)
}

/// Exactly one puzzle, in any format.
fn read(py: Python<'_>, puzzle: &str) -> PyResult<Grid> {
    let mut found = text::Puzzles::new(puzzle.as_bytes());
    match (found.next(), found.next()) {
        (Some(Ok(one)), None) => Ok(one.grid),
        (None, _) => Err(at(py, "puzzle", 1, 1, "expected a puzzle, found nothing")),
        (Some(Err(error)), _) | (_, Some(Err(error))) => Err(at(
            py,
            "puzzle",
            error.line,
            error.column,
            &error.problem.to_string(),
        )),
        (_, Some(Ok(more))) => Err(at(
            py,
            "puzzle",
            more.line,
            1,
            "expected one puzzle, found two",
        )),
    }
}

/// The solutions found up to a limit, how the search ended, and its nodes.
#[pyfunction]
fn solve(
    py: Python<'_>,
    puzzle: &str,
    limit: u64,
    engine: &str,
    nodes: Option<u64>,
) -> PyResult<(Vec<String>, &'static str, u64)> {
    let grid = read(py, puzzle)?;
    let run = |run: Run<'static>| match nodes {
        Some(nodes) => run.with_nodes(nodes),
        None => run,
    };
    let named = planoku_workbench::find(engine)
        .map_err(|error| bad(format!("{error}; see planoku.engines()")))?;
    let outcome = if engine == "native" && grid.shape() == Shape::Three && limit <= 1000 {
        // Too quick to be worth a thread.
        planoku_workbench::solve::solve(&*named, &grid, &mut run(Run::limit(limit)))
    } else {
        interruptible(py, |cancel| {
            let run = &mut run(Run::limit(limit).with_cancel(cancel.clone()));
            planoku_workbench::solve::solve(&*named, &grid, run)
        })?
    };
    let outcome = outcome.map_err(bad)?;
    let grids = outcome.answers.iter().map(|answer| answer.grid.to_string());
    Ok((grids.collect(), outcome.end.name(), outcome.stats.nodes))
}

/// How many solutions, and whether that is all of them.
#[pyfunction]
fn count(py: Python<'_>, puzzle: &str, limit: u64) -> PyResult<(u64, bool)> {
    let grid = read(py, puzzle)?;
    let named = planoku_workbench::engine("native").expect("it is always there");
    let counted = interruptible(py, |cancel| {
        let run = &mut Run::limit(limit).with_cancel(cancel.clone());
        planoku_workbench::solve::count(&*named, &grid, run)
    })?;
    let counted = counted.map_err(bad)?;
    Ok((counted.count, counted.end == planoku_engine::End::Exhausted))
}

/// New puzzles.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "named in Python")]
fn generate(
    py: Python<'_>,
    count: u64,
    seed: u64,
    rating: Option<(String, String)>,
    with_: Vec<String>,
    without: Vec<String>,
    clues: Option<(usize, usize)>,
    symmetry: &str,
    minimal: bool,
) -> PyResult<Vec<String>> {
    let symmetry = PatternSymmetry::ALL
        .into_iter()
        .find(|one| one.name() == symmetry)
        .ok_or_else(|| {
            let names = PatternSymmetry::ALL.map(PatternSymmetry::name).join(", ");
            bad(format!("expected a symmetry ({names}), found `{symmetry}`"))
        })?;
    let techniques = |names: &[String]| -> PyResult<Vec<Technique>> {
        names.iter().map(|name| name.parse().map_err(bad)).collect()
    };
    let range = clues.map_or(0..=81, |(low, high)| low..=high);
    if rating.is_none() && with_.is_empty() && without.is_empty() {
        let recipe = PuzzleRecipe {
            shape: Shape::Three,
            clues: range,
            minimal: minimal || clues.is_none(),
            symmetry,
        };
        recipe.check().map_err(bad)?;
        let made = on_all_cores(py, |cancel| {
            let pieces = (0..count.div_ceil(256)).into_par_iter();
            let made = pieces.flat_map_iter(|piece| {
                let run = &mut Run::limit(1).with_cancel(cancel.clone());
                recipe.make_many(seed, 256 * piece..count.min(256 * piece + 256), run)
            });
            made.map(|one| one.map(|grid| grid.to_string()))
                .collect::<Result<Vec<_>, Stop>>()
        })?;
        return made.map_err(|stop| bad(stop.name()));
    }
    let parse = |text: &str| text.parse::<Rating>().map_err(bad);
    let order = PuzzleOrder {
        rating: match &rating {
            Some((low, high)) => parse(low)?..=parse(high)?,
            None => Rating(10)..=Rating(u8::MAX),
        },
        with: techniques(&with_)?,
        without: techniques(&without)?,
        clues: range,
        minimal,
        symmetry,
    };
    order.check().map_err(bad)?;
    let made = on_all_cores(py, |cancel| {
        let groups = (0..count.div_ceil(GROUP)).into_par_iter().map(|group| {
            let run = &mut Run::limit(1).with_cancel(cancel.clone());
            let wanted = GROUP.min(count - GROUP * group) as usize;
            let mut made = Vec::new();
            order.make_group(seed, group, &mut Rater::new(), run, |one| {
                made.push(one.puzzle.to_string());
                made.len() < wanted
            })?;
            Ok(made)
        });
        groups.collect::<Result<Vec<_>, Stop>>()
    })?;
    Ok(made.map_err(|stop| bad(stop.name()))?.concat())
}

/// The rating as JSON.
#[pyfunction]
fn rate(py: Python<'_>, puzzle: &str) -> PyResult<String> {
    let grid = read(py, puzzle)?;
    let rated = interruptible(py, |cancel| {
        Rater::new().rate(&grid, &mut Run::limit(1).with_cancel(cancel.clone()))
    })?;
    Ok(format!("{{{}}}", rated.map_err(bad)?.json_members()))
}

/// The path as JSON: a list of steps.
#[pyfunction]
fn steps(py: Python<'_>, puzzle: &str) -> PyResult<String> {
    let grid = read(py, puzzle)?;
    let path = interruptible(py, |cancel| {
        Rater::new().path(&grid, &mut Run::limit(1).with_cancel(cancel.clone()))
    })?;
    let steps: Vec<String> = path
        .map_err(bad)?
        .steps
        .iter()
        .map(|step| step.json())
        .collect();
    Ok(format!("[{}]", steps.join(",")))
}

/// The next step as JSON; `None` where nothing is left to do.
#[pyfunction]
fn hint(py: Python<'_>, puzzle: &str) -> PyResult<Option<String>> {
    let grid = read(py, puzzle)?;
    let solved = Native.solve(&grid, &mut Run::limit(2)).map_err(bad)?;
    match solved.answers.len() {
        0 => {
            return Err(bad(
                "the position has no solution: something on it is wrong",
            ));
        }
        1 => {}
        _ => return Err(bad("the position has several solutions")),
    }
    let board = Board::new(&grid).map_err(bad)?;
    if board.is_solved() {
        return Ok(None);
    }
    let step = interruptible(py, |cancel| {
        Rater::new().next(&board, &mut Run::limit(1).with_cancel(cancel.clone()))
    })?;
    let step = step.map_err(|stop| bad(stop.name()))?;
    Ok(step.map(|step| step.json()))
}

/// The canonical form, its id, and the number of automorphisms.
#[pyfunction]
fn canonical(py: Python<'_>, puzzle: &str) -> PyResult<(String, String, u64)> {
    let found = canon::canonical(&read(py, puzzle)?)
        .ok_or_else(|| bad("expected a board up to 9x9 on which no house repeats a digit"))?;
    let id = Id::of_form(&found.form);
    Ok((found.form.to_string(), id.to_string(), found.automorphisms))
}

/// The rule a solution breaks, or `None` if it is one.
#[pyfunction]
fn broken_rule(py: Python<'_>, puzzle: &str, solution: &str) -> PyResult<Option<String>> {
    let (puzzle, solution) = (read(py, puzzle)?, read(py, solution)?);
    Ok(verify(&puzzle, &solution)
        .err()
        .map(|broken| broken.to_string()))
}

/// Names and summaries.
#[pyfunction]
fn engines() -> Vec<(String, String)> {
    let profiles = planoku_workbench::engines()
        .into_iter()
        .map(|engine| engine.profile());
    profiles
        .map(|one| (one.name.into_owned(), one.summary.into_owned()))
        .collect()
}

/// Makes a data set, or the rest of it; the manifest as JSON.
#[pyfunction]
fn make_dataset(
    py: Python<'_>,
    recipe: &str,
    folder: std::path::PathBuf,
    shard: Option<&str>,
) -> PyResult<Option<String>> {
    let shard = shard.map(|text| text.parse().map_err(bad)).transpose()?;
    let made = on_all_cores(py, |cancel| {
        let making = Making {
            shard,
            cancel: cancel.clone(),
        };
        make(recipe, &folder, &making, |_| ())
    })?;
    match made {
        Err(planoku_data::MakeError::Recipe(wrong)) => {
            Err(at(py, "recipe", wrong.line, wrong.column, &wrong.message))
        }
        Err(error) => Err(bad(error)),
        Ok(MakeReport::Complete(manifest)) => {
            serde_json::to_string(&*manifest).map(Some).map_err(bad)
        }
        Ok(MakeReport::Part { .. }) => Ok(None),
        Ok(MakeReport::Stopped(stop)) => Err(bad(stop.name())),
    }
}
