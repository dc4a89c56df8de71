//! The clauses a DRAT proof has so far, and what unit propagation says of them.
//!
//! Written for the judge alone. Literals forced at the top stay assigned for
//! good (deletions that would free them are passed over), so the trail has a
//! fixed bottom and a part that one check puts on top and takes off again.
//! Each clause of two or more literals is found through two of them that are
//! not false, if it has two.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::literal::{Lit, Var};
use super::steps::Interrupt;

/// What became of a deletion.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Done,
    /// The clause forces a literal, and stays.
    Kept,
    /// There is no such clause.
    Missing,
}

pub(super) struct Clauses {
    clauses: Vec<Option<Box<[Lit]>>>,
    /// Numbers of clauses by a hash of their sorted literals.
    by_content: HashMap<u64, Vec<u32>>,
    /// By literal: the clauses to look at when it becomes false.
    watching: Vec<Vec<u32>>,
    /// By literal: is it true?
    is_true: Vec<bool>,
    trail: Vec<Lit>,
    /// How much of the trail has been propagated.
    done: usize,
    /// By variable: the clause that forces it for good.
    forced_by: Vec<Option<u32>>,
    /// The clauses contradict each other by propagation alone.
    refuted: bool,
    /// Variables that only the proof names, renamed to follow the formula's,
    /// so that memory depends on the proof's length and not on its numbers.
    renamed: HashMap<Var, Var>,
    vars_of_formula: usize,
}

impl Clauses {
    pub fn new(vars: usize) -> Clauses {
        Clauses {
            clauses: Vec::new(),
            by_content: HashMap::new(),
            watching: vec![Vec::new(); 2 * vars],
            is_true: vec![false; 2 * vars],
            trail: Vec::new(),
            done: 0,
            forced_by: vec![None; vars],
            refuted: false,
            renamed: HashMap::new(),
            vars_of_formula: vars,
        }
    }

