//! Plans in the words of the model: what is printed, read and verified.
//!
//! [`Plan::text`] writes
//! the formats of the planning competitions, [`text`] reads them from any
//! planner, and [`tree`] shows how the steps came about.

pub mod text;
pub mod tree;

use crate::cost::Cost;
use crate::model::{ActionId, MethodId, ObjectId, TaskId};
use crate::number::Rational;

/// A plan with times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedPlan {
    /// In the order of the text; times say when.
    pub steps: Vec<TimedStep>,
}

/// A step of a plan with times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedStep {
    /// When it starts.
    pub time: Rational,
    /// What is done.
    pub action: ActionId,
    /// With what.
    pub arguments: Vec<ObjectId>,
    /// How long it takes, if the plan says so.
    pub duration: Option<Rational>,
}

/// A plan: steps in execution order and, for a hierarchical problem, the
/// decomposition that justifies them. Ids are unique across both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The actions, in execution order.
    pub steps: Vec<Step>,
    /// Ids of the initial tasks. Empty for a classical plan.
    pub roots: Vec<u64>,
    /// One per compound task.
    pub decompositions: Vec<Decomposition>,
    /// What its planner or its text says it costs, if it says so; judged by
    /// [`crate::verify`].
    pub cost: Option<Cost>,
}

/// One action of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its id.
    pub id: u64,
    /// Which action.
    pub action: ActionId,
    /// With what.
    pub arguments: Vec<ObjectId>,
}

/// One compound task of a plan, and how it was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Its id.
    pub id: u64,
    /// Which task.
    pub task: TaskId,
    /// With what.
    pub arguments: Vec<ObjectId>,
    /// By which method.
    pub method: MethodId,
    /// Ids of the subtasks.
    pub children: Vec<u64>,
}
