//! The classical models of this project: without mistakes, solved, and on the
//! small ones solved as cheaply as plain search says.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::path::{Path, PathBuf};

use planoku_engine::{End, Engine, Run};
use planoku_planning::Instance;
use planoku_planning::check::{Thoroughness, check};
use planoku_planning::cost::Cost;
use planoku_planning::ground::{Condition, Ground, ground};
use planoku_planning::model::{Model, resolve::Options};
use planoku_planning::planners::planners;
use planoku_planning::portfolio::Portfolio;
use planoku_planning::search::Classical;
use planoku_planning::syntax::Tree;
use planoku_planning::verify::verify;

const SIZES: [&str; 3] = ["small", "medium", "large"];

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/classical");
    let entries = std::fs::read_dir(root).unwrap().flatten();
    let mut list: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    list.retain(|path| path.is_dir());
    list.sort();
    list
}

fn read(folder: &Path, size: &str) -> Model {
    let problem = folder.join(format!("{size}.pddl"));
    planoku_planning::read_files(&folder.join("domain.pddl"), &problem).unwrap()
}

fn grounded(folder: &Path, size: &str) -> (Model, Instance) {
    let model = read(folder, size);
    let problem = Instance::new(ground(&model, &mut Run::default()).unwrap());
    (model, problem)
}

/// A state as plain search sees it: the facts that hold.
type State = BTreeSet<u32>;

fn holds(condition: &Condition, state: &State) -> bool {
    condition.positive.iter().all(|fact| state.contains(fact))
        && !condition.negative.iter().any(|fact| state.contains(fact))
}

/// Derived facts, by trying every rule until nothing changes, a layer at a
/// time.
fn derive(ground: &Ground, state: &mut State) {
    for axiom in &ground.axioms {
        state.remove(&axiom.head);
    }
    let top = ground.axioms.iter().map(|axiom| axiom.layer).max();
    for layer in 0..=top.unwrap_or(0) {
        let mut size = usize::MAX;
        while size != state.len() {
            size = state.len();
            for axiom in ground.axioms.iter().filter(|axiom| axiom.layer == layer) {
                if holds(&axiom.condition, state) {
                    state.insert(axiom.head);
                }
            }
        }
    }
}

/// The least any plan costs, by looking at every state in order of cost;
/// `None` if there is no plan.
fn cheapest(ground: &Ground) -> Option<Cost> {
    let mut start: State = ground.init.iter().copied().collect();
    derive(ground, &mut start);
    let mut best = HashMap::from([(start.clone(), Cost::ZERO)]);
    let mut open = BinaryHeap::from([Reverse((Cost::ZERO, start))]);
    while let Some(Reverse((cost, state))) = open.pop() {
        if best[&state] < cost {
            continue;
        }
        if holds(&ground.goal, &state) {
            return Some(cost);
        }
        for action in &ground.actions {
            if !holds(&action.precondition, &state) {
                continue;
            }
            let mut next = state.clone();
            let fired = action.conditional.iter();
            let fired: Vec<_> = fired.filter(|it| holds(&it.condition, &state)).collect();
            let deletes = fired.iter().flat_map(|it| &it.delete);
            for fact in action.delete.iter().chain(deletes) {
                next.remove(fact);
            }
            let adds = fired.iter().flat_map(|it| &it.add);
            next.extend(action.add.iter().chain(adds).copied());
            derive(ground, &mut next);
            let cost = cost + action.cost;
            if best.get(&next).is_none_or(|&known| cost < known) {
                best.insert(next.clone(), cost);
                open.push(Reverse((cost, next)));
            }
        }
    }
    None
}

#[test]
fn there_are_ten_models_or_more_and_none_has_a_mistake() {
    let folders = folders();
    assert!(folders.len() >= 10, "{}", folders.len());
    for folder in folders {
        for size in SIZES {
            let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
            let problem = format!("{size}.pddl");
            let found = check(
                &Tree::read(text("domain.pddl"), 0),
                Some(&Tree::read(text(&problem), 1)),
                Options::default(),
                Thoroughness::default(),
            );
            let mistakes: Vec<&str> = found.list.iter().map(|it| it.code.name).collect();
            let name = folder.join(problem);
            assert!(mistakes.is_empty(), "{}: {mistakes:?}", name.display());
        }
    }
}

#[test]
fn every_model_of_every_size_is_solved_within_a_few_thousand_nodes() {
    for folder in folders() {
        for size in SIZES {
            let (model, problem) = grounded(&folder, size);
            let mut run = Run::limit(1).with_nodes(100_000);
            let outcome = Classical::first().solve(&problem, &mut run).unwrap();
            let name = format!("{}, {size}", folder.display());
            let found = outcome.answers.first().expect(&name);
            let plan = found.plan(&problem).unwrap();
            verify(&model, &plan).unwrap_or_else(|broken| panic!("{name}: {broken}"));
        }
    }
}

#[test]
fn the_portfolio_solves_every_small_and_medium_one() {
    for folder in folders() {
        for size in &SIZES[..2] {
            let model = read(&folder, size);
            let outcome = Portfolio::default()
                .solve(&model, &mut Run::limit(1))
                .unwrap();
            assert_eq!(outcome.end, End::Enough, "{}, {size}", folder.display());
        }
    }
}

#[test]
fn cheapest_plans_cost_what_plain_search_says_and_no_plan_costs_less() {
    for folder in folders() {
        let (model, problem) = grounded(&folder, "small");
        let least = cheapest(&problem).expect("a plan");
        for engine in Classical::all() {
            let name = format!("{}, {}", folder.display(), engine.name);
            let outcome = engine.solve(&problem, &mut Run::default()).unwrap();
            let plan = outcome.answers[0].plan(&problem).unwrap();
            verify(&model, &plan).unwrap_or_else(|broken| panic!("{name}: {broken}"));
            match engine.is_optimal() {
                true => assert_eq!(plan.cost, Some(least), "{name}"),
                false => assert!(plan.cost >= Some(least), "{name}: {plan:?} < {least:?}"),
            }
            // Nothing is cheaper than the cheapest, and that is proved.
            let bounded = Classical {
                bound: Some(least).into(),
                ..engine
            };
            let outcome = bounded.solve(&problem, &mut Run::default()).unwrap();
            assert!(outcome.answers.is_empty(), "{name}");
            assert_eq!(outcome.end, End::Exhausted, "{name}");
        }
    }
}

#[test]
fn every_way_to_search_states_can_be_asked_for_by_name() {
    let listed: Vec<String> = planners()
        .iter()
        .map(|it| it.profile().name.to_string())
        .collect();
    for name in [
        "strips-first",
        "strips-priced",
        "strips-ff",
        "strips-add",
        "strips-landmarks",
        "strips-leap",
        "strips-eager",
        "strips-weighted",
        "strips-lmcut",
        "strips-max",
        "strips-blind",
    ] {
        assert!(
            listed.iter().any(|it| it == name),
            "{name} is not among {listed:?}"
        );
    }
}
