//! A problem in the words of its finite variables.
//!
//! A state gives each variable a value. An action touches a few of them, each
//! by itself: it says from which values it may be executed and what becomes of
//! each. So where every variable may have one of several values, that is so
//! after an action, too: such sets of states are boxes, and actions lead from
//! box to box (`analysis/cartesian`).
//!
//! That is exact where effects have no conditions, nothing is derived and no
//! number changes; of other problems nothing is said here.

use crate::ground::finite::{FiniteIndex, FiniteVariables};
use crate::ground::{ActionIndex, Condition, FactIndex, Ground, GroundAction};

/// The most moves of all actions together.
const MOST_MOVES: usize = 6_000_000;

/// A problem in the words of its finite variables.
pub(crate) struct FiniteProblem {
    /// For each variable, how many values it has.
    pub(crate) sizes: Vec<u32>,
    /// For each variable, the bit of its first value, and last how many there
    /// are.
    pub(crate) bits: Vec<u32>,
    /// Actions that change something, each by its number in the problem and
    /// where the variables begin that it touches.
    actions: Vec<(ActionIndex, u32)>,
    /// Variables that actions touch, and where the moves of each begin.
    touched: Vec<(FiniteIndex, u32)>,
    /// What becomes of which value.
    moves: Vec<(u32, u32)>,
    /// For each variable, the actions that touch it.
    pub(crate) touching: Vec<Vec<u32>>,
    /// The value of each variable at the start.
    pub(crate) start: Vec<u32>,
    /// What the goal wants, variable by variable.
    pub(crate) goal: Vec<(FiniteIndex, Vec<u32>)>,
}

impl FiniteProblem {
    /// The problem, unless it is too large or does not only consist of plain
    /// actions. What it cost to make is added to the work.
    pub(crate) fn new(
        ground: &Ground,
        variables: &FiniteVariables,
        work: &mut u64,
    ) -> Option<FiniteProblem> {
        let plain = |action: &GroundAction| action.conditional.is_empty();
        if !ground.axioms.is_empty()
            || !ground.numbers.is_empty()
            || !ground.actions.iter().all(plain)
        {
            return None;
        }
        let sizes: Vec<u32> = variables.list.iter().map(|it| it.size()).collect();
        let mut bits = vec![0];
        for size in &sizes {
            bits.push(bits[bits.len() - 1] + size);
        }
        let mut start: Vec<u32> = variables.list.iter().map(|it| it.none()).collect();
        for &fact in &ground.init {
            let (variable, value) = variables.places[fact as usize];
            start[variable as usize] = value;
        }
        let places = Places(variables);
        let goal = places.variables([&ground.goal.positive, &ground.goal.negative]);
        let goal = goal.into_iter().map(|variable| {
            let values = 0..sizes[variable as usize];
            let fits = |&value: &u32| places.may(&ground.goal, variable, value);
            (variable, values.filter(fits).collect())
        });
        let mut problem = FiniteProblem {
            goal: goal.collect(),
            touching: vec![Vec::new(); sizes.len()],
            sizes,
            bits,
            actions: Vec::new(),
            touched: Vec::new(),
            moves: Vec::new(),
            start,
        };
        for (number, action) in (0..).zip(&ground.actions) {
            problem.add(number, action, &places);
            if problem.moves.len() > MOST_MOVES {
                return None;
            }
        }
        *work += 4 * (problem.moves.len() + problem.touched.len()) as u64;
        // Whoever looks for the end of the last finds it.
        let (touched, moves) = (problem.touched.len() as u32, problem.moves.len() as u32);
        problem.actions.push((0, touched));
        problem.touched.push((0, moves));
        Some(problem)
    }

    /// Adds an action, unless it can never be executed or changes nothing.
    fn add(&mut self, number: ActionIndex, action: &GroundAction, places: &Places<'_>) {
        let needs = &action.precondition;
        let lists = [
            &needs.positive,
            &needs.negative,
            &action.add,
            &action.delete,
        ];
        let before = (self.touched.len(), self.moves.len());
        let mut changes = false;
        for variable in places.variables(lists) {
            let first = self.moves.len();
            self.touched.push((variable, first as u32));
            let possible = places.moves(action, variable, &mut self.moves);
            if !possible || self.moves.len() == first {
                self.touched.truncate(before.0);
                self.moves.truncate(before.1);
                return;
            }
            changes |= self.moves[first..].iter().any(|it| it.0 != it.1);
        }
        if !changes {
            self.touched.truncate(before.0);
            self.moves.truncate(before.1);
            return;
        }
        for &(variable, _) in &self.touched[before.0..] {
            self.touching[variable as usize].push(self.actions.len() as u32);
        }
        self.actions.push((number, before.0 as u32));
    }

    /// How many actions there are.
    pub(crate) fn actions(&self) -> u32 {
        self.actions.len() as u32 - 1
    }

    /// Which action of the whole problem it is.
    pub(crate) fn number(&self, action: u32) -> ActionIndex {
        self.actions[action as usize].0
    }

    /// The variables an action touches, ascending, each with what becomes of
    /// which value. From other values it cannot be executed.
    pub(crate) fn touched(
        &self,
        action: u32,
    ) -> impl Iterator<Item = (FiniteIndex, &[(u32, u32)])> {
        let [begin, end] = [action, action + 1].map(|it| self.actions[it as usize].1 as usize);
        self.touched[begin..=end].windows(2).map(|pair| {
            let moves = pair[0].1 as usize..pair[1].1 as usize;
            (pair[0].0, &self.moves[moves])
        })
    }

