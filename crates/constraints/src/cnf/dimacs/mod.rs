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

use std::fmt;
use std::io::{self, BufRead, Write};

use super::{Cnf, Lit, Var};

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

/// What was wrong, and where.
#[derive(Debug)]
pub struct ReadError {
    /// Counted from 1.
    pub line: u64,
    /// In bytes, counted from 1.
    pub column: u64,
    /// What was wrong there.
    pub kind: ErrorKind,
}

/// What can be wrong with a DIMACS file.
#[derive(Debug)]
pub enum ErrorKind {
    /// The file ends, or a clause begins, before any header.
    NoHeader,
    /// The header is not `p cnf VARIABLES CLAUSES`; the text is what was wanted.
    BadHeader(&'static str),
    /// More than one header.
    SecondHeader,
    /// The header announces more variables than [`Var::LIMIT`].
    TooManyVariables(u64),
    /// Neither a number nor a comment; the text is what was found.
    NotANumber(String),
    /// A literal beyond the variables the header announces.
    BeyondHeader {
        /// As written, cut short if endless.
        found: String,
        /// What the header announces.
        variables: u64,
    },
    /// The file ends inside a clause.
    MissingZero,
    /// More clauses than the header announces.
    TooManyClauses {
        /// What the header announces.
        announced: u64,
    },
    /// Fewer clauses than the header announces.
    TooFewClauses {
        /// What the header announces.
        announced: u64,
        /// What the file has.
        found: u64,
    },
    /// A clause with more literals than [`Cap::clause`].
    ClauseTooLong(usize),
    /// More literals than [`Cap::literals`].
    TooLarge(usize),
    /// Reading failed.
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match &self.kind {
            ErrorKind::NoHeader => write!(
                f,
                "expected `p cnf VARIABLES CLAUSES` before the first clause"
            ),
            ErrorKind::BadHeader(wanted) => write!(
                f,
                "bad header: expected {wanted}, as in `p cnf VARIABLES CLAUSES`"
            ),
            ErrorKind::SecondHeader => write!(f, "a second header"),
            ErrorKind::TooManyVariables(found) => {
                write!(
                    f,
                    "the header announces {found} variables, more than {} are not supported",
                    Var::LIMIT
                )
            }
            ErrorKind::NotANumber(found) => write!(f, "expected a literal, found `{found}`"),
            ErrorKind::BeyondHeader { found, variables } => {
                write!(
                    f,
                    "literal {found} is beyond the {variables} variables of the header"
                )
            }
            ErrorKind::MissingZero => write!(f, "the file ends inside a clause: expected `0`"),
            ErrorKind::TooManyClauses { announced } => {
                write!(f, "more clauses than the {announced} of the header")
            }
            ErrorKind::TooFewClauses { announced, found } => {
                write!(
                    f,
                    "the header announces {announced} clauses, the file has {found}"
                )
            }
            ErrorKind::ClauseTooLong(cap) => write!(f, "a clause of more than {cap} literals"),
            ErrorKind::TooLarge(cap) => {
                write!(
                    f,
                    "more than {cap} literals; read such a file clause by clause"
                )
            }
            ErrorKind::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ReadError {}

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

/// A place in the file.
#[derive(Clone, Copy)]
struct Place {
    line: u64,
    column: u64,
}

impl Place {
    fn error(self, kind: ErrorKind) -> ReadError {
        let Place { line, column } = self;
        ReadError { line, column, kind }
    }
}

/// Bytes with their place, one ahead at most.
struct Bytes<R> {
    input: R,
    place: Place,
    /// The byte at `place`, once it was looked at.
    ahead: Option<u8>,
}

/// Words longer than this are cut in messages.
const LONGEST_WORD: usize = 32;

impl<R: BufRead> Bytes<R> {
    fn new(input: R) -> Bytes<R> {
        let place = Place { line: 1, column: 1 };
        Bytes {
            input,
            place,
            ahead: None,
        }
    }

    fn error(&self, kind: ErrorKind) -> ReadError {
        self.place.error(kind)
    }

    #[inline]
    fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        if self.ahead.is_none() {
            let place = self.place;
            let buffer = self
                .input
                .fill_buf()
                .map_err(|error| place.error(ErrorKind::Io(error)))?;
            self.ahead = buffer.first().copied();
        }
        Ok(self.ahead)
    }

    /// Moves beyond the byte that was just looked at.
    #[inline]
    fn pass(&mut self) {
        if let Some(byte) = self.ahead.take() {
            self.input.consume(1);
            if byte == b'\n' {
                self.place.line += 1;
                self.place.column = 1;
            } else {
                self.place.column += 1;
            }
        }
    }

    fn pass_line(&mut self) -> Result<(), ReadError> {
        while self.peek()?.is_some_and(|byte| byte != b'\n') {
            self.pass();
        }
        Ok(())
    }

    fn pass_blanks(&mut self) -> Result<(), ReadError> {
        while matches!(self.peek()?, Some(b' ' | b'\t' | b'\r')) {
            self.pass();
        }
        Ok(())
    }

    /// Everything up to the next blank, cut if endless, and where it began.
    fn word(&mut self) -> Result<(Vec<u8>, Place), ReadError> {
        let place = self.place;
        let mut word = Vec::new();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() || word.len() == LONGEST_WORD {
                break;
            }
            word.push(byte);
            self.pass();
        }
        Ok((word, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn fails(text: &str, message: &str) {
        let error = read(text.as_bytes(), Cap::default()).unwrap_err();
        assert_eq!(error.to_string(), message, "{text:?}");
    }

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        let header = "as in `p cnf VARIABLES CLAUSES`";
        fails(
            "",
            "line 1, column 1: expected `p cnf VARIABLES CLAUSES` before the first clause",
        );
        fails(
            "c x\n1 0\n",
            "line 2, column 1: expected `p cnf VARIABLES CLAUSES` before the first clause",
        );
        fails(
            "p dnf 1 1\n",
            &format!("line 1, column 3: bad header: expected `cnf`, {header}"),
        );
        fails(
            "p cnf x 1\n",
            &format!("line 1, column 7: bad header: expected the number of variables, {header}"),
        );
        fails(
            "p cnf 1\n1 0\n",
            &format!("line 1, column 8: bad header: expected the number of clauses, {header}"),
        );
        fails(
            "p cnf 1 -1\n",
            &format!("line 1, column 9: bad header: expected the number of clauses, {header}"),
        );
        fails(
            "p cnf 1 1 1\n1 0\n",
            &format!("line 1, column 11: bad header: expected the end of the line, {header}"),
        );
        fails(
            "p cnf 1 1\np cnf 1 1\n1 0\n",
            "line 2, column 1: a second header",
        );
        fails(
            "p cnf 2 2\n1 0\n 2 -1",
            "line 3, column 6: the file ends inside a clause: expected `0`",
        );
        fails(
            "p cnf 2 1\n1 3 0\n",
            "line 2, column 3: literal 3 is beyond the 2 variables of the header",
        );
        fails(
            "p cnf 2 1\n-99999999999999999999999 0\n",
            "line 2, column 1: literal -(a number of 23 digits) is beyond the 2 variables of the header",
        );
        fails(
            "p cnf 0 1\n1 0\n",
            "line 2, column 1: literal 1 is beyond the 0 variables of the header",
        );
        fails(
            "p cnf 2 1\n1 2x 0\n",
            "line 2, column 3: expected a literal, found `2x`",
        );
        fails(
            "p cnf 2 1\n1 -- 0\n",
            "line 2, column 3: expected a literal, found `--`",
        );
        fails(
            "p cnf 2 1\n1 0\n2 0\n",
            "line 3, column 1: more clauses than the 1 of the header",
        );
        fails(
            "p cnf 2 3\n1 0\n2 0\n",
            "line 4, column 1: the header announces 3 clauses, the file has 2",
        );
        fails(
            "p cnf 9999999999 1\n",
            "line 1, column 17: the header announces 9999999999 variables, more than 536870912 are not supported",
        );
    }

    #[test]
    fn clauses_may_span_lines_and_share_them() {
        let text = "c one\np cnf 3 3\n1\n-2 0 3 0\nc two\n0\n";
        let cnf = read(text.as_bytes(), Cap::default()).unwrap();
        let numbers: Vec<Vec<i32>> = cnf
            .clauses()
            .map(|c| c.iter().map(|l| l.to_dimacs()).collect())
            .collect();
        assert_eq!(numbers, [vec![1, -2], vec![3], vec![]]);
    }

    #[test]
    fn the_closing_percent_of_old_benchmarks_is_the_end() {
        assert_eq!(
            read(&b"p cnf 1 1\n1 0\n%\n0\n"[..], Cap::default())
                .unwrap()
                .len(),
            1
        );
    }

    #[test]
    fn a_cap_is_honoured() {
        let cap = Cap {
            clause: 2,
            literals: 3,
        };
        let error = read(&b"p cnf 3 1\n1 2 3 0\n"[..], cap).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2, column 6: a clause of more than 2 literals"
        );
        let error = read(&b"p cnf 3 2\n1 2 0\n 2 3 0"[..], cap).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::TooLarge(3)));
    }

