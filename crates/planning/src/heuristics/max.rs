//! The dearest thing left to do. Never too high. Bonet and Geffner, "Planning
//! as heuristic search" (2001).

use crate::analysis::charge::Weight;
use crate::analysis::explore::Join;
use crate::analysis::relax::Relaxation;
use crate::heuristics::relaxed::{Reach, Reading, finite};

pub(super) struct Max;

impl<W: Weight> Reading<W> for Max {
    fn new(_: &Relaxation<W>) -> Max {
        Max
    }

    fn read(&mut self, at: &mut Reach<'_, W>) -> Option<u128> {
        at.explore(Join::Max);
        let goals = at.goals;
        let (_, explorer) = at.base();
        let costs = goals.iter().map(|&goal| explorer.cost(goal));
        finite(costs.max().unwrap_or(W::ZERO))
    }
}
