//! A problem seen through a few of its variables: a pattern.
//!
//! All else is left out, so every state of the problem is one of the few states
//! of the pattern, and what it costs to get from there to the goal is never
//! more than what it truly costs (Edelkamp, "Planning with pattern databases",
//! 2001). Actions that do the same to the pattern are one label with one list
//! of transitions; those that do nothing to it are none. Where an effect
//! depends on what the pattern does not see, it happens and does not happen.
//!
//! What a label need not cost for distances to stay as they are is left for
//! other patterns: [`Abstraction::saturate`] (Seipp, Keller, Helmert, "Saturated
//! cost partitioning for optimal classical planning", 2020).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::analysis::tree::Tree;
use crate::ground::finite::{FiniteIndex, FiniteVariables};
use crate::ground::{ActionIndex, Condition, FactIndex, Ground, GroundAction};

/// No way to the goal.
pub(crate) const UNREACHED: u32 = u32::MAX;

/// A problem as a pattern sees it, or as boxes do (`analysis/cartesian`).
pub(crate) struct Abstraction {
    /// How a state finds its own.
    pub(crate) map: Map,
    /// How many states there are.
    pub(crate) states: u32,
    goals: Vec<u32>,
    labels: Vec<Label>,
    /// Transitions by where they lead to: label and origin.
    incoming: Vec<(u32, u32)>,
    /// For each state, where its transitions begin.
    first: Vec<u32>,
}

/// How a state of the problem finds its own among those of an abstraction.
pub(crate) enum Map {
    /// Variables, each with what one step of its value adds to the number of a
    /// state.
    Pattern(Vec<(FiniteIndex, u32)>),
    /// Forks on the way.
    Forks(Tree),
}

impl Map {
    /// The number of a state, given the values of all variables.
    #[inline]
    pub(crate) fn state(&self, values: &[u32]) -> u32 {
        match self {
            Map::Pattern(pattern) => pattern
                .iter()
                .map(|&(variable, stride)| values[variable as usize] * stride)
                .sum(),
            Map::Forks(tree) => tree.find(values),
        }
    }
}

/// Actions that do the same to an abstraction.
struct Label {
    actions: Vec<ActionIndex>,
}

/// What actions do to each variable by itself.
pub(crate) struct Changes<'g> {
    ground: &'g Ground,
    variables: &'g FiniteVariables,
    /// For each variable, the actions that may change it, ascending.
    pub(crate) changing: Vec<Vec<ActionIndex>>,
}

/// From which value to which.
type Moves = Vec<(u32, u32)>;

impl<'g> Changes<'g> {
    pub(crate) fn new(ground: &'g Ground, variables: &'g FiniteVariables) -> Changes<'g> {
        let mut changing = vec![Vec::new(); variables.list.len()];
        for (number, action) in (0..).zip(&ground.actions) {
            let effects = action.conditional.iter();
            let effects = effects.flat_map(|effect| effect.add.iter().chain(&effect.delete));
            for &fact in action.add.iter().chain(&action.delete).chain(effects) {
                let list: &mut Vec<u32> = &mut changing[variables.places[fact as usize].0 as usize];
                if list.last() != Some(&number) {
                    list.push(number);
                }
            }
        }
        Changes {
            ground,
            variables,
            changing,
        }
    }

    /// What an action may do to a variable, from each value it may have.
    fn moves(&self, action: &GroundAction, variable: FiniteIndex) -> Moves {
        let finite = &self.variables.list[variable as usize];
        let mut moves = Vec::new();
        for value in 0..finite.size() {
            if self.may(&action.precondition, variable, value) {
                self.leads_to(action, variable, value, &mut moves);
            }
        }
        moves
    }

    /// True unless the condition wants another value.
    fn may(&self, condition: &Condition, variable: FiniteIndex, value: u32) -> bool {
        let place = |fact: &FactIndex| self.variables.places[*fact as usize];
        let mut positive = condition.positive.iter().map(place);
        let mut negative = condition.negative.iter().map(place);
        positive.all(|it| it.0 != variable || it.1 == value)
            && negative.all(|it| it != (variable, value))
    }

    /// Adds what a value becomes; all it may become if that depends on more.
    fn leads_to(&self, action: &GroundAction, variable: FiniteIndex, value: u32, into: &mut Moves) {
        let values = |facts: &[FactIndex]| {
            let places = facts.iter().map(|&it| self.variables.places[it as usize]);
            let own = places.filter(|it| it.0 == variable).map(|it| it.1);
            own.collect::<Vec<u32>>()
        };
        let mut becomes = values(&action.add);
        let mut surely = !becomes.is_empty();
        let mut lost = values(&action.delete).contains(&value);
        let mut kept = !lost;
        for effect in &action.conditional {
            let (added, deleted) = (values(&effect.add), values(&effect.delete));
            let touches = !added.is_empty() || deleted.contains(&value);
            if !touches || !self.may(&effect.condition, variable, value) {
                continue;
            }
            let known = self.is_known(&effect.condition, &action.precondition, variable);
            surely |= known && !added.is_empty();
            lost |= deleted.contains(&value);
            kept &= !(known && deleted.contains(&value));
            becomes.extend(added);
        }
        if !surely {
            let finite = &self.variables.list[variable as usize];
            if kept || value == finite.none() {
                becomes.push(value);
            }
            if lost && finite.may_be_none {
                becomes.push(finite.none());
            }
        }
        becomes.sort_unstable();
        becomes.dedup();
        into.extend(becomes.into_iter().map(|after| (value, after)));
    }

    /// True if a condition holds wherever the precondition does, as far as it
    /// speaks of other variables.
    fn is_known(
        &self,
        condition: &Condition,
        precondition: &Condition,
        variable: FiniteIndex,
    ) -> bool {
        let own = |fact: &FactIndex| self.variables.places[*fact as usize].0 == variable;
        let positive = condition.positive.iter();
        let negative = condition.negative.iter();
        positive
            .filter(|it| !own(it))
            .all(|it| precondition.positive.binary_search(it).is_ok())
            && negative
                .filter(|it| !own(it))
                .all(|it| precondition.negative.binary_search(it).is_ok())
    }
}

