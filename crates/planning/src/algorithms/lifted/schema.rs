//! The model prepared for walking: methods as joins, actions as changes.

use std::rc::Rc;

use planoku_engine::{EngineError, Leave, Run};
use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::lost::Lost;
use super::needs::Needs;
use super::pattern::{Pattern, Slot, ranges};
use super::twins::Twins;
use crate::cost::Cost;
use crate::graph::{self, arrange};
use crate::model::{Formula, MethodId, Model, Network, TaskRef, Term, Variable};

/// A condition to test once its variables have values.
pub(super) struct Check<'m> {
    pub(super) formula: &'m Formula,
    /// Free variables, as bits.
    pub(super) variables: u128,
}

/// A method, or the initial network, prepared for joining.
pub(super) struct Rule<'m> {
    /// `None` for the initial network.
    pub(super) method: Option<MethodId>,
    pub(super) head: Vec<Slot>,
    pub(super) arity: usize,
    pub(super) variables: usize,
    /// For each variable, the objects it may stand for, as bits.
    pub(super) ranges: Vec<Vec<u64>>,
    /// Atoms that must hold now; they bind variables.
    pub(super) joins: Vec<Pattern>,
    /// How many terms these have, and themselves: what it costs to compare them.
    pub(super) looks: u64,
    /// Other conditions.
    pub(super) checks: Vec<Check<'m>>,
    pub(super) subtasks: Vec<(TaskRef, Vec<Slot>)>,
    /// `(a, b)`: subtask `a` before `b`.
    pub(super) ordering: &'m [(u32, u32)],
    /// The subtasks in the first order that respects this.
    pub(super) order: Rc<[usize]>,
    /// Whether it is the only one.
    pub(super) ordered: bool,
    /// Whether a subtask may lead back to the task.
    pub(super) recursive: bool,
}

/// The whole model, prepared.
pub(super) struct Schemas<'m> {
    pub(super) model: &'m Model,
    pub(super) arities: Vec<usize>,
    /// For each task, its methods, those that cannot recur first.
    pub(super) rules: Vec<Vec<Rule<'m>>>,
    pub(super) root: Rule<'m>,
    /// For each action, its variables' ranges.
    pub(super) action_ranges: Vec<Vec<Vec<u64>>>,
    /// Ranges of the goal's variables.
    pub(super) goal_ranges: Vec<Vec<u64>>,
    /// Values of functions at the start.
    pub(super) values: FxHashMap<(u32, Vec<u32>), Cost>,
    /// Facts that nobody can make again.
    pub(super) lost: Lost,
    /// Objects that nothing tells apart.
    twins: Twins,
    /// What every action costs beside what its effects say.
    pub(super) default_cost: Cost,
}

impl<'m> Schemas<'m> {
    /// Prepares a model.
    pub(super) fn new(model: &'m Model, run: &mut Run<'_>) -> Result<Schemas<'m>, Leave> {
        let unsupported = |why: &str| Err(Leave::Error(EngineError::Unsupported(why.into())));
        let Some(network) = &model.network else {
            return unsupported("a classical problem has no tasks to refine");
        };
        if crate::model::visit::first_number(model).is_some() {
            return unsupported("numbers are not walked");
        }
        if !model.beyond.is_empty() {
            return unsupported("time is not walked through");
        }
        if !model.derived.is_empty() {
            return unsupported("derived predicates are not walked");
        }
        let methods = model.methods.iter().map(|method| &method.variables);
        let actions = model.actions.iter().map(|action| &action.variables);
        if methods.chain(actions).any(|list| list.len() > 128) || network.variables.len() > 128 {
            return unsupported("more than 128 variables in one schema");
        }
        let components = task_components(model);
        let needs = Needs::new(model, &components, run)?;
        let mut component = vec![0; model.tasks.len()];
        for (number, tasks) in components.iter().enumerate() {
            tasks.iter().for_each(|&task| component[task] = number);
        }
        let mut rules: Vec<Vec<Rule<'m>>> = model.tasks.iter().map(|_| Vec::new()).collect();
        for (index, method) in model.methods.iter().enumerate() {
            run.effort(1 + method.network.subtasks.len() as u64)?;
            let head = method.task_arguments.iter().map(|&it| Slot::of(it));
            let mut rule = rule(model, &method.variables, method.arity, &method.network);
            rule.method = Some(MethodId(index as u32));
            rule.head = head.collect();
            collect(&method.precondition, &mut rule);
            rule.joins.extend(needs.of_method(index).iter().cloned());
            rule.joins.sort();
            rule.joins.dedup();
            rule.looks = looks(&rule.joins);
            rule.recursive = method.network.subtasks.iter().any(|subtask| {
                matches!(subtask.task, TaskRef::Task(inner)
                    if component[inner.index()] == component[method.task.index()])
            });
            rules[method.task.index()].push(rule);
        }
        for list in &mut rules {
            list.sort_by_key(|rule| rule.recursive);
        }
        run.effort(model.init.len() as u64)?;
        Ok(Schemas {
            model,
            lost: Lost::new(model, &needs),
            twins: Twins::new(model),
            arities: model
                .predicates
                .iter()
                .map(|predicate| predicate.parameters.len())
                .collect(),
            rules,
            root: rule(model, &network.variables, network.arity, &network.network),
            action_ranges: model
                .actions
                .iter()
                .map(|action| ranges(model, &action.variables))
                .collect(),
            goal_ranges: ranges(model, &model.goal_variables),
            values: model
                .costs()
                .map(|(function, arguments, cost)| {
                    let objects = arguments.iter().map(|object| object.0);
                    ((function.0, objects.collect()), cost)
                })
                .collect(),
            default_cost: model.default_cost(),
        })
    }
}

