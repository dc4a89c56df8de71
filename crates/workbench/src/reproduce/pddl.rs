//! The note on a PDDL encoding: too many branches, and what to do about it.

use std::time::Duration;

use planoku_engine::clock::Instant;
use planoku_engine::{Engine, Formulation, Run};
use planoku_planning::Instance;
use planoku_planning::ground::{Condition, Derivation, Ground};
use planoku_planning::satplan::{self, SatPlan};
use planoku_planning::search::{Classical, Commit};
use planoku_sudoku::{Grid, Shape};

use super::{Chapter, ClaimVerdict, Effort, FigureTable, Paper, PaperFigure, Published, row};
use crate::EXAMPLES;
use crate::chart::{short_count, short_time};
use crate::formulate::planning::{PlanningModel, SudokuPlanning};
use crate::formulate::sat::{Encoding, Family};

const MODELS: [PlanningModel; 3] = [PlanningModel::A, PlanningModel::B, PlanningModel::D];

pub(super) fn chapter(effort: &Effort<'_>) -> Chapter {
    (effort.progress)("pddl: branching");
    let branching = branching();
    (effort.progress)("pddl: search and remedy");
    let effort_table = searches(effort);
    (effort.progress)("pddl: the encoding found");
    let encoding = encodings();
    let borne_out = |table: &FigureTable, what: &str| {
        let judged: Vec<&ClaimVerdict> = table.rows.iter().map(|row| &row.verdict).collect();
        let holds = judged.iter().filter(|verdict| verdict.holds()).count();
        let fails = judged.iter().filter(|verdict| verdict.fails()).count();
        match (holds, fails) {
            (0, 0) => format!("{what} could not be decided."),
            (_, 0) => format!("{what} is borne out in all {holds} comparisons."),
            (0, _) => format!("{what} is not borne out: it fails in all {fails} comparisons."),
            _ => format!("{what} is borne out in {holds} comparisons and fails in {fails}."),
        }
    };
    Chapter {
        paper: Paper::Pddl,
        citation: "PddlSudoku.txt: PDDL encoding for the Sudoku domain, 2019",
        summary: vec![
            format!(
                "The note counts 81 x 9 actions and finds the branching ratio too high; it asks for compilation-like transformations and for the most constrained tile first. {} {}",
                borne_out(&branching, "The count"),
                borne_out(&effort_table, "That the most constrained first takes fewer nodes than best-first search"),
            ),
            "As printed, the precondition of `assign` asks for the tile to have the value already; `TileValue(sx, v0)` must be meant.".into(),
            "With parallel steps, one step of planning as SAT on the `assign` actions is the SAT encoding of Sudoku: every blank tile gets a value, and two actions that would put a value twice into a house disturb each other.".into(),
        ],
        tables: vec![branching, effort_table, encoding],
    }
}

fn ground(model: PlanningModel, grid: &Grid) -> Option<Instance> {
    Some(
        SudokuPlanning(model)
            .encode(grid, &mut Run::limit(1))
            .ok()?
            .instance,
    )
}

/// How many actions can be executed at the start.
fn applicable(ground: &Ground) -> usize {
    let holds = |condition: &Condition| {
        condition
            .positive
            .iter()
            .all(|fact| ground.init.binary_search(fact).is_ok())
            && condition
                .negative
                .iter()
                .all(|fact| ground.init.binary_search(fact).is_err())
    };
    ground
        .actions
        .iter()
        .filter(|action| holds(&action.precondition))
        .count()
}

fn branching() -> FigureTable {
    let mut rows = Vec::new();
    for (name, grid, published) in [
        ("empty board", Grid::empty(Shape::Three), Some(729u32)),
        ("Figure 1 of Planning Sudoku", EXAMPLES[2].grid(), None),
    ] {
        for model in MODELS {
            let Some(ground) = ground(model, &grid) else {
                continue;
            };
            let root = applicable(&ground);
            // The note does not order the tiles.
            let theirs = match model {
                PlanningModel::D => None,
                _ => published,
            };
            let verdict = match theirs {
                Some(figure) => {
                    PaperFigure::exact("actions", f64::from(figure), Ok(root as f64)).verdict()
                }
                None => ClaimVerdict::New,
            };
            rows.push(row(
                [
                    name.to_string(),
                    model.name().to_uppercase(),
                    theirs.map_or("–".into(), |figure| figure.to_string()),
                    root.to_string(),
                    ground.actions.len().to_string(),
                ],
                verdict,
            ));
        }
    }
    FigureTable {
        title: "The branching factor at the root".into(),
        head: vec!["board", "model", "theirs", "ours", "ground actions"],
        rows,
        notes: vec!["A: the rules as a quantified precondition, as the note has it. B: compiled to one fact per house and value. D: as B, tiles in a fixed order.".into()],
    }
}

