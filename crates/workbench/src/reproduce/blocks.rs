//! "A Block World Problem Based Sudoku Solver": robots on a table.
//!
//! The authors' hundred puzzles were never printed. How hard they were decides
//! every figure, so ours are a [mix](Mix) of easy and hard ones, chosen so that
//! *one* published figure comes out: the puzzles that model 4 solves. Whether the
//! other figures then follow is a question that the mix does not answer by itself.

use planoku_engine::{Engine, Run};
use planoku_sudoku::generate::PuzzleRecipe;
use planoku_sudoku::native::Native;
use planoku_sudoku::{Grid, Shape};

use super::verdict::worst;
use super::{
    Chapter, ClaimVerdict, Effort, FigureTable, Paper, PaperFigure, Published, listed, row,
};
use crate::agents::models::RobotModel;
use crate::agents::run::{Finish, RobotSettings, RunReport, run};
use crate::chart::{short_count, short_time};
use crate::papers::blocks::{HARDEST_MS, MODELS};

/// Percentage points that a figure on other puzzles may be off: about the
/// standard error of a share of a hundred.
const POINTS: f64 = 5.0;
/// Clues of the easy puzzles; the hard ones are minimal.
const EASY_CLUES: usize = 36;

pub(super) fn chapter(effort: &Effort<'_>) -> Chapter {
    let mix = Mix::fitted(effort);
    let models = models(effort, &mix.puzzles);
    let combination = combination(effort, &mix.puzzles);
    let mut summary = vec![
        format!(
            "The authors' hundred puzzles were never printed, and how hard they were decides every figure. So ours are {} of {EASY_CLUES} clues and {} minimal ones, generated, each with one solution: the mix for which model 4 solves about as many as published ({} of {} here, {} % there). That figure is chosen, not found.",
            mix.easy,
            mix.puzzles.len() - mix.easy,
            mix.solved,
            mix.puzzles.len(),
            MODELS[3].solved,
        ),
        follows(&models.figures),
        "Definitions 3 and 4, read as printed, are unsound and equal. Condition 5 of model 3 accepts a cell (x, y) if for every other row r of the box, row r has the number or (r, y) is filled; nothing excludes an empty cell (r, c) with r ≠ x and c ≠ y, so a robot can place a wrong box. Model 4 adds \"or all cells of row r in the box are filled\", which already implies that (r, y) is filled: it accepts exactly the same cells.".into(),
    ];
    summary.extend(models.reading());
    Chapter {
        paper: Paper::Blocks,
        citation: "Luciana Abednego and Cecilia Nugraheni, A Block World Problem Based Sudoku Solver, Parahyangan Catholic University",
        summary,
        tables: vec![models.table, combination],
    }
}

/// Which published figures follow from the fitted one, in a sentence.
fn follows(figures: &[(String, ClaimVerdict)]) -> String {
    let named = |test: fn(&ClaimVerdict) -> bool| -> Vec<String> {
        let those = figures.iter().filter(|(_, verdict)| test(verdict));
        those.map(|(name, _)| name.clone()).collect()
    };
    let open = named(|verdict| matches!(verdict, ClaimVerdict::Open(_)));
    let open = match open.is_empty() {
        true => String::new(),
        false => format!(" Left open: {}.", listed(&open)),
    };
    format!(
        "Of the other figures of Tables I and II there follow, within {POINTS} points: {}. There do not follow: {}.{open}",
        listed(&named(ClaimVerdict::holds)),
        listed(&named(ClaimVerdict::fails)),
    )
}

/// Easy puzzles, then hard ones.
struct Mix {
    puzzles: Vec<Grid>,
    /// How many of them are easy.
    easy: usize,
    /// How many of them model 4 solves.
    solved: usize,
}

