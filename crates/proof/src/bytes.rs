//! The bytes of a proof: numbers in decimal or as variable-length integers,
//! with the offset for messages.

use std::fmt;
use std::io::{self, BufRead, Write};

use super::steps::ProofFormat;

/// Why a text or a row of bytes is not a proof.
#[derive(Debug)]
pub struct ReadError {
    /// Bytes before the place, from the beginning of the file.
    pub offset: u64,
    /// The line, counted from 1; `None` in a binary proof.
    pub line: Option<u64>,
    /// What was wrong there.
    pub kind: ErrorKind,
}

/// What can be wrong with a proof file.
#[derive(Debug)]
pub enum ErrorKind {
    /// Something else stood there.
    Expected(&'static str),
    /// A number too large for any formula.
    HugeNumber,
    /// The file ends inside a step.
    CutShort,
    /// A step with more numbers than `LONGEST_STEP`.
    StepTooLong,
    /// Reading failed.
    Io(io::Error),
}

/// No step may have more numbers than this, so that memory stays bounded.
pub const LONGEST_STEP: usize = 1 << 24;

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: ")?,
            None => write!(f, "byte {}: ", self.offset)?,
        }
        match &self.kind {
            ErrorKind::Expected(what) => write!(f, "expected {what}"),
            ErrorKind::HugeNumber => write!(f, "a number too large for any formula"),
            ErrorKind::CutShort => write!(f, "the proof ends inside a step"),
            ErrorKind::StepTooLong => write!(f, "a step of more than {LONGEST_STEP} numbers"),
            ErrorKind::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads bytes and numbers, and knows where it is.
pub(super) struct Input<R> {
    input: R,
    offset: u64,
    line: u64,
    form: ProofFormat,
}

impl<R: BufRead> Input<R> {
    /// Guesses the form from the first bytes: a text has nothing but digits,
    /// blanks, signs, `d` and comments in its first line.
    pub fn new(mut input: R) -> Result<Input<R>, ReadError> {
        let form = match input.fill_buf() {
            Ok(bytes) => guess(bytes),
            Err(error) => {
                let kind = ErrorKind::Io(error);
                let (offset, line) = (0, None);
                return Err(ReadError { offset, line, kind });
            }
        };
        Ok(Input {
            input,
            offset: 0,
            line: 1,
            form,
        })
    }

    pub fn form(&self) -> ProofFormat {
        self.form
    }

    pub fn error(&self, kind: ErrorKind) -> ReadError {
        ReadError {
            offset: self.offset,
            line: (self.form == ProofFormat::Text).then_some(self.line),
            kind,
        }
    }

    pub fn expected<T>(&self, what: &'static str) -> Result<T, ReadError> {
        Err(self.error(ErrorKind::Expected(what)))
    }

    pub fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        match self.input.fill_buf() {
            Ok(bytes) => Ok(bytes.first().copied()),
            Err(error) => Err(self.error(ErrorKind::Io(error))),
        }
    }

    pub fn next(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.input.consume(1);
            self.offset += 1;
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// In a text: passes over blanks and comments; the first byte of the next
    /// word.
    pub fn skip_to_word(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.peek()? {
                Some(byte) if byte.is_ascii_whitespace() => {
                    self.next()?;
                }
                Some(b'c') => while !matches!(self.next()?, None | Some(b'\n')) {},
                other => return Ok(other),
            }
        }
    }

    /// In a text: passes over one word if it is this letter.
    pub fn take_letter(&mut self, letter: u8) -> Result<bool, ReadError> {
        let found = self.skip_to_word()? == Some(letter);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    /// A signed number in either form.
    pub fn signed(&mut self) -> Result<i64, ReadError> {
        match self.form {
            ProofFormat::Text => self.decimal(),
            ProofFormat::Binary => {
                let coded = self.varint()?;
                let size = (coded >> 1) as i64;
                Ok(if coded & 1 == 1 { -size } else { size })
            }
        }
    }

    /// Signed numbers up to the closing zero, handed to `take` one by one.
    pub fn list(
        &mut self,
        mut take: impl FnMut(i64) -> Result<(), ErrorKind>,
    ) -> Result<(), ReadError> {
        for _ in 0..LONGEST_STEP {
            match self.signed()? {
                0 => return Ok(()),
                number => take(number).map_err(|kind| self.error(kind))?,
            }
        }
        Err(self.error(ErrorKind::StepTooLong))
    }

    fn decimal(&mut self) -> Result<i64, ReadError> {
        if self.skip_to_word()?.is_none() {
            return Err(self.error(ErrorKind::CutShort));
        }
        let negative = self.peek()? == Some(b'-');
        if negative {
            self.next()?;
        }
        let (mut number, mut digits) = (0i64, 0);
        while let Some(byte @ b'0'..=b'9') = self.peek()? {
            number = number * 10 + i64::from(byte - b'0');
            digits += 1;
            if number >= 1 << 58 || digits > 30 {
                return Err(self.error(ErrorKind::HugeNumber));
            }
            self.next()?;
        }
        let ended = self.peek()?.is_none_or(|byte| byte.is_ascii_whitespace());
        if digits == 0 || !ended {
            return self.expected("a number");
        }
        Ok(if negative { -number } else { number })
    }

    /// Seven bits a byte, lowest first; the top bit says that more follow.
    pub fn varint(&mut self) -> Result<u64, ReadError> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let Some(byte) = self.next()? else {
                return Err(self.error(ErrorKind::CutShort));
            };
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.error(ErrorKind::HugeNumber))
    }
}

