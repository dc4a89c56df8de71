//! How engines are named: words of declared groups, and one parser for all.
//!
//! A family of engines declares a [`Grammar`]: groups of words, of which a name
//! takes at most one each, the character that stands before the words of a
//! group, and which words exclude or need others. [`Grammar::read`] is the only
//! parser of such names. It accepts the words of a name in any order, gives the
//! [`Spelling`] (whose text is the canonical name), and refuses with a reason.
//!
//! ```
//! use planoku_engine::name::{Grammar, Group};
//!
//! static TEA: Grammar = Grammar {
//!     groups: &[
//!         Group::first("drink", &["tea"]),
//!         Group::after(':', "leaves", &["black", "green"]),
//!         Group::after(':', "milk", &["", "milk"]),
//!     ],
//!     rules: &[],
//! };
//! let spelling = TEA.read("tea:milk:green").unwrap();
//! assert_eq!(spelling.word("leaves"), "green");
//! assert_eq!(spelling.to_string(), "tea:green:milk");
//! assert_eq!(TEA.read("tea:black").unwrap().to_string(), "tea");
//! let refused = TEA.read("tea:black:green").unwrap_err();
//! assert!(refused.to_string().contains("`black` and `green` exclude each other"));
//! ```

use std::fmt;

/// How the names of a family of engines are spelt.
#[derive(Debug)]
pub struct Grammar {
    /// The groups, in the order in which a canonical name has their words. The
    /// beginning of a name counts as what stands before the first group.
    pub groups: &'static [Group],
    /// Which words do not go together.
    pub rules: &'static [WordRule],
}

/// Words of which a name takes at most one.
#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    /// What the words are, in the plural or as a mass: "clauses", "look-ahead".
    pub what: &'static str,
    /// What stands before such a word; `None` if a name begins with it.
    pub after: Option<char>,
    /// The words. The first is meant where none is said; empty, it stands for
    /// nothing.
    pub words: &'static [&'static str],
    /// The first word goes without saying, but only beside a word of this group.
    pub implied_by: Option<&'static str>,
}

impl Group {
    /// Words with which a name begins.
    pub const fn first(what: &'static str, words: &'static [&'static str]) -> Group {
        Group {
            what,
            after: None,
            words,
            implied_by: None,
        }
    }

    /// Words that stand after a character.
    pub const fn after(
        separator: char,
        what: &'static str,
        words: &'static [&'static str],
    ) -> Group {
        Group {
            what,
            after: Some(separator),
            words,
            implied_by: None,
        }
    }

    /// The words that can be said.
    pub fn said(&self) -> impl Iterator<Item = &'static str> + Clone + '_ {
        self.words.iter().copied().filter(|word| !word.is_empty())
    }
}

/// Words that do not go together. Words that are meant without being said
/// count too.
#[derive(Debug)]
pub enum WordRule {
    /// None of `words` beside any of `others`.
    Excludes {
        /// These words …
        words: &'static [&'static str],
        /// … and these.
        others: &'static [&'static str],
        /// The reason.
        why: &'static str,
    },
    /// Each of `words` only beside one of `others`; never, if there are none.
    Needs {
        /// These words …
        words: &'static [&'static str],
        /// … want one of these.
        others: &'static [&'static str],
        /// The reason.
        why: &'static str,
    },
}

impl WordRule {
    /// The reason, if the rule is broken.
    fn broken_by(&self, said: &[&str]) -> Option<&'static str> {
        let holds = |word: &&str| !word.is_empty() && said.contains(word);
        let any = |words: &[&str]| words.iter().any(holds);
        match *self {
            WordRule::Excludes { words, others, why } => (any(words) && any(others)).then_some(why),
            WordRule::Needs { words, others, why } => (any(words) && !any(others)).then_some(why),
        }
    }
}

/// A name that was read: one word of each group.
#[derive(Clone, Debug)]
pub struct Spelling {
    grammar: &'static Grammar,
    words: Vec<&'static str>,
}

