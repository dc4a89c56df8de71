//! States, remembered as the times at which each fact changed.
//!
//! A plan of ten thousand steps has ten thousand states that hardly differ.
//! Instead of keeping them all, each fact keeps the list of its changes;
//! whether it holds at a time is one binary search, and conditions can be
//! judged at any time in any order, by a [`Scope`].

mod footprint;
mod numbers;
mod scope;

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Broken, Rule};
use crate::cost::Cost;
use crate::model::{
    Effect, Formula, FunctionId, Model, ObjectId, PredicateId, Term, Variable, VariableId,
};
use crate::number::Rational;
use crate::plan::Plan;
pub use footprint::Footprint;
pub use scope::Scope;

type Arguments = Box<[ObjectId]>;
/// Values by variable.
pub type Binding = Vec<Option<ObjectId>>;

/// Gives a term a value: false if it has another one, or is of another type.
pub fn bind(
    model: &Model,
    variables: &[Variable],
    term: Term,
    value: ObjectId,
    binding: &mut Binding,
) -> bool {
    match term {
        Term::Object(object) => object == value,
        Term::Variable(id) => match binding[id.index()] {
            Some(known) => known == value,
            None => {
                binding[id.index()] = Some(value);
                model.admits(&variables[id.index()], value)
            }
        },
    }
}

/// Binds as [`bind`] does; a variable that had no value is noted, to be freed
/// again.
pub fn bind_noting(
    model: &Model,
    variables: &[Variable],
    term: Term,
    value: ObjectId,
    binding: &mut Binding,
    bound: &mut Vec<VariableId>,
) -> bool {
    if let Term::Variable(id) = term
        && binding[id.index()].is_none()
    {
        bound.push(id);
    }
    bind(model, variables, term, value, binding)
}

/// What a term stands for, if that is known.
pub fn value(term: Term, binding: &Binding) -> Option<ObjectId> {
    match term {
        Term::Object(object) => Some(object),
        Term::Variable(id) => binding[id.index()],
    }
}

/// What held when.
pub struct History<'a> {
    model: &'a Model,
    /// Per predicate: the facts that ever held, with the times at which they
    /// changed, the first of which made them true.
    facts: Vec<FxHashMap<Arguments, Vec<usize>>>,
    /// Per predicate: it is derived.
    derived: Vec<bool>,
    /// Derived predicates' evaluation order: groups of rules.
    layers: Vec<Vec<usize>>,
    /// Per time asked about: the derived facts.
    known: RefCell<FxHashMap<usize, FxHashSet<(PredicateId, Arguments)>>>,
    /// What actions cost by functions that never change.
    costs: FxHashMap<(FunctionId, &'a [ObjectId]), Cost>,
    /// Per function: its values, each with the time it holds from.
    numbers: Vec<FxHashMap<Arguments, Vec<(usize, Rational)>>>,
    /// What could not be computed exactly, if anything.
    too_large: RefCell<Option<String>>,
}

