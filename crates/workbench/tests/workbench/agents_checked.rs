//! The model checker over the very transition function that runs.
//!
//! Every interleaving of robots and environment is explored, so robots decide
//! on boards they have not heard the last of, requests come too late, and
//! answers are read late. Whatever order things happen in:
//!
//! - boxes are conserved, and no house holds two equal boxes;
//! - with a sound reading no box ever differs from the unique solution;
//! - a state with nothing to choose has ended, and every step of a fixed-point
//!   model makes [`Stage::progress`] larger, so every run ends;
//! - all ends of a sound model are the same board;
//! - model 1 ends with a solution, or after trying everything when there is none;
//! - a robot may die at any moment, and all of this still holds.

use std::collections::HashSet;
use std::sync::Mutex;

use planoku_sudoku::{Grid, reference};
use planoku_workbench::agents::judge::wrong_boxes;
use planoku_workbench::agents::table::BlockTable;
use planoku_workbench::agents::{
    Choice, Interpretation, Policy, RobotEvent, RobotModel, RobotSettings, Stage, WorkEnded,
};
use planoku_workbench::trace::{BoardChange, Player, Robots, Trace, robots_header};
use stateright::{Checker, Model as Checked, Property};

/// A puzzle and its robots, as the checker sees them.
struct Blocks {
    puzzle: Grid,
    solution: Option<Grid>,
    settings: RobotSettings,
    /// Whether robots may die: at most so many.
    deaths: usize,
    ends: Mutex<HashSet<Grid>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    world: Stage,
    deaths: usize,
    /// The step here made progress.
    progressed: bool,
}

impl Blocks {
    fn new(puzzle: &str, settings: RobotSettings) -> Blocks {
        let puzzle: Grid = puzzle.parse().unwrap();
        let mut solutions = reference::solutions(&puzzle, 2);
        Blocks {
            solution: match solutions.len() {
                1 => solutions.pop(),
                _ => None,
            },
            puzzle,
            settings,
            deaths: 0,
            ends: Mutex::default(),
        }
    }

    fn right_so_far(&self, state: &State) -> bool {
        let board = state.world.table().board().grid();
        self.solution
            .as_ref()
            .is_none_or(|solution| wrong_boxes(&board, solution) == 0)
    }
}

impl Checked for Blocks {
    type State = State;
    type Action = Choice;

