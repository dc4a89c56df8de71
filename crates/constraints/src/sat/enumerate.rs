//! Every answer of a formula, by blocking the ones already found.
//!
//! After each satisfying assignment a clause forbids exactly what it says
//! about the shown variables, and the same solver goes on with all it has
//! learned. So uniqueness is one incremental call after the first answer.

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};

use super::{Answer, Sat, Solver};
use crate::cnf::{Cnf, Lit, Var};

/// A satisfying assignment, by variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Assignment(pub Vec<bool>);

impl Assignment {
    /// The value of a variable.
    pub fn value(&self, var: Var) -> bool {
        self.0[var.index()]
    }
}

/// A CDCL solver as an engine for formulas: `Cnf`, or whatever carries one.
///
/// Counts assignments of the [shown](Cnf::show) variables. A node is a
/// conflict, or a call of the solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct SatEngine {
    /// Which solver.
    pub solver: Solver,
}

impl<P: AsRef<Cnf> + ?Sized> Engine<P> for SatEngine {
    type Answer = Assignment;

    fn profile(&self) -> Profile {
        Profile::new(self.solver.name(), "conflict-driven clause learning")
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
            let mut sat = Sat::with(self.solver);
            sat.add_cnf(cnf);
            let result = loop {
                match sat.solve(&[], run) {
                    Err(stop) => break Err(stop.into()),
                    Ok(Answer::Unsat) => break Ok(()),
                    Ok(Answer::Sat) => {}
                }
                let values = (0..cnf.vars()).map(|index| sat.value(Var::new(index)));
                if let Err(enough) = found.push(Assignment(values.collect())) {
                    break Err(enough);
                }
                let other: Vec<Lit> = cnf.shown().map(|var| var.is(!sat.value(var))).collect();
                sat.add_clause(&other);
            };
            let statistics = sat.statistics();
            run.stats.add("conflicts", statistics.conflicts);
            run.stats.add("propagations", statistics.propagations);
            run.stats.add("decisions", statistics.decisions);
            run.stats.add("variables", cnf.vars() as u64);
            run.stats.add("clauses", cnf.len() as u64);
            result
        })
    }
}
