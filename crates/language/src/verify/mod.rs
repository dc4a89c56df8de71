//! Is this a plan? Judged from the model alone.
//!
//! The verifier shares nothing with the grounder or the search engines but
//! the [`Model`], so that their mistakes cannot hide here. It takes any
//! [`Plan`], from whatever planner, and either accepts it or names the first
//! rule it breaks.
//!
//! Steps are numbered from 0 in the order of execution, whatever ids the plan
//! gives them; tasks are called by their ids.
//!
//! # The rules
//!
//! In this order:
//!
//! 1. *Structure*: ids are unique and exist; every id is one root or one child,
//!    and hangs below a root.
//! 2. *Arguments*: as many as declared, of the declared types.
//! 3. *Execution*: every action's precondition holds when its turn comes, and
//!    its effects give every value it changes one new value.
//! 4. *Decomposition*: the children of a task are the subtasks of its method
//!    (in any order of listing), for one choice of the method's variables that
//!    fits the task, all children and the constraints; the steps respect the
//!    method's ordering; and its precondition holds *in the state right before
//!    the first action of its refinement*. The same for the initial network.
//! 5. *Goal*: it holds at the end.
//! 6. *Cost*: if the plan says what it costs, that is what its actions cost.
//!
//! A task without any action below it has no first action. Its method's
//! precondition must hold in *some* state after everything ordered before the
//! task has ended and before anything ordered after it starts; the earliest
//! such state counts as its place. Variables of a method that appear in its
//! precondition only may take any values.

mod changes;
mod follow;
mod grammar;
mod parse;
mod refine;
mod state;
#[cfg(test)]
mod tests;
mod timed;

use std::cell::RefCell;
use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cost::Cost;
use crate::model::{Model, ObjectId, TaskRef, Variable};
use crate::number::Rational;
use crate::plan::Plan;
use state::History;

pub use changes::{StateChange, changes};
pub use follow::Follow;
pub use parse::{Parsed, parse};
pub use refine::{Chosen, Witness};
pub use timed::{TimedVerified, epsilon, verify_timed};

/// A rule that a plan breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// An id stands for two things.
    DuplicateId,
    /// An id stands for nothing.
    UnknownId,
    /// An id is used twice, or not at all.
    Usage,
    /// The number of arguments, or a type.
    Arguments,
    /// An action's precondition.
    Precondition,
    /// An action's effect contradicts itself or needs a number that has no
    /// value.
    Effect,
    /// The children are not the subtasks of the method.
    Subtasks,
    /// The steps are not in an order the method allows.
    Ordering,
    /// No choice of a method's variables fits.
    Variables,
    /// A method's precondition.
    MethodPrecondition,
    /// No decomposition leads to the steps.
    Decomposition,
    /// The goal.
    Goal,
    /// What the plan says it costs.
    Cost,
    /// A number does not fit, so that nothing can be said of the plan.
    Number,
    /// How long an action takes, or when it starts.
    Duration,
    /// Two happenings disturb each other.
    Interference,
    /// The model asks for something that is not judged.
    Unsupported,
}

impl Rule {
    /// The word used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Rule::DuplicateId => "duplicate-id",
            Rule::UnknownId => "unknown-id",
            Rule::Usage => "usage",
            Rule::Arguments => "arguments",
            Rule::Precondition => "precondition",
            Rule::Effect => "effect",
            Rule::Subtasks => "subtasks",
            Rule::Ordering => "ordering",
            Rule::Variables => "variables",
            Rule::MethodPrecondition => "method-precondition",
            Rule::Decomposition => "decomposition",
            Rule::Goal => "goal",
            Rule::Cost => "cost",
            Rule::Number => "number",
            Rule::Duration => "duration",
            Rule::Interference => "interference",
            Rule::Unsupported => "unsupported",
        }
    }
}

