//! One task per blank cell, in a fixed order, the digit as the choice: built
//! by hand, as a grounder would.

use planoku_engine::{Engine, Run};

use super::judge;
use crate::ground::{Condition, Ground, GroundAction, GroundFact, GroundMethod, GroundTask, Node};
use crate::search::Progression;

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
                cost: 1,
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

#[test]
fn hard_puzzles_need_few_nodes_when_the_tightest_cell_comes_first() {
    for puzzle in [
        ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
        ".......1.4.........2...........5.6.4..8...3....1.9....3..4..2...5.1........8.7...",
        ".......12....35......6...7.7.....3.....4..8..1...........12.....8.....4..5....6..",
    ] {
        let ground = in_order(puzzle);
        let mut run = Run::limit(1).with_nodes(3_000);
        let outcome = Progression::fail_first().solve(&ground, &mut run).unwrap();
        println!("{} nodes, {:?}", outcome.stats.nodes, outcome.stats.time);
        let found = outcome.answers.first().expect("within the budget");
        judge::check(&ground, found);
        assert_eq!(found.steps.len(), puzzle.matches('.').count());
    }
}
