//! How much work a state and a stack of tasks still ask for.
//!
//! Exploring the relaxation depends on the state alone, so several stacks over
//! one state share one exploration; what remains per stack is a sum over its
//! elements.

use super::lmcut::LmCut;
use super::relax::{Charge, Explorer, INFINITE, Join, Lists, Relaxation};
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
pub(crate) struct Estimator {
    kind: Estimate,
    elements: Elements,
    pub(crate) relaxed: Relaxation,
    explorer: Explorer,
    cut: LmCut,
    conditions: Lists,
    goal: Vec<u32>,
    explored: Option<u32>,
    literals: Vec<u32>,
}

impl Estimator {
    /// An estimator for one problem.
    pub(crate) fn new(world: &World<'_>, kind: Estimate) -> Estimator {
        let charge = match kind.is_admissible() {
            true => Charge::Cost,
            false => Charge::Steps,
        };
        let relaxed = Relaxation::new(world, charge);
        let mut conditions = Lists::new();
        for method in &world.ground.methods {
            conditions.push(relaxed.condition(&method.precondition));
        }
        Estimator {
            kind,
            elements: Elements::new(world.ground),
            explorer: Explorer::new(&relaxed),
            cut: LmCut::new(&relaxed),
            goal: relaxed.condition(&world.ground.goal),
            conditions,
            relaxed,
            explored: None,
            literals: Vec::new(),
        }
    }

    /// Estimates a node; `number` names its state, `stack` is what is to be
    /// done before the goal is looked at. [`INFINITE`] is a proof that no plan
    /// goes through here.
    pub(crate) fn estimate(
        &mut self,
        number: u32,
        state: &[u64],
        stacks: &Stacks,
        stack: StackId,
    ) -> u32 {
        self.estimate_all(number, state, stacks.iter(stack))
    }

    /// The same for elements in any order.
    pub(crate) fn estimate_all(
        &mut self,
        number: u32,
        state: &[u64],
        left: impl Iterator<Item = Element>,
    ) -> u32 {
        if self.kind == Estimate::Blind {
            return 0;
        }
        self.literals.clear();
        let mut length = 0u32;
        for element in left {
            length += 1;
            match self.elements.kind(element) {
                Kind::Action(action) => {
                    let literal = self.relaxed.node(Node::Action(action));
                    self.literals.push(literal);
                }
                Kind::Task(task) => self.literals.push(self.relaxed.node(Node::Task(task))),
                Kind::Method(method) => {
                    let conditions = self.conditions.get(method);
                    self.literals.extend_from_slice(conditions);
                }
            }
        }
        self.literals.extend_from_slice(&self.goal);
        if self.explored != Some(number) && self.kind != Estimate::LmCut {
            let join = match self.kind {
                Estimate::Max => Join::Max,
                _ => Join::Sum,
            };
            self.explorer.explore(&self.relaxed, state, join);
            self.explored = Some(number);
        }
        match self.kind {
            Estimate::Blind => 0,
            Estimate::Add => self.total(length, |estimator, literal| {
                estimator.explorer.cost[literal as usize]
            }),
            Estimate::Ff => {
                self.explorer.start_plan();
                self.total(length, |estimator, literal| {
                    match estimator.explorer.cost[literal as usize] {
                        INFINITE => INFINITE,
                        _ => estimator.explorer.plan_for(&estimator.relaxed, literal),
                    }
                })
            }
            Estimate::Max => {
                let costs = self
                    .literals
                    .iter()
                    .map(|&it| self.explorer.cost[it as usize]);
                costs.max().unwrap_or(0)
            }
            Estimate::LmCut => {
                self.cut
                    .estimate(&self.relaxed, &mut self.explorer, state, &self.literals)
            }
        }
    }

    /// Sums over all that is left; [`INFINITE`] if a part is.
    fn total(&mut self, length: u32, cost: impl Fn(&mut Estimator, u32) -> u32) -> u32 {
        let mut total = length;
        for index in 0..self.literals.len() {
            match cost(self, self.literals[index]) {
                INFINITE => return INFINITE,
                part => total = total.saturating_add(part),
            }
        }
        total.min(INFINITE - 1)
    }

    /// True if the relaxed plan of the last estimate uses the method.
    pub(crate) fn prefers(&self, method: MethodIndex) -> bool {
        self.explorer.in_plan(self.relaxed.method(method))
    }

    /// True if the relaxed plan of the last estimate uses the action.
    pub(crate) fn prefers_action(&self, action: ActionIndex) -> bool {
        self.explorer.in_plan(self.relaxed.action(action))
    }
}
