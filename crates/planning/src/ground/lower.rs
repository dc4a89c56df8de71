//! Schemas made ready for joining: negation pushed inwards, literals apart
//! from the rest, variables and types as small numbers.
//!
//! Every condition becomes a [`Conjunction`]: the literals that every instance
//! must satisfy, which joins can use, and whatever needs more thought
//! (disjunctions and quantifiers), which is evaluated for each instance.
//!
//! For a hierarchical problem only what the initial network can lead to, going
//! by names alone, is lowered: an action that no method mentions changes
//! nothing, so more predicates count as static.

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use super::calculate::{ChangePattern, ComparePattern};
pub use super::slot::Slot;
use crate::cost::Cost;
use crate::graph::{Order, components};
use crate::model::{
    Amount, Atom, Effect, Formula, Method, MethodId, Model, TaskId, TaskRef, TypeId, Variable,
    VariableId,
};

/// A predicate applied to slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The predicate's number.
    pub predicate: usize,
    /// Its arguments.
    pub terms: Vec<Slot>,
}

/// An atom or equality, or its negation (if the flag is false).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// The atom holds, or does not.
    Atom(Pattern, bool),
    /// The two are the same, or are not.
    Equal(Slot, Slot, bool),
    /// Numbers compare so. The negation is the opposite comparison.
    Compare(Box<ComparePattern>),
}

impl Literal {
    /// Visits every slot.
    pub fn slots(&self, visit: &mut dyn FnMut(Slot)) {
        match self {
            Literal::Atom(atom, _) => atom.terms.iter().for_each(|&slot| visit(slot)),
            Literal::Equal(a, b, _) => [a, b].into_iter().for_each(|&slot| visit(slot)),
            Literal::Compare(compare) => compare.expression.slots(visit),
        }
    }

    /// The variables among the slots.
    pub fn variables(&self) -> Vec<u32> {
        let mut list = Vec::new();
        self.slots(&mut |slot| list.extend(slot.variable()));
        list
    }

    /// The same with other slots.
    pub fn map(&self, put: impl Fn(Slot) -> Slot) -> Literal {
        match self {
            Literal::Equal(a, b, same) => Literal::Equal(put(*a), put(*b), *same),
            Literal::Atom(atom, positive) => {
                let terms = atom.terms.iter().map(|&slot| put(slot)).collect();
                let predicate = atom.predicate;
                Literal::Atom(Pattern { predicate, terms }, *positive)
            }
            Literal::Compare(compare) => Literal::Compare(Box::new(compare.map(&put))),
        }
    }
}

/// A formula with negation at the leaves only.
#[derive(Clone, Debug)]
pub enum Nnf {
    /// A leaf.
    Literal(Literal),
    /// All hold; of none, true.
    And(Vec<Nnf>),
    /// Some holds; of none, false.
    Or(Vec<Nnf>),
    /// The body holds for all values (if the flag is true) or for some.
    Quantified(bool, Vec<u32>, Box<Nnf>),
}

/// Literals that must all hold, and formulas that must all hold.
#[derive(Clone, Debug, Default)]
pub struct Conjunction {
    /// What joins can use.
    pub literals: Vec<Literal>,
    /// What is evaluated per instance.
    pub rest: Vec<Nnf>,
}

/// One effect with its context.
#[derive(Clone, Debug)]
pub struct EffectSchema {
    /// Variables it happens for all values of.
    pub bound: Vec<u32>,
    /// When it happens.
    pub when: Conjunction,
    /// What becomes true.
    pub add: Vec<Pattern>,
    /// What becomes false.
    pub delete: Vec<Pattern>,
    /// What is done to numbers.
    pub changes: Vec<ChangePattern>,
}

/// An action schema.
#[derive(Clone, Debug)]
pub struct ActionSchema {
    /// The range of each variable.
    pub variables: Vec<usize>,
    /// How many of them are parameters.
    pub arity: usize,
    /// What must hold before.
    pub condition: Conjunction,
    /// What changes.
    pub effects: Vec<EffectSchema>,
    /// What is added to total cost.
    pub costs: Vec<Amount>,
    /// True if the initial network leads to it, or there is none.
    pub used: bool,
}

