//! Saturated cost partitionings: what several abstractions say of a state,
//! added up.
//!
//! Their distances may be added where no action is paid for twice. So they are
//! taken in some order, each leaves to those after it what its own distances do
//! not need, and a state's estimate is the sum; of several orders, each good for
//! another state, the maximum. Seipp, Keller and Helmert, "Saturated cost
//! partitioning for optimal classical planning" (2020).
//!
//! Who comes first decides most: the same abstractions in another order may
//! leave a tenth of the states to be searched. An order is made for a state,
//! from how far it is in each abstraction and what that takes from others.

use planoku_engine::{Run, Stop};

use crate::analysis::abstraction::{Abstraction, Map, UNREACHED};
use crate::ground::finite::FiniteVariables;
use crate::random::Random;
use crate::state::world::World;

/// Steps to spend on orders.
const ORDER_WORK: u64 = 240_000_000;

/// States that orders are good for, and how far walks to them go.
const SAMPLES: usize = 200;
const FARTHEST: usize = 60;

/// Orders that are kept.
const MOST_ORDERS: usize = 40;

/// Ways to say which abstraction comes first.
const WORTHS: usize = 4;

/// What an abstraction adds to the sums of orders.
struct Part {
    map: Map,
    /// The orders it is in. Who is in none but knows what is dead is in one
    /// more, of which nobody asks for the sum.
    orders: Vec<u32>,
    /// For each of its states, what it adds to each of these.
    distances: Vec<u32>,
}

/// What abstractions say of a state, by orders.
pub(super) struct Sums {
    parts: Vec<Part>,
    sums: Vec<u64>,
    size: u64,
}

impl Sums {
    /// How much there is to add.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// The most that an order says of a state; `None` if it is dead.
    pub(super) fn most(&mut self, values: &[u32]) -> Option<u64> {
        self.sums.fill(0);
        for part in &self.parts {
            let width = part.orders.len();
            let first = part.map.state(values) as usize * width;
            let distances = &part.distances[first..first + width];
            // Who is dead is so whatever actions cost.
            if distances[0] == UNREACHED {
                return None;
            }
            for (&order, &distance) in part.orders.iter().zip(distances) {
                self.sums[order as usize] += u64::from(distance);
            }
        }
        Some(self.sums.iter().copied().max().unwrap_or(0))
    }
}

/// An order: abstractions, each with its distances.
type Order = Vec<(u32, Vec<u32>)>;

/// Finds orders that are good for the start and for states that walks lead to.
pub(super) fn arrange(
    abstractions: Vec<Abstraction>,
    world: &World,
    variables: &FiniteVariables,
    costs: &[u32],
    run: &mut Run<'_>,
) -> Result<Sums, Stop> {
    let mut whole = Vec::new();
    let mut stolen = Vec::new();
    for abstraction in &abstractions {
        run.effort(2 * abstraction.size())?;
        let distances = abstraction.distances(costs);
        stolen.push(abstraction.stolen(&distances));
        whole.push(distances);
    }
    let mut samples = samples(&abstractions, world, variables, run)?;
    let is_alive = |sample: &Vec<u32>| {
        let mut places = whole.iter().zip(sample);
        places.all(|(distances, &place)| distances[place as usize] != UNREACHED)
    };
    samples.retain(is_alive);
    let mut best = vec![0; samples.len()];
    let mut orders: Vec<Order> = Vec::new();
    let mut spent = 0;
    let worths = |sample| (0..WORTHS).map(move |worth| (sample, worth));
    for (sample, worth) in samples.iter().flat_map(worths) {
        if orders.len() == MOST_ORDERS || spent > ORDER_WORK {
            break;
        }
        let mut left = costs.to_vec();
        let mut order = Order::new();
        for number in most_worth_first(sample, &whole, &stolen, worth) {
            let abstraction = &abstractions[number as usize];
            spent += 2 * abstraction.size();
            run.effort(2 * abstraction.size())?;
            let distances = abstraction.distances(&left);
            if distances.iter().any(|&it| it > 0 && it != UNREACHED) {
                abstraction.saturate(&distances, &mut left);
                order.push((number, distances));
            }
        }
        let mut better = false;
        for (sample, best) in samples.iter().zip(&mut best) {
            let sum = sum(&order, sample);
            better |= sum > *best;
            *best = sum.max(*best);
        }
        if better {
            orders.push(order);
        }
    }
    Ok(sums(abstractions, orders, whole))
}

