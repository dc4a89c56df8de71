//! CaDiCaL behind [`Oracle`](super::Oracle).
//!
//! CaDiCaL limits conflicts itself; the clock and the switch are read by a
//! terminator it calls regularly, through a cell shared with it.

use std::sync::{Arc, Mutex};

use rustsat::solvers::{
    ControlSignal, GetInternalStats, Solve, SolveIncremental, SolverResult, Terminate,
};
use rustsat::types::TernaryVal;
use rustsat_cadical::{CaDiCaL, Limit};

use super::{Answer, Limits, Oracle, Statistics};
use crate::cnf::{Lit, Var};

pub(super) struct Cadical {
    solver: CaDiCaL<'static, 'static>,
    limits: Arc<Mutex<Limits>>,
    vars: usize,
}

impl Default for Cadical {
    fn default() -> Cadical {
        let limits = Arc::new(Mutex::new(Limits::default()));
        let seen = Arc::clone(&limits);
        let mut solver = CaDiCaL::default();
        solver.attach_terminator(move || {
            if seen.lock().is_ok_and(|limits| limits.interrupted()) {
                ControlSignal::Terminate
            } else {
                ControlSignal::Continue
            }
        });
        Cadical {
            solver,
            limits,
            vars: 0,
        }
    }
}

impl Oracle for Cadical {
    fn reserve_vars(&mut self, vars: usize) {
        let more = u32::try_from(vars - self.vars).expect("fewer than Var::LIMIT");
        self.solver.declare_more_variables(more);
        self.vars = vars;
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let clause: rustsat::types::Clause = clause.iter().copied().map(to_rustsat).collect();
        self.solver
            .add_clause(clause)
            .expect("memory for one more clause");
    }

    fn solve(&mut self, assumptions: &[Lit], limits: Limits) -> Option<Answer> {
        let conflicts = limits
            .conflicts
            .map_or(-1, |limit| limit.min(i32::MAX as u64) as i32);
        self.solver
            .set_limit(Limit::Conflicts(conflicts))
            .expect("CaDiCaL knows this limit");
        *self.limits.lock().expect("nobody panics with the lock") = limits;
        let assumptions: Vec<_> = assumptions.iter().copied().map(to_rustsat).collect();
        match self.solver.solve_assumps(&assumptions) {
            Ok(SolverResult::Sat) => Some(Answer::Sat),
            Ok(SolverResult::Unsat) => Some(Answer::Unsat),
            Ok(SolverResult::Interrupted) => None,
            Err(error) => panic!("CaDiCaL failed: {error}"),
        }
    }

    fn values(&self, values: &mut [bool]) {
        for (index, value) in values.iter_mut().enumerate() {
            let lit = to_rustsat(Var::new(index).positive());
            *value = matches!(self.solver.lit_val(lit), Ok(TernaryVal::True));
        }
    }

    fn core(&mut self, core: &mut Vec<Lit>) {
        let failed = self.solver.core().expect("asked only after a refusal");
        core.extend(failed.into_iter().map(|lit| !from_rustsat(lit)));
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            conflicts: self.solver.conflicts() as u64,
            propagations: self.solver.propagations() as u64,
            decisions: self.solver.decisions() as u64,
        }
    }
}

/// Our literal as RustSAT's.
fn to_rustsat(lit: Lit) -> rustsat::types::Lit {
    rustsat::types::Lit::new(lit.var().index() as u32, !lit.is_positive())
}

/// RustSAT's literal as ours.
fn from_rustsat(lit: rustsat::types::Lit) -> Lit {
    Var::new(lit.vidx()).is(lit.is_pos())
}
