//! Boxes against plain search, on small random problems with costs.

use planoku_engine::{Engine, Run};

use crate::algorithms::Classical;
use crate::analysis::abstraction::{Abstraction, UNREACHED};
use crate::analysis::cartesian::Cartesian;
use crate::analysis::finite_problem::FiniteProblem;
use crate::analysis::refine::{Aim, Limits, Values, refine};
use crate::cost::Cost;
use crate::ground::finite::FiniteVariables;
use crate::ground::{Condition, Ground, GroundAction, GroundFact};
use crate::instance::Instance;
use crate::random::Random;

use super::classical::{
    State, all_states, apply, cheapest, random_moves, random_plain, random_problem, start,
};
use super::judge::holds;

/// A problem and what boxes need of it.
struct Case {
    instance: Instance,
    problem: FiniteProblem,
    costs: Vec<u32>,
}

impl Case {
    /// A problem with small costs, some of them nothing.
    fn new(seed: u64) -> Case {
        let mut ground = random_plain(seed);
        let mut random = Random::new(seed + 99);
        for action in &mut ground.actions {
            action.cost = super::price(&mut random, 0);
        }
        Case::of(Instance::new(ground))
    }

    fn of(instance: Instance) -> Case {
        let costs = instance.actions.iter().map(|it| it.cost.units() as u32);
        let costs = costs.collect();
        let variables = instance.variables(&mut Run::default()).unwrap();
        let problem = FiniteProblem::new(&instance, variables, &mut 0).unwrap();
        Case {
            problem,
            costs,
            instance,
        }
    }

    fn variables(&self) -> &FiniteVariables {
        self.instance.variables(&mut Run::default()).unwrap()
    }

    fn values(&self, state: &State) -> Vec<u32> {
        let list = self.variables().list.iter();
        let value = |fact: Option<usize>, none: u32| fact.map_or(none, |it| it as u32);
        list.map(|it| {
            let held = it.facts.iter().position(|&fact| state[fact as usize]);
            value(held, it.none())
        })
        .collect()
    }

    /// The goal by parts, as far as a part may hold and may fail.
    fn goal(&self) -> Vec<Values> {
        let sizes = &self.problem.sizes;
        let goal = self.problem.goal.iter().filter(|(variable, values)| {
            !values.is_empty() && values.len() < sizes[*variable as usize] as usize
        });
        goal.cloned().collect()
    }

    /// The goal, its parts, and every value without which there is no plan.
    fn aims(&self) -> Vec<Aim> {
        let goal = self.goal();
        let mut aims: Vec<Aim> = goal.iter().map(|it| Aim::Any(vec![it.clone()])).collect();
        for (variable, &size) in (0..).zip(&self.problem.sizes) {
            for value in (0..size).filter(|&it| it != self.problem.start[variable as usize]) {
                if let Some(before) = self.problem.before((variable, value), &mut 0) {
                    aims.push(Aim::Any(self.problem.without(&before)));
                }
            }
        }
        if !goal.is_empty() {
            aims.push(Aim::All(goal));
        }
        aims
    }

    fn refine(&self, aim: &Aim, boxes: u32) -> Abstraction {
        let limits = Limits {
            boxes,
            transitions: u64::MAX,
            work: u64::MAX,
        };
        let run = &mut Run::default();
        refine(&self.problem, &self.costs, aim, limits, run)
            .unwrap()
            .0
    }
}

#[test]
fn boxes_never_say_more_than_a_plan_costs_and_an_action_explains_every_step() {
    let (mut positive, mut dead) = (0, 0);
    for seed in 0..200 {
        let case = Case::new(seed);
        let states = all_states(&case.instance);
        let least: Vec<Option<Cost>> = states
            .iter()
            .map(|it| cheapest(&case.instance, it))
            .collect();
        for aim in case.aims() {
            for boxes in [1, 3, 6, 1_000] {
                let abstraction = case.refine(&aim, boxes);
                let distances = abstraction.distances(&case.costs);
                let far =
                    |state: &State| distances[abstraction.map.state(&case.values(state)) as usize];
                for (state, least) in states.iter().zip(&least) {
                    let here = far(state);
                    match (here, least) {
                        (UNREACHED, least) => {
                            assert_eq!(*least, None, "seed {seed}, {boxes} boxes");
                            dead += 1;
                        }
                        (here, Some(least)) => {
                            let here = Cost::from(u64::from(here));
                            assert!(here <= *least, "seed {seed}, {boxes} boxes: {state:?}");
                            positive += usize::from(here > Cost::ZERO);
                        }
                        (_, None) => {}
                    }
                    check_steps(&case.instance, state, &far);
                }
            }
        }
    }
    assert!(positive > 500 && dead > 500, "{positive} {dead}");
}

