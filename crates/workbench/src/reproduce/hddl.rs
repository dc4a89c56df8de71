//! "Planning Sudoku": the domain no planner could run, and the claim that SAT
//! is the better way.

use std::time::Duration;

use planoku_engine::Run;
use planoku_planning::check;
use planoku_planning::language::source::Lines;
use planoku_planning::model::resolve::Options;
use planoku_planning::syntax::Tree;
use planoku_sudoku::generate::PuzzleRecipe;
use planoku_sudoku::{Grid, Shape};

use super::{
    Chapter, ClaimRow, ClaimVerdict, Effort, FigureTable, Paper, PaperFigure, Published, listed,
    row,
};
use crate::EXAMPLES;
use crate::chart::short_time;
use crate::compare::Spread;
use crate::registry::engine;
use crate::solve::solve;

macro_rules! exhibit {
    ($file:literal) => {
        ($file, include_str!(concat!("../../models/exhibit/", $file)))
    };
}

const DOMAIN: (&str, &str) = exhibit!("domain.hddl");
const FIGURE_ONE: (&str, &str) = exhibit!("figure-1.hddl");
const SKEWED: (&str, &str) = exhibit!("skewed.hddl");
const SLIDE_DOMAIN: (&str, &str) = exhibit!("slide-domain.hddl");
const SLIDE_PROBLEM: (&str, &str) = exhibit!("slide-problem.hddl");

pub(super) fn chapter(effort: &Effort<'_>) -> Chapter {
    (effort.progress)("hddl: what was wrong");
    let wrong = vec![
        diagnosis(
            "The published domain with the problem of Figure 1",
            DOMAIN,
            FIGURE_ONE,
        ),
        diagnosis(
            "The same, as the authors' script wrote it from nine lines",
            DOMAIN,
            SKEWED,
        ),
        diagnosis(
            "The domain and problem of the slides",
            SLIDE_DOMAIN,
            SLIDE_PROBLEM,
        ),
    ];
    (effort.progress)("hddl: the repaired models");
    let (race, conclusion) = race(effort);
    let mut tables = wrong;
    tables.extend([repaired(effort), race, slides()]);
    Chapter {
        paper: Paper::Hddl,
        citation: "Bruno Campos Ribeiro, Igor e Silva Penha, Lucas Gobbi Bergholz and Danilo Carvalho Antunes, Planning Sudoku, Universidade de Brasília, 2023, with its slides",
        summary: vec![
            "The authors' planner ended with a segmentation fault. Their script reads one character at a time and takes the newline after each row for an empty cell; so rows shift, digits land in wrong boxes and facts appear twice, which is what the grounder of that planner dies of. The \"code 201041\" of the paper is a process number.".into(),
            "Without the duplicates the model would still have had no solution: the facts name their arguments in another order than the predicates declare, and the network asks to check that all cells are filled while nothing in it leads to filling one.".into(),
            conclusion,
        ],
        tables,
    }
}

/// What `planoku check` says of a domain and a problem.
fn diagnosis(title: &str, domain: (&str, &str), problem: (&str, &str)) -> FigureTable {
    let trees = [Tree::read(domain.1, 0), Tree::read(problem.1, 1)];
    let found = check::check(
        &trees[0],
        Some(&trees[1]),
        Options::default(),
        Default::default(),
    );
    let names = [domain.0, problem.0];
    let lines = [Lines::new(domain.1), Lines::new(problem.1)];
    let rows = found.list.iter().map(|diagnostic| {
        let file = diagnostic.span.file as usize;
        let line = lines[file].line(diagnostic.span.start);
        row(
            [
                diagnostic.code.name.to_string(),
                diagnostic.severity().word().to_string(),
                format!("{}:{line}", names[file]),
                diagnostic.count.to_string(),
                diagnostic.message.clone(),
            ],
            ClaimVerdict::New,
        )
    });
    FigureTable {
        title: title.into(),
        head: vec!["code", "", "place", "times", "what is wrong"],
        rows: rows.collect(),
        notes: vec![],
    }
}

