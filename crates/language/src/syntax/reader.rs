//! From tokens to the tree, and what to do when parentheses do not match.
//!
//! Counting parentheses finds *that* one is missing, at the end of the file.
//! Where it is missing is said by two other witnesses. Sections such as
//! `(:action` stand directly in `(define …)` and keys such as `:effect`
//! directly in their section, so meeting one too deep shows that something
//! before it is unclosed, and meeting one too shallow that something was
//! closed too early. And indentation: a line that starts left of the contents
//! of a list that is still open was meant to be outside of it.
//!
//! The first pass builds the tree and collects where closing parentheses are
//! missing or superfluous. If there are any, a second pass builds the tree
//! anew with these repairs, so that one slip does not hide the rest.

use super::token::{Token, TokenKind, tokens};
use super::words::{is_key_of, is_section};
use super::{NodeKind, RawNode, Tree};
use crate::diagnostic::{Diagnostic, Fix, character, keyword, parenthesis};
use crate::source::Span;

/// Longest text whose offsets fit.
const LONGEST: usize = (u32::MAX - 1) as usize;

/// How many open lists one line may accuse of being unclosed; bounds the work
/// per line, and nobody leaves more open.
const SUSPECTS_PER_LINE: usize = 64;

pub(super) fn read(mut text: String, file: u32) -> Tree {
    let mut errors = Vec::new();
    if text.len() > LONGEST {
        let mut end = LONGEST;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        errors.push(character::too_long(file));
    }
    let first = Reader::run(&text, file, Repairs::default(), true);
    errors.extend(character::stray(&text, file));
    errors.extend(first.errors);
    let mut repairs = first.repairs;
    let nodes = if repairs.closes.is_empty() && repairs.ignored.is_empty() {
        first.nodes
    } else {
        repairs.closes.sort_unstable();
        repairs.ignored.sort_unstable();
        Reader::run(&text, file, repairs, false).nodes
    };
    Tree {
        text,
        file,
        nodes,
        errors,
    }
}

/// Reads bytes that are not UTF-8: each bad byte becomes a control character
/// that no name contains, and the first run of them is reported.
pub(super) fn read_invalid(mut bytes: Vec<u8>, file: u32) -> Tree {
    let mut bad: Vec<u32> = Vec::new();
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(&bytes[from..]) {
        let start = from + error.valid_up_to();
        let end = start + error.error_len().unwrap_or(bytes.len() - start);
        for (offset, byte) in bytes[start..end].iter_mut().enumerate() {
            *byte = crate::source::BAD_BYTE;
            bad.push((start + offset) as u32);
        }
        from = end;
    }
    let text = String::from_utf8(bytes).unwrap_or_default();
    let mut tree = read(text, file);
    tree.errors.insert(0, character::not_utf8(file, &bad));
    tree
}

#[derive(Default)]
struct Repairs {
    /// Offsets at which a list ends that nothing closes.
    closes: Vec<u32>,
    /// Offsets of closing parentheses that close nothing.
    ignored: Vec<u32>,
}

/// A list that is not yet closed.
struct Open {
    node: u32,
    /// Column of the first token on its line.
    indent: u32,
    line: u32,
    /// Column of its contents: of the first token inside that starts a line.
    content: Option<u32>,
    children: u32,
    /// Where it should have ended, if a later line started too far left.
    suspect: Option<u32>,
}

struct Reader<'a> {
    text: &'a str,
    file: u32,
    nodes: Vec<RawNode>,
    stack: Vec<Open>,
    errors: Vec<Diagnostic>,
    repairs: Repairs,
    /// First pass: look for mistakes. Second pass: apply the repairs.
    searching: bool,
    next_close: usize,
    next_ignored: usize,
    /// End of the last token that is not blank or comment.
    end: u32,
    line: u32,
    line_start: u32,
    /// Column of the first token on this line, once it is known.
    indent: Option<u32>,
    /// Lists of this section that look unclosed but were closed by someone
    /// else's parenthesis: `(where it should have ended, its node)`.
    evidence: Vec<(u32, u32)>,
    /// The last list closed directly inside the definition.
    section: Option<u32>,
    /// The last definition closed.
    definition: Option<u32>,
}

