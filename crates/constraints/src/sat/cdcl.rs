//! Conflict-driven clause learning, small enough to be read and watched.
//!
//! BatSat and CaDiCaL do not say what they do. This solver does: every
//! decision, every literal that follows, every conflict, every clause learnt
//! and every return is an [`Event`]. Variables are those of the formula; the
//! values are 1 for true and 0 for false.
//!
//! It is the textbook's algorithm: two watched literals a clause, the first
//! unique implication point, activities that fade, phases remembered, restarts,
//! and long clauses forgotten. Variables not yet touched are tried as true,
//! which reads better than a long list of what is not. (J. Marques-Silva and K.
//! Sakallah, "GRASP", 1996; M. Moskewicz et al., "Chaff", 2001; N. Eén and N.
//! Sörensson, "An extensible SAT-solver", 2003.)

use planoku_engine::{Ended, Engine, EngineError, Event, Found, Leave, Profile, Run, Sink, Stop};

use super::Assignment;
use crate::cnf::{Cnf, Lit, Var};

/// The solver as an engine for formulas: `Cnf`, or whatever carries one.
///
/// Counts assignments of the [shown](Cnf::show) variables. A node is a
/// decision or a conflict.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cdcl;

impl<P: AsRef<Cnf> + ?Sized> Engine<P> for Cdcl {
    type Answer = Assignment;

    fn profile(&self) -> Profile {
        Profile::new(
            "cdcl",
            "conflict-driven clause learning that can be watched",
        )
        .complete()
        .counting()
    }

    fn solve_into(
        &self,
        problem: &P,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Assignment>,
    ) -> Result<Ended, EngineError> {
        let cnf = problem.as_ref();
        run.search(sink, |run, found| {
            let mut solver = Solver::new(cnf.vars());
            let result = solver.enumerate(cnf, run, found);
            for (name, count) in [
                ("conflicts", solver.conflicts),
                ("propagations", solver.propagations),
                ("decisions", solver.decisions),
                ("restarts", solver.restarts),
                ("variables", cnf.vars() as u64),
                ("clauses", cnf.len() as u64),
            ] {
                run.stats.add(name, count);
            }
            result
        })
    }
}

/// Clauses are named by their place in the list.
type Clause = u32;

struct Solver {
    clauses: Vec<Vec<Lit>>,
    /// Clauses before this one are the formula's, the others are learnt.
    given: usize,
    /// For each literal the clauses that watch it: the first two of a clause.
    watches: Vec<Vec<Clause>>,
    values: Vec<Option<bool>>,
    levels: Vec<u32>,
    reasons: Vec<Option<Clause>>,
    /// The literals that hold, in the order they came to.
    trail: Vec<Lit>,
    /// How long the trail was at each decision.
    decided: Vec<usize>,
    /// How much of the trail has been followed.
    followed: usize,
    activity: Vec<f64>,
    bump: f64,
    phase: Vec<bool>,
    seen: Vec<bool>,
    conflicts: u64,
    propagations: u64,
    decisions: u64,
    restarts: u64,
}

/// Conflicts before the first restart; each later one waits half as long again.
const FIRST_RESTART: u64 = 100;

/// Learnt clauses that are kept at a restart, the shortest first.
const KEPT: usize = 5_000;

impl Solver {
    fn new(vars: usize) -> Solver {
        Solver {
            clauses: Vec::new(),
            given: 0,
            watches: vec![Vec::new(); 2 * vars],
            values: vec![None; vars],
            levels: vec![0; vars],
            reasons: vec![None; vars],
            trail: Vec::new(),
            decided: Vec::new(),
            followed: 0,
            activity: vec![0.0; vars],
            bump: 1.0,
            phase: vec![true; vars],
            seen: vec![false; vars],
            conflicts: 0,
            propagations: 0,
            decisions: 0,
            restarts: 0,
        }
    }

    fn enumerate(
        &mut self,
        cnf: &Cnf,
        run: &mut Run<'_>,
        found: &mut Found<'_, Assignment>,
    ) -> Result<(), Leave> {
        for clause in cnf.clauses() {
            run.effort(1)?;
            if !self.add(clause, run) {
                return Ok(());
            }
        }
        self.given = self.clauses.len();
        let mut answers = 0;
        while self.search(run)? {
            answers += 1;
            run.emit(Event::Answer(answers));
            let values = self.values.iter().map(|value| value.unwrap_or(false));
            let answer = Assignment(values.collect());
            let other: Vec<Lit> = cnf.shown().map(|var| var.is(!answer.value(var))).collect();
            found.push(answer)?;
            self.return_to(0, run);
            if !self.add(&other, run) {
                break;
            }
        }
        Ok(())
    }

