//! Small random hierarchical problems.

use crate::ground::{Condition, Ground, GroundAction, GroundFact, GroundMethod, GroundTask, Node};
use crate::random::Random;

/// A totally ordered problem; now and then recursive.
pub fn ordered(seed: u64) -> Ground {
    let mut random = Random::new(seed + 1);
    let facts = 3 + random.below(9) as u32;
    let actions = 3 + random.below(7);
    let tasks = 2 + random.below(8);
    let mut ground = Ground {
        facts: (0..facts).map(GroundFact::Helper).collect(),
        ordered: true,
        root: Some(0),
        ..Ground::default()
    };
    ground.init = subset(&mut random, facts, 50);
    ground.goal.positive = subset(&mut random, facts, 15);
    for _ in 0..actions {
        let precondition = condition(&mut random, facts, 20);
        let add = subset(&mut random, facts, 25);
        let mut delete = subset(&mut random, facts, 25);
        delete.retain(|fact| !add.contains(fact));
        ground.actions.push(GroundAction {
            schema: None,
            arguments: [].into(),
            precondition,
            add,
            delete,
            conditional: Vec::new(),
            cost: crate::cost::Cost::ONE,
        });
    }
    for task in 0..tasks {
        let mut methods = Vec::new();
        for _ in 0..1 + random.below(4) {
            methods.push(ground.methods.len() as u32);
            let method = method(&mut random, task, tasks, actions, facts);
            ground.methods.push(method);
        }
        ground.tasks.push(GroundTask {
            schema: None,
            arguments: [].into(),
            methods,
        });
    }
    ground
}

fn method(
    random: &mut Random,
    task: usize,
    tasks: usize,
    actions: usize,
    facts: u32,
) -> GroundMethod {
    let length = random.below(if task == 0 { 6 } else { 4 });
    let subtasks: Vec<Node> = (0..length)
        .map(|_| {
            // Mostly downwards, one time in ten to any task at all.
            let from = if random.below(10) == 0 { 0 } else { task + 1 };
            if from < tasks && random.below(2) == 0 {
                Node::Task((from + random.below(tasks - from)) as u32)
            } else {
                Node::Action(random.below(actions) as u32)
            }
        })
        .collect();
    GroundMethod {
        schema: None,
        arguments: [].into(),
        task: task as u32,
        precondition: condition(random, facts, 10),
        places: (0..length as u32).collect(),
        ordering: (1..length as u32).map(|place| (place - 1, place)).collect(),
        subtasks,
    }
}

fn condition(random: &mut Random, facts: u32, percent: usize) -> Condition {
    let positive = subset(random, facts, percent);
    let mut negative = subset(random, facts, percent / 2);
    negative.retain(|fact| !positive.contains(fact));
    Condition { positive, negative }
}

fn subset(random: &mut Random, facts: u32, percent: usize) -> Vec<u32> {
    (0..facts).filter(|_| random.below(100) < percent).collect()
}
