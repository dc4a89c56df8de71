//! Partially ordered progression: complete, whatever the order allows.
//!
//! Best-first search over [networks](crate::spaces::networks), greedy or A*.

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::algorithms::best_first::BestFirst;
use crate::algorithms::bound::Bound;
use crate::algorithms::linear::Linear;
use crate::algorithms::progression::Progression;
use crate::algorithms::root_of;
use crate::algorithms::strategy::{By, Strategy, When};
use crate::cost::Cost;
use crate::ground::Derivation;
use crate::heuristics::Estimate;
use crate::instance::Instance;
use crate::spaces::networks::Networks;
pub use crate::spaces::networks::Pace;

/// Nodes that may be spent on a plan to begin with.
const QUICK_NODES: u64 = 5_000;

/// Settings of the engine.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The name it goes by.
    pub name: &'static str,
    /// What guides it.
    pub estimate: Estimate,
    /// What is put off, and what is not.
    pub pace: Pace,
    /// Whether the cost so far counts too, so that with an admissible estimate
    /// the first plan is a cheapest one.
    pub cheapest: bool,
    /// Only plans cheaper than this are wanted.
    pub bound: Bound,
}

impl Default for Partial {
    fn default() -> Partial {
        Partial {
            name: "htn-partial",
            estimate: Estimate::Ff,
            pace: Pace::Any,
            cheapest: false,
            bound: Bound::default(),
        }
    }
}

impl Partial {
    /// A* with landmark cuts: the first plan is a cheapest one.
    pub fn optimal() -> Partial {
        Partial {
            name: "htn-partial-optimal",
            estimate: Estimate::LmCut,
            pace: Pace::AtOnce,
            cheapest: true,
            ..Partial::default()
        }
    }
}

impl Partial {
    /// A plan that is found at once, if any is, in a promising order, and what
    /// it costs: no more than that need be looked at, and where nothing can be
    /// cheaper that is all.
    fn quick_plan(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
    ) -> Result<Option<(Derivation, Cost)>, Leave> {
        let bound = Bound::default();
        let greedy = |estimate| Linear {
            name: self.name,
            engine: Progression {
                bound: bound.clone(),
                ..Progression::greedy(estimate)
            },
        };
        let mut best = None;
        let most = run.nodes().saturating_add(QUICK_NODES);
        for estimate in [Estimate::Add, Estimate::Ff] {
            // Each plan is cheaper than the one before, and the end is near.
            loop {
                let left = most.saturating_sub(run.nodes());
                let mut next = None;
                let mut keep = |found: Derivation| {
                    next = Some(found);
                    Ok(())
                };
                let engine = greedy(estimate);
                let ended =
                    run.with_at_most(left, |run| engine.solve_into(instance, run, &mut keep));
                ended.map_err(Leave::Error)?;
                run.check()?;
                let Some(found) = next else {
                    break;
                };
                let steps = found.steps.iter();
                let cost = steps
                    .map(|&(_, it)| instance.actions[it as usize].cost)
                    .sum();
                if !bound.lower(cost) {
                    break;
                }
                best = Some((found, cost));
            }
        }
        Ok(best)
    }
}

impl Engine<Instance> for Partial {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        let summary = match self.cheapest {
            false => "partially ordered progression, best estimate first",
            true => "partially ordered progression, A*: a cheapest plan",
        };
        Profile::new(self.name, summary).complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let root = root_of(instance)?;
        if self.cheapest && !self.estimate.is_admissible() {
            return Err(EngineError::Unsupported(
                "a cheapest plan needs an estimate that is never too high".into(),
            ));
        }
        run.search(sink, |run, found| {
            let quick = match self.cheapest && self.bound.get().is_none() {
                true => self.quick_plan(instance, run)?,
                false => None,
            };
            let bound = match &quick {
                Some((_, cost)) => Bound::from(*cost),
                None => self.bound.clone(),
            };
            let strategy = Strategy {
                by: match self.cheapest {
                    true => By::Sum(1),
                    false => By::Estimate,
                },
                estimated: match self.cheapest {
                    true => When::Guessed,
                    false => When::Made,
                },
                narrows: self.cheapest,
                admissible: self.estimate.is_admissible(),
                bound,
                ..Strategy::eager(self.name)
            };
            let heuristic = self.estimate.heuristic(instance, run)?;
            let mut space = Networks::new(&instance.world, root, self.pace);
            if self.cheapest || self.bound.get().is_some() {
                space = space.with_least(instance.least(run)?);
            }
            let mut search = BestFirst::new(strategy, space, heuristic, None);
            let mut cheaper = false;
            search.run(run, &mut |space, steps| {
                cheaper = true;
                found.push(space.derivation(steps))
            })?;
            // There is nothing cheaper than the plan it began with.
            match quick.filter(|_| !cheaper) {
                Some((quick, _)) => found.push(quick),
                None => Ok(()),
            }
        })
    }
}
