//! The node counts of "The CSP Sudoku", all 132 of them.

use planoku_engine::Run;
use planoku_sudoku::Grid;
use planoku_workbench::papers::csp::{PublishedNodes, published};
use planoku_workbench::{engine, solve::solve};

#[test]
fn every_published_node_count_is_reproduced() {
    let wrong: Vec<String> = published().iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(figure: &PublishedNodes) -> Option<String> {
    let puzzle: Grid = figure.puzzle.parse().unwrap();
    let engine = engine(figure.engine).unwrap();
    let outcome = solve(&*engine, &puzzle, &mut Run::limit(1)).unwrap();
    let right = outcome.stats.nodes == figure.nodes && outcome.answers.len() == 1;
    (!right).then(|| {
        let nodes = outcome.stats.nodes;
        format!("{figure:?}: {nodes} nodes")
    })
}

/// The other figures that the authors' program gives on the first puzzles, by
/// counting tried values instead of entered levels.
#[test]
fn tried_values_are_counted_as_the_recursion_meets_them() {
    for (number, tries) in [(0, 35_578), (1, 336_690), (2, 695_884)] {
        let figure = published()
            .into_iter()
            .find(|figure| figure.number == number && figure.engine == "bt")
            .unwrap();
        let puzzle: Grid = figure.puzzle.parse().unwrap();
        let outcome = engine("bt")
            .unwrap()
            .solve(&puzzle, &mut Run::limit(1))
            .unwrap();
        assert_eq!(outcome.stats.get("value_tries"), tries);
    }
}
