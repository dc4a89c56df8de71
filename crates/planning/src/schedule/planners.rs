//! Every planner, in one readable list.
//!
//! A planner joins by a line in [`list`], which says its name, what it takes,
//! what it claims and how it is made. `planoku plan --planner`, the torture
//! test and the teams of the portfolio and of anytime find it by its name.
//! Every [`Estimate`] is a planner without a line of its own. [`Auto`] takes a
//! few of them in turn, by the clock.

use std::time::Duration;

use planoku_engine::{Budget, End, Ended, Engine, EngineError, Outcome, Profile, Run, Sink, Stop};

use crate::algorithms::{
    Classical, Commit, DeleteFree, Focus, Lifted, LiftedBest, Linear, Loops, Order, Partial,
    Progression,
};
use crate::cost::Cost;
use crate::ground::{Derivation, Ground};
use crate::heuristics::Estimate;
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
#[cfg(feature = "sat")]
use crate::satplan::SatPlan;

/// An engine for grounded problems, whatever it does inside.
pub type Planner = Box<dyn Engine<Instance, Answer = Derivation>>;

/// An engine that needs no grounding.
pub type LiftedPlanner = Box<dyn Engine<Model, Answer = Plan>>;

/// What a planner takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// Problems without tasks.
    Classical,
    /// Tasks whose methods are totally ordered.
    TotalOrder,
    /// Tasks in any order.
    Hierarchy,
    /// Problems without tasks, and totally ordered ones.
    NoPartialOrder,
}

impl Takes {
    /// True if the problem is of this kind. A planner may still refuse it.
    pub fn fits(self, ground: &Ground) -> bool {
        let classical = ground.root.is_none();
        match self {
            Takes::Classical => classical,
            Takes::TotalOrder => !classical && ground.ordered,
            Takes::Hierarchy => !classical,
            Takes::NoPartialOrder => classical || ground.ordered,
        }
    }
}

/// How a planner is to search; what it has no use for it ignores.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Where shuffling begins; 0 for none.
    pub seed: u64,
    /// Only plans cheaper than this are wanted.
    pub bound: Option<Cost>,
}

/// A line of the list: a planner that can be made.
pub struct Listed {
    /// The name it goes by.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// Its first plan is a cheapest one.
    pub optimal: bool,
    make: Box<dyn Fn(Settings) -> Planner>,
}

impl Listed {
    /// The planner.
    pub fn make(&self, settings: Settings) -> Planner {
        (self.make)(settings)
    }

    fn new(
        name: &'static str,
        takes: Takes,
        make: impl Fn(Settings) -> Planner + 'static,
    ) -> Listed {
        Listed {
            name,
            takes,
            optimal: false,
            make: Box::new(make),
        }
    }

    /// Forward search over stacks of tasks.
    fn progression(engine: Progression) -> Listed {
        Listed {
            optimal: engine.order == Order::Cheapest,
            ..Listed::new(engine.name, Takes::TotalOrder, move |settings| {
                Box::new(with_settings(&engine, settings))
            })
        }
    }

    /// The same after the order of subtasks was made total.
    fn linear(name: &'static str, engine: Progression) -> Listed {
        Listed::new(name, Takes::Hierarchy, move |settings| {
            let engine = with_settings(&engine, settings);
            Box::new(Linear { name, engine })
        })
    }

    /// Forward search over states.
    pub(super) fn classical(engine: Classical) -> Listed {
        Listed {
            optimal: engine.is_optimal(),
            ..Listed::new(engine.name, Takes::Classical, move |settings| {
                Box::new(Classical {
                    seed: settings.seed,
                    bound: settings.bound,
                    ..engine.clone()
                })
            })
        }
    }

    /// Forward search over partially ordered networks.
    fn partial(engine: Partial) -> Listed {
        Listed {
            optimal: engine.cheapest,
            ..Listed::new(engine.name, Takes::Hierarchy, move |settings| {
                Box::new(Partial {
                    bound: settings.bound,
                    ..engine.clone()
                })
            })
        }
    }
}

fn with_settings(engine: &Progression, settings: Settings) -> Progression {
    Progression {
        seed: settings.seed,
        bound: settings.bound,
        ..engine.clone()
    }
}

