//! The one trait of heuristics: a node in, how far it is out.

use crate::cost::Distance;
use crate::ground::{ActionIndex, Condition, MethodIndex};
use crate::heuristics::scope::ScopeId;
use crate::state::stacks::Element;

/// What is asked about: a state, and what remains to be done before the goal is
/// looked at.
pub(crate) struct Situation<'s> {
    /// Names the state: for one heuristic, equal numbers mean equal states.
    pub(crate) number: u32,
    pub(crate) state: &'s [u64],
    /// Tasks, actions and conditions of methods, in any order; nothing for a
    /// classical problem.
    pub(crate) left: &'s [Element],
    /// The part of the problem that can still matter.
    pub(crate) scope: ScopeId,
}

/// Says of nodes how far they are from a plan, and which choices look best.
///
/// An estimate is [`Distance::Dead`] only if no plan begins like this, however
/// dear: "dead" is a proof, "far" is an opinion.
pub(crate) trait Heuristic {
    /// How far it is from here.
    fn estimate(&mut self, at: &Situation<'_>) -> Distance;

    /// Work since the last call, in steps: what the estimates have cost.
    fn take_work(&mut self) -> u64;

    /// The part of the problem that matters for what is left, given its
    /// parent's.
    fn narrow(&mut self, scope: ScopeId, _left: &[Element]) -> ScopeId {
        scope
    }

    /// The same, right after its parent's and those of its siblings, of which it
    /// differs by an action: that may be less work.
    fn estimate_after(&mut self, at: &Situation<'_>, _action: ActionIndex) -> Distance {
        self.estimate(at)
    }

    /// How far it is at least after something was done where it was asked last:
    /// actions that were executed, and methods by which tasks were refined. For
    /// heuristics that are never too high, and so that this is not either.
    fn guess(&mut self, _done: &[Element]) -> Option<Distance> {
        None
    }

    /// From now on another goal is to be reached, and numbers mean other states.
    fn aim(&mut self, _goal: &Condition) {}

    /// The relaxed plan behind the last estimate, if estimates rest on one.
    fn plan(&self) -> Option<&dyn RelaxedPlan> {
        None
    }
}

/// A relaxed plan: what it uses is a good choice.
pub(crate) trait RelaxedPlan {
    /// Its actions, those that need least first.
    fn actions(&self) -> Vec<ActionIndex>;

    /// For each fact, how many of its operators need it.
    fn needed(&self, into: &mut Vec<u32>);

    /// True if it uses the method.
    fn has_method(&self, method: MethodIndex) -> bool;

    /// True if it uses the action.
    fn has_action(&self, action: ActionIndex) -> bool;
}