impl Mix {
    /// The mix for which model 4 solves as large a share as published.
    fn fitted(effort: &Effort<'_>) -> Mix {
        (effort.progress)("blocks: a mix of puzzles");
        let count = effort.pick(50, 100);
        let pool = |recipe: PuzzleRecipe| -> Vec<Grid> {
            let made = recipe.make_many(2013, 0..count, &mut effort.run(1));
            made.into_iter().filter_map(Result::ok).collect()
        };
        let easy = pool(PuzzleRecipe {
            clues: EASY_CLUES..=EASY_CLUES,
            minimal: false,
            ..PuzzleRecipe::minimal(Shape::Three)
        });
        let hard = pool(PuzzleRecipe::minimal(Shape::Three));
        let solves = |puzzle: &Grid| {
            let report = run(
                puzzle,
                &RobotSettings::new(RobotModel::M4),
                &mut effort.run(1),
            );
            report.is_ok_and(|report| report.finish == Finish::Solved)
        };
        let solved = [&easy, &hard].map(|pool| pool.iter().map(solves).collect::<Vec<bool>>());
        let wanted = MODELS[3].solved as usize * count as usize / 100;
        let (taken, solved) = fit(&solved[0], &solved[1], wanted);
        let rest = hard.len().min(easy.len().saturating_sub(taken));
        Mix {
            puzzles: easy[..taken].iter().chain(&hard[..rest]).cloned().collect(),
            easy: taken,
            solved,
        }
    }
}

/// How many of the easy puzzles to take, and hard ones for the rest, so that
/// as many as wanted are solved; and how many that makes.
fn fit(easy: &[bool], hard: &[bool], wanted: usize) -> (usize, usize) {
    let solved = |pool: &[bool], count: usize| pool.iter().take(count).filter(|yes| **yes).count();
    (0..=easy.len())
        .map(|taken| {
            (
                taken,
                solved(easy, taken) + solved(hard, easy.len() - taken),
            )
        })
        .min_by_key(|(_, solved)| solved.abs_diff(wanted))
        .unwrap_or((0, 0))
}

/// What a model did to the puzzles.
#[derive(Clone, Copy, PartialEq)]
struct Tally {
    solved: usize,
    stopped: usize,
    wrong_puzzles: usize,
    filled_percent: f64,
}

fn tally(effort: &Effort<'_>, puzzles: &[Grid], settings: RobotSettings) -> Tally {
    let mut tally = Tally {
        solved: 0,
        stopped: 0,
        wrong_puzzles: 0,
        filled_percent: 0.0,
    };
    let (mut filled, mut blanks) = (0usize, 0usize);
    for puzzle in puzzles {
        blanks += puzzle.blanks().count();
        let report = match run(puzzle, &settings, &mut effort.run(1)) {
            Ok(report) if !matches!(report.finish, Finish::Stopped(_)) => report,
            _ => {
                tally.stopped += 1;
                continue;
            }
        };
        // Only what robots leave behind when they are done can be wrong.
        let wrong = wrong_boxes(puzzle, &report.grid);
        tally.wrong_puzzles += usize::from(wrong > 0);
        tally.solved += usize::from(report.finish == Finish::Solved && wrong == 0);
        filled += report.grid.clue_count() - puzzle.clue_count();
    }
    tally.filled_percent = 100.0 * filled as f64 / blanks.max(1) as f64;
    tally
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

/// Tables I and II, and what became of each of their figures.
struct Models {
    table: FigureTable,
    /// Figures of the sound reading, but for the one that was fitted.
    figures: Vec<(String, ClaimVerdict)>,
    /// How far the cells filled by models 3 and 4 are off, read soundly and as
    /// printed.
    off: [f64; 2],
}

impl Models {
    /// What the authors must have run, if the figures say so.
    fn reading(&self) -> Option<String> {
        let [sound, printed] = self.off;
        let told = match sound.total_cmp(&printed) {
            std::cmp::Ordering::Less => {
                "What the authors ran must have been the sound reading, in which each other cell of the box is excluded by itself"
            }
            std::cmp::Ordering::Greater => "What the authors ran may have been the printed reading",
            std::cmp::Ordering::Equal => return None,
        };
        Some(format!(
            "{told}: the cells filled by models 3 and 4 are {sound:.0} points off in the sound reading, taken together, and {printed:.0} in the printed one."
        ))
    }
}

fn models(effort: &Effort<'_>, puzzles: &[Grid]) -> Models {
    let mut rows = Vec::new();
    let mut figures = Vec::new();
    let mut off = [0.0; 2];
    let variants = [
        (RobotModel::M1, Some(0), false),
        (RobotModel::M2, Some(1), false),
        (RobotModel::M3, Some(2), false),
        (RobotModel::M3, Some(2), true),
        (RobotModel::M4, Some(3), false),
        (RobotModel::M4, Some(3), true),
        (RobotModel::M5, None, false),
        (RobotModel::M6, None, false),
    ];
    for (model, published, printed) in variants {
        if effort.cancel.is_cancelled() {
            break;
        }
        (effort.progress)(&format!("blocks: model {}", model.name()));
        let mut settings = RobotSettings {
            removals: Some(effort.pick(100_000, 5_000_000)),
            ..RobotSettings::new(model)
        };
        if printed {
            settings = settings.printed();
        }
        let found = tally(effort, puzzles, settings);
        let theirs = published.map(|index| MODELS[index]);
        let percent = 100.0 * found.solved as f64 / puzzles.len().max(1) as f64;
        let claim = |what, figure: Option<f64>, measured: f64| PaperFigure {
            what,
            unit: " %",
            published: figure.map_or(Published::Nothing, Published::Figure),
            measured: match found.stopped {
                0 => Ok(measured),
                stopped => Err(format!(
                    "{stopped} puzzles stopped by the limit on removals"
                )),
            },
            tolerance: POINTS,
            same_input: false,
        };
        let fitted = model == RobotModel::M4 && !printed;
        let solved = match fitted {
            true => ClaimVerdict::Fitted,
            false => claim("solved", theirs.map(|it| f64::from(it.solved)), percent).verdict(),
        };
        let filled = theirs.map(|it| it.filled_percent);
        let filled = claim("filled", filled, found.filled_percent).verdict();
        // No paper reports wrong boxes; a sound model places none.
        let wrong = match theirs {
            Some(_) => PaperFigure::exact(
                "puzzles with a wrong box:",
                0.0,
                Ok(found.wrong_puzzles as f64),
            ),
            None => claim("wrong", None, found.wrong_puzzles as f64),
        };
        if let (Some(theirs), false) = (theirs, printed) {
            figures.push((
                format!("model {} filled {} %", model.name(), theirs.filled_percent),
                filled.clone(),
            ));
            if !fitted {
                figures.push((
                    format!("model {} solved {} %", model.name(), theirs.solved),
                    solved.clone(),
                ));
            }
        }
        if let (Some(theirs), RobotModel::M3 | RobotModel::M4) = (theirs, model) {
            off[usize::from(printed)] += (theirs.filled_percent - found.filled_percent).abs();
        }
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
            worst(&[solved, filled, wrong.verdict()]),
        ));
    }
    let table = FigureTable {
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
        notes: vec!["Models 5 and 6 are ours: all hidden singles, then naked singles too. Shares may be 5 points off: that is about the standard error of a share of a hundred puzzles.".into()],
    };
    Models {
        table,
        figures,
        off,
    }
}

