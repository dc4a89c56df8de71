//! Asking whether a formula can be satisfied, again and again.
//!
//! [`Sat`] is an incremental front over real CDCL solvers: BatSat by
//! default, which needs nothing but Rust, and CaDiCaL (through RustSAT) behind
//! the feature `cadical`, for heavy formulas. Clauses are added at any
//! time, each call may assume literals for its own duration, and a refusal
//! names the assumptions that did it.
//!
//! ```
//! use planoku_constraints::sat::{Answer, Sat};
//! use planoku_engine::Run;
//!
//! let mut sat = Sat::new();
//! let [rain, wet, dry] = [sat.new_var(), sat.new_var(), sat.new_var()];
//! sat.add_clause(&[rain.negative(), wet.positive()]);
//! sat.add_clause(&[wet.negative(), dry.negative()]);
//!
//! let mut run = Run::limit(1);
//! let answer = sat.solve(&[rain.positive(), dry.positive()], &mut run).unwrap();
//! assert_eq!(answer, Answer::Unsat);
//! assert_eq!(sat.core().len(), 2); // it rains, and it is dry: both are needed
//!
//! assert_eq!(sat.solve(&[rain.positive()], &mut run).unwrap(), Answer::Sat);
//! assert!(sat.value(wet) && !sat.value(dry));
//! ```
//!
//! # Budgets
//!
//! One call costs one node, and so does every conflict inside it; deadline,
//! node budget and cancellation of the [`Run`] are looked at on every
//! decision. After a stop the clauses, and what was learned, are still there.

mod ask;
#[path = "batsat.rs"]
mod batsat_oracle;
#[cfg(feature = "cadical")]
#[path = "cadical.rs"]
mod cadical_oracle;
mod cdcl;
mod enumerate;
mod limits;

#[cfg(test)]
mod tests;

pub use ask::{backbone, minimal_core};
pub use cdcl::Cdcl;
pub use enumerate::{Assignment, SatEngine};

use planoku_engine::{Run, Stop};

use crate::cnf::{Cnf, Lit, Var};
use limits::Limits;

/// Which CDCL solver does the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Solver {
    /// BatSat: MiniSat's algorithm in Rust, quick to set up.
    #[default]
    Batsat,
    /// CaDiCaL: slower to set up, far stronger on heavy formulas.
    #[cfg(feature = "cadical")]
    Cadical,
}

impl Solver {
    /// Every solver this build has.
    pub const ALL: &'static [Solver] = &[
        Solver::Batsat,
        #[cfg(feature = "cadical")]
        Solver::Cadical,
    ];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Solver::Batsat => "batsat",
            #[cfg(feature = "cadical")]
            Solver::Cadical => "cadical",
        }
    }
}

/// Can the formula be satisfied, under the assumptions of the call?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes: [`Sat::value`] shows how.
    Sat,
    /// No: [`Sat::core`] shows which assumptions are to blame.
    Unsat,
}

/// What a solver has done since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Dead ends, each a clause learned.
    pub conflicts: u64,
    /// Literals forced by a clause.
    pub propagations: u64,
    /// Literals chosen freely.
    pub decisions: u64,
}

/// An incremental SAT solver.
pub struct Sat {
    oracle: Box<dyn Oracle>,
    vars: usize,
    values: Vec<bool>,
    core: Vec<Lit>,
}

impl Default for Sat {
    fn default() -> Sat {
        Sat::new()
    }
}

impl Sat {
    /// The default solver, without variables or clauses.
    pub fn new() -> Sat {
        Sat::with(Solver::default())
    }

    /// A solver of choice, without variables or clauses.
    pub fn with(solver: Solver) -> Sat {
        Sat {
            oracle: match solver {
                Solver::Batsat => Box::new(batsat_oracle::Batsat::default()),
                #[cfg(feature = "cadical")]
                Solver::Cadical => Box::new(cadical_oracle::Cadical::default()),
            },
            vars: 0,
            values: Vec::new(),
            core: Vec::new(),
        }
    }

    /// One more variable.
    pub fn new_var(&mut self) -> Var {
        let var = Var::new(self.vars);
        self.reserve_vars(self.vars + 1);
        var
    }

    /// Makes sure that this many variables exist.
    pub fn reserve_vars(&mut self, vars: usize) {
        if vars > self.vars {
            self.oracle.reserve_vars(vars);
            self.vars = vars;
        }
    }

    /// How many variables there are.
    pub fn vars(&self) -> usize {
        self.vars
    }

    /// Adds a clause for good; variables it names exist from now on. The empty
    /// clause makes the formula unsatisfiable.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        let vars = clause.iter().map(|lit| lit.var().index() + 1).max();
        self.reserve_vars(vars.unwrap_or(0));
        self.oracle.add_clause(clause);
    }

    /// Adds all clauses of a formula, numbering variables as it does.
    pub fn add_cnf(&mut self, cnf: &Cnf) {
        self.reserve_vars(cnf.vars());
        self.oracle.add_cnf(cnf);
    }

    /// Can the clauses be satisfied together with these assumptions?
    ///
    /// An answer found is returned even if finding it used up the budget.
    pub fn solve(&mut self, assumptions: &[Lit], run: &mut Run<'_>) -> Result<Answer, Stop> {
        let vars = assumptions.iter().map(|lit| lit.var().index() + 1).max();
        self.reserve_vars(vars.unwrap_or(0));
        self.core.clear();
        run.tick()?;
        run.check()?;
        loop {
            let before = self.statistics();
            let answer = self.oracle.solve(assumptions, Limits::of(run));
            let after = self.statistics();
            let spent = run
                .tick_many(after.conflicts - before.conflicts)
                .and_then(|()| run.effort(after.propagations - before.propagations));
            match answer {
                Some(Answer::Sat) => {
                    self.values.resize(self.vars, false);
                    self.oracle.values(&mut self.values);
                    return Ok(Answer::Sat);
                }
                Some(Answer::Unsat) => {
                    self.oracle.core(&mut self.core);
                    return Ok(Answer::Unsat);
                }
                None => {
                    spent?;
                    run.check()?;
                    run.progress("sat", || None);
                }
            }
        }
    }

    /// The value of a variable in the last satisfying assignment; false for
    /// variables made since, and before there was any.
    pub fn value(&self, var: Var) -> bool {
        self.values.get(var.index()).copied().unwrap_or(false)
    }

    /// The assumptions of the last call that cannot hold together; empty if
    /// the clauses alone cannot be satisfied, or the last answer was not
    /// [`Answer::Unsat`]. Not necessarily minimal.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// What was done so far, over all calls.
    pub fn statistics(&self) -> Statistics {
        self.oracle.statistics()
    }
}

/// What a CDCL solver must offer; one file for each.
///
/// Variables are reserved before they are used.
trait Oracle: Send {
    fn reserve_vars(&mut self, vars: usize);
    fn add_clause(&mut self, clause: &[Lit]);
    fn add_cnf(&mut self, cnf: &Cnf) {
        for clause in cnf.clauses() {
            self.add_clause(clause);
        }
    }
    /// `None` if a limit was reached first.
    fn solve(&mut self, assumptions: &[Lit], limits: Limits) -> Option<Answer>;
    /// Fills in the last satisfying assignment.
    fn values(&self, values: &mut [bool]);
    /// Appends the failed assumptions of the last refusal.
    fn core(&mut self, core: &mut Vec<Lit>);
    fn statistics(&self) -> Statistics;
}
