//! A small conflict-driven search that writes down why it is right.
//!
//! The usual parts, each as plain as it gets: two watched literals, first
//! unique implication point learning with minimisation, activities that decay
//! (VSIDS), saved phases, Luby restarts, and learned clauses forgotten by
//! their number of levels (LBD). Every learned clause goes to a [`ProofLog`] with
//! the clauses it follows from; so the search costs little more than one that
//! keeps no record, and its answer need not be believed.
//!
//! For LRAT, every literal fixed at the top becomes a unit lemma of its own.
//! A lemma's hints are then the clauses that forced the variables met while
//! resolving, in the order of the trail, and last the clause in conflict.

use planoku_engine::{Run, Stop};

use super::ProofLog;
use crate::cnf::{Cnf, Lit};

mod order;
use order::Order;

/// How the search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Satisfiable; here is how, by variable.
    Satisfied(Vec<bool>),
    /// Unsatisfiable; the log ends with the empty clause.
    Refuted,
}

/// Decides a formula, logging a proof if it cannot be satisfied. A node is a
/// conflict. If the run stops first, the log is worth nothing.
pub fn search(cnf: &Cnf, log: &mut impl ProofLog, run: &mut Run<'_>) -> Result<Verdict, Stop> {
    let mut search = Search::new(cnf, log);
    if search.load(cnf, run)? {
        search.solve(run)
    } else {
        Ok(Verdict::Refuted)
    }
}

/// An index into [`Search::clauses`].
type ClauseRef = u32;

struct Clause {
    lits: Box<[Lit]>,
    /// In the proof.
    number: u64,
    /// Distinct levels when it was learned; 0 for a clause of the formula.
    levels: u32,
    deleted: bool,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseRef,
    /// Another literal of the clause; if it is true there is nothing to do.
    other: Lit,
}

/// Why a variable has its value.
#[derive(Clone, Copy)]
enum Reason {
    Choice,
    Clause(ClauseRef),
    /// Fixed at the top by the unit clause of this number.
    Unit(u64),
}

#[derive(Clone, Copy)]
struct Assigned {
    level: u32,
    /// Where on the trail.
    place: u32,
    reason: Reason,
}

struct Search<'l, L> {
    log: &'l mut L,
    next_number: u64,
    clauses: Vec<Clause>,
    learned: Vec<ClauseRef>,
    watches: Vec<Vec<Watch>>,
    /// By literal.
    is_true: Vec<bool>,
    assigned: Vec<Assigned>,
    trail: Vec<Lit>,
    /// Where each level begins on the trail.
    levels: Vec<u32>,
    propagated: usize,
    order: Order,
    phase: Vec<bool>,
    seen: Vec<bool>,
    /// Conflicts so far, and when to forget next.
    conflicts: u64,
    forget_at: u64,
    forgotten: u64,
}

/// Conflicts in one unit of the restart sequence.
const RESTART_UNIT: u64 = 64;
/// Conflicts before learned clauses are first forgotten, and how much later
/// each time after.
const FORGET_FIRST: u64 = 2_000;
const FORGET_MORE: u64 = 500;
/// Learned clauses of so few levels are kept for good.
const PRECIOUS_LEVELS: u32 = 2;

