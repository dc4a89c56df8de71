//! Depth-first search without grounding.
//!
//! Keeps one state and a stack of tasks with objects for arguments. The first
//! task is refined by joining the preconditions of its methods with the
//! current state, so that only the instances that apply now ever exist: what
//! is too large to ground may still be easy to walk. Preconditions that every
//! refinement of a subtask will ask for are joined too (see `needs`), and of
//! objects that nothing tells apart one is taken for all (see `twins`).
//!
//! Three things keep it from running in circles. A (state, remaining tasks)
//! pair is entered once, so that what failed is not tried again. A task may
//! not lead to itself before anything was done. And every so often the search
//! starts anew with methods shuffled and more patience.
//!
//! Where the order of subtasks is free one order is chosen per restart, which
//! finds plans but proves nothing; the engine never claims that there is none.
//!
//! One tick of the [`Run`] is one task refined or action tried.

mod best;
mod distance;
mod facts;
mod fresh;
mod join;
mod learn;
mod lost;
mod needs;
mod pattern;
mod roam;
mod schema;
#[cfg(test)]
mod tests;
mod turns;
mod twins;
mod walk;

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::model::Model;
use crate::plan::Plan;

use best::Best;
use facts::Facts;
use learn::{Habits, Learned, Learner};
use schema::Schemas;
use walk::{Walk, Walked};

/// Lifted depth-first search.
#[derive(Clone, Debug)]
pub struct Lifted {
    /// Where the shuffling of restarts begins.
    pub seed: u64,
    /// Nodes before the first restart.
    pub patience: u64,
}

impl Default for Lifted {
    fn default() -> Lifted {
        Lifted {
            seed: 0,
            patience: 20_000,
        }
    }
}

impl Engine<Model> for Lifted {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "lifted",
            "depth-first decomposition without grounding, with restarts",
        )
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| {
            let schemas = Schemas::new(model, run)?;
            let mut round = 0u64;
            loop {
                // 1 1 2 1 1 2 4 ...: mostly short walks, some long ones.
                let patience = self.patience.saturating_mul(luby(round + 1));
                run.effort(ROUND + 4 * model.init.len() as u64)?;
                let facts = initial(&schemas)?;
                let mut walk = Walk::new(&schemas, self.seed.wrapping_add(round), facts);
                match walk.go(run, patience)? {
                    Walked::Plan(plan) => found.push(plan)?,
                    Walked::OutOfPatience => {}
                    Walked::Stuck => {}
                }
                if round > 0 && run.wanted() > 1 && found.count() > 0 {
                    return Err(Leave::GaveUp);
                }
                round += 1;
                if round > 1_000_000 {
                    return Err(Leave::GaveUp);
                }
            }
        })
    }
}

/// The effort of beginning anew, beside that of the initial state: a walk that
/// is stuck at once begins often.
const ROUND: u64 = 500;

/// Lifted depth-first search that learns what to do early.
#[derive(Clone, Debug)]
pub struct LiftedLearn {
    /// Where the shuffling of restarts begins.
    pub seed: u64,
    /// Nodes without getting further before the first restart.
    pub patience: u64,
}

impl Default for LiftedLearn {
    fn default() -> LiftedLearn {
        LiftedLearn {
            seed: 0,
            patience: 20_000,
        }
    }
}

impl Engine<Model> for LiftedLearn {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "lifted-learn",
            "depth-first decomposition without grounding that learns what to do early",
        )
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| {
            let schemas = Schemas::new(model, run)?;
            run.effort(4 * model.init.len() as u64)?;
            let mut facts = initial(&schemas)?;
            facts.begin();
            let mut learned = Learned::new(&schemas);
            let (mut round, mut again) = (0u64, 0u64);
            for _ in 0..1_000_000 {
                run.effort(ROUND)?;
                let often = luby(round + 1);
                let habits = Habits {
                    seed: self.seed.wrapping_add(round),
                    reach: often as usize,
                };
                let mut walk = Learner::new(&mut learned, &mut facts, habits);
                let walked = walk.go(run, self.patience.saturating_mul(often))?;
                let news = walk.news;
                match walked {
                    Walked::Plan(plan) => {
                        found.push(plan)?;
                        if run.wanted() > 1 && found.count() > 1 {
                            break;
                        }
                        round += 1;
                    }
                    // What was learned is tried before anything else changes.
                    Walked::Stuck if news && again < AGAIN => again += 1,
                    Walked::Stuck | Walked::OutOfPatience => {
                        learned.forget();
                        (round, again) = (round + 1, 0);
                    }
                }
            }
            Err(Leave::GaveUp)
        })
    }
}

/// How often a walk begins again because another has learned something.
const AGAIN: u64 = 1000;

/// Lifted best-first search.
#[derive(Clone, Copy, Debug)]
pub struct LiftedBest {
    /// The name it goes by.
    pub name: &'static str,
    /// Among nodes with as many tasks left, whether those with a fact never
    /// seen before come first.
    pub novelty: bool,
}

impl Default for LiftedBest {
    fn default() -> LiftedBest {
        LiftedBest {
            name: "lifted-best",
            novelty: false,
        }
    }
}

impl LiftedBest {
    /// The search that prefers what it has not seen.
    pub fn novel() -> LiftedBest {
        LiftedBest {
            name: "lifted-novel",
            novelty: true,
        }
    }
}

impl Engine<Model> for LiftedBest {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            self.name,
            match self.novelty {
                false => "best-first decomposition without grounding, fewest tasks left first",
                true => "best-first decomposition without grounding, new facts first",
            },
        )
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| {
            let schemas = Schemas::new(model, run)?;
            let facts = initial(&schemas)?;
            if let Some(plan) = Best::new(&schemas, facts, self.novelty).go(run)? {
                found.push(plan)?;
            }
            Err(Leave::GaveUp)
        })
    }
}

/// The initial state, if it can be packed.
fn initial(schemas: &Schemas<'_>) -> Result<Facts, EngineError> {
    let too_long = || EngineError::Unsupported("atoms too long to be packed".into());
    schemas.initial().ok_or_else(too_long)
}

/// The sequence of Luby, Sinclair and Zuckerman: 1 1 2 1 1 2 4 1 1 2 ...
pub(super) fn luby(mut index: u64) -> u64 {
    loop {
        let size = u64::BITS - index.leading_zeros();
        if index == (1 << size) - 1 {
            return 1 << (size - 1);
        }
        index -= (1 << (size - 1)) - 1;
    }
}
