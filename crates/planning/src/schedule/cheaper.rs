//! The policy of improving: whoever can make a plan cheaper, until nothing is,
//! or patience ends.

use std::sync::OnceLock;

use crate::algorithms::{Bound, Latest};
use crate::cost::Cost;
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::members;
use crate::schedule::scheduler::{Judged, Member, Policy};

/// A team whose members search under one bound.
pub(super) struct Cheaper<'p> {
    /// What costs are compared by: the problem, once it is grounded.
    pub(super) problem: &'p OnceLock<Instance>,
    pub(super) bound: Bound,
    /// The plan whose cost that is.
    pub(super) latest: Latest,
    /// Members search one at a time, so that each has heard of all plans.
    pub(super) alone: bool,
    /// Seconds, as counted, after which it is enough.
    pub(super) patience: Option<f64>,
}

impl Cheaper<'_> {
    /// Takes note of a plan that the team did not find.
    pub(super) fn begin_with(&self, plan: &Plan) {
        if let Some(cost) = self.cost(plan) {
            self.lower(cost, plan);
        }
    }

    /// From now on plans have to be cheaper than this one; false if it is none
    /// cheaper itself.
    fn lower(&self, cost: Cost, plan: &Plan) -> bool {
        let lower = self.bound.lower(cost);
        if lower {
            self.latest.set(plan);
        }
        lower
    }

    /// What a plan costs as searches count it: what it says, or what it adds to
    /// the metric.
    fn cost(&self, plan: &Plan) -> Option<Cost> {
        let added = || self.problem.get()?.added_to_metric(plan);
        plan.cost.or_else(added)
    }
}

impl Policy for Cheaper<'_> {
    fn wanted(&self) -> u64 {
        u64::MAX
    }

    fn patience(&self) -> Option<f64> {
        self.patience
    }

    fn first<'a>(&self, _: &'a Model) -> Vec<Member<'a>> {
        Vec::new()
    }

    fn planners<'a>(&self, problem: &'a Instance) -> Vec<Member<'a>> {
        members::improving(problem, &self.bound, &self.latest)
    }

    fn judge(&self, plan: &Plan) -> Judged {
        match self.cost(plan) {
            Some(cost) if self.lower(cost, plan) => Judged::Counts,
            None => Judged::Counts,
            Some(_) if self.alone => {
                Judged::Wrong("was asked for a cheaper plan and found another".into())
            }
            Some(_) => Judged::Late,
        }
    }
}