    /// An endless supply of the same clause, made as it is read.
    struct Endless {
        left: u64,
        at: usize,
    }

    const LINE: &[u8] = b"-1234567 1234568 -99999 0\n";

    impl io::Read for Endless {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            unreachable!("read through the buffer")
        }
    }

    impl BufRead for Endless {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            Ok(if self.left == 0 {
                &[]
            } else {
                &LINE[self.at..]
            })
        }

        fn consume(&mut self, amount: usize) {
            self.at += amount;
            if self.at == LINE.len() {
                self.at = 0;
                self.left -= 1;
            }
        }
    }

    #[test]
    fn a_stream_of_clauses_is_read_one_at_a_time() {
        // A hundredth of a gigabyte here; `bench sat dimacs` reads a whole one.
        let clauses = 10_000_000 / LINE.len() as u64;
        let header = format!("p cnf 1234568 {clauses}\n");
        let body = Endless {
            left: clauses,
            at: 0,
        };
        let input = io::Read::chain(header.as_bytes(), body);
        let mut reader = Reader::new(input, Cap::default()).unwrap();
        let mut clause = Vec::new();
        let mut found = 0;
        while reader.next_clause(&mut clause).unwrap() {
            assert!(clause.capacity() <= 8);
            found += 1;
        }
        assert_eq!(found, clauses);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(clauses in proptest::collection::vec(
            proptest::collection::vec((0usize..40, any::<bool>()), 0..6), 0..30), shows in any::<bool>()) {
            let mut cnf = Cnf::new();
            for clause in clauses {
                cnf.add(clause.into_iter().map(|(var, value)| Var::new(var).is(value)));
            }
            if shows {
                cnf.show((0..cnf.vars()).step_by(2).map(Var::new).collect());
            }
            let mut text = Vec::new();
            write(&cnf, ["a comment", "p cnf 1 1\nin two lines"], &mut text).unwrap();
            prop_assert_eq!(read(&text[..], Cap::default()).unwrap(), cnf);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(p cnf )?[0-9cp%\\- \n]{0,60}") {
            let _ = read(text.as_bytes(), Cap::default());
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = read(&bytes[..], Cap::default());
        }
    }
}
