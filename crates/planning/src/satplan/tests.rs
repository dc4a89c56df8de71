//! Held against a search that tries everything, on problems small enough.

use std::collections::HashSet;

use planoku_engine::{Budget, End, Engine, Run, Stop};

use super::*;
use crate::ground::{
    Condition, ConditionalEffect, GroundAction, GroundFact, GroundMethod, GroundTask, Node,
};

/// A small generator of repeatable random numbers (SplitMix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }

    fn some_facts(&mut self, facts: usize, chance: usize) -> Vec<u32> {
        (0..facts as u32)
            .filter(|_| self.roll(chance) == 0)
            .collect()
    }

    fn condition(&mut self, facts: usize) -> Condition {
        let positive = self.some_facts(facts, 5);
        let mut negative = self.some_facts(facts, 7);
        negative.retain(|fact| !positive.contains(fact));
        Condition { positive, negative }
    }
}

fn random(seed: u64, hierarchical: bool) -> Ground {
    let mut dice = Dice(seed);
    let facts = 3 + dice.roll(3);
    let actions = (0..3 + dice.roll(3)).map(|_| GroundAction {
        schema: None,
        arguments: [].into(),
        precondition: dice.condition(facts),
        add: dice.some_facts(facts, 3),
        delete: dice.some_facts(facts, 4),
        conditional: if dice.roll(3) == 0 {
            vec![ConditionalEffect {
                condition: dice.condition(facts),
                add: dice.some_facts(facts, 3),
                delete: dice.some_facts(facts, 4),
            }]
        } else {
            vec![]
        },
        cost: crate::cost::Cost::ONE,
    });
    let mut ground = Ground {
        actions: actions.collect(),
        facts: (0..facts as u32).map(GroundFact::Helper).collect(),
        ordered: true,
        ..Ground::default()
    };
    ground.init = dice.some_facts(facts, 2);
    ground.goal = dice.condition(facts);
    if hierarchical {
        let tasks = 2 + dice.roll(3);
        for task in 0..tasks as u32 {
            ground.tasks.push(GroundTask {
                schema: None,
                arguments: [].into(),
                methods: vec![],
            });
            let tail_recursive = dice.roll(3) == 0;
            for _ in 0..1 + dice.roll(3) {
                let mut subtasks: Vec<Node> = (0..dice.roll(4))
                    .map(|_| match dice.roll(3) {
                        0 => Node::Task(dice.roll(tasks) as u32),
                        _ => Node::Action(dice.roll(ground.actions.len()) as u32),
                    })
                    .collect();
                if tail_recursive && dice.roll(2) == 0 {
                    subtasks.retain(|node| matches!(node, Node::Action(_)));
                    subtasks.push(Node::Task(task));
                }
                ground.tasks[task as usize]
                    .methods
                    .push(ground.methods.len() as u32);
                let places = (0..subtasks.len() as u32).collect();
                let ordering = (1..subtasks.len() as u32).map(|n| (n - 1, n)).collect();
                let precondition = dice.condition(facts);
                ground.methods.push(GroundMethod {
                    schema: None,
                    arguments: [].into(),
                    task,
                    precondition,
                    subtasks,
                    places,
                    ordering,
                });
            }
        }
        ground.root = Some(0);
    }
    ground
}

type State = u64;

fn holds(condition: &Condition, state: State) -> bool {
    condition.positive.iter().all(|f| state >> f & 1 == 1)
        && condition.negative.iter().all(|f| state >> f & 1 == 0)
}

fn apply(action: &GroundAction, state: State) -> State {
    let firing = action
        .conditional
        .iter()
        .filter(|effect| holds(&effect.condition, state));
    let bits = |facts: &[u32]| facts.iter().fold(0, |bits, f| bits | 1 << f);
    let (add, delete) = firing.fold(
        (bits(&action.add), bits(&action.delete)),
        |(add, delete), effect| (add | bits(&effect.add), delete | bits(&effect.delete)),
    );
    state & !delete | add
}

