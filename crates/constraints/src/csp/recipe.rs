//! Recipes: a search put together from parts, and its name.
//!
//! A name lists look-ahead, look-back and learning joined by `+`, then orders
//! and restarts, each after a `:`. Parts left out are the plainest there are:
//! no look-ahead, chronological look-back, static order, ascending values.
//!
//! ```
//! use planoku_constraints::csp::Recipe;
//!
//! let recipe: Recipe = "mac+cbj+learn:domwdeg:luby".parse().unwrap();
//! assert_eq!(recipe.to_string(), "mac+cbj+learn:domwdeg:luby");
//! assert!("bm+fc".parse::<Recipe>().is_err()); // refused, with the reason
//! ```

use std::fmt;
use std::str::FromStr;

use planoku_engine::name::{Grammar, Group, NameError, Spelling, WordRule};
use planoku_engine::{Ended, Engine, EngineError, Found, Leave, Profile, Run, Sink};

use super::look_ahead::{self, LookAhead, Settings, ac3, ac2001, elimination, forward_checking};
use super::look_ahead::{hall, regin, scopes::Scopes};
use super::look_back::{self, backmarking, chronological, conflict_directed, dynamic, gaschnig};
use super::look_back::{LookBackPart, graph_based};
use super::network::{Assignment, Network};
use super::order::{ValueOrder, VariableOrder};
use super::store::Store;

/// What is struck after each choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LookAheadPart {
    /// Nothing: values are compared with earlier ones only.
    #[default]
    None,
    /// `fc`: from the neighbours of the choice.
    ForwardChecking,
    /// `mac`: whatever has no support, by AC-3.
    Ac3,
    /// `mac2001`: whatever has no support, by AC-2001.
    Ac2001,
    /// `elim`: `mac`, and values of all-different sets with one place left.
    Elimination,
    /// `hall`: `elim`, and naked sets.
    Hall,
    /// `regin`: `elim`, and whatever no matching uses.
    Regin,
}

/// The parts of a recipe. Any combination can be written down; whether it
/// makes sense is decided by [`Recipe::new`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parts {
    /// Whether to make the network arc consistent once, before the search.
    pub preprocess: bool,
    /// What is struck after each choice.
    pub look_ahead: LookAheadPart,
    /// Where a dead end leads.
    pub look_back: LookBackPart,
    /// Whether nogoods are kept.
    pub learn: bool,
    /// Which variable is next.
    pub order: VariableOrder,
    /// Which value is first.
    pub values: ValueOrder,
    /// Whether to restart by Luby's sequence.
    pub restarts: bool,
}

/// A search put together from parts: an engine for networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recipe(Parts);

impl Recipe {
    /// A recipe of these parts, unless they do not go together.
    pub fn new(parts: Parts) -> Result<Recipe, NameError> {
        spell(&parts).map(|_| Recipe(parts))
    }

    /// The recipe that a name of [`GRAMMAR`] means.
    pub fn spelt(spelling: &Spelling) -> Recipe {
        let mut parts = Parts::default();
        for (word, meanings) in spelling.words().iter().zip(MEANINGS) {
            let meaning = meanings.iter().find(|meaning| meaning.word == *word);
            (meaning.expect("a word of the grammar").set)(&mut parts);
        }
        Recipe(parts)
    }

    /// What the recipe is made of.
    pub fn parts(&self) -> Parts {
        self.0
    }

    /// Every recipe there is.
    pub fn all() -> Vec<Recipe> {
        let mut all = vec![Parts::default()];
        for meanings in MEANINGS {
            all = (all.iter())
                .flat_map(|parts| {
                    meanings.iter().map(move |meaning| {
                        let mut parts = *parts;
                        (meaning.set)(&mut parts);
                        parts
                    })
                })
                .collect();
        }
        all.into_iter()
            .filter_map(|parts| Recipe::new(parts).ok())
            .collect()
    }
}

/// What a word does to the parts.
struct Meaning {
    word: &'static str,
    set: fn(&mut Parts),
    is: fn(&Parts) -> bool,
}

/// The groups of words and, group by group, what the words mean.
macro_rules! groups {
    ($(($what:literal, $separator:literal, $implied_by:expr) {
        $($word:literal => $field:ident = $value:expr;)+
    })+) => {
        /// How recipes are named.
        pub static GRAMMAR: Grammar = Grammar {
            groups: &[$(Group {
                what: $what,
                after: Some($separator),
                words: &[$($word,)+],
                implied_by: $implied_by,
            },)+],
            rules: RULES,
        };

        const MEANINGS: &[&[Meaning]] = &[$(&[$(Meaning {
            word: $word,
            set: |parts| parts.$field = $value,
            is: |parts| parts.$field == $value,
        },)+],)+];
    };
}

