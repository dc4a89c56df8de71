//! The judge of proofs, within a budget: a node is a step of the proof.

use std::io::BufRead;

use planoku_engine::{Run, Stop};
use planoku_proof::{ClauseFormula, Interrupt, Lit, check};

use crate::cnf::Cnf;

pub use planoku_proof::AcceptedProof;

/// Why a proof was not accepted; a budget may have run out.
pub type Rejected = planoku_proof::Rejected<Stop>;

/// Judges a DRAT proof, text or binary.
pub fn drat(cnf: &Cnf, proof: impl BufRead, run: &mut Run<'_>) -> Result<AcceptedProof, Rejected> {
    check::drat(formula(cnf), proof, &mut Budgeted(run))
}

/// Judges an LRAT proof, text or binary.
pub fn lrat(cnf: &Cnf, proof: impl BufRead, run: &mut Run<'_>) -> Result<AcceptedProof, Rejected> {
    check::lrat(formula(cnf), proof, &mut Budgeted(run))
}

fn formula(cnf: &Cnf) -> ClauseFormula<impl Iterator<Item = &[Lit]>> {
    ClauseFormula {
        vars: cnf.vars(),
        clauses: cnf.clauses(),
    }
}

struct Budgeted<'a, 'r>(&'a mut Run<'r>);

impl Interrupt for Budgeted<'_, '_> {
    type Stop = Stop;

    fn step(&mut self) -> Result<(), Stop> {
        self.0.tick()
    }

    fn pause(&mut self) -> Result<(), Stop> {
        self.0.check()
    }
}