    fn init_states(&self) -> Vec<State> {
        let RobotSettings {
            model,
            reading,
            policy,
            ..
        } = self.settings;
        let table = BlockTable::lay(&self.puzzle).unwrap();
        let world = Stage::new(table, model, reading, policy, &mut |_: RobotEvent| {});
        vec![State {
            world,
            deaths: 0,
            progressed: true,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Choice>) {
        actions.extend(state.world.choices());
        if state.deaths < self.deaths {
            let deaths = state.world.everyone().map(Choice::Lose);
            actions.extend(deaths.filter(|choice| state.world.is_enabled(*choice)));
        }
        if actions.is_empty() {
            let board = state.world.table().board().grid();
            self.ends.lock().unwrap().insert(board);
        }
    }

    fn next_state(&self, last: &State, choice: Choice) -> Option<State> {
        let mut world = last.world.clone();
        world.step(choice, &mut |_: RobotEvent| {});
        let died = matches!(choice, Choice::Lose(_));
        let paired = self.settings.model == RobotModel::M1;
        Some(State {
            deaths: last.deaths + usize::from(died),
            progressed: died || paired || world.progress() > last.world.progress(),
            world,
        })
    }

    fn properties(&self) -> Vec<Property<Blocks>> {
        vec![
            Property::always("boxes are conserved", |_: &Blocks, state: &State| {
                state.world.table().is_conserved()
            }),
            Property::always(
                "no house holds two equal boxes",
                |_: &Blocks, state: &State| state.world.table().two_in_a_house().is_none(),
            ),
            Property::always("no box is wrong", |blocks: &Blocks, state: &State| {
                // The backtracking of model 1 places wrong boxes on its way.
                let judged =
                    blocks.settings.model != RobotModel::M1 || state.world.ended().is_some();
                !judged || blocks.right_so_far(state)
            }),
            Property::always("every step makes progress", |_: &Blocks, state: &State| {
                state.progressed
            }),
            Property::always(
                "whoever has nothing to choose has ended",
                |_: &Blocks, state: &State| {
                    state.world.ended().is_some() || state.world.choices().next().is_some()
                },
            ),
            Property::always(
                "model 1 ends with a proof",
                |blocks: &Blocks, state: &State| {
                    let solvable = blocks.solution.is_some();
                    match state.world.ended() {
                        _ if blocks.settings.model != RobotModel::M1 || blocks.deaths > 0 => true,
                        None => true,
                        Some(WorkEnded::Full) => solvable,
                        Some(ended) => !solvable && ended == WorkEnded::Exhausted,
                    }
                },
            ),
        ]
    }
}

/// Explores everything, expects no surprise, and gives the boards of the ends.
#[track_caller]
fn check(blocks: Blocks) -> HashSet<Grid> {
    let checker = blocks.checker().threads(2).spawn_bfs().join();
    checker.assert_properties();
    let states = checker.unique_state_count();
    let model = checker.model();
    println!(
        "{states} states: model {} {} {} on {}",
        model.settings.model, model.settings.reading, model.settings.policy, model.puzzle
    );
    assert!(checker.is_done());
    assert!(states > 1);
    std::mem::take(&mut *model.ends.lock().unwrap())
}

const SOUND: [RobotModel; 5] = [
    RobotModel::M2,
    RobotModel::M3,
    RobotModel::M4,
    RobotModel::M5,
    RobotModel::M6,
];

/// 4x4 puzzles with one solution. The states multiply with every blank that
/// concerns another robot: four to six of them is what a test can afford.
const FOUR_BLANKS: &str = "123434122143....";
const SIX_BLANKS: &str = ".23.3..22143.32.";

/// A 9x9 board near its end: four boxes of three numbers are missing.
const NEAR_THE_END: &str =
    "483921657967345821251876493548132976729564138136798245372689514814253.6969541...2";

#[test]
fn sound_models_end_in_one_board_whatever_the_order() {
    for model in SOUND {
        for policy in Policy::ALL {
            let settings = RobotSettings {
                policy,
                ..RobotSettings::new(model)
            };
            assert_eq!(check(Blocks::new(FOUR_BLANKS, settings)).len(), 1);
        }
    }
    for model in [RobotModel::M3, RobotModel::M4] {
        assert_eq!(
            check(Blocks::new(SIX_BLANKS, RobotSettings::new(model))).len(),
            1
        );
    }
}

#[test]
fn sound_models_stay_right_near_the_end_of_a_large_board() {
    for model in [RobotModel::M4, RobotModel::M6] {
        let settings = RobotSettings::new(model);
        assert_eq!(check(Blocks::new(NEAR_THE_END, settings)).len(), 1);
    }
}

/// Millions of states: more than continuous integration has room for.
#[test]
#[ignore = "takes minutes and more than 8 GB of memory"]
fn sound_models_end_in_one_board_on_a_chequered_board() {
    let chequered = ".2.43.1..1.34.2.";
    assert_eq!(
        check(Blocks::new(chequered, RobotSettings::new(RobotModel::M4))).len(),
        1
    );
}

#[test]
fn a_robot_may_die_at_any_moment() {
    for (model, puzzle) in [
        (RobotModel::M4, "1234341221434..."),
        (RobotModel::M1, SIX_BLANKS),
        (RobotModel::M1, "1....2....3....4"),
    ] {
        let mut blocks = Blocks::new(puzzle, RobotSettings::new(model));
        blocks.deaths = 1;
        check(blocks);
    }
}

#[test]
fn model_1_is_complete_on_small_boards() {
    let none = "1...2...3....4..";
    assert_eq!(reference::solutions(&none.parse().unwrap(), 1).len(), 0);
    let hard = "1...3..2...3..2.";
    assert_eq!(reference::solutions(&hard.parse().unwrap(), 2).len(), 1);
    for puzzle in [FOUR_BLANKS, SIX_BLANKS, hard, none, NEAR_THE_END] {
        let blocks = Blocks::new(puzzle, RobotSettings::new(RobotModel::M1));
        assert_eq!(check(blocks).len(), 1);
    }
}

/// The shortest way to a wrong box with printed model 3, found by the checker.
fn counterexample() -> (Blocks, Vec<Choice>) {
    let blocks = || Blocks::new(SIX_BLANKS, RobotSettings::new(RobotModel::M3).printed());
    // The checker keeps the last discovery, not the first, so the depth is
    // raised until there is one.
    for depth in 1..20 {
        let bounded = blocks().checker().target_max_depth(depth);
        if let Some(path) = bounded.spawn_bfs().join().discovery("no box is wrong") {
            return (blocks(), path.into_actions());
        }
    }
    panic!("printed model 3 is unsound, but no wrong box was found");
}

/// The counterexample as a trace, as `replay` shows it.
fn counterexample_trace() -> String {
    let (blocks, choices) = counterexample();
    let solution = blocks.solution.as_ref();
    let header = robots_header(
        "agents:3-printed",
        &blocks.puzzle,
        solution,
        &blocks.settings,
    );
    let mut robots = Robots::new(header, usize::MAX);
    let table = BlockTable::lay(&blocks.puzzle).unwrap();
    let (reading, policy) = (Interpretation::Printed, Policy::WholeScan);
    let log = &mut |event| robots.event(event);
    let mut world = Stage::new(table, RobotModel::M3, reading, policy, log);
    for choice in choices {
        world.step(choice, log);
    }
    robots.finish("stopped", 0, None).to_string()
}

#[test]
fn printed_model_3_places_a_wrong_box() {
    let (_, choices) = counterexample();
    // One robot decides, the environment serves it: it cannot be shorter.
    assert_eq!(choices.len(), 2, "{choices:?}");
    // The trace that is kept for readers is the one the checker finds.
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/blocks/printed-model-3.jsonl"
    );
    let found = counterexample_trace();
    if std::env::var_os("UPDATE_TRACES").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap();
    assert_eq!(kept, found);
    let trace = &Trace::read(kept.as_bytes()).unwrap()[0];
    let mut player = Player::new(trace);
    assert!(player.forward_to_failure());
    let last = player.last().and_then(|event| event.board.as_ref());
    assert!(matches!(last, Some(BoardChange::Place(..))));
}
