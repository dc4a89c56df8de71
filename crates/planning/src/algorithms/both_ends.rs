//! Partially ordered networks done from both ends, those with least left first.
//!
//! Best-first search over [what is between](crate::spaces::both_ends) what was
//! done first and what will be last. Complete, and often finite where a
//! progression is not: an end that cannot fit rules out every beginning.

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};

use crate::algorithms::best_first::BestFirst;
use crate::algorithms::root_of;
use crate::algorithms::strategy::Strategy;
use crate::ground::mutex::mutex_groups;
use crate::ground::{Derivation, Ground};
use crate::heuristics::Estimate;
use crate::instance::Instance;
use crate::spaces::both_ends;

/// The planner.
#[derive(Clone, Copy, Debug, Default)]
pub struct BothEnds;

impl BothEnds {
    /// True for partially ordered problems that can be done from both ends.
    pub fn fits(ground: &Ground) -> bool {
        ground.root.is_some() && !ground.ordered && both_ends::BothEnds::fits(ground)
    }
}

impl Engine<Instance> for BothEnds {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        let summary = "partially ordered networks done from both ends, least left first";
        Profile::new("htn-both-ends", summary).complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let root = root_of(instance)?;
        if !both_ends::BothEnds::fits(instance) {
            return Err(EngineError::Unsupported(
                "tasks are done from both ends only where methods have no conditions that \
                 change, and effects depend on facts alone"
                    .into(),
            ));
        }
        run.search(sink, |run, found| {
            let groups = mutex_groups(instance, run)?;
            let heuristic = Estimate::Count.heuristic(instance, run)?;
            let space = both_ends::BothEnds::new(&instance.world, root, &groups);
            let strategy = Strategy::eager("htn-both-ends");
            let mut search = BestFirst::new(strategy, space, heuristic, None);
            search.run(run, &mut |space, steps| found.push(space.derivation(steps)))
        })
    }
}
