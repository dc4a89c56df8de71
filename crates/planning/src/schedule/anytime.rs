//! Plans that keep getting cheaper.
//!
//! The [`Portfolio`] finds a first plan. From then on only cheaper ones count:
//! a team (`teams`) that may not spend more than the best plan costs takes
//! turns (`scheduler`), and what one of them finds the others hear of.
//! Greedy ones find better plans early, A* with landmark cuts finds the
//! cheapest, and any complete search that comes to its end under the bound
//! proves that the best plan is a cheapest one.
//!
//! Every plan is judged by [`crate::verify`] before it is shown.

use std::sync::OnceLock;

use planoku_engine::{End, Ended, Engine, EngineError, Outcome, Profile, Run, Sink};

use crate::algorithms::{Bound, Latest};
use crate::cost::Cost;
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::cheaper::Cheaper;
use crate::schedule::portfolio::Portfolio;
use crate::schedule::scheduler::search;

/// Searches that go on after the first plan.
#[derive(Clone, Debug, Default)]
pub struct Anytime {
    /// Who finds the first plan.
    pub portfolio: Portfolio,
}

/// Told of each better plan, and who found it, as soon as it is verified.
pub type Tell<'a> = dyn FnMut(&Plan, &'static str) -> Result<(), EngineError> + 'a;

impl Engine<Model> for Anytime {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "anytime",
            "a first plan by the portfolio, then cheaper ones until the last is proved cheapest",
        )
        .complete()
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        self.improve(model, run, &mut |_, _| Ok(()))?.hand_to(sink)
    }
}

impl Anytime {
    /// Plans, each cheaper than the one before. [`End::Exhausted`] says that
    /// the last is proved cheapest (or, without any, that there is none).
    pub fn improve(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Outcome<Plan>, EngineError> {
        let problem = OnceLock::new();
        let threads = self.portfolio.threads;
        let policy = Cheaper {
            problem: &problem,
            bound: Bound::default(),
            latest: Latest::default(),
            alone: threads <= 1,
            patience: None,
        };
        let mut plans: Vec<Plan> = Vec::new();
        let mut keep = |plan: Plan, by| {
            tell(&plan, by)?;
            policy.begin_with(&plan);
            plans.push(plan);
            Ok(())
        };
        let mut ended = self.portfolio.first_plan(model, &problem, run, &mut keep)?;
        match policy.bound.get() {
            None => {}
            Some(Cost::ZERO) => ended.end = End::Exhausted,
            Some(_) => {
                run.stats = ended.stats;
                ended = search(&policy, threads, model, &problem, run, &mut keep)?;
            }
        }
        // Where costs do not say what the metric says, cheapest is not best.
        let beyond = |it: &Instance| it.objective.require().is_err();
        if !plans.is_empty() && ended.end == End::Exhausted && problem.get().is_some_and(beyond) {
            ended.end = End::Incomplete;
        }
        Ok(Outcome {
            answers: plans,
            end: ended.end,
            stats: ended.stats,
        })
    }
}
