//! What a search walks through, as best-first search sees it.

use planoku_engine::{Leave, Run};

use crate::cost::{Cost, Distance};
use crate::ground::ActionIndex;
use crate::heuristics::heuristic::RelaxedPlan;
use crate::state::stacks::Element;

/// Nodes, how one leads to the next, and where a plan ends.
pub(crate) trait Space: Sized {
    /// Everything that decides what can follow.
    type Node;
    /// How a node came from its parent: what plans are read from.
    type Step;

    /// Where every plan begins.
    fn start(&mut self) -> Self::Node;

    /// The key of a node: equal numbers mean that the same can follow. Numbers
    /// are given from 0 on, without gaps.
    fn number(&mut self, node: &Self::Node) -> u32;

    /// The action of a step, if it is one.
    fn action_of(&self, _step: &Self::Step) -> Option<ActionIndex> {
        None
    }

    /// Adds what was done by a step: actions that were executed, and methods by
    /// which tasks were refined whose conditions held before any action of it.
    fn done(&self, _step: &Self::Step, _into: &mut Vec<Element>) {}

    /// True if a plan may end here.
    fn is_goal(&self, node: &Self::Node) -> bool;

    /// A node has been taken from the open list. Spaces that count nodes when
    /// they are taken count a tick.
    fn taken(&mut self, _run: &mut Run<'_>) -> Result<(), Leave> {
        Ok(())
    }

    /// False for a successor that is made only when its turn has come.
    fn is_made(&self, _node: &Self::Node) -> bool {
        true
    }

    /// Makes the node to which a step leads, if it was not made before; `None`
    /// if the step turns out to be impossible.
    fn arrive(&mut self, _from: &Self::Node, _step: &Self::Step) -> Option<Self::Node> {
        None
    }

    /// Adds the successors of a node, most promising first. A relaxed plan from
    /// here tells which of them are preferred. Spaces that do not count nodes
    /// when they are taken count a tick for each successor that was made, those
    /// that turn out hopeless included.
    fn successors(
        &mut self,
        node: &Self::Node,
        plan: Option<&dyn RelaxedPlan>,
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave>;

    /// The node as heuristics see it: the name and the facts of its state, and
    /// what remains to be done, which is added to `left`.
    fn describe<'s>(&'s self, node: &Self::Node, left: &mut Vec<Element>) -> (u32, &'s [u64]);

    /// What is left to pay at least, as far as the space knows by itself.
    fn least(&self, _node: &Self::Node) -> Distance {
        Distance::Left(Cost::ZERO)
    }

    /// False if successors are missing that should have been made, so that
    /// having seen all others proves nothing.
    fn is_complete(&self) -> bool {
        true
    }

    /// Work since the last call, in steps.
    fn take_work(&mut self) -> u64;

    /// An estimate of the memory held, nodes and steps aside.
    fn bytes(&self) -> u64;

    /// An estimate of the memory that a node and the step to it hold beyond
    /// their own size.
    fn bytes_of(_node: &Self::Node, _step: &Self::Step) -> u64 {
        0
    }
}

/// A node and how it was reached.
pub(crate) struct Successor<S: Space> {
    pub(crate) node: S::Node,
    pub(crate) step: S::Step,
    /// What the step costs.
    pub(crate) cost: Cost,
    /// The relaxed plan of its parent speaks for it.
    pub(crate) preferred: bool,
    /// How much further from the goal than its parent it is thought to be
    /// before it is estimated; less than 0 if nearer. Of tasks that stand side by
    /// side: 1 if it was not its turn.
    pub(crate) further: i64,
}

impl<S: Space> Successor<S> {
    /// One of which nothing more is known.
    pub(crate) fn new(node: S::Node, step: S::Step, cost: Cost) -> Successor<S> {
        Successor {
            node,
            step,
            cost,
            preferred: false,
            further: 0,
        }
    }
}

/// A second opinion: counts on the way to a node what is still ahead of it.
pub(crate) trait Counter<S: Space> {
    /// A name for what was met on the way to a node, and how much is ahead:
    /// given the name of the parent's and the step from there, except at the
    /// start.
    fn follow(&mut self, space: &S, before: Option<(u32, &S::Step)>, node: &S::Node) -> (u32, u32);

    /// True if a step from the node of that name meets something of it.
    fn prefers(&self, _name: u32, _step: &S::Step) -> bool {
        false
    }

    /// Steps it takes to look at a node.
    fn work(&self) -> u64;

    /// An estimate of the memory held.
    fn bytes(&self) -> u64;
}
