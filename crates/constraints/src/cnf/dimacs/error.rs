//! What can be wrong with a DIMACS file, and how it is said.

use std::fmt;
use std::io;

use super::Var;

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
#[non_exhaustive]
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
    /// A clause with more literals than [`Cap::clause`](super::Cap::clause).
    ClauseTooLong(usize),
    /// More literals than [`Cap::literals`](super::Cap::literals).
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
