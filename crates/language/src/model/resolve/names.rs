//! Name spaces, and where names are used.

use crate::diagnostic::Code;
use crate::diagnostic::undefined::Meant;
use crate::model::{
    ActionId, FunctionId, MethodId, ObjectId, PredicateId, Span, TaskId, TypeId, VariableId,
};
use crate::source::nearest;
use rustc_hash::FxHashMap;

/// A word and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub text: &'t str,
    pub span: Span,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A type.
    Type(TypeId),
    /// An object or constant.
    Object(ObjectId),
    /// A predicate.
    Predicate(PredicateId),
    /// A function.
    Function(FunctionId),
    /// A compound task.
    Task(TaskId),
    /// An action.
    Action(ActionId),
    /// A method.
    Method(MethodId),
    /// A variable of a schema.
    Variable(NameScope, VariableId),
    /// The label of a subtask, by its place.
    Label(NameScope, u32),
}

/// Where variables and labels live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameScope {
    /// A predicate's parameters.
    Predicate(PredicateId),
    /// A function's parameters.
    Function(FunctionId),
    /// A task's parameters.
    Task(TaskId),
    /// An action.
    Action(ActionId),
    /// A method.
    Method(MethodId),
    /// A derived predicate, by its place in the model.
    Derived(u32),
    /// The initial network.
    Network,
    /// The goal.
    Goal,
    /// The constraints of a file.
    Constraints(u32),
    /// A process or an event, by where it begins.
    Process(u32),
}

/// One use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// Where the name stands.
    pub span: Span,
    /// What it means.
    pub symbol: Symbol,
    /// True where it is declared.
    pub declares: bool,
}

/// One name space. Exact spellings are remembered, so that two names that
/// differ by case can still be told apart where the language allows.
#[derive(Default)]
pub(super) struct Names {
    ids: FxHashMap<String, u32>,
}

impl Names {
    /// Finds a name. `fold` ignores case.
    pub fn get(&self, name: &str, fold: bool) -> Option<u32> {
        if fold && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.ids.get(&name.to_ascii_lowercase()).copied()
        } else {
            self.ids.get(name).copied()
        }
    }

    /// Adds a name; the first one stays.
    pub fn insert(&mut self, name: &str, id: u32, fold: bool) {
        let key = match fold {
            true => name.to_ascii_lowercase(),
            false => name.to_owned(),
        };
        self.ids.entry(key).or_insert(id);
    }
}

/// What misspelt names may have meant, found once for each name and within a
/// bound: a file with a hundred thousand unknown names has another problem.
#[derive(Default)]
pub(super) struct Suggestions {
    known: FxHashMap<(&'static str, String), Option<Meant>>,
    compared: usize,
}

impl Suggestions {
    const MOST_COMPARED: usize = 200_000;
    const MOST_CANDIDATES: usize = 2000;

    /// The declared name nearest to the word. `about` tells apart words of one
    /// class that may mean different things.
    pub fn near<'a, C: Iterator<Item = (&'a str, Span)> + Clone>(
        &mut self,
        code: &'static Code,
        about: &str,
        word: &str,
        candidates: C,
    ) -> Option<Meant> {
        if let Some(known) = self.known.get(&(code.name, about.to_owned())) {
            return known.clone();
        }
        if self.compared > Suggestions::MOST_COMPARED {
            return None;
        }
        let candidates = candidates.take(Suggestions::MOST_CANDIDATES);
        self.compared += candidates.clone().count();
        let near = nearest(word, candidates.clone().map(|(name, _)| name));
        let near = near.and_then(|near| {
            let (name, declared) = candidates.clone().find(|(name, _)| *name == near.word)?;
            Some(Meant {
                name: name.to_owned(),
                declared,
                question: near.question(),
                sure: near.sure,
            })
        });
        self.known
            .insert((code.name, about.to_owned()), near.clone());
        near
    }
}
