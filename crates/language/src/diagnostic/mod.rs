//! What the reader of a text is told: a [`Diagnostic`] points at the source.
//!
//! Each diagnostic has a code whose explanation can be asked for, one primary
//! place, related places (most often the declaration it contradicts), and
//! where possible a [`Fix`] made of byte edits. A mistake that repeats is one
//! diagnostic with a count and the edits of all its places: [`Diagnostics`]
//! groups by a key chosen by whoever reports.
//!
//! A class of mistake that comes up while reading (characters, parentheses,
//! names, types) is a module here, with its codes, its wording and its fixes:
//! so the reader and the resolver can complain without knowing [`crate::lint`],
//! whose own classes are in its modules.

/// Declares a [`Code`] whose explanation is the Markdown file of its name.
macro_rules! code {
    ($name:ident = $code:literal, $severity:ident, $title:literal) => {
        #[doc = concat!("`", $code, "`: ", $title, ".")]
        pub static $name: crate::diagnostic::Code = crate::diagnostic::Code {
            name: $code,
            title: $title,
            severity: crate::diagnostic::Severity::$severity,
            explanation: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/src/diagnostic/explain/",
                $code,
                ".md"
            )),
        };
    };
}
pub(crate) use code;

pub mod case;
pub mod character;
pub mod duplicate;
pub mod fit;
pub mod form;
pub mod keyword;
pub mod parenthesis;
mod render;
pub mod requirement;
pub mod shadow;
pub mod structure;
pub mod undefined;
pub mod unsupported;

pub use render::{Drawing, Source};

use crate::source::{Lines, Span};
use rustc_hash::FxHashMap;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The text has no meaning, or no solution.
    Error,
    /// Legal, but probably not what was meant, or costly.
    Warning,
    /// Worth knowing.
    Hint,
}

impl Severity {
    /// The word used in output.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// A class of mistake: its code, its severity and its explanation.
#[derive(Debug)]
pub struct Code {
    /// Such as `E0308`.
    pub name: &'static str,
    /// In a few words, for lists.
    pub title: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Markdown, with an erroneous and a corrected example.
    pub explanation: &'static str,
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.name == other.name
    }
}

/// One mistake, or one mistake repeated.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Its class.
    pub code: &'static Code,
    /// What is wrong, in one sentence without a final stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to write under the place.
    pub label: String,
    /// Places that matter: the declaration contradicted, the first copy.
    pub related: Vec<(Span, String)>,
    /// Facts that help to understand.
    pub notes: Vec<String>,
    /// What to do.
    pub helps: Vec<String>,
    /// How often the same mistake occurs, this place included.
    pub count: u32,
    /// What the repeated places are, for "80 more facts have the same error".
    pub plural: &'static str,
    /// Edits that remove the mistake at all its places.
    pub fix: Option<Fix>,
}

/// Edits that remove a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the edits do, as an order: "swap the arguments".
    pub message: String,
    /// True if nothing else can have been meant. Only such fixes are applied
    /// unasked; the others are suggestions, for the reader to choose.
    pub certain: bool,
    /// The edits, in no particular order; they do not overlap.
    pub edits: Vec<Edit>,
}

/// Replaces the text of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What to replace; empty to insert.
    pub span: Span,
    /// What to write instead.
    pub text: String,
}

impl Diagnostic {
    /// A mistake of the class at the place.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            count: 1,
            plural: "places",
            fix: None,
        }
    }

    /// The fix, if it is certain.
    pub fn certain_fix(&self) -> Option<&Fix> {
        self.fix.as_ref().filter(|fix| fix.certain)
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity
    }

    /// Writes under the place.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds a related place, unless it is nowhere (an implicit declaration).
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if span.end > span.start {
            self.related.push((span, text.into()));
        }
        self
    }

    /// Adds a fact that helps to understand.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds advice.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(text.into());
        self
    }

    /// Says what is counted when the mistake repeats.
    pub fn plural(mut self, word: &'static str) -> Diagnostic {
        self.plural = word;
        self
    }

    /// Offers one edit as the fix, or adds it to the fix.
    pub fn edit(self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.suggest(true, message, span, text)
    }

    /// Offers an edit that may be a guess.
    pub fn suggest(
        mut self,
        certain: bool,
        message: impl Into<String>,
        span: Span,
        text: impl Into<String>,
    ) -> Self {
        let edit = Edit {
            span,
            text: text.into(),
        };
        match &mut self.fix {
            Some(fix) => {
                fix.edits.push(edit);
                fix.certain &= certain;
            }
            None => {
                self.fix = Some(Fix {
                    message: message.into(),
                    certain,
                    edits: vec![edit],
                })
            }
        }
        self
    }
}

/// What makes two reports the same mistake.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The class.
    pub code: &'static str,
    /// Whatever tells mistakes of the class apart.
    pub about: String,
}

/// All diagnostics of a run, grouped.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    /// In the order found; see [`sort`](Diagnostics::sort).
    pub list: Vec<Diagnostic>,
    groups: FxHashMap<Key, usize>,
}

impl Diagnostics {
    /// Adds a diagnostic of its own.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds a diagnostic, or counts it with the one that had the same key
    /// (code and `about`). Edits are kept for every place.
    pub fn group(&mut self, about: impl Into<String>, diagnostic: Diagnostic) {
        let key = Key {
            code: diagnostic.code.name,
            about: about.into(),
        };
        match self.groups.get(&key) {
            Some(&index) => {
                let first = &mut self.list[index];
                first.count += 1;
                if let (Some(fix), Some(more)) = (&mut first.fix, diagnostic.fix) {
                    fix.edits.extend(more.edits);
                    fix.certain &= more.certain;
                }
            }
            None => {
                self.groups.insert(key, self.list.len());
                self.list.push(diagnostic);
            }
        }
    }

    /// True if there is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity() == Severity::Error)
    }

    /// How many diagnostics have the severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.list
            .iter()
            .filter(|d| d.severity() == severity)
            .count()
    }

    /// Errors first, then by place. Grouping ends here.
    pub fn sort(&mut self) {
        self.groups.clear();
        self.list
            .sort_by_key(|d| (d.severity(), d.span.file, d.span.start, d.span.end));
    }

    /// One line per diagnostic, `file:line:column: error[E0308]: message`, for
    /// places where a drawing is too much.
    pub fn brief(&self, sources: &[(&str, &str)]) -> String {
        let lines: Vec<Lines> = sources.iter().map(|(_, text)| Lines::new(text)).collect();
        let mut out = String::new();
        for d in &self.list {
            let file = d.span.file as usize;
            let place = lines[file].position(sources[file].1, d.span.start);
            let more = match d.count {
                1 => String::new(),
                n => format!(" ({} more)", n - 1),
            };
            out += &format!(
                "{}:{}:{}: {}[{}]: {}{more}\n",
                sources[file].0,
                place.line,
                place.column,
                d.severity().word(),
                d.code.name,
                d.message
            );
        }
        out
    }
}
