//! What is left of arguments when a condition is looked at in the light of
//! what may hold.

use planoku_engine::{Run, Stop};

use super::domain::{Domain, both, has};
use super::facts::FactId;
use super::schema::{Condition, Pattern, Slot, Variables};
use super::tree::Tree;

/// Rounds in which the conditions of one schema narrow its domains.
const ROUNDS: usize = 4;

impl Tree<'_, '_> {
    /// What is left of domains by a condition on what may hold now; `None` if
    /// nothing is. Notes which facts were asked for.
    pub(super) fn narrow(
        &mut self,
        condition: &Condition<'_>,
        variables: &Variables,
        mut domains: Vec<Domain>,
        run: &mut Run<'_>,
    ) -> Result<Option<Vec<Domain>>, Stop> {
        let chosen = |domains: &[Domain]| {
            let mut all = domains.iter().zip(&variables.chosen);
            all.all(|(domain, chosen)| !chosen || !domain.is_empty())
        };
        if condition.never || !chosen(&domains) {
            return Ok(None);
        }
        let before: Vec<usize> = domains.iter().map(|it| it.len()).collect();
        let mut found = std::mem::take(&mut self.found);
        let mut fits = true;
        for _ in 0..ROUNDS {
            let mut changed = false;
            for &(a, b, same) in &condition.equal {
                changed |= equate(a, b, same, &mut domains);
            }
            for atom in &condition.atoms {
                run.effort(1 + self.facts.find(atom, &domains, &mut found))?;
                fits &= !found.is_empty();
                for place in 0..atom.terms.len() {
                    changed |= self.keep(atom, place, &found, &mut domains);
                }
                found
                    .iter()
                    .for_each(|&it| self.facts.ask(it, true, self.now));
            }
            fits &= chosen(&domains);
            if !changed || !fits {
                break;
            }
        }
        if fits {
            for atom in &condition.none {
                run.effort(self.facts.find(atom, &domains, &mut found))?;
                let one = atom.terms.iter().all(|it| it.domain(&domains).len() == 1);
                fits &= !(one && found.iter().any(|&it| self.facts.is_certain(it)));
                found
                    .iter()
                    .for_each(|&it| self.facts.ask(it, false, self.now));
            }
            for &(formula, positive) in &condition.others {
                crate::model::visit::atoms(formula, positive, &mut |atom, _| {
                    self.facts.ask_any(atom.predicate.index(), self.now);
                });
            }
        }
        self.found = found;
        let less = |(domain, before): (&Domain, &usize)| domain.len() < *before;
        self.changed |= domains.iter().zip(&before).any(less);
        Ok(fits.then_some(domains))
    }

    /// Keeps of a variable what one of these facts has in its place; true if
    /// that is less than before.
    fn keep(
        &mut self,
        atom: &Pattern,
        place: usize,
        found: &[FactId],
        domains: &mut [Domain],
    ) -> bool {
        let Slot::Variable(variable) = atom.terms[place] else {
            return false;
        };
        let domain = &domains[variable];
        if domain.len() == 1 && !found.is_empty() {
            return false;
        }
        self.stamp += 1;
        for &fact in found {
            self.seen[self.facts.arguments(fact)[place] as usize] = self.stamp;
        }
        let seen = |it: &u32| self.seen[*it as usize] == self.stamp;
        let left: Vec<u32> = domain.iter().copied().filter(seen).collect();
        if left.len() == domain.len() {
            return false;
        }
        domains[variable] = left.into();
        true
    }
}

/// Makes two terms the same, or not; true if that changed a domain.
fn equate(a: Slot, b: Slot, same: bool, domains: &mut [Domain]) -> bool {
    let (of_a, of_b) = (a.domain(domains), b.domain(domains));
    let (new_a, new_b) = match same {
        true => {
            let common = both(&of_a, &of_b);
            (common.clone(), common)
        }
        false => (without(&of_a, &of_b), without(&of_b, &of_a)),
    };
    let changed = new_a.len() < of_a.len() || new_b.len() < of_b.len();
    for (slot, new) in [(a, new_a), (b, new_b)] {
        if let Slot::Variable(variable) = slot {
            domains[variable] = new;
        }
    }
    changed
}

/// What is left of a domain if its value is not that of another.
fn without(domain: &Domain, other: &Domain) -> Domain {
    match other[..] {
        [only] if has(domain, only) => domain.iter().copied().filter(|it| *it != only).collect(),
        _ => domain.clone(),
    }
}