fn guess(bytes: &[u8]) -> ProofFormat {
    let first_line = bytes.split(|byte| *byte == b'\n').next().unwrap_or(&[]);
    let is_text = match first_line.first() {
        Some(b'c') => first_line
            .iter()
            .all(|byte| (b' '..0x7f).contains(byte) || byte.is_ascii_whitespace()),
        _ => first_line
            .iter()
            .all(|byte| byte.is_ascii_digit() || b" -d\t\r".contains(byte)),
    };
    if is_text {
        ProofFormat::Text
    } else {
        ProofFormat::Binary
    }
}

/// Writes numbers in either form; the first failure is kept for the end, so
/// that a search need not care.
pub(super) struct Output<W> {
    out: W,
    pub form: ProofFormat,
    failed: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub fn new(out: W, form: ProofFormat) -> Output<W> {
        let failed = None;
        Output { out, form, failed }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(bytes).err();
        }
    }

    pub fn signed(&mut self, number: i64) {
        match self.form {
            ProofFormat::Text => self.bytes(format!("{number} ").as_bytes()),
            ProofFormat::Binary => self.varint(number.unsigned_abs() << 1 | u64::from(number < 0)),
        }
    }

    /// The closing zero, and in a text the end of the line if the step ends.
    pub fn zero(&mut self, ends_step: bool) {
        match (self.form, ends_step) {
            (ProofFormat::Text, true) => self.bytes(b"0\n"),
            (ProofFormat::Text, false) => self.bytes(b"0 "),
            (ProofFormat::Binary, _) => self.bytes(&[0]),
        }
    }

    fn varint(&mut self, mut number: u64) {
        let mut bytes = [0; 10];
        let mut len = 0;
        loop {
            let more = number >= 0x80;
            bytes[len] = (number & 0x7f) as u8 | u8::from(more) << 7;
            len += 1;
            number >>= 7;
            if !more {
                break;
            }
        }
        self.bytes(&bytes[..len]);
    }

    /// The writer back, or what went wrong on the way.
    pub fn finish(mut self) -> io::Result<W> {
        match self.failed {
            Some(error) => Err(error),
            None => {
                self.out.flush()?;
                Ok(self.out)
            }
        }
    }
}