/// The first rule that a plan breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which rule.
    pub rule: Rule,
    /// The id of the step or task that breaks it, if it is one.
    pub id: Option<u64>,
    /// What was wanted and what was found, in the model's names.
    pub reason: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Broken {}

/// What is known about a plan that keeps all rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many actions.
    pub steps: usize,
    /// How many compound tasks.
    pub tasks: usize,
    /// What they cost together; their number if the model speaks of no cost.
    pub cost: Cost,
    /// The value of the metric at the end, where there is one other than
    /// total cost and it has a value.
    pub metric: Option<Rational>,
}

/// Judges a plan.
pub fn verify(model: &Model, plan: &Plan) -> Result<Verified, Broken> {
    deep(plan, || judge(model, plan, None))
}

/// Judges a plan and tells what makes its decomposition one: plans name the
/// method of each task, but neither the values of the method's parameters nor
/// which child is which subtask.
///
/// ```
/// # use planoku_language::{plan::text, read, verify};
/// let domain = "(define (domain tea) (:requirements :hierarchy)
///   (:predicates (clean ?cup))
///   (:task serve :parameters ())
///   (:method in-a-clean-cup :parameters (?cup) :task (serve) :precondition (clean ?cup)
///     :subtasks (pour))
///   (:action pour :parameters ()))";
/// let problem = "(define (problem p) (:domain tea) (:objects blue red)
///   (:htn :subtasks (serve)) (:init (clean red)))";
/// let model = read(domain, problem).0.unwrap();
/// let plan = text::read("==>\n0 pour\nroot 1\n1 serve -> in-a-clean-cup 0\n<==", &model).unwrap();
/// let (_, witness) = verify::witness(&model, &plan).unwrap();
/// let [cup] = witness.tasks[&1].values[..] else { panic!() };
/// assert_eq!(model.objects[cup.index()].name, "red");
/// ```
pub fn witness(model: &Model, plan: &Plan) -> Result<(Verified, Witness), Broken> {
    deep(plan, || {
        let witness = RefCell::default();
        let verified = judge(model, plan, Some(&witness))?;
        Ok((verified, witness.into_inner()))
    })
}

fn deep<T: Send>(plan: &Plan, judge: impl Fn() -> Result<T, Broken> + Sync) -> Result<T, Broken> {
    // Matching children and placing empty tasks recurse; a plan that goes
    // deep gets a deep stack.
    let widest = plan.decompositions.iter().map(|d| d.children.len()).max();
    let empty = plan.decompositions.iter().filter(|d| d.children.len() < 2);
    let depth = empty.count().max(widest.unwrap_or(0)).max(plan.roots.len());
    if depth < 500 {
        return judge();
    }
    // Without optimisation the frames of a level are larger.
    let level = if cfg!(debug_assertions) {
        16 << 10
    } else {
        4 << 10
    };
    let stack = depth.saturating_mul(level).clamp(16 << 20, 2 << 30);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack);
        match thread.spawn_scoped(scope, &judge) {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => judge(),
        }
    })
}

/// Judges the steps of a plan alone: arguments, execution, goal and cost.
pub fn verify_steps(model: &Model, plan: &Plan) -> Result<Verified, Broken> {
    let (_, verified) = executed(model, plan)?;
    Ok(verified)
}

fn executed<'a>(model: &'a Model, plan: &Plan) -> Result<(History<'a>, Verified), Broken> {
    check_supported(model)?;
    check_arguments(model, plan)?;
    let (history, cost) = History::of(model, plan)?;
    let verified = check_end(model, plan, &history, cost)?;
    Ok((history, verified))
}

fn judge(
    model: &Model,
    plan: &Plan,
    witness: Option<&RefCell<Witness>>,
) -> Result<Verified, Broken> {
    check_supported(model)?;
    let shape = Shape::of(model, plan)?;
    check_arguments(model, plan)?;
    let (history, cost) = History::of(model, plan)?;
    if model.network.is_some() {
        let refined = refine::check(model, plan, &shape, &history, witness);
        history.check_exact()?;
        refined?;
    }
    check_end(model, plan, &history, cost)
}

