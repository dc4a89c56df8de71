//! The states of a classical problem as a space to search.
//!
//! A step is an action. Where the search leaps, one step more is to execute as
//! much of the relaxed plan as goes, in one go (Vidal, "A lookahead strategy
//! for heuristic search planning", 2004).
//!
//! What can be said of a successor before it is estimated: one by an action of
//! the relaxed plan is nearer by one, and whatever it destroys that the rest of
//! that plan needs has to be done again.
//!
//! Where a search estimates states as it takes them, most successors are never
//! taken, and need not be made: they wait as an action and its state.
//!
//! One tick of the [`Run`] is one state taken.

use planoku_engine::{Leave, Run, Stop};

use crate::cost::Cost;
use crate::ground::{ActionIndex, Derivation};
use crate::heuristics::heuristic::RelaxedPlan;
use crate::heuristics::landmark_count::Count;
use crate::random::Random;
use crate::spaces::applicable::Applicable;
use crate::spaces::space::{Counter, Space, Successor};
use crate::spaces::stubborn::Stubborn;
use crate::state::stacks::Element;
use crate::state::states::{StateTable, has};
use crate::state::world::World;

/// All states of a problem.
pub(crate) struct States<'a> {
    world: &'a World,
    table: StateTable,
    applicable: Applicable,
    /// Says which actions may wait.
    stubborn: Option<Stubborn<'a>>,
    /// Shuffles actions, if somebody wishes so.
    random: Option<Random>,
    leaping: bool,
    /// States are made when they are taken.
    deferring: bool,
    leaps: Vec<Box<[ActionIndex]>>,
    state: Vec<u64>,
    actions: Vec<ActionIndex>,
    /// For each fact, how many steps of the relaxed plan need it.
    needed: Vec<u32>,
    work: u64,
}

/// Stands for a state that is not made yet.
const LATER: u32 = u32::MAX;

/// What it takes to let an action wait, and to make a state, beside its words.
const ACTION_WORK: u64 = 12;
const STATE_WORK: u64 = 4;

/// How near what reaches the goal is thought to be.
const NEAREST: i64 = i64::MIN;

/// How a state came from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// By an action.
    One(ActionIndex),
    /// By the actions of that leap.
    Leap(u32),
}

impl<'a> States<'a> {
    /// The space of a problem. Actions are shuffled, unless the seed is 0.
    pub(crate) fn new(
        world: &'a World,
        leaping: bool,
        seed: u64,
        run: &mut Run<'_>,
    ) -> Result<States<'a>, Stop> {
        // Charged before it is spent: lists of who needs what.
        run.effort(2 * world.ground.size())?;
        Ok(States {
            world,
            table: StateTable::new(world.words),
            applicable: Applicable::new(world),
            stubborn: None,
            random: (seed != 0).then(|| Random::new(seed)),
            leaping,
            deferring: false,
            leaps: Vec::new(),
            state: world.initial(),
            actions: Vec::new(),
            needed: Vec::new(),
            work: 0,
        })
    }

    /// From now on actions are left out that may wait, where a cheapest plan is
    /// wanted.
    pub(crate) fn let_wait(&mut self, stubborn: Stubborn<'a>) {
        self.stubborn = Some(stubborn);
    }

    /// From now on states are made when they are taken.
    pub(crate) fn defer(&mut self) {
        self.deferring = true;
    }

    /// The plan of these steps.
    pub(crate) fn derivation(&self, steps: &[&Act]) -> Derivation {
        let actions = steps.iter().flat_map(|step| match step {
            Act::One(action) => std::slice::from_ref(action),
            Act::Leap(leap) => &self.leaps[*leap as usize],
        });
        Derivation {
            steps: (0..).zip(actions.copied()).collect(),
            refinements: Vec::new(),
        }
    }

    /// The state of a node.
    pub(crate) fn state(&self, node: u32) -> &[u64] {
        self.table.get(node)
    }

    fn cost(&self, action: ActionIndex) -> Cost {
        self.world.ground.actions[action as usize].cost
    }

    /// Where as much of the relaxed plan as goes leads, if that is more than a
    /// step.
    fn leap(
        &mut self,
        plan: &dyn RelaxedPlan,
        run: &mut Run<'_>,
    ) -> Result<Option<Successor<Self>>, Stop> {
        let world = self.world;
        let mut left = plan.actions();
        let mut steps = Vec::new();
        loop {
            run.effort(left.len() as u64)?;
            let before = steps.len();
            left.retain(|&action| {
                let fits =
                    world.applicable(action, &self.state) && world.apply(action, &mut self.state);
                if fits {
                    steps.push(action);
                }
                !fits
            });
            if steps.len() == before {
                break;
            }
        }
        if steps.len() < 2 {
            return Ok(None);
        }
        let cost = steps
            .iter()
            .fold(Cost::ZERO, |sum, &action| sum + self.cost(action));
        let (landed, _) = self.table.intern(&self.state);
        self.leaps.push(steps.into_boxed_slice());
        Ok(Some(Successor {
            preferred: true,
            further: -1,
            ..Successor::new(landed, Act::Leap(self.leaps.len() as u32 - 1), cost)
        }))
    }

    /// The state an action leads to; `None` if it cannot be executed.
    fn land(&mut self, from: u32, action: ActionIndex) -> Option<u32> {
        self.state.copy_from_slice(self.table.get(from));
        let done = self.world.apply(action, &mut self.state);
        done.then(|| self.table.intern(&self.state).0)
    }

    /// What a state lacks of the goal, if that is a single fact.
    fn missing(&self, node: u32) -> Option<u32> {
        let state = self.table.get(node);
        let goal = &self.world.ground.goal;
        let mut missing = goal.positive.iter().filter(|&&fact| !has(state, fact));
        let only = missing.next().copied()?;
        let none = missing.next().is_none();
        let none = none && !goal.negative.iter().any(|&fact| has(state, fact));
        none.then_some(only)
    }

    fn brings(&self, action: ActionIndex, fact: u32) -> bool {
        let schema = &self.world.ground.actions[action as usize];
        schema.add.binary_search(&fact).is_ok()
    }

    /// How much further an action leads, going by the relaxed plan, and
    /// whether it is part of that.
    fn guess(&self, plan: &dyn RelaxedPlan, action: ActionIndex) -> (i64, bool) {
        let planned = plan.has_action(action);
        let schema = &self.world.ground.actions[action as usize];
        let own = &schema.precondition.positive;
        let lost = schema.delete.iter().filter(|&fact| {
            let by_itself = u32::from(planned && own.binary_search(fact).is_ok());
            self.needed[*fact as usize] > by_itself
        });
        (lost.count() as i64 - i64::from(planned), planned)
    }
}

