//! Sudoku as a constraint network: names, sizes, traces, and the hard list.

use std::collections::BTreeSet;

use planoku_constraints::csp::Recipe;
use planoku_engine::name::NameProblem;
use planoku_engine::{End, Engine, Event, Formulation, Run};
use planoku_sudoku::{Cell, Grid, Shape, reference};
use planoku_workbench::formulate::csp::AsNetwork;
use planoku_workbench::{NameError, engine, engines, registry, solve::solve};

use crate::corpora;

/// The puzzle of the paper's Figure 2.
const EASY: &str =
    "3...682..41.27.5.9....4.318591........7...4........851625.1....1.4.95.23..382...5";

#[test]
fn the_paper_counts_810_constraints_on_a_9x9_board() {
    for (shape, pairs) in Shape::ALL.into_iter().zip([56, 216, 810, 4992, 20_000]) {
        let network = AsNetwork
            .encode(&Grid::empty(shape), &mut Run::limit(1))
            .unwrap();
        assert_eq!(network.len(), shape.cells());
        // A cell has 3 * side - box rows - box columns - 1 peers.
        let peers = 3 * shape.side() - shape.box_rows() - shape.box_columns() - 1;
        assert_eq!(network.pair_count(), shape.cells() * peers / 2);
        assert_eq!(network.pair_count(), pairs, "{shape:?}");
    }
}

#[test]
fn any_recipe_answers_to_its_name() {
    for name in [
        "fc+cbj:mrv",
        "mac:domwdeg",
        "hall+cbj+learn:mrv-deg:lcv:luby",
    ] {
        assert_eq!(engine(name).unwrap().profile().name, name);
    }
    // Parts that go without saying may be said.
    assert_eq!(engine("fc+bt:mrv:asc").unwrap().profile().name, "fc:mrv");
    for listed in engines() {
        let name = listed.profile().name;
        assert!(engine(&name).is_some(), "{name} is listed and not found");
    }
}

#[test]
fn a_refused_recipe_says_why() {
    assert!(engine("bm+fc").is_none());
    let refused = |name| match registry::find(name) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{name} is an engine"),
    };
    for (name, part) in [
        ("fc+bm", "backmarking"),
        ("mac:luby", "same way again"),
        ("sat:minimal:extended:ladder", "`minimal` and `extended`"),
        ("sat:ladder:pairwise", "exclude each other"),
        ("sat:magic", "found `magic`"),
        ("sat:minimum", "did you mean `minimal`?"),
        ("sat:minimal:minimal", "`minimal` is said twice"),
        ("htn:magic", "planners (sat, search), found `magic`"),
        ("htn-human:magic", "found `magic`"),
        ("agents", "say which robots"),
        ("agents:7", "found `7`"),
        ("native:fast", "no other parts"),
        ("fc+mrv", "`mrv` stands after `:` only"),
        ("fc+", "found nothing"),
    ] {
        let why = refused(name);
        assert!(why.contains(part), "{name}: {why}");
    }
    if cfg!(not(feature = "cadical")) {
        assert!(refused("sat:cadical").contains("--features cadical"));
    }
    // What is no combination of parts at all gets the general answer.
    let unknown = registry::find("deep-thought").err();
    assert_eq!(
        unknown,
        Some(NameError::new("deep-thought", NameProblem::Unknown))
    );
}

#[test]
fn every_recipe_is_right_on_a_small_board_or_stops() {
    // Three boards of side 6: one solution, none, many.
    let boards = [
        "....3.32..65456.131.2..4..3..1..432.",
        "....3.32..65456.131.2..4..3..1.1432.",
        "....3.3....5.56.131.2.....3..1...3..",
    ];
    for board in boards {
        let puzzle: Grid = board.parse().unwrap();
        let expected = reference::solutions(&puzzle, 40);
        for recipe in Recipe::all() {
            let name = recipe.to_string();
            let engine = engine(&name).unwrap();
            let mut run = Run::limit(40).with_nodes(20_000);
            let outcome = solve(&*engine, &puzzle, &mut run).unwrap();
            if outcome.end.stopped_by().is_some() {
                continue;
            }
            let found: BTreeSet<String> = outcome
                .answers
                .iter()
                .map(|solution| solution.grid.to_string())
                .collect();
            assert_eq!(found.len(), expected.len(), "{name} on {board}");
            let enough = expected.len() == 40;
            let end = if enough { End::Enough } else { End::Exhausted };
            assert_eq!(outcome.end, end, "{name} on {board}");
        }
    }
}

#[test]
fn a_trace_of_a_puzzle_replays_to_its_solution() {
    let puzzle: Grid = EASY.parse().unwrap();
    let solution = reference::solve(&puzzle).unwrap();
    for name in ["cbj", "ac3+bj", "fc+cbj:mrv", "mac:domwdeg", "regin:mrv"] {
        let mut given: Vec<Option<u32>> = vec![None; 81];
        let mut left: Vec<BTreeSet<u32>> = (puzzle.cells().iter())
            .map(|cell| match cell {
                Some(digit) => BTreeSet::from([u32::from(digit.get())]),
                None => (1..=9).collect(),
            })
            .collect();
        let mut shown = None;
        let mut observer = |event: &Event| match *event {
            Event::Assign { variable, value } => given[variable as usize] = Some(value),
            Event::Unassign { variable } => given[variable as usize] = None,
            Event::Prune { variable, value } => {
                assert!(left[variable as usize].remove(&value));
            }
            Event::Restore { variable, value } => {
                assert!(left[variable as usize].insert(value));
            }
            Event::Answer(_) => {
                let value = |at: usize| given[at].or(left[at].first().copied());
                shown = Some((0..81).map(value).collect::<Vec<_>>());
            }
            _ => {}
        };
        let mut run = Run::limit(1).with_observer(&mut observer);
        engine(name).unwrap().solve(&puzzle, &mut run).unwrap();
        drop(run);
        let expected: Vec<Option<u32>> = (0..81)
            .map(|at| solution.get(Cell::new(at)).map(|digit| digit.get().into()))
            .collect();
        assert_eq!(shown, Some(expected), "{name}");
    }
}

#[test]
fn the_best_recipes_need_few_nodes_on_minimal_puzzles() {
    let text = include_str!("../../../../puzzles/minimal.txt");
    let lines: Vec<&str> = text.lines().step_by(10).collect();
    check_few_nodes(&lines.join("\n"));
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn the_best_recipes_need_few_nodes_on_the_hard_list() {
    let path = corpora::path("puzzles/top95.txt");
    check_few_nodes(&std::fs::read_to_string(path).unwrap());
}

#[track_caller]
fn check_few_nodes(text: &str) {
    for (name, most) in [("elim:mrv-deg", 200), ("regin:mrv", 100)] {
        let engine = engine(name).unwrap();
        for line in text.lines() {
            let puzzle: Grid = line.parse().unwrap();
            let mut run = Run::limit(1).with_nodes(most);
            let outcome = solve(&*engine, &puzzle, &mut run).unwrap();
            assert_eq!(outcome.answers.len(), 1, "{name} on {line}");
        }
    }
}
