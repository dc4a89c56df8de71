//! LRAT: a proof whose every clause says from which others it follows.
//!
//! ```text
//! 9 -7 3 0 2 5 8 0     clause 9 is (not 7, or 3); it follows from 2, 5 and 8
//! 9 d 4 6 0            clauses 4 and 6 will not be used again
//! ```
//!
//! In the binary form each step begins with the byte `a` or `d`; numbers are
//! variable-length integers, doubled, with one added if negative.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use super::bytes::{ErrorKind, Input, Output, ReadError};
use super::literal::Lit;
use super::steps::{ProofFormat, ProofLog};

/// One step of an LRAT proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The clause's own number; 0 for a deletion.
    pub number: u64,
    /// Its literals; empty for a deletion.
    pub clause: Vec<Lit>,
    /// The clauses it follows from (negative where a group for a resolvent
    /// begins), or the ones to delete.
    pub hints: Vec<i64>,
}

/// Reads an LRAT proof step by step, text or binary.
pub struct Reader<R>(Input<R>);

impl<R: BufRead> Reader<R> {
    /// Recognises the form by the first bytes.
    pub fn new(input: R) -> Result<Reader<R>, ReadError> {
        Ok(Reader(Input::new(input)?))
    }

    /// Puts the next step into `step`; false at the end.
    pub fn next_step(&mut self, step: &mut Step) -> Result<bool, ReadError> {
        step.number = 0;
        step.clause.clear();
        step.hints.clear();
        let lemma = match self.0.form() {
            ProofFormat::Text if self.0.skip_to_word()?.is_none() => return Ok(false),
            ProofFormat::Text => {
                step.number = self.number()?;
                !self.0.take_letter(b'd')?
            }
            ProofFormat::Binary => match self.0.next()? {
                None => return Ok(false),
                Some(b'a') => {
                    step.number = self.number()?;
                    true
                }
                Some(b'd') => false,
                Some(_) => return self.0.expected("`a` or `d`"),
            },
        };
        if lemma {
            self.0.list(|number| {
                step.clause
                    .push(Lit::from_dimacs(number).ok_or(ErrorKind::HugeNumber)?);
                Ok(())
            })?;
        } else {
            step.number = 0;
        }
        self.0.list(|number| {
            step.hints.push(number);
            Ok(())
        })?;
        Ok(true)
    }

    /// The number of a clause.
    fn number(&mut self) -> Result<u64, ReadError> {
        match u64::try_from(self.0.signed()?) {
            Ok(number) if number > 0 => Ok(number),
            _ => self.0.expected("the number of a clause"),
        }
    }
}

/// Tells a proof to another log without its reasons, say to a [DRAT
/// writer](super::drat::Writer), for judges that read no LRAT.
pub fn retell<'c>(
    clauses: impl IntoIterator<Item = &'c [Lit]>,
    proof: impl BufRead,
    log: &mut impl ProofLog,
) -> Result<(), ReadError> {
    let numbered = (1u64..).zip(clauses);
    let mut clauses: HashMap<u64, Vec<Lit>> = numbered
        .map(|(number, clause)| (number, clause.to_vec()))
        .collect();
    let mut reader = Reader::new(proof)?;
    let mut step = Step::default();
    while reader.next_step(&mut step)? {
        if step.number > 0 {
            log.lemma(step.number, &step.clause, &[]);
            clauses.insert(step.number, step.clause.clone());
            continue;
        }
        for hint in &step.hints {
            let number = hint.unsigned_abs();
            // A clause that never was need not be deleted.
            if let Some(clause) = clauses.remove(&number) {
                log.delete(number, &clause);
            }
        }
    }
    Ok(())
}

/// Writes an LRAT proof.
pub struct Writer<W> {
    out: Output<W>,
    last: u64,
}

impl<W: Write> Writer<W> {
    /// A proof of a formula with this many clauses, readable.
    pub fn text(out: W, clauses: usize) -> Writer<W> {
        let last = clauses as u64;
        Writer {
            out: Output::new(out, ProofFormat::Text),
            last,
        }
    }

    /// A proof of a formula with this many clauses, compact.
    pub fn binary(out: W, clauses: usize) -> Writer<W> {
        let last = clauses as u64;
        Writer {
            out: Output::new(out, ProofFormat::Binary),
            last,
        }
    }

    /// The writer back, or what went wrong on the way.
    pub fn finish(self) -> io::Result<W> {
        self.out.finish()
    }
}

impl<W: Write> ProofLog for Writer<W> {
    fn lemma(&mut self, number: u64, clause: &[Lit], hints: &[u64]) {
        if self.out.form == ProofFormat::Binary {
            self.out.bytes(b"a");
        }
        self.out.signed(number as i64);
        for lit in clause {
            self.out.signed(i64::from(lit.to_dimacs()));
        }
        self.out.zero(false);
        for &hint in hints {
            self.out.signed(hint as i64);
        }
        self.out.zero(true);
        self.last = number;
    }

    fn delete(&mut self, number: u64, _: &[Lit]) {
        match self.out.form {
            ProofFormat::Text => {
                let last = self.last;
                self.out.bytes(format!("{last} d ").as_bytes());
            }
            ProofFormat::Binary => self.out.bytes(b"d"),
        }
        self.out.signed(number as i64);
        self.out.zero(true);
    }
}
