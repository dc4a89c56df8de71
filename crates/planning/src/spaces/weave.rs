//! Part of a plan anew, while the rest stays as it is.
//!
//! Some variables are set free. What a plan does to all others is a row of
//! partial states, and these stay, one after the other; how the free variables
//! get everything from one to the next is to be found again. So the states
//! searched are few: the places in the row times what the free variables can be.
//!
//! ```text
//!   others     o0 ───────► o1 ───────► o2 ─────► …
//!   free       w0 ─► w1 ─► w2 ───────► w3 ─► w4 …
//! ```
//!
//! An action that leaves the others as they are stays at its place of the row, one
//! that makes of them what comes next goes on, whichever action did so before: a
//! truck may be loaded while there is room for three instead of two.
//!
//! One tick of the [`Run`] is one successor.

use std::cell::Cell;

use planoku_engine::{Leave, Run};
use rustc_hash::FxHashMap;

use crate::cost::{Cost, Distance};
use crate::ground::{ActionIndex, Condition};
use crate::heuristics::heuristic::{Heuristic, RelaxedPlan, Situation};
use crate::spaces::applicable::Few;
use crate::spaces::space::{Space, Successor};
use crate::state::stacks::Element;
use crate::state::states::StateTable;
use crate::state::world::World;

/// Work of a successor.
const NODE_WORK: u64 = 60;

/// What a plan does to the variables that are not free.
pub(crate) struct Row {
    /// The facts of these variables, as bits.
    mask: Vec<u64>,
    /// The partial states, one after the other.
    states: Vec<u64>,
    /// For each of them, what the plan spends from there on actions that have
    /// nothing to do with the free variables.
    least: Vec<Cost>,
    /// What it spends from there on all in all, but for what is left out.
    rest: Vec<Cost>,
}

impl Row {
    /// The row of a plan. `touches` says which actions change a free variable, and
    /// `omits` which are left out.
    pub(crate) fn of(
        world: &World,
        plan: &[ActionIndex],
        mask: Vec<u64>,
        touches: impl Fn(ActionIndex) -> bool,
        omits: impl Fn(ActionIndex) -> bool,
    ) -> Row {
        let mut row = Row {
            states: Vec::new(),
            least: vec![Cost::ZERO],
            rest: vec![Cost::ZERO],
            mask,
        };
        let mut state = world.initial();
        row.push(&state);
        for &action in plan {
            // A plan's own steps can be executed; if not, no way is found.
            let _ = world.apply(action, &mut state);
            let cost = world.ground.actions[action as usize].cost;
            let end = row.end();
            if !omits(action) {
                row.rest[end] += cost;
            }
            if !row.is_at(end, &state) {
                row.push(&state);
                if !touches(action) {
                    row.least[end] += cost;
                }
                row.least.push(Cost::ZERO);
                row.rest.push(Cost::ZERO);
            }
        }
        for place in (0..row.end()).rev() {
            let (least, rest) = (row.least[place + 1], row.rest[place + 1]);
            row.least[place] += least;
            row.rest[place] += rest;
        }
        row
    }

    fn push(&mut self, state: &[u64]) {
        let masked = state.iter().zip(&self.mask).map(|(a, b)| a & b);
        self.states.extend(masked);
    }

    /// The last place.
    fn end(&self) -> usize {
        self.states.len() / self.mask.len() - 1
    }

    fn is_at(&self, place: usize, state: &[u64]) -> bool {
        let words = self.mask.len();
        let own = &self.states[place * words..][..words];
        let mut words = own.iter().zip(state.iter().zip(&self.mask));
        words.all(|(own, (state, mask))| *own == state & mask)
    }
}

/// All ways of the free variables along a row.
pub(crate) struct Weave<'a> {
    world: &'a World,
    row: &'a Row,
    few: &'a Few,
    goal: &'a Condition,
    states: StateTable,
    numbers: FxHashMap<(u32, u32), u32>,
    actions: Vec<ActionIndex>,
    state: Vec<u64>,
    work: Cell<u64>,
}

impl<'a> Weave<'a> {
    /// Ways by a few actions to a goal.
    pub(crate) fn new(
        world: &'a World,
        row: &'a Row,
        few: &'a Few,
        goal: &'a Condition,
    ) -> Weave<'a> {
        Weave {
            world,
            row,
            few,
            goal,
            states: StateTable::new(world.words),
            numbers: FxHashMap::default(),
            actions: Vec::new(),
            state: world.initial(),
            work: Cell::new(0),
        }
    }
}

impl Space for Weave<'_> {
    /// A place of the row, and a state.
    type Node = (u32, u32);
    type Step = ActionIndex;

    fn start(&mut self) -> (u32, u32) {
        (0, self.states.intern(&self.world.initial()).0)
    }

    fn number(&mut self, &node: &(u32, u32)) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(node).or_insert(next)
    }

    fn is_goal(&self, &(place, state): &(u32, u32)) -> bool {
        place as usize == self.row.end() && self.world.holds(self.goal, self.states.get(state))
    }

    fn least(&self, &(place, _): &(u32, u32)) -> Distance {
        Distance::Left(self.row.least[place as usize])
    }

    fn successors(
        &mut self,
        &(place, from): &(u32, u32),
        _plan: Option<&dyn RelaxedPlan>,
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave> {
        let mut actions = std::mem::take(&mut self.actions);
        self.few
            .list(self.world, self.states.get(from), &mut actions);
        let words = self.world.words as u64;
        self.work.set(
            self.work.get() + self.few.len() as u64 + (NODE_WORK + words) * actions.len() as u64,
        );
        for &action in &actions {
            run.tick()?;
            self.state.copy_from_slice(self.states.get(from));
            if !self.world.apply(action, &mut self.state) {
                continue;
            }
            let here = place as usize;
            let there = match () {
                () if self.row.is_at(here, &self.state) => here,
                () if here < self.row.end() && self.row.is_at(here + 1, &self.state) => here + 1,
                () => continue,
            };
            let state = self.states.intern(&self.state).0;
            let cost = self.world.ground.actions[action as usize].cost;
            into.push(Successor::new((there as u32, state), action, cost));
        }
        self.actions = actions;
        Ok(())
    }

    fn describe<'s>(
        &'s self,
        &(place, state): &(u32, u32),
        left: &mut Vec<Element>,
    ) -> (u32, &'s [u64]) {
        // What is left to be done is named by where it begins.
        left.push(Element(place));
        (state, self.states.get(state))
    }

    fn take_work(&mut self) -> u64 {
        self.work.take()
    }

    fn bytes(&self) -> u64 {
        self.states.bytes() + (self.numbers.capacity() * 13) as u64
    }
}

/// What the plan spends from a place on: whoever is there for less than the plan
/// has saved something, and goes on first.
pub(crate) struct Rest<'a>(pub(crate) &'a Row);

impl Heuristic for Rest<'_> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        let place = at.left.first().map_or(0, |place| place.0);
        Distance::Left(self.0.rest[place as usize])
    }

    fn take_work(&mut self) -> u64 {
        0
    }
}
