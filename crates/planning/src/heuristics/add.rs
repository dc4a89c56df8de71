//! The sum, over what is left to do, of additive costs: pessimistic where one
//! action serves two needs, and informative. Bonet and Geffner, "Planning as
//! heuristic search" (2001).

use crate::analysis::charge::Weight;
use crate::analysis::explore::Join;
use crate::analysis::relax::Relaxation;
use crate::heuristics::relaxed::{Reach, Reading};

pub(super) struct Add;

impl<W: Weight> Reading<W> for Add {
    fn new(_: &Relaxation<W>) -> Add {
        Add
    }

    fn read(&mut self, at: &mut Reach<'_, W>) -> Option<u128> {
        at.explore(Join::Sum);
        at.sum(|_, explorer, goal| explorer.cost(goal))
    }
}