/// A method schema, or the initial network as the one method of the root.
#[derive(Clone, Debug)]
pub struct MethodSchema {
    /// `None` for the initial network and for helpers.
    pub id: Option<MethodId>,
    /// The method it was written as, or split from; `None` for the initial
    /// network.
    pub origin: Option<MethodId>,
    /// The task it refines; the root's number is one past the model's tasks.
    pub task: usize,
    /// The task's arguments.
    pub head: Vec<Slot>,
    /// The range of each variable.
    pub variables: Vec<usize>,
    /// How many of them are parameters.
    pub arity: usize,
    /// Precondition and constraints.
    pub condition: Conjunction,
    /// The subtasks, in an order that respects `ordering`.
    pub subtasks: Vec<(TaskRef, Vec<Slot>)>,
    /// For each of `subtasks`, its place in the model's list.
    pub places: Vec<u32>,
    /// `(a, b)`: `a` before `b`; transitively reduced.
    pub ordering: Vec<(u32, u32)>,
    /// Per subtask, those that directly follow.
    pub successors: Vec<Vec<u32>>,
    /// Per subtask, how many directly precede.
    pub predecessors: Vec<u32>,
    /// True if the first subtask comes before all others, whatever the order
    /// among those.
    pub starts_alone: bool,
    /// True if the order is total.
    pub ordered: bool,
}

/// A rule for a derived predicate.
#[derive(Clone, Debug)]
pub struct AxiomSchema {
    /// What it makes true.
    pub head: Pattern,
    /// The range of each variable.
    pub variables: Vec<usize>,
    /// When.
    pub condition: Conjunction,
}

/// A set of objects that variables range over.
#[derive(Clone, Debug)]
pub struct Range {
    /// Its objects, ascending.
    pub objects: Vec<u32>,
    /// Membership by object.
    pub member: Vec<bool>,
}

/// Everything lowered.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    /// By [`crate::model::ActionId`].
    pub actions: Vec<ActionSchema>,
    /// Only those the initial network can lead to.
    pub methods: Vec<MethodSchema>,
    /// By place in [`Model::derived`].
    pub axioms: Vec<AxiomSchema>,
    /// The goal.
    pub goal: Conjunction,
    /// The range of each variable of the goal.
    pub goal_variables: Vec<usize>,
    /// All ranges mentioned above.
    pub ranges: Vec<Range>,
    /// Per predicate: some action may make it true, or it is derived.
    pub grows: Vec<bool>,
    /// Per predicate: some action may make it false, or it is derived.
    pub shrinks: Vec<bool>,
    /// Per predicate: it is derived.
    pub derived: Vec<bool>,
    /// Per function: some action may change it.
    pub changing: Vec<bool>,
    /// Per task (and the root): the predicates its refinements may make true.
    pub task_adds: Vec<Vec<bool>>,
    /// Per action: the predicates it may make true.
    pub action_adds: Vec<Vec<bool>>,
    /// Per task (and the root): the initial network can lead to it.
    pub task_used: Vec<bool>,
    /// True if every method is totally ordered.
    pub ordered: bool,
    /// What every action costs beside what its effects say.
    pub default_cost: Cost,
    /// Per helper task, how many parameters it has.
    pub helper_widths: Vec<usize>,
    /// Per task: what it cannot do without; see `split::needs`.
    pub needs: Vec<Vec<Literal>>,
}

impl Schemas {
    /// True if no action changes the numbers that are compared.
    pub fn is_fixed(&self, compare: &ComparePattern) -> bool {
        let mut fixed = true;
        let function = &mut |function: usize, _: &[Slot]| fixed &= !self.changing[function];
        compare.expression.functions(function);
        fixed
    }
}

