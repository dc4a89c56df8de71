//! DIMACS CNF: the format every SAT tool reads and writes.
//!
//! Comments (`c …`), one header (`p cnf VARIABLES CLAUSES`), then clauses as
//! numbers, each closed by `0`; line breaks mean nothing inside clauses.
//! `c p show 1 2 3 0` names the variables an answer is about, as the model
//! counting competitions write it.
//!
//! [`Reader`] hands out one clause at a time and holds no more than that one,
//! so a file of any size is read in bounded memory; [`read`] collects a whole
//! [`Cnf`] and gives up at a [`Cap`]. Lines and columns in errors count from 1;
//! columns count bytes.

mod bytes;
mod error;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};

pub use error::{ErrorKind, ReadError};

use super::{Cnf, Lit, Var};
use bytes::Bytes;

/// What a file must not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    /// Literals in one clause.
    pub clause: usize,
    /// Literals in all clauses together, for [`read`] only: four bytes each.
    pub literals: usize,
}

impl Default for Cap {
    /// A million literals in a clause, and 2^27 in all (half a gigabyte).
    fn default() -> Cap {
        Cap {
            clause: 1 << 20,
            literals: 1 << 27,
        }
    }
}

/// Reads clauses one at a time.
///
/// ```
/// use planoku_constraints::cnf::dimacs::{Cap, Reader};
///
/// let mut reader = Reader::new(&b"c hello\np cnf 2 1\n1 -2 0\n"[..], Cap::default()).unwrap();
/// assert_eq!((reader.variables(), reader.announced()), (2, 1));
/// let mut clause = Vec::new();
/// assert!(reader.next_clause(&mut clause).unwrap());
/// assert_eq!(clause.iter().map(|lit| lit.to_dimacs()).collect::<Vec<_>>(), [1, -2]);
/// assert!(!reader.next_clause(&mut clause).unwrap());
/// ```
pub struct Reader<R> {
    bytes: Bytes<R>,
    cap: Cap,
    variables: u64,
    announced: u64,
    found: u64,
    shown: Option<Vec<Var>>,
}

impl<R: BufRead> Reader<R> {
    /// Reads comments and the header.
    pub fn new(input: R, cap: Cap) -> Result<Reader<R>, ReadError> {
        let mut reader = Reader {
            bytes: Bytes::new(input),
            cap,
            variables: Var::LIMIT as u64,
            announced: 0,
            found: 0,
            shown: None,
        };
        match reader.skip_to_word()? {
            Some(b'p') => reader.header()?,
            _ => return Err(reader.bytes.error(ErrorKind::NoHeader)),
        }
        Ok(reader)
    }

    /// The variables the header announces.
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// The clauses the header announces.
    pub fn announced(&self) -> u64 {
        self.announced
    }

    /// The variables named by `c p show` lines so far.
    pub fn shown(&self) -> Option<&[Var]> {
        self.shown.as_deref()
    }

    /// Puts the next clause into `clause`; false at the end of a file whose
    /// clauses are as many as announced.
    pub fn next_clause(&mut self, clause: &mut Vec<Lit>) -> Result<bool, ReadError> {
        clause.clear();
        loop {
            let word = self.skip_to_word()?;
            if clause.is_empty() && self.found == self.announced && word.is_some_and(|b| b != b'%')
            {
                if word == Some(b'p') {
                    return Err(self.bytes.error(ErrorKind::SecondHeader));
                }
                let announced = self.announced;
                return Err(self.bytes.error(ErrorKind::TooManyClauses { announced }));
            }
            match word {
                None if !clause.is_empty() => return Err(self.bytes.error(ErrorKind::MissingZero)),
                None => return self.end(),
                // Old benchmark files close with a `%` line.
                Some(b'%') if clause.is_empty() && self.found == self.announced => {
                    return Ok(false);
                }
                Some(b'p') => return Err(self.bytes.error(ErrorKind::SecondHeader)),
                Some(_) => {}
            }
            match self.literal()? {
                None => {
                    self.found += 1;
                    return Ok(true);
                }
                Some(_) if clause.len() == self.cap.clause => {
                    return Err(self.bytes.error(ErrorKind::ClauseTooLong(self.cap.clause)));
                }
                Some(lit) => clause.push(lit),
            }
        }
    }

    fn end(&mut self) -> Result<bool, ReadError> {
        let (announced, found) = (self.announced, self.found);
        if found == announced {
            Ok(false)
        } else {
            Err(self
                .bytes
                .error(ErrorKind::TooFewClauses { announced, found }))
        }
    }

