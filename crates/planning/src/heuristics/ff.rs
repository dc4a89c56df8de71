//! The size of one relaxed plan for all that is left. Hoffmann and Nebel, "The
//! FF planning system" (2001).

use crate::analysis::charge::Weight;
use crate::analysis::relax::{Join, Relaxation};
use crate::heuristics::relaxed::{Reach, Reading};

pub(super) struct Ff;

impl<W: Weight> Reading<W> for Ff {
    const PLANS: bool = true;

    fn new(_: &Relaxation<W>) -> Ff {
        Ff
    }

    fn read(&mut self, at: &mut Reach<'_, W>) -> Option<u128> {
        at.explore(Join::Sum);
        at.base().1.start_plan();
        at.sum(|relaxed, explorer, goal| explorer.plan_for(relaxed, goal))
    }
}
