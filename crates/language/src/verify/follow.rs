//! A list of actions for a hierarchical problem as a planning problem of its
//! own, whose plans are the decompositions that lead to exactly that list.
//!
//! To find out whether there is one is NP-complete where subtasks are
//! partially ordered, and finding it is what planners are good at (Höller,
//! Wichlacz, Bercher and Behnke, "Compiling HTN plan verification problems into
//! HTN planning problems", ICAPS 2022). Step `i` becomes an action without
//! parameters that needs `now-i`, and changes what the step is known to change;
//! every action of the model becomes a task that is carried out by any of the
//! steps that are this action. Where nothing else can be executed, a planner
//! can only choose the decomposition.

use rustc_hash::FxHashMap;

use super::{Broken, executed};
use crate::model::{
    Action, ActionId, Atom, ChangeOperator, Effect, Expression, Fact, Formula, FunctionId, Method,
    MethodId, Model, Network, NumericChange, Predicate, PredicateId, Span, Subtask, Task, TaskId,
    TaskRef, Term,
};
use crate::plan::{Decomposition, Plan, Step};

/// The problem of following a list of actions.
pub struct Follow<'a> {
    model: &'a Model,
    steps: &'a [Step],
    /// Its plans decompose the list.
    pub problem: Model,
}

impl<'a> Follow<'a> {
    /// The problem of following the steps of a plan, which must be executable
    /// and reach the goal.
    pub fn new(model: &'a Model, plan: &'a Plan) -> Result<Follow<'a>, Broken> {
        let (history, _) = executed(model, plan)?;
        let mut problem = model.clone();
        let first = problem.predicates.len() as u32;
        let now = |step: usize| Atom {
            predicate: PredicateId(first + step as u32),
            arguments: vec![],
            span: Span::default(),
        };
        let count = plan.steps.len();
        problem.predicates.extend((0..=count).map(|step| Predicate {
            name: format!("now-{step}"),
            parameters: vec![],
            span: Span::default(),
        }));
        problem.init.push(Fact {
            predicate: now(0).predicate,
            arguments: vec![],
            span: Span::default(),
        });
        problem.goal = Formula::Atom(now(count));
        problem.goal_variables = vec![];
        problem.minimise_cost = false;
        problem.metric = None;

        let mut effects: Vec<Vec<Effect>> = (0..count)
            .map(|step| vec![Effect::Delete(now(step)), Effect::Add(now(step + 1))])
            .collect();
        for (predicate, arguments, times) in history.facts() {
            for (nth, &time) in times.iter().enumerate().filter(|(_, time)| **time > 0) {
                let atom = Atom {
                    predicate: PredicateId(predicate as u32),
                    arguments: arguments.iter().copied().map(Term::Object).collect(),
                    span: Span::default(),
                };
                // A fact becomes true first, then false, then true again, …
                effects[time - 1].push(match nth % 2 {
                    0 => Effect::Add(atom),
                    _ => Effect::Delete(atom),
                });
            }
        }
        for (function, arguments, values) in history.numbers() {
            for &(time, value) in values.iter().filter(|(time, _)| *time > 0) {
                effects[time - 1].push(Effect::Change(NumericChange {
                    operator: ChangeOperator::Assign,
                    function: FunctionId(function as u32),
                    arguments: arguments.iter().copied().map(Term::Object).collect(),
                    amount: Expression::Number(value),
                    span: Span::default(),
                }));
            }
        }
        problem.actions = effects
            .into_iter()
            .enumerate()
            .map(|(step, effects)| Action {
                name: format!("step-{step}"),
                variables: vec![],
                arity: 0,
                precondition: Formula::Atom(now(step)),
                effect: Effect::And(effects),
                durative: None,
                span: Span::default(),
            })
            .collect();

        problem
            .tasks
            .extend(model.actions.iter().map(|action| Task {
                name: format!("do {}", action.name),
                parameters: action.variables[..action.arity].to_vec(),
                span: action.span,
            }));
        let task_of = |action: ActionId| TaskId(model.tasks.len() as u32 + action.0);
        let networks = problem.methods.iter_mut().map(|method| &mut method.network);
        let initial = problem.network.iter_mut().map(|it| &mut it.network);
        for subtask in networks.chain(initial).flat_map(|it| &mut it.subtasks) {
            if let TaskRef::Action(action) = subtask.task {
                subtask.task = TaskRef::Task(task_of(action));
            }
        }
        problem
            .methods
            .extend(plan.steps.iter().enumerate().map(|(place, step)| Method {
                name: format!("by step {place}"),
                variables: vec![],
                arity: 0,
                task: task_of(step.action),
                task_arguments: step.arguments.iter().copied().map(Term::Object).collect(),
                precondition: Formula::True,
                network: Network {
                    subtasks: vec![Subtask {
                        label: None,
                        task: TaskRef::Action(ActionId(place as u32)),
                        arguments: vec![],
                        span: Span::default(),
                    }],
                    ordered: true,
                    ..Network::default()
                },
                span: Span::default(),
            }));
        Ok(Follow {
            model,
            steps: &plan.steps,
            problem,
        })
    }

    /// A plan of the model from one of the problem. It is the caller's to
    /// verify.
    pub fn plan(&self, followed: &Plan) -> Plan {
        let own = |task: &&Decomposition| task.method < MethodId(self.model.methods.len() as u32);
        let others = followed.decompositions.iter().filter(|it| !own(it));
        let step_of: FxHashMap<u64, u64> = others
            .filter_map(|it| Some((it.id, *it.children.first()?)))
            .collect();
        let instead = |id: &u64| step_of.get(id).copied().unwrap_or(*id);
        let all = |ids: &[u64]| ids.iter().map(instead).collect::<Vec<u64>>();
        let steps = followed.steps.iter().filter_map(|it| {
            let step = self.steps.get(it.action.index())?;
            Some(Step {
                id: it.id,
                ..step.clone()
            })
        });
        Plan {
            steps: steps.collect(),
            roots: all(&followed.roots),
            decompositions: followed
                .decompositions
                .iter()
                .filter(own)
                .map(|it| Decomposition {
                    children: all(&it.children),
                    ..it.clone()
                })
                .collect(),
            cost: None,
        }
    }
}
