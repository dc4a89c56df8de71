//! What heuristics over the delete relaxation share.
//!
//! Exploring the relaxation depends on the state alone, so several stacks over
//! one state share one exploration; what remains per stack is to read the
//! literals of its elements. A heuristic of this kind is a [`Reading`].

use planoku_engine::{Run, Stop};

use crate::analysis::charge::{Charge, Weight};
use crate::analysis::explore::{Explorer, Join};
use crate::analysis::relax::{Lists, NONE, Relaxation};
use crate::cost::{Cost, Distance};
use crate::ground::{ActionIndex, Condition, MethodIndex, Node};
use crate::heuristics::heuristic::{Heuristic, RelaxedPlan, Situation};
use crate::heuristics::scope::{Base, ScopeId, Scopes};
use crate::instance::{Instance, Kept};
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::world::World;

/// How an estimate is read off the relaxation.
pub(super) trait Reading<W> {
    /// Estimates rest on relaxed plans, which [`Explorer`] then holds.
    const PLANS: bool = false;
    /// Estimates are sums, or rest on what is cheapest, so that effects which
    /// are cheaper elsewhere can be left out.
    const LEAN: bool = false;

    /// With working space for one relaxation.
    fn new(relaxed: &Relaxation<W>) -> Self;

    /// What the goals cost together, in units; `None` if one is out of reach.
    fn read(&mut self, at: &mut Reach<'_, W>) -> Option<u128>;

    /// What the goals still cost at least after these operators were used where
    /// it was read last, for actions, or these methods were, without any.
    fn guess(&self, _relaxed: &Relaxation<W>, _actions: &[u32], _methods: &[u32]) -> Option<W> {
        None
    }

    /// The same for what an operator leads to from the state last read.
    fn read_after(&mut self, at: &mut Reach<'_, W>, _operator: u32) -> Option<u128> {
        self.read(at)
    }
}

/// A heuristic that reads the relaxation, in the smallest numbers that hold
/// its charges.
pub(super) fn relaxed<'a, Small, Large>(
    instance: &'a Instance,
    charge: Charge,
    run: &mut Run<'_>,
) -> Result<Box<dyn Heuristic + 'a>, Stop>
where
    Small: Reading<u32> + 'static,
    Large: Reading<u128> + 'static,
{
    Ok(match charge.is_small(instance) {
        true => Box::new(Relaxed::<u32, Small>::new(instance, charge, run)?),
        false => Box::new(Relaxed::<u128, Large>::new(instance, charge, run)?),
    })
}

/// What is to be reached, and from where.
pub(super) struct Reach<'s, W> {
    world: &'s World,
    base: &'s mut Base<W>,
    /// How many literals each operator needs, where not all of them exist.
    pub(super) counts: Option<&'s [u32]>,
    number: u32,
    place: u32,
    pub(super) state: &'s [u64],
    pub(super) goals: &'s [u32],
    /// How many elements are left to do.
    length: u32,
}

impl<W: Weight> Reach<'_, W> {
    /// Explores as far as the goals, unless that has been done.
    pub(super) fn explore(&mut self, join: Join) {
        let Base {
            relaxed,
            explorer,
            explored,
        } = &mut *self.base;
        if *explored != Some((self.number, self.place)) {
            explorer.explore(self.world, relaxed, self.state, self.counts, join);
            *explored = Some((self.number, self.place));
        }
        explorer.reach_all(relaxed, self.goals, join);
    }

    /// The relaxation and what was explored.
    pub(super) fn base(&mut self) -> (&Relaxation<W>, &mut Explorer<W>) {
        (&self.base.relaxed, &mut self.base.explorer)
    }

    /// The number of elements and what all goals cost; `None` if one is out of
    /// reach.
    pub(super) fn sum(
        &mut self,
        mut cost: impl FnMut(&Relaxation<W>, &mut Explorer<W>, u32) -> W,
    ) -> Option<u128> {
        let Base {
            relaxed, explorer, ..
        } = &mut *self.base;
        let mut total = u128::from(self.length);
        for &goal in self.goals {
            if explorer.cost(goal) == W::UNREACHED {
                return None;
            }
            total = total.saturating_add(finite(cost(relaxed, explorer, goal))?);
        }
        Some(total)
    }
}

/// How much it is; `None` if it is out of reach.
pub(super) fn finite<W: Weight>(weight: W) -> Option<u128> {
    (weight != W::UNREACHED).then(|| weight.units())
}

/// A reading with the relaxation it reads, in one kind of number.
struct Relaxed<'a, W, R> {
    world: &'a World,
    reading: R,
    /// What one unit of an estimate stands for.
    unit: u128,
    elements: Elements,
    scopes: Scopes<W>,
    conditions: Lists,
    goal: Vec<u32>,
    literals: Vec<u32>,
    /// The scope of the last estimate.
    scope: ScopeId,
    /// Operators that were used, to be asked about.
    actions: Vec<u32>,
    methods: Vec<u32>,
}