impl<'a> Reader<'a> {
    fn run(text: &'a str, file: u32, repairs: Repairs, searching: bool) -> Reader<'a> {
        let mut reader = Reader {
            text,
            file,
            nodes: vec![RawNode {
                start: 0,
                end: text.len() as u32,
                next: 0,
                kind: NodeKind::File,
            }],
            stack: Vec::new(),
            errors: Vec::new(),
            repairs,
            searching,
            next_close: 0,
            next_ignored: 0,
            end: 0,
            line: 0,
            line_start: 0,
            indent: None,
            evidence: Vec::new(),
            section: None,
            definition: None,
        };
        let mut tokens = tokens(text).peekable();
        let mut word_before: Option<Token> = None;
        while let Some(token) = tokens.next() {
            let before = word_before.take();
            match token.kind {
                TokenKind::Blank => reader.blank(token),
                TokenKind::Comment => {}
                TokenKind::Open => {
                    reader.begin_token(token);
                    let head = reader.head_after(token);
                    reader.open(token, head);
                }
                TokenKind::Close => reader.close(token),
                TokenKind::Word => {
                    reader.begin_token(token);
                    if searching && let Some(before) = before {
                        reader.glued(before, token);
                    }
                    let mut token = token;
                    // `(: action` with a blank after the colon.
                    if reader.slice(token) == ":" {
                        let mut ahead = tokens.clone();
                        if ahead.next().is_some_and(|t| t.kind == TokenKind::Blank)
                            && let Some(word) = ahead.next().filter(|t| t.kind == TokenKind::Word)
                            && !reader.slice(word).starts_with([':', '?'])
                        {
                            tokens = ahead;
                            token.end = word.end;
                            if searching {
                                reader.errors.push(keyword::split(text, reader.span(token)));
                            }
                        }
                    }
                    reader.word(token);
                    word_before = Some(token);
                }
            }
        }
        reader.finish();
        reader
    }

    /// A variable that begins in the middle of a word; all of them are one
    /// warning.
    fn glued(&mut self, before: Token, token: Token) {
        let (before, variable) = (self.slice(before), self.slice(token));
        let found = keyword::glued(before, variable, self.span(token));
        let first = self.errors.iter_mut().find(|e| e.code == found.code);
        match (first, found.fix.clone()) {
            (Some(first), Some(fix)) => {
                first.count += 1;
                first
                    .fix
                    .get_or_insert(Fix {
                        edits: Vec::new(),
                        ..fix.clone()
                    })
                    .edits
                    .extend(fix.edits);
            }
            _ => self.errors.push(found),
        }
    }

    fn slice(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn span(&self, token: Token) -> Span {
        Span {
            file: self.file,
            start: token.start,
            end: token.end,
        }
    }

    fn blank(&mut self, token: Token) {
        let text = self.slice(token);
        if let Some(last) = text.rfind('\n') {
            self.line += text.bytes().filter(|byte| *byte == b'\n').count() as u32;
            self.line_start = token.start + last as u32 + 1;
            self.indent = None;
        }
    }

    /// The first word after an opening parenthesis.
    fn head_after(&self, open: Token) -> &'a str {
        let rest = &self.text[open.end as usize..];
        // A head further away than this is not worth looking for.
        let near = rest.as_bytes()[..rest.len().min(256)]
            .iter()
            .position(|b| !b.is_ascii_whitespace())
            .map_or("", |at| &rest[at..]);
        tokens(near)
            .next()
            .filter(|t| t.kind == TokenKind::Word)
            .map_or("", |t| &near[..t.end as usize])
    }

    /// Before an opening parenthesis or a word: note what its column says.
    fn begin_token(&mut self, token: Token) {
        self.apply_closes(token.start);
        if self.indent.is_some() {
            return;
        }
        let column = token.start - self.line_start;
        self.indent = Some(column);
        let line = self.line;
        let end = self.end;
        // Level 0 is the definition, whose sections may stand at its column.
        for open in self.stack.iter_mut().skip(1).rev().take(SUSPECTS_PER_LINE) {
            let left = column <= open.indent && open.line < line;
            let inside = match open.content {
                Some(content) => column >= content,
                None => !left || open.children < 2,
            };
            if inside || !left {
                open.content.get_or_insert(column);
                break;
            }
            open.suspect.get_or_insert(end);
        }
    }

    /// Second pass: lists that end here although nothing closes them.
    fn apply_closes(&mut self, before: u32) {
        while !self.searching
            && self.next_close < self.repairs.closes.len()
            && self.repairs.closes[self.next_close] <= before
        {
            self.next_close += 1;
            if !self.stack.is_empty() {
                self.pop(self.end);
            }
        }
    }

    fn open(&mut self, token: Token, head: &str) {
        self.synchronise_open(head);
        self.count_child();
        self.stack.push(Open {
            node: self.nodes.len() as u32,
            indent: self.indent.unwrap_or(0),
            line: self.line,
            content: None,
            children: 0,
            suspect: None,
        });
        self.push_node(token, NodeKind::List);
    }

    fn word(&mut self, token: Token) {
        let text = self.slice(token);
        if text.starts_with(':') {
            self.synchronise_key(text);
        } else if self.stack.len() == 1 {
            self.reopen_list_section();
        }
        self.count_child();
        self.push_node(token, kind_of(text));
    }

    fn close(&mut self, token: Token) {
        self.apply_closes(token.start);
        self.indent.get_or_insert(token.start - self.line_start);
        if !self.searching
            && self.next_ignored < self.repairs.ignored.len()
            && self.repairs.ignored[self.next_ignored] == token.start
        {
            self.next_ignored += 1;
            return;
        }
        if self.stack.is_empty() {
            self.unmatched(token.start);
        } else {
            self.pop(token.end);
        }
        self.end = token.end;
    }

    /// A section belongs directly inside the definition, a definition directly
    /// inside the file.
    fn synchronise_open(&mut self, head: &str) {
        if head.eq_ignore_ascii_case("define") {
            self.unwind(0);
        } else if head.starts_with(':') && (is_section(head) || head == ":") {
            // `(: action` counts as well; what follows the colon is a keyword.
            match self.stack.len() {
                0 => self.reopen_definition(),
                1 => {}
                _ if head == ":" => {}
                _ => self.unwind(1),
            }
            self.evidence.clear();
        } else if head.starts_with(':') {
            // A misspelt section: no fact and no name begins like that.
        } else if self.stack.len() == 1 {
            self.reopen_list_section();
        } else if self.stack.is_empty() {
            // A fact after everything was closed.
            if let Some(definition) = self.definition
                && !head.is_empty()
            {
                self.reopen(definition);
                self.reopen_list_section();
            }
        }
    }

    /// A key belongs directly inside its section.
    fn synchronise_key(&mut self, key: &str) {
        match self.stack.len() {
            0 => {}
            1 => {
                if let Some(section) = self.section
                    && is_key_of(self.head_of(section), key)
                {
                    self.reopen(section);
                }
            }
            2 => {}
            _ => {
                let section = self.stack[1].node;
                if is_key_of(self.head_of(section), key) {
                    self.unwind(2);
                }
            }
        }
    }

    /// A fact or a name directly inside the definition, after `:init` or
    /// another list of such things: that list was closed too early.
    fn reopen_list_section(&mut self) {
        const LISTS: &[&str] = &[
            ":init",
            ":predicates",
            ":objects",
            ":constants",
            ":types",
            ":functions",
        ];
        if let Some(section) = self.section {
            let head = self.head_of(section);
            if LISTS.iter().any(|list| list.eq_ignore_ascii_case(head)) {
                self.reopen(section);
            }
        }
    }

    fn reopen_definition(&mut self) {
        if let Some(definition) = self.definition.take() {
            self.reopen(definition);
        }
    }

    /// Puts a closed list back on the stack: its closing parenthesis was one
    /// too many.
    fn reopen(&mut self, node: u32) {
        let raw = self.nodes[node as usize];
        let empty = raw.next == node + 2;
        if self.searching {
            let close = Span {
                file: self.file,
                start: raw.end - 1,
                end: raw.end,
            };
            let open = Span {
                file: self.file,
                start: raw.start,
                end: raw.start + 1,
            };
            let head = self.head_of(node);
            self.errors.push(if empty {
                parenthesis::closed_early(head, close, open)
            } else {
                parenthesis::extra(head, close, open)
            });
            self.repairs.ignored.push(close.start);
        }
        self.stack.push(Open {
            node,
            indent: 0,
            line: 0,
            content: Some(0),
            children: 2,
            suspect: None,
        });
        // What was closed after it can no longer be reopened.
        if self.stack.len() > 1 {
            self.section = None;
        }
        self.definition = None;
    }

    fn unmatched(&mut self, at: u32) {
        if self.searching {
            let span = Span {
                file: self.file,
                start: at,
                end: at + 1,
            };
            self.errors.push(parenthesis::unmatched(span));
        }
    }

    /// Closes every list deeper than `level` and reports where the closing
    /// parentheses are missing.
    fn unwind(&mut self, level: usize) {
        let missing = self.stack.len().saturating_sub(level);
        if missing == 0 {
            return;
        }
        if self.searching {
            self.report_unclosed(level, missing);
        }
        while self.stack.len() > level {
            self.pop(self.end);
        }
        self.evidence.clear();
    }

    fn report_unclosed(&mut self, level: usize, missing: usize) {
        let mut places = std::mem::take(&mut self.evidence);
        places.extend(
            self.stack[level..]
                .iter()
                .filter_map(|open| Some((open.suspect?, open.node))),
        );
        // Of several lists that should have ended at one place, the inner one
        // (opened later) ends first.
        places.sort_by_key(|(end, node)| (*end, std::cmp::Reverse(*node)));
        places.truncate(missing);
        let blamed: Vec<u32> = places.iter().map(|(_, node)| *node).collect();
        let others = self.stack[level..]
            .iter()
            .rev()
            .map(|open| (self.end, open.node))
            .filter(|(_, node)| !blamed.contains(node))
            .take(missing - places.len());
        places.extend(others.collect::<Vec<_>>());
        self.repairs
            .closes
            .extend(places.iter().map(|(end, _)| end));
        // One message is enough for a heap of unclosed lists.
        let extra = places.len().saturating_sub(8);
        for (end, node) in places.into_iter().take(8) {
            let raw = self.nodes[node as usize];
            let open = Span {
                file: self.file,
                start: raw.start,
                end: raw.start + 1,
            };
            let head = self.head_of(node);
            self.errors
                .push(parenthesis::unclosed(head, open, end, extra));
        }
    }

    fn head_of(&self, node: u32) -> &'a str {
        match self.nodes.get(node as usize + 1) {
            Some(head)
                if head.kind != NodeKind::List && head.start >= self.nodes[node as usize].start =>
            {
                &self.text[head.start as usize..head.end as usize]
            }
            _ => "",
        }
    }

