//! Best-first search over any space, with any heuristic.
//!
//! Nodes are estimated when they are made. Greedy search takes the lowest
//! estimate; A* the lowest sum of cost so far and estimate, among equals the
//! lower estimate. Where cost matters (A*, a bound, further plans that are to
//! be cheaper) a node is opened again if a cheaper way to it is found.

use planoku_engine::{Leave, Run};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

use crate::algorithms::open_list::OpenList;
use crate::cost::{Cost, Distance};
use crate::heuristics::heuristic::{Heuristic, Situation};
use crate::heuristics::scope::ScopeId;
use crate::spaces::space::{Space, Successor};
use crate::spaces::stacks::Element;

/// Which node is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The lowest estimate.
    Estimate,
    /// The lowest sum of cost so far and estimate: A*.
    Sum,
}

/// A search in progress.
pub(super) struct BestFirst<'a, S: Space> {
    pub(super) space: S,
    heuristic: Box<dyn Heuristic + 'a>,
    by: By,
    /// Nothing as dear as this is looked at.
    bound: Option<Cost>,
    /// A cheaper way to a node that is known matters.
    cost_matters: bool,
    reached: Vec<Reached<S>>,
    /// For each node seen, the lowest cost it was reached at.
    visited: FxHashMap<S::Key, Cost>,
    open: OpenList,
    left: Vec<Element>,
    bytes: u64,
}

/// A node, and the cheapest known way to it.
struct Reached<S: Space> {
    node: S::Node,
    /// The number of its parent and the step from there; none at the start.
    from: Option<(u32, S::Step)>,
    cost: Cost,
}

/// Told of each plan: the space, and the steps from the start.
pub(super) type Tell<'f, S> = dyn FnMut(&S, &[<S as Space>::Step]) -> Result<(), Leave> + 'f;

impl<'a, S: Space> BestFirst<'a, S> {
    /// A search that has not begun.
    pub(super) fn new(
        space: S,
        heuristic: Box<dyn Heuristic + 'a>,
        by: By,
        bound: Option<Cost>,
    ) -> BestFirst<'a, S> {
        BestFirst {
            space,
            heuristic,
            by,
            cost_matters: by == By::Sum || bound.is_some(),
            bound,
            reached: Vec::new(),
            visited: FxHashMap::default(),
            open: OpenList::new(1),
            left: Vec::new(),
            bytes: 0,
        }
    }

    /// Looks until everything has been looked at, or somebody says stop. With
    /// A* or after a first plan, every further plan is cheaper.
    pub(super) fn run(
        &mut self,
        name: &'static str,
        run: &mut Run<'_>,
        tell: &mut Tell<'_, S>,
    ) -> Result<(), Leave> {
        self.cost_matters |= run.wanted() > 1;
        let node = self.space.start();
        self.bytes = S::bytes_of(&node);
        self.reached.push(Reached {
            node,
            from: None,
            cost: Cost::ZERO,
        });
        self.open.push(0, Cost::ZERO, 0);
        let mut successors = Vec::new();
        while let Some(number) = self.open.pop() {
            let Reached { node, cost, .. } = &self.reached[number as usize];
            let cost = *cost;
            if self.is_beyond(cost) || self.is_outdated(number) {
                continue;
            }
            if self.space.is_goal(node) {
                self.bound = Some(cost);
                tell(&self.space, &self.steps(number))?;
                continue;
            }
            self.space.successors(node, run, &mut successors)?;
            run.effort(self.space.take_work())?;
            for successor in successors.drain(..) {
                self.reach(number, cost, successor);
                // A single estimate may be dear, and there may be thousands.
                run.effort(self.heuristic.take_work())?;
            }
            run.check_memory(self.bytes + self.space.bytes() + self.open.bytes())?;
            run.progress(name, || self.open.best().and_then(Cost::small));
        }
        Ok(())
    }

    /// True if only cheaper plans than this are wanted.
    fn is_beyond(&self, cost: Cost) -> bool {
        self.bound.is_some_and(|bound| cost >= bound)
    }

    /// True if a cheaper way to the same node has been found since.
    fn is_outdated(&self, number: u32) -> bool {
        let Reached { node, cost, from } = &self.reached[number as usize];
        self.cost_matters
            && from.is_some()
            && (self.visited.get(&self.space.key(node))).is_some_and(|best| best < cost)
    }

    /// Lets a node wait, unless it is known or hopeless.
    fn reach(&mut self, parent: u32, cost: Cost, successor: Successor<S>) {
        let Successor {
            node,
            step,
            cost: own,
        } = successor;
        let cost = cost + own;
        if self.is_beyond(cost) {
            return;
        }
        match self.visited.entry(self.space.key(&node)) {
            Entry::Occupied(known) if !self.cost_matters || *known.get() <= cost => return,
            Entry::Occupied(mut known) => drop(known.insert(cost)),
            Entry::Vacant(unknown) => drop(unknown.insert(cost)),
        }
        self.left.clear();
        let (number, state) = self.space.describe(&node, &mut self.left);
        let distance = self.heuristic.estimate(&Situation {
            number,
            state,
            left: &self.left,
            scope: ScopeId::default(),
        });
        let Distance::Left(estimate) = distance else {
            return;
        };
        let key = match self.by {
            By::Estimate => (estimate, Cost::ZERO),
            By::Sum => (cost.saturating_add(estimate), estimate),
        };
        if self.by == By::Sum && self.is_beyond(key.0) {
            return;
        }
        self.bytes += S::bytes_of(&node) + size_of::<Reached<S>>() as u64;
        let number = self.reached.len() as u32;
        self.reached.push(Reached {
            node,
            from: Some((parent, step)),
            cost,
        });
        self.open.push_by(0, key, number);
    }

    /// The steps from the start to a node.
    fn steps(&self, number: u32) -> Vec<S::Step> {
        let mut steps = Vec::new();
        let mut at = number;
        while let Some((parent, step)) = self.reached[at as usize].from {
            steps.push(step);
            at = parent;
        }
        steps.reverse();
        steps
    }
}
