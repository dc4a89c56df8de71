//! A problem without variables: what the search engines see.
//!
//! A [`Ground`] problem has numbered facts, actions, tasks and methods. For a
//! hierarchical problem one compound task, the [`root`](Ground::root), stands
//! for the initial network: its methods are the ways to choose the network's
//! free variables. For a classical problem there is no root, and a plan is any
//! executable sequence that reaches the goal.
//!
//! # Invariants
//!
//! - Lists of facts are sorted and without repetition.
//! - Only facts that can change are numbered. What never changes has been
//!   evaluated away.
//! - Every method's subtasks are in the tables; every task has at least one
//!   method (otherwise it, and what needs it, has been removed).

mod calculate;
mod condition;
mod counters;
mod derivation;
mod draft;
mod finish;
pub(crate) mod finite;
mod join;
mod lower;
mod measure;
pub(crate) mod mutex;
mod needs;
mod number;
mod numeric;
pub mod pddl;
mod prune;
mod ranges;
mod reach;
mod refute;
mod relation;
pub mod sas;
mod slot;
mod split;
#[cfg(test)]
mod tests;
mod variables;

use std::fmt;

use planoku_engine::{EncodeError, EngineError, Run, Stop};

use crate::cost::Cost;
use crate::model::{ActionId, MethodId, Model, ObjectId, PredicateId, TaskId};
pub use numeric::{
    ChangeKind, GroundComparison, Numbers, NumericVariable, VariableChange, VariableIndex,
};
pub use refute::Refutation;

/// An index into [`Ground::facts`].
pub type FactIndex = u32;
/// An index into [`Ground::actions`].
pub type ActionIndex = u32;
/// An index into [`Ground::tasks`].
pub type TaskIndex = u32;
/// An index into [`Ground::methods`].
pub type MethodIndex = u32;

/// A grounded problem.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// Facts that can change.
    pub facts: Vec<GroundFact>,
    /// Actions that may be executable.
    pub actions: Vec<GroundAction>,
    /// Compound tasks that may be refined. Empty for classical problems.
    pub tasks: Vec<GroundTask>,
    /// Methods that may be applicable.
    pub methods: Vec<GroundMethod>,
    /// Rules for derived facts, in an order in which one pass per layer,
    /// repeated to a fixed point within the layer, evaluates them.
    pub axioms: Vec<Axiom>,
    /// Facts that hold at the start, without derived ones.
    pub init: Vec<FactIndex>,
    /// What must hold at the end.
    pub goal: Condition,
    /// The task that stands for the initial network; `None` if classical.
    pub root: Option<TaskIndex>,
    /// True if every method, and the initial network, is totally ordered.
    pub ordered: bool,
    /// Variables with numbers for values, if there are any.
    pub numbers: Numbers,
    /// What the costs of actions stand for.
    pub objective: Objective,
}

/// What the costs of a problem's actions stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// What the model calls cost: total cost, or the number of actions.
    #[default]
    Cost,
    /// What each action adds to the metric.
    Metric,
    /// The same as [`Objective::Cost`], because the metric is not a sum of what
    /// actions add to it: cheapest plans are not best ones.
    Beyond,
}

impl Objective {
    /// An error if cheapest plans are not best ones.
    pub fn require(self) -> Result<(), EngineError> {
        match self {
            Objective::Cost | Objective::Metric => Ok(()),
            Objective::Beyond => Err(EngineError::Unsupported(
                "the metric is not a sum to which every action adds a fixed amount that makes it \
                 no better, so no search can tell which plan is best"
                    .into(),
            )),
        }
    }
}

/// A conjunction of literals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Condition {
    /// Facts that must hold.
    pub positive: Vec<FactIndex>,
    /// Facts that must not hold.
    pub negative: Vec<FactIndex>,
}

/// A fact's name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroundFact {
    /// A predicate of the model with its arguments.
    Atom(PredicateId, Box<[ObjectId]>),
    /// A helper introduced by compilation.
    Helper(u32),
    /// A comparison of numbers, by its place in [`Numbers::comparisons`].
    Comparison(u32),
}

