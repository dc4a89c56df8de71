//! CaDiCaL's own proofs, for formulas too heavy for [`super::search`].

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use planoku_engine::{Run, Stop};
use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::{Lit as RustsatLit, TernaryVal};
use rustsat_cadical::{CaDiCaL, ProofFormat as Traced};

use super::search::Verdict;
use super::{ProofFormat, ProofLog, lrat};
use crate::cnf::Cnf;

/// Decides a formula; if it is refuted, with the LRAT proof. Honours the
/// deadline and the switch of the run, not its nodes.
///
/// CaDiCaL writes to files only, so one is made for the time it takes.
pub fn prove(
    cnf: &Cnf,
    form: ProofFormat,
    run: &mut Run<'_>,
) -> io::Result<Result<(Verdict, Vec<u8>), Stop>> {
    // Several proofs may be under way in one process.
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("planoku-{}-{number}.lrat", std::process::id());
    let path = std::env::temp_dir().join(name);
    let verdict = search(cnf, &path, run);
    let proof = std::fs::read(&path);
    std::fs::remove_file(&path).ok();
    match verdict? {
        Ok(verdict) => Ok(Ok((verdict, renumber(cnf.len(), &proof?, form)?))),
        Err(stop) => Ok(Err(stop)),
    }
}

/// Numbers the clauses of the formula 1, 2, … and the lemmas after them.
///
/// CaDiCaL counts clauses as it meets them, and what follows while it is still
/// being told the formula takes numbers in between. Every number is a lemma's,
/// and then the proof says so, or a clause of the formula, in their order.
fn renumber(clauses: usize, proof: &[u8], form: ProofFormat) -> io::Result<Vec<u8>> {
    let mut step = lrat::Step::default();
    let mut lemmas = Vec::new();
    let mut reader = lrat::Reader::new(proof).map_err(io::Error::other)?;
    while reader.next_step(&mut step).map_err(io::Error::other)? {
        lemmas.extend((step.number > 0).then_some(step.number));
    }
    lemmas.sort_unstable();
    let number = |number: u64| match lemmas.binary_search(&number) {
        Ok(nth) => clauses as u64 + 1 + nth as u64,
        Err(before) => number - before as u64,
    };
    let mut out = match form {
        ProofFormat::Text => lrat::Writer::text(Vec::new(), clauses),
        ProofFormat::Binary => lrat::Writer::binary(Vec::new(), clauses),
    };
    let mut hints = Vec::new();
    let mut reader = lrat::Reader::new(proof).map_err(io::Error::other)?;
    while reader.next_step(&mut step).map_err(io::Error::other)? {
        hints.clear();
        for hint in &step.hints {
            let hint = u64::try_from(*hint)
                .map_err(|_| io::Error::other("CaDiCaL's LRAT has no negative hints"))?;
            hints.push(number(hint));
        }
        match step.number {
            0 => hints.iter().for_each(|hint| out.delete(*hint, &[])),
            lemma => out.lemma(number(lemma), &step.clause, &hints),
        }
    }
    out.finish()
}

/// Decides a formula; if it is refuted, CaDiCaL's proof is in the file at
/// `path`.
fn search(cnf: &Cnf, path: &Path, run: &mut Run<'_>) -> io::Result<Result<Verdict, Stop>> {
    if let Err(stop) = run.check() {
        return Ok(Err(stop));
    }
    let deadline = run
        .time_left()
        .and_then(|left| std::time::Instant::now().checked_add(left));
    let cancel = run.cancel().cloned();
    let mut solver = CaDiCaL::default();
    solver.trace_proof(path, Traced::Lrat { binary: true })?;
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
