//! Every planner, in one readable list.
//!
//! A planner joins by a line in [`list`], which says its name, what it takes,
//! what it claims and how it is made. `planoku plan --planner`, the torture
//! test and the teams of the portfolio and of anytime find it by its name.
//! Every [`Estimate`] is a planner without a line of its own. [`Rounds`], by
//! the name of `auto`, takes several of them in turn.

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};

use crate::algorithms::{
    BothEnds, Bound, Cheapest, Classical, Commit, DeleteFree, Factored, Focus, InTurn, Lifted,
    LiftedBest, LiftedLearn, Linear, Loops, Merged, Order, Pace, Partial, Progression, Promising,
};
use crate::ground::{Derivation, Ground};
use crate::heuristics::Estimate;
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
#[cfg(feature = "sat")]
use crate::satplan::{LiftedSat, PartialSat, SatPlan};
use crate::schedule::rounds::Rounds;
use crate::schedule::teams::team;

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
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where shuffling begins; 0 for none.
    pub seed: u64,
    /// Only plans cheaper than this are wanted.
    pub bound: Bound,
}

/// A line of the list: a planner that can be made.
pub struct Listed {
    /// The name it goes by.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// Its first plan is a cheapest one.
    pub optimal: bool,
    make: Box<dyn Fn(&Settings) -> Planner>,
}

impl Listed {
    /// The planner.
    pub fn make(&self, settings: &Settings) -> Planner {
        Box::new(Merged((self.make)(settings)))
    }

    fn new(
        name: &'static str,
        takes: Takes,
        make: impl Fn(&Settings) -> Planner + 'static,
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
                    bound: settings.bound.clone(),
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
                let engine = Partial {
                    bound: settings.bound.clone(),
                    ..engine.clone()
                };
                match engine.pace {
                    Pace::Any => Box::new(engine),
                    _ => Box::new(Factored(engine)),
                }
            })
        }
    }
}

fn with_settings(engine: &Progression, settings: &Settings) -> Progression {
    Progression {
        seed: settings.seed,
        bound: settings.bound.clone(),
        ..engine.clone()
    }
}

/// Every planner for grounded problems but [`Rounds`].
pub fn list() -> Vec<Listed> {
    let mut list = planning_as_sat();
    list.extend([
        Listed::progression(Progression::greedy(Estimate::Add)),
        Listed::progression(Progression::greedy(Estimate::Ff)),
        Listed::progression(Progression::lazy()),
        Listed::progression(Progression::fail_first()),
        Listed::new("htn-promised", Takes::TotalOrder, |settings| {
            Box::new(Promising {
                seed: settings.seed,
                bound: settings.bound.clone(),
            })
        }),
        Listed::progression(Progression::optimal()),
        Listed::new("htn-loop", Takes::TotalOrder, |_| Box::new(Loops)),
        Listed::partial(Partial::default()),
        Listed::partial(Partial {
            name: "htn-partial-add",
            estimate: Estimate::Add,
            ..Partial::default()
        }),
        Listed::partial(Partial {
            name: "htn-partial-at-once",
            pace: Pace::AtOnce,
            ..Partial::default()
        }),
        Listed::partial(Partial {
            name: "htn-partial-width",
            estimate: Estimate::Width,
            ..Partial::default()
        }),
        Listed::partial(Partial {
            name: "htn-partial-late",
            pace: Pace::Late,
            ..Partial::default()
        }),
        Listed::new("htn-in-turn", Takes::Hierarchy, |_| {
            Box::new(Factored(InTurn))
        }),
        Listed::new("htn-both-ends", Takes::Hierarchy, |_| {
            Box::new(Factored(BothEnds))
        }),
        Listed::partial(Partial::optimal()),
        Listed::linear("linear-ff", Progression::greedy(Estimate::Ff)),
        Listed::linear("linear-lazy", Progression::lazy()),
        Listed::linear("linear-width", Progression::greedy(Estimate::Width)),
        Listed::linear("linear-add", Progression::greedy(Estimate::Add)),
        Listed::linear("linear-optimal", Progression::optimal()),
        Listed {
            optimal: true,
            ..Listed::new("strips-optimal", Takes::Classical, |settings| {
                Box::new(Cheapest {
                    bound: settings.bound.clone(),
                    ..Cheapest::default()
                })
            })
        },
        Listed::new("commit", Takes::Classical, |_| Box::new(Commit::default())),
        Listed {
            optimal: true,
            ..Listed::new("delete-free", Takes::NoPartialOrder, |settings| {
                Box::new(DeleteFree {
                    bound: settings.bound.clone(),
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
        Listed::new("partial-sat", Takes::Hierarchy, |_| Box::new(PartialSat)),
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

/// Every planner for grounded problems but [`Rounds`], ready to search.
pub fn planners() -> Vec<Planner> {
    let list = list();
    list.iter()
        .map(|it| it.make(&Settings::default()))
        .collect()
}

/// The planner of that name; `None` if nobody answers to it.
pub fn planner(name: &str) -> Option<Planner> {
    match name {
        "auto" => Some(Box::new(Rounds { team: everyone })),
        _ => planner_with(name, &Settings::default()),
    }
}

/// The whole team for a problem.
fn everyone(problem: &Instance) -> Vec<Planner> {
    let names = team(problem).iter().map(|&(name, _)| name);
    let settings = Settings::default();
    names
        .filter_map(|name| planner_with(name, &settings))
        .collect()
}

/// The planner of that name, with settings.
pub fn planner_with(name: &str, settings: &Settings) -> Option<Planner> {
    let list = list();
    let line = list.iter().find(|it| it.name == name)?;
    Some(line.make(settings))
}

/// The planners that need no grounding.
pub const LIFTED: &[&str] = &[
    "focus",
    "lifted",
    "lifted-best",
    "lifted-learn",
    "lifted-novel",
    #[cfg(feature = "sat")]
    "lifted-sat",
];

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
        "lifted-learn" => Box::new(LiftedLearn {
            seed,
            ..LiftedLearn::default()
        }),
        "lifted-best" => Box::new(LiftedBest::default()),
        "lifted-novel" => Box::new(LiftedBest::novel()),
        #[cfg(feature = "sat")]
        "lifted-sat" => Box::new(LiftedSat),
        _ => return None,
    })
}

/// The planner that proves its plans cheapest, for this kind of problem.
pub fn optimal(instance: &Instance) -> Planner {
    match instance.root {
        _ if instance.objective.require().is_err() => Box::new(Refuse),
        _ if DeleteFree::fits(instance) => Box::new(DeleteFree::default()),
        Some(_) if instance.ordered => Box::new(Progression::optimal()),
        Some(_) => Box::new(Partial::optimal()),
        None => Box::new(Cheapest::default()),
    }
}

/// Proves nothing, and says why.
struct Refuse;

impl Engine<Instance> for Refuse {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new("optimal", "a cheapest plan, where costs say which is best")
    }

    fn solve_into(
        &self,
        instance: &Instance,
        _: &mut Run<'_>,
        _: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        instance.objective.require()?;
        Err(EngineError::Internal("asked in vain".into()))
    }
}