/// A ground action.
#[derive(Clone, Debug)]
pub struct GroundAction {
    /// Its schema; `None` for a helper that does not appear in plans.
    pub schema: Option<ActionId>,
    /// The values of its parameters.
    pub arguments: Box<[ObjectId]>,
    /// What must hold before.
    pub precondition: Condition,
    /// Facts that become true.
    pub add: Vec<FactIndex>,
    /// Facts that become false (a fact that is also added stays true).
    pub delete: Vec<FactIndex>,
    /// Changes that depend on the state before.
    pub conditional: Vec<ConditionalEffect>,
    /// What it costs; 1 if the problem does not speak of cost.
    pub cost: Cost,
}

impl GroundAction {
    /// True if it needs nothing, so that it can always be executed.
    pub(crate) fn is_free(&self) -> bool {
        self.precondition.positive.is_empty() && self.precondition.negative.is_empty()
    }
}

/// A change that happens only where its condition held before the action.
#[derive(Clone, Debug)]
pub struct ConditionalEffect {
    /// When.
    pub condition: Condition,
    /// Facts that become true.
    pub add: Vec<FactIndex>,
    /// Facts that become false.
    pub delete: Vec<FactIndex>,
}

/// A ground compound task.
#[derive(Clone, Debug)]
pub struct GroundTask {
    /// Its schema; `None` for the root and for helpers.
    pub schema: Option<TaskId>,
    /// The values of its parameters.
    pub arguments: Box<[ObjectId]>,
    /// The methods that refine it.
    pub methods: Vec<MethodIndex>,
}

/// A ground method.
#[derive(Clone, Debug)]
pub struct GroundMethod {
    /// Its schema; `None` for a method of the root or of a helper.
    pub schema: Option<MethodId>,
    /// The values of its parameters (for the root: of the network's).
    /// Parameters that are chosen in a helper task below, or that nothing
    /// mentions, have some value of their type.
    pub arguments: Box<[ObjectId]>,
    /// The task it refines.
    pub task: TaskIndex,
    /// What must hold right before the first action of its refinement.
    pub precondition: Condition,
    /// Its subtasks. If the method is totally ordered, in that order.
    pub subtasks: Vec<Node>,
    /// For each of `subtasks`, its place in the method schema's list.
    pub places: Vec<u32>,
    /// `(a, b)`: subtask `a` before `b`; transitively reduced.
    pub ordering: Vec<(u32, u32)>,
}

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// A compound task.
    Task(TaskIndex),
    /// An action.
    Action(ActionIndex),
}

/// A rule for a derived fact.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// Rules of a lower layer are evaluated first; negation only reaches down.
    pub layer: u32,
    /// When it fires.
    pub condition: Condition,
    /// The fact it makes true.
    pub head: FactIndex,
}

/// What a search engine finds: the actions in execution order and, for a
/// hierarchical problem, how each task was refined.
///
/// Nodes are numbered freely but uniquely across `steps` and `refinements`.
/// Helpers may appear; [`crate::plan`] removes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// `(node, action)` in execution order.
    pub steps: Vec<(u32, ActionIndex)>,
    /// One per compound task; the root's comes first.
    pub refinements: Vec<Refinement>,
}

/// One task refined by one method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refinement {
    /// This task's node.
    pub node: u32,
    /// The method; it knows its task.
    pub method: MethodIndex,
    /// The nodes of its subtasks, in the order of [`GroundMethod::subtasks`].
    pub children: Vec<u32>,
}

/// Why a model was not grounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroundError {
    /// A budget ran out; `schema` was being instantiated then.
    Stopped {
        /// Which budget.
        stop: Stop,
        /// The kind and name of the schema, such as ``method `move-long` ``.
        schema: String,
        /// How many instances it had by then.
        instances: u64,
    },
    /// There is no plan, even if nothing ever becomes false.
    Refuted(Refutation),
    /// The model uses something that cannot be grounded.
    Unsupported(String),
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundError::Stopped {
                stop: Stop::Memory,
                schema,
                instances,
            } => write!(
                f,
                "too big for the memory allowed: {schema} had {instances} instances and was growing"
            ),
            GroundError::Stopped {
                stop,
                schema,
                instances,
            } => write!(
                f,
                "grounding stopped by {stop}: {schema} had {instances} instances and was growing"
            ),
            GroundError::Refuted(refutation) => write!(f, "there is no plan: {refutation}"),
            GroundError::Unsupported(what) => write!(f, "not supported: {what}"),
        }
    }
}