/// An action takes no state nearer to the goal than it costs.
#[track_caller]
fn check_steps(ground: &Ground, state: &State, far: &impl Fn(&State) -> u32) {
    for action in &ground.actions {
        if holds(&action.precondition, state) {
            let after = far(&apply(ground, action, state));
            let nearer = far(state).saturating_sub(after);
            let cost = Cost::from(u64::from(nearer));
            assert!(after == UNREACHED || cost <= action.cost, "{state:?}");
        }
    }
}

#[test]
fn boxes_divided_to_the_end_know_what_a_cheapest_plan_costs() {
    let (mut plans, mut none) = (0, 0);
    for seed in 0..300 {
        let case = Case::new(seed);
        let goal = case.goal();
        if goal.is_empty() || goal.len() < case.problem.goal.len() {
            continue;
        }
        let abstraction = case.refine(&Aim::All(goal), 60_000);
        let distances = abstraction.distances(&case.costs);
        let first = start(&case.instance);
        let far = distances[abstraction.map.state(&case.values(&first)) as usize];
        match cheapest(&case.instance, &first) {
            Some(least) => {
                assert_eq!(Cost::from(u64::from(far)), least, "seed {seed}");
                plans += 1;
            }
            None => {
                assert_eq!(far, UNREACHED, "seed {seed}");
                none += 1;
            }
        }
    }
    assert!(plans > 50 && none > 20, "{plans} {none}");
}

#[test]
fn however_boxes_are_divided_they_are_connected_as_their_values_say() {
    let mut seen = 0;
    for seed in 0..250 {
        let case = Case::new(seed);
        let problem = &case.problem;
        let mut random = Random::new(seed);
        let mut cartesian = Cartesian::new(problem);
        for _ in 0..12 {
            let number = random.below(cartesian.boxes() as usize) as u32;
            let variable = random.below(problem.sizes.len()) as u32;
            let values: Vec<u32> = cartesian.values(number, variable).collect();
            if values.len() > 1 && !cartesian.goal[number as usize] {
                let wanted = &values[..1 + random.below(values.len() - 1)];
                cartesian.divide(number, variable, wanted, random.below(6) == 0);
            }
        }
        let boxes = 0..cartesian.boxes();
        for from in boxes.clone() {
            let mut expected = Vec::new();
            for to in boxes.clone().filter(|&to| to != from) {
                let variables = 0..problem.sizes.len() as u32;
                let leads = |action: &u32| {
                    let mut variables = variables.clone();
                    variables.all(|it| !cartesian.wanted(*action, it, from, to).is_empty())
                };
                expected.extend((0..problem.actions()).filter(leads).map(|it| (it, to)));
            }
            if cartesian.goal[from as usize] {
                expected.clear();
            }
            let mut out = cartesian.out[from as usize].clone();
            expected.sort_unstable();
            out.sort_unstable();
            assert_eq!(out, expected, "seed {seed}");
            for &(action, to) in &out {
                assert!(cartesian.into[to as usize].contains(&(action, from)));
            }
            seen += out.len();
        }
        let into: usize = cartesian.into.iter().map(Vec::len).sum();
        assert_eq!(into as u64, cartesian.transitions, "seed {seed}");
        for state in all_states(&case.instance) {
            let values = case.values(&state);
            let number = cartesian.find(&values);
            let inside = |(variable, &value)| cartesian.has(number, variable, value);
            assert!((0..).zip(&values).all(inside), "seed {seed}");
        }
    }
    assert!(seen > 1_000, "{seen}");
}