/// Every planner for grounded problems but [`Auto`].
pub fn list() -> Vec<Listed> {
    let mut list = planning_as_sat();
    list.extend([
        Listed::progression(Progression::greedy(Estimate::Add)),
        Listed::progression(Progression::greedy(Estimate::Ff)),
        Listed::progression(Progression::lazy()),
        Listed::progression(Progression::fail_first()),
        Listed::progression(Progression::optimal()),
        Listed::new("htn-loop", Takes::TotalOrder, |_| Box::new(Loops)),
        Listed::partial(Partial::default()),
        Listed::partial(Partial {
            name: "htn-partial-add",
            estimate: Estimate::Add,
            ..Partial::default()
        }),
        Listed::partial(Partial::optimal()),
        Listed::linear("linear-ff", Progression::greedy(Estimate::Ff)),
        Listed::linear("linear-lazy", Progression::lazy()),
        Listed::linear("linear-add", Progression::greedy(Estimate::Add)),
        Listed::linear("linear-optimal", Progression::optimal()),
        Listed::new("commit", Takes::Classical, |_| Box::new(Commit::default())),
        Listed {
            optimal: true,
            ..Listed::new("delete-free", Takes::NoPartialOrder, |settings| {
                Box::new(DeleteFree {
                    bound: settings.bound,
                })
            })
        },
    ]);
    list.extend(Classical::all().into_iter().map(Listed::classical));
    // Whatever can guide a search has one of its own.
    for &estimate in Estimate::ALL.iter().filter(|it| !it.is_admissible()) {
        let (htn, strips) = estimate.planners();
        if !list.iter().any(|it| it.name == htn) {
            list.push(Listed::progression(Progression::greedy(estimate)));
        }
        if !list.iter().any(|it| it.name == strips) {
            list.push(Listed::classical(Classical::guided_by(estimate)));
        }
    }
    list
}

/// Planning as SAT, if it is built in.
#[cfg(feature = "sat")]
fn planning_as_sat() -> Vec<Listed> {
    vec![
        Listed::new("sat", Takes::NoPartialOrder, |_| Box::new(SatPlan::Layered)),
        Listed::new("sat-selective", Takes::NoPartialOrder, |_| {
            Box::new(SatPlan::Selective)
        }),
        Listed::new("linear-sat", Takes::Hierarchy, |_| {
            Box::new(Linear {
                name: "linear-sat",
                engine: SatPlan::Layered,
            })
        }),
    ]
}

#[cfg(not(feature = "sat"))]
fn planning_as_sat() -> Vec<Listed> {
    Vec::new()
}

/// Every planner for grounded problems but [`Auto`], ready to search.
pub fn planners() -> Vec<Planner> {
    let list = list();
    list.iter().map(|it| it.make(Settings::default())).collect()
}

/// The planner of that name; `None` if nobody answers to it.
pub fn planner(name: &str) -> Option<Planner> {
    match name {
        "auto" => Some(Box::new(Auto)),
        _ => planner_with(name, Settings::default()),
    }
}

/// The planner of that name, with settings.
pub fn planner_with(name: &str, settings: Settings) -> Option<Planner> {
    let list = list();
    let line = list.iter().find(|it| it.name == name)?;
    Some(line.make(settings))
}

/// The planners that need no grounding.
pub const LIFTED: [&str; 4] = ["focus", "lifted", "lifted-best", "lifted-novel"];

/// The planner of that name that needs no grounding.
pub fn lifted(name: &str, seed: u64) -> Option<LiftedPlanner> {
    Some(match name {
        "focus" => Box::new(Focus {
            seed,
            ..Focus::default()
        }),
        "lifted" => Box::new(Lifted {
            seed,
            ..Lifted::default()
        }),
        "lifted-best" => Box::new(LiftedBest::default()),
        "lifted-novel" => Box::new(LiftedBest::novel()),
        _ => return None,
    })
}

/// The planner that proves its plans cheapest, for this kind of problem.
pub fn optimal(instance: &Instance) -> Planner {
    match instance.root {
        _ if DeleteFree::fits(instance) => Box::new(DeleteFree::default()),
        Some(_) if instance.ordered => Box::new(Progression::optimal()),
        Some(_) => Box::new(Partial::optimal()),
        None => Box::new(Classical::optimal()),
    }
}

/// Planners in turn, each for a little longer than the time before, until one
/// of them is done: hard problems for one are often easy for another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Auto;

impl Auto {
    fn candidates(instance: &Instance) -> Vec<Planner> {
        let names = match instance.root {
            Some(_) => ["htn-ff", "sat", "htn-fail-first"],
            None => ["commit", "sat", "strips-first"],
        };
        names.into_iter().filter_map(planner).collect()
    }
}

impl Engine<Instance> for Auto {
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
        let mut left = Auto::candidates(instance);
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
