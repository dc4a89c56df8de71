//! "A Block World Problem Based Sudoku Solver": robots on a table.

use planoku_engine::{Engine, Run};
use planoku_sudoku::generate::Recipe;
use planoku_sudoku::native::Native;
use planoku_sudoku::{Grid, Shape};

use super::{Chapter, Effort, Paper, Table, Verdict, row};
use crate::agents::models::Model;
use crate::agents::run::{Finish, Report, Settings, run};
use crate::chart::{short_count, short_time};
use crate::papers::blocks::{HARDEST_MS, MODELS};

pub(super) fn chapter(effort: &Effort<'_>) -> Chapter {
    let sample = sample(effort);
    let tables = vec![models(effort, &sample), combination(effort, &sample)];
    Chapter {
        paper: Paper::Blocks,
        citation: "Luciana Abednego and Cecilia Nugraheni, A Block World Problem Based Sudoku Solver, Parahyangan Catholic University",
        summary: vec![
            format!("The authors' hundred puzzles were never printed, so ours are {} generated ones with one solution each; solved counts and percentages can agree in kind only.", sample.len()),
            "Definitions 3 and 4, read as printed, are unsound and equal. Condition 5 of model 3 accepts a cell (x, y) if for every other row r of the box, row r has the number or (r, y) is filled; nothing excludes an empty cell (r, c) with r ≠ x and c ≠ y, so a robot can place a wrong box. Model 4 adds \"or all cells of row r in the box are filled\", which already implies that (r, y) is filled: it accepts exactly the same cells.".into(),
            "What the authors ran must have been the sound reading: each other cell of the box is excluded by itself.".into(),
        ],
        tables,
    }
}

/// Puzzles of about newspaper size.
fn sample(effort: &Effort<'_>) -> Vec<Grid> {
    let recipe = Recipe {
        clues: 26..=30,
        minimal: false,
        ..Recipe::minimal(Shape::Three)
    };
    let count = effort.pick(30, 100);
    (0..count)
        .filter_map(|index| recipe.make(2013, index, &mut Run::limit(1)).ok())
        .collect()
}

/// What a model did to a sample.
struct Tally {
    solved: usize,
    wrong_puzzles: usize,
    filled_percent: f64,
}

fn tally(effort: &Effort<'_>, sample: &[Grid], settings: Settings) -> Tally {
    let (mut solved, mut wrong_puzzles, mut filled, mut blanks) = (0, 0, 0usize, 0usize);
    for puzzle in sample {
        let Ok(report) = run(puzzle, &settings, &mut effort.run(1)) else {
            continue;
        };
        let wrong = wrong_boxes(puzzle, &report.grid);
        wrong_puzzles += usize::from(wrong > 0);
        solved += usize::from(report.finish == Finish::Solved && wrong == 0);
        filled += report.grid.clue_count() - puzzle.clue_count();
        blanks += puzzle.blanks().count();
    }
    Tally {
        solved,
        wrong_puzzles,
        filled_percent: 100.0 * filled as f64 / blanks.max(1) as f64,
    }
}

fn wrong_boxes(puzzle: &Grid, found: &Grid) -> usize {
    let solution = Native
        .solve(puzzle, &mut Run::limit(1))
        .ok()
        .and_then(|o| o.answers.into_iter().next());
    let Some(solution) = solution else { return 0 };
    found
        .clues()
        .filter(|(cell, digit)| solution.get(*cell) != Some(*digit))
        .count()
}

