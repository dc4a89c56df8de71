//! DRAT: the clauses of a proof, in order, and which are no longer needed.
//!
//! ```text
//! -7 3 0        the clause (not 7, or 3) follows
//! d 5 -2 0      the clause (5, or not 2) will not be used again
//! 0             the empty clause follows: the formula is refuted
//! ```
//!
//! In the binary form each step begins with the byte `a` or `d`, and a literal
//! is twice its variable, plus one if negated, as a variable-length integer.

use std::io::{self, BufRead, Write};

use super::bytes::{ErrorKind, Input, Output, ReadError};
use super::literal::Lit;
use super::steps::{ProofFormat, ProofLog};

/// One step of a DRAT proof; its clause is in the buffer given to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The clause follows.
    Lemma,
    /// The clause is no longer needed.
    Delete,
}

/// Reads a DRAT proof step by step, text or binary.
pub struct Reader<R>(Input<R>);

impl<R: BufRead> Reader<R> {
    /// Recognises the form by the first bytes.
    pub fn new(input: R) -> Result<Reader<R>, ReadError> {
        Ok(Reader(Input::new(input)?))
    }

    /// The next step, its clause put into `clause`; `None` at the end.
    pub fn next_step(&mut self, clause: &mut Vec<Lit>) -> Result<Option<Step>, ReadError> {
        clause.clear();
        let step = match self.0.form() {
            ProofFormat::Text if self.0.skip_to_word()?.is_none() => return Ok(None),
            ProofFormat::Text if self.0.take_letter(b'd')? => Step::Delete,
            ProofFormat::Text => Step::Lemma,
            ProofFormat::Binary => match self.0.next()? {
                None => return Ok(None),
                Some(b'a') => Step::Lemma,
                Some(b'd') => Step::Delete,
                Some(_) => return self.0.expected("`a` or `d`"),
            },
        };
        self.0.list(|number| {
            clause.push(Lit::from_dimacs(number).ok_or(ErrorKind::HugeNumber)?);
            Ok(())
        })?;
        Ok(Some(step))
    }
}

/// Writes a DRAT proof.
pub struct Writer<W>(Output<W>);

impl<W: Write> Writer<W> {
    /// A proof people can read.
    pub fn text(out: W) -> Writer<W> {
        Writer(Output::new(out, ProofFormat::Text))
    }

    /// A proof a third of the size.
    pub fn binary(out: W) -> Writer<W> {
        Writer(Output::new(out, ProofFormat::Binary))
    }

    /// The writer back, or what went wrong on the way.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }

    fn clause(&mut self, clause: &[Lit]) {
        for lit in clause {
            self.0.signed(i64::from(lit.to_dimacs()));
        }
        self.0.zero(true);
    }
}

impl<W: Write> ProofLog for Writer<W> {
    fn lemma(&mut self, _: u64, clause: &[Lit], _: &[u64]) {
        if self.0.form == ProofFormat::Binary {
            self.0.bytes(b"a");
        }
        self.clause(clause);
    }

    fn delete(&mut self, _: u64, clause: &[Lit]) {
        match self.0.form {
            ProofFormat::Text => self.0.bytes(b"d "),
            ProofFormat::Binary => self.0.bytes(b"d"),
        }
        self.clause(clause);
    }
}