/// Lowers a model; `split::schemas` goes on from there.
pub fn lower(model: &Model, run: &mut Run<'_>) -> Result<Schemas, Stop> {
    let mut ranges = Ranges {
        model,
        known: FxHashMap::default(),
        list: Vec::new(),
    };
    let mut schemas = Schemas {
        actions: model
            .actions
            .iter()
            .map(|action| {
                let mut costs = Vec::new();
                let mut effects = Vec::new();
                collect_effects(
                    &action.effect,
                    &mut vec![],
                    &mut vec![],
                    &mut effects,
                    &mut costs,
                );
                ActionSchema {
                    variables: ranges.of_all(&action.variables),
                    arity: action.arity,
                    condition: conjunction([&action.precondition]),
                    effects,
                    costs,
                    used: model.network.is_none(),
                }
            })
            .collect(),
        axioms: model
            .derived
            .iter()
            .map(|rule| AxiomSchema {
                head: Pattern {
                    predicate: rule.predicate.index(),
                    terms: (0..rule.arity as u32).map(Slot::Var).collect(),
                },
                variables: ranges.of_all(&rule.variables),
                condition: conjunction([&rule.condition]),
            })
            .collect(),
        goal: conjunction([&model.goal]),
        goal_variables: ranges.of_all(&model.goal_variables),
        ..Schemas::default()
    };
    schemas.default_cost = model.default_cost();
    lower_hierarchy(model, &mut schemas, &mut ranges, run)?;
    find_changes(model, &mut schemas);
    schemas.ranges = ranges.list;
    Ok(schemas)
}

fn lower_hierarchy(
    model: &Model,
    schemas: &mut Schemas,
    ranges: &mut Ranges<'_>,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    let root = model.tasks.len();
    schemas.task_used = vec![false; root + 1];
    let Some(network) = &model.network else {
        return Ok(());
    };
    let initial = Method {
        name: String::new(),
        variables: network.variables.clone(),
        arity: network.arity,
        task: TaskId(root as u32),
        task_arguments: vec![],
        precondition: Formula::True,
        network: network.network.clone(),
        span: network.span,
    };
    let mut by_task = vec![vec![]; root + 1];
    by_task[root].push((None, &initial));
    for (id, method) in model.methods.iter().enumerate() {
        by_task[method.task.index()].push((Some(MethodId(id as u32)), method));
    }
    let mut open = vec![root];
    schemas.task_used[root] = true;
    while let Some(task) = open.pop() {
        for &(id, method) in &by_task[task] {
            for subtask in &method.network.subtasks {
                match subtask.task {
                    TaskRef::Action(action) => schemas.actions[action.index()].used = true,
                    TaskRef::Task(task) if !schemas.task_used[task.index()] => {
                        schemas.task_used[task.index()] = true;
                        open.push(task.index());
                    }
                    TaskRef::Task(_) => {}
                }
            }
            let method = lower_method(id, method, ranges, run)?;
            schemas.methods.push(method);
        }
    }
    // The root first, then in the order of the model.
    schemas.methods.sort_by_key(|method| method.id);
    Ok(())
}

fn lower_method(
    id: Option<MethodId>,
    method: &Method,
    ranges: &mut Ranges<'_>,
    run: &mut Run<'_>,
) -> Result<MethodSchema, Stop> {
    let network = &method.network;
    let order = Order::of(network.subtasks.len(), &network.ordering, run)?;
    let subtasks = order
        .sequence
        .iter()
        .map(|&place| {
            let subtask = &method.network.subtasks[place as usize];
            let terms = subtask.arguments.iter().map(|&t| t.into()).collect();
            (subtask.task, terms)
        })
        .collect();
    let mut successors = vec![vec![]; order.sequence.len()];
    let mut predecessors = vec![0; order.sequence.len()];
    for &(a, b) in &order.reduced {
        successors[a as usize].push(b);
        predecessors[b as usize] += 1;
    }
    // In an order without circles, what has no predecessor comes first.
    let starts_alone = predecessors.iter().filter(|&&it| it == 0).count() == 1;
    Ok(MethodSchema {
        id,
        origin: id,
        task: method.task.index(),
        head: method.task_arguments.iter().map(|&t| t.into()).collect(),
        variables: ranges.of_all(&method.variables),
        arity: method.arity,
        condition: conjunction([&method.precondition, &method.network.constraints]),
        subtasks,
        places: order.sequence,
        ordering: order.reduced,
        successors,
        predecessors,
        starts_alone,
        ordered: order.total,
    })
}

