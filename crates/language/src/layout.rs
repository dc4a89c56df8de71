//! The formatter: the same words and comments, laid out alike.
//!
//! Lines the author broke stay broken, so that a table of facts keeps its
//! columns; what changes is indentation, blanks, and where parentheses close.
//!
//! - two blanks per level, closing parentheses behind the last word
//! - each section of a definition and each key of a section on its own line
//! - a list that was written on one line stays on it if it fits
//! - at most one empty line in a row; comments stay where they were

use crate::diagnostic::Severity;
use crate::syntax::{Node, NodeKind, TokenKind, Tree, tokens};

/// Why a text was not formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unformattable {
    /// It has errors of syntax; formatting could hide them.
    Errors,
    /// Its lists are nested deeper than any person writes.
    TooDeep,
}

/// Longest line that is written on purpose.
pub(crate) const WIDTH: usize = 100;

const DEEPEST: usize = 500;

/// Lays a text out. Only blanks and line ends change, and nothing changes when
/// it is done again.
pub fn format(tree: &Tree) -> Result<String, Unformattable> {
    let mut out = lay_out(tree)?;
    // What has been drawn up from several lines may be too long for the one it
    // stands on now.
    for _ in 0..SETTLED {
        let again = lay_out(&Tree::read(out.as_str(), 0))?;
        if again == out {
            break;
        }
        out = again;
    }
    Ok(out)
}

/// By then every text has come to rest.
const SETTLED: usize = 8;

fn lay_out(tree: &Tree) -> Result<String, Unformattable> {
    if tree
        .errors
        .iter()
        .any(|error| error.severity() == Severity::Error)
    {
        return Err(Unformattable::Errors);
    }
    let mut layout = Layout {
        text: tree.text(),
        out: String::with_capacity(tree.text().len()),
        column: 0,
        at: if tree.text().starts_with('\u{FEFF}') {
            3
        } else {
            0
        },
        comment: false,
    };
    for node in tree.root().children() {
        layout.gap(node.span().start, 0, true);
        layout.node(node, 0, 0)?;
    }
    layout.gap(tree.text().len() as u32, 0, true);
    let mut out = layout.out.trim_end().to_owned();
    if !out.is_empty() {
        out.push('\n');
    }
    // A word may begin with what at the beginning of a text is a byte order
    // mark, and must not become one.
    if out.starts_with('\u{FEFF}') {
        out.insert(0, '\n');
    }
    Ok(out)
}

struct Layout<'t> {
    text: &'t str,
    out: String,
    column: usize,
    /// What has been written, in the source.
    at: u32,
    /// The last thing written is a comment, which ends its line.
    comment: bool,
}

impl<'t> Layout<'t> {
    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
        self.comment = false;
    }

    fn line(&mut self, indent: usize) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        self.comment = false;
    }

    /// Passes over the source up to an offset: writes its comments, and a line
    /// end if asked for, if the source has one, or if a comment needs it.
    fn gap(&mut self, until: u32, indent: usize, may_break: bool) -> bool {
        let source = &self.text[self.at as usize..until as usize];
        let mut lines = 0;
        let mut broken = false;
        for token in tokens(source) {
            let piece = &source[token.start as usize..token.end as usize];
            match token.kind {
                TokenKind::Blank => lines += piece.matches('\n').count(),
                TokenKind::Comment => {
                    if lines > 0 || self.comment {
                        broken |= self.break_line(lines, indent);
                    } else if self.column > 0 {
                        self.write(" ");
                    }
                    self.write(piece.trim_end());
                    self.comment = true;
                    lines = 0;
                }
                // Parentheses the tree accounts for.
                _ => {}
            }
        }
        self.at = until;
        if self.comment || lines > 0 && may_break {
            broken |= self.break_line(lines.max(1), indent);
        }
        broken
    }

    fn break_line(&mut self, lines: usize, indent: usize) -> bool {
        if self.out.is_empty() {
            return true;
        }
        if lines > 1 {
            self.line(0);
        }
        self.line(indent);
        true
    }

    fn node(&mut self, node: Node<'t>, indent: usize, depth: usize) -> Result<(), Unformattable> {
        if depth > DEEPEST {
            return Err(Unformattable::TooDeep);
        }
        let span = node.span();
        if !node.is_list() {
            match node.keyword() {
                Some(_) if node.text().contains(char::is_whitespace) => {}
                _ => self.write(node.text()),
            }
            self.at = span.end;
            return Ok(());
        }
        if let Some(line) = one_line(node)
            && self.column + line.chars().count() <= WIDTH
        {
            self.write(&line);
            self.at = span.end;
            return Ok(());
        }
        self.write("(");
        self.at = span.start + 1;
        let style = Style::of(node);
        let inner = indent + 2;
        let mut previous: Option<Node<'t>> = None;
        for (index, child) in node.children().enumerate() {
            let broken = self.gap(child.span().start, inner, index >= style.head);
            let must = index >= style.head && style.breaks_before(child, previous);
            let long = || {
                let length = one_line(child).map_or(0, |line| line.chars().count());
                index >= style.head.max(1) && self.column + 1 + length > WIDTH
            };
            if !broken && (must || long()) {
                self.line(inner);
            } else if !broken && index > 0 {
                self.write(" ");
            }
            let deeper = match child.is_list() && self.column > inner {
                // A value behind its key is indented like the key.
                true => inner,
                false => inner,
            };
            self.node(child, deeper, depth + 1)?;
            previous = Some(child);
        }
        self.gap(span.end - 1, inner, false);
        self.write(")");
        self.at = span.end;
        Ok(())
    }
}

/// The list as one line, if the source has it on one line without comment.
fn one_line(node: Node<'_>) -> Option<String> {
    let text = node.text();
    if text.len() > 4 * WIDTH || text.contains(['\n', ';']) {
        return None;
    }
    let mut line = String::with_capacity(text.len());
    let mut gap = false;
    for token in tokens(text) {
        match token.kind {
            TokenKind::Blank => gap = true,
            TokenKind::Comment => return None,
            TokenKind::Close => line.push(')'),
            TokenKind::Open | TokenKind::Word => {
                if !line.is_empty()
                    && !line.ends_with('(')
                    && (gap || line.ends_with(')') || token.kind == TokenKind::Open)
                {
                    line.push(' ');
                }
                line.push_str(&text[token.start as usize..token.end as usize]);
            }
        }
        if token.kind != TokenKind::Blank {
            gap = false;
        }
    }
    Some(line)
}

/// How a list that does not fit on a line is broken.
struct Style {
    /// How many children stay on the first line.
    head: usize,
    /// Every child after the head starts a line.
    each: bool,
    /// Every key starts a line.
    keys: bool,
}

impl Style {
    fn of(node: Node<'_>) -> Style {
        let style = |head, each, keys| Style { head, each, keys };
        let Some(head) = node.head() else {
            return style(0, false, false);
        };
        match head.text().to_ascii_lowercase().as_str() {
            "define" => style(2, true, false),
            ":action" | ":method" | ":task" | ":durative-action" | ":process" | ":event" => {
                style(2, false, true)
            }
            ":htn" => style(1, false, true),
            "forall" | "exists" => style(2, true, false),
            "and" | "or" | "when" | "imply" => style(1, true, false),
            ":goal" | ":derived" | "not" => style(2, false, false),
            _ => style(1, false, false),
        }
    }

    fn breaks_before(&self, child: Node<'_>, previous: Option<Node<'_>>) -> bool {
        let _ = previous;
        self.each || self.keys && child.kind() == NodeKind::Keyword
    }
}
