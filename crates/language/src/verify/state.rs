//! States, remembered as the times at which each fact changed.
//!
//! A plan of ten thousand steps has ten thousand states that hardly differ.
//! Instead of keeping them all, each fact keeps the list of its changes;
//! whether it holds at a time is one binary search, and conditions can be
//! judged at any time in any order.
//!
//! Conditions with free variables are solved as joins: the atom with the
//! fewest unknowns next. Universal conditions are turned around: they hold if
//! no counterexample can be found.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Broken, Rule};
use crate::cost::Cost;
use crate::model::{
    Amount, Atom, Effect, Formula, FunctionId, Model, ObjectId, PredicateId, Term, Variable,
    VariableId,
};
use crate::plan::Plan;

type Arguments = Box<[ObjectId]>;
/// Values by variable.
pub type Binding = Vec<Option<ObjectId>>;

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
    /// The values of functions, which never change.
    values: FxHashMap<(FunctionId, &'a [ObjectId]), Cost>,
}

impl<'a> History<'a> {
    /// Executes a plan; the second value is its cost.
    pub fn of(model: &'a Model, plan: &Plan) -> Result<(History<'a>, Cost), Broken> {
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
            values: FxHashMap::default(),
        };
        for value in &model.values {
            let key = (value.function, value.arguments.as_slice());
            history.values.insert(key, value.value);
        }
        for fact in &model.init {
            if !history.derived[fact.predicate.index()] {
                let arguments: Arguments = fact.arguments.as_slice().into();
                history.facts[fact.predicate.index()].insert(arguments, vec![0]);
            }
        }
        let speaks_of_cost = model.actions.iter().any(|action| has_cost(&action.effect));
        let mut cost = Cost::ZERO;
        for (time, step) in plan.steps.iter().enumerate() {
            let action = &model.actions[step.action.index()];
            let mut binding: Binding = step.arguments.iter().copied().map(Some).collect();
            binding.resize(action.variables.len(), None);
            let scope = Scope {
                history: &history,
                variables: &action.variables,
                time,
            };
            if let Some(reason) = scope.refute(&action.precondition, &mut binding) {
                return Err(Broken {
                    rule: Rule::Precondition,
                    id: Some(step.id),
                    reason: format!(
                        "step {time} `{}` cannot be executed: {reason}",
                        model.show(&action.name, &step.arguments)
                    ),
                });
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
            history.apply(changes, time + 1);
        }
        Ok((history, cost))
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
                    let scope = Scope {
                        history: self,
                        variables: &rule.variables,
                        time,
                    };
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

    /// The goal holds at the end.
    pub fn check_goal(&self, end: usize) -> Result<(), Broken> {
        let scope = Scope {
            history: self,
            variables: &self.model.goal_variables,
            time: end,
        };
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
        }
    }
}

fn has_cost(effect: &Effect) -> bool {
    match effect {
        Effect::IncreaseCost(_) => true,
        Effect::And(parts) => parts.iter().any(has_cost),
        Effect::Forall(_, body) | Effect::When(_, body) => has_cost(body),
        Effect::None | Effect::Add(_) | Effect::Delete(_) => false,
    }
}

