//! Relaxed plans, but what has never been seen before comes first.
//!
//! A state is novel if a fact holds in it that held in no state before with a
//! relaxed plan of the same size. Greedy search that goes by size alone walks
//! about among states that differ in nothing that matters; asked for something
//! new first, it leaves such plateaus. Lipovetzky and Geffner, "Best-first
//! width search" (2017), with width 1 and the relaxed plan as the partition.

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use crate::analysis::charge::Charge;
use crate::cost::{Cost, Distance};
use crate::heuristics::Estimate;
use crate::heuristics::heuristic::{Heuristic, RelaxedPlan, Situation};
use crate::heuristics::scope::ScopeId;
use crate::instance::Instance;
use crate::state::stacks::Element;
use crate::state::states::{has, set};

/// How much farther away whatever is not novel seems: farther than any relaxed
/// plan is long.
const KNOWN: u64 = 1 << 40;

struct Novelty<'a> {
    size: Box<dyn Heuristic + 'a>,
    /// For each size of a relaxed plan, the facts seen with it.
    seen: FxHashMap<Cost, Vec<u64>>,
    /// The same for what was left to do, where that may be what is new.
    left: Option<FxHashMap<Cost, Vec<u64>>>,
    work: u64,
}

impl<'a> Novelty<'a> {
    fn of(size: Box<dyn Heuristic + 'a>) -> Box<dyn Heuristic + 'a> {
        Box::new(Novelty {
            size,
            seen: FxHashMap::default(),
            left: None,
            work: 0,
        })
    }
}

/// Among states with relaxed plans of the same size.
pub(super) fn of_plans<'a>(
    instance: &'a Instance,
    charge: Charge,
    run: &mut Run<'_>,
) -> Result<Box<dyn Heuristic + 'a>, Stop> {
    Ok(Novelty::of(Estimate::Ff.charging(instance, charge, run)?))
}

/// Among states with as much open.
pub(super) fn of_counts<'a>(
    instance: &'a Instance,
    charge: Charge,
    run: &mut Run<'_>,
) -> Result<Box<dyn Heuristic + 'a>, Stop> {
    Ok(Novelty::of(
        Estimate::Count.charging(instance, charge, run)?,
    ))
}

/// Among states with relaxed plans of the same size for what tasks promise.
pub(super) fn of_promises<'a>(
    instance: &'a Instance,
    charge: Charge,
    run: &mut Run<'_>,
) -> Result<Box<dyn Heuristic + 'a>, Stop> {
    Ok(Box::new(Novelty {
        size: Estimate::Promised.charging(instance, charge, run)?,
        seen: FxHashMap::default(),
        left: Some(FxHashMap::default()),
        work: 0,
    }))
}

impl Heuristic for Novelty<'_> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        let Distance::Left(size) = self.size.estimate(at) else {
            return Distance::Dead;
        };
        self.work += at.state.len() as u64;
        let seen = self.seen.entry(size).or_default();
        seen.resize(at.state.len(), 0);
        let mut novel = false;
        for (seen, &word) in seen.iter_mut().zip(at.state) {
            novel |= word & !*seen != 0;
            *seen |= word;
        }
        if let Some(left) = &mut self.left {
            self.work += at.left.len() as u64;
            let seen = left.entry(size).or_default();
            for &Element(element) in at.left {
                if seen.len() <= element as usize / 64 {
                    seen.resize(element as usize / 64 + 1, 0);
                }
                novel |= !has(seen, element);
                set(seen, element);
            }
        }
        Distance::Left(match novel {
            true => size,
            false => size.saturating_add(Cost::from(KNOWN)),
        })
    }

    fn take_work(&mut self) -> u64 {
        self.size.take_work() + std::mem::take(&mut self.work)
    }

    fn narrow(&mut self, scope: ScopeId, left: &[Element]) -> ScopeId {
        self.size.narrow(scope, left)
    }

    fn plan(&self) -> Option<&dyn RelaxedPlan> {
        self.size.plan()
    }
}