impl Schemas<'_> {
    /// The initial state; `None` if its atoms are too long to be packed.
    pub(super) fn initial(&self) -> Option<Facts> {
        let mut facts = Facts::new(&self.arities, self.model.objects.len(), self.twins.clone())?;
        for fact in &self.model.init {
            let objects: Vec<u32> = fact.arguments.iter().map(|object| object.0).collect();
            let number = facts.number(fact.predicate.0, &objects);
            facts.assign(number, true);
        }
        Some(facts)
    }
}

fn rule<'m>(model: &Model, variables: &[Variable], arity: usize, network: &'m Network) -> Rule<'m> {
    let subtasks = network.subtasks.iter().map(|subtask| {
        let slots = subtask.arguments.iter().map(|&term| Slot::of(term));
        (subtask.task, slots.collect())
    });
    let mut rule = Rule {
        method: None,
        head: Vec::new(),
        arity,
        variables: variables.len(),
        ranges: ranges(model, variables),
        joins: Vec::new(),
        looks: 0,
        checks: Vec::new(),
        subtasks: subtasks.collect(),
        ordering: &network.ordering,
        order: arrange(network.subtasks.len(), &network.ordering, |_| 0).into(),
        ordered: network.ordered,
        recursive: false,
    };
    collect(&network.constraints, &mut rule);
    rule.looks = looks(&rule.joins);
    rule
}

fn looks(joins: &[Pattern]) -> u64 {
    joins
        .iter()
        .map(|atom| (1 + atom.terms.len() as u64).div_ceil(2))
        .sum()
}

/// Splits a condition into atoms to join and the rest to check.
fn collect<'m>(formula: &'m Formula, rule: &mut Rule<'m>) {
    match formula {
        Formula::True => {}
        Formula::And(parts) => parts.iter().for_each(|part| collect(part, rule)),
        Formula::Atom(atom) => rule.joins.push(Pattern::of(atom)),
        other => rule.checks.push(Check {
            formula: other,
            variables: free(other),
        }),
    }
}

/// Free variables of a formula, as bits.
pub(super) fn free(formula: &Formula) -> u128 {
    let term = |term: &Term| match term {
        Term::Variable(variable) => 1u128 << variable.0,
        Term::Object(_) => 0,
    };
    match formula {
        Formula::True => 0,
        Formula::Atom(atom) => atom.arguments.iter().map(term).fold(0, |a, b| a | b),
        Formula::Equal(left, right) => term(left) | term(right),
        Formula::Compare(compare) => {
            let mut all = 0;
            compare.terms(&mut |it| all |= term(it));
            all
        }
        Formula::Not(inner) => free(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(free).fold(0, |a, b| a | b),
        Formula::Imply(left, right) => free(left) | free(right),
        Formula::Forall(bound, inner) | Formula::Exists(bound, inner) => bound
            .iter()
            .fold(free(inner), |all, variable| all & !(1u128 << variable.0)),
    }
}

/// Tasks that may lead to one another, those they lead to first.
fn task_components(model: &Model) -> Vec<Vec<usize>> {
    let tasks = model.tasks.len();
    let mut methods = vec![Vec::new(); tasks];
    for method in &model.methods {
        methods[method.task.index()].push(method);
    }
    graph::components(tasks, 0..tasks, |task| {
        let subtasks = methods[task].iter().flat_map(|it| &it.network.subtasks);
        subtasks.filter_map(|subtask| match subtask.task {
            TaskRef::Task(inner) => Some(inner.index()),
            TaskRef::Action(_) => None,
        })
    })
}
