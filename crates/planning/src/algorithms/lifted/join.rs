//! All instances of a method that apply in the current state.

use planoku_engine::{Run, Stop};

use super::facts::{Facts, List};
use super::pattern::{Pattern, Slot};
use super::schema::Rule;
use super::twins::{Seen, Watched};
use crate::model::{Atom, Formula, Term};
use crate::state::states::{has, ones};

/// No value yet.
pub(super) const UNBOUND: u32 = u32::MAX;

/// More instances than this of one method are not made.
const MANY: usize = 100_000;

/// Collects into `found` the values of a rule's parameters under which all its
/// joins and checks hold, given the values of its head. Of instances that
/// differ by twins only one is collected; what remains to be done tells the
/// objects in `apart` from their twins, those among the arguments included.
pub(super) fn instances(
    facts: &Facts,
    rule: &Rule<'_>,
    arguments: &[u32],
    apart: Watched,
    found: &mut Vec<Box<[u32]>>,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    let mut join = Join {
        run,
        facts,
        rule,
        binding: vec![UNBOUND; rule.variables],
        done: vec![false; rule.joins.len()],
        found,
    };
    let mut bound = 0u128;
    for (slot, &object) in rule.head.iter().zip(arguments) {
        match *slot {
            Slot::Object(other) if other == object => {}
            Slot::Object(_) => return Ok(()),
            Slot::Variable(variable) => {
                let value = &mut join.binding[variable as usize];
                if *value != UNBOUND && *value != object
                    || !has(&rule.ranges[variable as usize], object)
                {
                    return Ok(());
                }
                *value = object;
                bound |= 1 << variable;
            }
        }
    }
    match join.passes(0, bound, true) {
        true => join.extend(bound, apart),
        false => Ok(()),
    }
}

struct Join<'a, 'm, 'r, 'o> {
    run: &'r mut Run<'o>,
    facts: &'a Facts,
    rule: &'a Rule<'m>,
    binding: Vec<u32>,
    done: Vec<bool>,
    found: &'a mut Vec<Box<[u32]>>,
}

impl<'a> Join<'a, '_, '_, '_> {
    /// Checks whose variables have just become known.
    fn passes(&mut self, before: u128, now: u128, first: bool) -> bool {
        self.rule.checks.iter().all(|check| {
            let ready = check.variables & !now == 0;
            let was_ready = !first && check.variables & !before == 0;
            !ready || was_ready || holds(self.facts, self.rule, check.formula, &mut self.binding)
        })
    }

    fn extend(&mut self, bound: u128, apart: Watched) -> Result<(), Stop> {
        if self.found.len() >= MANY {
            return Ok(());
        }
        let Some((index, list)) = self.narrowest() else {
            return self.fill(bound, apart);
        };
        self.done[index] = true;
        let rule = self.rule;
        // To pass over what does not hold costs next to nothing; to find the
        // narrowest atom, a look at each of its terms.
        let passed = list.len() as u64 / if list.is_long() { 512 } else { 32 };
        self.run.effort(passed + rule.looks)?;
        let atom = &rule.joins[index];
        let facts = self.facts;
        let twins = &facts.twins;
        let mut seen = Seen::default();
        facts.each_held(list, |fact| {
            self.run.effort(1)?;
            let free = |place: usize| self.value(atom.terms[place]) == UNBOUND;
            if twins.any() && seen.before(twins, facts.arguments(fact), free, apart) {
                return Ok(());
            }
            self.try_fact(atom, fact, bound, apart)
        })?;
        self.done[index] = false;
        Ok(())
    }

    /// The atom with the fewest candidates, and these.
    fn narrowest(&self) -> Option<(usize, &'a List)> {
        let mut best: Option<(usize, &'a List)> = None;
        for (index, atom) in self.rule.joins.iter().enumerate() {
            if self.done[index] {
                continue;
            }
            let mut shortest = self.facts.list(atom.predicate, None);
            for (position, &slot) in atom.terms.iter().enumerate() {
                let object = self.value(slot);
                if object != UNBOUND {
                    let list = self.facts.list(atom.predicate, Some((position, object)));
                    if list.len() < shortest.len() {
                        shortest = list;
                    }
                }
            }
            if best.is_none_or(|(_, list)| shortest.len() < list.len()) {
                best = Some((index, shortest));
            }
        }
        best
    }

    fn value(&self, slot: Slot) -> u32 {
        match slot {
            Slot::Object(object) => object,
            Slot::Variable(variable) => self.binding[variable as usize],
        }
    }

    fn try_fact(
        &mut self,
        atom: &Pattern,
        fact: u32,
        bound: u128,
        apart: Watched,
    ) -> Result<(), Stop> {
        let mut now = bound;
        let mut fits = true;
        for (position, &slot) in atom.terms.iter().enumerate() {
            let object = self.facts.arguments(fact)[position];
            match self.value(slot) {
                UNBOUND => {
                    let Slot::Variable(variable) = slot else {
                        continue;
                    };
                    if !has(&self.rule.ranges[variable as usize], object) {
                        fits = false;
                        break;
                    }
                    self.binding[variable as usize] = object;
                    now |= 1 << variable;
                }
                other if other != object => {
                    fits = false;
                    break;
                }
                _ => {}
            }
        }
        if fits && self.passes(bound, now, false) {
            let apart = apart | self.facts.twins.among(self.facts.arguments(fact));
            self.extend(now, apart)?;
        }
        let mut fresh = now & !bound;
        while fresh != 0 {
            self.binding[fresh.trailing_zeros() as usize] = UNBOUND;
            fresh &= fresh - 1;
        }
        Ok(())
    }

    /// Gives values to parameters no atom speaks of, and keeps the instance.
    fn fill(&mut self, bound: u128, apart: Watched) -> Result<(), Stop> {
        self.run.effort(1)?;
        let parameters = 0..self.rule.arity as u32;
        match parameters
            .into_iter()
            .find(|&variable| self.binding[variable as usize] == UNBOUND)
        {
            None => self.found.push(self.binding[..self.rule.arity].into()),
            Some(variable) => {
                let rule = self.rule;
                let twins = &self.facts.twins;
                let mut seen = Seen::default();
                for object in ones(&rule.ranges[variable as usize]) {
                    if twins.any() && seen.before(twins, &[object], |_| true, apart) {
                        continue;
                    }
                    self.binding[variable as usize] = object;
                    let now = bound | 1 << variable;
                    if self.passes(bound, now, false) && self.found.len() < MANY {
                        self.fill(now, apart | twins.among(&[object]))?;
                    }
                }
                self.binding[variable as usize] = UNBOUND;
            }
        }
        Ok(())
    }
}