/// Groups rules so that negated derived predicates come in an earlier group.
fn layers(model: &Model, derived: &[bool]) -> Vec<Vec<usize>> {
    fn visit(formula: &Formula, positive: bool, into: &mut Vec<(usize, bool)>) {
        match formula {
            Formula::True | Formula::Equal(..) => {}
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

#[derive(Default)]
struct Changes {
    add: FxHashSet<(PredicateId, Arguments)>,
    delete: FxHashSet<(PredicateId, Arguments)>,
    cost: Cost,
}

/// Conditions over some variables at one time.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    history: &'a History<'a>,
    variables: &'a [Variable],
    time: usize,
}

impl Scope<'_> {
    fn value(&self, term: Term, binding: &Binding) -> Option<ObjectId> {
        match term {
            Term::Object(object) => Some(object),
            Term::Variable(variable) => binding[variable.index()],
        }
    }

    fn ground(&self, atom: &Atom, binding: &Binding) -> Option<Arguments> {
        atom.arguments
            .iter()
            .map(|&term| self.value(term, binding))
            .collect()
    }

    /// Calls `visit` with every way to give the first `count` variables values.
    fn each(&self, count: usize, binding: &mut Binding, visit: &mut dyn FnMut(&mut Binding)) {
        let ids: Vec<VariableId> = (0..count as u32).map(VariableId).collect();
        self.each_of(&ids, binding, visit);
    }

    fn each_of(
        &self,
        ids: &[VariableId],
        binding: &mut Binding,
        visit: &mut dyn FnMut(&mut Binding),
    ) {
        let Some((first, rest)) = ids.split_first() else {
            return visit(binding);
        };
        let before = binding[first.index()];
        for object in self.history.model.range(&self.variables[first.index()]) {
            binding[first.index()] = Some(object);
            self.each_of(rest, binding, visit);
        }
        binding[first.index()] = before;
    }

    /// True if the formula (or, if `positive` is false, its negation) holds.
    /// All its free variables have values.
    fn eval(&self, formula: &Formula, positive: bool, binding: &mut Binding) -> bool {
        match formula {
            Formula::True => positive,
            Formula::Atom(atom) => {
                let holds = self.ground(atom, binding).is_some_and(|arguments| {
                    self.history.holds(atom.predicate, &arguments, self.time)
                });
                holds == positive
            }
            Formula::Equal(a, b) => {
                (self.value(*a, binding) == self.value(*b, binding)) == positive
            }
            Formula::Not(inner) => self.eval(inner, !positive, binding),
            Formula::And(parts) if positive => parts.iter().all(|p| self.eval(p, true, binding)),
            Formula::And(parts) => parts.iter().any(|p| self.eval(p, false, binding)),
            Formula::Or(parts) if positive => parts.iter().any(|p| self.eval(p, true, binding)),
            Formula::Or(parts) => parts.iter().all(|p| self.eval(p, false, binding)),
            Formula::Imply(a, b) if positive => {
                self.eval(a, false, binding) || self.eval(b, true, binding)
            }
            Formula::Imply(a, b) => self.eval(a, true, binding) && self.eval(b, false, binding),
            Formula::Forall(ids, body) => self.exists(ids, body, false, binding) != positive,
            Formula::Exists(ids, body) => self.exists(ids, body, true, binding) == positive,
        }
    }

    /// True if values exist that make the body (or its negation) hold.
    fn exists(
        &self,
        ids: &[VariableId],
        body: &Formula,
        positive: bool,
        binding: &mut Binding,
    ) -> bool {
        let before: Vec<_> = ids.iter().map(|id| binding[id.index()].take()).collect();
        let found = self.solve(vec![(body, positive)], ids, binding);
        for (id, value) in ids.iter().zip(before) {
            binding[id.index()] = value;
        }
        found
    }

    /// Looks for values of `open` variables for which all parts hold. The
    /// binding is left as it was.
    pub fn solve(
        &self,
        parts: Vec<(&Formula, bool)>,
        open: &[VariableId],
        binding: &mut Binding,
    ) -> bool {
        self.solutions(parts, open, binding, &mut |_| true)
    }

    /// Calls `found` with the values of `open` variables for which all parts
    /// hold, until it says true; those that no part mentions have none. The
    /// binding is left as it was.
    pub fn solutions(
        &self,
        parts: Vec<(&Formula, bool)>,
        open: &[VariableId],
        binding: &mut Binding,
        found: &mut dyn FnMut(&Binding) -> bool,
    ) -> bool {
        let mut flat = Vec::new();
        for (formula, positive) in parts {
            flatten(formula, positive, &mut flat);
        }
        let mut later = Vec::new();
        for (formula, positive) in flat {
            if self.is_bound(formula, binding) {
                if !self.eval(formula, positive, binding) {
                    return false;
                }
            } else {
                later.push((formula, positive));
            }
        }
        if later.is_empty() {
            // What nothing mentions may have any value, but must have one.
            let possible = open.iter().all(|id| {
                let variable = &self.variables[id.index()];
                binding[id.index()].is_some() || !self.history.model.range(variable).is_empty()
            });
            return possible && found(binding);
        }
        let unknown = |atom: &Atom| {
            let terms = atom.arguments.iter();
            terms.filter(|&&t| self.value(t, binding).is_none()).count()
        };
        let best = later
            .iter()
            .enumerate()
            .filter_map(|(place, (formula, positive))| match formula {
                Formula::Atom(atom)
                    if *positive && !self.history.derived[atom.predicate.index()] =>
                {
                    let size = self.history.facts[atom.predicate.index()].len();
                    Some(((unknown(atom), size), place, atom))
                }
                _ => None,
            })
            .min_by_key(|(key, ..)| *key);
        if let Some((_, place, atom)) = best {
            later.remove(place);
            return self.solve_atom(atom, later, open, binding, found);
        }
        if let Some((a, b)) = later.iter().find_map(|(formula, positive)| match formula {
            Formula::Equal(a, b) if *positive => Some((*a, *b)),
            _ => None,
        }) {
            let known = self.value(a, binding).or(self.value(b, binding));
            if let (Some(value), Some(id)) = (known, self.unbound(a, b, binding)) {
                return self.with(
                    id,
                    value,
                    |scope, binding| scope.solutions(later.clone(), open, binding, found),
                    binding,
                );
            }
        }
        let Some(&id) = open.iter().find(|id| {
            binding[id.index()].is_none() && later.iter().any(|(f, _)| mentions(f, **id))
        }) else {
            return false;
        };
        let range = self.history.model.range(&self.variables[id.index()]);
        range.into_iter().any(|object| {
            self.with(
                id,
                object,
                |scope, binding| scope.solutions(later.clone(), open, binding, found),
                binding,
            )
        })
    }

    fn unbound(&self, a: Term, b: Term, binding: &Binding) -> Option<VariableId> {
        [a, b].into_iter().find_map(|term| match term {
            Term::Variable(id) if binding[id.index()].is_none() => Some(id),
            _ => None,
        })
    }

    fn with(
        &self,
        id: VariableId,
        value: ObjectId,
        then: impl FnOnce(&Self, &mut Binding) -> bool,
        binding: &mut Binding,
    ) -> bool {
        if !self
            .history
            .model
            .admits(&self.variables[id.index()], value)
        {
            return false;
        }
        binding[id.index()] = Some(value);
        let found = then(self, binding);
        binding[id.index()] = None;
        found
    }

    /// Tries every fact that matches the atom.
    fn solve_atom(
        &self,
        atom: &Atom,
        later: Vec<(&Formula, bool)>,
        open: &[VariableId],
        binding: &mut Binding,
        found: &mut dyn FnMut(&Binding) -> bool,
    ) -> bool {
        let facts = &self.history.facts[atom.predicate.index()];
        for (arguments, times) in facts {
            if times.partition_point(|&t| t <= self.time) % 2 == 0 {
                continue;
            }
            let mut bound = Vec::new();
            let fits = atom.arguments.iter().zip(arguments).all(|(&term, &value)| {
                match (self.value(term, binding), term) {
                    (Some(known), _) => known == value,
                    (None, Term::Variable(id)) => {
                        let variable = &self.variables[id.index()];
                        binding[id.index()] = Some(value);
                        bound.push(id);
                        self.history.model.admits(variable, value)
                    }
                    (None, Term::Object(_)) => false,
                }
            });
            let enough = fits && self.solutions(later.clone(), open, binding, found);
            for id in bound {
                binding[id.index()] = None;
            }
            if enough {
                return true;
            }
        }
        false
    }

    fn is_bound(&self, formula: &Formula, binding: &Binding) -> bool {
        let known = |term: &Term| self.value(*term, binding).is_some();
        match formula {
            Formula::True => true,
            Formula::Atom(atom) => atom.arguments.iter().all(known),
            Formula::Equal(a, b) => known(a) && known(b),
            Formula::Not(inner) => self.is_bound(inner, binding),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().all(|part| self.is_bound(part, binding))
            }
            Formula::Imply(a, b) => self.is_bound(a, binding) && self.is_bound(b, binding),
            Formula::Forall(ids, body) | Formula::Exists(ids, body) => {
                let mut inside = binding.clone();
                for id in ids {
                    inside[id.index()].get_or_insert(ObjectId(0));
                }
                self.is_bound(body, &inside)
            }
        }
    }

    /// `None` if the formula holds, otherwise why not. All its free variables
    /// have values.
    pub fn refute(&self, formula: &Formula, binding: &mut Binding) -> Option<String> {
        let mut parts = Vec::new();
        flatten(formula, true, &mut parts);
        parts
            .into_iter()
            .find(|(part, positive)| !self.eval(part, *positive, binding))
            .map(|(part, positive)| format!("{} does not hold", self.show(part, positive, binding)))
    }

    /// A formula in words, with values put in.
    pub fn show(&self, formula: &Formula, positive: bool, binding: &Binding) -> String {
        let term = |term: &Term| match self.value(*term, binding) {
            Some(object) => self.history.model.objects[object.index()].name.clone(),
            None => match term {
                Term::Variable(id) => self.variables[id.index()].name.clone(),
                Term::Object(_) => String::new(),
            },
        };
        let list = |word: &str, parts: &[Formula]| {
            let parts: Vec<String> = parts.iter().map(|p| self.show(p, true, binding)).collect();
            format!("({word} {})", parts.join(" "))
        };
        let text = match formula {
            Formula::True => "(and)".to_string(),
            Formula::Atom(atom) => {
                let mut text = format!(
                    "({}",
                    self.history.model.predicates[atom.predicate.index()].name
                );
                for argument in &atom.arguments {
                    text += " ";
                    text += &term(argument);
                }
                text + ")"
            }
            Formula::Equal(a, b) => format!("(= {} {})", term(a), term(b)),
            Formula::Not(inner) => return self.show(inner, !positive, binding),
            Formula::And(parts) => list("and", parts),
            Formula::Or(parts) => list("or", parts),
            Formula::Imply(a, b) => {
                let (a, b) = (self.show(a, true, binding), self.show(b, true, binding));
                format!("(imply {a} {b})")
            }
            Formula::Forall(ids, body) | Formula::Exists(ids, body) => {
                let mut inside = binding.clone();
                ids.iter().for_each(|id| inside[id.index()] = None);
                let word = match formula {
                    Formula::Forall(..) => "forall",
                    _ => "exists",
                };
                let names: Vec<&str> = ids
                    .iter()
                    .map(|id| self.variables[id.index()].name.as_str())
                    .collect();
                let body = self.show(body, true, &inside);
                format!("({word} ({}) {body})", names.join(" "))
            }
        };
        if positive {
            text
        } else {
            format!("(not {text})")
        }
    }

    /// Gathers what an effect changes.
    fn collect(&self, effect: &Effect, binding: &mut Binding, into: &mut Changes) {
        match effect {
            Effect::None => {}
            Effect::Add(atom) => {
                if let Some(arguments) = self.ground(atom, binding) {
                    into.add.insert((atom.predicate, arguments));
                }
            }
            Effect::Delete(atom) => {
                if let Some(arguments) = self.ground(atom, binding) {
                    into.delete.insert((atom.predicate, arguments));
                }
            }
            Effect::And(parts) => {
                parts
                    .iter()
                    .for_each(|part| self.collect(part, binding, into));
            }
            Effect::Forall(ids, body) => {
                self.each_of(ids, binding, &mut |binding| {
                    self.collect(body, binding, into);
                });
            }
            Effect::When(condition, body) => {
                if self.eval(condition, true, binding) {
                    self.collect(body, binding, into);
                }
            }
            Effect::IncreaseCost(cost) => {
                into.cost += self.cost(cost, binding);
            }
        }
    }

    /// A function without a value counts 0.
    fn cost(&self, amount: &Amount, binding: &Binding) -> Cost {
        match amount {
            Amount::Number(cost) => *cost,
            Amount::Function(function, terms) => {
                let arguments: Option<Vec<ObjectId>> = terms
                    .iter()
                    .map(|&term| self.value(term, binding))
                    .collect();
                let value = arguments
                    .as_deref()
                    .and_then(|it| self.history.values.get(&(*function, it)));
                value.copied().unwrap_or_default()
            }
        }
    }
}

/// Takes conjunctions apart.
pub fn flatten<'f>(formula: &'f Formula, positive: bool, into: &mut Vec<(&'f Formula, bool)>) {
    match formula {
        Formula::True if positive => {}
        Formula::Not(inner) => flatten(inner, !positive, into),
        Formula::And(parts) if positive => parts.iter().for_each(|p| flatten(p, true, into)),
        Formula::Or(parts) if !positive => parts.iter().for_each(|p| flatten(p, false, into)),
        Formula::Imply(a, b) if !positive => {
            flatten(a, true, into);
            flatten(b, false, into);
        }
        _ => into.push((formula, positive)),
    }
}

fn mentions(formula: &Formula, id: VariableId) -> bool {
    let is = |term: &Term| *term == Term::Variable(id);
    match formula {
        Formula::True => false,
        Formula::Atom(atom) => atom.arguments.iter().any(is),
        Formula::Equal(a, b) => is(a) || is(b),
        Formula::Not(inner) => mentions(inner, id),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| mentions(part, id)),
        Formula::Imply(a, b) => mentions(a, id) || mentions(b, id),
        Formula::Forall(_, body) | Formula::Exists(_, body) => mentions(body, id),
    }
}