impl<'a> History<'a> {
    /// Nothing has happened yet.
    pub fn start(model: &'a Model) -> History<'a> {
        let mut derived = vec![false; model.predicates.len()];
        for rule in &model.derived {
            derived[rule.predicate.index()] = true;
        }
        let mut history = History {
            model,
            facts: vec![FxHashMap::default(); model.predicates.len()],
            layers: layers(model, &derived),
            derived,
            known: RefCell::default(),
            costs: FxHashMap::default(),
            numbers: vec![FxHashMap::default(); model.functions.len()],
            too_large: RefCell::default(),
        };
        for (function, arguments, cost) in model.costs() {
            history.costs.insert((function, arguments), cost);
        }
        for value in &model.values {
            let arguments: Arguments = value.arguments.as_slice().into();
            let values = &mut history.numbers[value.function.index()];
            values.insert(arguments, vec![(0, value.value)]);
        }
        for fact in &model.init {
            if !history.derived[fact.predicate.index()] {
                let arguments: Arguments = fact.arguments.as_slice().into();
                history.facts[fact.predicate.index()].insert(arguments, vec![0]);
            }
        }
        history
    }

    /// Executes a plan; the second value is its cost.
    pub fn of(model: &'a Model, plan: &Plan) -> Result<(History<'a>, Cost), Broken> {
        let mut history = History::start(model);
        let speaks_of_cost = model.actions.iter().any(|action| has_cost(&action.effect));
        let mut cost = Cost::ZERO;
        for (time, step) in plan.steps.iter().enumerate() {
            let action = &model.actions[step.action.index()];
            let mut binding: Binding = step.arguments.iter().copied().map(Some).collect();
            binding.resize(action.variables.len(), None);
            let scope = history.at(time, &action.variables);
            let refused = |rule: Rule, reason: String| Broken {
                rule,
                id: Some(step.id),
                reason: format!(
                    "step {time} `{}` cannot be executed: {reason}",
                    model.show(&action.name, &step.arguments)
                ),
            };
            if let Some(reason) = scope.refute(&action.precondition, &mut binding) {
                history.check_exact()?;
                return Err(refused(Rule::Precondition, reason));
            }
            let mut changes = Changes::default();
            scope.collect(&action.effect, &mut binding, &mut changes);
            let step_cost = match speaks_of_cost {
                true => changes.cost,
                false => model.scale.one(),
            };
            cost = cost.checked_add(step_cost).ok_or_else(|| Broken {
                rule: Rule::Cost,
                id: Some(step.id),
                reason: format!("the steps up to step {time} cost more than can be added up"),
            })?;
            let advanced = history.advance(changes, time);
            history.check_exact()?;
            advanced.map_err(|reason| refused(Rule::Effect, reason))?;
        }
        Ok((history, cost))
    }

    /// Lets changes happen in the state at a time, or says why they cannot.
    pub fn advance(&mut self, mut changes: Changes, time: usize) -> Result<(), String> {
        if let Some(reason) = changes.impossible.take() {
            return Err(reason);
        }
        for ((function, arguments), value) in numbers::combine(self, &changes.numbers, time)? {
            let values = &mut self.numbers[function.index()];
            values.entry(arguments).or_default().push((time + 1, value));
        }
        self.apply(changes, time + 1);
        Ok(())
    }

    /// Every fact that ever held: predicate, arguments, times of change.
    pub fn facts(&self) -> impl Iterator<Item = (usize, &[ObjectId], &[usize])> {
        let facts = self.facts.iter().enumerate();
        facts.flat_map(|(predicate, facts)| {
            let list = facts.iter();
            list.map(move |(arguments, times)| (predicate, &**arguments, times.as_slice()))
        })
    }

    fn apply(&mut self, changes: Changes, time: usize) {
        for (predicate, arguments) in changes.delete {
            let added = changes.add.contains(&(predicate, arguments.clone()));
            if !added
                && self.holds_now(predicate, &arguments)
                && let Some(times) = self.facts[predicate.index()].get_mut(&arguments)
            {
                times.push(time);
            }
        }
        for (predicate, arguments) in changes.add {
            if !self.holds_now(predicate, &arguments) {
                let facts = &mut self.facts[predicate.index()];
                facts.entry(arguments).or_default().push(time);
            }
        }
        // The states before stay as they are, but what was derived at a time
        // that now begins is not known yet.
        self.known.borrow_mut().remove(&time);
    }

    fn holds_now(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        self.facts[predicate.index()]
            .get(arguments)
            .is_some_and(|times| times.len() % 2 == 1)
    }

    fn holds(&self, predicate: PredicateId, arguments: &[ObjectId], time: usize) -> bool {
        if self.derived[predicate.index()] {
            self.derive(time);
            return self.known.borrow()[&time].contains(&(predicate, arguments.into()));
        }
        self.facts[predicate.index()]
            .get(arguments)
            .is_some_and(|times| times.partition_point(|&t| t <= time) % 2 == 1)
    }

    /// Evaluates all derived predicates at a time, unless that was done.
    fn derive(&self, time: usize) {
        if self.known.borrow().contains_key(&time) {
            return;
        }
        self.known.borrow_mut().insert(time, FxHashSet::default());
        for layer in &self.layers {
            loop {
                let mut new = Vec::new();
                for &rule in layer {
                    let rule = &self.model.derived[rule];
                    let scope = self.at(time, &rule.variables);
                    let mut binding = vec![None; rule.variables.len()];
                    scope.each(rule.arity, &mut binding, &mut |binding| {
                        let arguments: Arguments = binding[..rule.arity]
                            .iter()
                            .map_while(|value| *value)
                            .collect();
                        let fact = (rule.predicate, arguments);
                        if !self.known.borrow()[&time].contains(&fact)
                            && scope.eval(&rule.condition, true, binding)
                        {
                            new.push(fact);
                        }
                    });
                }
                if new.is_empty() {
                    break;
                }
                if let Some(known) = self.known.borrow_mut().get_mut(&time) {
                    known.extend(new);
                }
            }
        }
    }

    /// Whatever was judged so far was computed exactly.
    pub fn check_exact(&self) -> Result<(), Broken> {
        match &*self.too_large.borrow() {
            None => Ok(()),
            Some(reason) => Err(Broken {
                rule: Rule::Number,
                id: None,
                reason: reason.clone(),
            }),
        }
    }

    /// The value of the metric at the end; `None` if there is no other than
    /// total cost, or if it reads something without a value.
    pub fn metric(&self, end: usize) -> Option<Rational> {
        let metric = self.model.metric.as_ref()?;
        let scope = self.at(end, &[]);
        scope.number(&metric.expression, &Vec::new()).ok()
    }

    /// The goal holds at the end.
    pub fn check_goal(&self, end: usize) -> Result<(), Broken> {
        let scope = self.at(end, &self.model.goal_variables);
        let mut binding = vec![None; self.model.goal_variables.len()];
        match scope.refute(&self.model.goal, &mut binding) {
            None => Ok(()),
            Some(reason) => Err(Broken {
                rule: Rule::Goal,
                id: None,
                reason: format!("the goal does not hold at the end: {reason}"),
            }),
        }
    }

    /// A schema's conditions at a time.
    pub fn at(&self, time: usize, variables: &'a [Variable]) -> Scope<'_> {
        Scope {
            history: self,
            variables,
            time,
            duration: None,
            total_time: None,
        }
    }

    /// The conditions of an action that takes so long.
    pub fn during(
        &self,
        time: usize,
        variables: &'a [Variable],
        duration: Option<Rational>,
    ) -> Scope<'_> {
        Scope {
            duration,
            ..self.at(time, variables)
        }
    }

    /// The value of the metric at the end of a plan that takes so long.
    pub fn timed_metric(&self, end: usize, total_time: Rational) -> Option<Rational> {
        let metric = self.model.metric.as_ref()?;
        let scope = Scope {
            total_time: Some(total_time),
            ..self.at(end, &[])
        };
        scope.number(&metric.expression, &Vec::new()).ok()
    }
}

fn has_cost(effect: &Effect) -> bool {
    match effect {
        Effect::IncreaseCost(_) => true,
        Effect::And(parts) => parts.iter().any(has_cost),
        Effect::Forall(_, body) | Effect::When(_, body) => has_cost(body),
        Effect::None | Effect::Add(_) | Effect::Delete(_) | Effect::Change(_) => false,
    }
}

/// Groups rules so that negated derived predicates come in an earlier group.
fn layers(model: &Model, derived: &[bool]) -> Vec<Vec<usize>> {
    fn visit(formula: &Formula, positive: bool, into: &mut Vec<(usize, bool)>) {
        match formula {
            Formula::True | Formula::Equal(..) | Formula::Compare(_) => {}
            Formula::Atom(atom) => into.push((atom.predicate.index(), positive)),
            Formula::Not(inner) => visit(inner, !positive, into),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| visit(part, positive, into));
            }
            Formula::Imply(a, b) => {
                visit(a, !positive, into);
                visit(b, positive, into);
            }
            Formula::Forall(_, body) | Formula::Exists(_, body) => visit(body, positive, into),
        }
    }
    let mut layer = vec![0_usize; model.predicates.len()];
    let limit = model.derived.len() + 1;
    loop {
        let mut changed = false;
        for rule in &model.derived {
            let mut uses = Vec::new();
            visit(&rule.condition, true, &mut uses);
            for (predicate, positive) in uses {
                let needed = layer[predicate] + usize::from(!positive);
                let mine = &mut layer[rule.predicate.index()];
                if derived[predicate] && needed > *mine && *mine < limit {
                    *mine = needed;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut groups = vec![vec![]; limit + 1];
    for (rule, schema) in model.derived.iter().enumerate() {
        groups[layer[schema.predicate.index()].min(limit)].push(rule);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// What a step changes.
#[derive(Default)]
pub struct Changes {
    add: FxHashSet<(PredicateId, Arguments)>,
    delete: FxHashSet<(PredicateId, Arguments)>,
    cost: Cost,
    numbers: numbers::Changed,
    /// Why the effects cannot happen.
    impossible: Option<String>,
}
