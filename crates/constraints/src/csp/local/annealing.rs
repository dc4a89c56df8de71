//! Simulated annealing: accept bad changes while hot, only good ones when cold.
//!
//! Every block of the board is filled with its values in some order, and a step
//! exchanges two of them, so blocks stay right while rows and columns are
//! repaired. A change that breaks more constraints is accepted with a chance
//! that falls with the damage and with the temperature; the temperature starts
//! at the spread of such damages and falls by a percent after each round of as
//! many steps as there are exchanges. (R. Lewis, "Metaheuristics can solve
//! Sudoku puzzles", 2007. There the temperature is raised again after twenty
//! rounds without gain; here when it is too cold for any damage, which on other
//! networks than Sudoku gives the cooling the time it needs.)
//!
//! For any network, blocks are disjoint all-different sets with no more values
//! than members; variables in no block take a random value instead. A value that
//! a variable may not have counts as a broken constraint, so that exchanges can
//! pass through it. The network is made arc consistent first; what that settles
//! stays. A node is one step.

use planoku_engine::{Ended, Engine, EngineError, Event, Found, Leave, Profile, Run, Sink};

use super::min_conflicts::{consistent, pick};
use crate::csp::graph::Graph;
use crate::csp::matching::{Matching, NONE};
use crate::csp::network::{Assignment, Network};
use crate::csp::values::is_single;
use planoku_engine::random::SplitMix as Random;

/// Simulated annealing in the manner of Lewis; incomplete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Annealing {
    /// Where chance begins.
    pub seed: u64,
    /// How many steps to take before giving up.
    pub steps: u64,
    /// What is left of the temperature after a round.
    pub cooling: f64,
    /// How many rounds in a row without damage before the temperature is raised.
    pub patience: u32,
}

impl Default for Annealing {
    fn default() -> Annealing {
        Annealing {
            seed: 1,
            steps: 5_000_000,
            cooling: 0.99,
            patience: 3,
        }
    }
}

impl Engine<Network> for Annealing {
    type Answer = Assignment;