/// Plans without times say nothing where there is time.
fn check_supported(model: &Model) -> Result<(), Broken> {
    let mut beyond = model.beyond.iter();
    match beyond.find(|it| it.feature.needs_times()) {
        None => Ok(()),
        Some(beyond) => Err(Broken {
            rule: Rule::Unsupported,
            id: None,
            reason: format!("{beyond} are not judged in plans without times"),
        }),
    }
}

/// The goal, and what the plan is said to cost.
fn check_end(
    model: &Model,
    plan: &Plan,
    history: &History<'_>,
    cost: Cost,
) -> Result<Verified, Broken> {
    let goal = history.check_goal(plan.steps.len());
    history.check_exact()?;
    goal?;
    if let Some(said) = plan.cost
        && said != cost
    {
        return Err(Broken {
            rule: Rule::Cost,
            id: None,
            reason: format!(
                "the plan is said to cost {}, but its steps cost {}",
                model.show_cost(said),
                model.show_cost(cost)
            ),
        });
    }
    Ok(Verified {
        steps: plan.steps.len(),
        tasks: plan.decompositions.len(),
        cost,
        metric: history.metric(plan.steps.len()),
    })
}

/// What an id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// A step, by its place.
    Step(usize),
    /// A decomposition, by its place.
    Task(usize),
}

/// A plan whose ids hang together.
struct Shape {
    items: FxHashMap<u64, Item>,
    /// Per decomposition: the places of the first and one past the last step
    /// below it; `None` if there is none.
    extent: Vec<Option<(usize, usize)>>,
}

impl Shape {
    fn of(model: &Model, plan: &Plan) -> Result<Shape, Broken> {
        let mut items = FxHashMap::default();
        let steps = plan.steps.iter().enumerate();
        let tasks = plan.decompositions.iter().enumerate();
        let all = steps
            .map(|(place, step)| (step.id, Item::Step(place)))
            .chain(tasks.map(|(place, task)| (task.id, Item::Task(place))));
        for (id, item) in all {
            if items.insert(id, item).is_some() {
                return Err(Broken {
                    rule: Rule::DuplicateId,
                    id: Some(id),
                    reason: format!("id {id} is given to two things"),
                });
            }
        }
        let mut shape = Shape {
            items,
            extent: vec![None; plan.decompositions.len()],
        };
        if model.network.is_some() {
            shape.check_usage(plan)?;
        }
        Ok(shape)
    }