/// True if a formula holds under a binding of its free variables.
fn holds(facts: &Facts, rule: &Rule<'_>, formula: &Formula, binding: &mut [u32]) -> bool {
    evaluate(facts, &rule.ranges, formula, binding)
}

/// True if a formula holds in the state under a binding of its free variables.
pub(super) fn evaluate(
    facts: &Facts,
    ranges: &[Vec<u64>],
    formula: &Formula,
    binding: &mut [u32],
) -> bool {
    match formula {
        Formula::True => true,
        Formula::Atom(atom) => {
            let arguments = ground(atom, binding);
            facts.has(atom.predicate.0, &arguments)
        }
        Formula::Equal(left, right) => term(*left, binding) == term(*right, binding),
        // A model with numbers is not walked.
        Formula::Compare(_) => false,
        Formula::Not(inner) => !evaluate(facts, ranges, inner, binding),
        Formula::And(parts) => parts
            .iter()
            .all(|part| evaluate(facts, ranges, part, binding)),
        Formula::Or(parts) => parts
            .iter()
            .any(|part| evaluate(facts, ranges, part, binding)),
        Formula::Imply(left, right) => {
            !evaluate(facts, ranges, left, binding) || evaluate(facts, ranges, right, binding)
        }
        Formula::Forall(bound, inner) => {
            let bound: Vec<u32> = bound.iter().map(|variable| variable.0).collect();
            every(ranges, &bound, binding, &mut |binding| {
                evaluate(facts, ranges, inner, binding)
            })
        }
        Formula::Exists(bound, inner) => {
            let bound: Vec<u32> = bound.iter().map(|variable| variable.0).collect();
            !every(ranges, &bound, binding, &mut |binding| {
                !evaluate(facts, ranges, inner, binding)
            })
        }
    }
}

/// True if the test passes for all values of the variables.
pub(super) fn every(
    ranges: &[Vec<u64>],
    variables: &[u32],
    binding: &mut [u32],
    test: &mut dyn FnMut(&mut [u32]) -> bool,
) -> bool {
    let Some((&first, rest)) = variables.split_first() else {
        return test(binding);
    };
    let before = binding[first as usize];
    let result = ones(&ranges[first as usize]).all(|object| {
        binding[first as usize] = object;
        every(ranges, rest, binding, test)
    });
    binding[first as usize] = before;
    result
}

/// The value of a term.
pub(super) fn term(term: Term, binding: &[u32]) -> u32 {
    match term {
        Term::Variable(variable) => binding[variable.index()],
        Term::Object(object) => object.0,
    }
}

/// The arguments of an atom.
pub(super) fn ground(atom: &Atom, binding: &[u32]) -> Vec<u32> {
    atom.arguments.iter().map(|&it| term(it, binding)).collect()
}
