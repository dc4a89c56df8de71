//! The formula of a loop, one step of laps after the other.

use planoku_constraints::cnf::Lit;
use planoku_constraints::sat::Sat;
use planoku_engine::{Run, Stop};

use super::body::{Body, Unit, UnitId};
use crate::ground::{FactIndex, Ground, MethodIndex};
use crate::satplan::formula::Formula;

/// Says what steps of laps there may be.
pub(super) struct Clauses<'a> {
    pub(super) formula: Formula,
    /// For each step a literal for each unit.
    pub(super) steps: Vec<Vec<Lit>>,
    ground: &'a Ground,
    body: &'a Body,
    /// For each fact, whether it holds now.
    now: Vec<Lit>,
    /// For each way to leave, that it can be taken at the end asked for last.
    leaves: Vec<Lit>,
    by_fact: Vec<Touching>,
}

/// The units that have to do with a fact that changes.
#[derive(Clone, Default)]
struct Touching {
    fact: FactIndex,
    add: Vec<UnitId>,
    delete: Vec<UnitId>,
    /// Need it, or need that it does not hold, and do not change it.
    only_need: Vec<UnitId>,
}

impl<'a> Clauses<'a> {
    /// Says what holds at the start.
    pub(super) fn new(ground: &'a Ground, body: &'a Body) -> Clauses<'a> {
        let formula = Formula::new(Sat::new(), false);
        let mut now = vec![formula.no(); ground.facts.len()];
        for &fact in &ground.init {
            now[fact as usize] = formula.yes();
        }
        Clauses {
            formula,
            steps: Vec::new(),
            ground,
            body,
            now,
            leaves: Vec::new(),
            by_fact: by_fact(body),
        }
    }

    /// A literal to assume: the loop is left now, and the goal holds.
    pub(super) fn done(&mut self) -> Lit {
        let done = self.formula.new_lit();
        self.formula.require(done, &self.ground.goal, &self.now);
        self.leaves.clear();
        for &method in &self.body.leaves {
            let condition = &self.ground.methods[method as usize].precondition;
            let leave = self.formula.all(done, condition, &self.now);
            self.leaves.push(leave);
        }
        self.formula.add_with(&[!done], &self.leaves);
        done
    }

    /// How the loop is left, by the last satisfying assignment.
    pub(super) fn leaving(&self) -> MethodIndex {
        let mut ways = self.body.leaves.iter().zip(&self.leaves);
        let way = ways.find(|(_, lit)| self.holds(**lit));
        *way.expect("a loop that is done has been left").0
    }

    /// Whether a literal holds in the last satisfying assignment.
    pub(super) fn holds(&self, lit: Lit) -> bool {
        self.formula.sat.value(lit.var()) == lit.is_positive()
    }

    /// Says one more step: any laps that do not interfere.
    pub(super) fn step(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        run.tick()?;
        run.check_memory(self.formula.bytes())?;
        let before = self.formula.literals();
        let formula = &mut self.formula;
        let units: Vec<Lit> = self.body.units.iter().map(|_| formula.new_lit()).collect();
        let mut next = self.now.clone();
        for touching in &self.by_fact {
            next[touching.fact as usize] = formula.new_lit();
        }
        self.say_units(&units, &next);
        self.say_tasks(&units);
        self.say_facts(&units, &next);
        self.now = next;
        self.steps.push(units);
        run.effort(self.formula.literals() - before)
    }

    /// What units need and do.
    fn say_units(&mut self, units: &[Lit], next: &[Lit]) {
        for (unit, &lit) in self.body.units.iter().zip(units) {
            self.formula.require(lit, &unit.needs, &self.now);
            for &fact in &unit.add {
                self.formula.add(&[!lit, next[fact as usize]]);
            }
            for &fact in &unit.delete {
                self.formula.add(&[!lit, !next[fact as usize]]);
            }
        }
    }

    /// A task is carried out in one way if a unit has it as a part. What changes
    /// something is a part of one unit only.
    fn say_tasks(&mut self, units: &[Lit]) {
        let lits = |ids: &[UnitId]| -> Vec<Lit> { ids.iter().map(|&it| units[it]).collect() };
        for task in &self.body.tasks {
            let (parents, ways) = (lits(&task.parents), lits(&task.units));
            let holds = self.formula.any(&parents);
            if task.changes {
                self.formula.at_most_one(&parents);
            }
            self.formula.add_with(&[!holds], &ways);
            for &way in &ways {
                self.formula.add(&[!way, holds]);
            }
            self.formula.at_most_one(&ways);
        }
    }

    /// A fact changes if one unit changes it, and then it is nobody else's.
    fn say_facts(&mut self, units: &[Lit], next: &[Lit]) {
        let lits = |ids: &[UnitId]| -> Vec<Lit> { ids.iter().map(|&it| units[it]).collect() };
        for touching in &self.by_fact {
            let (add, delete) = (lits(&touching.add), lits(&touching.delete));
            let (now, next) = (
                self.now[touching.fact as usize],
                next[touching.fact as usize],
            );
            self.formula.add_with(&[now, !next], &add);
            self.formula.add_with(&[!now, next], &delete);
            let change: Vec<Lit> = add.into_iter().chain(delete).collect();
            self.formula.at_most_one(&change);
            if !touching.only_need.is_empty() {
                let changed = self.formula.any(&change);
                for &unit in &touching.only_need {
                    self.formula.add(&[!changed, !units[unit]]);
                }
            }
        }
    }
}

fn by_fact(body: &Body) -> Vec<Touching> {
    let of = |fact: &FactIndex| Touching {
        fact: *fact,
        ..Touching::default()
    };
    let mut all: Vec<Touching> = body.changing.iter().map(of).collect();
    for (id, unit) in body.units.iter().enumerate() {
        let place = |fact: &FactIndex| body.changing.binary_search(fact).ok();
        for place in unit.add.iter().filter_map(place) {
            all[place].add.push(id);
        }
        for place in unit.delete.iter().filter_map(place) {
            all[place].delete.push(id);
        }
        let Unit { add, delete, .. } = unit;
        let needs = unit.needs.positive.iter().chain(&unit.needs.negative);
        let only = needs.filter(|it| !add.contains(it) && !delete.contains(it));
        for place in only.filter_map(place) {
            if all[place].only_need.last() != Some(&id) {
                all[place].only_need.push(id);
            }
        }
    }
    all
}
