//! Grounded problems as others read them: what is written means what was
//! grounded. SAS+ is read by a reader and searched by a Dijkstra of this test's
//! own; grounded PDDL and HDDL by our reader again. Both must agree with the
//! oracle on whether there is a plan and what the cheapest costs.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::str::Lines;

use planoku_engine::{End, Engine, Run};
use planoku_planning::Instance;
use planoku_planning::ground::{GroundError, ground, pddl, sas};
use planoku_planning::model::Model;
use planoku_planning::planners::optimal;
use planoku_torture::dice::Dice;
use planoku_torture::generate::{Kind, problem_of};
use planoku_torture::oracle::{EFFORT, truth};
use planoku_torture::print::texts;
use planoku_torture::problem::Amount;

/// `Some(None)` if there is no plan; `None` if it was too much to find out.
type Cheapest = Option<Option<Amount>>;

#[test]
fn sas_says_what_the_oracle_knows() {
    let (mut with, mut without, mut axioms) = (0, 0, 0);
    for seed in 0..1_000 {
        let mut dice = Dice::seeded(seed);
        let problem = problem_of(&mut dice, Kind::Classical, (seed % 3) as usize);
        let known = truth(&problem, EFFORT);
        let (domain, instance) = texts(&problem);
        let Some(model) = planoku_planning::read(&domain, &instance).0 else {
            continue;
        };
        let grounded = match ground(&model, &mut Run::limit(1)) {
            Ok(grounded) => grounded,
            Err(GroundError::Refuted(_)) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        // Prices at the edges of 64 bits are refused, not cut off.
        let Ok(text) = sas::text(&grounded, &model) else {
            continue;
        };
        axioms += usize::from(!grounded.axioms.is_empty());
        let Some(found) = Sas::read(&text).cheapest(20_000) else {
            continue;
        };
        let found = found.map(Amount::whole);
        match known.exists {
            Some(exists) => assert_eq!(
                found.is_some(),
                exists,
                "seed {seed}\n{domain}\n{instance}\n{text}"
            ),
            None => continue,
        }
        if let Some(cheapest) = known.cheapest {
            assert_eq!(
                found,
                Some(cheapest),
                "seed {seed}\n{domain}\n{instance}\n{text}"
            );
            with += 1;
        } else {
            without += 1;
        }
    }
    assert!(
        with > 200 && without > 4 && axioms > 30,
        "{with} {without} {axioms}"
    );
}

#[test]
fn grounded_texts_have_the_same_cheapest_plans() {
    let mut agreed = [0; 3];
    let kinds = [Kind::Classical, Kind::Total, Kind::Partial];
    for (kind, agreed) in kinds.into_iter().zip(&mut agreed) {
        for seed in 0..120 {
            let mut dice = Dice::seeded(seed);
            let problem = problem_of(&mut dice, kind, (seed % 3) as usize);
            let (domain, instance) = texts(&problem);
            let Some(model) = planoku_planning::read(&domain, &instance).0 else {
                continue;
            };
            let Ok(grounded) = ground(&model, &mut Run::limit(1)) else {
                continue;
            };
            let (again, instance) = pddl::texts(&grounded, &model);
            let (read, found) = planoku_planning::read(&again, &instance);
            let sources = [("domain", again.as_str()), ("problem", instance.as_str())];
            let read = read.unwrap_or_else(|| panic!("seed {seed}: {}", found.brief(&sources)));
            let (Some(before), Some(after)) = (cheapest(&model), cheapest(&read)) else {
                continue;
            };
            assert_eq!(before, after, "seed {seed}\n{domain}\n{again}\n{instance}");
            *agreed += 1;
        }
    }
    assert!(agreed.iter().all(|it| *it > 40), "{agreed:?}");
}

/// By our own optimal planners, whom other tests judge.
fn cheapest(model: &Model) -> Cheapest {
    let problem = match ground(model, &mut Run::limit(1)) {
        Ok(problem) => Instance::new(problem),
        Err(GroundError::Refuted(_)) => return Some(None),
        Err(_) => return None,
    };
    let mut run = Run::limit(1).with_nodes(3_000);
    let outcome = optimal(&problem).solve(&problem, &mut run).ok()?;
    match outcome.answers.first() {
        Some(found) => {
            let plan = found.plan(&problem).unwrap();
            let cost = planoku_planning::verify::verify(model, &plan).unwrap().cost;
            Some(Amount::read(&model.show_cost(cost).to_string()))
        }
        None if outcome.end == End::Exhausted => Some(None),
        None => None,
    }
}

/// What a SAS+ text says, as the format is documented.
struct Sas {
    layers: Vec<i64>,
    mutexes: Vec<Vec<(usize, u8)>>,
    start: Vec<u8>,
    goal: Vec<(usize, u8)>,
    operators: Vec<Operator>,
    axioms: Vec<Effect>,
    costs: bool,
}

struct Operator {
    prevail: Vec<(usize, u8)>,
    effects: Vec<Effect>,
    cost: u64,
}

struct Effect {
    conditions: Vec<(usize, u8)>,
    variable: usize,
    before: i64,
    after: u8,
}

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(lines: &mut Lines<'_>) -> T {
    lines.next().unwrap().parse().unwrap()
}

fn expect(lines: &mut Lines<'_>, word: &str) {
    assert_eq!(lines.next(), Some(word));
}

fn pairs(lines: &mut Lines<'_>) -> Vec<(usize, u8)> {
    let count: usize = number(lines);
    let pair = |line: &str| {
        let (variable, value) = line.split_once(' ').unwrap();
        (variable.parse().unwrap(), value.parse().unwrap())
    };
    (0..count).map(|_| pair(lines.next().unwrap())).collect()
}

impl Sas {
    fn read(text: &str) -> Sas {
        let lines = &mut text.lines();
        for word in ["begin_version", "3", "end_version", "begin_metric"] {
            expect(lines, word);
        }
        let costs = number::<u8>(lines) == 1;
        expect(lines, "end_metric");
        let variables: usize = number(lines);
        let mut layers = Vec::new();
        for at in 0..variables {
            expect(lines, "begin_variable");
            expect(lines, &format!("var{at}"));
            layers.push(number(lines));
            let values: usize = number(lines);
            let names: Vec<&str> = lines.by_ref().take(values).collect();
            let (last, atoms) = names.split_last().unwrap();
            assert!(atoms.iter().all(|it| it.starts_with("Atom ")), "{names:?}");
            match atoms {
                [atom] => assert!(last.starts_with("Atom ") || *last == format!("Negated{atom}")),
                _ => assert!(last.starts_with("Atom ") || *last == "<none of those>"),
            }
            expect(lines, "end_variable");
        }
        let count: usize = number(lines);
        let mut mutexes = Vec::new();
        for _ in 0..count {
            expect(lines, "begin_mutex_group");
            mutexes.push(pairs(lines));
            expect(lines, "end_mutex_group");
        }
        expect(lines, "begin_state");
        let start: Vec<u8> = (0..variables).map(|_| number(lines)).collect();
        expect(lines, "end_state");
        expect(lines, "begin_goal");
        let goal = pairs(lines);
        expect(lines, "end_goal");
        let count: usize = number(lines);
        let operators = (0..count).map(|_| Operator::read(lines)).collect();
        let count: usize = number(lines);
        let axiom = |lines: &mut Lines<'_>| {
            expect(lines, "begin_rule");
            let conditions = pairs(lines);
            let last: Vec<i64> = lines
                .next()
                .unwrap()
                .split(' ')
                .map(|it| it.parse().unwrap())
                .collect();
            expect(lines, "end_rule");
            Effect {
                conditions,
                variable: last[0] as usize,
                before: last[1],
                after: last[2] as u8,
            }
        };
        let axioms: Vec<Effect> = (0..count).map(|_| axiom(lines)).collect();
        assert_eq!(lines.next(), None);
        assert!(
            axioms
                .iter()
                .all(|it| it.before == i64::from(start[it.variable]))
        );
        Sas {
            layers,
            mutexes,
            start,
            goal,
            operators,
            axioms,
            costs,
        }
    }

    /// Derived variables begin at their default; layer by layer to a fixed point.
    fn derived(&self, mut state: Vec<u8>) -> Vec<u8> {
        for (variable, layer) in self.layers.iter().enumerate() {
            if *layer >= 0 {
                state[variable] = self.start[variable];
            }
        }
        let last = self.layers.iter().max().copied().unwrap_or(-1);
        for layer in 0..=last {
            loop {
                let mut changed = false;
                for axiom in self
                    .axioms
                    .iter()
                    .filter(|it| self.layers[it.variable] == layer)
                {
                    if holds(&axiom.conditions, &state) && state[axiom.variable] != axiom.after {
                        state[axiom.variable] = axiom.after;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        state
    }

    /// What the cheapest plan costs, looking at so many states.
    fn cheapest(&self, most: usize) -> Option<Option<u64>> {
        let start = self.derived(self.start.clone());
        let mut best = HashMap::from([(start.clone(), 0)]);
        let mut open = BinaryHeap::from([Reverse((0, start))]);
        while let Some(Reverse((cost, state))) = open.pop() {
            if best[&state] < cost {
                continue;
            }
            for group in &self.mutexes {
                let held = group.iter().filter(|&&fact| holds(&[fact], &state));
                assert!(held.count() <= 1, "{group:?} in {state:?}");
            }
            if holds(&self.goal, &state) {
                return Some(Some(cost));
            }
            if best.len() > most {
                return None;
            }
            for operator in &self.operators {
                if let Some(after) = operator.apply(&state) {
                    let after = self.derived(after);
                    let cost = cost + if self.costs { operator.cost } else { 1 };
                    if best.get(&after).is_none_or(|&known| cost < known) {
                        best.insert(after.clone(), cost);
                        open.push(Reverse((cost, after)));
                    }
                }
            }
        }
        Some(None)
    }
}

fn holds(conditions: &[(usize, u8)], state: &[u8]) -> bool {
    conditions
        .iter()
        .all(|&(variable, value)| state[variable] == value)
}

impl Operator {
    fn read(lines: &mut Lines<'_>) -> Operator {
        expect(lines, "begin_operator");
        lines.next().unwrap();
        let prevail = pairs(lines);
        let count: usize = number(lines);
        // Fast Downward refuses others.
        assert!(count > 0, "an operator without effects");
        let effect = |line: &str| {
            let numbers: Vec<i64> = line.split(' ').map(|it| it.parse().unwrap()).collect();
            let conditions = numbers[0] as usize;
            assert_eq!(numbers.len(), 2 * conditions + 4);
            let pairs = numbers[1..].chunks(2).take(conditions);
            Effect {
                conditions: pairs.map(|it| (it[0] as usize, it[1] as u8)).collect(),
                variable: numbers[2 * conditions + 1] as usize,
                before: numbers[2 * conditions + 2],
                after: numbers[2 * conditions + 3] as u8,
            }
        };
        let effects = (0..count).map(|_| effect(lines.next().unwrap())).collect();
        let cost = number(lines);
        expect(lines, "end_operator");
        Operator {
            prevail,
            effects,
            cost,
        }
    }

    fn apply(&self, state: &[u8]) -> Option<Vec<u8>> {
        let fits = |it: &Effect| it.before == -1 || it.before == i64::from(state[it.variable]);
        if !holds(&self.prevail, state) || !self.effects.iter().all(fits) {
            return None;
        }
        let mut after = state.to_vec();
        let mut set: HashMap<usize, u8> = HashMap::new();
        for effect in self
            .effects
            .iter()
            .filter(|it| holds(&it.conditions, state))
        {
            // Fast Downward leaves the order open: effects must not disagree.
            let value = *set.entry(effect.variable).or_insert(effect.after);
            assert_eq!(value, effect.after, "effects disagree");
            after[effect.variable] = effect.after;
        }
        Some(after)
    }
}
