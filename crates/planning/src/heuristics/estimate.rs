//! How much work a state and a stack of tasks still ask for.
//!
//! Exploring the relaxation depends on the state alone, so several stacks over
//! one state share one exploration; what remains per stack is a sum over its
//! elements.

use crate::analysis::charge::{Charge, Weight};
use crate::analysis::relax::{Explorer, Join, Lists};
use crate::cost::{Cost, Distance};
use crate::ground::{ActionIndex, MethodIndex, Node};
use crate::heuristics::lmcut::LmCut;
use crate::heuristics::scope::{Base, ScopeId, Scopes};
use crate::spaces::stacks::{Element, Elements, Kind, StackId, Stacks};
use crate::spaces::world::World;

/// Which estimate guides the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Estimate {
    /// None: every node looks alike.
    Blind,
    /// The sum over what is left to do of additive costs.
    Add,
    /// The size of one relaxed plan for all that is left.
    Ff,
    /// The dearest thing left to do. Never too high.
    Max,
    /// Landmark cuts. Never too high.
    LmCut,
}

impl Estimate {
    /// True if it never exceeds the cost of the best plan.
    pub fn is_admissible(self) -> bool {
        matches!(self, Estimate::Blind | Estimate::Max | Estimate::LmCut)
    }
}

/// Estimates nodes; holds the relaxation and its working space.
pub(crate) enum Estimator<'a, 'g> {
    /// In numbers of 32 bits, which hold the charges of this problem.
    Small(Inner<'a, 'g, u32>),
    /// In numbers of 128 bits.
    Large(Inner<'a, 'g, u128>),
}

/// The same for either.
macro_rules! either {
    ($estimator:expr, $inner:ident => $body:expr) => {
        match $estimator {
            Estimator::Small($inner) => $body,
            Estimator::Large($inner) => $body,
        }
    };
}

impl<'a, 'g> Estimator<'a, 'g> {
    /// An estimator for one problem.
    pub(crate) fn new(world: &'a World<'g>, kind: Estimate) -> Estimator<'a, 'g> {
        let charge = match kind.is_admissible() {
            true => Charge::cost(world.ground),
            false => Charge::Steps,
        };
        Estimator::charging(world, kind, charge)
    }

    /// An estimator that charges operators in a way of its own.
    pub(crate) fn charging(
        world: &'a World<'g>,
        kind: Estimate,
        charge: Charge,
    ) -> Estimator<'a, 'g> {
        match charge.is_small(world.ground) {
            true => Estimator::Small(Inner::new(world, kind, charge)),
            false => Estimator::Large(Inner::new(world, kind, charge)),
        }
    }

    /// Steps taken since the last call: what the estimates have cost.
    pub(crate) fn take_work(&mut self) -> u64 {
        either!(self, inner => inner.scopes.take_work())
    }

    /// The scope for a stack, given its parent's.
    pub(crate) fn narrow(&mut self, scope: ScopeId, stacks: &Stacks, stack: StackId) -> ScopeId {
        either!(self, inner => inner.narrow(scope, stacks, stack))
    }

    /// Estimates a node; `number` names its state, `stack` is what is to be
    /// done before the goal is looked at.
    pub(crate) fn estimate(
        &mut self,
        scope: ScopeId,
        number: u32,
        state: &[u64],
        stacks: &Stacks,
        stack: StackId,
    ) -> Distance {
        self.estimate_all(scope, number, state, stacks.iter(stack))
    }

    /// The same for elements in any order.
    pub(crate) fn estimate_all(
        &mut self,
        scope: ScopeId,
        number: u32,
        state: &[u64],
        left: impl Iterator<Item = Element>,
    ) -> Distance {
        either!(self, inner => inner.estimate_all(scope, number, state, left))
    }

    /// The actions in the relaxed plan of the last estimate, those that need
    /// least first.
    pub(crate) fn plan(&self) -> Vec<ActionIndex> {
        either!(self, inner => {
            let scope = inner.last();
            scope.explorer.actions_in_plan(&scope.relaxed)
        })
    }

    /// For each fact, how many operators of the last relaxed plan need it.
    pub(crate) fn needed(&self, into: &mut Vec<u32>) {
        either!(self, inner => {
            let scope = inner.last();
            scope.explorer.needed_in_plan(&scope.relaxed, into);
        })
    }

    /// True if the relaxed plan of the last estimate uses the method.
    pub(crate) fn prefers(&self, method: MethodIndex) -> bool {
        either!(self, inner => {
            let scope = inner.last();
            let operator = scope.relaxed.method(method);
            operator.is_some_and(|operator| scope.explorer.in_plan(operator))
        })
    }