/// Which predicates change, by whom.
fn find_changes(model: &Model, schemas: &mut Schemas) {
    let predicates = model.predicates.len();
    schemas.grows = vec![false; predicates];
    schemas.shrinks = vec![false; predicates];
    schemas.derived = vec![false; predicates];
    schemas.changing = vec![false; model.functions.len()];
    schemas.action_adds = vec![vec![false; predicates]; schemas.actions.len()];
    for (action, adds) in schemas.actions.iter().zip(&mut schemas.action_adds) {
        for effect in &action.effects {
            for atom in &effect.add {
                adds[atom.predicate] = true;
                schemas.grows[atom.predicate] |= action.used;
            }
            for atom in &effect.delete {
                schemas.shrinks[atom.predicate] |= action.used;
            }
            for change in &effect.changes {
                schemas.changing[change.function] |= action.used;
            }
        }
    }
    for axiom in &schemas.axioms {
        let predicate = axiom.head.predicate;
        schemas.grows[predicate] = true;
        schemas.shrinks[predicate] = true;
        schemas.derived[predicate] = true;
    }
}

/// Which predicates the refinements of each task may make true. Tasks that
/// lead to one another make the same ones true, and what a task leads to is
/// known before it.
pub(super) fn find_task_adds(
    schemas: &mut Schemas,
    tasks: usize,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    let predicates = schemas.grows.len();
    run.check_growth(tasks as u64 * predicates as u64)?;
    schemas.task_adds = vec![vec![]; tasks];
    let mut methods = vec![vec![]; tasks];
    for (index, method) in schemas.methods.iter().enumerate() {
        methods[method.task].push(index);
    }
    let nodes = |task: usize| {
        let methods = methods[task].iter().map(|&it| &schemas.methods[it]);
        methods.flat_map(|method| method.subtasks.iter().map(|subtask| subtask.0))
    };
    let below = |task: usize| {
        nodes(task).filter_map(|node| match node {
            TaskRef::Task(inner) => Some(inner.index()),
            TaskRef::Action(_) => None,
        })
    };
    let mut task_adds = std::mem::take(&mut schemas.task_adds);
    for component in components(tasks, 0..tasks, below) {
        let mut adds = vec![false; predicates];
        for &task in &component {
            for node in nodes(task) {
                run.effort(1 + predicates as u64 / 16)?;
                let theirs = match node {
                    TaskRef::Action(action) => &schemas.action_adds[action.index()],
                    // Empty within the component.
                    TaskRef::Task(inner) => &task_adds[inner.index()],
                };
                adds.iter_mut().zip(theirs).for_each(|(a, b)| *a |= b);
            }
        }
        for &task in &component {
            task_adds[task].clone_from(&adds);
        }
    }
    schemas.task_adds = task_adds;
    Ok(())
}

struct Ranges<'a> {
    model: &'a Model,
    known: FxHashMap<(Vec<TypeId>, Vec<TypeId>), usize>,
    list: Vec<Range>,
}

impl Ranges<'_> {
    fn of_all(&mut self, variables: &[Variable]) -> Vec<usize> {
        variables.iter().map(|v| self.of(v)).collect()
    }

    fn of(&mut self, variable: &Variable) -> usize {
        let key = (variable.types.clone(), variable.also.clone());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let objects: Vec<u32> = self.model.range(variable).iter().map(|o| o.0).collect();
        let mut member = vec![false; self.model.objects.len()];
        for &object in &objects {
            member[object as usize] = true;
        }
        self.list.push(Range { objects, member });
        self.known.insert(key, self.list.len() - 1);
        self.list.len() - 1
    }
}

fn pattern(atom: &Atom) -> Pattern {
    Pattern {
        predicate: atom.predicate.index(),
        terms: atom.arguments.iter().map(|&term| term.into()).collect(),
    }
}

