//! "Planning Sudoku": the domain no planner could run, and the claim that SAT
//! is the better way.

use std::time::Duration;

use planoku_engine::Run;
use planoku_planning::check;
use planoku_planning::diagnostic::Lines;
use planoku_planning::model::resolve::Options;
use planoku_planning::syntax::Tree;
use planoku_sudoku::generate::Recipe;
use planoku_sudoku::{Grid, Shape};

use super::{Chapter, Effort, Paper, Row, Table, Verdict, row};
use crate::EXAMPLES;
use crate::chart::short_time;
use crate::compare::Spread;
use crate::registry::engine;
use crate::solve::solve;

macro_rules! exhibit {
    ($file:literal) => {
        (
            $file,
            include_str!(concat!("../../../../models/exhibit/", $file)),
        )
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
fn diagnosis(title: &str, domain: (&str, &str), problem: (&str, &str)) -> Table {
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
            Verdict::New,
        )
    });
    Table {
        title: title.into(),
        head: vec!["code", "", "place", "times", "what is wrong"],
        rows: rows.collect(),
        notes: vec![],
    }
}

fn repaired(effort: &Effort<'_>) -> Table {
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
    Table {
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

fn plan_row(name: &str, grid: &Grid, effort: &Effort<'_>) -> Row {
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
            let verdict = match steps == blanks {
                true => Verdict::Refuted("a planner can run it, once it is mended".into()),
                false => Verdict::Open(format!("{steps} steps for {blanks} blanks")),
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
            Verdict::Open("stopped".into()),
        ),
    }
}

/// Direct conversion to SAT against planning, on the same puzzles.
fn race(effort: &Effort<'_>) -> (Table, String) {
    let recipe = Recipe::minimal(Shape::Three);
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
    let rows = names.iter().enumerate().map(|(index, name)| {
        let verdict = match *name {
            "native" | "sat" => Verdict::New,
            _ if medians[index] > sat => Verdict::InKind,
            _ => Verdict::Refuted("not slower than SAT".into()),
        };
        row(
            [
                name.to_string(),
                format!("{} of {}", solved[index], puzzles.len()),
                short_time(medians[index]),
                format!("{:.1}", medians[index] / sat),
            ],
            verdict,
        )
    });
    let table = Table {
        title: "\"Converting the problem directly into SAT can yield more efficient solving\"".into(),
        head: vec!["engine", "solved", "median time", "times the SAT engine's"],
        rows: rows.collect(),
        notes: vec!["Figure 1 and minimal puzzles of our own. Planning engines start from the grid, write HDDL, read it, ground it, plan, and verify the plan.".into()],
    };
    let conclusion = format!(
        "Is the conclusion right, that direct conversion to SAT is more efficient? It is: {} against {} for one task per cell and {} for the recursive model (medians of {} puzzles). But the gap is the cost of going through text and grounding; the planner discovers the SAT encoding by itself, and no longer needs to be told. A solver that knows Sudoku is faster than all of them ({}).",
        short_time(sat),
        short_time(medians[2]),
        short_time(medians[3]),
        puzzles.len(),
        short_time(medians[0]),
    );
    (table, conclusion)
}

/// What the slides say of their own puzzle and generator.
fn slides() -> Table {
    let slide = EXAMPLES[4].grid();
    let solutions = planoku_sudoku::reference::solutions(&slide, 100).len();
    Table {
        title: "The slides".into(),
        head: vec!["claim", "found"],
        rows: vec![
            row(
                ["a Sudoku has exactly one solution; the puzzle shown".into(), format!("{solutions} solutions")],
                if solutions == 1 { Verdict::Exact } else { Verdict::Refuted("not a proper Sudoku".into()) },
            ),
        ],
        notes: vec!["Their generator keeps random cells of one of ten built-in grids and asks only whether a solution exists, not whether it is the only one.".into()],
    }
}