    /// Passes over blanks and comments; the first byte of the next word.
    fn skip_to_word(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.bytes.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => self.bytes.pass(),
                Some(b'c') => self.comment()?,
                other => return Ok(other),
            }
        }
    }

    /// A comment, which may be `c p show … 0`.
    fn comment(&mut self) -> Result<(), ReadError> {
        self.bytes.pass();
        for wanted in *b" p show " {
            match self.bytes.peek()? {
                Some(byte) if byte == wanted => self.bytes.pass(),
                _ => return self.bytes.pass_line(),
            }
        }
        let mut shown = self.shown.take().unwrap_or_default();
        loop {
            self.bytes.pass_blanks()?;
            match self.literal()? {
                Some(_) if shown.len() >= self.cap.clause => {
                    return Err(self.bytes.error(ErrorKind::ClauseTooLong(self.cap.clause)));
                }
                Some(lit) => shown.push(lit.var()),
                None => break,
            }
        }
        self.shown = Some(shown);
        self.bytes.pass_line()
    }

    fn header(&mut self) -> Result<(), ReadError> {
        self.bytes.pass();
        self.bytes.pass_blanks()?;
        let (word, place) = self.bytes.word()?;
        if word != b"cnf" {
            return Err(place.error(ErrorKind::BadHeader("`cnf`")));
        }
        self.variables = self.header_number("the number of variables")?;
        if self.variables > Var::LIMIT as u64 {
            let kind = ErrorKind::TooManyVariables(self.variables);
            return Err(self.bytes.error(kind));
        }
        self.announced = self.header_number("the number of clauses")?;
        let shown = self.shown.iter().flatten();
        if let Some(var) = shown.max().filter(|var| var.index() >= self.variables()) {
            let kind = self.beyond(var.positive().to_dimacs().to_string());
            return Err(self.bytes.error(kind));
        }
        self.bytes.pass_blanks()?;
        match self.bytes.peek()? {
            None | Some(b'\n') => Ok(()),
            _ => Err(self
                .bytes
                .error(ErrorKind::BadHeader("the end of the line"))),
        }
    }

    fn header_number(&mut self, wanted: &'static str) -> Result<u64, ReadError> {
        self.bytes.pass_blanks()?;
        let (word, place) = self.bytes.word()?;
        let digits = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
        std::str::from_utf8(&word)
            .ok()
            .filter(|_| digits)
            .and_then(|word| word.parse().ok())
            .ok_or_else(|| place.error(ErrorKind::BadHeader(wanted)))
    }

    fn beyond(&self, found: String) -> ErrorKind {
        let variables = self.variables;
        ErrorKind::BeyondHeader { found, variables }
    }

    /// A number; `None` for the closing zero.
    fn literal(&mut self) -> Result<Option<Lit>, ReadError> {
        let place = self.bytes.place;
        let negative = self.bytes.peek()? == Some(b'-');
        if negative {
            self.bytes.pass();
        }
        let (mut number, mut digits) = (0u64, 0u64);
        while let Some(byte @ b'0'..=b'9') = self.bytes.peek()? {
            number = number
                .saturating_mul(10)
                .saturating_add(u64::from(byte - b'0'));
            digits += 1;
            self.bytes.pass();
        }
        let ended = self
            .bytes
            .peek()?
            .is_none_or(|byte| byte.is_ascii_whitespace());
        if digits == 0 || !ended {
            let mut found = String::new();
            if negative {
                found.push('-');
            }
            if digits > 0 {
                found.push_str(&number.to_string());
            }
            let (rest, _) = self.bytes.word()?;
            found.push_str(&String::from_utf8_lossy(&rest).escape_debug().to_string());
            return Err(place.error(ErrorKind::NotANumber(found)));
        }
        if number > self.variables {
            let sign = if negative { "-" } else { "" };
            let found = if digits > 19 {
                format!("{sign}(a number of {digits} digits)")
            } else {
                format!("{sign}{number}")
            };
            return Err(place.error(self.beyond(found)));
        }
        let number = number as i64;
        Ok(Lit::from_dimacs(if negative { -number } else { number }))
    }
}

/// Reads a whole formula, up to the cap.
pub fn read(input: impl BufRead, cap: Cap) -> Result<Cnf, ReadError> {
    let mut reader = Reader::new(input, cap)?;
    let mut cnf = Cnf::new();
    cnf.reserve_vars(reader.variables());
    let mut clause = Vec::new();
    while reader.next_clause(&mut clause)? {
        if cnf.literals() + clause.len() > cap.literals || cnf.len() >= cap.literals {
            return Err(reader.bytes.error(ErrorKind::TooLarge(cap.literals)));
        }
        cnf.add(clause.iter().copied());
    }
    if let Some(shown) = reader.shown {
        cnf.show(shown);
    }
    Ok(cnf)
}

/// Writes a formula, its comments first. A comment of several lines becomes
/// several comments.
pub fn write<'a>(
    cnf: &Cnf,
    comments: impl IntoIterator<Item = &'a str>,
    mut out: impl Write,
) -> io::Result<()> {
    for comment in comments {
        for line in comment.split('\n') {
            writeln!(out, "c {line}")?;
        }
    }
    writeln!(out, "p cnf {} {}", cnf.vars(), cnf.len())?;
    if let Some(shown) = cnf.named() {
        write!(out, "c p show")?;
        for var in shown {
            write!(out, " {}", var.positive().to_dimacs())?;
        }
        writeln!(out, " 0")?;
    }
    for clause in cnf.clauses() {
        for lit in clause {
            write!(out, "{} ", lit.to_dimacs())?;
        }
        writeln!(out, "0")?;
    }
    Ok(())
}
