//! Conditions and effects in one of the states of a plan.
//!
//! Conditions with free variables are solved as joins: the atom with the
//! fewest unknowns next. Universal conditions are turned around: they hold if
//! no counterexample can be found.

use super::{Arguments, Binding, Changes, History, bind_noting, value};
use crate::cost::Cost;
use crate::model::{Amount, Atom, Effect, Formula, ObjectId, Term, Variable, VariableId};
use crate::number::Rational;

/// Conditions over some variables at one time.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub(super) history: &'a History<'a>,
    pub(super) variables: &'a [Variable],
    pub(super) time: usize,
    /// What `?duration` is, where an action has one.
    pub(super) duration: Option<Rational>,
    /// What `total-time` is, where the plan is known.
    pub(super) total_time: Option<Rational>,
}

impl Scope<'_> {
    pub(super) fn ground(&self, atom: &Atom, binding: &Binding) -> Option<Arguments> {
        atom.arguments
            .iter()
            .map(|&term| value(term, binding))
            .collect()
    }

    /// Calls `visit` with every way to give the first `count` variables values.
    pub(super) fn each(
        &self,
        count: usize,
        binding: &mut Binding,
        visit: &mut dyn FnMut(&mut Binding),
    ) {
        let ids: Vec<VariableId> = (0..count as u32).map(VariableId).collect();
        self.each_of(&ids, binding, visit);
    }

    pub(super) fn each_of(
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
    pub(super) fn eval(&self, formula: &Formula, positive: bool, binding: &mut Binding) -> bool {
        match formula {
            Formula::True => positive,
            Formula::Atom(atom) => {
                let holds = self.ground(atom, binding).is_some_and(|arguments| {
                    self.history.holds(atom.predicate, &arguments, self.time)
                });
                holds == positive
            }
            Formula::Equal(a, b) => (value(*a, binding) == value(*b, binding)) == positive,
            Formula::Compare(compare) => self.compares(compare, positive, binding),
            Formula::Not(inner) => self.eval(inner, !positive, binding),
            Formula::And(parts) if positive => parts.iter().all(|p| self.eval(p, true, binding)),
            Formula::And(parts) => parts.iter().any(|p| self.eval(p, false, binding)),
            Formula::Or(parts) if positive => parts.iter().any(|p| self.eval(p, true, binding)),
            Formula::Or(parts) => parts.iter().all(|p| self.eval(p, false, binding)),
            Formula::Imply(a, b) if positive => {
                self.eval(a, false, binding) || self.eval(b, true, binding)
            }
            Formula::Imply(a, b) => self.eval(a, true, binding) && self.eval(b, false, binding),
            Formula::Forall(ids, body) if positive && has_numbers(body) => {
                self.for_all(ids, body, true, binding)
            }
            Formula::Exists(ids, body) if !positive && has_numbers(body) => {
                self.for_all(ids, body, false, binding)
            }
            Formula::Forall(ids, body) => self.exists(ids, body, false, binding) != positive,
            Formula::Exists(ids, body) => self.exists(ids, body, true, binding) == positive,
        }
    }

    /// True if all values make the body (or its negation) hold. Where numbers
    /// are undefined neither does, so that no counterexample is not enough.
    fn for_all(
        &self,
        ids: &[VariableId],
        body: &Formula,
        positive: bool,
        binding: &mut Binding,
    ) -> bool {
        let mut all = true;
        self.each_of(ids, binding, &mut |binding| {
            all = all && self.eval(body, positive, binding);
        });
        all
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
            terms.filter(|&&t| value(t, binding).is_none()).count()
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
            let known = value(a, binding).or(value(b, binding));
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
            let mut pairs = atom.arguments.iter().zip(arguments);
            let fits = pairs.all(|(&term, &value)| {
                let model = self.history.model;
                bind_noting(model, self.variables, term, value, binding, &mut bound)
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
        let known = |term: &Term| value(*term, binding).is_some();
        match formula {
            Formula::True => true,
            Formula::Atom(atom) => atom.arguments.iter().all(known),
            Formula::Equal(a, b) => known(a) && known(b),
            Formula::Compare(compare) => {
                let mut all = true;
                compare.terms(&mut |term| all &= known(term));
                all
            }
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
            .map(|(part, positive)| {
                let shown = self.show(part, positive, binding);
                let sides = match part {
                    Formula::Compare(compare) => self.sides(compare, binding),
                    _ => String::new(),
                };
                format!("{shown} does not hold{sides}")
            })
    }

    /// A term in words: its value, if it has one.
    pub(super) fn show_term(&self, term: &Term, binding: &Binding) -> String {
        match value(*term, binding) {
            Some(object) => self.history.model.objects[object.index()].name.clone(),
            None => match term {
                Term::Variable(id) => self.variables[id.index()].name.clone(),
                Term::Object(_) => String::new(),
            },
        }
    }

    /// A formula in words, with values put in.
    pub fn show(&self, formula: &Formula, positive: bool, binding: &Binding) -> String {
        let term = |term: &Term| self.show_term(term, binding);
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
            Formula::Compare(compare) => self.show_compare(compare, binding),
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
    pub(super) fn collect(&self, effect: &Effect, binding: &mut Binding, into: &mut Changes) {
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
            Effect::Change(change) => {
                if let Err(reason) = self.change(change, binding, &mut into.numbers) {
                    into.impossible.get_or_insert(reason);
                }
            }
        }
    }

    /// A function without a value counts 0.
    fn cost(&self, amount: &Amount, binding: &Binding) -> Cost {
        match amount {
            Amount::Number(cost) => *cost,
            Amount::Function(function, terms) => {
                let arguments: Option<Vec<ObjectId>> =
                    terms.iter().map(|&term| value(term, binding)).collect();
                let value = arguments
                    .as_deref()
                    .and_then(|it| self.history.costs.get(&(*function, it)));
                value.copied().unwrap_or_default()
            }
        }
    }
}

/// Takes conjunctions apart.
fn flatten<'f>(formula: &'f Formula, positive: bool, into: &mut Vec<(&'f Formula, bool)>) {
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

/// True if the formula compares numbers.
fn has_numbers(formula: &Formula) -> bool {
    let mut found = false;
    crate::model::visit::formulas(formula, &mut |part| {
        found |= matches!(part, Formula::Compare(_));
    });
    found
}

fn mentions(formula: &Formula, id: VariableId) -> bool {
    let is = |term: &Term| *term == Term::Variable(id);
    match formula {
        Formula::True => false,
        Formula::Atom(atom) => atom.arguments.iter().any(is),
        Formula::Equal(a, b) => is(a) || is(b),
        Formula::Compare(compare) => {
            let mut found = false;
            compare.terms(&mut |term| found |= is(term));
            found
        }
        Formula::Not(inner) => mentions(inner, id),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| mentions(part, id)),
        Formula::Imply(a, b) => mentions(a, id) || mentions(b, id),
        Formula::Forall(_, body) | Formula::Exists(_, body) => mentions(body, id),
    }
}