impl<'l, L: ProofLog> Search<'l, L> {
    fn new(cnf: &Cnf, log: &'l mut L) -> Search<'l, L> {
        let vars = cnf.vars();
        let unassigned = Assigned {
            level: 0,
            place: 0,
            reason: Reason::Choice,
        };
        Search {
            log,
            next_number: cnf.len() as u64 + 1,
            clauses: Vec::with_capacity(cnf.len()),
            learned: Vec::new(),
            watches: vec![Vec::new(); 2 * vars],
            is_true: vec![false; 2 * vars],
            assigned: vec![unassigned; vars],
            trail: Vec::with_capacity(vars),
            levels: Vec::new(),
            propagated: 0,
            order: Order::new(vars),
            phase: vec![false; vars],
            seen: vec![false; vars],
            conflicts: 0,
            forget_at: FORGET_FIRST,
            forgotten: 0,
        }
    }

    /// Takes in the formula; false if it is refuted on the way.
    fn load(&mut self, cnf: &Cnf, run: &mut Run<'_>) -> Result<bool, Stop> {
        let mut lits = Vec::new();
        for (number, clause) in (1..).zip(cnf.clauses()) {
            if number % 4096 == 0 {
                run.check()?;
            }
            lits.clear();
            lits.extend_from_slice(clause);
            lits.sort_unstable();
            lits.dedup();
            if lits.windows(2).any(|pair| pair[0] == !pair[1]) {
                continue; // a tautology
            }
            match lits[..] {
                [] => return Ok(self.refute(&[number])),
                [unit] if self.is_false(unit) => {
                    let Reason::Unit(opposite) = self.reason(unit) else {
                        unreachable!("only units are assigned while loading");
                    };
                    return Ok(self.refute(&[opposite, number]));
                }
                [unit] if self.is_true(unit) => {}
                [unit] => self.assign(unit, Reason::Unit(number)),
                _ => {
                    self.attach(&lits, number, 0);
                }
            }
        }
        Ok(true)
    }

    /// The main loop.
    fn solve(&mut self, run: &mut Run<'_>) -> Result<Verdict, Stop> {
        let (mut restarts, mut decisions) = (0, 0u64);
        let mut restart_at = RESTART_UNIT;
        loop {
            if let Some(conflict) = self.propagate() {
                run.tick()?;
                self.conflicts += 1;
                if self.levels.is_empty() {
                    self.refute_at_top(conflict);
                    return Ok(Verdict::Refuted);
                }
                self.learn(conflict);
            } else if self.conflicts >= restart_at && !self.levels.is_empty() {
                restarts += 1;
                restart_at = self.conflicts + RESTART_UNIT * luby(restarts);
                self.back_to(0);
            } else if self.conflicts >= self.forget_at {
                self.forget();
            } else if let Some(choice) = self.choose() {
                decisions += 1;
                if decisions.is_multiple_of(1024) {
                    run.check()?;
                }
                self.levels.push(self.trail.len() as u32);
                self.assign(choice, Reason::Choice);
            } else {
                let values = (0..self.phase.len()).map(|var| self.is_true[2 * var]);
                return Ok(Verdict::Satisfied(values.collect()));
            }
        }
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.is_true[lit.index()]
    }

    fn is_false(&self, lit: Lit) -> bool {
        self.is_true[(!lit).index()]
    }

    fn level(&self, lit: Lit) -> u32 {
        self.assigned[lit.var().index()].level
    }

    fn reason(&self, lit: Lit) -> Reason {
        self.assigned[lit.var().index()].reason
    }

    /// Logs a lemma and gives it the next number.
    fn lemma(&mut self, clause: &[Lit], hints: &[u64]) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        self.log.lemma(number, clause, hints);
        number
    }

    /// The end of the proof. Always false, for use as "not loaded".
    fn refute(&mut self, hints: &[u64]) -> bool {
        self.lemma(&[], hints);
        false
    }

    /// Keeps a clause of at least two literals and watches its first two.
    fn attach(&mut self, lits: &[Lit], number: u64, levels: u32) -> ClauseRef {
        let clause = self.clauses.len() as ClauseRef;
        for (watched, other) in [(lits[0], lits[1]), (lits[1], lits[0])] {
            self.watches[watched.index()].push(Watch { clause, other });
        }
        self.clauses.push(Clause {
            lits: lits.into(),
            number,
            levels,
            deleted: false,
        });
        clause
    }

    fn assign(&mut self, lit: Lit, reason: Reason) {
        self.is_true[lit.index()] = true;
        self.assigned[lit.var().index()] = Assigned {
            level: self.levels.len() as u32,
            place: self.trail.len() as u32,
            reason,
        };
        self.trail.push(lit);
    }

    /// A literal forced by a clause; at the top it becomes a unit lemma.
    fn imply(&mut self, lit: Lit, clause: ClauseRef) {
        let reason = if self.levels.is_empty() {
            let hints = self.top_hints(clause, Some(lit));
            Reason::Unit(self.lemma(&[lit], &hints))
        } else {
            Reason::Clause(clause)
        };
        self.assign(lit, reason);
    }

    /// The units that make all literals of a clause but one false, then the
    /// clause itself.
    fn top_hints(&self, clause: ClauseRef, but: Option<Lit>) -> Vec<u64> {
        let clause = &self.clauses[clause as usize];
        let others = clause.lits.iter().filter(|lit| Some(**lit) != but);
        let unit = |lit: &Lit| match self.reason(*lit) {
            Reason::Unit(number) => number,
            _ => unreachable!("only units hold at the top"),
        };
        others.map(unit).chain([clause.number]).collect()
    }