impl Abstraction {
    /// The problem as the pattern sees it; `None` if that is more than so many
    /// states or transitions. What it cost to make is added to the work.
    pub(crate) fn new(
        changes: &Changes<'_>,
        pattern: &[FiniteIndex],
        most: u64,
        work: &mut u64,
    ) -> Option<Abstraction> {
        let variables = &changes.variables.list;
        let mut states = 1u64;
        let mut strides = Vec::new();
        for &variable in pattern {
            strides.push((variable, states as u32));
            states *= u64::from(variables[variable as usize].size());
            if states > most {
                return None;
            }
        }
        let mut actions: Vec<ActionIndex> = pattern
            .iter()
            .flat_map(|&variable| changes.changing[variable as usize].iter().copied())
            .collect();
        actions.sort_unstable();
        actions.dedup();
        let mut numbers: FxHashMap<Vec<Moves>, u32> = FxHashMap::default();
        let mut labels: Vec<Label> = Vec::new();
        let mut transitions: Vec<(u32, u32, u32)> = Vec::new();
        for number in actions {
            let action = &changes.ground.actions[number as usize];
            let moves: Vec<Moves> = pattern
                .iter()
                .map(|&variable| changes.moves(action, variable))
                .collect();
            *work += moves.iter().map(|it| it.len() as u64 + 8).sum::<u64>();
            if let Some(&label) = numbers.get(&moves) {
                labels[label as usize].actions.push(number);
                continue;
            }
            let label = labels.len() as u32;
            let count: u64 = moves.iter().map(|it| it.len() as u64).product();
            if transitions.len() as u64 + count > 4 * most {
                return None;
            }
            *work += count;
            product(&moves, &strides, &mut |from, to| {
                if from != to {
                    transitions.push((to, label, from));
                }
            });
            numbers.insert(moves, label);
            labels.push(Label {
                actions: vec![number],
            });
        }
        *work += 4 * transitions.len() as u64;
        let goals: Vec<Moves> = pattern
            .iter()
            .map(|&variable| {
                let values = 0..variables[variable as usize].size();
                let fits = |&it: &u32| changes.may(&changes.ground.goal, variable, it);
                values.filter(fits).map(|it| (it, it)).collect()
            })
            .collect();
        let mut list = Vec::new();
        product(&goals, &strides, &mut |state, _| list.push(state));
        let map = Map::Pattern(strides);
        Some(Abstraction::new_of(
            map,
            states as u32,
            list,
            labels,
            transitions,
        ))
    }

    /// An abstraction of which is known from where to where each action leads;
    /// who does the same is one label.
    pub(crate) fn assemble(
        map: Map,
        states: u32,
        goals: Vec<u32>,
        ways: impl Iterator<Item = (ActionIndex, Vec<(u32, u32)>)>,
    ) -> Abstraction {
        let mut numbers: FxHashMap<Moves, u32> = FxHashMap::default();
        let mut labels: Vec<Label> = Vec::new();
        let mut transitions: Vec<(u32, u32, u32)> = Vec::new();
        for (action, ways) in ways {
            if let Some(&label) = numbers.get(&ways) {
                labels[label as usize].actions.push(action);
                continue;
            }
            let label = labels.len() as u32;
            transitions.extend(ways.iter().map(|&(from, to)| (to, label, from)));
            numbers.insert(ways, label);
            labels.push(Label {
                actions: vec![action],
            });
        }
        Abstraction::new_of(map, states, goals, labels, transitions)
    }

