//! Executing a grounded problem: states, actions, derived facts.
//!
//! The one place that says what an action does to a state, for every forward
//! search. Derived facts are kept in the state like others and recomputed
//! after each change.

use crate::ground::{ActionIndex, Condition, Ground};

use super::states::{clear, has, set};

/// A grounded problem prepared for execution.
pub(crate) struct World<'g> {
    pub(crate) ground: &'g Ground,
    /// Words per state.
    pub(crate) words: usize,
    /// Facts that are the head of a rule.
    pub(crate) derived: Vec<u32>,
    /// Rules by layer, lowest first.
    layers: Vec<Vec<u32>>,
    /// Facts added and deleted by conditional effects; scratch space.
    plain: bool,
}

impl<'g> World<'g> {
    /// Prepares a problem.
    pub(crate) fn new(ground: &'g Ground) -> World<'g> {
        let mut derived: Vec<u32> = ground.axioms.iter().map(|axiom| axiom.head).collect();
        derived.sort_unstable();
        derived.dedup();
        let depth = ground.axioms.iter().map(|axiom| axiom.layer + 1).max();
        let mut layers = vec![Vec::new(); depth.unwrap_or(0) as usize];
        for (index, axiom) in ground.axioms.iter().enumerate() {
            layers[axiom.layer as usize].push(index as u32);
        }
        World {
            ground,
            words: ground.facts.len().div_ceil(64).max(1),
            derived,
            layers,
            plain: ground.axioms.is_empty(),
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

    /// Recomputes the derived facts, layer by layer.
    fn derive(&self, state: &mut [u64]) {
        if self.plain {
            return;
        }
        for &fact in &self.derived {
            clear(state, fact);
        }
        for layer in &self.layers {
            let mut changed = true;
            while changed {
                changed = false;
                for &index in layer {
                    let axiom = &self.ground.axioms[index as usize];
                    if !has(state, axiom.head) && self.holds(&axiom.condition, state) {
                        set(state, axiom.head);
                        changed = true;
                    }
                }
            }
        }
    }
}