    fn refute_at_top(&mut self, conflict: ClauseRef) {
        let hints = self.top_hints(conflict, None);
        self.refute(&hints);
    }

    /// Draws every consequence of the trail; the clause in conflict, if any.
    fn propagate(&mut self) -> Option<ClauseRef> {
        while let Some(&lit) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let falsified = !lit;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let mut conflict = None;
            let (mut read, mut kept) = (0, 0);
            while read < watches.len() {
                let watch = watches[read];
                read += 1;
                watches[kept] = watch;
                kept += 1;
                if self.is_true(watch.other) {
                    continue;
                }
                let clause = &mut self.clauses[watch.clause as usize];
                if clause.deleted {
                    kept -= 1;
                    continue;
                }
                if clause.lits[0] == falsified {
                    clause.lits.swap(0, 1);
                }
                let first = clause.lits[0];
                watches[kept - 1].other = first;
                if self.is_true[first.index()] {
                    continue;
                }
                let open = |lit: &Lit| !self.is_true[(!*lit).index()];
                if let Some(nth) = clause.lits[2..].iter().position(open) {
                    clause.lits.swap(1, nth + 2);
                    let watched = clause.lits[1];
                    self.watches[watched.index()].push(Watch {
                        clause: watch.clause,
                        other: first,
                    });
                    kept -= 1;
                } else if self.is_false(first) {
                    conflict = Some(watch.clause);
                    break;
                } else {
                    self.imply(first, watch.clause);
                }
            }
            watches.copy_within(read.., kept);
            watches.truncate(kept + watches.len() - read);
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                self.propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Learns from a conflict and goes back to where the lesson applies.
    fn learn(&mut self, conflict: ClauseRef) {
        let Lesson {
            lits,
            back_to,
            levels,
            hints,
        } = self.analyse(conflict);
        let number = self.lemma(&lits, &hints);
        self.back_to(back_to);
        if let [unit] = lits[..] {
            self.assign(unit, Reason::Unit(number));
        } else {
            let clause = self.attach(&lits, number, levels);
            self.learned.push(clause);
            self.assign(lits[0], Reason::Clause(clause));
        }
        self.order.decay();
    }

    /// Resolves backwards along the trail until one literal of the current
    /// level is left: the first unique implication point.
    fn analyse(&mut self, conflict: ClauseRef) -> Lesson {
        let current = self.levels.len() as u32;
        let mut lits = vec![];
        // Variables whose reasons the proof needs.
        let mut used: Vec<u32> = Vec::new();
        let mut touched: Vec<u32> = Vec::new();
        let (mut clause, mut open, mut place) = (conflict, 0, self.trail.len());
        let pivot = loop {
            for nth in 0..self.clauses[clause as usize].lits.len() {
                let lit = self.clauses[clause as usize].lits[nth];
                let var = lit.var().index();
                if self.seen[var] {
                    continue;
                }
                self.seen[var] = true;
                touched.push(var as u32);
                match self.level(lit) {
                    0 => used.push(var as u32),
                    level => {
                        self.order.bump(lit.var());
                        if level == current {
                            open += 1;
                        } else {
                            lits.push(lit);
                        }
                    }
                }
            }
            // The latest seen literal of this level is resolved away next.
            loop {
                place -= 1;
                let lit = self.trail[place];
                if self.seen[lit.var().index()] && self.level(lit) == current {
                    break;
                }
            }
            let lit = self.trail[place];
            open -= 1;
            if open == 0 {
                break !lit;
            }
            used.push(lit.var().index() as u32);
            match self.reason(lit) {
                Reason::Clause(reason) => clause = reason,
                _ => unreachable!("a choice is the last literal of its level"),
            }
        };
        self.minimise(&mut lits, &mut used, &mut touched);
        lits.insert(0, pivot);
        for var in touched {
            self.seen[var as usize] = false;
        }
        let hints = self.hints(&mut used, conflict);
        self.finish(lits, hints)
    }

    /// Drops literals that the others imply.
    fn minimise(&mut self, lits: &mut Vec<Lit>, used: &mut Vec<u32>, touched: &mut Vec<u32>) {
        // Earliest first: what one literal needs is then already decided.
        lits.sort_by_key(|lit| self.assigned[lit.var().index()].place);
        lits.retain(|&lit| {
            let Reason::Clause(reason) = self.reason(lit) else {
                return true;
            };
            let others = &self.clauses[reason as usize].lits;
            let implied = |other: &Lit| {
                other.var() == lit.var()
                    || self.seen[other.var().index()]
                    || self.level(*other) == 0
            };
            if !others.iter().all(implied) {
                return true;
            }
            used.push(lit.var().index() as u32);
            for other in others {
                let var = other.var().index();
                if !self.seen[var] {
                    self.seen[var] = true;
                    touched.push(var as u32);
                    used.push(var as u32);
                }
            }
            false
        });
    }

    /// The numbers of the used reasons in trail order, then the conflict's.
    fn hints(&self, used: &mut [u32], conflict: ClauseRef) -> Vec<u64> {
        used.sort_by_key(|var| self.assigned[*var as usize].place);
        let number = |var: &u32| match self.assigned[*var as usize].reason {
            Reason::Unit(number) => number,
            Reason::Clause(clause) => self.clauses[clause as usize].number,
            Reason::Choice => unreachable!("a choice is never resolved away"),
        };
        let conflict = self.clauses[conflict as usize].number;
        used.iter().map(number).chain([conflict]).collect()
    }

    /// Puts a literal of the highest level below the current one second, so
    /// that the two watched literals are the last to become false.
    fn finish(&self, mut lits: Vec<Lit>, hints: Vec<u64>) -> Lesson {
        let mut back_to = 0;
        if lits.len() > 1 {
            let second = (1..lits.len()).max_by_key(|nth| self.level(lits[*nth]));
            lits.swap(1, second.expect("at least one"));
            back_to = self.level(lits[1]);
        }
        let mut levels: Vec<u32> = lits.iter().map(|lit| self.level(*lit)).collect();
        levels.sort_unstable();
        levels.dedup();
        Lesson {
            levels: levels.len() as u32,
            lits,
            back_to,
            hints,
        }
    }

    /// Takes back every level above this one.
    fn back_to(&mut self, level: u32) {
        let Some(&start) = self.levels.get(level as usize) else {
            return;
        };
        self.levels.truncate(level as usize);
        for lit in self.trail.drain(start as usize..) {
            self.is_true[lit.index()] = false;
            self.phase[lit.var().index()] = lit.is_positive();
            self.order.insert(lit.var());
        }
        self.propagated = self.trail.len();
    }

    /// The most active variable without a value, in its last phase.
    fn choose(&mut self) -> Option<Lit> {
        while let Some(var) = self.order.pop() {
            if !self.is_true(var.positive()) && !self.is_true(var.negative()) {
                return Some(var.is(self.phase[var.index()]));
            }
        }
        None
    }

    /// Forgets the half of the learned clauses that spans the most levels.
    fn forget(&mut self) {
        self.forgotten += 1;
        self.forget_at = self.conflicts + FORGET_FIRST + FORGET_MORE * self.forgotten;
        let clauses = &self.clauses;
        self.learned
            .sort_by_key(|clause| std::cmp::Reverse(clauses[*clause as usize].levels));
        let worse = self.learned.len() / 2;
        for nth in 0..worse {
            let clause = self.learned[nth];
            let Clause {
                lits,
                levels,
                number,
                ..
            } = &self.clauses[clause as usize];
            let forces = |lit: Lit| {
                self.is_true(lit) && matches!(self.reason(lit), Reason::Clause(by) if by == clause)
            };
            if *levels > PRECIOUS_LEVELS && !lits.iter().any(|lit| forces(*lit)) {
                self.log.delete(*number, lits);
                let clause = &mut self.clauses[clause as usize];
                clause.deleted = true;
                clause.lits = Box::default();
            }
        }
        let clauses = &self.clauses;
        self.learned
            .retain(|clause| !clauses[*clause as usize].deleted);
    }
}

/// What a conflict teaches.
struct Lesson {
    /// The learned clause; its first literal is forced after going back.
    lits: Vec<Lit>,
    back_to: u32,
    levels: u32,
    hints: Vec<u64>,
}

/// The restart sequence of Luby, Sinclair and Zuckerman: 1 1 2 1 1 2 4 …
fn luby(nth: u64) -> u64 {
    let mut nth = nth;
    loop {
        let power = (nth + 1).next_power_of_two();
        if power == nth + 1 {
            return power / 2;
        }
        nth = nth + 1 - power / 2;
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn restarts_follow_the_luby_sequence() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