impl std::error::Error for GroundError {}

impl From<GroundError> for EncodeError {
    fn from(error: GroundError) -> EncodeError {
        match error {
            GroundError::Stopped { stop, .. } => EncodeError::Stopped(stop),
            GroundError::Refuted(_) => EncodeError::Refuted,
            GroundError::Unsupported(what) => EncodeError::Failed(EngineError::Unsupported(what)),
        }
    }
}

/// Grounds a model: every action, task and method that may take part in a
/// plan, going by what can be reached if nothing ever becomes false.
pub fn ground(model: &Model, run: &mut Run<'_>) -> Result<Ground, GroundError> {
    if let Some(beyond) = model.beyond.first() {
        return Err(GroundError::Unsupported(format!(
            "{beyond} are not planned for"
        )));
    }
    let mut reach = reach::Reach::new(model, run).map_err(|stop| GroundError::Stopped {
        stop,
        schema: "the domain".into(),
        instances: 0,
    })?;
    let layers = finish::layers(&reach.world.schemas).map_err(|predicate| {
        let name = &model.predicates[predicate].name;
        GroundError::Unsupported(format!(
            "derived predicate `{name}` depends on its own negation"
        ))
    })?;
    if let Err(stop) = reach.run(run) {
        return Err(reach.stopped(stop));
    }
    let mut draft = reach.draft(run).map_err(|stop| reach.stopped(stop))?;
    if reach.world.functions.too_large {
        let what = "a number is too large to be calculated with exactly";
        return Err(GroundError::Unsupported(what.into()));
    }
    let alive = loop {
        let schema_of = |number: u32| reach.instances[number as usize].method as usize;
        let schemas = &reach.world.schemas.methods;
        let alive =
            prune::prune(&draft, schema_of, schemas, run).map_err(|stop| reach.stopped(stop))?;
        let goal = draft.goal.as_ref().is_some_and(|goal| alive.allows(goal));
        if !goal || draft.tasks.first().is_some_and(|_| !alive.tasks[0]) {
            return Err(GroundError::Refuted(refute::explain(
                &reach, &draft, &alive,
            )));
        }
        if !finish::refute_contradictions(&mut draft, &alive) {
            break alive;
        }
    };
    let objective = measure::measure(&mut reach, &mut draft, &alive);
    let finished = finish::finish(&reach, draft, &alive, &layers, run);
    let mut problem = finished.map_err(|stop| reach.stopped(stop))?;
    problem.objective = objective;
    Ok(problem)
}

impl Ground {
    /// About how many steps it takes to look at all of it once.
    pub fn size(&self) -> u64 {
        let small = self.facts.len() + self.tasks.len() + self.axioms.len();
        (small + 8 * (self.actions.len() + self.methods.len())) as u64
    }

    /// The schemas with most instances, widest first: `(kind, name, count)`
    /// with kind `"action"`, `"method"` or `"task"`.
    pub fn widest(&self, model: &Model) -> Vec<(&'static str, String, usize)> {
        let mut counts = rustc_hash::FxHashMap::default();
        for action in &self.actions {
            if let Some(id) = action.schema {
                *counts.entry(("action", id.0)).or_insert(0) += 1;
            }
        }
        for method in &self.methods {
            if let Some(id) = method.schema {
                *counts.entry(("method", id.0)).or_insert(0) += 1;
            }
        }
        for task in &self.tasks {
            if let Some(id) = task.schema {
                *counts.entry(("task", id.0)).or_insert(0) += 1;
            }
        }
        let mut list: Vec<_> = counts
            .into_iter()
            .map(|((kind, id), count)| {
                let id = id as usize;
                let name = match kind {
                    "action" => &model.actions[id].name,
                    "method" => &model.methods[id].name,
                    _ => &model.tasks[id].name,
                };
                (kind, name.clone(), count)
            })
            .collect();
        list.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| (a.0, &a.1).cmp(&(b.0, &b.1))));
        list
    }
}
