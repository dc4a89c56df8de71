//! BatSat behind [`Oracle`](super::Oracle).
//!
//! BatSat asks its callbacks on every decision whether to stop, and tells them
//! of every clause it learns; counting those gives an exact conflict limit.

use std::cell::Cell;

use ::batsat::{Callbacks, ClauseKind, SolverInterface, lbool};
use rustsat::solvers::{SolveIncremental, SolverResult};

use super::{Answer, Limits, Oracle, Statistics};
use crate::cnf::{Cnf, Lit, Var};

#[derive(Default)]
pub(super) struct Batsat {
    solver: rustsat_batsat::Solver<Watch>,
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
        // Straight to BatSat with one buffer: RustSAT's way allocates for
        // every clause, which a small formula feels.
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&lit| to_batsat(lit)));
        self.solver.batsat_mut().add_clause_reuse(&mut self.clause);
    }
}

fn to_batsat(lit: Lit) -> ::batsat::Lit {
    let var = ::batsat::Var::unsafe_from_idx(lit.var().index() as u32);
    ::batsat::Lit::new(var, lit.is_positive())
}

impl Oracle for Batsat {
    fn reserve_vars(&mut self, vars: usize) {
        let solver = self.solver.batsat_mut();
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
        *self.solver.batsat_mut().cb_mut() = Watch {
            limits,
            ..Watch::default()
        };
        let assumptions: Vec<_> = assumptions.iter().copied().map(to_rustsat).collect();
        match self.solver.solve_assumps(&assumptions) {
            Ok(SolverResult::Sat) => Some(Answer::Sat),
            Ok(SolverResult::Unsat) => Some(Answer::Unsat),
            Ok(SolverResult::Interrupted) => None,
            Err(error) => unreachable!("BatSat's wrapper never fails to solve: {error}"),
        }
    }

    fn values(&self, values: &mut [bool]) {
        let found = self.solver.batsat_ref().get_model();
        for (value, found) in values.iter_mut().zip(found) {
            *value = *found == lbool::TRUE;
        }
    }

    fn core(&mut self, core: &mut Vec<Lit>) {
        let failed = self.solver.core().expect("asked only after a refusal");
        core.extend(failed.into_iter().map(|lit| !from_rustsat(lit)));
    }

    fn statistics(&self) -> Statistics {
        let solver = self.solver.batsat_ref();
        Statistics {
            conflicts: solver.num_conflicts(),
            propagations: solver.num_propagations(),
            decisions: solver.num_decisions(),
        }
    }
}

/// Our literal as RustSAT's.
pub(super) fn to_rustsat(lit: Lit) -> rustsat::types::Lit {
    rustsat::types::Lit::new(lit.var().index() as u32, !lit.is_positive())
}

/// RustSAT's literal as ours.
pub(super) fn from_rustsat(lit: rustsat::types::Lit) -> Lit {
    Var::new(lit.vidx()).is(lit.is_pos())
}
