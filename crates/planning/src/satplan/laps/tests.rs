//! Held against a search that tries everything, on random loops.

use planoku_engine::{Budget, Engine, Run};

use super::*;
use crate::ground::{
    Condition, GroundAction, GroundFact, GroundMethod, GroundTask, MethodIndex, TaskIndex,
};
use crate::satplan::SatPlan;
use crate::satplan::tests::{Dice, check, exists};

fn condition(dice: &mut Dice, facts: usize) -> Condition {
    let mut condition = Condition::default();
    if dice.roll(2) == 0 {
        let fact = dice.roll(facts) as u32;
        match dice.roll(2) {
            0 => condition.positive.push(fact),
            _ => condition.negative.push(fact),
        }
    }
    condition
}

/// Changes one fact, and mostly asks for its opposite before.
fn action(dice: &mut Dice, facts: usize) -> GroundAction {
    let fact = dice.roll(facts) as u32;
    let adds = dice.roll(2) == 0;
    let mut precondition = match dice.roll(4) {
        0 => condition(dice, facts),
        _ => Condition::default(),
    };
    if dice.roll(3) > 0 && precondition == Condition::default() {
        match adds {
            true => precondition.negative.push(fact),
            false => precondition.positive.push(fact),
        }
    }
    GroundAction {
        precondition,
        ..change(fact, adds)
    }
}

/// Makes one fact true, or false.
fn change(fact: u32, adds: bool) -> GroundAction {
    GroundAction {
        schema: None,
        arguments: [].into(),
        precondition: Condition::default(),
        add: if adds { vec![fact] } else { vec![] },
        delete: if adds { vec![] } else { vec![fact] },
        conditional: vec![],
        cost: crate::cost::Cost::ONE,
    }
}

fn method(task: TaskIndex, precondition: Condition, subtasks: Vec<Node>) -> GroundMethod {
    let count = subtasks.len() as u32;
    GroundMethod {
        schema: None,
        arguments: [].into(),
        task,
        precondition,
        subtasks,
        places: (0..count).collect(),
        ordering: (1..count).map(|it| (it - 1, it)).collect(),
    }
}

/// A loop (task 1) whose laps have tasks inside that have tasks inside.
fn random_loop(seed: u64) -> Ground {
    let mut dice = Dice(seed);
    let facts = 4 + dice.roll(4);
    let inner = 2 + dice.roll(4);
    let tasks = 2 + inner;
    let mut ground = Ground {
        actions: (0..4 + dice.roll(4))
            .map(|_| action(&mut dice, facts))
            .collect(),
        facts: (0..facts as u32).map(GroundFact::Helper).collect(),
        init: (0..facts as u32).filter(|_| dice.roll(2) == 0).collect(),
        ordered: true,
        root: Some(0),
        ..Ground::default()
    };
    for fact in 0..facts as u32 {
        match dice.roll(4) {
            0 => ground.goal.positive.push(fact),
            1 => ground.goal.negative.push(fact),
            _ => {}
        }
    }
    let mut push = |task: TaskIndex, precondition: Condition, subtasks: Vec<Node>| {
        while ground.tasks.len() <= task as usize {
            ground.tasks.push(GroundTask {
                schema: None,
                arguments: [].into(),
                methods: vec![],
            });
        }
        let index = ground.methods.len() as MethodIndex;
        ground.tasks[task as usize].methods.push(index);
        ground.methods.push(method(task, precondition, subtasks));
    };
    let actions = 4;
    push(0, Condition::default(), vec![Node::Task(1)]);
    for task in 1..tasks {
        for _ in 0..if task == 1 { 3 } else { 1 } + dice.roll(3) {
            let mut subtasks: Vec<Node> = (0..dice.roll(3))
                .map(|_| match dice.roll(2) {
                    0 if task + 1 < tasks => {
                        let below = task + 1 + dice.roll(tasks - task - 1);
                        Node::Task(below as TaskIndex)
                    }
                    _ => Node::Action(dice.roll(actions) as u32),
                })
                .collect();
            if task == 1 {
                subtasks.push(Node::Task(1));
            }
            push(task as TaskIndex, condition(&mut dice, facts), subtasks);
        }
    }
    push(1, Condition::default(), vec![]);
    ground
}

#[test]
fn laps_find_a_plan_where_there_is_one_and_prove_it_where_there_is_none() {
    let (mut planned, mut refuted) = (0, 0);
    for seed in 0..40_000 {
        let ground = random_loop(seed);
        let Some(body) = Body::of(&ground, 0, &mut Run::default()).unwrap() else {
            continue;
        };
        let expected = exists(&ground, 40).expect("loops do not grow");
        let mut run = Run::default().with_budget(Budget {
            nodes: Some(100_000),
            ..Budget::default()
        });
        let found = search(&ground, &body, &mut run).expect("small enough");
        assert_eq!(found.is_some(), expected, "seed {seed}");
        match found {
            Some(derivation) => {
                check(&ground, &derivation);
                planned += usize::from(!derivation.steps.is_empty());
            }
            None => refuted += 1,
        }
    }
    assert!(planned > 50 && refuted > 50, "{planned} {refuted}");
}

/// A loop (task 1) of these actions and methods.
fn loop_of(actions: Vec<GroundAction>, methods: Vec<(TaskIndex, Vec<Node>)>) -> Ground {
    let tasks = methods.iter().map(|it| it.0 as usize + 1).max();
    let task = |task| GroundTask {
        schema: None,
        arguments: [].into(),
        methods: (0..methods.len() as MethodIndex)
            .filter(|&it| methods[it as usize].0 == task)
            .collect(),
    };
    Ground {
        facts: (0..actions.len() as u32).map(GroundFact::Helper).collect(),
        actions,
        tasks: (0..tasks.unwrap_or(0) as TaskIndex).map(task).collect(),
        methods: methods
            .iter()
            .map(|(task, subtasks)| method(*task, Condition::default(), subtasks.clone()))
            .collect(),
        ordered: true,
        root: Some(0),
        ..Ground::default()
    }
}

#[test]
fn parts_that_touch_the_same_are_no_lap() {
    let is_told = |second| {
        let actions = vec![change(0, true), change(1, true), change(0, false)];
        let body = vec![Node::Action(0), Node::Action(second), Node::Task(1)];
        let methods = vec![(0, vec![Node::Task(1)]), (1, body), (1, vec![])];
        let ground = loop_of(actions, methods);
        let body = Body::of(&ground, 0, &mut Run::default()).unwrap();
        body.is_some()
    };
    assert!(is_told(1), "they change different facts");
    assert!(!is_told(2), "they change the same fact");
}

/// Once, nothing solved such problems from a few thousand ways on.
#[test]
fn a_loop_whose_laps_go_a_million_ways_takes_few_nodes() {
    let switches = 20;
    let actions = (0..switches).map(|it| change(it, true)).collect();
    let mut methods = vec![(0, vec![Node::Task(1)]), (1, vec![])];
    for switch in 0..switches {
        methods.push((2 + switch, vec![Node::Action(switch)]));
        methods.push((2 + switch, vec![]));
    }
    let all = (0..switches).map(|it| Node::Task(2 + it));
    methods.push((1, all.chain([Node::Task(1)]).collect()));
    let mut ground = loop_of(actions, methods);
    ground.goal.positive = (0..switches).collect();
    let mut run = Run::default().with_nodes(100);
    let instance = crate::Instance::new(ground);
    let outcome = SatPlan::Layered.solve(&instance, &mut run).unwrap();
    assert_eq!(outcome.answers[0].steps.len(), switches as usize);
}
