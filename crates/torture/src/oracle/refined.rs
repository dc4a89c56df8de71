//! Partially ordered problems: every decomposition written out, and every
//! order of it tried.
//!
//! A decomposition is a set of events: actions, and the begin of each method.
//! A method begins after all that is ordered before its task, before all that
//! is below it, and where its condition holds. If there are actions below it,
//! the next action after its begin is one of them: the condition holds right
//! before the first action of the refinement.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::Truth;
use super::world::{Item, State, World};
use crate::problem::Amount;

/// Decompositions with more events than this are not looked at.
const EVENTS: usize = 20;
/// More decompositions of one task than this are not looked at.
const WAYS: usize = 300;
/// More tasks and combinations than this are not looked at altogether: tasks
/// that occur in many places multiply.
const LOOKS: usize = 100_000;

#[derive(Clone, Copy)]
enum Event {
    Action(usize),
    /// The begin of `tasks[0]`, done by way `1`.
    Begin(usize, usize),
}

/// A decomposition. Sets of events are bits.
#[derive(Clone, Default)]
struct Refined {
    events: Vec<Event>,
    /// Per event: those that come before.
    before: Vec<u32>,
    /// Per event, if it is a begin: all events below it.
    below: Vec<u32>,
}

impl Refined {
    fn append(&mut self, other: &Refined) {
        let by = self.events.len();
        self.events.extend(&other.events);
        self.before.extend(other.before.iter().map(|set| set << by));
        self.below.extend(other.below.iter().map(|set| set << by));
    }
}

pub(super) fn truth(world: &World<'_>, effort: usize) -> Truth {
    let mut bounds = Bounds {
        complete: true,
        looks: LOOKS,
    };
    let all = refinements(world, Item::Task(0), &mut Vec::new(), &mut bounds);
    let mut complete = bounds.complete;
    let mut left = effort;
    let mut best: Option<Amount> = None;
    for refined in &all {
        match cheapest(world, refined, &mut left) {
            None => complete = false,
            Some(None) => {}
            Some(Some(cost)) => best = Some(best.map_or(cost, |best| best.min(cost))),
        }
    }
    match best {
        Some(cost) => Truth {
            exists: Some(true),
            cheapest: complete.then_some(cost),
        },
        None if complete => Truth::NONE,
        None => Truth::default(),
    }
}

/// True if some decomposition leads to exactly these actions; `None` if that is
/// too much to find out.
pub(super) fn leads_to(world: &World<'_>, actions: &[usize], effort: usize) -> Option<bool> {
    let mut bounds = Bounds {
        complete: true,
        looks: LOOKS,
    };
    let all = refinements(world, Item::Task(0), &mut Vec::new(), &mut bounds);
    let mut states = vec![world.initial()];
    for &action in actions {
        match world.step(action, states[states.len() - 1]) {
            Some(after) => states.push(after),
            None => return Some(false),
        }
    }
    if !world.is_goal(states[actions.len()]) {
        return Some(false);
    }
    let mut left = effort;
    let mut complete = bounds.complete;
    for refined in &all {
        match follows(world, refined, actions, &states, &mut left) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => complete = false,
        }
    }
    complete.then_some(false)
}

/// True if the events of a decomposition can happen so that its actions are
/// these, in their order.
fn follows(
    world: &World<'_>,
    refined: &Refined,
    actions: &[usize],
    states: &[State],
    left: &mut usize,
) -> Option<bool> {
    let count = refined.events.len();
    let is_action = |event: usize| matches!(refined.events[event], Event::Action(_));
    if (0..count).filter(|&event| is_action(event)).count() != actions.len() {
        return Some(false);
    }
    let mut open = vec![0u32];
    let mut seen = std::collections::HashSet::from([0u32]);
    while let Some(done) = open.pop() {
        if done == ones(0, count) {
            return Some(true);
        }
        *left = left.checked_sub(1)?;
        let happened = |event: usize| done & (1 << event) != 0;
        let at = (0..count)
            .filter(|&it| happened(it) && is_action(it))
            .count();
        for event in (0..count).filter(|&it| !happened(it) && refined.before[it] & !done == 0) {
            let possible = match refined.events[event] {
                Event::Begin(task, way) => world.fits(&world.tasks[task][way], states[at]),
                // Whatever has begun, and has not acted though it will, acts first.
                Event::Action(action) => {
                    let waits = (0..count).any(|begin| {
                        let below = |it: usize| refined.below[begin] & (1 << it) != 0;
                        let acts = (0..count).any(|it| below(it) && is_action(it));
                        let acted = (0..count).any(|it| below(it) && is_action(it) && happened(it));
                        happened(begin) && acts && !acted && !below(event)
                    });
                    actions[at] == action && !waits
                }
            };
            if possible && seen.insert(done | 1 << event) {
                open.push(done | 1 << event);
            }
        }
    }
    Some(false)
}