groups! {
    ("preprocessing", '+', None) {
        "" => preprocess = false;
        "ac3" => preprocess = true;
    }
    ("look-ahead", '+', None) {
        "" => look_ahead = LookAheadPart::None;
        "fc" => look_ahead = LookAheadPart::ForwardChecking;
        "mac" => look_ahead = LookAheadPart::Ac3;
        "mac2001" => look_ahead = LookAheadPart::Ac2001;
        "elim" => look_ahead = LookAheadPart::Elimination;
        "hall" => look_ahead = LookAheadPart::Hall;
        "regin" => look_ahead = LookAheadPart::Regin;
    }
    ("look-back", '+', Some("look-ahead")) {
        "bt" => look_back = LookBackPart::Chronological;
        "bj" => look_back = LookBackPart::Gaschnig;
        "gbj" => look_back = LookBackPart::GraphBased;
        "cbj" => look_back = LookBackPart::ConflictDirected;
        "bm" => look_back = LookBackPart::Backmarking;
        "db" => look_back = LookBackPart::Dynamic;
    }
    ("learning", '+', None) {
        "" => learn = false;
        "learn" => learn = true;
    }
    ("variable orders", ':', None) {
        "static" => order = VariableOrder::Static;
        "mrv" => order = VariableOrder::FewestValues;
        "mrv-deg" => order = VariableOrder::FewestValuesThenDegree;
        "domwdeg" => order = VariableOrder::WeightedDegree;
    }
    ("value orders", ':', None) {
        "asc" => values = ValueOrder::Ascending;
        "lcv" => values = ValueOrder::LeastConstraining;
        "few" => values = ValueOrder::FewestPlaced;
    }
    ("restarts", ':', None) {
        "" => restarts = false;
        "luby" => restarts = true;
    }
}

const LOOKS_AHEAD: &[&str] = &["fc", "mac", "mac2001", "elim", "hall", "regin"];
const BEYOND_FC: &[&str] = &["mac", "mac2001", "elim", "hall", "regin"];

/// Which parts do not go together, and why.
const RULES: &[WordRule] = &[
    WordRule::Excludes {
        words: &["ac3"],
        others: BEYOND_FC,
        why: "look-ahead beyond fc is arc consistent before its first choice anyway",
    },
    WordRule::Excludes {
        words: &["bm"],
        others: LOOKS_AHEAD,
        why: "look-ahead strikes values instead of comparing them, so backmarking has no comparisons to remember",
    },
    WordRule::Excludes {
        words: &["db"],
        others: LOOKS_AHEAD,
        why: "dynamic backtracking takes choices back out of order, and what look-ahead struck can only be restored in order",
    },
    WordRule::Excludes {
        words: &["gbj"],
        others: BEYOND_FC,
        why: "graph-based look-back blames direct neighbours, and look-ahead beyond fc strikes further than that",
    },
    WordRule::Needs {
        words: &["mrv", "mrv-deg", "domwdeg"],
        others: LOOKS_AHEAD,
        why: "without look-ahead no variable loses values, so there is nothing for the order to read",
    },
    WordRule::Excludes {
        words: &["bm", "db"],
        others: &["lcv", "few"],
        why: "backmarking and dynamic backtracking try values in ascending order",
    },
    WordRule::Needs {
        words: &["learn"],
        others: &["cbj"],
        why: "nogoods are made from the conflict sets of cbj",
    },
    WordRule::Needs {
        words: &["learn"],
        others: LOOKS_AHEAD,
        why: "nogoods strike values ahead, which needs look-ahead",
    },
    WordRule::Needs {
        words: &["luby"],
        others: &["learn", "domwdeg"],
        why: "without learn or domwdeg a restart would walk the same way again",
    },
];

/// The words for these parts.
fn spell(parts: &Parts) -> Result<Spelling, NameError> {
    let said = |meanings: &&[Meaning]| {
        let meant = meanings.iter().find(|meaning| (meaning.is)(parts));
        meant.expect("every part has a word").word
    };
    GRAMMAR.spell(MEANINGS.iter().map(said).collect())
}

/// The shortest name: parts that go without saying are left out.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match spell(&self.0) {
            Ok(spelling) => spelling.fmt(f),
            Err(_) => Err(fmt::Error),
        }
    }
}

impl FromStr for Recipe {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Recipe, NameError> {
        Ok(Recipe::spelt(&GRAMMAR.read(name)?))
    }
}

impl Engine<Network> for Recipe {
    type Answer = Assignment;

    fn profile(&self) -> Profile {
        Profile::new(self.to_string(), self.summary())
            .complete()
            .counting()
    }

    fn solve_into(
        &self,
        network: &Network,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Assignment>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| self.search(network, run, found))
    }
}

