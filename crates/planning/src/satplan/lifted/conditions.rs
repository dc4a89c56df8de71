//! Conditions as clauses.
//!
//! An atom over arguments is never multiplied out beyond what may hold: its
//! possible facts are a trie over the arguments' values, and a clause for each
//! inner node says how the tuple goes on.

use planoku_constraints::cnf::Lit;
use planoku_engine::{Run, Stop};

use super::domain::{Domain, has, product};
use super::encode::Encoding;
use super::facts::{FactId, Facts};
use super::schema::{Condition, Pattern, Slot, Variables};
use super::vars::{Argument, Terms};
use crate::model::Formula;

impl Encoding<'_, '_, '_> {
    /// If `lit` holds, a variable has one of the values of its domain.
    pub(super) fn one_of(&mut self, lit: Lit, terms: Terms<'_>, variable: usize) {
        let Some(argument) = terms.arguments[variable] else {
            return;
        };
        let mut clause = vec![!lit];
        for &object in terms.domains[variable].iter() {
            clause.push(self.vars.is(argument, object, &mut self.formula));
        }
        self.formula.add(&clause);
    }

    /// If `lit` holds, two arguments are the same, or not.
    pub(super) fn same(
        &mut self,
        lit: Lit,
        a: (Argument, &Domain),
        b: (Argument, &Domain),
        same: bool,
    ) {
        for &object in a.1.iter() {
            let Some(is_a) = self.is(a, object) else {
                continue;
            };
            match (self.is(b, object), same) {
                (Some(is_b), true) => self.formula.add(&[!lit, !is_a, is_b]),
                (None, true) => self.formula.add(&[!lit, !is_a]),
                (Some(is_b), false) => self.formula.add(&[!lit, !is_a, !is_b]),
                (None, false) => {}
            }
        }
    }

    /// The literal that says that an argument is this object; `None` if it
    /// cannot be.
    pub(super) fn is(&mut self, argument: (Argument, &Domain), object: u32) -> Option<Lit> {
        match argument {
            (_, domain) if !has(domain, object) => None,
            (Some(variable), _) => Some(self.vars.is(variable, object, &mut self.formula)),
            (None, _) => Some(self.formula.yes()),
        }
    }

    /// If `lit` holds, so does the condition now.
    pub(super) fn require(
        &mut self,
        lit: Lit,
        condition: &Condition<'_>,
        variables: &Variables,
        terms: Terms<'_>,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        if condition.never {
            self.formula.add(&[!lit]);
        }
        for &(a, b, same) in &condition.equal {
            let (a, b) = (terms.domain(a), terms.domain(b));
            self.same(lit, (a.0, &a.1), (b.0, &b.1), same);
        }
        for atom in &condition.atoms {
            self.atom(lit, atom, terms, run)?;
        }
        for atom in &condition.none {
            self.no_atom(lit, atom, terms, run)?;
        }
        for &(formula, positive) in &condition.others {
            let mut of = Own {
                arguments: terms.arguments.to_vec(),
                domains: terms.domains.to_vec(),
            };
            self.formula_of(lit, formula, positive, variables, &mut of, run)?;
        }
        Ok(())
    }

    /// If `lit` holds, so does the atom.
    fn atom(
        &mut self,
        lit: Lit,
        atom: &Pattern,
        terms: Terms<'_>,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let mut found = std::mem::take(&mut self.found);
        let facts: &Facts = self.tree.facts;
        run.effort(facts.find(atom, terms.domains, &mut found))?;
        found.retain(|&it| self.version[it as usize] != self.formula.no());
        // Places whose value is open, each variable once.
        let mut places: Vec<(usize, u32)> = Vec::new();
        for (place, slot) in atom.terms.iter().enumerate() {
            if let Slot::Variable(variable) = *slot
                && let Some(argument) = terms.arguments[variable]
                && places.iter().all(|(_, it)| *it != argument)
            {
                places.push((place, argument));
            }
        }
        let mut rows: Vec<(Vec<u32>, FactId)> = found
            .iter()
            .map(|&it| {
                let objects = facts.arguments(it);
                (
                    places.iter().map(|(place, _)| objects[*place]).collect(),
                    it,
                )
            })
            .collect();
        rows.sort_unstable();
        let variables: Vec<u32> = places.iter().map(|(_, it)| *it).collect();
        self.trie(&mut vec![!lit], &variables, 0, &rows, run)?;
        // Seen from the other end, too, what does not fit is excluded at once.
        if let [first, second] = variables[..] {
            for (objects, _) in &mut rows {
                objects.swap(0, 1);
            }
            rows.sort_unstable();
            self.supports(lit, second, first, &rows);
        }
        self.found = found;
        self.listen(run)
    }

    /// A clause for each inner node of a trie, and one for each fact that may
    /// be missing.
    fn trie(
        &mut self,
        path: &mut Vec<Lit>,
        variables: &[u32],
        depth: usize,
        rows: &[(Vec<u32>, FactId)],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let Some(&variable) = variables.get(depth) else {
            // No two facts have the same arguments.
            let holds: Vec<Lit> = rows
                .iter()
                .map(|(_, it)| self.version[*it as usize])
                .collect();
            self.formula.add_with(path, &holds);
            return self.listen(run);
        };
        let same = |a: &(Vec<u32>, FactId), b: &(Vec<u32>, FactId)| a.0[depth] == b.0[depth];
        let mut next = Vec::new();
        for part in rows.chunk_by(same) {
            let object = part[0].0[depth];
            next.push(self.vars.is(variable, object, &mut self.formula));
        }
        self.formula.add_with(path, &next);
        for (part, is) in rows.chunk_by(same).zip(next) {
            path.push(!is);
            self.trie(path, variables, depth + 1, part, run)?;
            path.pop();
        }
        Ok(())
    }

    /// Which values of the second variable go with each of the first.
    fn supports(&mut self, lit: Lit, first: u32, second: u32, rows: &[(Vec<u32>, FactId)]) {
        for part in rows.chunk_by(|a, b| a.0[0] == b.0[0]) {
            let mut clause = vec![!lit, !self.vars.is(first, part[0].0[0], &mut self.formula)];
            for (objects, _) in part {
                clause.push(self.vars.is(second, objects[1], &mut self.formula));
            }
            self.formula.add(&clause);
        }
    }

    /// If `lit` holds, the atom does not.
    fn no_atom(
        &mut self,
        lit: Lit,
        atom: &Pattern,
        terms: Terms<'_>,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let mut found = std::mem::take(&mut self.found);
        let facts: &Facts = self.tree.facts;
        run.effort(facts.find(atom, terms.domains, &mut found))?;
        for &fact in &found {
            let holds = self.version[fact as usize];
            if holds != self.formula.no() {
                let mut clause = vec![!lit, !holds];
                let objects = facts.arguments(fact);
                for (slot, &object) in atom.terms.iter().zip(objects) {
                    if let Slot::Variable(variable) = *slot
                        && let Some(argument) = terms.arguments[variable]
                    {
                        clause.push(!self.vars.is(argument, object, &mut self.formula));
                    }
                }
                self.formula.add(&clause);
            }
        }
        self.found = found;
        self.listen(run)
    }

    /// If `lit` holds, so does a formula, or its opposite.
    fn formula_of(
        &mut self,
        lit: Lit,
        formula: &Formula,
        positive: bool,
        variables: &Variables,
        of: &mut Own,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        self.listen(run)?;
        run.effort(1)?;
        match (formula, positive) {
            (Formula::True, true) => {}
            (Formula::True, false) | (Formula::Compare(_), _) => self.formula.add(&[!lit]),
            (Formula::Atom(atom), true) => {
                self.atom(lit, &Pattern::of(atom), of.terms(), run)?;
            }
            (Formula::Atom(atom), false) => {
                self.no_atom(lit, &Pattern::of(atom), of.terms(), run)?;
            }
            (Formula::Equal(a, b), same) => {
                let terms = of.terms();
                let (a, b) = (terms.domain(Slot::of(*a)), terms.domain(Slot::of(*b)));
                self.same(lit, (a.0, &a.1), (b.0, &b.1), same);
            }
            (Formula::Not(body), _) => {
                self.formula_of(lit, body, !positive, variables, of, run)?;
            }
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                for part in parts {
                    self.formula_of(lit, part, positive, variables, of, run)?;
                }
            }
            (Formula::And(parts), false) | (Formula::Or(parts), true) => {
                let lits: Vec<Lit> = parts.iter().map(|_| self.formula.new_lit()).collect();
                self.formula.add_with(&[!lit], &lits);
                for (part, lit) in parts.iter().zip(lits) {
                    self.formula_of(lit, part, positive, variables, of, run)?;
                }
            }
            (Formula::Imply(a, b), true) => {
                let (not_a, then_b) = (self.formula.new_lit(), self.formula.new_lit());
                self.formula.add(&[!lit, not_a, then_b]);
                self.formula_of(not_a, a, false, variables, of, run)?;
                self.formula_of(then_b, b, true, variables, of, run)?;
            }
            (Formula::Imply(a, b), false) => {
                self.formula_of(lit, a, true, variables, of, run)?;
                self.formula_of(lit, b, false, variables, of, run)?;
            }
            (Formula::Forall(bound, body), true) | (Formula::Exists(bound, body), false) => {
                let domains: Vec<Domain> = bound
                    .iter()
                    .map(|it| variables.ranges[it.index()].clone())
                    .collect();
                product(&domains, |objects| {
                    for (variable, &object) in bound.iter().zip(objects) {
                        of.arguments[variable.index()] = None;
                        of.domains[variable.index()] = [object].into();
                    }
                    self.formula_of(lit, body, positive, variables, of, run)
                })?;
            }
            (Formula::Exists(bound, body), true) | (Formula::Forall(bound, body), false) => {
                for variable in bound {
                    let range = variables.ranges[variable.index()].clone();
                    if range.is_empty() {
                        self.formula.add(&[!lit]);
                        return Ok(());
                    }
                    let open = range.len() > 1;
                    of.arguments[variable.index()] = open.then(|| self.vars.fresh());
                    of.domains[variable.index()] = range;
                    self.one_of(lit, of.terms(), variable.index());
                }
                self.formula_of(lit, body, positive, variables, of, run)?;
            }
        }
        Ok(())
    }
}

/// Arguments on the way down into a formula.
struct Own {
    arguments: Vec<Argument>,
    domains: Vec<Domain>,
}

impl Own {
    fn terms(&self) -> Terms<'_> {
        Terms {
            arguments: &self.arguments,
            domains: &self.domains,
        }
    }
}