    /// True if the relaxed plan of the last estimate uses the action.
    pub(crate) fn prefers_action(&self, action: ActionIndex) -> bool {
        either!(self, inner => {
            let scope = inner.last();
            let operator = scope.relaxed.action(action);
            operator.is_some_and(|operator| scope.explorer.in_plan(operator))
        })
    }
}

/// An estimator that calculates in one kind of number.
pub(crate) struct Inner<'a, 'g, W> {
    world: &'a World<'g>,
    kind: Estimate,
    /// What one unit of an estimate stands for.
    unit: u128,
    elements: Elements,
    scopes: Scopes<W>,
    cut: LmCut<W>,
    conditions: Lists,
    goal: Vec<u32>,
    literals: Vec<u32>,
    /// The scope of the last estimate.
    scope: ScopeId,
}

impl<'a, 'g, W: Weight> Inner<'a, 'g, W> {
    fn new(world: &'a World<'g>, kind: Estimate, charge: Charge) -> Inner<'a, 'g, W> {
        let mut scopes = Scopes::new(world, charge);
        let relaxed = &scopes.get(ScopeId::default()).0.relaxed;
        let mut conditions = Lists::new();
        for method in &world.ground.methods {
            conditions.push(relaxed.condition(&method.precondition));
        }
        Inner {
            world,
            kind,
            unit: charge.unit(),
            elements: Elements::new(world.ground),
            cut: LmCut::new(relaxed),
            goal: relaxed.condition(&world.ground.goal),
            conditions,
            scopes,
            literals: Vec::new(),
            scope: ScopeId::default(),
        }
    }

    fn last(&self) -> &Base<W> {
        self.scopes.peek(self.scope)
    }

    fn narrow(&mut self, scope: ScopeId, stacks: &Stacks, stack: StackId) -> ScopeId {
        if self.kind == Estimate::Blind {
            return scope;
        }
        let left = stacks.iter(stack);
        self.scopes.narrow(self.world, self.elements, scope, left)
    }

    fn estimate_all(
        &mut self,
        scope: ScopeId,
        number: u32,
        state: &[u64],
        left: impl Iterator<Item = Element>,
    ) -> Distance {
        if self.kind == Estimate::Blind {
            return Distance::Left(Cost::ZERO);
        }
        self.scope = scope;
        let place = self.scopes.place(scope) as u32;
        let (scope, counts) = self.scopes.get(scope);
        let relaxed = &scope.relaxed;
        self.literals.clear();
        let mut length = 0u32;
        for element in left {
            length += 1;
            match self.elements.kind(element) {
                Kind::Action(action) => self.literals.push(relaxed.node(Node::Action(action))),
                Kind::Task(task) => self.literals.push(relaxed.node(Node::Task(task))),
                Kind::Method(method) => {
                    let conditions = self.conditions.get(method);
                    self.literals.extend_from_slice(conditions);
                }
            }
        }
        self.literals.extend_from_slice(&self.goal);
        if self.kind != Estimate::LmCut {
            let join = match self.kind {
                Estimate::Max => Join::Max,
                _ => Join::Sum,
            };
            if scope.explored != Some((number, place)) {
                scope.explorer.explore(relaxed, state, counts);
                scope.explored = Some((number, place));
            }
            scope.explorer.reach_all(relaxed, &self.literals, join);
        }
        let cost = |explorer: &Explorer<W>, literal: u32| explorer.cost[literal as usize];
        let distance = match self.kind {
            Estimate::Blind => Some(0),
            Estimate::Add => total(length, &self.literals, |literal| {
                cost(&scope.explorer, literal)
            }),
            Estimate::Ff => {
                scope.explorer.start_plan();
                total(length, &self.literals, |literal| {
                    match cost(&scope.explorer, literal) == W::UNREACHED {
                        true => W::UNREACHED,
                        false => scope.explorer.plan_for(relaxed, literal),
                    }
                })
            }
            Estimate::Max => {
                let costs = self.literals.iter();
                let costs = costs.map(|&literal| cost(&scope.explorer, literal));
                finite(costs.max().unwrap_or(W::ZERO))
            }
            Estimate::LmCut => {
                let explorer = &mut scope.explorer;
                finite(self.cut.estimate(relaxed, explorer, state, &self.literals))
            }
        };
        match distance {
            Some(units) => Distance::Left(Cost::of_units(units).saturating_mul(self.unit)),
            None => Distance::Dead,
        }
    }
}

/// How much it is; `None` if it is out of reach.
fn finite<W: Weight>(weight: W) -> Option<u128> {
    (weight != W::UNREACHED).then(|| weight.units())
}

/// Sums over all that is left; `None` if a part is out of reach.
fn total<W: Weight>(length: u32, literals: &[u32], mut cost: impl FnMut(u32) -> W) -> Option<u128> {
    let mut total = u128::from(length);
    for &literal in literals {
        total = total.saturating_add(finite(cost(literal))?);
    }
    Some(total)
}
