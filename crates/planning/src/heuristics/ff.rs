//! The size of one relaxed plan for all that is left. Hoffmann and Nebel, "The
//! FF planning system" (2001).

use crate::analysis::charge::Weight;
use crate::analysis::explore::Join;
use crate::analysis::relax::Relaxation;
use crate::heuristics::relaxed::{Reach, Reading};

/// Over the whole relaxation, or without effects that are cheaper elsewhere.
pub(super) struct Ff<const LEAN: bool>;

impl<W: Weight, const LEAN: bool> Reading<W> for Ff<LEAN> {
    const PLANS: bool = true;
    const LEAN: bool = LEAN;

    fn new(_: &Relaxation<W>) -> Ff<LEAN> {
        Ff
    }

    fn read(&mut self, at: &mut Reach<'_, W>) -> Option<u128> {
        at.explore(Join::Sum);
        at.base().1.start_plan();
        at.sum(|relaxed, explorer, goal| explorer.plan_for(relaxed, goal))
    }
}
