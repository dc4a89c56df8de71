//! Actions and rules for derived predicates: they wait for facts, fire, and
//! make others reached.

use planoku_engine::{Run, Stop};

use super::super::condition::Form;
use super::super::lower::{Literal, Pattern};
use super::super::relation::NONE;
use super::{PreparedEffect, Reach, Waiter, Waiting};

impl<'a> Reach<'a> {
    /// Numbers an action instance; a new one fires as soon as it can.
    pub(super) fn ask_for_action(
        &mut self,
        action: usize,
        tuple: &[u32],
        run: &mut Run<'_>,
    ) -> Result<u32, Stop> {
        let (row, new) = self.action_tables[action].table.intern(tuple);
        if !new {
            return Ok(self.action_tables[action].ids[row as usize]);
        }
        let number = self.actions.len() as u32;
        self.action_tables[action].ids.push(number);
        self.actions.push((action as u32, row));
        self.executable.push(false);
        self.action_watch.push(NONE);
        let schema = &self.world.schemas.actions[action];
        let width = schema.variables.len();
        let ranges = &self.world.schemas.ranges;
        let typed = tuple
            .iter()
            .zip(&schema.variables)
            .all(|(&object, &range)| ranges[range].member[object as usize]);
        let mut values = tuple.to_vec();
        values.resize(width, 0);
        if !typed {
            return Ok(number);
        }
        if !self.rest_is_conceivable(|reach| &mut reach.action_conditions[action], &values, run)? {
            return Ok(number);
        }
        let literals = std::mem::take(&mut self.action_conditions[action].literals);
        let missing = self.missing_facts(&literals, &values);
        self.action_conditions[action].literals = literals;
        match missing {
            None => {}
            Some(facts) if facts.is_empty() => self.execute(number, run)?,
            Some(facts) => self.wait(&facts, Waiter::Action(number)),
        }
        Ok(number)
    }

    /// The facts among the literals that have not been reached; `None` if some
    /// literal can never hold.
    pub(super) fn missing_facts(
        &mut self,
        literals: &[Literal],
        values: &[u32],
    ) -> Option<Vec<u32>> {
        let mut missing = Vec::new();
        for literal in literals {
            if !self.world.conceivable(literal, values) {
                return None;
            }
            if let Literal::Atom(atom, true) = literal
                && self.world.schemas.grows[atom.predicate]
            {
                let fact = self.fact(atom, values);
                if !self.reached[fact as usize] {
                    missing.push(fact);
                }
            }
        }
        missing.sort_unstable();
        missing.dedup();
        Some(missing)
    }

    pub(super) fn fact(&mut self, atom: &Pattern, values: &[u32]) -> u32 {
        let fact = self.world.instance(atom, values);
        if self.reached.len() < self.world.facts.len() {
            self.reached.resize(self.world.facts.len(), false);
        }
        fact
    }

    pub(super) fn wait(&mut self, facts: &[u32], what: Waiter) {
        let waiting = self.waiting.len() as u32;
        self.waiting.push(Waiting {
            left: facts.len() as u32,
            what,
        });
        for &fact in facts {
            if self.fact_watch.len() <= fact as usize {
                self.fact_watch.resize(fact as usize + 1, NONE);
            }
            let watch = &mut self.fact_watch[fact as usize];
            self.fact_watches.push((waiting, *watch));
            *watch = self.fact_watches.len() as u32 - 1;
        }
    }

    /// Whoever waited for a fact goes on.
    pub(super) fn wake(&mut self, fact: u32, run: &mut Run<'_>) -> Result<(), Stop> {
        let Some(watch) = self.fact_watch.get_mut(fact as usize) else {
            return Ok(());
        };
        let mut watch = std::mem::replace(watch, NONE);
        while watch != NONE {
            let (waiting, next) = self.fact_watches[watch as usize];
            watch = next;
            let waiting = &mut self.waiting[waiting as usize];
            waiting.left -= 1;
            if waiting.left == 0 {
                match std::mem::replace(&mut waiting.what, Waiter::Facts(vec![])) {
                    Waiter::Action(action) => self.execute(action, run)?,
                    Waiter::Facts(facts) => facts.iter().for_each(|&fact| self.reach(fact)),
                }
            }
        }
        self.spread(run)
    }

    /// An action fires: its effects are reached, at once or when their own
    /// conditions are.
    pub(super) fn execute(&mut self, number: u32, run: &mut Run<'_>) -> Result<(), Stop> {
        self.executable[number as usize] = true;
        let watch = std::mem::replace(&mut self.action_watch[number as usize], NONE);
        self.tell(watch);
        let (action, row) = self.actions[number as usize];
        let action = action as usize;
        let mut values = self.action_tables[action].table.row(row).to_vec();
        values.resize(self.schemas().actions[action].variables.len(), 0);
        let effects = std::mem::take(&mut self.action_effects[action]);
        let mut result = Ok(());
        for effect in &effects {
            result = self.apply(effect, &values, run);
            if result.is_err() {
                break;
            }
        }
        self.action_effects[action] = effects;
        result
    }

    pub(super) fn apply(
        &mut self,
        effect: &PreparedEffect,
        values: &[u32],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        if effect.add.is_empty() {
            return Ok(());
        }
        let found;
        let bindings = if effect.steps.is_empty() {
            values
        } else {
            found = self.world.matches(&effect.steps, values, run)?;
            &found[..]
        };
        let count = bindings.len().checked_div(values.len()).unwrap_or(1);
        'bindings: for at in 0..count {
            let values = &bindings[at * values.len()..(at + 1) * values.len()];
            let Some(missing) = self.missing_facts(&effect.when.literals, values) else {
                continue;
            };
            for part in &effect.when.rest {
                if self.world.residual(part, values, run)? == Form::False {
                    continue 'bindings;
                }
            }
            let facts: Vec<u32> = effect.add.iter().map(|a| self.fact(a, values)).collect();
            if missing.is_empty() {
                facts.iter().for_each(|&fact| self.reach(fact));
            } else {
                self.wait(&missing, Waiter::Facts(facts));
            }
        }
        Ok(())
    }

    pub(super) fn reach(&mut self, fact: u32) {
        if !std::mem::replace(&mut self.reached[fact as usize], true) {
            self.queue.push(self.world.facts[fact as usize]);
        }
    }

    /// A rule for a derived predicate fires.
    pub(super) fn derive(
        &mut self,
        x: usize,
        values: &[u32],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        if !self.rest_is_conceivable(|reach| &mut reach.axiom_conditions[x], values, run)? {
            return Ok(());
        }
        let head = self.schemas().axioms[x].head.clone();
        let fact = self.fact(&head, values);
        self.reach(fact);
        self.axioms.push((x as u32, values.into()));
        Ok(())
    }
}
