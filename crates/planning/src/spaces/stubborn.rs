//! Strong stubborn sets: which actions may wait.
//!
//! Begin with whoever can bring about something of the goal that is open. For
//! an action that can be executed add all that disturb it or that it disturbs;
//! for one that cannot, all that bring about something it lacks. Some cheapest
//! plan from here begins with an action of the set: of those that come later in
//! a plan the first one of the set might as well have come first, for it is
//! disturbed by none before it. (Wehrle and Helmert, "Efficient stubborn sets:
//! generalized algorithms and selection strategies", 2014.)
//!
//! Two actions that are never possible in the same state do not disturb each
//! other; mutex groups tell.

use crate::analysis::relax::Lists;
use crate::ground::finite::FiniteVariables;
use crate::ground::{ActionIndex, Condition, FactIndex, Ground, GroundAction};
use crate::state::states::has;
use crate::state::world::World;

/// After so many states it is asked whether it was worth it.
const TRIAL: u64 = 1_000;

/// It was if of so many actions one at least could wait.
const WORTH: u64 = 5;

/// Pairs of actions that disturb each other, at most.
const MOST_PAIRS: usize = 20_000_000;

/// Finds actions that may wait.
pub(crate) struct Stubborn<'a> {
    variables: &'a FiniteVariables,
    /// For each fact, the actions that make it true, and false.
    adding: Lists,
    deleting: Lists,
    /// The actions that need it to be true, and false.
    needing: Lists,
    avoiding: Lists,
    /// For each action, whom it disturbs or is disturbed by, once asked.
    disturbing: Vec<Option<Box<[ActionIndex]>>>,
    pairs: usize,
    /// In which round an action joined the set.
    joined: Vec<u32>,
    round: u32,
    open: Vec<ActionIndex>,
    looked: u64,
    possible: u64,
    waiting: u64,
    /// Work since it was asked.
    pub(crate) work: u64,
}

impl<'a> Stubborn<'a> {
    /// True if what actions do depends on nothing but what they need.
    pub(crate) fn fits(ground: &Ground) -> bool {
        ground.root.is_none()
            && ground.axioms.is_empty()
            && ground.numbers.is_empty()
            && ground.actions.iter().all(|it| it.conditional.is_empty())
    }

    pub(crate) fn new(ground: &Ground, variables: &'a FiniteVariables) -> Stubborn<'a> {
        let lists = |facts: &dyn Fn(&GroundAction) -> Vec<FactIndex>| {
            let mut lists = Lists::new();
            ground.actions.iter().for_each(|it| lists.push(facts(it)));
            lists.inverted(ground.facts.len())
        };
        Stubborn {
            variables,
            adding: lists(&|it| it.add.clone()),
            deleting: lists(&|it| deleted(it).collect()),
            needing: lists(&|it| it.precondition.positive.clone()),
            avoiding: lists(&|it| it.precondition.negative.clone()),
            disturbing: vec![None; ground.actions.len()],
            pairs: 0,
            joined: vec![0; ground.actions.len()],
            round: 0,
            open: Vec::new(),
            looked: 0,
            possible: 0,
            waiting: 0,
            work: 0,
        }
    }

    /// Leaves out, of the actions possible in a state, those that may wait.
    pub(crate) fn prune(&mut self, world: &World, state: &[u64], actions: &mut Vec<ActionIndex>) {
        let useless = self.looked >= TRIAL && self.waiting * WORTH < self.possible;
        if useless || self.pairs > MOST_PAIRS || world.is_goal(state) {
            return;
        }
        let ground = &world.ground;
        self.round += 1;
        self.open.clear();
        self.enable(&ground.goal, state);
        while let Some(number) = self.open.pop() {
            let action = &ground.actions[number as usize];
            match world.applicable(number, state) {
                true => self.join_disturbing(ground, number),
                false => self.enable(&action.precondition, state),
            }
        }
        let before = actions.len();
        actions.retain(|&action| self.joined[action as usize] == self.round);
        self.looked += 1;
        self.possible += before as u64;
        self.waiting += (before - actions.len()) as u64;
    }

    fn join(&mut self, action: ActionIndex) {
        if std::mem::replace(&mut self.joined[action as usize], self.round) != self.round {
            self.open.push(action);
        }
    }

    /// Lets all join that bring about one thing the condition lacks: that which
    /// the fewest do.
    fn enable(&mut self, condition: &Condition, state: &[u64]) {
        let missing = condition.positive.iter().filter(|&&it| !has(state, it));
        let missing = missing.map(|&it| (self.adding.get(it).len(), it, true));
        let present = condition.negative.iter().filter(|&&it| has(state, it));
        let present = present.map(|&it| (self.deleting.get(it).len(), it, false));
        let Some((count, fact, add)) = missing.chain(present).min() else {
            return;
        };
        self.work += count as u64 + 2;
        for place in 0..count {
            self.join(match add {
                true => self.adding.get(fact)[place],
                false => self.deleting.get(fact)[place],
            });
        }
    }

    fn join_disturbing(&mut self, ground: &Ground, number: ActionIndex) {
        if self.disturbing[number as usize].is_none() {
            let list = self.find_disturbing(ground, number);
            self.pairs += list.len();
            self.disturbing[number as usize] = Some(list.into());
        }
        let list = self.disturbing[number as usize].take().unwrap_or_default();
        self.work += list.len() as u64;
        list.iter().for_each(|&other| self.join(other));
        self.disturbing[number as usize] = Some(list);
    }

    fn find_disturbing(&mut self, ground: &Ground, number: ActionIndex) -> Vec<ActionIndex> {
        let action = &ground.actions[number as usize];
        let mut list = Vec::new();
        for fact in deleted(action) {
            list.extend(self.needing.get(fact));
            list.extend(self.adding.get(fact));
        }
        for &fact in &action.add {
            list.extend(self.avoiding.get(fact));
            list.extend(self.deleting.get(fact));
        }
        for &fact in &action.precondition.positive {
            list.extend(self.deleting.get(fact));
        }
        for &fact in &action.precondition.negative {
            list.extend(self.adding.get(fact));
        }
        self.work += 4 * list.len() as u64;
        list.sort_unstable();
        list.dedup();
        list.retain(|&other| {
            let other = &ground.actions[other as usize];
            !self.exclude(&action.precondition, &other.precondition)
        });
        list
    }

    /// True if no state fulfils both.
    fn exclude(&self, one: &Condition, other: &Condition) -> bool {
        let place = |fact: &FactIndex| self.variables.places[*fact as usize];
        let apart = |fact: &FactIndex| {
            let (variable, value) = place(fact);
            let mut others = other.positive.iter().map(place);
            others.any(|it| it.0 == variable && it.1 != value)
                || other.negative.binary_search(fact).is_ok()
        };
        let needed = |fact: &FactIndex| other.positive.binary_search(fact).is_ok();
        one.positive.iter().any(apart) || one.negative.iter().any(needed)
    }
}

/// What an action makes false.
fn deleted(action: &GroundAction) -> impl Iterator<Item = FactIndex> + '_ {
    let deleted = action.delete.iter().copied();
    deleted.filter(|fact| action.add.binary_search(fact).is_err())
}
