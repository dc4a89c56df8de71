//! Every engine that takes a Sudoku grid, in one readable list.
//!
//! A new engine joins by its family's being listed here; the conformance suite,
//! `planoku engines`, `solve --engine`, `compare` and the completions of shells
//! then know it. A family declares the grammar of its names, and [`find`] is the
//! one way from a name to an engine.

use planoku_engine::name::{Grammar, Group, NameProblem};
use planoku_planning::language::source::closest;
use planoku_sudoku::{native::Native, reference::Reference};

use crate::formulate::{cover, csp, planning, sat};
use crate::{Plain, agents};

pub use crate::family::EngineFamily;
pub use crate::solution::SudokuEngine;
pub use planoku_engine::name::NameError;

/// Every family, in the order `planoku engines` shows them.
pub static FAMILIES: &[EngineFamily] = &[
    // The first is the default of `planoku solve`.
    NATIVE,
    csp::RECIPES,
    csp::LOCAL,
    cover::LINKS,
    sat::FORMULAS,
    sat::CDCL,
    agents::engine::ROBOTS,
    planning::MODELS,
    planning::human::EXPLANATIONS,
    // The slow judge stays last.
    REFERENCE,
];

const NATIVE: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[Group::first("engines", &["native"])],
        rules: &[],
    },
    listed: &["native"],
    make: |_| Box::new(Plain(Native)),
};

const REFERENCE: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[Group::first("engines", &["reference"])],
        rules: &[],
    },
    listed: &["reference"],
    make: |_| Box::new(Plain(Reference)),
};

/// The names of the engines that are listed.
pub fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.listed).copied()
}

/// Every engine that is listed.
pub fn engines() -> Vec<SudokuEngine> {
    names().flat_map(find).collect()
}

/// The engine of that name, listed or put together from parts; or why there is
/// none.
///
/// ```
/// use planoku_workbench::registry::find;
/// assert_eq!(find("sat:minimal").unwrap().profile().name, "sat:minimal");
/// let why = |name| find(name).err().unwrap().to_string();
/// assert!(why("sat:minimal:extended").contains("exclude each other"));
/// assert!(why("sat:minimum").ends_with("did you mean `minimal`?"));
/// assert_eq!(why("nativ"), "there is no engine `nativ`; did you mean `native`?");
/// ```
pub fn find(name: &str) -> Result<SudokuEngine, NameError> {
    let mut families = FAMILIES.iter();
    let found = families.find_map(|family| family.find(name));
    found
        .unwrap_or_else(|| Err(NameError::new(name, NameProblem::Unknown)))
        .map_err(|error| {
            error.suggest(names(), |word, known| {
                closest(word, known.iter().copied()).map(str::to_string)
            })
        })
}

/// The engine of that name, for those who do not ask why there is none.
pub fn engine(name: &str) -> Option<SudokuEngine> {
    find(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use planoku_engine::name::WordRule;
    use proptest::prelude::*;

    fn spell(family: &EngineFamily, name: &str) -> Result<String, NameError> {
        Ok(family.grammar.read(name)?.to_string())
    }

    /// A group's word as it stands in a name.
    fn part(group: &Group, word: &str) -> String {
        group.after.map_or(String::new(), String::from) + word
    }

    #[test]
    fn every_listed_name_is_canonical_and_its_engines_own() {
        for family in FAMILIES {
            for name in family.listed {
                assert_eq!(spell(family, name).as_deref(), Ok(*name));
                assert_eq!(find(name).unwrap().profile().name, *name);
            }
        }
    }

    #[test]
    fn no_name_begins_like_those_of_two_families() {
        for family in FAMILIES {
            for group in family.grammar.groups {
                for word in group.said() {
                    let others = FAMILIES.iter().filter(|other| other.grammar.begins(word));
                    let begins = family.grammar.begins(word);
                    assert!(!begins || others.count() == 1, "{word}");
                }
            }
        }
    }

    #[test]
    fn rules_speak_of_words_that_there_are() {
        for family in FAMILIES {
            let groups = family.grammar.groups.iter();
            let known: Vec<&str> = groups.flat_map(|group| group.said()).collect();
            for rule in family.grammar.rules {
                let (WordRule::Excludes { words, others, .. }
                | WordRule::Needs { words, others, .. }) = rule;
                for word in words.iter().chain(*others).filter(|word| !word.is_empty()) {
                    assert!(known.contains(word), "{word}");
                }
            }
        }
    }

    #[test]
    fn two_words_of_a_group_are_refused_with_the_reason() {
        let mut refused = 0;
        for family in FAMILIES {
            for name in family.listed {
                for group in family.grammar.groups.iter().filter(|it| it.after.is_some()) {
                    for first in group.said() {
                        for second in group.said() {
                            let name =
                                format!("{name}{}{}", part(group, first), part(group, second));
                            let why = find(&name).err().expect(&name).to_string();
                            let twice = why.contains("exclude each other");
                            assert!(twice || why.contains("said twice"), "{why}");
                            refused += 1;
                        }
                    }
                }
            }
        }
        assert!(refused > 1000, "{refused}");
    }

    /// Words of one family, sometimes of another, sometimes none, joined by
    /// what may stand between them.
    fn names() -> impl Strategy<Value = String> {
        let words = FAMILIES
            .iter()
            .flat_map(|family| family.grammar.groups)
            .flat_map(Group::said)
            .chain(["", "magic", "ſat", "+", "::"])
            .collect::<Vec<_>>();
        let word = proptest::sample::select(words);
        let piece = (word, proptest::sample::select(vec![":", "+", "-", ""]));
        proptest::collection::vec(piece, 0..6)
            .prop_map(|pieces| pieces.iter().flat_map(|(word, gap)| [*word, gap]).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_name_means_an_engine_or_is_refused_with_a_reason(name in names()) {
            let trimmed = name.trim_end_matches([':', '+', '-']);
            for name in [&name, trimmed] {
                match find(name) {
                    // Said again by its canonical name, it is the same.
                    Ok(engine) => {
                        let said = engine.profile().name.to_string();
                        let again = find(&said).unwrap().profile().name;
                        prop_assert_eq!(&again, &said);
                    }
                    Err(error) => prop_assert!(error.to_string().len() > name.len() + 5),
                }
            }
        }

        #[test]
        fn any_text_is_answered(name in ".*") {
            let found = find(&name).map(|engine| engine.profile().name.to_string());
            prop_assert!(found.is_err() || names_hold(&name));
        }
    }

    /// True if the text is made of words that names have.
    fn names_hold(text: &str) -> bool {
        FAMILIES.iter().any(|family| family.grammar.begins(text))
    }
}