/// Joins formulas that must all hold.
pub fn conjunction<'a>(formulas: impl IntoIterator<Item = &'a Formula>) -> Conjunction {
    fn split(nnf: Nnf, into: &mut Conjunction) {
        match nnf {
            Nnf::Literal(literal) => into.literals.push(literal),
            Nnf::And(parts) => parts.into_iter().for_each(|part| split(part, into)),
            // A disjunction of one is no disjunction.
            Nnf::Or(mut parts) if parts.len() == 1 => split(parts.remove(0), into),
            other => into.rest.push(other),
        }
    }
    let mut result = Conjunction::default();
    for formula in formulas {
        split(nnf(formula, true), &mut result);
    }
    result
}

fn nnf(formula: &Formula, positive: bool) -> Nnf {
    let junction = |parts: Vec<Nnf>, and: bool| match and {
        true => Nnf::And(parts),
        false => Nnf::Or(parts),
    };
    let quantified = |all: bool, variables: &[VariableId], body: &Formula| {
        let variables = variables.iter().map(|v| v.0).collect();
        Nnf::Quantified(all, variables, Box::new(nnf(body, positive)))
    };
    match formula {
        Formula::True => junction(vec![], positive),
        Formula::Atom(atom) => Nnf::Literal(Literal::Atom(pattern(atom), positive)),
        Formula::Equal(a, b) => Nnf::Literal(Literal::Equal((*a).into(), (*b).into(), positive)),
        Formula::Compare(compare) => {
            let pattern = ComparePattern::of(compare, positive);
            Nnf::Literal(Literal::Compare(Box::new(pattern)))
        }
        Formula::Not(inner) => nnf(inner, !positive),
        Formula::And(parts) => junction(parts.iter().map(|p| nnf(p, positive)).collect(), positive),
        Formula::Or(parts) => junction(parts.iter().map(|p| nnf(p, positive)).collect(), !positive),
        Formula::Imply(a, b) => junction(vec![nnf(a, !positive), nnf(b, positive)], !positive),
        Formula::Forall(variables, body) => quantified(positive, variables, body),
        Formula::Exists(variables, body) => quantified(!positive, variables, body),
    }
}

fn collect_effects<'a>(
    effect: &'a Effect,
    bound: &mut Vec<u32>,
    when: &mut Vec<&'a Formula>,
    into: &mut Vec<EffectSchema>,
    costs: &mut Vec<Amount>,
) {
    match effect {
        Effect::None => {}
        Effect::Add(_) | Effect::Delete(_) | Effect::Change(_) => {
            let plain = bound.is_empty() && when.is_empty();
            let group = match into.first_mut() {
                Some(first) if plain && is_plain(first) => first,
                _ => {
                    let new = EffectSchema {
                        bound: bound.clone(),
                        when: conjunction(when.iter().copied()),
                        add: vec![],
                        delete: vec![],
                        changes: vec![],
                    };
                    let at = if plain { 0 } else { into.len() };
                    into.insert(at, new);
                    &mut into[at]
                }
            };
            match effect {
                Effect::Add(atom) => group.add.push(pattern(atom)),
                Effect::Delete(atom) => group.delete.push(pattern(atom)),
                Effect::Change(change) => group.changes.push(ChangePattern::of(change)),
                _ => {}
            }
        }
        Effect::And(parts) => parts
            .iter()
            .for_each(|part| collect_effects(part, bound, when, into, costs)),
        Effect::Forall(variables, body) => {
            let depth = bound.len();
            bound.extend(variables.iter().map(|v| v.0));
            collect_effects(body, bound, when, into, costs);
            bound.truncate(depth);
        }
        Effect::When(condition, body) => {
            when.push(condition);
            collect_effects(body, bound, when, into, costs);
            when.pop();
        }
        Effect::IncreaseCost(cost) => costs.push(cost.clone()),
    }
}

fn is_plain(effect: &EffectSchema) -> bool {
    effect.bound.is_empty() && effect.when.literals.is_empty() && effect.when.rest.is_empty()
}
