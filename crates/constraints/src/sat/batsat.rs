//! BatSat behind [`Oracle`](super::Oracle).
//!
//! BatSat asks its callbacks on every decision whether to stop, and tells them
//! of every clause it learns; counting those gives an exact conflict limit.

use std::cell::Cell;

use ::batsat::{Callbacks, ClauseKind, SolverInterface, lbool};

use super::{Answer, Limits, Oracle, Statistics};
use crate::cnf::{Cnf, Lit, Var};

#[derive(Default)]
pub(super) struct Batsat {
    solver: ::batsat::Solver<Watch>,
    clause: Vec<::batsat::Lit>,
}

/// Watches over one call.
#[derive(Default)]
struct Watch {
    limits: Limits,
    learned: u64,
    asked: Cell<u32>,
    /// Once said, stop stays said: BatSat asks twice before it believes it.
    stopped: Cell<bool>,
}

/// The clock is read on every so many decisions.
const CLOCK_STRIDE: u32 = 16;

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[::batsat::Lit], kind: ClauseKind) {
        self.learned += u64::from(matches!(kind, ClauseKind::Learnt));
    }

    fn stop(&self) -> bool {
        let asked = self.asked.get().wrapping_add(1);
        self.asked.set(asked);
        let over = |limit| self.learned >= limit;
        if self.limits.conflicts.is_some_and(over)
            || asked.is_multiple_of(CLOCK_STRIDE) && self.limits.interrupted()
        {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}

impl Batsat {
    fn push(&mut self, clause: &[Lit]) {
        // One buffer for all: a small formula feels an allocation a clause.
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&lit| to_batsat(lit)));
        self.solver.add_clause_reuse(&mut self.clause);
    }
}

fn to_batsat(lit: Lit) -> ::batsat::Lit {
    let var = ::batsat::Var::unsafe_from_idx(lit.var().index() as u32);
    ::batsat::Lit::new(var, lit.is_positive())
}

fn from_batsat(lit: ::batsat::Lit) -> Lit {
    Var::new(lit.var().idx() as usize).is(lit.sign())
}

impl Oracle for Batsat {
    fn reserve_vars(&mut self, vars: usize) {
        let solver = &mut self.solver;
        while (solver.num_vars() as usize) < vars {
            solver.new_var_default();
        }
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.push(clause);
    }

    fn add_cnf(&mut self, cnf: &Cnf) {
        for clause in cnf.clauses() {
            self.push(clause);
        }
    }

    fn solve(&mut self, assumptions: &[Lit], limits: Limits) -> Option<Answer> {
        *self.solver.cb_mut() = Watch {
            limits,
            ..Watch::default()
        };
        let assumptions: Vec<_> = assumptions.iter().copied().map(to_batsat).collect();
        match self.solver.solve_limited(&assumptions) {
            answer if answer == lbool::TRUE => Some(Answer::Sat),
            answer if answer == lbool::FALSE => Some(Answer::Unsat),
            _ => None,
        }
    }

    fn values(&self, values: &mut [bool]) {
        let found = self.solver.get_model();
        for (value, found) in values.iter_mut().zip(found) {
            *value = *found == lbool::TRUE;
        }
    }

    fn core(&mut self, core: &mut Vec<Lit>) {
        let failed = self.solver.unsat_core().iter();
        core.extend(failed.map(|&lit| !from_batsat(lit)));
    }

    fn statistics(&self) -> Statistics {
        let solver = &self.solver;
        Statistics {
            conflicts: solver.num_conflicts(),
            propagations: solver.num_propagations(),
            decisions: solver.num_decisions(),
        }
    }
}
