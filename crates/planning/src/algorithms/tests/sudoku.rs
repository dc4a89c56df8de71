//! One task per blank cell, in a fixed order, the digit as the choice: built
//! by hand, as a grounder would.

use planoku_engine::{Engine, Run};

use super::judge;
use crate::algorithms::{Commit, Loops, Progression};
use crate::ground::{Condition, Ground, GroundAction, GroundFact, GroundMethod, GroundTask, Node};
use crate::instance::Instance;

/// The network of a puzzle in 81 characters. Fact `(house, digit)`: the house
/// still lacks the digit.
fn in_order(puzzle: &str) -> Ground {
    let digits: Vec<Option<u32>> = puzzle
        .chars()
        .map(|c| c.to_digit(10).filter(|&d| d > 0))
        .collect();
    let houses = |cell: u32| {
        let (row, column) = (cell / 9, cell % 9);
        [row, 9 + column, 18 + row / 3 * 3 + column / 3]
    };
    let fact = |house: u32, digit: u32| house * 9 + digit - 1;
    let mut ground = Ground {
        facts: (0..27 * 9).map(GroundFact::Helper).collect(),
        root: Some(0),
        ordered: true,
        ..Ground::default()
    };
    let mut taken = vec![false; 27 * 9];
    for (cell, digit) in digits.iter().enumerate() {
        for house in houses(cell as u32) {
            if let Some(digit) = digit {
                taken[fact(house, *digit) as usize] = true;
            }
        }
    }
    ground.init = (0..27 * 9).filter(|&fact| !taken[fact as usize]).collect();
    ground.tasks.push(task(vec![0]));
    ground.methods.push(method(0, Vec::new()));
    for cell in (0..81u32).filter(|&cell| digits[cell as usize].is_none()) {
        let number = ground.tasks.len() as u32;
        ground.methods[0].subtasks.push(Node::Task(number));
        let mut methods = Vec::new();
        for digit in 1..=9 {
            let mut free: Vec<u32> = houses(cell).map(|house| fact(house, digit)).into();
            free.sort_unstable();
            if free.iter().any(|&fact| taken[fact as usize]) {
                continue;
            }
            methods.push(ground.methods.len() as u32);
            let action = Node::Action(ground.actions.len() as u32);
            ground.methods.push(method(number, vec![action]));
            ground.actions.push(GroundAction {
                schema: None,
                arguments: [].into(),
                precondition: Condition {
                    positive: free.clone(),
                    negative: Vec::new(),
                },
                add: Vec::new(),
                delete: free,
                conditional: Vec::new(),
                cost: crate::cost::Cost::ONE,
            });
        }
        ground.tasks.push(task(methods));
    }
    ground
}

fn task(methods: Vec<u32>) -> GroundTask {
    GroundTask {
        schema: None,
        arguments: [].into(),
        methods,
    }
}

fn method(task: u32, subtasks: Vec<Node>) -> GroundMethod {
    GroundMethod {
        schema: None,
        arguments: [].into(),
        task,
        precondition: Condition::default(),
        subtasks,
        places: Vec::new(),
        ordering: Vec::new(),
    }
}

