//! Tokens: the text cut into pieces, none left out.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Blanks, tabs, line ends; a byte order mark at the start.
    Blank,
    /// From `;` to the end of the line, without it.
    Comment,
    /// `(`
    Open,
    /// `)`
    Close,
    /// Anything else; a question mark begins a new word.
    Word,
}

/// A piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Cuts a text into tokens; put together again they are the text.
///
/// ```
/// use planoku_language::syntax::tokens;
/// let text = "(p ?x) ; why\n";
/// let again: String = tokens(text).map(|t| &text[t.start as usize..t.end as usize]).collect();
/// assert_eq!(again, text);
/// ```
pub fn tokens(text: &str) -> impl Iterator<Item = Token> + Clone + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let kind = kind_at(bytes, start)?;
        at = match kind {
            TokenKind::Open | TokenKind::Close => start + 1,
            TokenKind::Comment => start + length(&bytes[start..], |byte| byte != b'\n'),
            TokenKind::Blank if is_mark(bytes, start) => 3,
            TokenKind::Blank => start + length(&bytes[start..], is_blank),
            TokenKind::Word => start + word_length(&bytes[start..]),
        };
        // The carriage return before a line end is not part of a comment.
        if kind == TokenKind::Comment && bytes[at - 1] == b'\r' && at - start > 1 {
            at -= 1;
        }
        Some(Token {
            kind,
            start: start as u32,
            end: at as u32,
        })
    })
}

fn kind_at(bytes: &[u8], at: usize) -> Option<TokenKind> {
    Some(match *bytes.get(at)? {
        b'(' => TokenKind::Open,
        b')' => TokenKind::Close,
        b';' => TokenKind::Comment,
        byte if is_blank(byte) || is_mark(bytes, at) => TokenKind::Blank,
        _ => TokenKind::Word,
    })
}

fn is_mark(bytes: &[u8], at: usize) -> bool {
    at == 0 && bytes.starts_with(b"\xEF\xBB\xBF")
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

fn is_word(byte: u8) -> bool {
    !is_blank(byte) && !matches!(byte, b'(' | b')' | b';')
}

/// A word ends before a question mark: `at?x` is `at` and `?x`, as it is to
/// other readers.
fn word_length(word: &[u8]) -> usize {
    let end = length(word, is_word);
    let marks = word[..end].windows(2);
    marks
        .enumerate()
        .find(|(_, pair)| pair[0] != b'?' && pair[1] == b'?')
        .map_or(end, |(before, _)| before + 1)
}

fn length(bytes: &[u8], inside: impl Fn(u8) -> bool) -> usize {
    bytes
        .iter()
        .position(|byte| !inside(*byte))
        .unwrap_or(bytes.len())
}
