//! The judge of proofs.
//!
//! Forward and strict: every lemma is checked when it is stated, and a proof
//! is accepted only if it states the empty clause. A lemma must be
//!
//! - RUP (reverse unit propagation): assuming all its literals false, unit
//!   propagation runs into a contradiction; or
//! - RAT (resolution asymmetric tautology): the same holds for each of its
//!   resolvents on its first literal. Such a clause need not follow, but a
//!   satisfiable formula stays satisfiable with it.
//!
//! Deleting a clause that currently forces a literal is passed over, as
//! `drat-trim` does: keeping a clause is always sound.
//!
//! LRAT needs no propagation to be searched for: the hints say where to look.

use std::collections::HashMap;
use std::fmt;
use std::io::BufRead;

use super::bytes::ReadError;
use super::literal::Lit;
use super::rup::{Clauses, Effect};
use super::steps::{ClauseFormula, Interrupt};
use super::{drat, lrat};

/// What was checked before a proof was accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceptedProof {
    /// Lemmas that were RUP.
    pub rup: u64,
    /// Lemmas that were RAT and not RUP.
    pub rat: u64,
    /// Deletions obeyed.
    pub deleted: u64,
}

/// Why a proof was not accepted.
///
/// `S` is why whoever was asked interrupted the judgement.
#[derive(Debug)]
#[non_exhaustive]
pub enum Rejected<S = std::convert::Infallible> {
    /// It is not a proof at all.
    Unreadable(ReadError),
    /// A lemma does not follow; steps count from 1.
    DoesNotFollow {
        /// Which step.
        step: u64,
        /// The lemma, in DIMACS numbers.
        clause: Vec<i32>,
    },
    /// A step deletes a clause that is not there.
    NothingToDelete {
        /// Which step.
        step: u64,
        /// The clause, in DIMACS numbers.
        clause: Vec<i32>,
    },
    /// A step names a clause that is not there, or deleted.
    NoSuchClause {
        /// Which step.
        step: u64,
        /// The number it names.
        number: i64,
    },
    /// A step gives a new clause a number that is taken.
    NumberTaken {
        /// Which step.
        step: u64,
        /// The number.
        number: u64,
    },
    /// The empty clause is never stated.
    NoConclusion,
    /// The judgement was interrupted.
    Stopped(S),
}

impl<S: fmt::Display> fmt::Display for Rejected<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::Unreadable(error) => write!(f, "{error}"),
            Rejected::DoesNotFollow { step, clause } => {
                write!(f, "step {step}: the clause {clause:?} does not follow")
            }
            Rejected::NothingToDelete { step, clause } => {
                write!(f, "step {step}: there is no clause {clause:?} to delete")
            }
            Rejected::NoSuchClause { step, number } => {
                write!(f, "step {step}: there is no clause {number}")
            }
            Rejected::NumberTaken { step, number } => {
                write!(f, "step {step}: there already is a clause {number}")
            }
            Rejected::NoConclusion => write!(f, "the proof ends without the empty clause"),
            Rejected::Stopped(stop) => write!(f, "stopped by {stop} before the end of the proof"),
        }
    }
}

impl<S: fmt::Debug + fmt::Display> std::error::Error for Rejected<S> {}

impl<S> From<ReadError> for Rejected<S> {
    fn from(error: ReadError) -> Rejected<S> {
        Rejected::Unreadable(error)
    }
}

/// Judges a DRAT proof, text or binary.
pub fn drat<'c, I: Interrupt>(
    formula: ClauseFormula<impl IntoIterator<Item = &'c [Lit]>>,
    proof: impl BufRead,
    interrupt: &mut I,
) -> Result<AcceptedProof, Rejected<I::Stop>> {
    let mut clauses = Clauses::new(formula.vars);
    for clause in formula.clauses {
        interrupt.pause().map_err(Rejected::Stopped)?;
        clauses.add(clause);
    }
    let mut reader = drat::Reader::new(proof)?;
    let mut checked = AcceptedProof::default();
    let mut clause = Vec::new();
    for step in 1.. {
        let Some(kind) = reader.next_step(&mut clause)? else {
            break;
        };
        interrupt.step().map_err(Rejected::Stopped)?;
        if kind == drat::Step::Delete {
            match clauses.delete(&clause) {
                Effect::Done => checked.deleted += 1,
                Effect::Kept => {}
                Effect::Missing => {
                    let clause = in_dimacs(&clause);
                    return Err(Rejected::NothingToDelete { step, clause });
                }
            }
            continue;
        }
        if clauses.is_rup(&clause) {
            checked.rup += 1;
        } else if clauses
            .is_rat(&clause, interrupt)
            .map_err(Rejected::Stopped)?
        {
            checked.rat += 1;
        } else {
            return Err(does_not_follow(step, &clause));
        }
        if clause.is_empty() {
            return Ok(checked);
        }
        clauses.add(&clause);
    }
    Err(Rejected::NoConclusion)
}

