//! Min-conflicts: give a troubled variable the value that troubles least.
//!
//! Starting from random values, pick a variable that breaks a constraint, and
//! give it the value that breaks fewest, ties at random (S. Minton, M. Johnston,
//! A. Philips and P. Laird, "Minimizing conflicts", 1992). It settles a million
//! queens, where answers are everywhere, and is easily trapped where there is
//! only one. Now and then a value is therefore taken at random (a random walk,
//! R. Wallace and E. Freuder, 1995), and after a while everything begins anew.
//!
//! The network is made arc consistent first; what that settles stays. A node
//! is one step.

use planoku_engine::{Ended, Engine, EngineError, Event, Found, Leave, Profile, Run, Sink};

use crate::csp::graph::Graph;
use crate::csp::look_ahead::LookAhead;
use crate::csp::look_ahead::ac3::Ac3;
use crate::csp::network::{Assignment, Network};
use crate::csp::store::Store;
use crate::csp::values::bits;
use planoku_engine::random::SplitMix as Random;

/// Min-conflicts with a random walk and restarts; incomplete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinConflicts {
    /// Where chance begins.
    pub seed: u64,
    /// How many steps to take before giving up.
    pub steps: u64,
    /// How many steps to take before beginning anew.
    pub patience: u64,
    /// How often a step takes a value at random.
    pub walk: f64,
}

impl Default for MinConflicts {
    fn default() -> MinConflicts {
        MinConflicts {
            seed: 1,
            steps: 1_000_000,
            patience: 20_000,
            walk: 0.02,
        }
    }
}

impl Engine<Network> for MinConflicts {
    type Answer = Assignment;

    fn profile(&self) -> Profile {
        Profile::new(
            "min-conflicts",
            "repairs a full assignment, least trouble first; may miss answers",
        )
    }

    fn solve_into(
        &self,
        network: &Network,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Assignment>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| self.search(network, run, found))
    }
}

impl MinConflicts {
    fn search(
        &self,
        network: &Network,
        run: &mut Run<'_>,
        found: &mut Found<Assignment>,
    ) -> Result<(), Leave> {
        let Some(values) = consistent(network, run) else {
            return Err(Leave::GaveUp);
        };
        let mut random = Random::new(self.seed);
        let mut repair = Repair::new(network.graph(), values);
        let mut steps = 0;
        let result = loop {
            if steps % self.patience.max(1) == 0 {
                if steps > 0 {
                    run.emit(Event::Restart);
                }
                repair.scatter(&mut random, run);
            }
            if repair.troubled.is_empty() {
                run.emit(Event::Answer(1));
                break found.push(repair.answer()).and(Err(Leave::GaveUp));
            }
            if steps >= self.steps {
                break Err(Leave::GaveUp);
            }
            steps += 1;
            if let Err(stop) = run.tick() {
                break Err(stop.into());
            }
            repair.step(self.walk, &mut random, run);
        };
        run.stats.add("value_tries", steps);
        run.stats.add("constraint_checks", repair.checks);
        result
    }
}

/// The values of a network once it is arc consistent, if it can be.
pub(super) fn consistent(network: &Network, run: &mut Run<'_>) -> Option<Vec<u64>> {
    let values = network.values().iter().map(|set| set.0).collect();
    let mut store = Store::new(network.graph(), values, false, run.observed());
    let begun = Ac3.begin(&mut store);
    store.tell(run);
    run.stats.add("prunings", store.counters.prunings);
    (begun.is_ok() && !store.values.contains(&0)).then_some(store.values)
}

struct Repair<'g> {
    graph: &'g Graph,
    values: Vec<u64>,
    taken: Vec<u8>,
    /// How many neighbours clash with each value of each variable.
    clashes: Vec<u32>,
    /// The variables that clash with a neighbour, in no order, and where each
    /// is among them.
    troubled: Vec<u32>,
    place: Vec<u32>,
    checks: u64,
}

const ABSENT: u32 = u32::MAX;

impl<'g> Repair<'g> {
    fn new(graph: &'g Graph, values: Vec<u64>) -> Repair<'g> {
        Repair {
            graph,
            taken: vec![0; graph.len],
            clashes: vec![0; graph.len << 6],
            troubled: Vec::new(),
            place: vec![ABSENT; graph.len],
            values,
            checks: 0,
        }
    }

    /// Gives every variable a random value.
    fn scatter(&mut self, random: &mut Random, run: &mut Run<'_>) {
        self.clashes.fill(0);
        for variable in 0..self.graph.len {
            self.taken[variable] = pick(self.values[variable], random);
            self.show(variable, run);
        }
        for variable in 0..self.graph.len {
            self.count(variable, self.taken[variable], 1);
        }
        (0..self.graph.len).for_each(|variable| self.sort_in(variable));
    }

    fn step(&mut self, walk: f64, random: &mut Random, run: &mut Run<'_>) {
        let variable = self.troubled[random.below(self.troubled.len())] as usize;
        let values = self.values[variable];
        let choices = if random.unit() < walk {
            values
        } else {
            let clashes = |value: u32| self.clashes[variable << 6 | value as usize];
            let least = bits(values).map(clashes).min().unwrap_or(0);
            bits(values)
                .filter(|value| clashes(*value) == least)
                .fold(0, |set, value| set | 1 << value)
        };
        let value = pick(choices, random);
        self.count(variable, self.taken[variable], u32::MAX);
        self.taken[variable] = value;
        self.count(variable, value, 1);
        self.sort_in(variable);
        for at in 0..self.graph.edges(variable).len() {
            self.sort_in(self.graph.edges(variable)[at].other as usize);
        }
        self.show(variable, run);
    }

    /// Adds `change` (which may wrap: -1) to the clashes that `value` of
    /// `variable` causes.
    fn count(&mut self, variable: usize, value: u8, change: u32) {
        for edge in self.graph.edges(variable) {
            self.checks += 1;
            let other = edge.other as usize;
            let clash = self.values[other] & !self.graph.support(edge.table, u32::from(value));
            for value in bits(clash) {
                let clashes = &mut self.clashes[other << 6 | value as usize];
                *clashes = clashes.wrapping_add(change);
            }
        }
    }

    /// Puts a variable among the troubled, or takes it out.
    fn sort_in(&mut self, variable: usize) {
        let trouble = self.clashes[variable << 6 | self.taken[variable] as usize] > 0;
        let place = self.place[variable];
        if trouble && place == ABSENT {
            self.place[variable] = self.troubled.len() as u32;
            self.troubled.push(variable as u32);
        } else if !trouble && place != ABSENT {
            self.troubled.swap_remove(place as usize);
            if let Some(&moved) = self.troubled.get(place as usize) {
                self.place[moved as usize] = place;
            }
            self.place[variable] = ABSENT;
        }
    }

    fn show(&self, variable: usize, run: &mut Run<'_>) {
        if run.observed() {
            run.emit(Event::Assign {
                variable: variable as u32,
                value: u32::from(self.taken[variable]),
            });
        }
    }

    fn answer(&self) -> Assignment {
        Assignment(self.taken.iter().map(|value| u32::from(*value)).collect())
    }
}

/// One of the values, at random; there is at least one.
pub(super) fn pick(values: u64, random: &mut Random) -> u8 {
    let chosen = random.below(values.count_ones() as usize);
    bits(values).nth(chosen).unwrap_or(0) as u8
}
