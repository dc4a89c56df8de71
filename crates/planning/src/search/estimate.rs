//! How much work a state and a stack of tasks still ask for.
//!
//! Exploring the relaxation depends on the state alone, so several stacks over
//! one state share one exploration; what remains per stack is a sum over its
//! elements.

use super::lmcut::LmCut;
use super::relax::{Charge, INFINITE, Join, Lists};
use super::scope::{ScopeId, Scopes};
use super::stacks::{Element, Elements, Kind, StackId, Stacks};
use super::world::World;
use crate::ground::{ActionIndex, MethodIndex, Node};

/// Which estimate guides the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
pub(crate) struct Estimator<'a, 'g> {
    world: &'a World<'g>,
    kind: Estimate,
    elements: Elements,
    scopes: Scopes,
    cut: LmCut,
    conditions: Lists,
    goal: Vec<u32>,
    literals: Vec<u32>,
    /// The scope of the last estimate.
    scope: ScopeId,
}

impl<'a, 'g> Estimator<'a, 'g> {
    /// An estimator for one problem.
    pub(crate) fn new(world: &'a World<'g>, kind: Estimate) -> Estimator<'a, 'g> {
        let charge = match kind.is_admissible() {
            true => Charge::Cost,
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
        let mut scopes = Scopes::new(world, charge);
        let relaxed = &scopes.get(ScopeId::default()).0.relaxed;
        let mut conditions = Lists::new();
        for method in &world.ground.methods {
            conditions.push(relaxed.condition(&method.precondition));
        }
        Estimator {
            world,
            kind,
            elements: Elements::new(world.ground),
            cut: LmCut::new(relaxed),
            goal: relaxed.condition(&world.ground.goal),
            conditions,
            scopes,
            literals: Vec::new(),
            scope: ScopeId::default(),
        }
    }

    /// Steps taken since the last call: what the estimates have cost.
    pub(crate) fn take_work(&mut self) -> u64 {
        self.scopes.take_work()
    }

    /// The scope for a stack, given its parent's.
    pub(crate) fn narrow(&mut self, scope: ScopeId, stacks: &Stacks, stack: StackId) -> ScopeId {
        if self.kind == Estimate::Blind {
            return scope;
        }
        let left = stacks.iter(stack);
        self.scopes.narrow(self.world, self.elements, scope, left)
    }

    /// Estimates a node; `number` names its state, `stack` is what is to be
    /// done before the goal is looked at. [`INFINITE`] is a proof that no plan
    /// goes through here.
    pub(crate) fn estimate(
        &mut self,
        scope: ScopeId,
        number: u32,
        state: &[u64],
        stacks: &Stacks,
        stack: StackId,
    ) -> u32 {
        self.estimate_all(scope, number, state, stacks.iter(stack))
    }

    /// The same for elements in any order.
    pub(crate) fn estimate_all(
        &mut self,
        scope: ScopeId,
        number: u32,
        state: &[u64],
        left: impl Iterator<Item = Element>,
    ) -> u32 {
        if self.kind == Estimate::Blind {
            return 0;
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
        match self.kind {
            Estimate::Blind => 0,
            Estimate::Add => total(length, &self.literals, |literal| {
                scope.explorer.cost[literal as usize]
            }),
            Estimate::Ff => {
                scope.explorer.start_plan();
                total(length, &self.literals, |literal| {
                    match scope.explorer.cost[literal as usize] {
                        INFINITE => INFINITE,
                        _ => scope.explorer.plan_for(relaxed, literal),
                    }
                })
            }
            Estimate::Max => {
                let costs = self.literals.iter();
                let costs = costs.map(|&literal| scope.explorer.cost[literal as usize]);
                costs.max().unwrap_or(0)
            }
            Estimate::LmCut => {
                let explorer = &mut scope.explorer;
                self.cut.estimate(relaxed, explorer, state, &self.literals)
            }
        }
    }

    /// The actions in the relaxed plan of the last estimate, those that need
    /// least first.
    pub(crate) fn plan(&mut self) -> Vec<ActionIndex> {
        let scope = self.scopes.peek(self.scope);
        scope.explorer.actions_in_plan(&scope.relaxed)
    }

    /// For each fact, how many operators of the last relaxed plan need it.
    pub(crate) fn needed(&mut self, into: &mut Vec<u32>) {
        let scope = self.scopes.peek(self.scope);
        scope.explorer.needed_in_plan(&scope.relaxed, into);
    }

    /// True if the relaxed plan of the last estimate uses the method.
    pub(crate) fn prefers(&self, method: MethodIndex) -> bool {
        let scope = self.scopes.peek(self.scope);
        let operator = scope.relaxed.method(method);
        operator.is_some_and(|operator| scope.explorer.in_plan(operator))
    }

    /// True if the relaxed plan of the last estimate uses the action.
    pub(crate) fn prefers_action(&self, action: ActionIndex) -> bool {
        let scope = self.scopes.peek(self.scope);
        let operator = scope.relaxed.action(action);
        operator.is_some_and(|operator| scope.explorer.in_plan(operator))
    }
}

/// Sums over all that is left; [`INFINITE`] if a part is.
fn total(length: u32, literals: &[u32], mut cost: impl FnMut(u32) -> u32) -> u32 {
    let mut total = length;
    for &literal in literals {
        match cost(literal) {
            INFINITE => return INFINITE,
            part => total = total.saturating_add(part),
        }
    }
    total.min(INFINITE - 1)
}
