//! What makes one [best-first search](super::best_first) differ from another: which
//! node is next, when nodes are estimated, and what else is made of an estimate.

use crate::algorithms::bound::Bound;

/// Which node is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// The lowest estimate.
    Estimate,
    /// The youngest, the lowest estimate among siblings.
    Depth,
    /// The lowest sum of cost so far and so many times the estimate: with 1 and
    /// an admissible estimate, A*.
    Sum(u32),
    /// The fewest landmarks ahead, whatever the estimate.
    Count,
}

/// When something is done about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// As it comes from its parent.
    Made,
    /// As it is taken from the open list.
    Taken,
    /// Both: guessed from its parent's as it comes from it, so that the guess is
    /// no more than the estimate may be; made sure of as it is taken, when it
    /// may have to wait again.
    Guessed,
}

/// How to search.
#[derive(Clone, Debug)]
pub(super) struct Strategy {
    /// The name under which progress is told.
    pub(super) name: &'static str,
    pub(super) by: By,
    /// When the heuristic is asked.
    pub(super) estimated: When,
    /// When landmarks are counted.
    pub(super) counted: When,
    /// From when on other ways to the same node are of no use.
    pub(super) closed: When,
    /// Preferred successors have queues of their own.
    pub(super) prefers: bool,
    /// Among equals the oldest comes first, not the youngest.
    pub(super) in_line: bool,
    /// Some nodes are drawn by lot, beginning with this seed.
    pub(super) draws: Option<u64>,
    /// Gives up when this many nodes were made.
    pub(super) patience: Option<u64>,
    /// Among those with as many landmarks ahead the lowest estimate comes first.
    pub(super) breaks_ties: bool,
    /// Estimates are made in the part of the problem that still matters: that
    /// pays where a node takes long.
    pub(super) narrows: bool,
    /// Estimates of successors follow from that of their parent, which is made
    /// again for their sake.
    pub(super) follows: bool,
    /// Estimates are never too high.
    pub(super) admissible: bool,
    /// Nothing as dear as this is looked at.
    pub(super) bound: Bound,
}

impl Strategy {
    /// Greedy and eager: nodes are estimated as they are made, and of the nearest the
    /// youngest comes first.
    pub(super) fn eager(name: &'static str) -> Strategy {
        Strategy {
            name,
            by: By::Estimate,
            estimated: When::Made,
            counted: When::Made,
            closed: When::Made,
            prefers: false,
            in_line: false,
            draws: None,
            patience: None,
            breaks_ties: false,
            narrows: false,
            follows: false,
            admissible: false,
            bound: Bound::default(),
        }
    }

    /// The first plan found is a cheapest one, as A*'s is.
    pub(super) fn finds_cheapest(&self) -> bool {
        self.by == By::Sum(1) && self.admissible
    }
}
