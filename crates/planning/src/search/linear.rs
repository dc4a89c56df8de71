//! Partial order made total: each method's subtasks in one promising order.
//!
//! Any plan of a problem whose methods have been ordered further is a plan of
//! the original, so ordering is safe, though it may order all plans away. The
//! order is guessed from causes: what may add a fact another subtask needs
//! goes before it, what may delete it goes after. Wu, Lin, Höller, Bercher,
//! Behnke and Alford ("Finding solution preserving linearizations for
//! partially ordered hierarchical planning problems", 2022) study when this
//! preserves solutions; here it is a guess that complete search backs up.

use planoku_engine::{End, Ended, Engine, EngineError, Profile, Run, Sink};

use crate::ground::{Derivation, Ground, GroundMethod, Node};

use super::infer::{Inference, include_effects};
use super::world::World;

/// Orders a partially ordered problem and hands it to another engine.
#[derive(Clone, Debug)]
pub struct Linear<E> {
    /// The name it goes by.
    pub name: &'static str,
    /// The engine for totally ordered problems.
    pub engine: E,
}

impl<E: Engine<Ground, Answer = Derivation>> Engine<Ground> for Linear<E> {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            self.name,
            "orders subtasks by cause and effect, then searches in total order",
        )
    }

    fn solve_into(
        &self,
        ground: &Ground,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let (ordered, orders) = linearise(ground);
        let mut restore = |mut found: Derivation| {
            for refinement in &mut found.refinements {
                let order = &orders[refinement.method as usize];
                let mut children = vec![0; order.len()];
                for (&place, &child) in order.iter().zip(&refinement.children) {
                    children[place] = child;
                }
                refinement.children = children;
            }
            sink(found)
        };
        let mut ended = self.engine.solve_into(&ordered, run, &mut restore)?;
        if ended.end == End::Exhausted && !ground.ordered {
            ended.end = End::Incomplete;
        }
        Ok(ended)
    }
}

/// The problem with every method totally ordered, and for each method where
/// its subtasks stood before.
pub(crate) fn linearise(ground: &Ground) -> (Ground, Vec<Vec<usize>>) {
    let world = World::new(ground);
    let inference = Inference::new(&world);
    let wants = Wants::new(ground);
    let mut ordered = ground.clone();
    ordered.ordered = true;
    let mut orders = Vec::with_capacity(ground.methods.len());
    for method in &mut ordered.methods {
        let order = arrange(&world, &inference, &wants, method);
        let nodes = order.iter().map(|&place| method.subtasks[place]).collect();
        let places = order.iter().map(|&place| method.places.get(place).copied());
        method.places = places.map(|place| place.unwrap_or(0)).collect();
        method.subtasks = nodes;
        method.ordering = (1..order.len() as u32).map(|it| (it - 1, it)).collect();
        orders.push(order);
    }
    (ordered, orders)
}

/// For each task, the facts some refinement may need.
struct Wants {
    tasks: Vec<Vec<u64>>,
    actions: Vec<Vec<u32>>,
}

impl Wants {
    fn new(ground: &Ground) -> Wants {
        let words = ground.facts.len().div_ceil(64).max(1);
        let mut wants = Wants {
            tasks: vec![vec![0; words]; ground.tasks.len()],
            actions: ground
                .actions
                .iter()
                .map(|action| action.precondition.positive.clone())
                .collect(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for method in &ground.methods {
                let mut all = wants.tasks[method.task as usize].clone();
                for &fact in &method.precondition.positive {
                    super::states::set(&mut all, fact);
                }
                for &node in &method.subtasks {
                    match node {
                        Node::Action(action) => wants.actions[action as usize]
                            .iter()
                            .for_each(|&fact| super::states::set(&mut all, fact)),
                        Node::Task(task) => {
                            super::infer::include(&mut all, &wants.tasks[task as usize]);
                        }
                    }
                }
                if all != wants.tasks[method.task as usize] {
                    wants.tasks[method.task as usize] = all;
                    changed = true;
                }
            }
        }
        wants
    }
}

/// An order of a method's subtasks that keeps its own and follows causes.
fn arrange(
    world: &World<'_>,
    inference: &Inference,
    wants: &Wants,
    method: &GroundMethod,
) -> Vec<usize> {
    let count = method.subtasks.len();
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
                    super::states::set(&mut want, fact);
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
    let total = (1..count).all(|place| before[place - 1][place]);
    if total || count > 200 {
        return super::lifted::arrange(count, &method.ordering);
    }
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
    order
}