impl<'a, W: Kept, R: Reading<W>> Relaxed<'a, W, R> {
    fn new(
        instance: &'a Instance,
        charge: Charge,
        run: &mut Run<'_>,
    ) -> Result<Relaxed<'a, W, R>, Stop> {
        let world = &instance.world;
        let relaxed = match R::LEAN {
            true => instance.lean_relaxation(charge, run)?,
            false => instance.relaxation(charge, run)?,
        };
        run.effort(instance.size())?;
        let mut conditions = Lists::new();
        for method in &instance.methods {
            conditions.push(relaxed.condition(&method.precondition));
        }
        Ok(Relaxed {
            world,
            reading: R::new(&relaxed),
            unit: charge.unit(),
            elements: Elements::new(instance),
            goal: relaxed.condition(&instance.goal),
            conditions,
            scopes: Scopes::new(world, charge, relaxed),
            literals: Vec::new(),
            scope: ScopeId::default(),
            actions: Vec::new(),
            methods: Vec::new(),
        })
    }

    /// How far it is, from a state or from what an action leads to.
    fn estimate_from(&mut self, at: &Situation<'_>, before: Option<ActionIndex>) -> Distance {
        self.scope = at.scope;
        let place = self.scopes.place(at.scope) as u32;
        let (base, counts) = self.scopes.get(at.scope);
        self.literals.clear();
        for &element in at.left {
            match self.elements.kind(element) {
                Kind::Action(action) => self.literals.push(base.relaxed.node(Node::Action(action))),
                Kind::Task(task) => self.literals.push(base.relaxed.node(Node::Task(task))),
                Kind::Method(method) => {
                    let conditions = self.conditions.get(method);
                    self.literals.extend_from_slice(conditions);
                }
            }
        }
        self.literals.extend_from_slice(&self.goal);
        let operator = before.and_then(|action| base.relaxed.action(action));
        let mut reach = Reach {
            world: self.world,
            base,
            counts,
            number: at.number,
            place,
            state: at.state,
            goals: &self.literals,
            length: at.left.len() as u32,
        };
        let units = match operator {
            Some(operator) => self.reading.read_after(&mut reach, operator),
            None => self.reading.read(&mut reach),
        };
        match units {
            Some(units) => Distance::Left(Cost::of_units(units).saturating_mul(self.unit)),
            None => Distance::Dead,
        }
    }

    fn last(&self) -> &Base<W> {
        self.scopes.peek(self.scope)
    }
}

impl<W: Kept, R: Reading<W>> Heuristic for Relaxed<'_, W, R> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        self.estimate_from(at, None)
    }

    fn take_work(&mut self) -> u64 {
        self.scopes.take_work()
    }

    fn narrow(&mut self, scope: ScopeId, left: &[Element]) -> ScopeId {
        let left = left.iter().copied();
        self.scopes.narrow(self.world, self.elements, scope, left)
    }

    fn estimate_after(&mut self, at: &Situation<'_>, action: ActionIndex) -> Distance {
        self.estimate_from(at, Some(action))
    }

    fn guess(&mut self, done: &[Element]) -> Option<Distance> {
        let base = self.scopes.peek(self.scope);
        self.actions.clear();
        self.methods.clear();
        for &element in done {
            match self.elements.kind(element) {
                Kind::Action(action) => self.actions.extend(base.relaxed.action(action)),
                Kind::Method(method) => self.methods.extend(base.relaxed.method(method)),
                Kind::Task(_) => {}
            }
        }
        let guess = self
            .reading
            .guess(&base.relaxed, &self.actions, &self.methods)?;
        Some(match finite(guess) {
            Some(units) => Distance::Left(Cost::of_units(units).saturating_mul(self.unit)),
            None => Distance::Dead,
        })
    }

    fn aim(&mut self, goal: &Condition) {
        // What nothing in the problem asks for has no literal.
        self.goal = self.scopes.whole().condition(goal);
        self.goal.retain(|&literal| literal != NONE);
        self.scopes.forget();
    }

    fn plan(&self) -> Option<&dyn RelaxedPlan> {
        R::PLANS.then_some(self)
    }
}

impl<W: Kept, R: Reading<W>> RelaxedPlan for Relaxed<'_, W, R> {
    fn actions(&self) -> Vec<ActionIndex> {
        let base = self.last();
        base.explorer.actions_in_plan(&base.relaxed)
    }

    fn needed(&self, into: &mut Vec<u32>) {
        let base = self.last();
        base.explorer.needed_in_plan(&base.relaxed, into);
    }

    fn has_method(&self, method: MethodIndex) -> bool {
        let base = self.last();
        let operator = base.relaxed.method(method);
        operator.is_some_and(|operator| base.explorer.in_plan(operator))
    }

    fn has_action(&self, action: ActionIndex) -> bool {
        let base = self.last();
        let operator = base.relaxed.action(action);
        operator.is_some_and(|operator| base.explorer.in_plan(operator))
    }
}