fn sum(order: &Order, sample: &[u32]) -> u64 {
    let distances = order.iter();
    distances
        .map(|(number, distances)| u64::from(distances[sample[*number as usize] as usize]))
        .sum()
}

/// Abstractions, those that say most of a state for what they take first.
fn most_worth_first(
    sample: &[u32],
    whole: &[Vec<u32>],
    stolen: &[u64],
    worth: usize,
) -> impl Iterator<Item = u32> {
    let all = (0..).zip(sample.iter().zip(whole).zip(stolen));
    let mut scored: Vec<(f64, u32)> = all
        .map(|(number, ((&place, distances), &taken))| {
            let distance = f64::from(distances[place as usize]);
            (worths(distance, taken.max(1) as f64)[worth], number)
        })
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    scored.into_iter().map(|it| it.1)
}

/// What a distance is worth that takes so much from all actions together.
/// Nobody knows how much should count what is taken, so each gets its turn.
fn worths(distance: f64, taken: f64) -> [f64; WORTHS] {
    let root = taken.sqrt();
    [
        distance / taken,
        distance / root,
        distance / (root * root.sqrt()),
        distance,
    ]
}

/// The start and some states that walks lead to, as abstractions see them.
fn samples(
    abstractions: &[Abstraction],
    world: &World,
    variables: &FiniteVariables,
    run: &mut Run<'_>,
) -> Result<Vec<Vec<u32>>, Stop> {
    let mut random = Random::new(1);
    let mut samples = Vec::new();
    let mut values = Vec::new();
    let count = world.ground.actions.len();
    for walk in 0..SAMPLES {
        let mut state = world.initial();
        let steps = if walk == 0 { 0 } else { random.below(FARTHEST) };
        for _ in 0..steps {
            let start = random.below(count);
            let mut actions = (start..count).chain(0..start);
            let fits = |&it: &usize| world.applicable(it as u32, &state);
            let Some(action) = actions.find(fits) else {
                break;
            };
            run.effort(((action + count - start) % count) as u64 / 4 + 4)?;
            if !world.apply(action as u32, &mut state) {
                break;
            }
        }
        variables.read(&state, &mut values);
        let places = abstractions.iter().map(|it| it.map.state(&values));
        samples.push(places.collect());
    }
    Ok(samples)
}

/// The same by abstractions, without those that say nothing.
fn sums(abstractions: Vec<Abstraction>, orders: Vec<Order>, whole: Vec<Vec<u32>>) -> Sums {
    let count = orders.len();
    let mut columns: Vec<Vec<(u32, Vec<u32>)>> = vec![Vec::new(); abstractions.len()];
    for (number, order) in (0..).zip(orders) {
        for (abstraction, distances) in order {
            columns[abstraction as usize].push((number, distances));
        }
    }
    let mut sums = Sums {
        parts: Vec::new(),
        sums: vec![0; count + 1],
        size: 0,
    };
    for ((abstraction, mut columns), whole) in abstractions.into_iter().zip(columns).zip(whole) {
        if columns.is_empty() && whole.contains(&UNREACHED) {
            let dead = |distance| if distance == UNREACHED { UNREACHED } else { 0 };
            columns.push((count as u32, whole.into_iter().map(dead).collect()));
        }
        if columns.is_empty() {
            continue;
        }
        let mut distances = Vec::with_capacity(abstraction.states as usize * columns.len());
        for state in 0..abstraction.states as usize {
            distances.extend(columns.iter().map(|column| column.1[state]));
        }
        sums.size += 1 + columns.len() as u64;
        sums.parts.push(Part {
            map: abstraction.map,
            orders: columns.into_iter().map(|it| it.0).collect(),
            distances,
        });
    }
    sums
}