/// Judges an LRAT proof, text or binary.
pub fn lrat<'c, I: Interrupt>(
    formula: ClauseFormula<impl IntoIterator<Item = &'c [Lit]>>,
    proof: impl BufRead,
    interrupt: &mut I,
) -> Result<AcceptedProof, Rejected<I::Stop>> {
    let numbered = (1u64..).zip(formula.clauses);
    let mut known: Known = numbered
        .map(|(number, clause)| (number, clause.into()))
        .collect();
    let mut reader = lrat::Reader::new(proof)?;
    let mut checked = AcceptedProof::default();
    let mut line = lrat::Step::default();
    let mut falsified = Falsified::default();
    for step in 1.. {
        if !reader.next_step(&mut line)? {
            break;
        }
        interrupt.step().map_err(Rejected::Stopped)?;
        if line.number == 0 {
            for &number in &line.hints {
                let there = u64::try_from(number)
                    .ok()
                    .and_then(|number| known.remove(&number));
                if there.is_none() {
                    return Err(Rejected::NoSuchClause { step, number });
                }
                checked.deleted += 1;
            }
            continue;
        }
        if known.contains_key(&line.number) {
            let number = line.number;
            return Err(Rejected::NumberTaken { step, number });
        }
        match falsified
            .follows(&line, &known)
            .map_err(|number| Rejected::NoSuchClause { step, number })?
        {
            Follows::Rup => checked.rup += 1,
            Follows::Rat => checked.rat += 1,
            Follows::No => return Err(does_not_follow(step, &line.clause)),
        }
        if line.clause.is_empty() {
            return Ok(checked);
        }
        known.insert(line.number, line.clause.as_slice().into());
    }
    Err(Rejected::NoConclusion)
}

fn does_not_follow<S>(step: u64, clause: &[Lit]) -> Rejected<S> {
    let clause = in_dimacs(clause);
    Rejected::DoesNotFollow { step, clause }
}

fn in_dimacs(clause: &[Lit]) -> Vec<i32> {
    clause.iter().map(|lit| lit.to_dimacs()).collect()
}

/// The clauses of an LRAT proof by number.
type Known = HashMap<u64, Box<[Lit]>>;

enum Follows {
    Rup,
    Rat,
    No,
}

/// What a hint does to the assumption that the lemma is false.
enum Hint {
    /// All literals false: the contradiction wanted.
    Contradiction,
    /// One literal left, now true.
    Forces(Lit),
    /// Two literals open, or one already true: the hint is of no use.
    Useless,
}

/// The literals taken to be false while one LRAT step is judged.
#[derive(Default)]
struct Falsified(std::collections::HashSet<Lit>);

impl Falsified {
    /// Does the clause of a step follow by its hints? The error is a number
    /// that no clause has.
    fn follows(&mut self, step: &lrat::Step, known: &Known) -> Result<Follows, i64> {
        self.0.clear();
        self.0.extend(&step.clause);
        if step.clause.iter().any(|&lit| self.0.contains(&!lit)) {
            return Ok(Follows::Rup); // a tautology
        }
        let group = step
            .hints
            .iter()
            .position(|hint| *hint < 0)
            .unwrap_or(step.hints.len());
        let (units, groups) = step.hints.split_at(group);
        if self.contradiction(units, known)? {
            return Ok(Follows::Rup);
        }
        match step.clause.first() {
            Some(&pivot) if self.resolvents(pivot, groups, known)? => Ok(Follows::Rat),
            _ => Ok(Follows::No),
        }
    }

    /// Follows hints until one is contradicted; false if none is.
    fn contradiction(&mut self, hints: &[i64], known: &Known) -> Result<bool, i64> {
        for &number in hints {
            let clause = lookup(known, number)?;
            match self.hint(clause) {
                Hint::Contradiction => return Ok(true),
                Hint::Forces(lit) => {
                    self.0.insert(!lit);
                }
                Hint::Useless => return Ok(false),
            }
        }
        Ok(false)
    }

    fn hint(&self, clause: &[Lit]) -> Hint {
        let mut open = None;
        for &lit in clause {
            let used = self.0.contains(&lit) || open == Some(lit);
            if !used && (open.is_some() || self.0.contains(&!lit)) {
                return Hint::Useless;
            }
            if !used {
                open = Some(lit);
            }
        }
        open.map_or(Hint::Contradiction, Hint::Forces)
    }

    /// Every clause with the pivot's negation has a group of hints, begun by
    /// its negated number, that contradicts the resolvent; or the resolvent is
    /// a tautology.
    fn resolvents(&mut self, pivot: Lit, groups: &[i64], known: &Known) -> Result<bool, i64> {
        let mut group_of: HashMap<u64, &[i64]> = HashMap::new();
        let mut rest = groups;
        while let [first, more @ ..] = rest {
            let end = more.iter().position(|hint| *hint < 0).unwrap_or(more.len());
            lookup(known, first.checked_neg().ok_or(*first)?)?;
            group_of.insert(first.unsigned_abs(), &more[..end]);
            rest = &more[end..];
        }
        let before = self.0.clone();
        for (number, clause) in known {
            if !clause.contains(&!pivot) {
                continue;
            }
            self.0.clone_from(&before);
            let others = || clause.iter().filter(|lit| **lit != !pivot);
            let tautology = others().any(|lit| before.contains(&!*lit));
            self.0.extend(others());
            let hints = group_of.get(number).copied();
            if !tautology && !self.contradiction(hints.unwrap_or(&[]), known)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn lookup(known: &Known, number: i64) -> Result<&[Lit], i64> {
    let clause = u64::try_from(number)
        .ok()
        .and_then(|number| known.get(&number));
    clause.map(|clause| &**clause).ok_or(number)
}
