//! How much is open: what remains to be done, and the parts of the goal that do
//! not hold. Nothing is cheaper to know, so where relaxed plans mislead, or
//! take long, a search that goes by this has seen a hundred times as much.

use planoku_engine::{Run, Stop};

use crate::analysis::charge::Charge;
use crate::cost::{Cost, Distance};
use crate::heuristics::heuristic::{Heuristic, Situation};
use crate::instance::Instance;
use crate::state::states::has;
use crate::state::world::World;

struct Count<'a> {
    world: &'a World,
    work: u64,
}

pub(super) fn new<'a>(
    instance: &'a Instance,
    _: Charge,
    _: &mut Run<'_>,
) -> Result<Box<dyn Heuristic + 'a>, Stop> {
    Ok(Box::new(Count {
        world: &instance.world,
        work: 0,
    }))
}

impl Heuristic for Count<'_> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        let goal = &self.world.ground.goal;
        self.work += (goal.positive.len() + goal.negative.len() + at.left.len()) as u64;
        let missing = goal.positive.iter().filter(|&&fact| !has(at.state, fact));
        let unwanted = goal.negative.iter().filter(|&&fact| has(at.state, fact));
        let open = missing.count() + unwanted.count() + at.left.len();
        Distance::Left(Cost::from(open as u64))
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}
