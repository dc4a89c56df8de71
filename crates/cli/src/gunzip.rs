//! Compressed input, read as if it were not.
//!
//! The first two bytes tell: gzip begins with 1f 8b, which no text does. They
//! are looked at when somebody first reads, so that opening never waits.

use std::io::{self, Chain, Cursor, Read};

use flate2::read::MultiGzDecoder;

/// A reader that decompresses gzip and passes everything else through.
pub struct Gunzip<R: Read> {
    state: State<R>,
}

type Rest<R> = Chain<Cursor<Vec<u8>>, R>;

enum State<R: Read> {
    /// Nothing was read yet.
    New(R),
    Plain(Rest<R>),
    Gzip(Box<MultiGzDecoder<Rest<R>>>),
    /// Only while one of the others becomes another.
    Moving,
}

impl<R: Read> Gunzip<R> {
    /// Reads from `reader`, whatever it holds.
    pub fn new(reader: R) -> Gunzip<R> {
        Gunzip {
            state: State::New(reader),
        }
    }

    fn begin(&mut self, mut reader: R) -> io::Result<()> {
        let mut first = Vec::new();
        while first.len() < 2 && (first.is_empty() || first == [0x1f]) {
            let mut byte = [0];
            match reader.read(&mut byte) {
                Ok(0) => break,
                Ok(_) => first.push(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.state = State::Plain(Cursor::new(first).chain(reader));
                    return Err(error);
                }
            }
        }
        let gzip = first == [0x1f, 0x8b];
        let rest = Cursor::new(first).chain(reader);
        self.state = match gzip {
            true => State::Gzip(Box::new(MultiGzDecoder::new(rest))),
            false => State::Plain(rest),
        };
        Ok(())
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let State::New(_) = self.state
            && let State::New(reader) = std::mem::replace(&mut self.state, State::Moving)
        {
            self.begin(reader)?;
        }
        match &mut self.state {
            State::Plain(reader) => reader.read(buffer),
            State::Gzip(reader) => reader.read(buffer),
            State::New(_) | State::Moving => Ok(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn compressed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        Gunzip::new(bytes).read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn compressed_or_not_the_text_is_the_same() {
        let text = b"1...............\n".repeat(1000);
        assert_eq!(read(&text).unwrap(), text);
        assert_eq!(read(&compressed(&text)).unwrap(), text);
        // Several files one after the other are one, as for gunzip itself.
        let twice = [compressed(&text), compressed(&text)].concat();
        assert_eq!(read(&twice).unwrap(), text.repeat(2));
        for short in [&b""[..], b"\x1f", b"1"] {
            assert_eq!(read(short).unwrap(), short);
        }
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let mut bytes = compressed(&b"1...............\n".repeat(1000));
        assert!(read(&bytes[..bytes.len() - 9]).is_err());
        let last = bytes.len() - 6;
        bytes[last] ^= 1;
        assert!(read(&bytes).is_err());
    }
}
