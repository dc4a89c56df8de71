//! Lists of actions for hierarchical problems: what a planner finds is accepted
//! without its decomposition, and what is spoilt is judged as the oracle does.

use planoku_engine::{Budget, Engine, Run};
use planoku_planning::decompose::{Decomposed, decompose};
use planoku_planning::model::{ActionId, Model, ObjectId};
use planoku_planning::plan::{Plan, Step};
use planoku_planning::portfolio::Portfolio;
use planoku_planning::verify::{Rule, verify};
use planoku_torture::dice::Dice;
use planoku_torture::generate::{Kind, problem_of};
use planoku_torture::oracle::{EFFORT, leads_to};
use planoku_torture::print::{number, texts};
use planoku_torture::problem::Problem;

const TEAM: Portfolio = Portfolio {
    threads: 1,
    seed: 0,
    improves: false,
};

fn run<'a>() -> Run<'a> {
    let budget = Budget {
        nodes: Some(10_000),
        ..Budget::default()
    };
    Run::limit(1).with_budget(budget)
}

#[derive(Default)]
struct Tally {
    plans: usize,
    yes: usize,
    no: usize,
    by_structure: usize,
    open: usize,
}

#[test]
fn lists_for_totally_ordered_problems_are_judged_as_by_the_oracle() {
    let tally = tally(Kind::Total, 0..500);
    assert!(tally.plans > 150, "{} plans", tally.plans);
    assert!(
        tally.yes > 150 && tally.no > 500,
        "{} {}",
        tally.yes,
        tally.no
    );
    assert!(tally.by_structure > 50, "{}", tally.by_structure);
    assert_eq!(tally.open, 0, "parsing decides");
}

#[test]
fn lists_for_partially_ordered_problems_are_judged_as_by_the_oracle() {
    let tally = tally(Kind::Partial, 0..250);
    assert!(tally.plans > 60, "{} plans", tally.plans);
    assert!(
        tally.yes > 60 && tally.no > 200,
        "{} {}",
        tally.yes,
        tally.no
    );
    assert!(tally.by_structure > 10, "{}", tally.by_structure);
    assert!(tally.open * 20 < tally.no, "{} open", tally.open);
}

fn tally(kind: Kind, seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut dice = Dice::seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let problem = problem_of(&mut dice, kind, (seed % 4) as usize);
        let (domain, instance) = texts(&problem);
        let (Some(model), _) = planoku_planning::read(&domain, &instance) else {
            continue;
        };
        let Ok(outcome) = TEAM.solve(&model, &mut run()) else {
            continue;
        };
        let Some(plan) = outcome
            .answers
            .first()
            .filter(|it| verify(&model, it).is_ok())
        else {
            continue;
        };
        tally.plans += 1;
        let steps: Vec<Step> = plan.steps.clone();
        let found = judge(&model, &problem, &steps, seed, &mut tally);
        assert_eq!(
            found,
            Some(true),
            "seed {seed}\n{domain}\n{instance}\n{}",
            plan.text(&model)
        );
        for _ in 0..6 {
            let spoilt = spoil(&model, &steps, &mut dice);
            judge(&model, &problem, &spoilt, seed, &mut tally);
        }
    }
    tally
}

/// Drops, swaps, repeats or replaces a step.
fn spoil(model: &Model, steps: &[Step], dice: &mut Dice<'_>) -> Vec<Step> {
    let mut steps = steps.to_vec();
    let count = steps.len();
    let random = |dice: &mut Dice<'_>| {
        let action = dice.below(model.actions.len());
        let variables = &model.actions[action].variables[..model.actions[action].arity];
        let arguments = variables.iter().map(|variable| {
            let range = model.range(variable);
            (!range.is_empty()).then(|| range[dice.below(range.len())])
        });
        let arguments: Option<Vec<ObjectId>> = arguments.collect();
        arguments.map(|arguments| Step {
            id: 0,
            action: ActionId(action as u32),
            arguments,
        })
    };
    match (dice.below(5), count) {
        (0, 1..) => {
            steps.remove(dice.below(count));
        }
        (1, 2..) => steps.swap(dice.below(count), dice.below(count)),
        (2, 1..) => {
            let step = steps[dice.below(count)].clone();
            steps.insert(dice.below(count + 1), step);
        }
        (3, 1..) => {
            if let Some(step) = random(dice) {
                steps[dice.below(count)] = step;
            }
        }
        _ => {
            if let Some(step) = random(dice) {
                steps.insert(dice.below(count + 1), step);
            }
        }
    }
    steps
}

/// Whether it is a plan; it is not asked what the oracle does not know.
fn judge(
    model: &Model,
    problem: &Problem,
    steps: &[Step],
    seed: u64,
    tally: &mut Tally,
) -> Option<bool> {
    let mut plan = Plan {
        steps: steps.to_vec(),
        ..Plan::default()
    };
    for (id, step) in (0..).zip(&mut plan.steps) {
        step.id = id;
    }
    let found = match decompose(model, &plan, &TEAM, &mut run()).unwrap() {
        Decomposed::Plan(found) => {
            verify(model, &found).unwrap();
            let same = |it: &Plan| -> Vec<_> {
                let steps = it.steps.iter();
                steps.map(|it| (it.action, it.arguments.clone())).collect()
            };
            assert_eq!(same(&found), same(&plan), "seed {seed}");
            Some(true)
        }
        Decomposed::Broken(broken) => {
            tally.by_structure += usize::from(broken.rule == Rule::Decomposition);
            Some(false)
        }
        Decomposed::Stopped(_) | Decomposed::GaveUp => None,
    };
    match found {
        Some(true) => tally.yes += 1,
        Some(false) => tally.no += 1,
        None => tally.open += 1,
    }
    let named = |step: &Step| {
        let action = number('a', &model.actions[step.action.index()].name)?;
        let objects = step
            .arguments
            .iter()
            .map(|it| number('o', &model.objects[it.index()].name));
        Some((action, objects.collect::<Option<Vec<usize>>>()?))
    };
    let named: Option<Vec<_>> = plan.steps.iter().map(named).collect();
    let known = leads_to(problem, &named.expect("the printer's names"), 10 * EFFORT);
    if let (Some(found), Some(known)) = (found, known) {
        let (domain, instance) = texts(problem);
        let list = plan.classical(model);
        assert_eq!(found, known, "seed {seed}\n{domain}\n{instance}\n{list}");
    }
    found
}