/// How far writing out has come.
struct Bounds {
    /// Nothing was left out.
    complete: bool,
    /// What may still be looked at.
    looks: usize,
}

impl Bounds {
    /// False if nothing may be looked at any more.
    fn look(&mut self) -> bool {
        let may = self.looks > 0;
        self.looks = self.looks.saturating_sub(1);
        may
    }
}

/// Every way to carry something out, as far as the bounds allow.
fn refinements(
    world: &World<'_>,
    item: Item,
    above: &mut Vec<usize>,
    bounds: &mut Bounds,
) -> Vec<Refined> {
    let task = match item {
        Item::Action(action) => {
            return vec![Refined {
                events: vec![Event::Action(action)],
                before: vec![0],
                below: vec![0],
            }];
        }
        Item::Task(task) => task,
    };
    // A task below itself twice is recursion gone too far.
    if above.iter().filter(|&&it| it == task).count() > 2 || !bounds.look() {
        bounds.complete = false;
        return vec![];
    }
    above.push(task);
    let mut all = Vec::new();
    for (number, way) in world.tasks[task].iter().enumerate() {
        let begin = Refined {
            events: vec![Event::Begin(task, number)],
            before: vec![0],
            below: vec![0],
        };
        // With the events of each subtask so far.
        let mut partial = vec![(begin, Vec::<u32>::new())];
        for &subtask in &way.subtasks {
            let ways = refinements(world, subtask, above, bounds);
            let mut next = Vec::new();
            for (whole, sets) in &partial {
                for way in &ways {
                    let size = whole.events.len();
                    let fits = size + way.events.len() <= EVENTS && next.len() < WAYS;
                    if !bounds.look() || !fits {
                        bounds.complete = false;
                        continue;
                    }
                    let (mut whole, mut sets) = (whole.clone(), sets.clone());
                    whole.append(way);
                    sets.push(ones(size, whole.events.len()));
                    next.push((whole, sets));
                }
            }
            partial = next;
        }
        for (mut whole, sets) in partial {
            let count = whole.events.len();
            whole.below[0] = ones(1, count);
            whole.before[1..].iter_mut().for_each(|set| *set |= 1);
            for &(a, b) in &way.order {
                for event in 0..count {
                    if sets[b] & (1 << event) != 0 {
                        whole.before[event] |= sets[a];
                    }
                }
            }
            all.push(whole);
        }
    }
    above.pop();
    if all.len() > WAYS {
        bounds.complete = false;
        all.truncate(WAYS);
    }
    all
}

fn ones(from: usize, to: usize) -> u32 {
    (from..to).fold(0, |set, bit| set | 1 << bit)
}

/// What the cheapest order costs, `Some(None)` if no order works, `None` if it
/// is too much to find out.
fn cheapest(world: &World<'_>, refined: &Refined, left: &mut usize) -> Option<Option<Amount>> {
    let count = refined.events.len();
    let acts = |set: u32| {
        let events = (0..count).filter(|event| set & (1 << event) != 0);
        events.fold(0u32, |set, event| match refined.events[event] {
            Event::Action(_) => set | 1 << event,
            Event::Begin(..) => set,
        })
    };
    // Per begin: the actions below it.
    let actions: Vec<u32> = refined.below.iter().map(|&set| acts(set)).collect();
    let start = (0u32, world.initial());
    let mut best: HashMap<(u32, State), Amount> = HashMap::from([(start, Amount(0))]);
    let mut open = BinaryHeap::from([Reverse((Amount(0), start))]);
    while let Some(Reverse((cost, node @ (done, state)))) = open.pop() {
        if best[&node] < cost {
            continue;
        }
        if done == ones(0, count) {
            if world.is_goal(state) {
                return Some(Some(cost));
            }
            continue;
        }
        *left = left.checked_sub(1)?;
        for event in 0..count {
            let ready = done & (1 << event) == 0 && refined.before[event] & !done == 0;
            if !ready {
                continue;
            }
            let (price, after) = match refined.events[event] {
                Event::Begin(task, way) => {
                    if !world.fits(&world.tasks[task][way], state) {
                        continue;
                    }
                    (Amount(0), state)
                }
                Event::Action(action) => {
                    // Methods that have begun and not acted yet come first.
                    let waiting = (0..count).any(|begin| {
                        let acted = actions[begin] & done != 0;
                        done & (1 << begin) != 0
                            && actions[begin] != 0
                            && !acted
                            && actions[begin] & (1 << event) == 0
                    });
                    match world.step(action, state) {
                        Some(after) if !waiting => (world.price(action), after),
                        _ => continue,
                    }
                }
            };
            let next = (done | 1 << event, after);
            let cost = cost + price;
            if best.get(&next).is_none_or(|&known| cost < known) {
                best.insert(next, cost);
                open.push(Reverse((cost, next)));
            }
        }
    }
    Some(None)
}
