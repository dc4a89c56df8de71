//! HDDL and PDDL as text: a lossless tree of lists and words.
//!
//! Reading never fails. [`Tree::read`] returns a tree for any text, with every
//! mistake that concerns parentheses and characters; what the words mean is
//! [`crate::model`]'s concern. The tree keeps the text itself and refers to it
//! by byte spans, so nothing is lost: comments and white space are what lies
//! between the nodes, and [`tokens`] yields them.
//!
//! Nodes lie in one vector in the order of their opening, each with the index
//! of the first node after its subtree:
//!
//! ```text
//! (and (p ?x) q)      0 file   next 6
//!                     1 list   next 6
//!                     2 and    next 3
//!                     3 list   next 6 …
//! ```
//!
//! So a tree of any depth is read, walked and dropped without recursion.

mod reader;
mod token;
mod words;

pub use token::{Token, TokenKind, tokens};
pub use words::{KEYS, SECTIONS, is_key_of, is_section};

use crate::diagnostic::Diagnostic;
use crate::source::{Span, excerpt};

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The whole text.
    File,
    /// A parenthesised list.
    List,
    /// A name, or a sign such as `=` or `<`.
    Name,
    /// A name that starts with `?`.
    Variable,
    /// A name that starts with `:`.
    Keyword,
    /// An unsigned or signed decimal number.
    Number,
    /// A dash on its own, which introduces a type.
    Dash,
}

#[derive(Clone, Copy, Debug)]
struct RawNode {
    start: u32,
    end: u32,
    next: u32,
    kind: NodeKind,
}

/// A text and its structure.
#[derive(Clone, Debug)]
pub struct Tree {
    text: String,
    file: u32,
    nodes: Vec<RawNode>,
    /// Mistakes found while reading.
    pub errors: Vec<Diagnostic>,
}

impl Tree {
    /// Reads a text. `file` is the number its spans carry: 0 for a domain, 1
    /// for a problem.
    ///
    /// ```
    /// use planoku_language::syntax::Tree;
    /// let tree = Tree::read("(define (domain d) ; empty\n)", 0);
    /// assert!(tree.errors.is_empty());
    /// let define = tree.root().children().next().unwrap();
    /// assert_eq!(define.children().count(), 2);
    /// ```
    pub fn read(text: impl Into<String>, file: u32) -> Tree {
        reader::read(text.into(), file)
    }

    /// Reads bytes that may not be UTF-8. Each bad byte counts as one
    /// replacement character of one byte, so offsets stay those of the file.
    pub fn read_bytes(bytes: Vec<u8>, file: u32) -> Tree {
        match String::from_utf8(bytes) {
            Ok(text) => Tree::read(text, file),
            Err(error) => reader::read_invalid(error.into_bytes(), file),
        }
    }

    /// The text as read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number its spans carry.
    pub fn file(&self) -> u32 {
        self.file
    }

    /// Every number in the text, as written.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        let numbers = self
            .nodes
            .iter()
            .filter(|node| node.kind == NodeKind::Number);
        numbers.map(|node| &self.text[node.start as usize..node.end as usize])
    }

    /// The node of the whole text.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, id: 0 }
    }

    /// The nodes that contain the byte, outermost first.
    pub fn at(&self, offset: u32) -> Vec<Node<'_>> {
        let mut path = vec![self.root()];
        while let Some(inner) = path[path.len() - 1]
            .children()
            .find(|node| node.span().start <= offset && offset <= node.span().end)
        {
            path.push(inner);
        }
        path
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True if there is nothing but white space and comments.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }
}

/// One node of a tree.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    id: u32,
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:?}", self.kind(), self.text())
    }
}

impl<'t> Node<'t> {
    fn raw(self) -> &'t RawNode {
        &self.tree.nodes[self.id as usize]
    }

    /// What it is.
    pub fn kind(self) -> NodeKind {
        self.raw().kind
    }

    /// Where it is, parentheses included.
    pub fn span(self) -> Span {
        let raw = self.raw();
        Span {
            file: self.tree.file,
            start: raw.start,
            end: raw.end,
        }
    }

    /// Its text, parentheses included.
    pub fn text(self) -> &'t str {
        let raw = self.raw();
        &self.tree.text[raw.start as usize..raw.end as usize]
    }

    /// Its children; none for words.
    pub fn children(self) -> Children<'t> {
        Children {
            tree: self.tree,
            id: self.id + 1,
            end: self.raw().next,
        }
    }

    /// True for a list.
    pub fn is_list(self) -> bool {
        self.kind() == NodeKind::List
    }

    /// The first child, if it is a word.
    pub fn head(self) -> Option<Node<'t>> {
        self.children().next().filter(|node| !node.is_list())
    }

    /// The children after the first.
    pub fn rest(self) -> Children<'t> {
        let mut children = self.children();
        children.next();
        children
    }

    /// True for the word, in any case.
    pub fn is(self, word: &str) -> bool {
        !self.is_list() && self.text().eq_ignore_ascii_case(word)
    }

    /// A keyword in lower case with its colon, even if blanks follow the colon.
    pub fn keyword(self) -> Option<String> {
        (self.kind() == NodeKind::Keyword).then(|| {
            let name = self.text()[1..].trim_start().to_ascii_lowercase();
            format!(":{name}")
        })
    }

    /// A short piece of the text, for messages.
    pub fn excerpt(self) -> String {
        excerpt(self.text())
    }
}

/// The children of a node, in order.
#[derive(Clone)]
pub struct Children<'t> {
    tree: &'t Tree,
    id: u32,
    end: u32,
}

impl<'t> Children<'t> {
    /// The next child, without taking it.
    pub fn peek(&self) -> Option<Node<'t>> {
        self.clone().next()
    }
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        (self.id < self.end).then(|| {
            let node = Node {
                tree: self.tree,
                id: self.id,
            };
            self.id = node.raw().next;
            node
        })
    }
}