fn start(ground: &Ground) -> State {
    ground.init.iter().fold(0, |state, f| state | 1 << f)
}

/// Tries everything with at most `longest` tasks waiting. `Some` if decided.
pub(super) fn exists(ground: &Ground, longest: usize) -> Option<bool> {
    let mut seen = HashSet::new();
    let mut cut = false;
    let tasks: Vec<Node> = ground.root.map(Node::Task).into_iter().collect();
    let mut open = vec![(start(ground), tasks)];
    while let Some((state, tasks)) = open.pop() {
        if tasks.len() > longest {
            cut = true;
            continue;
        }
        if !seen.insert((state, tasks.clone())) {
            continue;
        }
        // Tasks wait in reverse: the next one is last.
        match tasks.split_last() {
            None if holds(&ground.goal, state) => return Some(true),
            None if ground.root.is_none() => {
                for action in ground
                    .actions
                    .iter()
                    .filter(|a| holds(&a.precondition, state))
                {
                    open.push((apply(action, state), vec![]));
                }
            }
            None => {}
            Some((Node::Action(action), rest)) => {
                let action = &ground.actions[*action as usize];
                if holds(&action.precondition, state) {
                    open.push((apply(action, state), rest.to_vec()));
                }
            }
            Some((Node::Task(task), rest)) => {
                for method in &ground.tasks[*task as usize].methods {
                    let method = &ground.methods[*method as usize];
                    if holds(&method.precondition, state) {
                        let mut tasks = rest.to_vec();
                        tasks.extend(method.subtasks.iter().rev());
                        open.push((state, tasks));
                    }
                }
            }
        }
    }
    if cut { None } else { Some(false) }
}

/// Replays a derivation, method by method.
pub(super) fn check(ground: &Ground, derivation: &Derivation) {
    let mut state = start(ground);
    let mut steps = derivation.steps.iter();
    if let Some(root) = ground.root {
        let top = &derivation.refinements[0];
        assert_eq!(ground.methods[top.method as usize].task, root);
        replay(
            ground,
            derivation,
            Node::Task(root),
            top.node,
            &mut steps,
            &mut state,
        );
    } else {
        for (_, action) in steps.by_ref() {
            let action = &ground.actions[*action as usize];
            assert!(holds(&action.precondition, state));
            state = apply(action, state);
        }
    }
    assert!(steps.next().is_none(), "steps that nothing asked for");
    assert!(holds(&ground.goal, state));
}

fn replay(
    ground: &Ground,
    derivation: &Derivation,
    what: Node,
    node: u32,
    steps: &mut std::slice::Iter<'_, (u32, u32)>,
    state: &mut State,
) {
    match what {
        Node::Action(action) => {
            assert_eq!(steps.next(), Some(&(node, action)));
            let action = &ground.actions[action as usize];
            assert!(holds(&action.precondition, *state));
            *state = apply(action, *state);
        }
        Node::Task(task) => {
            let refinement = derivation
                .refinements
                .iter()
                .find(|r| r.node == node)
                .unwrap();
            let method = &ground.methods[refinement.method as usize];
            assert_eq!(method.task, task);
            assert!(holds(&method.precondition, *state));
            assert_eq!(method.subtasks.len(), refinement.children.len());
            for (what, node) in method.subtasks.iter().zip(&refinement.children) {
                replay(ground, derivation, *what, *node, steps, state);
            }
        }
    }
}

/// Counts plans, proofs that there is none, and searches cut short.
fn compare(
    engine: &dyn Engine<Instance, Answer = Derivation>,
    seeds: std::ops::Range<u64>,
    hierarchical: bool,
) -> [usize; 3] {
    let mut found = [0, 0, 0];
    for seed in seeds {
        let ground = Instance::new(random(seed, hierarchical));
        let outcome = engine
            .solve(&ground, &mut Run::limit(1).with_nodes(250))
            .unwrap();
        let truth = exists(&ground, 9);
        match outcome.end {
            End::Enough => {
                check(&ground, &outcome.answers[0]);
                assert_ne!(truth, Some(false), "seed {seed}");
                found[0] += 1;
            }
            End::Exhausted => {
                assert_ne!(truth, Some(true), "seed {seed}: claims there is no plan");
                found[1] += 1;
            }
            _ => {
                // Deep recursion may need more layers than the budget allows.
                assert_ne!(truth, Some(true), "seed {seed}: {:?}", outcome.end);
                found[2] += 1;
            }
        }
    }
    found
}

