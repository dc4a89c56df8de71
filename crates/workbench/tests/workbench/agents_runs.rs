//! Robots under every scheduler, in threads, with faults; and their traces.

use std::time::Duration;

use planoku_engine::{Cancel, End, Engine, Run};
use planoku_sudoku::{Grid, Shape, reference};
use planoku_workbench::agents::judge::unique_solution;
use planoku_workbench::agents::{
    Agents, Fault, FaultKind, Finish, Interpretation, Loss, Policy, RobotEvent, RobotId,
    RobotModel, RobotSettings, Scheduler, StoppedBy, run, run_with,
};
use planoku_workbench::trace::film::{Film, animate};
use planoku_workbench::trace::{Player, Robots, Trace, robots_header};
use proptest::prelude::*;

/// An easy puzzle that model 4 solves alone.
const EASY: &str =
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";

fn solve(puzzle: &Grid, settings: &RobotSettings) -> planoku_workbench::agents::RunReport {
    run(puzzle, settings, &mut Run::limit(1)).unwrap()
}

/// A puzzle from a full board of any size, by clearing cells.
fn puzzle_of(shape: Shape, keep: &[bool]) -> Grid {
    // The rows of a box shifted against each other: a board that is always right.
    let (rows, columns, side) = (shape.box_rows(), shape.box_columns(), shape.side());
    let mut grid = Grid::empty(shape);
    for (cell, keep) in shape.all_cells().zip(keep) {
        let (row, column) = (shape.row(cell), shape.column(cell));
        let value = (columns * (row % rows) + row / rows + column) % side;
        if *keep {
            grid.set(cell, planoku_sudoku::Digit::new(value as u8 + 1));
        }
    }
    grid
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn model_1_finds_every_solution_of_small_boards(keep in prop::collection::vec(any::<bool>(), 16)) {
        let puzzle = puzzle_of(Shape::Two, &keep);
        for model in [RobotModel::M1, RobotModel::M4Then1] {
            let engine = Agents { model, reading: Interpretation::Sound };
            let outcome = engine.solve(&puzzle, &mut Run::limit(50)).unwrap();
            let mut found = outcome.answers;
            let mut expected = reference::solutions(&puzzle, 50);
            if outcome.end == End::Exhausted {
                found.sort();
                expected.sort();
                prop_assert_eq!(found, expected);
            } else {
                prop_assert_eq!(found.len(), expected.len());
            }
        }
    }

    #[test]
    fn no_scheduler_changes_where_sound_robots_end(
        keep in prop::collection::vec(prop::bool::weighted(0.55), 81),
        seed in any::<u64>(),
        one_box in any::<bool>(),
    ) {
        let puzzle = puzzle_of(Shape::Three, &keep);
        let policy = if one_box { Policy::OneBox } else { Policy::WholeScan };
        for model in [RobotModel::M2, RobotModel::M3, RobotModel::M4, RobotModel::M5, RobotModel::M6] {
            let expected = solve(&puzzle, &RobotSettings::new(model)).grid;
            for scheduler in [Scheduler::Random, Scheduler::Fewest, Scheduler::Interleaved] {
                let settings = RobotSettings { scheduler, policy, seed, ..RobotSettings::new(model) };
                prop_assert_eq!(&solve(&puzzle, &settings).grid, &expected);
            }
        }
    }
}