    /// What an action does to a variable; `None` if it does not touch it.
    #[inline]
    pub(crate) fn moves(&self, action: u32, variable: FiniteIndex) -> Option<&[(u32, u32)]> {
        let found = self.touched(action).find(|it| it.0 >= variable)?;
        (found.0 == variable).then_some(found.1)
    }

    /// The bit of a value.
    #[inline]
    pub(crate) fn bit(&self, variable: FiniteIndex, value: u32) -> usize {
        (self.bits[variable as usize] + value) as usize
    }

    /// True if the goal wants a variable to have this value.
    pub(crate) fn wants(&self, (variable, value): (FiniteIndex, u32)) -> bool {
        let mut goal = self.goal.iter();
        goal.any(|it| it.0 == variable && it.1 == [value])
    }

    /// For each variable, its values that are not among these.
    pub(crate) fn without(&self, among: &[bool]) -> Vec<(FiniteIndex, Vec<u32>)> {
        let variables = (0..).zip(&self.sizes);
        let others = variables.map(|(variable, &size)| {
            let others = (0..size).filter(|&value| !among[self.bit(variable, value)]);
            (variable, others.collect())
        });
        others
            .filter(|it: &(u32, Vec<u32>)| !it.1.is_empty())
            .collect()
    }

    /// By bits, the values that variables may come to have before one has a
    /// certain value, as far as each is looked at by itself; `None` if the goal
    /// may be reached then.
    pub(crate) fn before(&self, target: (FiniteIndex, u32), work: &mut u64) -> Option<Vec<bool>> {
        let mut reached = vec![false; self.bits[self.sizes.len()] as usize];
        let mut open = Vec::new();
        for (variable, &value) in (0..).zip(&self.start) {
            reached[self.bit(variable, value)] = true;
            open.push(variable);
        }
        // Whoever looks at an action looks at all it may do by now.
        let mut waits = vec![false; self.actions() as usize];
        let mut queue: Vec<u32> = Vec::new();
        loop {
            while let Some(variable) = open.pop() {
                for &action in &self.touching[variable as usize] {
                    if !std::mem::replace(&mut waits[action as usize], true) {
                        queue.push(action);
                    }
                }
            }
            let Some(action) = queue.pop() else {
                break;
            };
            waits[action as usize] = false;
            *work += 2;
            let now = |(variable, moves): (FiniteIndex, &[(u32, u32)])| {
                let mut moves = moves.iter();
                moves.any(|it| reached[self.bit(variable, it.0)])
            };
            let reaches = self.moves(action, target.0);
            let reaches = reaches.is_some_and(|it| it.iter().any(|it| it.1 == target.1));
            if reaches || !self.touched(action).all(now) {
                continue;
            }
            for (variable, moves) in self.touched(action) {
                *work += moves.len() as u64;
                for &(from, to) in moves {
                    let to = self.bit(variable, to);
                    if reached[self.bit(variable, from)]
                        && !std::mem::replace(&mut reached[to], true)
                    {
                        open.push(variable);
                    }
                }
            }
        }
        let wanted = |(variable, values): &(FiniteIndex, Vec<u32>)| {
            let mut values = values.iter();
            values.any(|&it| reached[self.bit(*variable, it)])
        };
        (!self.goal.iter().all(wanted)).then_some(reached)
    }
}

/// Where facts are.
struct Places<'v>(&'v FiniteVariables);

impl Places<'_> {
    /// The variables of facts, ascending.
    fn variables<const LISTS: usize>(&self, lists: [&Vec<FactIndex>; LISTS]) -> Vec<FiniteIndex> {
        let facts = lists.into_iter().flatten();
        let variables = facts.map(|&fact| self.0.places[fact as usize].0);
        let mut variables: Vec<FiniteIndex> = variables.collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The values of a variable that a list speaks of.
    fn values(&self, facts: &[FactIndex], variable: FiniteIndex) -> Vec<u32> {
        let places = facts.iter().map(|&fact| self.0.places[fact as usize]);
        let own = places.filter(|it| it.0 == variable);
        own.map(|it| it.1).collect()
    }

    /// True unless the condition wants another value.
    fn may(&self, condition: &Condition, variable: FiniteIndex, value: u32) -> bool {
        let positive = self.values(&condition.positive, variable);
        let negative = self.values(&condition.negative, variable);
        positive.iter().all(|&it| it == value) && !negative.contains(&value)
    }

    /// Adds what becomes of which value; false if the variable would have two,
    /// which is never so.
    fn moves(
        &self,
        action: &GroundAction,
        variable: FiniteIndex,
        into: &mut Vec<(u32, u32)>,
    ) -> bool {
        let finite = &self.0.list[variable as usize];
        let needed = self.values(&action.precondition.positive, variable);
        let forbidden = self.values(&action.precondition.negative, variable);
        let added = self.values(&action.add, variable);
        let deleted = self.values(&action.delete, variable);
        let values = match needed.first() {
            Some(&value) => value..value + 1,
            None => 0..finite.size(),
        };
        for value in values {
            if forbidden.contains(&value) || needed.iter().any(|&it| it != value) {
                continue;
            }
            let after = match added.first() {
                Some(&after) => after,
                None if deleted.contains(&value) => finite.none(),
                None => value,
            };
            // What may not be lost is lost in no state that can be reached.
            if after < finite.size() {
                into.push((value, after));
            }
        }
        added.iter().all(|it| *it == added[0])
    }
}
