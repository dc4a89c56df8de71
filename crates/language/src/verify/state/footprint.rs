//! What a happening reads and changes, to tell whether two of them interfere.

use rustc_hash::{FxHashMap, FxHashSet};

use super::numbers::Place;
use super::{Arguments, Binding, Changes, Scope, value};
use crate::model::{
    Durative, Effect, Expression, Formula, Model, ObjectId, PredicateId, TimedChange,
};
use crate::number::Rational;
use crate::write;

/// What a happening reads and changes.
#[derive(Default)]
pub struct Footprint {
    reads: FxHashSet<(PredicateId, Arguments)>,
    /// True if it reads derived facts, and so any others.
    reads_derived: bool,
    adds: FxHashSet<(PredicateId, Arguments)>,
    deletes: FxHashSet<(PredicateId, Arguments)>,
    numbers_read: FxHashSet<Place>,
    /// With true if it only adds to or takes from it.
    numbers_changed: FxHashMap<Place, bool>,
}

impl Footprint {
    /// What keeps the two from happening together, in words.
    pub fn interferes(&self, other: &Footprint, model: &Model) -> Option<String> {
        self.disturbs(other, model)
            .or_else(|| other.disturbs(self, model))
    }

    fn disturbs(&self, other: &Footprint, model: &Model) -> Option<String> {
        let fact = |(predicate, arguments): &(PredicateId, Arguments)| {
            let name = &model.predicates[predicate.index()].name;
            format!("({})", model.show(name, arguments))
        };
        let mut changed = self.adds.iter().chain(&self.deletes);
        let read = changed.find(|it| other.reads_derived || other.reads.contains(*it));
        let undone = || self.adds.iter().find(|it| other.deletes.contains(*it));
        if let Some(found) = read.or_else(undone) {
            return Some(fact(found));
        }
        let number = |(place, adds): (&Place, &bool)| {
            let changes = other.numbers_changed.get(place);
            other.numbers_read.contains(place) || changes.is_some_and(|theirs| !(*adds && *theirs))
        };
        let mut numbers = self.numbers_changed.iter();
        let (place, _) = numbers.find(|it| number(*it))?;
        let name = &model.functions[place.0.index()].name;
        Some(format!("({})", model.show(name, &place.1)))
    }
}

impl Changes {
    /// What a timed fact changes.
    pub fn at_time(&mut self, change: &TimedChange, footprint: &mut Footprint) {
        let objects = |list: &[ObjectId]| -> Arguments { list.into() };
        match change {
            TimedChange::Fact(fact, true) => {
                let fact = (fact.predicate, objects(&fact.arguments));
                footprint.adds.insert(fact.clone());
                self.add.insert(fact);
            }
            TimedChange::Fact(fact, false) => {
                let fact = (fact.predicate, objects(&fact.arguments));
                footprint.deletes.insert(fact.clone());
                self.delete.insert(fact);
            }
            TimedChange::Value(function, arguments, value) => {
                let place = (*function, objects(arguments));
                footprint.numbers_changed.insert(place.clone(), false);
                let assign = crate::model::ChangeOperator::Assign;
                self.numbers.push((place, assign, *value));
            }
        }
    }
}

impl Scope<'_> {
    /// Notes what a condition reads, whether it holds or not.
    pub fn reads(&self, formula: &Formula, binding: &mut Binding, into: &mut Footprint) {
        match formula {
            Formula::True | Formula::Equal(..) => {}
            Formula::Atom(atom) if self.history.derived[atom.predicate.index()] => {
                into.reads_derived = true;
            }
            Formula::Atom(atom) => {
                let fact = self.ground(atom, binding);
                into.reads
                    .extend(fact.map(|arguments| (atom.predicate, arguments)));
            }
            Formula::Compare(compare) => {
                self.reads_number(&compare.left, binding, into);
                self.reads_number(&compare.right, binding, into);
            }
            Formula::Not(inner) => self.reads(inner, binding, into),
            Formula::And(parts) | Formula::Or(parts) => {
                parts
                    .iter()
                    .for_each(|part| self.reads(part, binding, into));
            }
            Formula::Imply(a, b) => {
                self.reads(a, binding, into);
                self.reads(b, binding, into);
            }
            Formula::Forall(ids, body) | Formula::Exists(ids, body) => {
                self.each_of(ids, binding, &mut |binding| self.reads(body, binding, into));
            }
        }
    }

    fn reads_number(&self, expression: &Expression, binding: &Binding, into: &mut Footprint) {
        expression.visit(&mut |part| {
            if let Expression::Function(function, terms) = part {
                let at: Option<Arguments> =
                    terms.iter().map(|&term| value(term, binding)).collect();
                into.numbers_read.extend(at.map(|at| (*function, at)));
            }
        });
    }

    /// Gathers what an effect changes and reads.
    pub fn gather(
        &self,
        effect: &Effect,
        binding: &mut Binding,
        into: &mut Changes,
        footprint: &mut Footprint,
    ) {
        let mut own = Changes::default();
        self.collect(effect, binding, &mut own);
        footprint.adds.extend(own.add.iter().cloned());
        // What is deleted and added in one action is added.
        let gone = own.delete.iter().filter(|it| !own.add.contains(*it));
        footprint.deletes.extend(gone.cloned());
        for (place, operator, _) in &own.numbers {
            let adds = footprint.numbers_changed.entry(place.clone());
            *adds.or_insert(true) &= operator.adds();
        }
        self.effect_reads(effect, binding, footprint);
        into.delete
            .extend(own.delete.into_iter().filter(|it| !own.add.contains(it)));
        into.add.extend(own.add);
        into.numbers.extend(own.numbers);
        if into.impossible.is_none() {
            into.impossible = own.impossible;
        }
    }

    fn effect_reads(&self, effect: &Effect, binding: &mut Binding, into: &mut Footprint) {
        match effect {
            Effect::None | Effect::Add(_) | Effect::Delete(_) | Effect::IncreaseCost(_) => {}
            Effect::Change(change) => self.reads_number(&change.amount, binding, into),
            Effect::And(parts) => parts
                .iter()
                .for_each(|part| self.effect_reads(part, binding, into)),
            Effect::Forall(ids, body) => self.each_of(ids, binding, &mut |binding| {
                self.effect_reads(body, binding, into);
            }),
            Effect::When(condition, body) => {
                self.reads(condition, binding, into);
                self.effect_reads(body, binding, into);
            }
        }
    }

    /// Why the duration is none the action can have.
    pub fn refute_duration(
        &self,
        durative: &Durative,
        duration: Rational,
        binding: &Binding,
    ) -> Option<String> {
        durative.duration.iter().find_map(|(operator, bound)| {
            let term = |term: &crate::model::Term| self.show_term(term, binding);
            let shown = write::expression_with(self.history.model, bound, &term);
            match self.number(bound, binding) {
                Ok(bound) if operator.holds(duration.cmp(&bound)) => None,
                Ok(bound) => Some(format!(
                    "it takes {duration}, but must be ({} ?duration {shown}), which is {bound}",
                    operator.sign()
                )),
                Err(_) => Some(format!(
                    "its duration is bounded by {shown}, which has no value"
                )),
            }
        })
    }
}