impl Spelling {
    /// The word of the group, said or meant; empty if it is nothing.
    ///
    /// # Panics
    /// If the grammar has no such group.
    pub fn word(&self, what: &str) -> &'static str {
        let group = self.grammar.groups.iter().position(|it| it.what == what);
        self.words[group.expect("a group of the grammar")]
    }

    /// The words, one for each group of the grammar.
    pub fn words(&self) -> &[&'static str] {
        &self.words
    }

    /// True if a canonical name leaves the word of the group out.
    fn is_implied(&self, nth: usize) -> bool {
        let group = &self.grammar.groups[nth];
        let is_default = |group: &Group, word: &str| group.words.first() == Some(&word);
        if group.after.is_none() || !is_default(group, self.words[nth]) {
            return false;
        }
        let Some(other) = group.implied_by else {
            return true;
        };
        let mut others = self.grammar.groups.iter().zip(&self.words);
        others.any(|(group, word)| group.what == other && !is_default(group, word))
    }
}

/// The canonical name: words in the order of their groups, without those that
/// go without saying.
impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (nth, group) in self.grammar.groups.iter().enumerate() {
            if self.words[nth].is_empty() || self.is_implied(nth) {
                continue;
            }
            match group.after {
                Some(separator) if !first => write!(f, "{separator}{}", self.words[nth])?,
                _ => f.write_str(self.words[nth])?,
            }
            first = false;
        }
        Ok(())
    }
}

impl Grammar {
    /// True if a name begins with a word with which names of this grammar do,
    /// up to the first `:` or `+`.
    pub fn begins(&self, name: &str) -> bool {
        let first = name.split([':', '+']).next();
        first.is_some_and(|word| self.group(self.start(), word).is_some())
    }

    /// Reads a name.
    pub fn read(&'static self, name: &str) -> Result<Spelling, NameError> {
        let refuse = |reason| Err(NameError::new(name, reason));
        let mut said: Vec<Option<&'static str>> = vec![None; self.groups.len()];
        let mut before = self.start();
        let mut rest = name;
        loop {
            let end = rest.find(|letter| self.separates(letter));
            let word = &rest[..end.unwrap_or(rest.len())];
            let Some((nth, known)) = self.group(before, word) else {
                return refuse(self.unknown(before, word));
            };
            if let Some(other) = said[nth].replace(known) {
                let what = self.groups[nth].what;
                return refuse(NameProblem::Twice {
                    what,
                    first: other,
                    second: known,
                });
            }
            let Some(end) = end else { break };
            let separator = rest[end..].chars().next().expect("it was found there");
            before = Some(separator);
            rest = &rest[end + separator.len_utf8()..];
        }
        let meant = self.groups.iter().zip(said);
        let words = meant.map(|(group, said)| said.unwrap_or(group.words[0]));
        match self.spell(words.collect()) {
            Ok(spelling) => Ok(spelling),
            Err(error) => refuse(error.reason),
        }
    }

    /// A name of these words, one for each group; refused if a rule says so.
    pub fn spell(&'static self, words: Vec<&'static str>) -> Result<Spelling, NameError> {
        debug_assert_eq!(words.len(), self.groups.len());
        let spelling = Spelling {
            grammar: self,
            words,
        };
        let broken = |rule: &WordRule| rule.broken_by(&spelling.words);
        match self.rules.iter().find_map(broken) {
            Some(why) => Err(NameError::new(
                spelling.to_string(),
                NameProblem::Refused(why),
            )),
            None => Ok(spelling),
        }
    }

    /// What counts as standing before the beginning of a name.
    fn start(&self) -> Option<char> {
        self.groups.first().and_then(|group| group.after)
    }

    fn separates(&self, letter: char) -> bool {
        self.groups.iter().any(|group| group.after == Some(letter))
    }

    /// The word, and its group's number, if it may stand there.
    fn group(&self, before: Option<char>, word: &str) -> Option<(usize, &'static str)> {
        let groups = self.groups.iter().enumerate();
        let mut here = groups.filter(|(_, group)| group.after == before);
        here.find_map(|(nth, group)| Some((nth, group.said().find(|known| *known == word)?)))
    }

