//! Executing a grounded problem: states, actions, derived facts.
//!
//! The one place that says what an action does to a state, for every forward
//! search. Derived facts are kept in the state like others and recomputed
//! after each change.

use rustc_hash::FxHashMap;

use crate::ground::{ActionIndex, Condition, Ground};

use crate::state::states::{clear, has, set};
use crate::state::values::Values;

/// A grounded problem prepared for execution.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) ground: Ground,
    /// Words per state.
    pub(crate) words: usize,
    /// How many of them are facts; they come first.
    pub(crate) fact_words: usize,
    /// The numbers of states.
    pub(crate) values: Values,
    /// Facts that are the head of a rule.
    pub(crate) derived: Vec<u32>,
    /// Rules by layer, lowest first.
    layers: Vec<Layer>,
    /// There are no rules.
    plain: bool,
}

impl World {
    /// Prepares a problem.
    pub(crate) fn new(ground: Ground) -> World {
        let mut derived: Vec<u32> = ground.axioms.iter().map(|axiom| axiom.head).collect();
        derived.sort_unstable();
        derived.dedup();
        let depth = ground.axioms.iter().map(|axiom| axiom.layer + 1).max();
        let mut layers = vec![Layer::default(); depth.unwrap_or(0) as usize];
        for (index, axiom) in ground.axioms.iter().enumerate() {
            layers[axiom.layer as usize].add(index as u32, &ground);
        }
        let fact_words = ground.facts.len().div_ceil(64).max(1);
        let values = Values::new(&ground, fact_words);
        World {
            words: fact_words + values.words(),
            fact_words,
            values,
            derived,
            layers,
            plain: ground.axioms.is_empty(),
            ground,
        }
    }

    /// The state at the start, derived facts included.
    pub(crate) fn initial(&self) -> Vec<u64> {
        let mut state = vec![0; self.words];
        for &fact in &self.ground.init {
            set(&mut state, fact);
        }
        self.values.start(&self.ground, &mut state);
        self.derive(&mut state);
        state
    }

    /// The words of a state that hold facts.
    #[inline]
    pub(crate) fn facts<'s>(&self, state: &'s [u64]) -> &'s [u64] {
        &state[..self.fact_words]
    }

    /// True if the condition holds in the state.
    #[inline]
    pub(crate) fn holds(&self, condition: &Condition, state: &[u64]) -> bool {
        condition.positive.iter().all(|&fact| has(state, fact))
            && condition.negative.iter().all(|&fact| !has(state, fact))
    }

    /// True if the precondition of the action holds in the state. Whether its
    /// effects make sense there, [`World::apply`] says.
    #[inline]
    pub(crate) fn applicable(&self, action: ActionIndex, state: &[u64]) -> bool {
        self.holds(&self.ground.actions[action as usize].precondition, state)
    }

    /// Executes an action whose precondition holds. If that cannot be done, for
    /// the sake of its numbers, the state is left as it was, and the answer is
    /// false.
    #[must_use]
    pub(crate) fn apply(&self, action: ActionIndex, state: &mut [u64]) -> bool {
        if self.ground.numbers.changes_of(action).is_empty() {
            self.change_facts(action, state);
            self.derive(state);
            return true;
        }
        let holds = |condition: &Condition| self.holds(condition, state);
        let Some(after) = self.values.after(&self.ground, action, state, holds) else {
            return false;
        };
        self.change_facts(action, state);
        self.values.write(&after, state);
        for &(fact, holds) in &after.facts {
            match holds {
                true => set(state, fact),
                false => clear(state, fact),
            }
        }
        self.derive(state);
        true
    }

    fn change_facts(&self, action: ActionIndex, state: &mut [u64]) {
        let action = &self.ground.actions[action as usize];
        if action.conditional.is_empty() {
            action.delete.iter().for_each(|&fact| clear(state, fact));
            action.add.iter().for_each(|&fact| set(state, fact));
        } else {
            let fires: Vec<bool> = action
                .conditional
                .iter()
                .map(|effect| self.holds(&effect.condition, state))
                .collect();
            let fired = || {
                let pairs = action.conditional.iter().zip(&fires);
                pairs.filter(|(_, fires)| **fires).map(|(effect, _)| effect)
            };
            action.delete.iter().for_each(|&fact| clear(state, fact));
            for effect in fired() {
                effect.delete.iter().for_each(|&fact| clear(state, fact));
            }
            action.add.iter().for_each(|&fact| set(state, fact));
            for effect in fired() {
                effect.add.iter().for_each(|&fact| set(state, fact));
            }
        }
    }

    /// True if the goal holds.
    #[inline]
    pub(crate) fn is_goal(&self, state: &[u64]) -> bool {
        self.holds(&self.ground.goal, state)
    }

    /// Recomputes the derived facts, layer by layer. A rule is looked at once,
    /// and again when a fact of its own layer that it needs is derived.
    fn derive(&self, state: &mut [u64]) {
        if self.plain {
            return;
        }
        for &fact in &self.derived {
            clear(state, fact);
        }
        let mut open = Vec::new();
        for layer in &self.layers {
            for &index in &layer.rules {
                self.fire(index, state, &mut open);
            }
            while let Some(fact) = open.pop() {
                for &index in layer.needed_by.get(&fact).map_or(&[][..], Vec::as_slice) {
                    self.fire(index, state, &mut open);
                }
            }
        }
    }

    /// Derives a rule's head if its condition holds.
    #[inline]
    fn fire(&self, index: u32, state: &mut [u64], open: &mut Vec<u32>) {
        let axiom = &self.ground.axioms[index as usize];
        if !has(state, axiom.head) && self.holds(&axiom.condition, state) {
            set(state, axiom.head);
            open.push(axiom.head);
        }
    }
}

/// Rules that may need each other's heads.
#[derive(Clone, Default)]
struct Layer {
    rules: Vec<u32>,
    /// For each fact derived here, the rules here that need it.
    needed_by: FxHashMap<u32, Vec<u32>>,
}

impl Layer {
    fn add(&mut self, index: u32, ground: &Ground) {
        self.rules.push(index);
        for &fact in &ground.axioms[index as usize].condition.positive {
            self.needed_by.entry(fact).or_default().push(index);
        }
    }
}
