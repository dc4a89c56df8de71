//! What each word of a text names: declarations and uses, by place.
//!
//! The resolver wants texts that make sense; an editor asks while they make
//! none. So the index goes by form alone: after `:parameters` stand variables,
//! a list under `:effect` starts with a predicate, whether or not anything of
//! that name is declared, and however wrong the arguments are. Each file has
//! an index of its own. Names that files share (types, predicates, tasks) are
//! found in another index by [`NameIndex::find`]; variables and labels belong to
//! the schema they stand in.
//!
//! As everywhere in PDDL, `A` and `a` are one name. Actions and compound tasks
//! share their names, for a subtask may be either.

mod header;
mod walk;

pub use header::FileHeader;
pub use walk::{Context, ListPlace, context};

use crate::source::Span;
use crate::syntax::Tree;
use rustc_hash::FxHashMap;

/// What kind of thing a name stands for. Names of different spaces are
/// different names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// A type.
    Type,
    /// An object or constant.
    Object,
    /// A predicate.
    Predicate,
    /// A function.
    Function,
    /// A compound task or an action.
    Task,
    /// A method.
    Method,
    /// A variable.
    Variable,
    /// The label of a subtask.
    Label,
    /// A domain.
    Domain,
}

impl Space {
    /// True if the name means nothing outside the schema it stands in.
    pub fn is_local(self) -> bool {
        matches!(self, Space::Variable | Space::Label)
    }
}

/// One name, with the places that introduce it.
#[derive(Clone, Debug)]
pub struct IndexedName {
    /// What it stands for.
    pub space: Space,
    /// As written first.
    pub name: String,
    /// The section it was first met in.
    pub section: Span,
    /// Where it is declared; several times in a text with mistakes, never in
    /// one that only uses it.
    pub declarations: Vec<Declaration>,
}

/// A place that introduces a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// In a word: "action", "constant".
    pub what: &'static str,
    /// The name.
    pub name: Span,
    /// All of the declaration; the name alone where it is one of a list.
    pub whole: Span,
    /// The type after the dash.
    pub types: Option<Span>,
}

/// A word that is a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Where it stands.
    pub span: Span,
    /// Index into [`NameIndex::symbols`].
    pub symbol: u32,
    /// True where the name is declared.
    pub declares: bool,
}

/// The names of one text.
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    /// Every name.
    pub symbols: Vec<IndexedName>,
    /// Every word that is a name, by place.
    pub mentions: Vec<Mention>,
    shared: FxHashMap<(Space, String), u32>,
}

impl NameIndex {
    /// Reads the names of a text.
    ///
    /// ```
    /// use planoku_language::{index::{NameIndex, Space}, syntax::Tree};
    /// let tree = Tree::read("(define (domain d) (:action a :effect (nowhere-declared ?x)))", 0);
    /// let index = NameIndex::of(&tree);
    /// let (id, symbol) = index.find(Space::Predicate, "NOWHERE-declared").unwrap();
    /// assert!(symbol.declarations.is_empty());
    /// assert_eq!(index.uses(id).count(), 1);
    /// ```
    pub fn of(tree: &Tree) -> NameIndex {
        let mut index = walk::index(tree);
        index.mentions.sort_by_key(|mention| mention.span.start);
        index
    }

    /// The name at a byte; a cursor right behind a word is still at it.
    pub fn at(&self, offset: u32) -> Option<Mention> {
        let after = self
            .mentions
            .partition_point(|mention| mention.span.start <= offset);
        let mention = self.mentions[..after].last()?;
        (offset <= mention.span.end).then_some(*mention)
    }

    /// A name that files share.
    pub fn find(&self, space: Space, name: &str) -> Option<(u32, &IndexedName)> {
        let id = *self.shared.get(&(space, fold(name)))?;
        Some((id, &self.symbols[id as usize]))
    }

    /// Every place that has the name, declarations included.
    pub fn uses(&self, symbol: u32) -> impl Iterator<Item = Mention> + '_ {
        self.mentions
            .iter()
            .filter(move |mention| mention.symbol == symbol)
            .copied()
    }

    /// The names of a space that are declared here.
    pub fn declared(&self, space: Space) -> impl Iterator<Item = &IndexedName> + '_ {
        self.symbols
            .iter()
            .filter(move |symbol| symbol.space == space && !symbol.declarations.is_empty())
    }
}

/// A name as it is compared.
pub fn fold(name: &str) -> String {
    name.to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
