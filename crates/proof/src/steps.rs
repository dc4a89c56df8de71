//! What goes into a judgement: a formula, who may interrupt, and how the steps
//! of a proof are written down.

use super::literal::Lit;

/// A formula to be refuted: how many variables it has, and its clauses in
/// their order.
#[derive(Clone, Copy, Debug)]
pub struct ClauseFormula<C> {
    /// Variables have indices below this.
    pub vars: usize,
    /// The clauses; LRAT numbers them from 1.
    pub clauses: C,
}

/// Asked again and again while a proof is judged whether to go on. `()` never
/// interrupts.
pub trait Interrupt {
    /// Why the work was ended.
    type Stop;

    /// One more step of the proof is about to be judged.
    fn step(&mut self) -> Result<(), Self::Stop>;

    /// Some work within a step was done.
    fn pause(&mut self) -> Result<(), Self::Stop>;
}

impl Interrupt for () {
    type Stop = std::convert::Infallible;

    fn step(&mut self) -> Result<(), Self::Stop> {
        Ok(())
    }

    fn pause(&mut self) -> Result<(), Self::Stop> {
        Ok(())
    }
}

/// Where a search writes its proof.
///
/// The clauses of the formula have the numbers 1, 2, … in their order; every
/// lemma gets the next free number.
pub trait ProofLog {
    /// `clause` follows by unit propagation from the clauses numbered in
    /// `hints`, used in this order.
    fn lemma(&mut self, number: u64, clause: &[Lit], hints: &[u64]);

    /// A clause is no longer needed.
    fn delete(&mut self, number: u64, clause: &[Lit]);
}

/// Writes the same proof twice, say in two formats.
impl<A: ProofLog, B: ProofLog> ProofLog for (A, B) {
    fn lemma(&mut self, number: u64, clause: &[Lit], hints: &[u64]) {
        self.0.lemma(number, clause, hints);
        self.1.lemma(number, clause, hints);
    }

    fn delete(&mut self, number: u64, clause: &[Lit]) {
        self.0.delete(number, clause);
        self.1.delete(number, clause);
    }
}

/// Writes nothing.
impl ProofLog for () {
    fn lemma(&mut self, _: u64, _: &[Lit], _: &[u64]) {}
    fn delete(&mut self, _: u64, _: &[Lit]) {}
}

/// How a proof is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// Decimal numbers, one step a line.
    Text,
    /// One to five bytes a number, about a third of the size.
    Binary,
}
