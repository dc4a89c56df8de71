//! Pattern databases under saturated cost partitionings: what the goal costs
//! as seen through one, two or three variables at a time, added up.
//!
//! Distances of several patterns may be added where no action is paid for
//! twice. So the patterns are taken in some order, each leaves to those after it
//! what its own distances do not need, and a state's estimate is the sum; of
//! several orders, each good for another state, the maximum. Seipp, Keller and
//! Helmert, "Saturated cost partitioning for optimal classical planning" (2020).
//! The patterns are those that can matter: a goal's variable, what its actions
//! need, and what those need (Pommerening, Röger, Helmert, "Getting the most out
//! of pattern databases for classical planning", 2013).
//!
//! An estimate is a few hundred additions, a thousandth of what landmark cuts
//! take.

use std::collections::BTreeSet;

use planoku_engine::{Run, Stop};

use crate::analysis::abstraction::{Abstraction, Changes, UNREACHED};
use crate::analysis::charge::{Charge, Weight};
use crate::cost::{Cost, Distance};
use crate::ground::finite::{FiniteIndex, FiniteVariables};
use crate::heuristics::heuristic::{Heuristic, Situation};
use crate::instance::Instance;
use crate::random::Random;
use crate::state::states::ones;
use crate::state::world::World;

/// No pattern has more states.
const MOST_STATES: u64 = 40_000;

/// All patterns together are no larger, in states, transitions and actions.
const MOST_SIZE: u64 = 1_500_000;

/// Nor are there more.
const MOST_PATTERNS: usize = 1_200;

/// Steps to spend on patterns, and on orders.
const PATTERN_WORK: u64 = 30_000_000;
const ORDER_WORK: u64 = 60_000_000;

/// States that orders are good for, and how far walks to them go.
const SAMPLES: usize = 60;
const FARTHEST: usize = 60;

/// Orders that are kept.
const MOST_ORDERS: usize = 16;

struct Patterns<'a> {
    variables: &'a FiniteVariables,
    abstractions: Vec<Abstraction>,
    /// For each abstraction, where no way leads to the goal.
    dead: Vec<Vec<bool>>,
    /// For each order, what to add up: abstractions with their distances.
    orders: Vec<Vec<(u32, Vec<u32>)>>,
    /// What one unit of a distance stands for.
    unit: u128,
    values: Vec<u32>,
    places: Vec<u32>,
    work: u64,
}

pub(super) fn new<'a>(
    instance: &'a Instance,
    charge: Charge,
    run: &mut Run<'_>,
) -> Result<Box<dyn Heuristic + 'a>, Stop> {
    let variables = instance.variables(run)?;
    run.effort(instance.size())?;
    let (costs, unit) = costs(instance, charge);
    let mut patterns = Patterns {
        variables,
        abstractions: abstractions(instance, variables, run)?,
        dead: Vec::new(),
        orders: Vec::new(),
        unit,
        values: Vec::new(),
        places: Vec::new(),
        work: 0,
    };
    patterns.arrange(&instance.world, &costs, run)?;
    run.effort(patterns.take_work())?;
    Ok(Box::new(patterns))
}

/// What actions cost in numbers of 32 bits, rounded down if need be, and what
/// one of them stands for.
fn costs(instance: &Instance, charge: Charge) -> (Vec<u32>, u128) {
    let charges = instance.actions.iter();
    let charges: Vec<u128> = charges.map(|it| charge.of_action(it.cost)).collect();
    let all = charges.iter().copied().fold(0, u128::saturating_add);
    let coarse = all / u128::from(<u32 as Weight>::LARGE) + 1;
    let costs = charges.iter().map(|charge| (charge / coarse) as u32);
    (costs.collect(), charge.unit().saturating_mul(coarse))
}

