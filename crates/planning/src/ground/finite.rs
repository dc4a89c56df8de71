//! Variables of several values in the place of facts.
//!
//! Of a [mutex group](super::mutex) one fact holds or none, so the group is a
//! variable and its facts are the values. Groups overlap; whoever covers most of
//! the facts left is next (Helmert 2009). A fact of no group is a variable of
//! its own, which it is or is not.

use super::{FactIndex, Ground, GroundAction};

/// A variable, by its place in [`FiniteVariables::list`].
pub(crate) type FiniteIndex = u32;

/// Facts as values of variables.
pub(crate) struct FiniteVariables {
    pub(crate) list: Vec<FiniteVariable>,
    /// For each fact, its variable and which of the values it is.
    pub(crate) places: Vec<(FiniteIndex, u32)>,
}

/// A variable.
pub(crate) struct FiniteVariable {
    /// Its values.
    pub(crate) facts: Vec<FactIndex>,
    /// There is a value more: none of them.
    pub(crate) may_be_none: bool,
}

impl FiniteVariable {
    /// How many values there are.
    pub(crate) fn size(&self) -> u32 {
        self.facts.len() as u32 + u32::from(self.may_be_none)
    }

    /// The value that says that no fact holds.
    pub(crate) fn none(&self) -> u32 {
        self.facts.len() as u32
    }
}

impl FiniteVariables {
    /// Covers all facts by groups, as far as they may be covered.
    pub(crate) fn new(
        ground: &Ground,
        groups: &[Vec<FactIndex>],
        may: impl Fn(FactIndex) -> bool,
    ) -> FiniteVariables {
        let mut left: Vec<bool> = (0..ground.facts.len() as u32).map(may).collect();
        let mut of_fact: Vec<Vec<usize>> = vec![Vec::new(); left.len()];
        let mut sizes = vec![0; groups.len()];
        for (number, group) in groups.iter().enumerate() {
            for &fact in group.iter().filter(|&&fact| left[fact as usize]) {
                of_fact[fact as usize].push(number);
                sizes[number] += 1;
            }
        }
        let mut list = Vec::new();
        loop {
            let largest = (0..groups.len()).rev().max_by_key(|&number| sizes[number]);
            let Some(largest) = largest.filter(|&number| sizes[number] > 1) else {
                break;
            };
            let facts = groups[largest].iter().copied();
            let facts: Vec<FactIndex> = facts.filter(|&fact| left[fact as usize]).collect();
            for &fact in &facts {
                left[fact as usize] = false;
                of_fact[fact as usize].iter().for_each(|&it| sizes[it] -= 1);
            }
            list.push(facts);
        }
        let mut variables = FiniteVariables::of(ground, list);
        variables.look_for_none(ground);
        variables
    }

    /// What values the variables have in a state. Of what follows the facts, such
    /// as numbers, there is no variable.
    pub(crate) fn read(&self, state: &[u64], values: &mut Vec<u32>) {
        values.clear();
        values.extend(self.list.iter().map(|it| it.none()));
        for (word, &held) in state[..self.places.len().div_ceil(64)].iter().enumerate() {
            let mut held = held;
            while held != 0 {
                let fact = word * 64 + held.trailing_zeros() as usize;
                held &= held - 1;
                let (variable, value) = self.places[fact];
                values[variable as usize] = value;
            }
        }
    }

    /// Variables of these values, and all other facts by themselves.
    fn of(ground: &Ground, mut list: Vec<Vec<FactIndex>>) -> FiniteVariables {
        let mut covered = vec![false; ground.facts.len()];
        list.iter()
            .flatten()
            .for_each(|&it| covered[it as usize] = true);
        let facts = 0..ground.facts.len() as u32;
        list.extend(facts.filter(|&it| !covered[it as usize]).map(|it| vec![it]));
        let mut places = vec![(0, 0); ground.facts.len()];
        for (number, facts) in (0..).zip(&list) {
            for (value, &fact) in (0..).zip(facts) {
                places[fact as usize] = (number, value);
            }
        }
        let list = list.into_iter().map(|facts| FiniteVariable {
            may_be_none: facts.len() == 1,
            facts,
        });
        FiniteVariables {
            list: list.collect(),
            places,
        }
    }

    /// The same where the variables that are not `kept` are their facts again.
    pub(crate) fn dissolved(self, ground: &Ground, kept: &[bool]) -> FiniteVariables {
        let mut list = Vec::new();
        for (variable, &kept) in self.list.into_iter().zip(kept) {
            if kept && variable.facts.len() > 1 {
                list.push(variable.facts);
            }
        }
        let mut variables = FiniteVariables::of(ground, list);
        variables.look_for_none(ground);
        variables
    }

    /// Finds the variables of which no fact may hold: at the start, or because
    /// an action makes one false and none true.
    fn look_for_none(&mut self, ground: &Ground) {
        let mut starts = vec![false; self.list.len()];
        for &fact in &ground.init {
            starts[self.places[fact as usize].0 as usize] = true;
        }
        for (variable, starts) in self.list.iter_mut().zip(starts) {
            variable.may_be_none |= !starts;
        }
        for action in &ground.actions {
            self.lost(action);
        }
    }

    fn lost(&mut self, action: &GroundAction) {
        let plain = action.delete.iter().map(|&fact| (fact, None));
        let conditional = action.conditional.iter().flat_map(|effect| {
            let facts = effect.delete.iter();
            facts.map(move |&fact| (fact, Some(effect)))
        });
        for (fact, effect) in plain.chain(conditional) {
            let (variable, _) = self.places[fact as usize];
            let same = |it: &&FactIndex| self.places[**it as usize].0 == variable;
            let mut added = action
                .add
                .iter()
                .chain(effect.iter().flat_map(|it| &it.add));
            let needed = action.precondition.positive.iter();
            let mut needed = needed.chain(effect.iter().flat_map(|it| &it.condition.positive));
            let replaced = added.any(|it| same(&it));
            let another = needed.any(|it| same(&it) && *it != fact);
            self.list[variable as usize].may_be_none |= !replaced && !another;
        }
    }
}