    /// Every id is used once, and hangs below a root.
    fn check_usage(&mut self, plan: &Plan) -> Result<(), Broken> {
        let mut users: FxHashMap<u64, String> = FxHashMap::default();
        let mut uses = Vec::new();
        for &id in &plan.roots {
            uses.push((id, "the roots".to_string()));
        }
        for task in &plan.decompositions {
            for &child in &task.children {
                uses.push((child, format!("task {}", task.id)));
            }
        }
        for (id, user) in uses {
            if !self.items.contains_key(&id) {
                return Err(Broken {
                    rule: Rule::UnknownId,
                    id: Some(id),
                    reason: format!("{user} mentions id {id}, which is nowhere in the plan"),
                });
            }
            if let Some(other) = users.insert(id, user.clone()) {
                return Err(Broken {
                    rule: Rule::Usage,
                    id: Some(id),
                    reason: format!(
                        "id {id}, {}, is used twice: by {other} and by {user}",
                        self.say(id)
                    ),
                });
            }
        }
        // Below the roots in reading order; children before parents backwards.
        let mut order = Vec::new();
        let mut open: Vec<u64> = plan.roots.iter().rev().copied().collect();
        let mut seen = FxHashSet::default();
        while let Some(id) = open.pop() {
            seen.insert(id);
            if let Some(&Item::Task(place)) = self.items.get(&id) {
                order.push(place);
                open.extend(plan.decompositions[place].children.iter().rev());
            }
        }
        let steps = plan.steps.iter().map(|step| step.id);
        let tasks = plan.decompositions.iter().map(|task| task.id);
        for id in steps.chain(tasks) {
            if !seen.contains(&id) {
                let what = self.say(id);
                return Err(Broken {
                    rule: Rule::Usage,
                    id: Some(id),
                    reason: format!("{what} is not part of the refinement of any root"),
                });
            }
        }
        for place in order.into_iter().rev() {
            let mut extent: Option<(usize, usize)> = None;
            for child in &plan.decompositions[place].children {
                let inner = match self.items[child] {
                    Item::Step(at) => Some((at, at + 1)),
                    Item::Task(task) => self.extent[task],
                };
                extent = match (extent, inner) {
                    (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                    (a, b) => a.or(b),
                };
            }
            self.extent[place] = extent;
        }
        Ok(())
    }

    /// What an id stands for, in words: steps are numbered from 0 as they are
    /// executed, tasks are called by their ids.
    fn say(&self, id: u64) -> String {
        match self.items[&id] {
            Item::Step(at) => format!("step {at}"),
            Item::Task(_) => format!("task {id}"),
        }
    }

    /// The steps below an id; `None` if there are none.
    fn extent(&self, id: u64) -> Option<(usize, usize)> {
        match self.items[&id] {
            Item::Step(at) => Some((at, at + 1)),
            Item::Task(task) => self.extent[task],
        }
    }
}

fn check_arguments(model: &Model, plan: &Plan) -> Result<(), Broken> {
    for (place, step) in plan.steps.iter().enumerate() {
        let action = &model.actions[step.action.index()];
        check_list(
            model,
            &action.variables[..action.arity],
            &step.arguments,
            step.id,
            &format!(
                "step {place} `{}`",
                model.show(&action.name, &step.arguments)
            ),
        )?;
    }
    for task in &plan.decompositions {
        let schema = &model.tasks[task.task.index()];
        check_list(
            model,
            &schema.parameters,
            &task.arguments,
            task.id,
            &format!(
                "task {} `{}`",
                task.id,
                model.show(&schema.name, &task.arguments)
            ),
        )?;
    }
    Ok(())
}

fn check_list(
    model: &Model,
    parameters: &[Variable],
    arguments: &[ObjectId],
    id: u64,
    what: &str,
) -> Result<(), Broken> {
    let broken = |reason| Broken {
        rule: Rule::Arguments,
        id: Some(id),
        reason,
    };
    if parameters.len() != arguments.len() {
        return Err(broken(format!(
            "{what} needs {} and has {}",
            arguments_in_words(parameters.len()),
            arguments.len()
        )));
    }
    for (parameter, &argument) in parameters.iter().zip(arguments) {
        if !model.admits(parameter, argument) {
            return Err(broken(format!(
                "{what}: `{}` cannot be `{}`, which is not of type {}",
                parameter.name,
                model.objects[argument.index()].name,
                type_names(model, parameter)
            )));
        }
    }
    Ok(())
}

fn arguments_in_words(count: usize) -> String {
    match count {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        n => format!("{n} arguments"),
    }
}

fn type_names(model: &Model, variable: &Variable) -> String {
    let name = |ty: &crate::model::TypeId| format!("`{}`", model.types[ty.index()].name);
    let either: Vec<String> = variable.types.iter().map(name).collect();
    let mut text = either.join(" or ");
    for also in &variable.also {
        text = format!("{text} and {}", name(also));
    }
    text
}

/// The name of a task to do.
fn task_name(model: &Model, task: TaskRef) -> &str {
    match task {
        TaskRef::Task(id) => &model.tasks[id.index()].name,
        TaskRef::Action(id) => &model.actions[id.index()].name,
    }
}