    /// Looks for a satisfying assignment; false proves that there is none.
    fn search(&mut self, run: &mut Run<'_>) -> Result<bool, Stop> {
        let (mut wait, mut since) = (FIRST_RESTART, 0);
        loop {
            let before = self.propagations;
            let conflict = self.propagate(run);
            run.effort(self.propagations - before)?;
            match conflict {
                Some(_) if self.decided.is_empty() => return Ok(false),
                Some(clause) => {
                    run.tick()?;
                    since += 1;
                    self.learn(clause, run)?;
                }
                None if since >= wait => {
                    (wait, since) = (wait + wait / 2, 0);
                    self.restart(run);
                }
                None => match self.most_active() {
                    Some(var) => {
                        run.tick()?;
                        self.decide(var, run);
                    }
                    None => return Ok(true),
                },
            }
        }
    }

    /// Adds a clause while nothing is decided; false if that refutes
    /// everything.
    fn add(&mut self, clause: &[Lit], run: &mut Run<'_>) -> bool {
        let mut lits: Vec<Lit> = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let always = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        if always || lits.iter().any(|lit| self.holds(*lit) == Some(true)) {
            return true;
        }
        lits.retain(|lit| self.holds(*lit).is_none());
        match lits[..] {
            [] => return false,
            [only] => self.derive(only, None, run),
            _ => {
                self.attach(lits);
            }
        }
        true
    }

    fn attach(&mut self, lits: Vec<Lit>) -> Clause {
        let clause = self.clauses.len() as Clause;
        self.watches[lits[0].index()].push(clause);
        self.watches[lits[1].index()].push(clause);
        self.clauses.push(lits);
        clause
    }