    /// Why a word may not stand there.
    fn unknown(&'static self, before: Option<char>, word: &str) -> NameProblem {
        if let [Group { after: None, .. }] = self.groups {
            return NameProblem::Alone;
        }
        let mut groups = self.groups.iter();
        let elsewhere = groups.find(|group| group.said().any(|known| known == word));
        match elsewhere {
            Some(Group {
                after: Some(after), ..
            }) => NameProblem::Misplaced {
                part: word.to_string(),
                after: *after,
            },
            _ => {
                let here = self.groups.iter().filter(|group| group.after == before);
                NameProblem::UnknownPart {
                    part: word.to_string(),
                    groups: here.collect(),
                }
            }
        }
    }
}

/// Why a name is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The whole name.
    pub name: String,
    /// What is wrong with it.
    pub reason: NameProblem,
    /// What may have been meant: a name, or a word in place of the one that
    /// nobody knows.
    pub meant: Option<String>,
}

/// What is wrong with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameProblem {
    /// No name begins like it.
    Unknown,
    /// A word that is none, and those that could stand there.
    UnknownPart {
        /// The word.
        part: String,
        /// The groups of the words that could stand there.
        groups: Vec<&'static Group>,
    },
    /// More than a word, where names are one word.
    Alone,
    /// A word after the wrong character.
    Misplaced {
        /// The word.
        part: String,
        /// What should stand before it.
        after: char,
    },
    /// Two words of one group, or one word twice.
    Twice {
        /// What they are.
        what: &'static str,
        /// The first of them.
        first: &'static str,
        /// The second.
        second: &'static str,
    },
    /// Words that do not go together: why.
    Refused(&'static str),
}

impl NameError {
    /// A name and what is wrong with it.
    pub fn new(name: impl Into<String>, reason: NameProblem) -> NameError {
        NameError {
            name: name.into(),
            reason,
            meant: None,
        }
    }

    /// Asks `nearest` what the unknown word may have meant: it is given the
    /// word and those that there are, which for a name that begins like none
    /// are `names`.
    pub fn suggest(
        mut self,
        names: impl Iterator<Item = &'static str>,
        nearest: impl Fn(&str, &[&'static str]) -> Option<String>,
    ) -> NameError {
        self.meant = match &self.reason {
            NameProblem::Unknown => nearest(&self.name, &names.collect::<Vec<_>>()),
            NameProblem::UnknownPart { part, groups } => {
                let words = groups.iter().flat_map(|group| group.said());
                nearest(part, &words.collect::<Vec<_>>())
            }
            _ => None,
        };
        self
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.reason {
            NameProblem::Unknown => write!(f, "there is no engine `{name}`")?,
            NameProblem::UnknownPart { part, groups } => {
                write!(f, "`{name}`: expected ")?;
                for (nth, group) in groups.iter().enumerate() {
                    let gap = match nth {
                        0 => "",
                        _ if nth + 1 == groups.len() => " or ",
                        _ => ", ",
                    };
                    let words: Vec<&str> = group.said().collect();
                    write!(f, "{gap}{} ({})", group.what, words.join(", "))?;
                }
                match part.is_empty() {
                    true => f.write_str(", found nothing")?,
                    false => write!(f, ", found `{part}`")?,
                }
            }
            NameProblem::Alone => write!(f, "`{name}`: the engine's name has no other parts")?,
            NameProblem::Misplaced { part, after } => {
                write!(f, "`{name}`: `{part}` stands after `{after}` only")?;
            }
            NameProblem::Twice { first, second, .. } if first == second => {
                write!(f, "`{name}`: `{first}` is said twice")?;
            }
            NameProblem::Twice {
                what,
                first,
                second,
            } => write!(
                f,
                "`{name}`: `{first}` and `{second}` exclude each other (both are {what})"
            )?,
            NameProblem::Refused(why) => write!(f, "`{name}` is refused: {why}")?,
        }
        match &self.meant {
            Some(meant) => write!(f, "; did you mean `{meant}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for NameError {}