    fn new_of(
        map: Map,
        states: u32,
        goals: Vec<u32>,
        labels: Vec<Label>,
        mut transitions: Vec<(u32, u32, u32)>,
    ) -> Abstraction {
        transitions.sort_unstable();
        let mut first = vec![0; states as usize + 1];
        for &(to, ..) in &transitions {
            first[to as usize + 1] += 1;
        }
        for state in 0..states as usize {
            first[state + 1] += first[state];
        }
        Abstraction {
            map,
            states,
            goals,
            labels,
            incoming: transitions.iter().map(|it| (it.1, it.2)).collect(),
            first,
        }
    }

    /// How much there is to look at.
    pub(crate) fn size(&self) -> u64 {
        let actions = self.labels.iter().map(|label| label.actions.len() as u64);
        self.incoming.len() as u64 + u64::from(self.states) + actions.sum::<u64>()
    }

    /// From each state the distance to the goal, given what each action costs.
    pub(crate) fn distances(&self, costs: &[u32]) -> Vec<u32> {
        let labels: Vec<u32> = self
            .labels
            .iter()
            .map(|label| {
                let costs = label.actions.iter().map(|&it| costs[it as usize]);
                costs.min().unwrap_or(0)
            })
            .collect();
        let mut distances = vec![UNREACHED; self.states as usize];
        let mut open = BinaryHeap::new();
        for &goal in &self.goals {
            distances[goal as usize] = 0;
            open.push(Reverse((0, goal)));
        }
        while let Some(Reverse((distance, state))) = open.pop() {
            if distances[state as usize] < distance {
                continue;
            }
            for &(label, from) in self.into(state) {
                // What is too far for the number is far, and not dead.
                let longer = distance.saturating_add(labels[label as usize]);
                let longer = longer.min(UNREACHED - 1);
                if longer < distances[from as usize] {
                    distances[from as usize] = longer;
                    open.push(Reverse((longer, from)));
                }
            }
        }
        distances
    }

    fn into(&self, state: u32) -> &[(u32, u32)] {
        let range = self.first[state as usize]..self.first[state as usize + 1];
        &self.incoming[range.start as usize..range.end as usize]
    }

    /// What each label must cost for these distances to be true.
    fn saturated(&self, distances: &[u32]) -> Vec<u32> {
        let mut needed = vec![0; self.labels.len()];
        for state in 0..self.states {
            let here = distances[state as usize];
            if here == UNREACHED {
                continue;
            }
            for &(label, from) in self.into(state) {
                let nearer = distances[from as usize];
                let needed = &mut needed[label as usize];
                *needed = nearer.saturating_sub(here).max(*needed);
            }
        }
        needed
    }

    /// Takes from what actions cost what these distances need.
    pub(crate) fn saturate(&self, distances: &[u32], costs: &mut [u32]) {
        for (label, needed) in self.labels.iter().zip(self.saturated(distances)) {
            for &action in &label.actions {
                costs[action as usize] -= needed;
            }
        }
    }

    /// What these distances take from all actions together.
    pub(crate) fn stolen(&self, distances: &[u32]) -> u64 {
        let labels = self.labels.iter().zip(self.saturated(distances));
        labels
            .map(|(label, needed)| u64::from(needed) * label.actions.len() as u64)
            .sum()
    }
}

/// All ways to choose a move of each variable.
fn product(moves: &[Moves], strides: &[(FiniteIndex, u32)], tell: &mut impl FnMut(u32, u32)) {
    let mut chosen = vec![0; moves.len()];
    if moves.iter().any(Vec::is_empty) {
        return;
    }
    loop {
        let (mut from, mut to) = (0, 0);
        for ((moves, &(_, stride)), &chosen) in moves.iter().zip(strides).zip(&chosen) {
            let (before, after): (u32, u32) = moves[chosen];
            from += before * stride;
            to += after * stride;
        }
        tell(from, to);
        let next = (0..moves.len()).find(|&place| chosen[place] + 1 < moves[place].len());
        let Some(next) = next else {
            return;
        };
        chosen[next] += 1;
        chosen[..next].fill(0);
    }
}
