//! Every complete recipe against brute force, on networks that are not Sudoku.
//!
//! Queens, graph colouring and quasigroup completion, twenty networks each,
//! over- and under-constrained, small enough that every assignment can be
//! tried. The judge reads the network as posted and shares nothing with the
//! engines.

use std::collections::BTreeSet;

use planoku_constraints::csp::{
    Annealing, Assignment, MinConflicts, Network, Recipe, Values, Variable,
};
use planoku_engine::{End, Engine, Event, Run};

/// Repeatable randomness (a linear congruence is plenty here).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = (self.0)
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Queens, one per row; some squares are blocked.
fn queens(size: u32, blocked: u64, dice: &mut Dice) -> Network {
    let mut network = Network::new();
    let rows: Vec<Variable> = (0..size)
        .map(|_| {
            let free: Vec<u32> = (0..size).filter(|_| !dice.chance(blocked)).collect();
            network.variable(free).unwrap()
        })
        .collect();
    network.all_different(&rows).unwrap();
    for (at, &a) in rows.iter().enumerate() {
        for (between, &b) in rows[at + 1..].iter().enumerate() {
            let distance = between as u32 + 1;
            network
                .relation(b, a, |x, y| x.abs_diff(y) != distance)
                .unwrap();
        }
    }
    network
}

/// A random graph to be coloured.
fn colouring(vertices: usize, colours: u32, density: u64, dice: &mut Dice) -> Network {
    let mut network = Network::new();
    let all = network.variables(vertices, 0..colours).unwrap();
    for (at, &a) in all.iter().enumerate() {
        for &b in &all[at + 1..] {
            if dice.chance(density) {
                network.not_equal(a, b).unwrap();
            }
        }
    }
    network
}

/// A Latin square with some cells given at random, often badly.
fn quasigroup(order: usize, given: u64, dice: &mut Dice) -> Network {
    let mut network = Network::new();
    let cells = network.variables(order * order, 1..=order as u32).unwrap();
    for line in 0..order {
        let row: Vec<Variable> = (0..order).map(|at| cells[line * order + at]).collect();
        let column: Vec<Variable> = (0..order).map(|at| cells[at * order + line]).collect();
        network.all_different(&row).unwrap();
        network.all_different(&column).unwrap();
    }
    for &cell in &cells {
        if dice.chance(given) {
            let values = Values(2 << dice.below(order as u64));
            network.restrict(cell, values).unwrap();
        }
    }
    network
}

/// Twenty of each.
fn networks() -> Vec<(String, Network)> {
    let mut dice = Dice(2020);
    let mut all = Vec::new();
    for at in 0..20 {
        let (size, blocked) = (4 + at % 4, 10 * (u64::from(at) % 5));
        let network = queens(size, blocked, &mut dice);
        all.push((format!("{size} queens, number {at}"), network));
        let (vertices, colours, density) = (4 + at % 4, 2 + at % 3, 25 + 15 * (u64::from(at) % 5));
        let network = colouring(vertices as usize, colours, density, &mut dice);
        all.push((format!("colouring number {at}"), network));
        let (order, given) = (2 + at as usize % 3, 10 + 10 * (u64::from(at) % 4));
        let network = quasigroup(order, given, &mut dice);
        all.push((format!("quasigroup number {at}"), network));
    }
    all
}

/// Every answer, by trying every value of every variable; a prefix is given up
/// as soon as the pairs within it are broken.
fn brute_force(network: &Network) -> BTreeSet<Assignment> {
    fn extend(network: &Network, prefix: &mut Vec<u32>, found: &mut BTreeSet<Assignment>) {
        let Some(values) = network.values().get(prefix.len()) else {
            let full = Assignment(prefix.clone());
            assert!(network.satisfied_by(&full));
            found.insert(full);
            return;
        };
        for value in values.iter() {
            prefix.push(value);
            if network.satisfied_so_far(prefix) {
                extend(network, prefix, found);
            }
            prefix.pop();
        }
    }
    let mut found = BTreeSet::new();
    extend(network, &mut Vec::new(), &mut found);
    found
}

#[test]
fn every_recipe_finds_exactly_the_answers_of_brute_force() {
    let recipes = Recipe::all();
    assert!(recipes.len() > 100);
    let (mut none, mut many) = (0, 0);
    for (name, network) in networks() {
        let expected = brute_force(&network);
        none += usize::from(expected.is_empty());
        many += usize::from(expected.len() > 1);
        for recipe in &recipes {
            let outcome = recipe.solve(&network, &mut Run::all()).unwrap();
            assert_eq!(outcome.end, End::Exhausted, "{recipe} on {name}");
            let found: BTreeSet<_> = outcome.answers.iter().cloned().collect();
            assert_eq!(
                found.len(),
                outcome.answers.len(),
                "{recipe} repeats: {name}"
            );
            assert_eq!(found, expected, "{recipe} on {name}");
            assert!(recipe.profile().complete && recipe.profile().counts);
        }
    }
    assert!(none >= 10 && many >= 10, "{none} without, {many} with many");
}

/// Six queens have four answers, so a limit of 4 is reached by the last one.
#[test]
fn a_limit_is_kept_and_says_so() {
    let network = queens(6, 0, &mut Dice(1));
    for recipe in Recipe::all() {
        for (limit, end) in [(1, End::Enough), (4, End::Enough), (5, End::Exhausted)] {
            let outcome = recipe.solve(&network, &mut Run::limit(limit)).unwrap();
            assert_eq!(outcome.end, end, "{recipe}");
            assert_eq!(outcome.answers.len() as u64, limit.min(4), "{recipe}");
        }
    }
}

