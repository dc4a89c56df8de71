//! Bytes with their line and column, one ahead at most.

use std::io::BufRead;

use super::{ErrorKind, ReadError};

/// A place in the file.
#[derive(Clone, Copy)]
pub(super) struct Place {
    line: u64,
    column: u64,
}

impl Place {
    pub fn error(self, kind: ErrorKind) -> ReadError {
        let Place { line, column } = self;
        ReadError { line, column, kind }
    }
}

/// Bytes with their place, one ahead at most.
pub(super) struct Bytes<R> {
    input: R,
    pub place: Place,
    /// The byte at `place`, once it was looked at.
    ahead: Option<u8>,
}

/// Words longer than this are cut in messages.
const LONGEST_WORD: usize = 32;

impl<R: BufRead> Bytes<R> {
    pub fn new(input: R) -> Bytes<R> {
        let place = Place { line: 1, column: 1 };
        Bytes {
            input,
            place,
            ahead: None,
        }
    }

    pub fn error(&self, kind: ErrorKind) -> ReadError {
        self.place.error(kind)
    }

    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, ReadError> {
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
    pub fn pass(&mut self) {
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

    pub fn pass_line(&mut self) -> Result<(), ReadError> {
        while self.peek()?.is_some_and(|byte| byte != b'\n') {
            self.pass();
        }
        Ok(())
    }

    pub fn pass_blanks(&mut self) -> Result<(), ReadError> {
        while matches!(self.peek()?, Some(b' ' | b'\t' | b'\r')) {
            self.pass();
        }
        Ok(())
    }

    /// Everything up to the next blank, cut if endless, and where it began.
    pub fn word(&mut self) -> Result<(Vec<u8>, Place), ReadError> {
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