    fn profile(&self) -> Profile {
        Profile::new(
            "annealing",
            "exchanges values by simulated annealing (Lewis); may miss answers",
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

impl Annealing {
    fn search(
        &self,
        network: &Network,
        run: &mut Run<'_>,
        found: &mut Found<Assignment>,
    ) -> Result<(), Leave> {
        let values = consistent(network, run).ok_or(Leave::GaveUp)?;
        let mut random = Random::new(self.seed);
        let mut board = Board::fill(network.graph(), values, &mut random).ok_or(Leave::GaveUp)?;
        board.show_all(run);
        let result = self.anneal(&mut board, &mut random, run, found);
        run.stats.add("value_tries", board.tries);
        run.stats.add("constraint_checks", board.checks);
        result
    }

    fn anneal(
        &self,
        board: &mut Board<'_>,
        random: &mut Random,
        run: &mut Run<'_>,
        found: &mut Found<Assignment>,
    ) -> Result<(), Leave> {
        let start = board.spread(random).max(0.5);
        let (mut temperature, mut frozen) = (start, 0);
        while board.broken > 0 {
            let mut damaged = false;
            for _ in 0..board.round {
                if board.broken == 0 {
                    break;
                }
                if board.tries >= self.steps {
                    return Err(Leave::GaveUp);
                }
                run.tick()?;
                damaged |= board.step(temperature, random, run);
            }
            temperature *= self.cooling;
            frozen = if damaged { 0 } else { frozen + 1 };
            if frozen >= self.patience {
                (temperature, frozen) = (start, 0);
                run.emit(Event::Restart);
            }
        }
        run.emit(Event::Answer(1));
        let answer = board.taken.iter().map(|value| u32::from(*value));
        found.push(Assignment(answer.collect()))?;
        Err(Leave::GaveUp)
    }
}

/// A change of one variable, or an exchange between two.
#[derive(Clone, Copy)]
enum Change {
    Take { variable: usize, value: u8 },
    Swap { a: usize, b: usize },
}

struct Board<'g> {
    graph: &'g Graph,
    values: Vec<u64>,
    taken: Vec<u8>,
    /// The variables of each block that are not settled, at least two.
    blocks: Vec<Vec<usize>>,
    /// What can be changed: an unsettled variable and its block, if any.
    movable: Vec<(usize, Option<usize>)>,
    /// Steps between two temperatures.
    round: u64,
    broken: i64,
    tries: u64,
    checks: u64,
}

impl<'g> Board<'g> {
    /// A full assignment with every block in order, if there is one.
    fn fill(graph: &'g Graph, values: Vec<u64>, random: &mut Random) -> Option<Board<'g>> {
        let mut taken: Vec<u8> = values.iter().map(|set| pick(*set, random)).collect();
        let mut block_of = vec![None; graph.len];
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        // Later sets first: on Sudoku those are the boxes, as in the paper.
        for scope in graph.scopes.iter().rev() {
            let joint = (scope.iter()).fold(0, |all, member| all | values[*member as usize]);
            let tight = joint.count_ones() as usize <= scope.len();
            if !tight
                || scope
                    .iter()
                    .any(|member| block_of[*member as usize].is_some())
            {
                continue;
            }
            let mut matched = vec![NONE; scope.len()];
            Matching {
                matched: &mut matched,
                holder: &mut [NONE; 64],
            }
            .complete(&|at| values[scope[at] as usize])
            .ok()?;
            for (member, value) in scope.iter().zip(matched) {
                taken[*member as usize] = value;
                block_of[*member as usize] = Some(blocks.len());
            }
            let unsettled = scope.iter().map(|member| *member as usize);
            blocks.push(unsettled.filter(|at| !is_single(values[*at])).collect());
        }
        let movable: Vec<(usize, Option<usize>)> = (0..graph.len)
            .filter(|at| !is_single(values[*at]))
            .map(|at| (at, block_of[at]))
            .collect();
        let round = (blocks.iter().map(|block| block.len().pow(2)).sum::<usize>()
            + movable.iter().filter(|(_, block)| block.is_none()).count() * 8)
            .max(1) as u64;
        let mut board = Board {
            graph,
            values,
            taken,
            blocks,
            movable,
            round,
            broken: 0,
            tries: 0,
            checks: 0,
        };
        // Each broken pair is seen from both ends.
        let all = 0..graph.len;
        let pairs: i64 = all.clone().map(|at| board.clashes(at, NO_ONE)).sum();
        let out_of_bounds: i64 = all.map(|at| board.misplaced(at)).sum();
        board.broken = (pairs - out_of_bounds) / 2 + out_of_bounds;
        Some(board)
    }

    /// How much the cost varies from step to step: where to start cooling.
    fn spread(&mut self, random: &mut Random) -> f64 {
        if self.movable.is_empty() {
            return 0.0;
        }
        let sample: Vec<f64> = (0..60)
            .map(|_| {
                let change = self.propose(random);
                let back = self.inverse(change);
                let damage = self.apply(change);
                self.apply(back);
                damage as f64
            })
            .collect();
        let mean = sample.iter().sum::<f64>() / sample.len() as f64;
        let square = |damage: &f64| (damage - mean).powi(2);
        (sample.iter().map(square).sum::<f64>() / sample.len() as f64).sqrt()
    }

    /// Tries one change; true if it was accepted although it does damage.
    fn step(&mut self, temperature: f64, random: &mut Random, run: &mut Run<'_>) -> bool {
        self.tries += 1;
        if self.movable.is_empty() {
            return false;
        }
        let change = self.propose(random);
        let back = self.inverse(change);
        let damage = self.apply(change);
        if damage > 0 && random.unit() >= (-damage as f64 / temperature).exp() {
            self.apply(back);
            return false;
        }
        self.broken += damage;
        match change {
            Change::Take { variable, .. } => self.show(variable, run),
            Change::Swap { a, b } => {
                self.show(a, run);
                self.show(b, run);
            }
        }
        damage > 0
    }

    fn propose(&self, random: &mut Random) -> Change {
        let (variable, block) = self.movable[random.below(self.movable.len())];
        match block {
            Some(block) if self.blocks[block].len() > 1 => {
                let block = &self.blocks[block];
                let b = block[random.below(block.len())];
                Change::Swap { a: variable, b }
            }
            _ => Change::Take {
                variable,
                value: pick(self.values[variable], random),
            },
        }
    }

    /// The change that undoes `change`, as things are before it.
    fn inverse(&self, change: Change) -> Change {
        match change {
            Change::Take { variable, .. } => Change::Take {
                variable,
                value: self.taken[variable],
            },
            swap => swap,
        }
    }

    /// Makes a change and returns by how much the cost grew.
    fn apply(&mut self, change: Change) -> i64 {
        let (a, b) = match change {
            Change::Take { variable, .. } => (variable, NO_ONE),
            Change::Swap { a, b } if a == b => return 0,
            Change::Swap { a, b } => (a, b),
        };
        let before = self.cost(a, b);
        match change {
            Change::Take { variable, value } => self.taken[variable] = value,
            Change::Swap { a, b } => self.taken.swap(a, b),
        }
        self.cost(a, b) - before
    }

    /// What the two break, counting what is between them once.
    fn cost(&mut self, a: usize, b: usize) -> i64 {
        let other = if b == NO_ONE { 0 } else { self.clashes(b, a) };
        self.clashes(a, NO_ONE) + other
    }

    /// What a variable breaks, leaving out its constraint with `except`.
    fn clashes(&mut self, variable: usize, except: usize) -> i64 {
        let value = u32::from(self.taken[variable]);
        let edges = self.graph.edges(variable);
        self.checks += edges.len() as u64;
        let broken = edges.iter().filter(|edge| {
            let other = edge.other as usize;
            other != except && self.graph.support(edge.table, value) >> self.taken[other] & 1 == 0
        });
        broken.count() as i64 + self.misplaced(variable)
    }

    /// 1 if the variable has a value it may not have.
    fn misplaced(&self, variable: usize) -> i64 {
        i64::from(self.values[variable] >> self.taken[variable] & 1 == 0)
    }

    fn show(&self, variable: usize, run: &mut Run<'_>) {
        if run.observed() {
            run.emit(Event::Assign {
                variable: variable as u32,
                value: u32::from(self.taken[variable]),
            });
        }
    }

    fn show_all(&self, run: &mut Run<'_>) {
        (0..self.graph.len).for_each(|variable| self.show(variable, run));
    }
}

const NO_ONE: usize = usize::MAX;
