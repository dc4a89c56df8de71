//! Partial order made total: each method's subtasks in one promising order.
//!
//! Any plan of a problem whose methods have been ordered further is a plan of
//! the original, so ordering is safe, though it may order all plans away. The
//! order is guessed from causes: what may add a fact another subtask needs
//! goes before it, what may delete it goes after. Wu, Lin, Höller, Bercher,
//! Behnke and Alford ("Finding solution preserving linearizations for
//! partially ordered hierarchical planning problems", 2022) study when this
//! preserves solutions; here it is a guess that complete search backs up.

use planoku_engine::{Run, Stop};

use crate::ground::{Ground, GroundMethod, Node};

use crate::analysis::infer::{Inference, components, include, include_effects};
use crate::state::states::set;
use crate::state::world::World;

/// The problem with every method totally ordered, and for each method where
/// its subtasks stood before.
pub(crate) fn linearise(
    world: &World,
    inference: &Inference,
    run: &mut Run<'_>,
) -> Result<(Ground, Vec<Vec<usize>>), Stop> {
    let ground = &world.ground;
    run.effort(ground.size())?;
    let wants = Wants::new(world, run)?;
    let mut ordered = ground.clone();
    ordered.ordered = true;
    let mut orders = Vec::with_capacity(ground.methods.len());
    for method in &mut ordered.methods {
        run.effort(1 + method.subtasks.len() as u64)?;
        let order = arrange(world, inference, &wants, method, run)?;
        let nodes = order.iter().map(|&place| method.subtasks[place]).collect();
        let places = order.iter().map(|&place| method.places.get(place).copied());
        method.places = places.map(|place| place.unwrap_or(0)).collect();
        method.subtasks = nodes;
        method.ordering = (1..order.len() as u32).map(|it| (it - 1, it)).collect();
        orders.push(order);
    }
    Ok((ordered, orders))
}

/// For each task, the facts some refinement may need.
struct Wants {
    tasks: Vec<Vec<u64>>,
    actions: Vec<Vec<u32>>,
}

impl Wants {
    fn new(world: &World, run: &mut Run<'_>) -> Result<Wants, Stop> {
        let ground = &world.ground;
        let words = world.words;
        run.check_growth(ground.tasks.len() as u64 * words as u64 * 8)?;
        let mut wants = Wants {
            tasks: vec![vec![]; ground.tasks.len()],
            actions: ground
                .actions
                .iter()
                .map(|action| action.precondition.positive.clone())
                .collect(),
        };
        // Tasks that lead to one another want the same, and what a task leads
        // to is known before it.
        for component in components(world) {
            let mut all = vec![0; words];
            let methods = component
                .iter()
                .flat_map(|&task| &ground.tasks[task as usize].methods);
            for &method in methods {
                let method = &ground.methods[method as usize];
                for &fact in &method.precondition.positive {
                    set(&mut all, fact);
                }
                for &node in &method.subtasks {
                    run.effort(1 + words as u64 / 16)?;
                    match node {
                        Node::Action(action) => wants.actions[action as usize]
                            .iter()
                            .for_each(|&fact| set(&mut all, fact)),
                        // Empty within the component.
                        Node::Task(task) => {
                            include(&mut all, &wants.tasks[task as usize]);
                        }
                    }
                }
            }
            for task in component {
                wants.tasks[task as usize].clone_from(&all);
            }
        }
        Ok(wants)
    }
}

/// An order of a method's subtasks that keeps its own and follows causes.
fn arrange(
    world: &World,
    inference: &Inference,
    wants: &Wants,
    method: &GroundMethod,
    run: &mut Run<'_>,
) -> Result<Vec<usize>, Stop> {
    let count = method.subtasks.len();
    let steps = method.ordering.iter().filter(|(a, b)| a + 1 == *b).count();
    if steps + 1 >= count || count > 200 {
        return Ok(crate::graph::arrange(count, &method.ordering, |_| 0));
    }
    let mut before = vec![vec![false; count]; count];
    for &(first, second) in &method.ordering {
        before[first as usize][second as usize] = true;
    }
    let profile = |node: Node| {
        let mut add = vec![0; world.words];
        let mut delete = vec![0; world.words];
        let mut want = vec![0; world.words];
        match node {
            Node::Action(action) => {
                include_effects(world, action, &mut add, &mut delete);
                for &fact in &wants.actions[action as usize] {
                    set(&mut want, fact);
                }
            }
            Node::Task(task) => {
                add.copy_from_slice(inference.may_add(task));
                delete.copy_from_slice(inference.may_delete(task));
                want.copy_from_slice(&wants.tasks[task as usize]);
            }
        }
        (add, delete, want)
    };
    let profiles: Vec<_> = method.subtasks.iter().map(|&node| profile(node)).collect();
    let overlap = |left: &[u64], right: &[u64]| {
        let both = left.iter().zip(right).map(|(a, b)| (a & b).count_ones());
        both.sum::<u32>() as i64
    };
    // How much speaks for the first before the second: it helps the second,
    // and would suffer from it.
    let favour = |first: usize, second: usize| {
        let (add, _, want) = &profiles[first];
        let (_, later_delete, later_want) = &profiles[second];
        2 * overlap(add, later_want) + overlap(later_delete, want)
    };
    let mut order = Vec::with_capacity(count);
    let mut left: Vec<usize> = (0..count).collect();
    while !left.is_empty() {
        run.effort((left.len() * left.len()) as u64 * (1 + world.words as u64 / 16))?;
        let ready = |&place: &usize| left.iter().all(|&other| !before[other][place]);
        let score = |place: usize| -> i64 {
            let others = left.iter().filter(|&&other| other != place);
            others
                .map(|&other| favour(place, other) - favour(other, place))
                .sum()
        };
        let best = left
            .iter()
            .copied()
            .filter(ready)
            .max_by_key(|&place| (score(place), std::cmp::Reverse(place)))
            .unwrap_or(left[0]);
        left.retain(|&place| place != best);
        order.push(best);
    }
    Ok(order)
}