#[test]
fn boxes_are_not_for_effects_with_conditions_nor_for_derived_facts() {
    for seed in 0..50 {
        for ground in [random_problem(seed), random_moves(seed)] {
            let conditional = ground.actions.iter().any(|it| !it.conditional.is_empty());
            let plain = ground.axioms.is_empty() && !conditional;
            let instance = Instance::new(ground);
            let variables = instance.variables(&mut Run::default()).unwrap();
            let problem = FiniteProblem::new(&instance, variables, &mut 0);
            assert_eq!(problem.is_some(), plain, "seed {seed}");
        }
    }
}

/// A parcel at home, a van that carries it to town: load, drive, unload.
const PARCEL: [&str; 2] = [
    "(define (domain parcels)
       (:predicates (van ?p) (parcel ?p) (loaded) (place ?p))
       (:action drive :parameters (?from ?to)
         :precondition (and (place ?to) (van ?from))
         :effect (and (van ?to) (not (van ?from))))
       (:action load :parameters (?p)
         :precondition (and (van ?p) (parcel ?p))
         :effect (and (loaded) (not (parcel ?p))))
       (:action unload :parameters (?p)
         :precondition (and (van ?p) (loaded))
         :effect (and (parcel ?p) (not (loaded)))))",
    "(define (problem one) (:domain parcels) (:objects home town)
       (:init (place home) (place town) (van home) (parcel home))
       (:goal (parcel town)))",
];

#[test]
fn a_parcel_in_town_has_been_loaded_before_and_a_van_in_town_has_not() {
    let model = crate::read(PARCEL[0], PARCEL[1]).0.unwrap();
    let ground = crate::ground::ground(&model, &mut Run::default()).unwrap();
    let case = Case::of(Instance::new(ground));
    let arguments = |fact: &GroundFact| match fact {
        GroundFact::Atom(_, arguments) => arguments.len(),
        _ => unreachable!("there are only atoms"),
    };
    let mut facts = case.instance.facts.iter();
    let loaded = facts.position(|fact| arguments(fact) == 0).unwrap();
    let places = &case.variables().places;
    let in_town = places[case.instance.goal.positive[0] as usize];
    let loaded = places[loaded];
    assert_eq!(loaded.0, in_town.0, "the parcel is in one place");
    let before = case.problem.before(loaded, &mut 0).unwrap();
    let mut later = case.problem.without(&before);
    later[0].1.sort_unstable();
    let mut expected = vec![loaded.1, in_town.1];
    expected.sort_unstable();
    assert_eq!(later, [(loaded.0, expected)]);
    // To load is one step; to be in town, and all there is to do, three.
    let first = case.values(&start(&case.instance));
    for (aim, least) in [
        (Aim::Any(later), 1),
        (Aim::Any(case.goal()), 3),
        (Aim::All(case.goal()), 3),
    ] {
        let abstraction = case.refine(&aim, 100);
        let distances = abstraction.distances(&case.costs);
        assert_eq!(distances[abstraction.map.state(&first) as usize], least);
    }
}

#[test]
fn what_is_too_far_for_small_numbers_is_not_dead() {
    // A counter of six bits: the dearest action is executed 32 times.
    let count = |bit: u32| GroundAction {
        schema: None,
        arguments: [].into(),
        precondition: Condition {
            positive: (0..bit).collect(),
            negative: vec![bit],
        },
        add: vec![bit],
        delete: (0..bit).collect(),
        conditional: Vec::new(),
        cost: Cost::from(if bit == 0 { 1_000_000_000_000 } else { 1 }),
    };
    let mut ground = Ground {
        facts: (0..6).map(GroundFact::Helper).collect(),
        actions: (0..6).map(count).collect(),
        ..Ground::default()
    };
    ground.goal.positive = (0..6).collect();
    let instance = Instance::new(ground);
    let outcome = Classical::patterns()
        .solve(&instance, &mut Run::default())
        .unwrap();
    assert_eq!(outcome.answers[0].steps.len(), 63);
}
