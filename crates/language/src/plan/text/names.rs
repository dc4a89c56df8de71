//! The words of a plan's text, and what they name in the model.

use rustc_hash::FxHashMap;

use super::PlanTextError;
use crate::model::{Model, ObjectId};
use crate::source::nearest;

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    pub text: &'a str,
    pub line: usize,
    pub column: usize,
}

impl Word<'_> {
    pub fn error(&self, message: String) -> PlanTextError {
        PlanTextError {
            line: self.line,
            column: self.column,
            message,
        }
    }

    pub fn id(&self) -> Result<u64, PlanTextError> {
        self.text
            .parse()
            .map_err(|_| self.error(format!("expected an id, found `{}`", self.text)))
    }
}

/// The words of a line, told apart by white space.
pub fn words(line: &str, number: usize) -> Vec<Word<'_>> {
    let mut list = Vec::new();
    let mut start = None;
    let mut before = 0;
    for (column, (at, letter)) in line.char_indices().chain([(line.len(), ' ')]).enumerate() {
        match (start, letter.is_whitespace()) {
            (None, false) => (start, before) = (Some(at), column),
            (Some(from), true) => {
                list.push(Word {
                    text: &line[from..at],
                    line: number,
                    column: before + 1,
                });
                start = None;
            }
            _ => {}
        }
    }
    list
}

/// Looks names up, exactly or without regard to case.
pub struct Names<'a> {
    pub objects: Lookup<'a>,
    pub actions: Lookup<'a>,
    pub tasks: Lookup<'a>,
    pub methods: Lookup<'a>,
}

pub struct Lookup<'a> {
    kind: &'static str,
    exact: FxHashMap<&'a str, u32>,
    folded: FxHashMap<String, u32>,
}

impl<'a> Lookup<'a> {
    fn new(kind: &'static str, names: impl Iterator<Item = &'a String>) -> Lookup<'a> {
        let mut lookup = Lookup {
            kind,
            exact: FxHashMap::default(),
            folded: FxHashMap::default(),
        };
        for (id, name) in names.enumerate() {
            lookup.exact.entry(name).or_insert(id as u32);
            let folded = name.to_lowercase();
            lookup.folded.entry(folded).or_insert(id as u32);
        }
        lookup
    }

    pub fn get(&self, name: &str) -> Option<u32> {
        let folded = || self.folded.get(&name.to_lowercase());
        self.exact.get(name).or_else(folded).copied()
    }

    pub fn find(&self, word: &Word<'_>) -> Result<u32, PlanTextError> {
        self.get(word.text).ok_or_else(|| {
            let article = match self.kind {
                "object" | "action" => "an",
                _ => "a",
            };
            let mut known: Vec<&str> = self.exact.keys().copied().collect();
            known.sort_unstable();
            let meant = match nearest(&word.text.to_lowercase(), known) {
                Some(near) => format!("; {}", near.question()),
                None => String::new(),
            };
            word.error(format!(
                "expected {article} {} of the model, found `{}`{meant}",
                self.kind, word.text
            ))
        })
    }
}

impl<'a> Names<'a> {
    pub fn new(model: &'a Model) -> Names<'a> {
        Names {
            objects: Lookup::new("object", model.objects.iter().map(|o| &o.name)),
            actions: Lookup::new("action", model.actions.iter().map(|a| &a.name)),
            tasks: Lookup::new("task", model.tasks.iter().map(|t| &t.name)),
            methods: Lookup::new("method", model.methods.iter().map(|m| &m.name)),
        }
    }

    pub fn arguments(&self, words: &[Word<'_>]) -> Result<Vec<ObjectId>, PlanTextError> {
        words
            .iter()
            .map(|word| self.objects.find(word).map(ObjectId))
            .collect()
    }
}
