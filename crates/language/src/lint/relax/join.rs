//! Instances of a rule: literals joined, most restrictive first.

use super::{Literal, Relaxed, TooMuch, ground};
use crate::model::{Formula, ObjectId, Term};

/// What to do with an instance; false ends the search.
type Found<'f, 'm> =
    dyn FnMut(&Relaxed<'m>, &mut [Option<ObjectId>], &mut u64) -> Result<bool, TooMuch> + 'f;

/// Of how many open literals the best is chosen.
const CHOICES: usize = 32;

impl<'m> Relaxed<'m> {
    /// Calls `found` for every instance of the rule; variables in `wanted`
    /// have a value then.
    pub(in crate::lint) fn join(
        &self,
        rule: usize,
        wanted: &[u32],
        steps: &mut u64,
        found: &mut Found<'_, 'm>,
    ) -> Result<(), TooMuch> {
        let mut values = vec![None; self.rules[rule].variables.len()];
        let mut open: Vec<usize> = (0..self.rules[rule].body.len()).collect();
        let residue = &self.rules[rule].residue;
        self.extend(rule, &mut open, residue, wanted, &mut values, steps, found)
            .map(|_| ())
    }

    /// True if some choice of values satisfies these literals of the body and
    /// these formulas of the residue.
    pub(in crate::lint) fn some(
        &self,
        rule: usize,
        literals: &[usize],
        residue: &[&Formula],
        steps: &mut u64,
    ) -> Result<bool, TooMuch> {
        let body = &self.rules[rule].body;
        if literals.iter().any(|l| self.nothing(body[*l].relation)) {
            return Ok(false);
        }
        let mut open: Vec<usize> = literals.to_vec();
        open.retain(|literal| !self.anything(body[*literal].relation));
        let wanted: Vec<u32> = match residue.is_empty() {
            true => Vec::new(),
            false => (0..self.rules[rule].arity as u32).collect(),
        };
        let mut values = vec![None; self.rules[rule].variables.len()];
        let mut some = false;
        let found: &mut Found<'_, 'm> = &mut |_, _, _| {
            some = true;
            Ok(false)
        };
        self.extend(rule, &mut open, residue, &wanted, &mut values, steps, found)?;
        Ok(some)
    }

    /// Calls `found` for every way to satisfy the first `literals` of the body
    /// with the given values, whatever the residue says.
    pub(in crate::lint) fn join_literals(
        &self,
        rule: usize,
        literals: usize,
        values: &mut [Option<ObjectId>],
        steps: &mut u64,
        found: &mut Found<'_, 'm>,
    ) -> Result<(), TooMuch> {
        let mut open: Vec<usize> = (0..literals).collect();
        self.extend(rule, &mut open, &[], &[], values, steps, found)
            .map(|_| ())
    }

    /// Calls `found` for every way to satisfy the atoms.
    pub(in crate::lint) fn join_atoms(
        &self,
        rule: usize,
        atoms: &[&crate::model::Atom],
        values: &mut [Option<ObjectId>],
        steps: &mut u64,
        found: &mut Found<'_, 'm>,
    ) -> Result<bool, TooMuch> {
        let Some((atom, rest)) = atoms.split_first() else {
            return found(self, values, steps);
        };
        let literal = Literal {
            relation: self.predicate(atom.predicate),
            terms: atom.arguments.clone(),
            span: atom.span,
        };
        self.each_match(rule, &literal, values, steps, &mut |this, values, steps| {
            this.join_atoms(rule, rest, values, steps, found)
        })
    }

    #[allow(clippy::too_many_arguments)] // one recursion, its whole state
    fn extend(
        &self,
        rule: usize,
        open: &mut Vec<usize>,
        residue: &[&Formula],
        wanted: &[u32],
        values: &mut [Option<ObjectId>],
        steps: &mut u64,
        found: &mut Found<'_, 'm>,
    ) -> Result<bool, TooMuch> {
        // Choosing costs a look at each open literal.
        *steps += open.len().min(CHOICES) as u64;
        let body = &self.rules[rule].body;
        let Some(place) = self.next_literal(body, open, values) else {
            return self.each_value(rule, wanted, values, steps, &mut |this, values, steps| {
                let holds = residue.iter().try_fold(true, |so_far, formula| {
                    Ok(so_far && this.may_hold(rule, formula, true, values, steps)?)
                })?;
                match holds {
                    true => found(this, values, steps),
                    false => Ok(true),
                }
            });
        };
        let literal = &body[open[place]];
        let index = open.swap_remove(place);
        let result = self.each_match(rule, literal, values, steps, &mut |this, values, steps| {
            this.extend(rule, open, residue, wanted, values, steps, found)
        });
        open.push(index);
        let last = open.len() - 1;
        open.swap(place, last);
        result
    }

    /// The open literal with the fewest candidates.
    fn next_literal(
        &self,
        body: &[Literal],
        open: &[usize],
        values: &[Option<ObjectId>],
    ) -> Option<usize> {
        // A long list (an initial network) is taken from its end.
        let from = open.len().saturating_sub(CHOICES);
        (from..open.len()).min_by_key(|place| self.candidates(&body[open[*place]], values).0)
    }

    /// How many tuples may match, and on which column to look them up.
    fn candidates(
        &self,
        literal: &Literal,
        values: &[Option<ObjectId>],
    ) -> (usize, Option<(usize, ObjectId)>) {
        let relation = self.relation(literal.relation);
        let mut best = (relation.len(), None);
        for (column, term) in literal.terms.iter().enumerate() {
            if let Some(object) = value(term, values) {
                let count = relation.with(column, object).len();
                if count < best.0 || best.1.is_none() {
                    best = (count, Some((column, object)));
                }
            }
        }
        best
    }

    /// Binds the literal's variables in every way that matches a tuple.
    fn each_match(
        &self,
        rule: usize,
        literal: &Literal,
        values: &mut [Option<ObjectId>],
        steps: &mut u64,
        then: &mut Found<'_, 'm>,
    ) -> Result<bool, TooMuch> {
        let relation = self.relation(literal.relation);
        let (count, column) = self.candidates(literal, values);
        for candidate in 0..count {
            *steps += 1;
            if *steps > self.limit {
                return Err(TooMuch);
            }
            let tuple = match column {
                Some((column, object)) => {
                    relation.tuple(relation.with(column, object)[candidate] as usize)
                }
                None => relation.tuple(candidate),
            };
            let mut bound: Vec<usize> = Vec::new();
            let mut matches = true;
            for (term, object) in literal.terms.iter().zip(tuple) {
                match (value(term, values), term) {
                    (Some(value), _) => matches &= value == *object,
                    (None, Term::Variable(id)) => {
                        matches &= self.admitted[rule][id.index()]
                            .binary_search(object)
                            .is_ok();
                        values[id.index()] = Some(*object);
                        bound.push(id.index());
                    }
                    (None, Term::Object(_)) => {}
                }
                if !matches {
                    break;
                }
            }
            let go_on = !matches || then(self, values, steps)?;
            for id in bound {
                values[id] = None;
            }
            if !go_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives every listed variable without a value each of its values.
    pub(in crate::lint) fn each_value(
        &self,
        rule: usize,
        variables: &[u32],
        values: &mut [Option<ObjectId>],
        steps: &mut u64,
        then: &mut Found<'_, 'm>,
    ) -> Result<bool, TooMuch> {
        let Some((first, rest)) = variables.split_first() else {
            return then(self, values, steps);
        };
        let id = *first as usize;
        if values[id].is_some() {
            return self.each_value(rule, rest, values, steps, then);
        }
        for object in &self.admitted[rule][id] {
            *steps += 1;
            if *steps > self.limit {
                return Err(TooMuch);
            }
            values[id] = Some(*object);
            if !self.each_value(rule, rest, values, steps, then)? {
                values[id] = None;
                return Ok(false);
            }
        }
        values[id] = None;
        Ok(true)
    }

    /// True unless the formula (or, if not `positive`, its negation) is known
    /// to fail: facts that change may be false, and are true if reachable.
    pub(in crate::lint) fn may_hold(
        &self,
        rule: usize,
        formula: &Formula,
        positive: bool,
        values: &mut [Option<ObjectId>],
        steps: &mut u64,
    ) -> Result<bool, TooMuch> {
        *steps += 1;
        if *steps > self.limit {
            return Err(TooMuch);
        }
        let mut all = |this: &Self, parts: &[Formula], values: &mut [Option<ObjectId>], p: bool| {
            for part in parts {
                if !this.may_hold(rule, part, p, values, steps)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match (formula, positive) {
            (Formula::True, positive) => Ok(positive),
            (Formula::Atom(atom), positive) => {
                let relation = self.predicate(atom.predicate);
                let holds = self.anything(relation)
                    || (self.relation(relation)).contains(&ground(&atom.arguments, values));
                Ok(match positive {
                    true => holds,
                    false => !holds || self.changing[atom.predicate.index()],
                })
            }
            (Formula::Equal(a, b), positive) => {
                Ok((value(a, values) == value(b, values)) == positive)
            }
            // Values are not followed here: a comparison may hold.
            (Formula::Compare(_), _) => Ok(true),
            (Formula::Not(body), positive) => self.may_hold(rule, body, !positive, values, steps),
            (Formula::And(parts), true) => all(self, parts, values, true),
            (Formula::Or(parts), false) => all(self, parts, values, false),
            (Formula::And(parts), false) | (Formula::Or(parts), true) => {
                for part in parts {
                    if self.may_hold(rule, part, positive, values, steps)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            (Formula::Imply(a, b), true) => Ok(self.may_hold(rule, a, false, values, steps)?
                || self.may_hold(rule, b, true, values, steps)?),
            (Formula::Imply(a, b), false) => Ok(self.may_hold(rule, a, true, values, steps)?
                && self.may_hold(rule, b, false, values, steps)?),
            (Formula::Forall(ids, body), positive) | (Formula::Exists(ids, body), positive) => {
                let ids: Vec<u32> = ids.iter().map(|id| id.0).collect();
                // For all values, or for one: end at the first that decides.
                let for_all = matches!(formula, Formula::Forall(..)) == positive;
                let mut decided = false;
                self.each_value(rule, &ids, values, steps, &mut |this, values, steps| {
                    let holds = this.may_hold(rule, body, positive, values, steps)?;
                    decided |= holds != for_all;
                    Ok(!decided)
                })?;
                Ok(for_all != decided)
            }
        }
    }
}

fn value(term: &Term, values: &[Option<ObjectId>]) -> Option<ObjectId> {
    match term {
        Term::Object(object) => Some(*object),
        Term::Variable(id) => values[id.index()],
    }
}
