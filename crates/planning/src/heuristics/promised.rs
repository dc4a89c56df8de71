//! The size of a relaxed plan of actions alone, for what the tasks left
//! promise.
//!
//! The relaxation that has tasks inside counts methods and the actions that
//! they are made of; where a task may be done in many ways, each a page of
//! bookkeeping, that is mostly bookkeeping. Here the stack is read as facts
//! that have to come true and actions that have to be executed, and the
//! relaxed plan takes any action there is
//! ([projection](crate::analysis::projection)). A method that does what such a
//! plan would do costs nothing then, for what it leaves on the stack was in
//! the plan before; one that does not is a detour and makes the plan longer.
//!
//! What cannot be reached like this is far, not dead: an action may be on the
//! stack whose past was different from what usually precedes it.

use planoku_engine::{Run, Stop};

use crate::analysis::charge::Charge;
use crate::analysis::explore::{Explorer, Join};
use crate::analysis::projection::Projection;
use crate::cost::{Cost, Distance};
use crate::ground::{ActionIndex, GroundMethod, MethodIndex, Node};
use crate::heuristics::heuristic::{Heuristic, RelaxedPlan, Situation};
use crate::instance::Instance;
use crate::state::stacks::{Elements, Kind};

/// What a fact out of reach is worth.
const FAR: u64 = 1000;

/// Explorations that are kept: a node and what was made of its siblings often
/// have the same state, and only what is left differs.
const KEPT: usize = 4;

struct Promised<'a> {
    projection: &'a Projection,
    methods: &'a [GroundMethod],
    /// Explorations, and the states they began in.
    explored: Vec<(Option<u32>, Explorer<u32>)>,
    /// The one asked last, and the one to be replaced next.
    last: usize,
    oldest: usize,
    elements: Elements,
    goal: Vec<u32>,
    literals: Vec<u32>,
    /// For each literal, the round in which it was last a goal.
    wanted: Vec<u32>,
    round: u32,
    work: u64,
}

pub(super) fn new<'a>(
    instance: &'a Instance,
    _: Charge,
    run: &mut Run<'_>,
) -> Result<Box<dyn Heuristic + 'a>, Stop> {
    let projection = instance.projection(run)?;
    let relaxed = &projection.relaxed;
    Ok(Box::new(Promised {
        projection,
        methods: &instance.methods,
        explored: (0..KEPT).map(|_| (None, Explorer::new(relaxed))).collect(),
        last: 0,
        oldest: 0,
        elements: Elements::new(instance),
        goal: relaxed.condition(&instance.goal),
        literals: Vec::new(),
        wanted: vec![0; relaxed.literals],
        round: 0,
        work: 0,
    }))
}

impl Promised<'_> {
    /// Collects what has to come true, each literal once.
    fn collect(&mut self, at: &Situation<'_>) {
        self.literals.clear();
        self.round += 1;
        let (wanted, round, literals) = (&mut self.wanted, self.round, &mut self.literals);
        let mut want = |literal: u32| {
            if std::mem::replace(&mut wanted[literal as usize], round) != round {
                literals.push(literal);
            }
        };
        for &element in at.left {
            match self.elements.kind(element) {
                Kind::Action(action) => want(self.projection.relaxed.node(Node::Action(action))),
                Kind::Task(task) => self.projection.of_task(task).for_each(&mut want),
                Kind::Method(method) => {
                    let facts = &self.methods[method as usize].precondition.positive;
                    facts.iter().copied().for_each(&mut want);
                }
            }
        }
        self.goal.iter().copied().for_each(want);
        self.work += (self.literals.len() + at.left.len()) as u64;
    }

    /// Makes `last` an exploration of the state.
    fn explore(&mut self, at: &Situation<'_>) {
        let known = |it: &(Option<u32>, _)| it.0 == Some(at.number);
        if let Some(place) = self.explored.iter().position(known) {
            self.last = place;
            return;
        }
        self.last = self.oldest;
        self.oldest = (self.oldest + 1) % KEPT;
        let Projection { world, relaxed, .. } = self.projection;
        let (number, explorer) = &mut self.explored[self.last];
        explorer.explore(world, relaxed, at.state, None, Join::Sum);
        *number = Some(at.number);
    }

    fn explorer(&self) -> &Explorer<u32> {
        &self.explored[self.last].1
    }
}

impl Heuristic for Promised<'_> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        self.collect(at);
        self.explore(at);
        let relaxed = &self.projection.relaxed;
        let explorer = &mut self.explored[self.last].1;
        explorer.reach_all(relaxed, &self.literals, Join::Sum);
        explorer.start_plan();
        let mut total = 0;
        for &literal in &self.literals {
            total += match explorer.cost(literal) {
                u32::MAX => FAR,
                _ => u64::from(explorer.plan_for(relaxed, literal)),
            };
        }
        Distance::Left(Cost::from(total))
    }

    fn take_work(&mut self) -> u64 {
        let explorers = self.explored.iter_mut();
        let inner: u64 = explorers.map(|(_, it)| it.take_work()).sum();
        inner + std::mem::take(&mut self.work)
    }

    fn plan(&self) -> Option<&dyn RelaxedPlan> {
        Some(self)
    }
}

impl RelaxedPlan for Promised<'_> {
    fn actions(&self) -> Vec<ActionIndex> {
        self.explorer().actions_in_plan(&self.projection.relaxed)
    }

    fn needed(&self, into: &mut Vec<u32>) {
        self.explorer()
            .needed_in_plan(&self.projection.relaxed, into);
    }

    fn has_method(&self, method: MethodIndex) -> bool {
        let mut actions = self.projection.of_method(method);
        actions.any(|action| self.has_action(action))
    }

    fn has_action(&self, action: ActionIndex) -> bool {
        let operator = self.projection.relaxed.action(action);
        operator.is_some_and(|operator| self.explorer().in_plan(operator))
    }
}
