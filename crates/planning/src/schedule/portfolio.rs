//! All planners on one problem: the first verified plan wins.
//!
//! What is hard for one planner is often easy for another, and nobody knows
//! beforehand. So they take turns (`scheduler`), each by its share of the
//! team (`teams`), beginning with walks that need no grounding. What a model
//! looks like says who will probably plan it, and moves shares (`guess`).
//!
//! **The factor.** A plan that a member finds alone with effort *t*, grounding
//! included, costs the team on one thread at most [`Portfolio::FACTOR`] times
//! *t*, in seconds as counted, and a small constant (a member that holds more than
//! 64 MB pays for each 32 MB beyond that as for a second): twice what the sum of all
//! shares is to the smallest share, for every other turn may belong to who is
//! nearly there (`scheduler::queue`), and that again by the part of the time which
//! a guess leaves as it was (`guess`). That is the promise; measured, the team
//! needs one to three times what its best member needs on models like those it
//! has seen, and about four times on others (`bench/results/2026-11-19-guess.md`).
//! Counted seconds are no measured ones, as speeds are guessed by the kind of
//! planner; a wrong guess costs fairness, never repeatability.

use std::sync::OnceLock;

use planoku_engine::{End, Ended, Engine, EngineError, Leave, Profile, Run, Sink, Stats};

use crate::algorithms::{Bound, Latest};
use crate::cost::Cost;
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::cheaper::Cheaper;
use crate::schedule::features;
use crate::schedule::guess::{Guess, UNKNOWN};
use crate::schedule::members;
use crate::schedule::scheduler::{Each, Member, Policy, search};
use crate::schedule::teams::{self, Share};

/// The team of all planners.
#[derive(Clone, Debug)]
pub struct Portfolio {
    /// How many of them think at the same time.
    pub threads: usize,
    /// Where shuffling begins.
    pub seed: u64,
    /// After the first plan a cheaper one is looked for, for
    /// [a part](Portfolio::AGAIN) of what the first took.
    pub improves: bool,
}

/// Until when, in seconds as counted since the beginning, a plan is improved at
/// least, and how long at most: what nobody minds.
const PATIENCE: (f64, f64) = (1.0, 4.0);

impl Portfolio {
    /// The most that the team on one thread needs, as a multiple of what any of
    /// its members needs alone; both as counted, see [the module](self).
    pub const FACTOR: u64 = (2.0 * teams::FACTOR as f64 / UNKNOWN) as u64;

    /// How long a cheaper plan is looked for, as a part of the time that the
    /// first has taken, both as counted; at least until a second has passed since
    /// the beginning, at most for four.
    pub const AGAIN: f64 = 0.5;

    /// Everyone on the team for such a model, by name.
    pub fn members(model: &Model) -> Vec<&'static str> {
        teams::everyone(model)
            .into_iter()
            .map(|(name, _)| name)
            .collect()
    }

    /// What the team goes by where it guesses who will plan a model: names and
    /// numbers.
    pub fn features(model: &Model) -> impl Iterator<Item = (&'static str, f64)> {
        features::NAMES.into_iter().zip(features::features(model))
    }

    /// The member that found the plan, going by the counters of its run.
    pub fn winner(stats: &Stats) -> Option<&'static str> {
        Portfolio::winners(stats).pop()
    }

    /// Who found the first plan, and who improved it, going by the counters of
    /// a run.
    pub fn winners(stats: &Stats) -> Vec<&'static str> {
        let other = ["ground_us", "counted_us", "too_big", "refused", "broken"];
        let names = stats.counters.iter().map(|&(name, _)| name);
        names.filter(|name| !other.contains(name)).collect()
    }

    /// Searches for a first plan; the problem is left in its cell if it was
    /// grounded.
    pub(super) fn first_plan(
        &self,
        model: &Model,
        problem: &OnceLock<Instance>,
        run: &mut Run<'_>,
        each: &mut Each<'_>,
    ) -> Result<Ended, EngineError> {
        let policy = Everyone::of(model, self.seed);
        search(
            &policy,
            self.threads,
            model,
            problem,
            run,
            &mut |plan, by| {
                each(plan, by)?;
                Err(Leave::Enough)
            },
        )
    }
}

impl Default for Portfolio {
    fn default() -> Portfolio {
        Portfolio {
            threads: 1,
            seed: 0,
            improves: false,
        }
    }
}

impl Engine<Model> for Portfolio {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "portfolio",
            "all planners in turn or side by side, the first verified plan wins",
        )
        .complete()
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        if !self.improves {
            return self.first_plan(model, &OnceLock::new(), run, &mut |plan, _| sink(plan));
        }
        let problem = OnceLock::new();
        let mut best = None;
        let mut keep = |plan: Plan, _| {
            best = Some(plan);
            Ok(())
        };
        let first = self.first_plan(model, &problem, run, &mut keep)?;
        let Some(plan) = best else {
            return Ok(first);
        };
        let spent = first.stats.get("counted_us") as f64 / 1e6;
        let again = (Portfolio::AGAIN * spent).max(PATIENCE.0 - spent);
        let policy = Cheaper {
            problem: &problem,
            bound: Bound::default(),
            latest: Latest::default(),
            alone: self.threads <= 1,
            patience: Some(again.min(PATIENCE.1)),
        };
        policy.begin_with(&plan);
        if policy.bound.get().is_none_or(|cost| cost == Cost::ZERO) {
            sink(plan).or_else(|leave| leave.end().map(drop))?;
            return Ok(first);
        }
        run.stats = first.stats;
        let mut best = plan;
        let keep = &mut |plan: Plan, _| {
            best = plan;
            Ok(())
        };
        // Whatever comes of it, there is a plan; so memory must not run out.
        let ended = run.with_part_of_memory(4, |run| {
            search(&policy, self.threads, model, &problem, run, keep)
        });
        let stats = match ended {
            Ok(ended) => ended.stats,
            Err(error) => {
                let mut stats = run.finish();
                stats.faults.push(error.to_string());
                stats
            }
        };
        let end = match sink(best) {
            Ok(()) => End::Enough,
            Err(leave) => leave.end()?,
        };
        Ok(Ended { end, stats })
    }
}

/// The policy: everyone may try, and the first plan is enough.
pub(super) struct Everyone {
    pub(super) seed: u64,
    pub(super) guess: Guess,
}

impl Everyone {
    /// For a model, going by what it looks like.
    pub(super) fn of(model: &Model, seed: u64) -> Everyone {
        let guess = Guess::of(model, &teams::everyone(model));
        Everyone { seed, guess }
    }
}

impl Policy for Everyone {
    fn wanted(&self) -> u64 {
        1
    }

    fn first<'a>(&self, model: &'a Model) -> Vec<Member<'a>> {
        members::without_grounding(model, self.seed, &self.guess)
    }

    fn grounding(&self, model: &Model) -> (Share, f64) {
        let walkers = teams::walkers(model).len();
        let everyone = teams::everyone(model);
        let waiting = || everyone.iter().skip(walkers).map(|&(name, _)| name);
        let share = self.guess.share_of_all(waiting(), teams::GROUNDING);
        (share, self.guess.later(waiting()))
    }

    fn planners<'a>(&self, problem: &'a Instance) -> Vec<Member<'a>> {
        members::grounded(problem, self.seed, &self.guess)
    }
}