#[test]
fn local_search_never_claims_a_proof() {
    let engines: [Box<dyn Engine<Network, Answer = Assignment>>; 2] = [
        Box::new(MinConflicts {
            steps: 2_000,
            ..MinConflicts::default()
        }),
        Box::new(Annealing {
            steps: 2_000,
            ..Annealing::default()
        }),
    ];
    for (name, network) in networks() {
        let expected = brute_force(&network);
        for engine in &engines {
            let who = engine.profile().name;
            assert!(!engine.profile().complete && !engine.profile().counts);
            let outcome = engine.solve(&network, &mut Run::all()).unwrap();
            assert_eq!(outcome.end, End::Incomplete, "{who} on {name}");
            for answer in &outcome.answers {
                assert!(expected.contains(answer), "{who} on {name}");
            }
            let one = engine.solve(&network, &mut Run::limit(1)).unwrap();
            let end = if one.answers.is_empty() {
                End::Incomplete
            } else {
                End::Enough
            };
            assert_eq!(one.end, end);
        }
    }
}

#[test]
fn local_search_solves_what_is_easy() {
    let mut dice = Dice(7);
    let easy = [
        queens(20, 0, &mut dice),
        colouring(30, 4, 10, &mut dice),
        quasigroup(6, 0, &mut dice),
    ];
    for network in &easy {
        for engine in [
            Box::new(MinConflicts::default()) as Box<dyn Engine<Network, Answer = Assignment>>,
            Box::new(Annealing::default()),
        ] {
            let outcome = engine.solve(network, &mut Run::limit(1)).unwrap();
            let who = engine.profile().name;
            let found = outcome.answers.first();
            let variables = network.len();
            assert!(
                found.is_some_and(|answer| network.satisfied_by(answer)),
                "{who}, {variables} variables, {:?}",
                outcome.stats
            );
        }
    }
}

#[test]
fn a_variable_without_values_means_no_answer() {
    let mut network = Network::new();
    network.variables(3, 0..2).unwrap();
    network.variable([]).unwrap();
    for recipe in Recipe::all() {
        let outcome = recipe.solve(&network, &mut Run::all()).unwrap();
        assert!(outcome.proves_none(), "{recipe}");
    }
}

#[test]
fn variables_without_constraints_take_every_value() {
    let mut network = Network::new();
    let all = network.variables(3, 5..8).unwrap();
    network.not_equal(all[0], all[2]).unwrap();
    for recipe in Recipe::all() {
        let outcome = recipe.solve(&network, &mut Run::all()).unwrap();
        assert_eq!(outcome.answers.len(), 18, "{recipe}");
    }
}

#[test]
fn the_empty_network_has_the_empty_answer() {
    for recipe in Recipe::all() {
        let outcome = recipe.solve(&Network::new(), &mut Run::all()).unwrap();
        assert_eq!(outcome.answers, [Assignment(vec![])], "{recipe}");
        assert_eq!(outcome.end, End::Exhausted);
    }
}

#[test]
fn a_node_budget_stops_every_recipe() {
    let network = queens(16, 0, &mut Dice(1));
    for recipe in Recipe::all() {
        let outcome = recipe
            .solve(&network, &mut Run::all().with_nodes(50))
            .unwrap();
        assert!(outcome.end.stopped_by().is_some(), "{recipe}");
    }
}

/// What a listener knows: the values left, and the values given.
struct Replay {
    left: Vec<BTreeSet<u32>>,
    given: Vec<Option<u32>>,
    answers: Vec<Assignment>,
}

impl Replay {
    fn new(network: &Network) -> Replay {
        Replay {
            left: network
                .values()
                .iter()
                .map(|v| v.iter().collect())
                .collect(),
            given: vec![None; network.len()],
            answers: Vec::new(),
        }
    }

    fn apply(&mut self, event: &Event) {
        match *event {
            Event::Assign { variable, value } => {
                let at = variable as usize;
                assert!(self.left[at].contains(&value), "{event:?}: not a value");
                self.given[at] = Some(value);
            }
            Event::Unassign { variable } => {
                let lost = self.given[variable as usize].take();
                assert!(lost.is_some(), "{event:?}: had none");
            }
            Event::Prune { variable, value } => {
                let there = self.left[variable as usize].remove(&value);
                assert!(there, "{event:?}: was not there");
            }
            Event::Restore { variable, value } => {
                let new = self.left[variable as usize].insert(value);
                assert!(new, "{event:?}: was there");
            }
            Event::Jump { from, to, .. } => assert!(from > to + 1),
            Event::Answer(number) => {
                let values = (self.given.iter().zip(&self.left)).map(|(given, left)| {
                    given.unwrap_or_else(|| {
                        assert_eq!(left.len(), 1, "an answer with an open variable");
                        *left.first().unwrap()
                    })
                });
                self.answers.push(Assignment(values.collect()));
                assert_eq!(self.answers.len() as u64, number);
            }
            Event::Conflict { .. }
            | Event::Restart
            | Event::Progress { .. }
            | Event::Derive { .. }
            | Event::Learn { .. } => {}
        }
    }
}

#[test]
fn replaying_the_events_gives_the_answers() {
    let mut dice = Dice(11);
    let problems = [
        queens(6, 10, &mut dice),
        colouring(7, 3, 40, &mut dice),
        quasigroup(4, 20, &mut dice),
    ];
    for network in &problems {
        for recipe in Recipe::all() {
            let mut replay = Replay::new(network);
            let mut observer = |event: &Event| replay.apply(event);
            let mut run = Run::all().with_observer(&mut observer);
            let outcome = recipe.solve(network, &mut run).unwrap();
            drop(run);
            assert_eq!(replay.answers, outcome.answers, "{recipe}");
            assert!(replay.given.iter().all(Option::is_none), "{recipe}");
        }
    }
}