impl Space for States<'_> {
    type Node = u32;
    type Step = Act;

    fn start(&mut self) -> u32 {
        self.table.intern(&self.world.initial()).0
    }

    fn number(&mut self, &state: &u32) -> u32 {
        state
    }

    fn action_of(&self, step: &Act) -> Option<ActionIndex> {
        match *step {
            Act::One(action) => Some(action),
            Act::Leap(_) => None,
        }
    }

    fn is_goal(&self, &state: &u32) -> bool {
        self.world.is_goal(self.table.get(state))
    }

    fn taken(&mut self, run: &mut Run<'_>) -> Result<(), Leave> {
        Ok(run.tick()?)
    }

    fn successors(
        &mut self,
        &node: &u32,
        plan: Option<&dyn RelaxedPlan>,
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave> {
        if let Some(plan) = plan {
            if self.leaping {
                self.state.copy_from_slice(self.table.get(node));
                into.extend(self.leap(plan, run)?);
            }
            plan.needed(&mut self.needed);
        }
        let mut actions = std::mem::take(&mut self.actions);
        self.applicable
            .list(self.world, self.table.get(node), &mut actions);
        if let Some(stubborn) = &mut self.stubborn {
            stubborn.prune(self.world, self.table.get(node), &mut actions);
            self.work += std::mem::take(&mut stubborn.work);
        }
        if let Some(random) = &mut self.random {
            random.shuffle(&mut actions);
        }
        let missing = match self.deferring {
            true => self.missing(node),
            false => None,
        };
        for &action in &actions {
            let next = match self.deferring {
                true => LATER,
                false => match self.land(node, action) {
                    Some(next) => next,
                    None => continue,
                },
            };
            let (mut further, preferred) = plan.map_or((0, false), |plan| self.guess(plan, action));
            if missing.is_some_and(|missing| self.brings(action, missing)) {
                further = NEAREST;
            }
            into.push(Successor {
                preferred,
                further,
                ..Successor::new(next, Act::One(action), self.cost(action))
            });
        }
        self.work += actions.len() as u64
            * match self.deferring {
                true => ACTION_WORK,
                false => self.world.words as u64 + STATE_WORK,
            };
        self.actions = actions;
        Ok(())
    }

    fn is_made(&self, &state: &u32) -> bool {
        state != LATER
    }

    fn arrive(&mut self, &from: &u32, step: &Act) -> Option<u32> {
        self.work += self.world.words as u64 + STATE_WORK;
        self.land(from, self.action_of(step)?)
    }

    fn describe<'s>(&'s self, &state: &u32, _left: &mut Vec<Element>) -> (u32, &'s [u64]) {
        (state, self.table.get(state))
    }

    fn is_complete(&self) -> bool {
        !self.world.values.were_too_large()
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + (self.leaps.len() * 64) as u64
    }
}

impl Counter<States<'_>> for Count {
    fn follow(
        &mut self,
        space: &States<'_>,
        before: Option<(u32, &Act)>,
        &state: &u32,
    ) -> (u32, u32) {
        let before = before.map(|(state, _)| state);
        (state, self.visit(state, before, space.table.get(state)))
    }

    fn prefers(&self, name: u32, step: &Act) -> bool {
        match *step {
            Act::One(action) => self.reaches(name, action),
            Act::Leap(_) => false,
        }
    }

    fn work(&self) -> u64 {
        Count::work(self)
    }

    fn bytes(&self) -> u64 {
        Count::bytes(self)
    }
}