impl Recipe {
    fn search(
        &self,
        network: &Network,
        run: &mut Run<'_>,
        found: &mut Found<Assignment>,
    ) -> Result<(), Leave> {
        let graph = network.graph();
        let mut values: Vec<u64> = network.values().iter().map(|set| set.0).collect();
        if self.0.preprocess {
            let mut store = Store::new(graph, values, false, run.observed());
            let refuted = ac3::Ac3.begin(&mut store).is_err();
            store.tell(run);
            store.counters.report(run);
            if refuted {
                // The authors' program does not notice, empties every variable
                // and ends at the first node. The answer and the count are the
                // same.
                return Ok(run.tick()?);
            }
            values = store.values;
        }
        let order = self.0.values;
        match (self.0.look_ahead, self.0.look_back) {
            (LookAheadPart::None, LookBackPart::Chronological) => {
                let back = chronological::Chronological;
                look_back::search(graph, &values, order, back, run, found)
            }
            (LookAheadPart::None, LookBackPart::Gaschnig) => {
                let back = gaschnig::Gaschnig::new(graph.len);
                look_back::search(graph, &values, order, back, run, found)
            }
            (LookAheadPart::None, LookBackPart::GraphBased) => {
                let back = graph_based::GraphBased::new(graph);
                look_back::search(graph, &values, order, back, run, found)
            }
            (LookAheadPart::None, LookBackPart::ConflictDirected) => {
                let back = conflict_directed::ConflictDirected::new(graph.len);
                look_back::search(graph, &values, order, back, run, found)
            }
            (_, LookBackPart::Backmarking) => backmarking::search(graph, &values, run, found),
            (_, LookBackPart::Dynamic) => dynamic::search(graph, &values, run, found),
            (LookAheadPart::ForwardChecking, _) => self.ahead(
                network,
                values,
                forward_checking::ForwardChecking,
                run,
                found,
            ),
            (LookAheadPart::Ac3, _) => self.ahead(network, values, ac3::Ac3, run, found),
            (LookAheadPart::Ac2001, _) => {
                self.ahead(network, values, ac2001::Ac2001::new(graph), run, found)
            }
            (LookAheadPart::Elimination, _) => self.ahead(
                network,
                values,
                Scopes(elimination::Elimination),
                run,
                found,
            ),
            (LookAheadPart::Hall, _) => self.ahead(network, values, Scopes(hall::Hall), run, found),
            (LookAheadPart::Regin, _) => {
                let filter = Scopes(regin::Regin::new(graph));
                self.ahead(network, values, filter, run, found)
            }
        }
    }

    fn ahead(
        &self,
        network: &Network,
        values: Vec<u64>,
        look_ahead: impl LookAhead,
        run: &mut Run<'_>,
        found: &mut Found<Assignment>,
    ) -> Result<(), Leave> {
        let blames = matches!(
            self.0.look_back,
            LookBackPart::Gaschnig | LookBackPart::ConflictDirected
        );
        let store = Store::new(network.graph(), values, blames, run.observed());
        let settings = Settings {
            look_back: self.0.look_back,
            order: self.0.order,
            values: self.0.values,
            restarts: self.0.restarts,
            learns: self.0.learn,
        };
        look_ahead::search(store, look_ahead, settings, run, found)
    }

    /// One line on how it thinks, from its parts.
    fn summary(&self) -> String {
        let parts = &self.0;
        let mut said: Vec<&str> = Vec::new();
        if parts.preprocess {
            said.push("arc consistency first");
        }
        match parts.look_ahead {
            LookAheadPart::None => {}
            LookAheadPart::ForwardChecking => said.push("forward checking"),
            LookAheadPart::Ac3 => said.push("maintains arc consistency (AC-3)"),
            LookAheadPart::Ac2001 => said.push("maintains arc consistency (AC-2001)"),
            LookAheadPart::Elimination => said.push("eliminates values of all-different sets"),
            LookAheadPart::Hall => said.push("naked sets of all-different sets"),
            LookAheadPart::Regin => said.push("matchings of all-different sets (Régin)"),
        }
        match parts.look_back {
            LookBackPart::Chronological if parts.look_ahead != LookAheadPart::None => {}
            LookBackPart::Chronological => said.push("chronological backtracking"),
            LookBackPart::Gaschnig => said.push("Gaschnig's backjumping"),
            LookBackPart::GraphBased => said.push("graph-based backjumping"),
            LookBackPart::ConflictDirected => said.push("conflict-directed backjumping"),
            LookBackPart::Backmarking => said.push("backmarking"),
            LookBackPart::Dynamic => said.push("dynamic backtracking"),
        }
        if parts.learn {
            said.push("learns nogoods");
        }
        match parts.order {
            VariableOrder::Static => {}
            VariableOrder::FewestValues => said.push("fewest values next"),
            VariableOrder::FewestValuesThenDegree => {
                said.push("fewest values, most neighbours next")
            }
            VariableOrder::WeightedDegree => said.push("most troubled variable next (dom/wdeg)"),
        }
        match parts.values {
            ValueOrder::Ascending => {}
            ValueOrder::LeastConstraining => said.push("least constraining value first"),
            ValueOrder::FewestPlaced => said.push("fewest placed value first"),
        }
        if parts.restarts {
            said.push("Luby restarts");
        }
        said.join(", ")
    }
}
