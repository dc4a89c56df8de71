//! What a search walks through, as best-first search sees it.

use std::hash::Hash;

use planoku_engine::{Leave, Run};

use crate::cost::Cost;
use crate::spaces::stacks::Element;

/// Nodes, how one leads to the next, and where a plan ends.
pub(crate) trait Space: Sized {
    /// Everything that decides what can follow.
    type Node;
    /// How a node came from its parent: what plans are read from.
    type Step: Copy;
    /// Equal keys mean that the same can follow.
    type Key: Hash + Eq;

    /// Where every plan begins.
    fn start(&mut self) -> Self::Node;

    /// Adds the successors of a node. Counts a tick for each that was made,
    /// those that turn out hopeless included.
    fn successors(
        &mut self,
        node: &Self::Node,
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave>;

    /// True if a plan may end here.
    fn is_goal(&self, node: &Self::Node) -> bool;

    /// What tells it apart from other nodes.
    fn key(&self, node: &Self::Node) -> Self::Key;

    /// The node as heuristics see it: the name and the facts of its state, and
    /// what remains to be done, which is added to `left`.
    fn describe<'s>(&'s self, node: &Self::Node, left: &mut Vec<Element>) -> (u32, &'s [u64]);

    /// Work since the last call, in steps.
    fn take_work(&mut self) -> u64;

    /// An estimate of the memory held, nodes aside.
    fn bytes(&self) -> u64;

    /// An estimate of the memory a node holds.
    fn bytes_of(node: &Self::Node) -> u64;
}

/// A node and how it was reached.
pub(crate) struct Successor<S: Space> {
    pub(crate) node: S::Node,
    pub(crate) step: S::Step,
    /// What the step costs.
    pub(crate) cost: Cost,
}