fn combination(effort: &Effort<'_>, puzzles: &[Grid]) -> FigureTable {
    (effort.progress)("blocks: model 1 against 4 then 1");
    let limit = effort.pick(200_000, 20_000_000);
    let with = |model: RobotModel, puzzle: &Grid| -> Option<RunReport> {
        let settings = RobotSettings {
            removals: Some(limit),
            ..RobotSettings::new(model)
        };
        run(puzzle, &settings, &mut effort.run(1)).ok()
    };
    let mut hardest: Vec<(&Grid, RunReport)> = puzzles
        .iter()
        .filter(|puzzle| {
            with(RobotModel::M4, puzzle).is_some_and(|report| report.finish != Finish::Solved)
        })
        .filter_map(|puzzle| Some((puzzle, with(RobotModel::M1, puzzle)?)))
        .collect();
    hardest.sort_by_key(|(_, report)| std::cmp::Reverse(report.counts.placements));
    hardest.truncate(10);
    let mut gains = Gains::default();
    let mut rows = Vec::new();
    for (index, (puzzle, alone)) in hardest.iter().enumerate() {
        let Some(both) = with(RobotModel::M4Then1, puzzle) else {
            continue;
        };
        gains.add(alone, &both);
        let (theirs_alone, theirs_both) = HARDEST_MS[index];
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
            ClaimVerdict::Incomparable("another puzzle".into()),
        ));
    }
    rows.extend(gains.rows());
    FigureTable {
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
        notes: vec![
            "The ten puzzles of ours that cost model 1 most and that model 4 leaves open; not the authors' ten, so the rows cannot be compared one by one. Boxes placed and taken back are the figures that repeat: the last rows set them beside the authors' milliseconds.".into(),
        ],
    }
}

/// What Table III says as a whole.
#[derive(Default)]
struct Gains {
    alone: u64,
    both: u64,
    puzzles: usize,
    better: usize,
    worse: usize,
    stopped: usize,
}