#[test]
fn random_hierarchical_problems_agree_with_trying_everything() {
    let [plans, proofs, _] = compare(&SatPlan::Layered, 0..1500, true);
    assert!(
        plans > 200 && proofs > 200,
        "a one-sided sample: {plans} plans, {proofs} proofs"
    );
}

#[test]
fn refining_only_where_abstract_plans_go_loses_no_plan() {
    let [plans, proofs, _] = compare(&SatPlan::Selective, 0..800, true);
    assert!(
        plans > 100 && proofs > 100,
        "a one-sided sample: {plans} plans, {proofs} proofs"
    );
}

/// The problem with a twin of every action and every task; who calls whom is
/// diced.
fn with_twins(ground: &Ground, dice: &mut Dice) -> Ground {
    let mut twins = ground.clone();
    twins.actions.extend(ground.actions.iter().cloned());
    let (actions, tasks) = (ground.actions.len() as u32, ground.tasks.len() as u32);
    twins
        .tasks
        .extend(ground.tasks.iter().map(|task| GroundTask {
            methods: vec![],
            ..task.clone()
        }));
    for method in &ground.methods {
        let task = method.task + tasks;
        let number = twins.methods.len() as u32;
        twins.tasks[task as usize].methods.push(number);
        twins.methods.push(GroundMethod {
            task,
            ..method.clone()
        });
    }
    for node in twins.methods.iter_mut().flat_map(|it| &mut it.subtasks) {
        let twin = dice.roll(2) as u32;
        *node = match *node {
            Node::Action(action) => Node::Action(action + actions * twin),
            Node::Task(task) => Node::Task(task + tasks * twin),
        };
    }
    twins
}

#[test]
fn twins_are_merged_and_plans_are_told_in_the_words_of_all() {
    let mut plans = 0;
    for seed in 0..400 {
        let hierarchical = seed % 4 != 0;
        let single = Instance::new(random(seed, hierarchical));
        let twins = Instance::new(with_twins(&single, &mut Dice(seed)));
        let mut run = Run::limit(1).with_nodes(250);
        // Twins in circles of their own stay two: then it may not pay.
        let Some(merged) = twins.merged(&mut run).unwrap() else {
            continue;
        };
        assert!(merged.instance.actions.len() <= single.actions.len());
        let solve = |problem, run| SatPlan::Layered.solve(problem, run).unwrap();
        let outcome = solve(&merged.instance, &mut run);
        let other = solve(&single, &mut Run::limit(1).with_nodes(250));
        let ends = [outcome.end, other.end];
        let decided = ends.iter().all(|end| !matches!(end, End::Stopped(_)));
        assert!(!decided || ends[0] == ends[1], "seed {seed}: {ends:?}");
        for found in outcome.answers {
            check(&twins, &merged.restore(&twins, found));
            plans += 1;
        }
    }
    assert!(plans > 100, "a one-sided sample: {plans} plans");
}

