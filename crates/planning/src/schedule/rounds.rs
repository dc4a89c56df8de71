//! Turns without threads: each begins anew.
//!
//! Where a planner cannot sleep between its turns (in a browser), it is stopped
//! by the clock and begun again in the next round, with more time. Whose
//! turn it is goes by the order of the team.

use std::time::Duration;

use planoku_engine::{Budget, End, Ended, Engine, EngineError, Outcome, Profile, Run, Sink, Stop};

use crate::ground::Derivation;
use crate::instance::Instance;

/// A planner of whatever kind.
type Planner = Box<dyn Engine<Instance, Answer = Derivation>>;

/// Planners in turn, each for a little longer than the time before, until one
/// of them is done: hard problems for one are often easy for another.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// Those who are asked about a problem, most promising first.
    pub team: fn(&Instance) -> Vec<Planner>,
}

impl Engine<Instance> for Rounds {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            "auto",
            "search and SAT in turn, each a little longer every time",
        )
        .complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let mut left = (self.team)(instance);
        let mut slice = Duration::from_millis(300);
        let mut refusal = None;
        let ended = |end, run: &mut Run<'_>| Ended {
            end,
            stats: run.finish(),
        };
        loop {
            let mut at = 0;
            while at < left.len() {
                if let Err(stop) = run.check() {
                    return Ok(ended(End::Stopped(stop), run));
                }
                let last = left.len() == 1;
                let time = match run.time_left() {
                    Some(time) if last => Some(time),
                    Some(time) => Some(time.min(slice)),
                    None if last => None,
                    None => Some(slice),
                };
                let nodes = run.budget().nodes;
                let mut turn = Run::limit(run.wanted()).with_budget(Budget {
                    time,
                    nodes: nodes.map(|nodes| nodes.saturating_sub(run.nodes())),
                    memory: run.budget().memory,
                });
                if let Some(cancel) = run.cancel() {
                    turn = turn.with_cancel(cancel.clone());
                }
                let result = left[at].solve(instance, &mut turn);
                let spent = run.tick_many(turn.nodes());
                match result {
                    Err(EngineError::Unsupported(why)) => {
                        refusal.get_or_insert(why);
                        drop(left.remove(at));
                    }
                    Err(error) => return Err(error),
                    Ok(outcome) => match outcome.end {
                        End::Stopped(Stop::Time) => at += 1,
                        End::Stopped(Stop::Memory) => drop(left.remove(at)),
                        End::Incomplete if outcome.answers.is_empty() => {
                            drop(left.remove(at));
                        }
                        _ => {
                            let stats = run.finish();
                            return Outcome { stats, ..outcome }.hand_to(sink);
                        }
                    },
                }
                if let Err(stop) = spent {
                    return Ok(ended(End::Stopped(stop), run));
                }
            }
            if left.is_empty() {
                return match refusal {
                    Some(why) => Err(EngineError::Unsupported(why)),
                    None => Ok(ended(End::Incomplete, run)),
                };
            }
            slice *= 3;
        }
    }
}