fn repaired(effort: &Effort<'_>) -> FigureTable {
    let grid = EXAMPLES[2].grid();
    let mut rows = Vec::new();
    for name in [
        "htn",
        "htn-published",
        "htn-recursive",
        "htn-recursive-published",
        "htn:search",
        "htn-recursive:search",
    ] {
        rows.push(plan_row(name, &grid, effort));
    }
    FigureTable {
        title: "The repaired models on Figure 1 (46 blank cells)".into(),
        head: vec![
            "engine",
            "theirs",
            "plan length",
            "time, text to verified plan",
        ],
        rows,
        notes: vec![
            "A plan of 46 steps is a shortest one: an action fills one cell, and 46 are blank."
                .into(),
        ],
    }
}

fn plan_row(name: &str, grid: &Grid, effort: &Effort<'_>) -> ClaimRow {
    let engine = engine(name).expect("planning engines are registered");
    let mut run = effort
        .run(1)
        .with_time(Duration::from_secs(effort.pick(3, 60)));
    let blanks = grid.blanks().count();
    match solve(&*engine, grid, &mut run) {
        Ok(outcome) if !outcome.answers.is_empty() => {
            let plan = outcome.answers[0]
                .witness
                .as_ref()
                .map_or("", |witness| &witness.text);
            let steps = plan.lines().filter(|line| line.contains(" place ")).count();
            let time = short_time(outcome.stats.time.as_secs_f64());
            // An action fills a cell: no plan can be shorter, none is longer.
            let length = PaperFigure::exact("steps", blanks as f64, Ok(steps as f64)).verdict();
            let verdict = match length {
                ClaimVerdict::Exact => ClaimVerdict::Incomparable(
                    "their model crashed a planner; this one is mended".into(),
                ),
                other => other,
            };
            row(
                [
                    name.into(),
                    "segmentation fault".into(),
                    steps.to_string(),
                    time,
                ],
                verdict,
            )
        }
        _ => row(
            [
                name.into(),
                "segmentation fault".into(),
                "–".into(),
                "–".into(),
            ],
            ClaimVerdict::Open("stopped".into()),
        ),
    }
}

/// Direct conversion to SAT against planning, on the same puzzles.
fn race(effort: &Effort<'_>) -> (FigureTable, String) {
    let recipe = PuzzleRecipe::minimal(Shape::Three);
    let count = effort.pick(15, 200);
    let mut puzzles = vec![EXAMPLES[2].grid()];
    puzzles
        .extend((0..count).filter_map(|index| recipe.make(2023, index, &mut Run::limit(1)).ok()));
    let names = ["native", "sat", "htn", "htn-recursive", "htn:search"];
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); names.len()];
    let mut solved = vec![0; names.len()];
    for (number, puzzle) in puzzles.iter().enumerate() {
        (effort.progress)(&format!(
            "hddl: race, puzzle {} of {}",
            number + 1,
            puzzles.len()
        ));
        for (index, name) in names.iter().enumerate() {
            if effort.cancel.is_cancelled() {
                break;
            }
            let engine = engine(name).expect("registered");
            let limit = Duration::from_millis(effort.pick(250, 10_000));
            if let Ok(outcome) = solve(&*engine, puzzle, &mut effort.run(1).with_time(limit)) {
                solved[index] += usize::from(!outcome.answers.is_empty());
                times[index].push(outcome.stats.time);
            }
        }
    }
    let medians: Vec<f64> = times
        .iter()
        .map(|times| Spread::of(times.iter().copied()).median.as_secs_f64())
        .collect();
    let sat = medians[1].max(1e-9);
    let verdicts: Vec<ClaimVerdict> = (0..names.len())
        .map(|index| slower_than_sat(names[index], medians[index] / sat, times[index].len()))
        .collect();
    let rows = names.iter().enumerate().map(|(index, name)| {
        row(
            [
                name.to_string(),
                format!("{} of {}", solved[index], puzzles.len()),
                short_time(medians[index]),
                format!("{:.1}", medians[index] / sat),
            ],
            verdicts[index].clone(),
        )
    });
    let table = FigureTable {
        title: "\"Converting the problem directly into SAT can yield more efficient solving\"".into(),
        head: vec!["engine", "solved", "median time", "times the SAT engine's"],
        rows: rows.collect(),
        notes: vec!["Figure 1 and minimal puzzles of our own. Planning engines start from the grid, write HDDL, read it, ground it, plan, and verify the plan.".into()],
    };
    let conclusion = conclusion(&names, &verdicts, &medians, puzzles.len());
    (table, conclusion)
}