#[test]
fn a_wide_tree_is_refined_only_where_an_abstract_plan_goes() {
    // A deep task, and beside it one that may be done at once or twice over.
    let mut ground = Ground {
        facts: vec![GroundFact::Helper(0)],
        ordered: true,
        root: Some(0),
        ..Ground::default()
    };
    let action = |add: Vec<u32>, positive: Vec<u32>| GroundAction {
        schema: None,
        arguments: [].into(),
        precondition: Condition {
            positive,
            negative: vec![],
        },
        add,
        delete: vec![],
        conditional: vec![],
        cost: crate::cost::Cost::ONE,
    };
    // Fact 0 never holds, so that only the first action is ever executed.
    ground.actions = vec![action(vec![], vec![]), action(vec![], vec![0])];
    let task = |ground: &mut Ground, ways: Vec<Vec<Node>>| {
        let index = ground.tasks.len() as u32;
        let methods = (0..ways.len()).map(|way| (ground.methods.len() + way) as u32);
        ground.tasks.push(GroundTask {
            schema: None,
            arguments: [].into(),
            methods: methods.collect(),
        });
        for subtasks in ways {
            ground.methods.push(GroundMethod {
                schema: None,
                arguments: [].into(),
                task: index,
                precondition: Condition::default(),
                ordering: (1..subtasks.len() as u32).map(|it| (it - 1, it)).collect(),
                places: (0..subtasks.len() as u32).collect(),
                subtasks,
            });
        }
    };
    const DEEP: u32 = 8;
    let wide = Node::Task(DEEP + 1);
    task(&mut ground, vec![vec![Node::Task(1), wide]]);
    for it in 1..=DEEP {
        let next = match it == DEEP {
            true => Node::Action(0),
            false => Node::Task(it + 1),
        };
        task(
            &mut ground,
            vec![vec![Node::Action(1)], vec![next, Node::Action(0)]],
        );
    }
    task(&mut ground, vec![vec![Node::Action(0)], vec![wide, wide]]);
    let ground = Instance::new(ground);
    let nodes = |engine: &dyn Engine<Instance, Answer = Derivation>| {
        let outcome = engine.solve(&ground, &mut Run::limit(1)).unwrap();
        check(&ground, &outcome.answers[0]);
        outcome.stats.nodes
    };
    let (selective, whole) = (nodes(&SatPlan::Selective), nodes(&SatPlan::Layered));
    assert!(2 * selective < whole, "{selective} against {whole}");
}

#[test]
fn random_classical_problems_agree_with_trying_everything() {
    let [plans, _, _] = compare(&SatPlan::Layered, 0..800, false);
    assert!(plans > 200, "a one-sided sample: {plans} plans");
}

#[test]
fn no_plan_of_this_depth_comes_with_a_proof_that_is_checked() {
    let (mut proved, mut found) = (0, 0);
    for seed in 0..60 {
        let ground = Instance::new(random(seed, true));
        let outcome = SatPlan::Layered
            .solve(&ground, &mut Run::limit(1).with_nodes(100))
            .unwrap();
        let depth = outcome.stats.get("depth");
        match refute(&ground, depth, &mut Run::limit(1)).unwrap() {
            Some((cnf, proof)) => {
                assert!(outcome.answers.is_empty(), "seed {seed}: there is a plan");
                assert!(cnf.clauses().count() > 0 && !proof.is_empty());
                proved += 1;
            }
            None => {
                assert_ne!(outcome.end, End::Exhausted, "seed {seed}: there is no plan");
                found += 1;
            }
        }
    }
    assert!(
        proved > 5 && found > 5,
        "a one-sided sample: {proved} and {found}"
    );
}

#[test]
fn limits_are_heard_within_one_wide_step() {
    let facts = 20_000;
    let action = |fact: u32| GroundAction {
        schema: None,
        arguments: [].into(),
        precondition: Condition::default(),
        add: vec![fact],
        delete: vec![],
        conditional: vec![],
        cost: crate::cost::Cost::ONE,
    };
    let ground = Instance::new(Ground {
        facts: (0..facts).map(GroundFact::Helper).collect(),
        actions: (0..facts).map(action).collect(),
        goal: Condition {
            positive: vec![0],
            negative: vec![],
        },
        ..Ground::default()
    });
    let end = |memory| {
        let mut run = Run::limit(1).with_budget(Budget {
            memory: Some(memory),
            ..Budget::default()
        });
        SatPlan::Layered.solve(&ground, &mut run).unwrap().end
    };
    assert_eq!(end(1 << 30), End::Enough);
    assert_eq!(end(1 << 20), End::Stopped(Stop::Memory));
}
