//! Several short searches by what tasks promise, again and again.
//!
//! Best-first search that goes by relaxed plans finds a plan soon or is caught
//! where these see nothing: locked facts, cells that are all taken. So it
//! begins anew after a while, shuffled, with more patience now and then, and
//! with three ways of looking in turn: novel states and tasks first; relaxed
//! plans and landmarks; both, without looking ahead, where a node costs least.
//! In all of them every third node is drawn by lot.
//!
//! Restarts for what is heavy-tailed: Gomes, Selman and Kautz, "Boosting
//! combinatorial search through randomization" (1998); how long each is, by
//! Luby, Sinclair and Zuckerman (1993).

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::algorithms::bound::Bound;
use crate::algorithms::lifted::luby;
use crate::algorithms::progression::Progression;
use crate::algorithms::root_of;
use crate::ground::Derivation;
use crate::heuristics::Estimate;
use crate::instance::Instance;

/// Nodes before the first restart, and as a unit of patience.
const PATIENCE: u64 = 20_000;

/// Short searches by what tasks promise.
#[derive(Clone, Debug, Default)]
pub struct Promising {
    /// Where shuffling begins.
    pub seed: u64,
    /// Only plans cheaper than this are wanted.
    pub bound: Bound,
}

impl Promising {
    /// The search of a round.
    fn round(&self, round: u64) -> Progression {
        let of = |estimate| Progression {
            name: "htn-promised",
            seed: self.seed + round,
            bound: self.bound.clone(),
            draws: true,
            patience: Some(PATIENCE.saturating_mul(luby(round / 3 + 1))),
            ..Progression::greedy(estimate)
        };
        match round % 3 {
            0 => of(Estimate::PromisedNovel),
            1 => Progression {
                landmarks: true,
                ..of(Estimate::Promised)
            },
            _ => Progression {
                landmarks: true,
                horizon: 0,
                ..of(Estimate::PromisedNovel)
            },
        }
    }
}

impl Engine<Instance> for Promising {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            "htn-promised",
            "totally ordered progression by what tasks promise, with restarts",
        )
        .complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let ground = instance.ground();
        let root = root_of(ground)?;
        if !ground.ordered {
            return Err(EngineError::Unsupported(
                "the network is only partially ordered".into(),
            ));
        }
        run.search(sink, |run, found| {
            for round in 0.. {
                let mut search = self.round(round).search(instance, root, run)?;
                let ended =
                    search.run(run, &mut |space, steps| found.push(space.derivation(steps)));
                match ended {
                    Err(Leave::GaveUp) if search.is_out_of_patience() => {}
                    ended => return ended,
                }
            }
            Err(Leave::GaveUp)
        })
    }
}
