//! Executing a grounded problem: states, actions, derived facts.
//!
//! The one place that says what an action does to a state, for every forward
//! search. Derived facts are kept in the state like others and recomputed
//! after each change.

use rustc_hash::FxHashMap;

use crate::ground::{ActionIndex, Condition, Ground};

use crate::state::states::{clear, has, set};

/// A grounded problem prepared for execution.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) ground: Ground,
    /// Words per state.
    pub(crate) words: usize,
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
        World {
            words: ground.facts.len().div_ceil(64).max(1),
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
        self.derive(&mut state);
        state
    }

    /// True if the condition holds in the state.
    #[inline]
    pub(crate) fn holds(&self, condition: &Condition, state: &[u64]) -> bool {
        condition.positive.iter().all(|&fact| has(state, fact))
            && condition.negative.iter().all(|&fact| !has(state, fact))
    }

    /// True if the action can be executed in the state.
    #[inline]
    pub(crate) fn applicable(&self, action: ActionIndex, state: &[u64]) -> bool {
        self.holds(&self.ground.actions[action as usize].precondition, state)
    }

    /// Executes an action whose precondition holds.
    pub(crate) fn apply(&self, action: ActionIndex, state: &mut [u64]) {
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
        self.derive(state);
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