/// The paper's claim about one engine: planning takes longer than SAT.
fn slower_than_sat(name: &str, times_sat: f64, runs: usize) -> ClaimVerdict {
    let claim = PaperFigure {
        what: "median time, times that of `sat`:",
        unit: "",
        published: match name {
            "native" | "sat" => Published::Nothing,
            _ => Published::Above(1.0),
        },
        measured: match runs {
            0 => Err("nothing was run".into()),
            _ => Ok(times_sat),
        },
        tolerance: 0.1,
        same_input: false,
    };
    claim.verdict()
}

/// Whether the paper's conclusion is right, as far as the verdicts say.
fn conclusion(
    names: &[&str],
    verdicts: &[ClaimVerdict],
    medians: &[f64],
    puzzles: usize,
) -> String {
    let by = |test: fn(&ClaimVerdict) -> bool| -> Vec<String> {
        let engines = names.iter().zip(verdicts).zip(medians);
        engines
            .filter(|((_, verdict), _)| test(verdict))
            .map(|((name, _), median)| format!("`{name}` {}", short_time(*median)))
            .collect()
    };
    let (slower, faster) = (by(ClaimVerdict::holds), by(ClaimVerdict::fails));
    let sat = short_time(medians[1]);
    let found = match (slower.is_empty(), faster.is_empty()) {
        (false, true) => format!(
            "It is: {sat} against {}. But the gap is the cost of going through text and grounding; the planner discovers the SAT encoding by itself, and no longer needs to be told.",
            listed(&slower)
        ),
        (true, false) => format!("It is not: SAT takes {sat}, planning {}.", listed(&faster)),
        (false, false) => format!(
            "Not always: SAT takes {sat}; slower are {}, faster {}.",
            listed(&slower),
            listed(&faster)
        ),
        (true, true) => "That cannot be said from these runs.".into(),
    };
    let native = match medians.iter().all(|median| *median >= medians[0]) {
        true => format!(
            " A solver that knows Sudoku is faster than all of them ({}).",
            short_time(medians[0])
        ),
        false => String::new(),
    };
    format!(
        "Is the conclusion right, that direct conversion to SAT is more efficient? {found}{native} (Medians of {puzzles} puzzles.)"
    )
}

/// What the slides say of their own puzzle and generator.
fn slides() -> FigureTable {
    let slide = EXAMPLES[4].grid();
    let solutions = planoku_sudoku::reference::solutions(&slide, 100).len();
    FigureTable {
        title: "The slides".into(),
        head: vec!["claim", "found"],
        rows: vec![
            row(
                ["a Sudoku has exactly one solution; the puzzle shown".into(), format!("{solutions} solutions")],
                PaperFigure::exact("solutions", 1.0, Ok(solutions as f64)).verdict(),
            ),
        ],
        notes: vec!["Their generator keeps random cells of one of ten built-in grids and asks only whether a solution exists, not whether it is the only one.".into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "It is:" was once printed whatever the medians said.
    #[test]
    fn the_conclusion_follows_the_medians() {
        let names = ["native", "sat", "htn", "htn:search"];
        let told = |medians: [f64; 4]| {
            let verdicts: Vec<ClaimVerdict> = names
                .iter()
                .zip(medians)
                .map(|(name, median)| slower_than_sat(name, median / medians[1], 9))
                .collect();
            conclusion(&names, &verdicts, &medians, 9)
        };
        let right = told([1e-5, 1e-2, 5e-2, 6e-2]);
        assert!(
            right.contains("It is:") && right.contains("faster than all"),
            "{right}"
        );
        let wrong = told([1e-5, 1e-2, 5e-3, 6e-3]);
        assert!(
            wrong.contains("It is not:") && !wrong.contains("the gap"),
            "{wrong}"
        );
        let mixed = told([1e-1, 1e-2, 5e-3, 6e-2]);
        assert!(
            mixed.contains("Not always:") && !mixed.contains("faster than all"),
            "{mixed}"
        );
        let close = told([1e-5, 1e-2, 1e-2, 1.05e-2]);
        assert!(close.contains("cannot be said"), "{close}");
    }
}
