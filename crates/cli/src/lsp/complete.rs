//! What may stand where the cursor is: names of the right kind, and the words
//! of the language that fit.

use std::collections::BTreeSet;
use std::rc::Rc;

use planoku_language::diagnostic::requirement;
use planoku_language::index::{Context, ListPlace, Space, context, fold};
use planoku_language::model::Span;
use planoku_language::syntax::{KEYS, SECTIONS};

use super::documents::{Documents, Sheet};

/// More than anyone scrolls through.
pub const MOST_ITEMS: usize = 1000;

/// One thing that may stand here.
pub struct Item {
    pub label: String,
    pub detail: String,
    /// None for a word of the language.
    pub space: Option<Space>,
}

const CONDITIONS: &[&str] = &["and", "or", "not", "imply", "forall", "exists", "="];
const EFFECTS: &[&str] = &["and", "not", "when", "forall", "increase"];
const PROBLEM_SECTIONS: &[&str] = &[
    ":domain",
    ":requirements",
    ":objects",
    ":htn",
    ":init",
    ":goal",
    ":metric",
];

/// What may stand at a byte, and the word it takes the place of.
pub fn complete(documents: &mut Documents, sheet: &Rc<Sheet>, offset: u32) -> (Span, Vec<Item>) {
    let word = word_at(sheet, offset);
    if in_comment(sheet, word.start) {
        return (word, Vec::new());
    }
    let domain = match sheet.header.is_problem() {
        true => documents.domain_of(sheet),
        false => None,
    };
    let around = context(sheet.tree(), offset);
    let mut list = List {
        sheets: std::iter::once(sheet.clone()).chain(domain).collect(),
        seen: BTreeSet::new(),
        items: Vec::new(),
    };
    list.fill(&around, sheet, word);
    (word, list.items)
}

struct List {
    /// Where names come from: the text itself, and its domain.
    sheets: Vec<Rc<Sheet>>,
    seen: BTreeSet<String>,
    items: Vec<Item>,
}

impl List {
    fn fill(&mut self, around: &Context, sheet: &Sheet, word: Span) {
        let first = around.position == 0;
        if around.after_dash {
            return self.types();
        }
        match around.place {
            ListPlace::File => {
                if first && !sheet.slice(word).is_empty() {
                    self.words(&["define"], "");
                }
            }
            ListPlace::Definition | ListPlace::Section(_) if first => {
                let all = match sheet.header.is_problem() {
                    true => PROBLEM_SECTIONS,
                    false => SECTIONS,
                };
                let other = |name: &&str| {
                    sheet.header.is_problem()
                        || ![":domain", ":objects", ":init", ":goal", ":htn", ":metric"]
                            .contains(name)
                };
                let fitting: Vec<&str> = all.iter().copied().filter(other).collect();
                self.words(&fitting, "section");
            }
            ListPlace::Definition => {}
            ListPlace::Section(":requirements") => self.words(requirement::KNOWN, "requirement"),
            ListPlace::Section(":domain") => self.names(Space::Domain),
            ListPlace::Section(section) => {
                let keys = KEYS.iter().filter(|(_, of)| of.contains(&section));
                let keys: Vec<&str> = keys.map(|(name, _)| *name).collect();
                self.words(&keys, section);
            }
            ListPlace::Names => {}
            ListPlace::Types => self.types(),
            ListPlace::Condition if first => {
                self.names(Space::Predicate);
                self.words(CONDITIONS, "condition");
            }
            ListPlace::Effect if first => {
                self.names(Space::Predicate);
                self.words(EFFECTS, "effect");
            }
            ListPlace::Facts if first => {
                self.names(Space::Predicate);
                self.words(&["="], "value of a function");
            }
            ListPlace::Expression if first => self.names(Space::Function),
            ListPlace::Task | ListPlace::Subtasks if first => {
                self.names(Space::Task);
                if around.place == ListPlace::Subtasks {
                    self.words(&["and"], "several subtasks");
                }
            }
            ListPlace::Ordering => {
                if first {
                    self.words(&["<", "and"], "order");
                }
                for label in &around.labels {
                    self.push(label, "label", Some(Space::Label));
                }
            }
            ListPlace::Condition
            | ListPlace::Effect
            | ListPlace::Facts
            | ListPlace::Expression
            | ListPlace::Task
            | ListPlace::Subtasks => self.terms(around, sheet),
        }
    }

    fn terms(&mut self, around: &Context, sheet: &Sheet) {
        for (name, types) in &around.variables {
            let ty = types.map_or("object", |span| sheet.slice(span));
            self.push(name, ty, Some(Space::Variable));
        }
        self.names(Space::Object);
    }

    fn types(&mut self) {
        self.names(Space::Type);
        self.push("object", "the type of everything", Some(Space::Type));
    }

    fn words(&mut self, words: &[&str], detail: &str) {
        for word in words {
            self.push(word, detail, None);
        }
    }

    /// Every declared name of a space, with its signature.
    fn names(&mut self, space: Space) {
        for sheet in self.sheets.clone() {
            for symbol in sheet.index().declared(space) {
                if self.items.len() > MOST_ITEMS {
                    return;
                }
                let declaration = symbol.declarations[0];
                let detail = match (space, declaration.types) {
                    (_, Some(types)) => sheet.slice(types).to_owned(),
                    (Space::Predicate | Space::Function, None) => {
                        one_line(sheet.slice(declaration.whole))
                    }
                    _ => declaration.what.to_owned(),
                };
                self.push(&symbol.name, &detail, Some(space));
            }
        }
    }

    fn push(&mut self, label: &str, detail: &str, space: Option<Space>) {
        if self.items.len() <= MOST_ITEMS && self.seen.insert(fold(label)) {
            self.items.push(Item {
                label: label.to_owned(),
                detail: detail.to_owned(),
                space,
            });
        }
    }
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_ascii_whitespace().take(40).collect();
    words.join(" ")
}

/// The word that the cursor is in or behind.
fn word_at(sheet: &Sheet, offset: u32) -> Span {
    let bytes = sheet.text().as_bytes();
    let inside = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b';');
    let at = (offset as usize).min(bytes.len());
    let before = bytes[..at].iter().rev().take_while(|b| inside(b)).count();
    let after = bytes[at..].iter().take_while(|b| inside(b)).count();
    Span {
        file: sheet.file(),
        start: (at - before) as u32,
        end: (at + after) as u32,
    }
}

fn in_comment(sheet: &Sheet, offset: u32) -> bool {
    let before = &sheet.text()[..offset as usize];
    let line = before.rfind('\n').map_or(before, |at| &before[at..]);
    line.contains(';')
}