#[test]
fn robots_work_on_boards_of_every_size() {
    for shape in Shape::ALL {
        let keep: Vec<bool> = (0..shape.cells()).map(|cell| cell % 7 != 3).collect();
        let puzzle = puzzle_of(shape, &keep);
        for model in RobotModel::ALL {
            for scheduler in Scheduler::ALL {
                let settings = RobotSettings {
                    scheduler,
                    ..RobotSettings::new(model)
                };
                let mut budget = Run::limit(1).with_nodes(20_000);
                let report = run(&puzzle, &settings, &mut budget).unwrap();
                if report.finish == Finish::Solved {
                    assert_eq!(planoku_sudoku::verify(&puzzle, &report.grid), Ok(()));
                }
            }
        }
        let report = solve(&puzzle, &RobotSettings::new(RobotModel::M6));
        assert_eq!(report.finish, Finish::Solved, "{shape}");
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let puzzle = EASY.parse().unwrap();
    for scheduler in [Scheduler::Random, Scheduler::Interleaved] {
        let counts = |seed| {
            let settings = RobotSettings {
                scheduler,
                seed,
                ..RobotSettings::new(RobotModel::M4)
            };
            solve(&puzzle, &settings).counts
        };
        assert_eq!(counts(7), counts(7));
        assert!((0..5).any(|seed| counts(seed) != counts(7)));
    }
}

#[test]
fn requests_that_come_too_late_are_refused() {
    let puzzle: Grid = EASY.parse().unwrap();
    let refusals: u64 = (0..20)
        .map(|seed| {
            let settings = RobotSettings {
                scheduler: Scheduler::Interleaved,
                seed,
                ..RobotSettings::new(RobotModel::M3).printed()
            };
            solve(&puzzle, &settings).counts.refusals
        })
        .sum();
    assert!(refusals > 0);
}

#[test]
fn concurrent_robots_end_where_round_robin_ends() {
    let easy = include_str!("../../../../puzzles/easy.txt")
        .lines()
        .step_by(20);
    let hard = include_str!("../../../../puzzles/minimal.txt").lines();
    let models = [
        RobotModel::M2,
        RobotModel::M3,
        RobotModel::M4,
        RobotModel::M5,
        RobotModel::M6,
    ];
    // A thousand runs are made by `planoku-bench agents`; here a hundred.
    for (nth, line) in easy.chain(hard.step_by(40)).enumerate() {
        let puzzle: Grid = line.parse().unwrap();
        for model in [models[nth % 5], RobotModel::M4] {
            let expected = solve(&puzzle, &RobotSettings::new(model)).grid;
            let settings = RobotSettings {
                scheduler: Scheduler::Concurrent,
                ..RobotSettings::new(model)
            };
            let report = solve(&puzzle, &settings);
            assert_eq!(report.grid, expected);
            assert!(report.lost.is_empty());
        }
    }
}

#[test]
fn model_1_works_in_threads() {
    let puzzle = ".23.3..22143.32.".parse().unwrap();
    let settings = RobotSettings {
        scheduler: Scheduler::Concurrent,
        ..RobotSettings::new(RobotModel::M1)
    };
    assert_eq!(solve(&puzzle, &settings).finish, Finish::Solved);
}

#[track_caller]
fn with_fault(
    model: RobotModel,
    robot: u8,
    kind: FaultKind,
) -> planoku_workbench::agents::RunReport {
    let settings = RobotSettings {
        scheduler: Scheduler::Concurrent,
        patience: Duration::from_millis(150),
        fault: Some(Fault {
            robot: RobotId(robot),
            after: 1,
            kind,
        }),
        ..RobotSettings::new(model)
    };
    solve(&EASY.parse().unwrap(), &settings)
}

#[test]
fn a_dead_robot_is_noticed_and_the_others_go_on() {
    let report = with_fault(RobotModel::M4, 4, FaultKind::Dies);
    assert_eq!(report.lost, [(RobotId(4), Loss::Died)]);
    assert_eq!(report.finish, Finish::FixedPoint);
    let solution = reference::solve(&EASY.parse().unwrap()).unwrap();
    assert_eq!(
        planoku_workbench::agents::judge::wrong_boxes(&report.grid, &solution),
        0
    );
}

#[test]
fn a_late_robot_is_given_up_and_the_others_go_on() {
    let report = with_fault(RobotModel::M4, 4, FaultKind::Sleeps(Duration::from_secs(3)));
    assert!(report.lost.contains(&(RobotId(4), Loss::Late)));
    assert_eq!(report.finish, Finish::FixedPoint);
}

#[test]
fn a_pair_that_loses_a_robot_abandons_the_work() {
    for (kind, how) in [
        (FaultKind::Dies, Loss::Died),
        (FaultKind::Sleeps(Duration::from_secs(3)), Loss::Late),
    ] {
        let report = with_fault(RobotModel::M1, 0, kind);
        assert_eq!(report.finish, Finish::Abandoned);
        assert!(report.lost.contains(&(RobotId(0), how)));
    }
}

#[test]
fn out_of_budget_is_stopped_not_no_solution() {
    let puzzle = Grid::empty(Shape::Five);
    let mut settings = RobotSettings::new(RobotModel::M1);
    settings.removals = Some(100);
    let report = solve(&puzzle, &settings);
    assert_eq!(report.finish, Finish::Stopped(StoppedBy::Removals));
    assert_eq!(report.counts.removals, 100);
    let cancel = Cancel::new();
    cancel.cancel();
    for scheduler in Scheduler::ALL {
        let settings = RobotSettings {
            scheduler,
            ..RobotSettings::new(RobotModel::M1)
        };
        let mut budget = Run::limit(1).with_cancel(cancel.clone());
        let report = run(&puzzle, &settings, &mut budget).unwrap();
        assert!(matches!(report.finish, Finish::Stopped(_)), "{scheduler}");
    }
}

/// The trace of a run.
fn traced(puzzle: &str, settings: &RobotSettings) -> Trace {
    let puzzle: Grid = puzzle.parse().unwrap();
    let solution = unique_solution(&puzzle, 100_000);
    let header = robots_header("agents", &puzzle, solution.as_ref(), settings);
    let mut robots = Robots::new(header, usize::MAX);
    let mut note = |event: RobotEvent| robots.event(event);
    let mut run = Run::limit(1);
    let report = run_with(&puzzle, settings, &mut run, Some(&mut note), &mut |_| false);
    let finish = report.unwrap().finish;
    robots.finish(finish.name(), 1, None)
}

#[test]
fn a_trace_plays_forward_to_the_end_and_back_to_the_puzzle() {
    for (model, scheduler) in [
        (RobotModel::M4Then1, Scheduler::Fewest),
        (RobotModel::M1, Scheduler::RoundRobin),
        (RobotModel::M4, Scheduler::Concurrent),
    ] {
        let settings = RobotSettings {
            scheduler,
            ..RobotSettings::new(model)
        };
        let text = traced(EASY, &settings).to_string();
        let trace = &Trace::read(text.as_bytes()).unwrap()[0];
        let mut player = Player::new(trace);
        while player.forward() {}
        assert!(player.board().is_full());
        assert_eq!(player.position(), player.len());
        while player.back() {}
        assert_eq!(player.board(), trace.header.puzzle);
    }
}

#[test]
fn a_trace_becomes_a_picture() {
    let trace = traced(EASY, &RobotSettings::new(RobotModel::M4));
    let (picture, left_out) = animate(&trace, Film::default());
    assert_eq!(left_out, 0);
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
    let film = Film {
        steps: 10,
        ..Film::default()
    };
    assert!(animate(&trace, film).1 > 0);
}