/// The same puzzle as one recursive task: fill any cell and go on, or stop
/// when all is filled. Facts `(cell)` after the others: the cell is filled.
fn recursive(puzzle: &str) -> Ground {
    let mut ground = in_order(puzzle);
    let cells = ground.methods[0].subtasks.len() as u32;
    let filled = |cell: u32| 27 * 9 + cell;
    ground.facts = (0..27 * 9 + cells).map(GroundFact::Helper).collect();
    let fills: Vec<Node> = ground.methods[0].subtasks.clone();
    let mut next = Ground {
        facts: ground.facts.clone(),
        init: ground.init.clone(),
        root: Some(0),
        ordered: true,
        ..Ground::default()
    };
    next.tasks.push(task(vec![0]));
    next.methods.push(method(0, vec![Node::Task(1)]));
    let mut done = method(1, Vec::new());
    done.precondition.positive = (0..cells).map(filled).collect();
    next.methods.push(done);
    for (cell, &fill) in (0..cells).zip(&fills) {
        let Node::Task(fill) = fill else { continue };
        for &way in &ground.tasks[fill as usize].methods {
            let Node::Action(place) = ground.methods[way as usize].subtasks[0] else {
                continue;
            };
            let mut action = ground.actions[place as usize].clone();
            action.add.push(filled(cell));
            action.precondition.negative.push(filled(cell));
            let number = next.actions.len() as u32;
            next.actions.push(action);
            next.methods
                .push(method(1, vec![Node::Action(number), Node::Task(1)]));
        }
    }
    next.tasks
        .push(task((1..next.methods.len() as u32).collect()));
    next
}

/// As classical planning: any cell next, or (`chained`) in a fixed order.
fn classical(puzzle: &str, chained: bool) -> Ground {
    let mut ground = recursive(puzzle);
    let first = 27 * 9;
    let last = ground.facts.len() as u32 - 1;
    ground.goal.positive = match chained {
        true => vec![last],
        false => (first..=last).collect(),
    };
    if chained {
        for action in &mut ground.actions {
            let filled = action.add[0];
            if filled > first {
                action.precondition.positive.push(filled - 1);
            }
        }
    }
    ground.root = None;
    ground.tasks.clear();
    ground.methods.clear();
    ground
}

const HARD: [&str; 3] = [
    ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
    ".......1.4.........2...........5.6.4..8...3....1.9....3..4..2...5.1........8.7...",
    ".......12....35......6...7.7.....3.....4..8..1...........12.....8.....4..5....6..",
];

#[test]
fn hard_puzzles_need_few_nodes_when_the_tightest_cell_comes_first() {
    for puzzle in HARD {
        let ground = Instance::new(in_order(puzzle));
        let mut run = Run::limit(1).with_nodes(3_000);
        let outcome = Progression::fail_first().solve(&ground, &mut run).unwrap();
        let found = outcome.answers.first().expect("within the budget");
        judge::check(&ground, found);
        assert_eq!(found.steps.len(), puzzle.matches('.').count());
    }
}

#[test]
fn the_recursive_model_is_solved_as_a_choice_of_macros() {
    for puzzle in HARD {
        let ground = Instance::new(recursive(puzzle));
        let mut run = Run::limit(1).with_nodes(10_000);
        let outcome = Loops.solve(&ground, &mut run).unwrap();
        let found = outcome.answers.first().expect("within the budget");
        judge::check(&ground, found);
        assert_eq!(found.steps.len(), puzzle.matches('.').count());
    }
}

#[test]
fn the_classical_models_are_solved_in_any_order_and_in_a_fixed_one() {
    for puzzle in HARD {
        for chained in [false, true] {
            let ground = Instance::new(classical(puzzle, chained));
            let mut run = Run::limit(1).with_nodes(10_000);
            let outcome = Commit::default().solve(&ground, &mut run).unwrap();
            let found = outcome.answers.first().expect("within the budget");
            judge::check_classical(&ground, found);
            assert_eq!(found.steps.len(), puzzle.matches('.').count());
        }
    }
}

#[test]
fn a_puzzle_without_solution_is_proved_to_have_no_plan() {
    // The first row lacks 1 and 2, and 1 is taken in both columns.
    let rows = ["..3456789", "1........", ".1......."].map(String::from);
    let [first, second, third] = rows;
    let blank = ".".repeat(18);
    let puzzle = first + &blank + &second + &blank + &third + &blank;
    let ground = Instance::new(classical(&puzzle, false));
    let mut run = Run::limit(1).with_nodes(10_000);
    let outcome = Commit::default().solve(&ground, &mut run).unwrap();
    assert!(outcome.proves_none(), "{:?}", outcome.end);
}
