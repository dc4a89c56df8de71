//! Pattern databases and boxes under saturated cost partitionings: what the
//! goal costs as seen through one, two or three variables at a time, or through
//! boxes divided where a plan goes wrong, added up.
//!
//! How that is added up is said in `orders`, and which boxes there are in
//! `boxes`. The patterns are those that can matter: a goal's variable, what its
//! actions need, and what those need (Pommerening, Röger, Helmert, "Getting the
//! most out of pattern databases for classical planning", 2013).
//!
//! An estimate is a few hundred additions, a thousandth of what landmark cuts
//! take.

use std::collections::BTreeSet;

use planoku_engine::{Run, Stop};

use crate::analysis::abstraction::{Abstraction, Changes};
use crate::analysis::charge::{Charge, Weight};
use crate::cost::{Cost, Distance};
use crate::ground::finite::{FiniteIndex, FiniteVariables};
use crate::heuristics::boxes;
use crate::heuristics::heuristic::{Heuristic, Situation};
use crate::heuristics::orders::{Sums, arrange};
use crate::instance::Instance;

/// No pattern has more states.
const MOST_STATES: u64 = 40_000;

/// All patterns together are no larger, in states, transitions and actions.
const MOST_SIZE: u64 = 1_500_000;

/// Nor are there more.
const MOST_PATTERNS: usize = 1_200;

/// Steps to spend on patterns.
const PATTERN_WORK: u64 = 30_000_000;

struct Patterns<'a> {
    variables: &'a FiniteVariables,
    sums: Sums,
    /// What one unit of a distance stands for.
    unit: u128,
    values: Vec<u32>,
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
    let mut abstractions = abstractions(instance, variables, run)?;
    abstractions.extend(boxes::abstractions(instance, variables, &costs, run)?);
    Ok(Box::new(Patterns {
        variables,
        sums: arrange(abstractions, &instance.world, variables, &costs, run)?,
        unit,
        values: Vec::new(),
        work: 0,
    }))
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

impl Heuristic for Patterns<'_> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        self.work += self.sums.size() + self.variables.list.len() as u64;
        self.variables.read(at.state, &mut self.values);
        match self.sums.most(&self.values) {
            Some(most) => {
                Distance::Left(Cost::of_units(u128::from(most)).saturating_mul(self.unit))
            }
            None => Distance::Dead,
        }
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}