/// The problem as seen through each pattern that may matter.
fn abstractions(
    instance: &Instance,
    variables: &FiniteVariables,
    run: &mut Run<'_>,
) -> Result<Vec<Abstraction>, Stop> {
    let changes = Changes::new(instance, variables);
    let needs = Needs::new(instance, variables);
    run.effort(needs.work)?;
    let (mut found, mut size, mut work) = (Vec::new(), 0, 0);
    for pattern in needs.patterns() {
        if found.len() == MOST_PATTERNS || size > MOST_SIZE || work > PATTERN_WORK {
            break;
        }
        let before = work;
        if let Some(abstraction) = Abstraction::new(&changes, &pattern, MOST_STATES, &mut work) {
            size += abstraction.size();
            found.push(abstraction);
        }
        run.effort(work - before)?;
        run.check_growth(size * 16)?;
    }
    Ok(found)
}

/// Which variables matter to which.
struct Needs {
    goals: Vec<FiniteIndex>,
    /// For each variable, those that actions need which change it.
    needed: Vec<BTreeSet<FiniteIndex>>,
    /// For each variable, those that are changed along with it.
    beside: Vec<BTreeSet<FiniteIndex>>,
    work: u64,
}

impl Needs {
    fn new(instance: &Instance, variables: &FiniteVariables) -> Needs {
        let count = variables.list.len();
        let mut fixed = vec![false; count];
        for axiom in &instance.axioms {
            fixed[variables.places[axiom.head as usize].0 as usize] = true;
        }
        for (fact, name) in instance.facts.iter().enumerate() {
            if matches!(name, crate::ground::GroundFact::Comparison(_)) {
                fixed[variables.places[fact].0 as usize] = true;
            }
        }
        let list = |facts: &mut dyn Iterator<Item = &u32>| {
            let mut list: Vec<FiniteIndex> = facts
                .map(|&fact| variables.places[fact as usize].0)
                .filter(|&variable| !fixed[variable as usize])
                .collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        let goal = &instance.goal;
        let mut needs = Needs {
            goals: list(&mut goal.positive.iter().chain(&goal.negative)),
            needed: vec![BTreeSet::new(); count],
            beside: vec![BTreeSet::new(); count],
            work: 0,
        };
        for action in &instance.actions {
            let conditions = action.conditional.iter().map(|effect| &effect.condition);
            let conditions = conditions.chain([&action.precondition]);
            let mut needed = conditions
                .flat_map(|condition| condition.positive.iter().chain(&condition.negative));
            let needed = list(&mut needed);
            let effects = action.conditional.iter();
            let effects = effects.flat_map(|effect| effect.add.iter().chain(&effect.delete));
            let changed = list(&mut action.add.iter().chain(&action.delete).chain(effects));
            needs.work += (needed.len() * changed.len() + changed.len() * changed.len()) as u64;
            for &variable in &changed {
                let others = |list: &[FiniteIndex]| {
                    let others = list.iter().copied();
                    others
                        .filter(|&other| other != variable)
                        .collect::<Vec<_>>()
                };
                needs.needed[variable as usize].extend(others(&needed));
                needs.beside[variable as usize].extend(others(&changed));
            }
        }
        needs
    }

    /// Patterns of one, two and three variables, in this order.
    fn patterns(&self) -> Vec<Vec<FiniteIndex>> {
        let mut patterns: Vec<Vec<FiniteIndex>> = self.goals.iter().map(|&it| vec![it]).collect();
        let mut known: BTreeSet<Vec<FiniteIndex>> = patterns.iter().cloned().collect();
        let mut next = 0;
        // Three times as many as are used: some are too large.
        while next < patterns.len() && patterns.len() < 3 * MOST_PATTERNS {
            let pattern = patterns[next].clone();
            next += 1;
            if pattern.len() == 3 {
                break;
            }
            for &variable in &pattern {
                let beside = self.beside[variable as usize].iter();
                let goals = beside.filter(|it| self.goals.binary_search(it).is_ok());
                for &other in self.needed[variable as usize].iter().chain(goals) {
                    let mut wider = pattern.clone();
                    wider.push(other);
                    wider.sort_unstable();
                    wider.dedup();
                    if wider.len() > pattern.len() && known.insert(wider.clone()) {
                        patterns.push(wider);
                    }
                }
            }
        }
        patterns
    }
}

impl Patterns<'_> {
    /// Finds orders that are good for the start and for states that walks lead
    /// to.
    fn arrange(&mut self, world: &World, costs: &[u32], run: &mut Run<'_>) -> Result<(), Stop> {
        let size = |it: &Abstraction| it.size();
        let mut whole = Vec::new();
        let mut stolen = Vec::new();
        for abstraction in &self.abstractions {
            run.effort(2 * size(abstraction))?;
            let distances = abstraction.distances(costs);
            stolen.push(abstraction.stolen(&distances));
            let dead = distances.iter().map(|&distance| distance == UNREACHED);
            self.dead.push(dead.collect());
            whole.push(distances);
        }
        let samples = self.samples(world, run)?;
        let mut best = vec![0; samples.len()];
        let mut spent = 0;
        for sample in &samples {
            if self.orders.len() == MOST_ORDERS || spent > ORDER_WORK {
                break;
            }
            let order = self.order(sample, &whole, &stolen);
            let mut left = costs.to_vec();
            let mut sums: Vec<(u32, Vec<u32>)> = Vec::new();
            for number in order {
                let abstraction = &self.abstractions[number as usize];
                spent += 2 * size(abstraction);
                run.effort(2 * size(abstraction))?;
                let distances = abstraction.distances(&left);
                if distances.iter().any(|&it| it > 0 && it != UNREACHED) {
                    abstraction.saturate(&distances, &mut left);
                    sums.push((number, distances));
                }
            }
            let mut better = false;
            for (sample, best) in samples.iter().zip(&mut best) {
                let sum = sum(&sums, sample);
                better |= sum > *best;
                *best = sum.max(*best);
            }
            if better {
                self.orders.push(sums);
            }
        }
        Ok(())
    }