    fn holds(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().index()].map(|value| value == lit.is_positive())
    }

    fn decide(&mut self, var: Var, run: &mut Run<'_>) {
        self.decisions += 1;
        self.decided.push(self.trail.len());
        let lit = var.is(self.phase[var.index()]);
        self.take(lit, None);
        let (variable, value) = said(lit);
        run.emit(Event::Assign { variable, value });
    }

    fn derive(&mut self, lit: Lit, reason: Option<Clause>, run: &mut Run<'_>) {
        self.take(lit, reason);
        let (variable, value) = said(lit);
        run.emit(Event::Derive { variable, value });
    }

    fn take(&mut self, lit: Lit, reason: Option<Clause>) {
        let at = lit.var().index();
        self.values[at] = Some(lit.is_positive());
        self.levels[at] = self.decided.len() as u32;
        self.reasons[at] = reason;
        self.trail.push(lit);
    }

    /// Follows every literal on the trail; a clause that cannot be satisfied,
    /// if there is one.
    fn propagate(&mut self, run: &mut Run<'_>) -> Option<Clause> {
        while let Some(&lit) = self.trail.get(self.followed) {
            self.followed += 1;
            self.propagations += 1;
            if let Some(conflict) = self.visit(!lit, run) {
                return Some(conflict);
            }
        }
        None
    }

    /// Looks at the clauses that watch a literal which has become false.
    fn visit(&mut self, lost: Lit, run: &mut Run<'_>) -> Option<Clause> {
        let watching = std::mem::take(&mut self.watches[lost.index()]);
        let mut conflict = None;
        for clause in watching {
            if conflict.is_some() {
                self.watches[lost.index()].push(clause);
                continue;
            }
            let mut lits = std::mem::take(&mut self.clauses[clause as usize]);
            if lits[0] == lost {
                lits.swap(0, 1);
            }
            let other = lits[0];
            let free = (2..lits.len()).find(|at| self.holds(lits[*at]) != Some(false));
            match (self.holds(other), free) {
                (Some(true), _) => self.watches[lost.index()].push(clause),
                (_, Some(at)) => {
                    lits.swap(1, at);
                    self.watches[lits[1].index()].push(clause);
                }
                (value, None) => {
                    self.watches[lost.index()].push(clause);
                    match value {
                        None => self.derive(other, Some(clause), run),
                        _ => conflict = Some(clause),
                    }
                }
            }
            self.clauses[clause as usize] = lits;
        }
        conflict
    }

    /// Learns from a conflict and returns to where the lesson applies.
    fn learn(&mut self, conflict: Clause, run: &mut Run<'_>) -> Result<(), Stop> {
        self.conflicts += 1;
        if run.observed() {
            let lits = &self.clauses[conflict as usize];
            let variable = lits[0].var().index() as u32;
            run.emit(Event::Conflict { variable });
        }
        let lesson = self.analyse(conflict);
        let level_of = |lit: &Lit| self.levels[lit.var().index()];
        let target = lesson[1..].iter().map(level_of).max().unwrap_or(0) as usize;
        if run.observed() {
            let literal = |lit: &Lit| (lit.var().index() as u32, 1, lit.is_positive());
            let literals = lesson.iter().map(literal).collect();
            run.emit(Event::Learn { literals });
            let (from, to) = (self.decided.len() as u32, target as u32);
            if from > to + 1 {
                let mut levels: Vec<u32> = lesson.iter().map(level_of).collect();
                levels.sort_unstable();
                levels.dedup();
                let decision = |level: &u32| {
                    let at = self.decided[*level as usize - 1];
                    self.trail[at].var().index() as u32
                };
                let because = levels.iter().filter(|level| **level > 0);
                let because = because.map(decision).collect();
                run.emit(Event::Jump { from, to, because });
            }
        }
        self.return_to(target, run);
        let first = lesson[0];
        let reason = match lesson.len() {
            1 => None,
            _ => Some(self.attach(lesson)),
        };
        self.derive(first, reason, run);
        self.bump /= 0.95;
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|value| *value *= 1e-100);
            self.bump *= 1e-100;
        }
        let held: usize = self.clauses.len() * 48 + self.trail.len() * 8;
        run.check_memory(held as u64)
    }

    /// The clause that says why: the first unique implication point and, second,
    /// a literal of the deepest other level.
    fn analyse(&mut self, conflict: Clause) -> Vec<Lit> {
        let level = self.decided.len() as u32;
        let mut lesson: Vec<Lit> = Vec::new();
        // Literals of this level still to be explained.
        let mut open = 0;
        let mut place = self.trail.len();
        let mut reason = Some(conflict);
        let first = loop {
            if let Some(clause) = reason {
                for index in 0..self.clauses[clause as usize].len() {
                    let lit = self.clauses[clause as usize][index];
                    let at = lit.var().index();
                    if self.seen[at] || self.levels[at] == 0 || self.holds(lit) == Some(true) {
                        continue;
                    }
                    self.seen[at] = true;
                    self.activity[at] += self.bump;
                    match self.levels[at] == level {
                        true => open += 1,
                        false => lesson.push(lit),
                    }
                }
            }
            // The last literal of this level that is to be explained.
            let lit = loop {
                place -= 1;
                let lit = self.trail[place];
                if self.seen[lit.var().index()] && self.levels[lit.var().index()] == level {
                    break lit;
                }
            };
            self.seen[lit.var().index()] = false;
            open -= 1;
            if open == 0 {
                break !lit;
            }
            reason = self.reasons[lit.var().index()];
        };
        for lit in &lesson {
            self.seen[lit.var().index()] = false;
        }
        lesson.sort_by_key(|lit| std::cmp::Reverse(self.levels[lit.var().index()]));
        lesson.insert(0, first);
        lesson
    }

    /// Takes back every decision after the first `level` of them.
    fn return_to(&mut self, level: usize, run: &mut Run<'_>) {
        while self.decided.len() > level {
            let Some(length) = self.decided.pop() else {
                break;
            };
            let variable = self.trail[length].var().index() as u32;
            for lit in self.trail.drain(length..) {
                let at = lit.var().index();
                self.values[at] = None;
                self.phase[at] = lit.is_positive();
            }
            self.followed = length;
            run.emit(Event::Unassign { variable });
        }
    }

    /// Begins anew with what was learnt, and forgets long lessons if there are
    /// many.
    fn restart(&mut self, run: &mut Run<'_>) {
        self.restarts += 1;
        self.return_to(0, run);
        run.emit(Event::Restart);
        if self.clauses.len() - self.given <= KEPT {
            return;
        }
        let mut learnt = self.clauses.split_off(self.given);
        learnt.sort_by_key(Vec::len);
        learnt.truncate(KEPT / 2);
        self.clauses.append(&mut learnt);
        self.watches.iter_mut().for_each(Vec::clear);
        // What holds without decision needs no reason any more.
        for lit in &self.trail {
            self.reasons[lit.var().index()] = None;
        }
        for clause in std::mem::take(&mut self.clauses) {
            self.attach(clause);
        }
        // Clauses may watch literals that are false for good: visit them all.
        self.followed = 0;
    }

    fn most_active(&self) -> Option<Var> {
        let free = (0..self.values.len()).filter(|at| self.values[*at].is_none());
        let most = free.reduce(|best, at| match self.activity[at] > self.activity[best] {
            true => at,
            false => best,
        });
        most.map(Var::new)
    }
}

/// A literal as events say it.
fn said(lit: Lit) -> (u32, u32) {
    (lit.var().index() as u32, u32::from(lit.is_positive()))
}