/// What the note asks for.
const REMEDY: &str = "most constrained goal first";

/// A planner, whatever it does inside.
type Planner = Box<dyn Engine<Instance, Answer = Derivation>>;

fn searches(effort: &Effort<'_>) -> FigureTable {
    let planners: [(&str, Planner); 3] = [
        (
            "best-first search on a relaxed plan",
            Box::new(Classical::greedy()),
        ),
        (REMEDY, Box::new(Commit::default())),
        (
            "planning as SAT, parallel steps",
            Box::new(SatPlan::Layered),
        ),
    ];
    let mut rows = Vec::new();
    for model in MODELS {
        let Some(ground) = ground(model, &EXAMPLES[2].grid()) else {
            continue;
        };
        // What the search without the remedy took, which a stopped one only
        // bounds from below.
        let mut without: Option<u64> = None;
        for (name, planner) in &planners {
            if effort.cancel.is_cancelled() {
                break;
            }
            let started = Instant::now();
            let limit = Duration::from_secs(effort.pick(1, 20));
            let outcome = planner.solve(&ground, &mut effort.run(1).with_time(limit));
            let time = started.elapsed().as_secs_f64();
            let (found, nodes) =
                outcome.map_or((false, 0), |o| (!o.answers.is_empty(), o.stats.nodes));
            let late = || format!("no plan within {}", short_time(limit.as_secs_f64()));
            let claim = PaperFigure {
                what: "nodes, as a share of the first planner's:",
                unit: "",
                published: match *name {
                    REMEDY => Published::Below(1.0),
                    _ => Published::Nothing,
                },
                measured: match (found, without) {
                    (true, Some(without)) => Ok(nodes as f64 / without.max(1) as f64),
                    (true, None) => Ok(1.0),
                    (false, _) => Err(late()),
                },
                tolerance: 0.1,
                same_input: true,
            };
            without = without.or(Some(nodes));
            let verdict = claim.verdict();
            rows.push(row(
                [
                    model.name().to_uppercase(),
                    name.to_string(),
                    if found { "yes" } else { "no" }.into(),
                    short_count(nodes as f64),
                    short_time(time),
                ],
                verdict,
            ));
        }
    }
    FigureTable {
        title: "Figure 1 by three planners: the note's remedy is the most constrained tile first"
            .into(),
        head: vec!["model", "planner", "plan found", "nodes", "time"],
        rows,
        notes: vec![],
    }
}

fn encodings() -> FigureTable {
    let grid = EXAMPLES[2].grid();
    let mut rows = Vec::new();
    for family in [Family::Minimal, Family::Extended, Family::Optimised] {
        let cnf = Encoding::plain(family).say(&grid).cnf;
        rows.push(row(
            [
                format!("direct, {}", family.name()),
                cnf.vars().to_string(),
                cnf.clauses().count().to_string(),
            ],
            ClaimVerdict::New,
        ));
    }
    for model in PlanningModel::ALL {
        let Some(ground) = ground(model, &grid) else {
            continue;
        };
        let Ok(cnf) = satplan::formula(
            &ground,
            70,
            &mut Run::limit(1).with_time(Duration::from_secs(5)),
        ) else {
            continue;
        };
        rows.push(row(
            [
                format!("found by the planner in model {}", model.name()),
                cnf.vars().to_string(),
                cnf.clauses().count().to_string(),
            ],
            ClaimVerdict::New,
        ));
    }
    FigureTable {
        title: "The SAT encoding of Figure 1: written by hand, and found".into(),
        head: vec!["encoding", "variables", "clauses"],
        rows,
        notes: vec!["Models with a fixed order or one step a tile need a copy of the state for each step; the others collapse into one.".into()],
    }
}
