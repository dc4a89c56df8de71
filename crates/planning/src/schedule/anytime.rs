//! Plans that keep getting cheaper.
//!
//! The [`Portfolio`] finds a first plan. From then on only cheaper ones count:
//! a [team](super::teams) that may not spend more than the best plan costs takes
//! [turns](super::scheduler), and what one of them finds the others hear of.
//! Greedy ones find better plans early, A* with landmark cuts finds the
//! cheapest, and any complete search that comes to its end under the bound
//! proves that the best plan is a cheapest one.
//!
//! Every plan is judged by [`crate::verify`] before it is shown.

use std::sync::OnceLock;

use planoku_engine::{End, Ended, Engine, EngineError, Outcome, Profile, Run, Sink};

use crate::algorithms::Bound;
use crate::cost::Cost;
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::members;
use crate::schedule::portfolio::Portfolio;
use crate::schedule::scheduler::{Judged, Member, Policy, search};

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
            bound: Bound::default(),
            alone: threads <= 1,
        };
        let mut plans: Vec<Plan> = Vec::new();
        let mut keep = |plan: Plan, by| {
            tell(&plan, by)?;
            if let Some(cost) = plan.cost {
                policy.bound.lower(cost);
            }
            plans.push(plan);
            Ok(())
        };
        let mut ended = self.portfolio.first_plan(model, &problem, run, &mut keep)?;
        match policy.bound.get() {
            None => {}
            Some(Cost::ZERO) => ended.end = End::Exhausted,
            Some(_) => {
                run.stats.faults = ended.stats.faults;
                ended = search(&policy, threads, model, &problem, run, &mut keep)?;
            }
        }
        Ok(Outcome {
            answers: plans,
            end: ended.end,
            stats: ended.stats,
        })
    }
}

/// The policy: whoever can improve a plan, until nothing is cheaper.
struct Cheaper {
    bound: Bound,
    /// Members search one at a time, so that each has heard of all plans.
    alone: bool,
}

impl Policy for Cheaper {
    fn wanted(&self) -> u64 {
        u64::MAX
    }

    fn first<'a>(&self, _: &'a Model) -> Vec<Member<'a>> {
        Vec::new()
    }

    fn planners<'a>(&self, problem: &'a Instance) -> Vec<Member<'a>> {
        members::improving(problem, &self.bound)
    }

    fn last<'a>(&self, _: &'a Model) -> Vec<Member<'a>> {
        Vec::new()
    }

    fn judge(&self, plan: &Plan) -> Judged {
        match plan.cost {
            Some(cost) if self.bound.lower(cost) => Judged::Counts,
            None => Judged::Counts,
            Some(_) if self.alone => {
                Judged::Wrong("was asked for a cheaper plan and found another".into())
            }
            Some(_) => Judged::Late,
        }
    }
}
