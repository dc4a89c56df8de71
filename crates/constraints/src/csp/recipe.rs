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
    pub fn new(parts: Parts) -> Result<Recipe, RecipeError> {
        match refusal(&parts) {
            Some(reason) => Err(RecipeError::Refused {
                name: spell(&parts),
                reason,
            }),
            None => Ok(Recipe(parts)),
        }
    }

    /// What the recipe is made of.
    pub fn parts(&self) -> Parts {
        self.0
    }

    /// Every recipe there is.
    pub fn all() -> Vec<Recipe> {
        let words = |place| WORDS.iter().filter(move |word| word.place == place);
        let mut all = vec![Parts::default()];
        for place in PLACES {
            all = (all.iter())
                .flat_map(|parts| {
                    words(place).map(move |word| {
                        let mut parts = *parts;
                        (word.set)(&mut parts);
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

/// Why parts do not go together, if they do not.
fn refusal(parts: &Parts) -> Option<&'static str> {
    use LookAheadPart as Ahead;
    use LookBackPart as Back;
    let settles = !matches!(parts.look_ahead, Ahead::None | Ahead::ForwardChecking);
    let looks_ahead = parts.look_ahead != Ahead::None;
    if parts.preprocess && settles {
        return Some("look-ahead beyond fc is arc consistent before its first choice anyway");
    }
    if looks_ahead && parts.look_back == Back::Backmarking {
        return Some(
            "look-ahead strikes values instead of comparing them, so backmarking has no comparisons to remember",
        );
    }
    if looks_ahead && parts.look_back == Back::Dynamic {
        return Some(
            "dynamic backtracking takes choices back out of order, and what look-ahead struck can only be restored in order",
        );
    }
    if settles && parts.look_back == Back::GraphBased {
        return Some(
            "graph-based look-back blames direct neighbours, and look-ahead beyond fc strikes further than that",
        );
    }
    if !looks_ahead && parts.order != VariableOrder::Static {
        return Some(
            "without look-ahead no variable loses values, so there is nothing for the order to read",
        );
    }
    let own_loop = matches!(parts.look_back, Back::Backmarking | Back::Dynamic);
    if own_loop && parts.values != ValueOrder::Ascending {
        return Some("backmarking and dynamic backtracking try values in ascending order");
    }
    if parts.learn && parts.look_back != Back::ConflictDirected {
        return Some("nogoods are made from the conflict sets of cbj");
    }
    if parts.learn && !looks_ahead {
        return Some("nogoods strike values ahead, which needs look-ahead");
    }
    if parts.restarts && !parts.learn && parts.order != VariableOrder::WeightedDegree {
        return Some("without learn or domwdeg a restart would walk the same way again");
    }
    None
}

/// One word of a name, where it stands, and what it means.
struct Word {
    text: &'static str,
    place: Place,
    set: fn(&mut Parts),
    is: fn(&Parts) -> bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    LookAhead,
    LookBack,
    Learning,
    Order,
    Values,
    Restarts,
}

const PLACES: [Place; 7] = [
    Place::Before,
    Place::LookAhead,
    Place::LookBack,
    Place::Learning,
    Place::Order,
    Place::Values,
    Place::Restarts,
];

impl Place {
    /// What comes before a word standing here.
    fn separator(self) -> char {
        match self {
            Place::Before | Place::LookAhead | Place::LookBack | Place::Learning => '+',
            Place::Order | Place::Values | Place::Restarts => ':',
        }
    }
}

macro_rules! words {
    ($($place:ident: $($text:literal => $field:ident = $value:expr;)+)+) => {
        &[$($(Word {
            text: $text,
            place: Place::$place,
            set: |parts| parts.$field = $value,
            is: |parts| parts.$field == $value,
        },)+)+]
    };
}

/// Every word; the empty one stands for the plainest choice.
const WORDS: &[Word] = words! {
    Before:
        "" => preprocess = false;
        "ac3" => preprocess = true;
    LookAhead:
        "" => look_ahead = LookAheadPart::None;
        "fc" => look_ahead = LookAheadPart::ForwardChecking;
        "mac" => look_ahead = LookAheadPart::Ac3;
        "mac2001" => look_ahead = LookAheadPart::Ac2001;
        "elim" => look_ahead = LookAheadPart::Elimination;
        "hall" => look_ahead = LookAheadPart::Hall;
        "regin" => look_ahead = LookAheadPart::Regin;
    LookBack:
        "bt" => look_back = LookBackPart::Chronological;
        "bj" => look_back = LookBackPart::Gaschnig;
        "gbj" => look_back = LookBackPart::GraphBased;
        "cbj" => look_back = LookBackPart::ConflictDirected;
        "bm" => look_back = LookBackPart::Backmarking;
        "db" => look_back = LookBackPart::Dynamic;
    Learning:
        "" => learn = false;
        "learn" => learn = true;
    Order:
        "static" => order = VariableOrder::Static;
        "mrv" => order = VariableOrder::FewestValues;
        "mrv-deg" => order = VariableOrder::FewestValuesThenDegree;
        "domwdeg" => order = VariableOrder::WeightedDegree;
    Values:
        "asc" => values = ValueOrder::Ascending;
        "lcv" => values = ValueOrder::LeastConstraining;
        "few" => values = ValueOrder::FewestPlaced;
    Restarts:
        "" => restarts = false;
        "luby" => restarts = true;
};

/// The shortest name: parts that go without saying are left out.
fn spell(parts: &Parts) -> String {
    let mut name = String::new();
    for place in PLACES {
        let word = WORDS
            .iter()
            .find(|word| word.place == place && (word.is)(parts));
        let text = match word.map_or("", |word| word.text) {
            "bt" if parts.look_ahead != LookAheadPart::None => "",
            "static" | "asc" => "",
            text => text,
        };
        if !text.is_empty() {
            if !name.is_empty() {
                name.push(place.separator());
            }
            name.push_str(text);
        }
    }
    name
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spell(&self.0))
    }
}

impl FromStr for Recipe {
    type Err = RecipeError;

    fn from_str(name: &str) -> Result<Recipe, RecipeError> {
        let mut parts = Parts::default();
        let mut taken: Vec<Place> = Vec::new();
        let mut separator = '+';
        for piece in name.split_inclusive(['+', ':']) {
            let text = piece.trim_end_matches(['+', ':']);
            let word = (WORDS.iter())
                .filter(|word| !word.text.is_empty())
                .find(|word| word.text == text && word.place.separator() == separator)
                .ok_or_else(|| RecipeError::UnknownPart {
                    name: name.to_owned(),
                    part: text.to_owned(),
                })?;
            if taken.contains(&word.place) {
                return Err(RecipeError::Twice {
                    name: name.to_owned(),
                    part: word.text,
                });
            }
            taken.push(word.place);
            (word.set)(&mut parts);
            separator = piece.chars().last().unwrap_or('+');
        }
        if taken.is_empty() || name.ends_with(['+', ':']) {
            return Err(RecipeError::UnknownPart {
                name: name.to_owned(),
                part: String::new(),
            });
        }
        Recipe::new(parts)
    }
}

/// Why a name is not a recipe.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecipeError {
    /// A word that is none, or in the wrong place.
    UnknownPart {
        /// The whole name.
        name: String,
        /// The word.
        part: String,
    },
    /// Two words for one place.
    Twice {
        /// The whole name.
        name: String,
        /// The second word.
        part: &'static str,
    },
    /// Parts that do not go together.
    Refused {
        /// The name the combination would have.
        name: String,
        /// Why not.
        reason: &'static str,
    },
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecipeError::UnknownPart { name, part } => {
                write!(f, "`{name}`: expected ")?;
                let named = WORDS.iter().filter(|word| !word.text.is_empty());
                for (at, word) in named.enumerate() {
                    let gap = if at > 0 { ", " } else { "" };
                    let colon = if word.place.separator() == ':' {
                        ":"
                    } else {
                        ""
                    };
                    write!(f, "{gap}{colon}{}", word.text)?;
                }
                write!(f, ", found `{part}`")
            }
            RecipeError::Twice { name, part } => {
                write!(
                    f,
                    "`{name}`: `{part}` stands where another part already does"
                )
            }
            RecipeError::Refused { name, reason } => write!(f, "`{name}` is refused: {reason}"),
        }
    }
}

impl std::error::Error for RecipeError {}

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
