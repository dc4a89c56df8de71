//! Dijkstra's algorithm over states, and over states with lists of tasks.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::Truth;
use super::world::{Item, State, World};
use crate::problem::Amount;

/// Lists of tasks longer than this are not followed.
const LONG: usize = 60;

/// A problem without tasks.
pub(super) fn classical(world: &World<'_>, effort: usize) -> Truth {
    let next = |state: &State| {
        let actions = 0..world.actions.len();
        let steps = actions.filter_map(|action| {
            let after = world.step(action, *state)?;
            Some((world.price(action), after))
        });
        (steps.collect(), false)
    };
    dijkstra(world.initial(), effort, next, |state| world.is_goal(*state))
}

/// A totally ordered problem. What comes next stands last in the list.
pub(super) fn ordered(world: &World<'_>, effort: usize) -> Truth {
    let next = |(state, todo): &(State, Vec<Item>)| {
        let Some((item, rest)) = todo.split_last() else {
            return (vec![], false);
        };
        match *item {
            Item::Action(action) => {
                let after = world.step(action, *state);
                let step = after.map(|after| (world.price(action), (after, rest.to_vec())));
                (step.into_iter().collect(), false)
            }
            Item::Task(task) => {
                let ways = world.tasks[task].iter();
                let ways = ways.filter(|way| world.fits(way, *state));
                let lists = ways.map(|way| {
                    let subtasks = way.subtasks.iter().rev();
                    rest.iter().chain(subtasks).copied().collect::<Vec<_>>()
                });
                let (short, long): (Vec<_>, Vec<_>) = lists.partition(|it| it.len() <= LONG);
                let nodes = short.into_iter().map(|list| (Amount(0), (*state, list)));
                (nodes.collect(), !long.is_empty())
            }
        }
    };
    let start = (world.initial(), vec![Item::Task(0)]);
    dijkstra(start, effort, next, |(state, todo)| {
        todo.is_empty() && world.is_goal(*state)
    })
}

/// `next` gives what follows a node, and says if it left something out.
fn dijkstra<N: Clone + Eq + Ord + std::hash::Hash>(
    start: N,
    effort: usize,
    next: impl Fn(&N) -> (Vec<(Amount, N)>, bool),
    is_goal: impl Fn(&N) -> bool,
) -> Truth {
    let mut best = HashMap::from([(start.clone(), Amount(0))]);
    let mut open = BinaryHeap::from([Reverse((Amount(0), start))]);
    let mut complete = true;
    let mut seen = 0;
    while let Some(Reverse((cost, node))) = open.pop() {
        if best[&node] < cost {
            continue;
        }
        if is_goal(&node) {
            return Truth {
                exists: Some(true),
                cheapest: complete.then_some(cost),
            };
        }
        seen += 1;
        if seen > effort {
            return Truth::default();
        }
        let (steps, left_out) = next(&node);
        complete &= !left_out;
        for (price, after) in steps {
            let cost = cost + price;
            if best.get(&after).is_none_or(|&known| cost < known) {
                best.insert(after.clone(), cost);
                open.push(Reverse((cost, after)));
            }
        }
    }
    match complete {
        true => Truth::NONE,
        false => Truth::default(),
    }
}
