//! CaDiCaL's own proofs, for formulas too heavy for [`super::search`].

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use planoku_engine::{Run, Stop};
use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::{Lit as RustsatLit, TernaryVal};
use rustsat_cadical::{CaDiCaL, ProofFormat};

use super::Form;
use super::search::Verdict;
use crate::cnf::Cnf;

/// Decides a formula and returns the LRAT proof, complete if it is refuted.
/// CaDiCaL writes to files only, so that one is made for the time it takes.
pub fn prove(
    cnf: &Cnf,
    form: Form,
    run: &mut Run<'_>,
) -> io::Result<Result<(Verdict, Vec<u8>), Stop>> {
    // Several proofs may be under way in one process.
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("planoku-{}-{number}.lrat", std::process::id());
    let path = std::env::temp_dir().join(name);
    let verdict = search(cnf, &path, form, run);
    let proof = std::fs::read(&path);
    std::fs::remove_file(&path).ok();
    match verdict? {
        Ok(verdict) => Ok(Ok((verdict, proof?))),
        Err(stop) => Ok(Err(stop)),
    }
}

/// Decides a formula; if it is refuted, the LRAT proof is in the file at
/// `path`. Honours the deadline and the switch of the run, not its nodes.
pub fn search(
    cnf: &Cnf,
    path: &Path,
    form: Form,
    run: &mut Run<'_>,
) -> io::Result<Result<Verdict, Stop>> {
    if let Err(stop) = run.check() {
        return Ok(Err(stop));
    }
    let deadline = run
        .time_left()
        .and_then(|left| std::time::Instant::now().checked_add(left));
    let cancel = run.cancel().cloned();
    let mut solver = CaDiCaL::default();
    let binary = form == Form::Binary;
    solver.trace_proof(path, ProofFormat::Lrat { binary })?;
    solver.attach_terminator(move || {
        let late = deadline.is_some_and(|deadline| std::time::Instant::now() >= deadline);
        if late || cancel.as_ref().is_some_and(|cancel| cancel.is_cancelled()) {
            ControlSignal::Terminate
        } else {
            ControlSignal::Continue
        }
    });
    let lit = |var: usize, negative: bool| RustsatLit::new(var as u32, negative);
    for clause in cnf.clauses() {
        let clause: rustsat::types::Clause = clause
            .iter()
            .map(|l| lit(l.var().index(), !l.is_positive()))
            .collect();
        solver.add_clause(clause).map_err(io::Error::other)?;
    }
    Ok(match solver.solve().map_err(io::Error::other)? {
        SolverResult::Interrupted => Err(run.check().err().unwrap_or(Stop::Cancelled)),
        SolverResult::Unsat => Ok(Verdict::Refuted), // the file is complete once the solver is gone
        SolverResult::Sat => {
            let value = |var| matches!(solver.lit_val(lit(var, false)), Ok(TernaryVal::True));
            Ok(Verdict::Satisfied((0..cnf.vars()).map(value).collect()))
        }
    })
}