    /// Those that say most for what they take come first.
    fn order(&self, sample: &[u32], whole: &[Vec<u32>], stolen: &[u64]) -> Vec<u32> {
        let numbers = 0..self.abstractions.len() as u32;
        let mut scored: Vec<(f64, u32)> = numbers
            .map(|number| {
                let distance = whole[number as usize][sample[number as usize] as usize];
                let taken = stolen[number as usize].max(1);
                (f64::from(distance) / taken as f64, number)
            })
            .collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        scored.into_iter().map(|it| it.1).collect()
    }

    /// The start and some states that walks lead to, as abstractions see them;
    /// none that is dead.
    fn samples(&mut self, world: &World, run: &mut Run<'_>) -> Result<Vec<Vec<u32>>, Stop> {
        let mut random = Random::new(1);
        let mut samples = Vec::new();
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
            if self.see(&state) {
                samples.push(self.places.clone());
            }
        }
        Ok(samples)
    }

    /// Finds where a state is in each abstraction; false if it is dead in one.
    fn see(&mut self, state: &[u64]) -> bool {
        self.values.clear();
        let none = self.variables.list.iter().map(|it| it.none());
        self.values.extend(none);
        // Comparisons and numbers follow the facts and are of no variable here.
        let words = self.variables.places.len().div_ceil(64);
        for fact in ones(&state[..words]) {
            let (variable, value) = self.variables.places[fact as usize];
            self.values[variable as usize] = value;
        }
        self.places.clear();
        for (abstraction, dead) in self.abstractions.iter().zip(&self.dead) {
            let place = abstraction.state(&self.values);
            self.places.push(place);
            if dead[place as usize] {
                return false;
            }
        }
        true
    }
}

fn sum(sums: &[(u32, Vec<u32>)], places: &[u32]) -> u64 {
    let distances = sums.iter();
    distances
        .map(|(number, distances)| u64::from(distances[places[*number as usize] as usize]))
        .sum()
}

impl Heuristic for Patterns<'_> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        let orders: usize = self.orders.iter().map(Vec::len).sum();
        self.work += (orders + self.abstractions.len() + self.variables.list.len()) as u64;
        if !self.see(at.state) {
            return Distance::Dead;
        }
        let sums = self.orders.iter().map(|sums| sum(sums, &self.places));
        let most = u128::from(sums.max().unwrap_or(0));
        Distance::Left(Cost::of_units(most).saturating_mul(self.unit))
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}