    fn count_child(&mut self) {
        if let Some(open) = self.stack.last_mut() {
            open.children += 1;
        }
    }

    fn push_node(&mut self, token: Token, kind: NodeKind) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(RawNode {
            start: token.start,
            end: token.end,
            next,
            kind,
        });
        self.end = token.end;
    }

    fn pop(&mut self, end: u32) {
        let Some(open) = self.stack.pop() else {
            return;
        };
        let next = self.nodes.len() as u32;
        let raw = &mut self.nodes[open.node as usize];
        raw.end = end;
        raw.next = next;
        if let Some(at) = open.suspect {
            self.evidence.push((at, open.node));
        }
        match self.stack.len() {
            0 => {
                let is_definition = self.head_of(open.node).eq_ignore_ascii_case("define");
                self.definition = is_definition.then_some(open.node);
                if !is_definition {
                    self.section = None;
                }
            }
            1 => {
                let is_section = self.head_of(open.node).starts_with(':');
                self.section = is_section.then_some(open.node);
            }
            _ => {}
        }
    }

    fn finish(&mut self) {
        self.apply_closes(u32::MAX);
        self.unwind(0);
        self.nodes[0].next = self.nodes.len() as u32;
    }
}

fn kind_of(word: &str) -> NodeKind {
    let bytes = word.as_bytes();
    match bytes[0] {
        b'?' => NodeKind::Variable,
        b':' => NodeKind::Keyword,
        b'-' if bytes.len() == 1 => NodeKind::Dash,
        b'0'..=b'9' | b'.' | b'-' | b'+' if is_number(bytes) => NodeKind::Number,
        _ => NodeKind::Name,
    }
}

fn is_number(bytes: &[u8]) -> bool {
    let digits = match bytes[0] {
        b'-' | b'+' => &bytes[1..],
        _ => bytes,
    };
    let points = digits.iter().filter(|byte| **byte == b'.').count();
    points <= 1 && digits.len() > points && digits.iter().all(|b| b.is_ascii_digit() || *b == b'.')
}
