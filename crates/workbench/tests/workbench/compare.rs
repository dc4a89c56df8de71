//! Comparing engines: contradictions are found, budgets are budgets.

use planoku_engine::{Budget, Cancel, Ended, Engine, EngineError, Profile, Run, Sink};
use planoku_sudoku::{Grid, native::Native, reference};
use planoku_workbench::compare::{Claim, Contest, EngineComparison, disagreements, summaries};
use planoku_workbench::{EXAMPLES, Plain, Solution, SudokuEngine, engine};

/// An engine that does as it is told: the planted impostor.
struct Liar(fn(&Grid) -> Vec<Grid>);

impl Engine<Grid> for Liar {
    type Answer = Solution;

    fn profile(&self) -> Profile {
        Profile::new("liar", "says what it likes").complete()
    }

    fn solve_into(
        &self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Solution>,
    ) -> Result<Ended, EngineError> {
        let grids = (self.0)(puzzle);
        run.search(sink, |_, found| {
            grids.into_iter().try_for_each(|grid| {
                found.push(Solution {
                    grid,
                    witness: None,
                })
            })
        })
    }
}

fn contest(engines: Vec<SudokuEngine>, puzzles: Vec<Grid>, nodes: Option<u64>) -> EngineComparison {
    let budget = Budget {
        nodes,
        ..Budget::default()
    };
    Contest {
        engines,
        puzzles,
        budget,
        rounds: 2,
        threads: 2,
    }
    .run(&Cancel::new(), &|_, _| {})
}

fn native() -> SudokuEngine {
    Box::new(Plain(Native))
}

fn first_three() -> Vec<Grid> {
    EXAMPLES[..3].iter().map(|example| example.grid()).collect()
}

#[test]
fn an_engine_that_denies_every_solution_is_caught() {
    let report = contest(
        vec![native(), Box::new(Liar(|_| vec![]))],
        first_three(),
        None,
    );
    let found = disagreements(&report);
    assert_eq!(found.len(), 3);
    assert_eq!(
        found[0].sides[1],
        ("no solution".into(), vec!["liar".into()])
    );
}

#[test]
fn an_engine_that_returns_a_wrong_grid_is_caught_and_comes_last() {
    let report = contest(
        vec![Box::new(Liar(|grid| vec![grid.clone()])), native()],
        first_three(),
        None,
    );
    assert_eq!(disagreements(&report).len(), 3);
    let rows = summaries(&report);
    assert_eq!(
        (rows[1].engine.as_str(), rows[1].wrong, rows[1].solved),
        ("liar", 3, 0)
    );
}

#[test]
fn different_solutions_are_no_contradiction_where_there_are_several() {
    let last = Liar(|grid| reference::solutions(grid, 5).pop().into_iter().collect());
    let report = contest(
        vec![native(), Box::new(last)],
        vec![EXAMPLES[4].grid()],
        None,
    );
    assert_eq!(disagreements(&report), []);
}

#[test]
fn an_engine_that_hits_its_budget_is_stopped_and_contradicts_nobody() {
    let slow = engine("bt").unwrap();
    let report = contest(vec![native(), slow], first_three(), Some(50));
    assert_eq!(disagreements(&report), []);
    let bt = summaries(&report)
        .into_iter()
        .find(|row| row.engine == "bt")
        .unwrap();
    assert_eq!((bt.stopped, bt.solved, bt.gave_up, bt.wrong), (3, 0, 0, 0));
    assert!(
        report
            .results
            .iter()
            .filter(|m| m.engine == 1)
            .all(|m| { matches!(m.claim, Claim::Stopped(_)) && m.times.len() == 1 })
    );
}