impl Gains {
    fn add(&mut self, alone: &RunReport, both: &RunReport) {
        let work = |report: &RunReport| report.counts.placements + report.counts.removals;
        self.puzzles += 1;
        self.better += usize::from(work(both) < work(alone));
        self.worse += usize::from(work(both) > work(alone));
        self.alone += work(alone);
        self.both += work(both);
        // Where model 1 alone was stopped, it would have cost still more.
        self.stopped += usize::from(both.finish != Finish::Solved);
    }

    fn rows(&self) -> Vec<super::ClaimRow> {
        let sum = |pick: fn(&(u32, u32)) -> u32| HARDEST_MS.iter().map(pick).sum::<u32>();
        let (alone, both) = (sum(|row| row.0), sum(|row| row.1));
        let better = HARDEST_MS.iter().filter(|row| row.1 < row.0).count();
        let worse = HARDEST_MS.iter().filter(|row| row.1 > row.0).count();
        let measured = |value: f64| match (self.puzzles, self.stopped) {
            (0, _) => Err("no puzzle was left".to_string()),
            (_, 0) => Ok(value),
            (_, stopped) => Err(format!("{stopped} stopped by the limit on removals")),
        };
        let claim = |what, published, value: f64, tolerance| PaperFigure {
            what,
            unit: "",
            published,
            measured: measured(value),
            tolerance,
            same_input: false,
        };
        let share = self.both as f64 / self.alone.max(1) as f64;
        let published = Published::Beside {
            figure: f64::from(both) / f64::from(alone),
            line: 1.0,
        };
        let line = |name: &str, theirs: [String; 2], ours: [String; 2], claim: PaperFigure| {
            let [a, b] = theirs;
            let [c, d] = ours;
            let none = || String::from("–");
            row([name.into(), a, b, none(), none(), c, d], claim.verdict())
        };
        let of = |count: usize, all: usize| format!("{count} of {all}");
        vec![
            line(
                "all ten",
                [format!("{alone} ms"), format!("{both} ms")],
                [
                    short_count(self.alone as f64),
                    short_count(self.both as f64),
                ],
                claim("4+1 as a share of 1:", published, share, 0.1),
            ),
            line(
                "better",
                ["–".into(), of(better, HARDEST_MS.len())],
                ["–".into(), of(self.better, self.puzzles)],
                claim(
                    "puzzles that gain:",
                    Published::Figure(better as f64),
                    self.better as f64,
                    2.0,
                ),
            ),
            line(
                "worse",
                ["–".into(), of(worse, HARDEST_MS.len())],
                ["–".into(), of(self.worse, self.puzzles)],
                claim(
                    "puzzles that lose:",
                    Published::Figure(worse as f64),
                    self.worse as f64,
                    1.0,
                ),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mix_comes_as_near_to_the_wanted_figure_as_it_can() {
        let easy = [true, false, true, true];
        let hard = [false, false, true, false];
        assert_eq!(fit(&easy, &hard, 0), (0, 1));
        assert_eq!(fit(&easy, &hard, 2), (1, 2));
        assert_eq!(fit(&easy, &hard, 9), (4, 3));
    }

    /// A run that a limit stops leaves boxes that mean nothing; they once read
    /// "refuted: wrong boxes".
    #[test]
    fn a_stopped_model_has_placed_no_wrong_box() {
        use planoku_engine::Cancel;
        let effort = Effort {
            quick: true,
            cancel: &Cancel::new(),
            progress: &|_| (),
        };
        let puzzles: Vec<Grid> = (0..3)
            .filter_map(|index| {
                PuzzleRecipe::minimal(Shape::Three)
                    .make(1, index, &mut Run::limit(1))
                    .ok()
            })
            .collect();
        let settings = RobotSettings {
            removals: Some(1),
            ..RobotSettings::new(RobotModel::M1)
        };
        let found = tally(&effort, &puzzles, settings);
        assert_eq!((found.stopped, found.wrong_puzzles), (3, 0));
    }

    #[test]
    fn the_sentence_names_what_follows_and_what_does_not() {
        let figures = [
            ("a".to_string(), ClaimVerdict::Close("near".into())),
            ("b".to_string(), ClaimVerdict::Not("far".into())),
            ("c".to_string(), ClaimVerdict::Open("stopped".into())),
        ];
        let told = follows(&figures);
        assert!(
            told.contains("points: a. There do not follow: b. Left open: c."),
            "{told}"
        );
    }
}