fn models(effort: &Effort<'_>, sample: &[Grid]) -> Table {
    let mut rows = Vec::new();
    let variants = [
        (Model::M1, Some(0), false),
        (Model::M2, Some(1), false),
        (Model::M3, Some(2), false),
        (Model::M3, Some(2), true),
        (Model::M4, Some(3), false),
        (Model::M4, Some(3), true),
        (Model::M5, None, false),
        (Model::M6, None, false),
    ];
    for (model, published, printed) in variants {
        if effort.cancel.is_cancelled() {
            break;
        }
        (effort.progress)(&format!("blocks: model {}", model.name()));
        let mut settings = Settings {
            removals: Some(effort.pick(300_000, 5_000_000)),
            ..Settings::new(model)
        };
        if printed {
            settings = settings.printed();
        }
        let found = tally(effort, sample, settings);
        let theirs = published.map(|index| MODELS[index]);
        let percent = 100.0 * found.solved as f64 / sample.len().max(1) as f64;
        let verdict = match theirs {
            None => Verdict::New,
            Some(_) if found.wrong_puzzles > 0 => {
                Verdict::Refuted(format!("wrong boxes in {} puzzles", found.wrong_puzzles))
            }
            Some(_) if model == Model::M1 && found.solved < sample.len() => Verdict::Open(format!(
                "{} stopped by the limit on removals",
                sample.len() - found.solved
            )),
            Some(_) => Verdict::InKind,
        };
        rows.push(row(
            [
                model.name().to_string(),
                if printed { "printed" } else { "sound" }.to_string(),
                theirs.map_or("–".into(), |t| format!("{} %", t.solved)),
                format!("{percent:.0} %"),
                theirs.map_or("–".into(), |t| format!("{} %", t.filled_percent)),
                format!("{:.1} %", found.filled_percent),
                found.wrong_puzzles.to_string(),
            ],
            verdict,
        ));
    }
    Table {
        title: "Tables I and II: puzzles solved and empty cells filled".into(),
        head: vec![
            "model",
            "reading",
            "solved, theirs",
            "solved, ours",
            "filled, theirs",
            "filled, ours",
            "puzzles with a wrong box",
        ],
        rows,
        notes: vec!["Models 5 and 6 are ours: all hidden singles, then naked singles too.".into()],
    }
}

fn combination(effort: &Effort<'_>, sample: &[Grid]) -> Table {
    (effort.progress)("blocks: model 1 against 4 then 1");
    let limit = effort.pick(1_000_000, 20_000_000);
    let with = |model: Model, puzzle: &Grid| -> Option<Report> {
        let settings = Settings {
            removals: Some(limit),
            ..Settings::new(model)
        };
        run(puzzle, &settings, &mut effort.run(1)).ok()
    };
    let mut hardest: Vec<(&Grid, Report)> = sample
        .iter()
        .filter(|puzzle| {
            with(Model::M4, puzzle).is_some_and(|report| report.finish != Finish::Solved)
        })
        .filter_map(|puzzle| Some((puzzle, with(Model::M1, puzzle)?)))
        .collect();
    hardest.sort_by_key(|(_, report)| std::cmp::Reverse(report.counts.placements));
    hardest.truncate(10);
    let mut worse = 0;
    let mut rows = Vec::new();
    for (index, (puzzle, alone)) in hardest.iter().enumerate() {
        let Some(both) = with(Model::M4Then1, puzzle) else {
            continue;
        };
        let is_worse = both.counts.removals > alone.counts.removals;
        worse += usize::from(is_worse);
        let (theirs_alone, theirs_both) = HARDEST_MS[index];
        let stopped = [alone, &both]
            .iter()
            .any(|report| report.finish != Finish::Solved);
        let verdict = match (stopped, is_worse) {
            (true, _) => Verdict::Open("stopped by the limit on removals".into()),
            (false, true) => Verdict::Refuted("the combination takes more back here".into()),
            (false, false) => Verdict::InKind,
        };
        rows.push(row(
            [
                (index + 1).to_string(),
                format!("{theirs_alone} ms"),
                format!("{theirs_both} ms"),
                short_time(alone.time.as_secs_f64()),
                short_time(both.time.as_secs_f64()),
                short_count(alone.counts.removals as f64),
                short_count(both.counts.removals as f64),
            ],
            verdict,
        ));
    }
    Table {
        title: "Table III: model 1 alone, and model 4 followed by model 1".into(),
        head: vec![
            "puzzle",
            "1, theirs",
            "4+1, theirs",
            "1, ours",
            "4+1, ours",
            "removals, 1",
            "removals, 4+1",
        ],
        rows,
        notes: vec![format!(
            "The ten puzzles of our sample that cost model 1 most and that model 4 leaves open; not the authors' ten. Removals are the figure that repeats. The combination was worse on {worse} of them."
        )],
    }
}