    /// Adds a clause and everything that propagates from it, for good.
    pub fn add(&mut self, clause: &[Lit]) {
        let mut lits: Vec<Lit> = self.local(clause);
        lits.sort_unstable();
        lits.dedup();
        let number = self.clauses.len() as u32;
        self.by_content
            .entry(content(&lits))
            .or_default()
            .push(number);
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            self.clauses.push(Some(lits.into())); // a tautology says nothing
            return;
        }
        // Literals that are not false come first: those are watched.
        lits.sort_by_key(|lit| self.is_true[(!*lit).index()]);
        let open = lits
            .iter()
            .filter(|lit| !self.is_true[(!**lit).index()])
            .count();
        for &lit in lits.iter().take(2) {
            if lits.len() >= 2 {
                self.watching[lit.index()].push(number);
            }
        }
        let first = lits.first().copied();
        self.clauses.push(Some(lits.into()));
        match (open, first) {
            (1, Some(lit)) if !self.is_true[lit.index()] => {
                self.force(lit, number);
                self.settle();
            }
            (0, _) => self.refuted = true,
            _ => {}
        }
    }

    /// Makes a literal true for good.
    fn force(&mut self, lit: Lit, by: u32) {
        self.is_true[lit.index()] = true;
        self.forced_by[lit.var().index()] = Some(by);
        self.trail.push(lit);
    }

    /// Propagates for good.
    fn settle(&mut self) {
        self.refuted |= self.propagate(true);
    }

    /// Forgets a clause, unless it forces a literal.
    pub fn delete(&mut self, clause: &[Lit]) -> Effect {
        let mut lits = self.local(clause);
        lits.sort_unstable();
        lits.dedup();
        let key = content(&lits);
        let same = |number: &u32| {
            let mut other = self.clauses[*number as usize].clone().unwrap_or_default();
            other.sort_unstable();
            *other == *lits
        };
        let Some(numbers) = self.by_content.get(&key) else {
            return Effect::Missing;
        };
        let Some(at) = numbers.iter().rposition(same) else {
            return Effect::Missing;
        };
        let number = numbers[at];
        let forces = |lit: &Lit| self.forced_by[lit.var().index()] == Some(number);
        if lits.iter().any(forces) {
            return Effect::Kept;
        }
        self.clauses[number as usize] = None; // watchers notice when they look
        if let Some(numbers) = self.by_content.get_mut(&key) {
            numbers.swap_remove(at);
        }
        Effect::Done
    }

    /// Does assuming every literal false run into a contradiction?
    pub fn is_rup(&mut self, clause: &[Lit]) -> bool {
        let bottom = self.trail.len();
        let lits = self.local(clause);
        let contradiction = self.refuted || self.assume_false(&lits) || self.propagate(false);
        self.undo(bottom);
        contradiction
    }

    /// Does the same hold for every resolvent on the first literal?
    pub fn is_rat<I: Interrupt>(
        &mut self,
        clause: &[Lit],
        interrupt: &mut I,
    ) -> Result<bool, I::Stop> {
        let lits = self.local(clause);
        let Some(&pivot) = lits.first() else {
            return Ok(false);
        };
        let bottom = self.trail.len();
        if self.assume_false(&lits) || self.propagate(false) {
            self.undo(bottom);
            return Ok(true);
        }
        let base = self.trail.len();
        let mut all = true;
        for number in 0..self.clauses.len() {
            if let Err(stop) = if number % 4096 == 0 {
                interrupt.pause()
            } else {
                Ok(())
            } {
                self.undo(bottom);
                return Err(stop);
            }
            let Some(other) = self.clauses[number].as_deref() else {
                continue;
            };
            if !other.contains(&!pivot) {
                continue;
            }
            let rest: Vec<Lit> = other.iter().copied().filter(|lit| *lit != !pivot).collect();
            all = self.assume_false(&rest) || self.propagate(false);
            self.undo(base);
            if !all {
                break;
            }
        }
        self.undo(bottom);
        Ok(all)
    }

    /// Makes literals false; true if one of them is already true.
    fn assume_false(&mut self, lits: &[Lit]) -> bool {
        for &lit in lits {
            if self.is_true[lit.index()] {
                return true;
            }
            if !self.is_true[(!lit).index()] {
                self.is_true[(!lit).index()] = true;
                self.trail.push(!lit);
            }
        }
        false
    }

    /// Takes back everything above `bottom`, which had been propagated.
    fn undo(&mut self, bottom: usize) {
        for lit in self.trail.drain(bottom..) {
            self.is_true[lit.index()] = false;
        }
        self.done = self.done.min(bottom);
    }

    /// Draws every consequence of the trail; true on a contradiction.
    fn propagate(&mut self, for_good: bool) -> bool {
        while let Some(&lit) = self.trail.get(self.done) {
            self.done += 1;
            let falsified = !lit;
            let mut watchers = std::mem::take(&mut self.watching[falsified.index()]);
            let mut contradiction = false;
            watchers.retain(|&number| {
                contradiction || {
                    let look = self.look(number, falsified);
                    match look {
                        Look::Elsewhere => false,
                        Look::Stay => true,
                        Look::Unit(lit) => {
                            self.is_true[lit.index()] = true;
                            self.trail.push(lit);
                            if for_good {
                                self.forced_by[lit.var().index()] = Some(number);
                            }
                            true
                        }
                        Look::Contradiction => {
                            contradiction = true;
                            true
                        }
                    }
                }
            });
            self.watching[falsified.index()] = watchers;
            if contradiction {
                self.done = self.trail.len();
                return true;
            }
        }
        false
    }

    /// A watched literal of the clause has become false.
    fn look(&mut self, number: u32, falsified: Lit) -> Look {
        let Some(clause) = self.clauses[number as usize].as_deref_mut() else {
            return Look::Elsewhere; // deleted
        };
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        debug_assert_eq!(clause[1], falsified);
        let other = clause[0];
        if self.is_true[other.index()] {
            return Look::Stay;
        }
        for nth in 2..clause.len() {
            if !self.is_true[(!clause[nth]).index()] {
                clause.swap(1, nth);
                self.watching[clause[1].index()].push(number);
                return Look::Elsewhere;
            }
        }
        if self.is_true[(!other).index()] {
            Look::Contradiction
        } else {
            Look::Unit(other)
        }
    }

    /// The literals with the proof's own variables renamed.
    fn local(&mut self, clause: &[Lit]) -> Vec<Lit> {
        let formula = self.vars_of_formula;
        let rename = |lit: &Lit| {
            if lit.var().index() < formula {
                return *lit;
            }
            let next = Var::new(formula + self.renamed.len());
            let var = *self.renamed.entry(lit.var()).or_insert(next);
            if var.index() >= self.forced_by.len() {
                self.forced_by.push(None);
                self.watching.extend([Vec::new(), Vec::new()]);
                self.is_true.extend([false, false]);
            }
            var.is(lit.is_positive())
        };
        clause.iter().map(rename).collect()
    }
}

/// What a clause does when a watched literal becomes false.
enum Look {
    /// Another literal is watched now, or the clause is gone.
    Elsewhere,
    /// It is satisfied.
    Stay,
    /// Its last literal must be true.
    Unit(Lit),
    /// No literal is left.
    Contradiction,
}

/// A hash of sorted literals.
fn content(sorted: &[Lit]) -> u64 {
    let mut hasher = DefaultHasher::new();
    sorted.hash(&mut hasher);
    hasher.finish()
}
