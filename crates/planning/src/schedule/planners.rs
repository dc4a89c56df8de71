//! Every planner that takes a grounded problem, in one readable list.
//!
//! A new planner joins by being listed in [`planners`]; `planoku plan
//! --planner` then knows it. [`Auto`] is what runs when nobody asks for one.

use std::time::Duration;

use planoku_engine::{Budget, End, Ended, Engine, EngineError, Outcome, Profile, Run, Sink, Stop};

use crate::algorithms::{Classical, Commit, DeleteFree, Linear, Loops, Partial, Progression};
use crate::ground::{Derivation, Ground};
use crate::heuristics::Estimate;
#[cfg(feature = "sat")]
use crate::satplan::SatPlan;

/// An engine for grounded problems, whatever it does inside.
pub type Planner = Box<dyn Engine<Ground, Answer = Derivation>>;

/// Every planner but [`Auto`].
pub fn planners() -> Vec<Planner> {
    let mut list = planning_as_sat();
    let searches: Vec<Planner> = vec![
        Box::new(Progression::greedy(Estimate::Add)),
        Box::new(Progression::greedy(Estimate::Ff)),
        Box::new(Progression::lazy()),
        Box::new(Progression::fail_first()),
        Box::new(Progression::optimal()),
        Box::new(Loops),
        Box::new(Partial::default()),
        Box::new(Linear {
            name: "linear-ff",
            engine: Progression::greedy(Estimate::Ff),
        }),
        Box::new(Commit::default()),
        Box::new(DeleteFree::default()),
    ];
    list.extend(searches);
    for engine in Classical::all() {
        list.push(Box::new(engine));
    }
    list
}

/// Planning as SAT, if it is built in.
#[cfg(feature = "sat")]
fn planning_as_sat() -> Vec<Planner> {
    vec![Box::new(SatPlan::Layered), Box::new(SatPlan::Selective)]
}

#[cfg(not(feature = "sat"))]
fn planning_as_sat() -> Vec<Planner> {
    Vec::new()
}

/// The planner of that name; `None` if nobody answers to it.
pub fn planner(name: &str) -> Option<Planner> {
    if name == "auto" {
        return Some(Box::new(Auto));
    }
    planners()
        .into_iter()
        .find(|planner| planner.profile().name == name)
}

/// The planner that proves its plans cheapest, for this kind of problem.
pub fn optimal(ground: &Ground) -> Planner {
    match ground.root {
        _ if DeleteFree::fits(ground) => Box::new(DeleteFree::default()),
        Some(_) => Box::new(Progression::optimal()),
        None => Box::new(Classical::optimal()),
    }
}

/// Planners in turn, each for a little longer than the time before, until one
/// of them is done: hard problems for one are often easy for another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Auto;

impl Auto {
    fn candidates(ground: &Ground) -> Vec<Planner> {
        let (first, last): (Planner, Planner) = match ground.root {
            Some(_) => (
                Box::new(Progression::greedy(Estimate::Ff)),
                Box::new(Progression::fail_first()),
            ),
            None => (Box::new(Commit::default()), Box::new(Classical::first())),
        };
        let layered = planning_as_sat().into_iter().take(1);
        [first].into_iter().chain(layered).chain([last]).collect()
    }
}

impl Engine<Ground> for Auto {
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
        ground: &Ground,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let mut left = Auto::candidates(ground);
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
                let result = left[at].solve(ground, &mut turn);
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
