//! What a data set is to hold, written in TOML.
//!
//! ```toml
//! seed = 1
//! formats = ["csv"]              # csv, jsonl, parquet, npy: any of them
//! block = 10000                  # puzzles made, written and resumed together
//!
//! [split]                        # shares by canonical solution; else all is "all"
//! train = 0.9
//! test = 0.1
//!
//! [[bucket]]                     # as many as you like, made one after the other
//! name = "wings"
//! count = 1000
//! rating = "4.0..5.0"            # both ends included
//! with = ["xy-wing"]             # techniques on the path, or not
//! without = ["unique-rectangle"]
//! clues = "22..30"
//! symmetry = "rotation180"
//! minimal = false
//!
//! [augment]                      # disguises of each puzzle, which name their parent
//! copies = 3
//! splits = ["train"]
//!
//! [traces]                       # one row a step, for this share of the puzzles
//! share = 0.1
//! negatives = 1                  # wrong steps beside each right one
//! candidates = true              # pencil marks with every step
//!
//! [labels]
//! rating = true                  # ER, EP, ED, techniques
//! engines = ["native", "mac:domwdeg"]   # nodes of these, up to `nodes`
//! nodes = 1000000
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use planoku_human::{PuzzleOrder, Rating, Technique};
use planoku_sudoku::Shape;
use planoku_sudoku::generate::{self, PatternSymmetry};
use serde::Deserialize;
use serde::de::Error as _;
use toml::Spanned;

use crate::label::Labels;
use crate::write::TableFormat;

/// What a data set is to hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetRecipe {
    /// What everything random follows from.
    pub seed: u64,
    /// How many puzzles are made, written and resumed together.
    #[serde(default = "ten_thousand")]
    pub block: u64,
    /// What files are written.
    #[serde(default = "csv")]
    pub formats: Vec<TableFormat>,
    /// The share of each split, by name.
    #[serde(default)]
    pub split: BTreeMap<String, f64>,
    /// What puzzles, and how many.
    #[serde(rename = "bucket", default)]
    buckets: Vec<Spanned<Bucket>>,
    /// Disguises.
    #[serde(default)]
    pub augment: Augment,
    /// Steps.
    #[serde(default)]
    pub traces: Traces,
    /// Labels beyond ids, clues and whether the puzzle is minimal.
    #[serde(default)]
    pub labels: Labels,
}

/// Puzzles of one kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bucket {
    /// What the rows of it say they belong to; its number if absent.
    #[serde(default)]
    pub name: Option<String>,
    /// How many.
    pub count: u64,
    /// The rating of the hardest step.
    #[serde(default, deserialize_with = "ratings")]
    pub rating: Option<RangeInclusive<Rating>>,
    /// Techniques that must be used.
    #[serde(default, deserialize_with = "techniques")]
    pub with: Vec<Technique>,
    /// Techniques that must not be used.
    #[serde(default, deserialize_with = "techniques")]
    pub without: Vec<Technique>,
    /// How many clues.
    #[serde(default, deserialize_with = "clues")]
    pub clues: Option<RangeInclusive<usize>>,
    /// The symmetry of the pattern of clues.
    #[serde(default = "no_symmetry", deserialize_with = "symmetry")]
    pub symmetry: PatternSymmetry,
    /// Whether every clue must be needed.
    #[serde(default)]
    pub minimal: bool,
}

/// Disguises of each puzzle.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Augment {
    /// How many of each.
    pub copies: u64,
    /// In these splits; in all if absent.
    #[serde(default)]
    pub splits: Vec<String>,
}

/// Steps of some puzzles.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traces {
    /// The share of puzzles.
    pub share: f64,
    /// Wrong steps beside each right one.
    #[serde(default)]
    pub negatives: u64,
    /// Whether every step says which candidates stood before it.
    #[serde(default = "yes")]
    pub candidates: bool,
}

impl Default for Traces {
    fn default() -> Traces {
        Traces {
            share: 0.0,
            negatives: 0,
            candidates: true,
        }
    }
}

/// Why a text is no recipe, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecipe {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What was wanted, and what was found.
    pub message: String,
}

impl fmt::Display for BadRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for BadRecipe {}

/// A block is planned before any is made, so there cannot be any number of them:
/// this many take a few hundred megabytes, and are ten thousand million puzzles
/// in blocks of the usual size.
const MOST_BLOCKS: u64 = 1_000_000;

impl DatasetRecipe {
    /// Reads a recipe.
    ///
    /// ```
    /// use planoku_data::DatasetRecipe;
    ///
    /// let recipe = DatasetRecipe::read("seed = 7\n[[bucket]]\ncount = 100\n").unwrap();
    /// assert_eq!(recipe.total(), 100);
    /// let wrong = DatasetRecipe::read("seed = 7\n[[bucket]]\ncount = 9\nclues = \"5..9\"\n").unwrap_err();
    /// assert!(wrong.to_string().starts_with("2:1: no 9x9 puzzle"));
    /// ```
    pub fn read(text: &str) -> Result<DatasetRecipe, BadRecipe> {
        let recipe: DatasetRecipe = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            bad(text, at, error.message().to_string())
        })?;
        recipe.check(text)?;
        Ok(recipe)
    }

    /// The buckets.
    pub fn buckets(&self) -> impl ExactSizeIterator<Item = &Bucket> {
        self.buckets.iter().map(Spanned::get_ref)
    }

    /// How many puzzles there are, disguises not counted.
    pub fn total(&self) -> u64 {
        self.buckets().map(|bucket| bucket.count).sum()
    }

    /// The names of the splits, in order.
    pub fn splits(&self) -> Vec<&str> {
        match self.split.is_empty() {
            true => vec!["all"],
            false => self.split.keys().map(String::as_str).collect(),
        }
    }

    /// The split a canonical solution belongs to, by its place between 0 and 1:
    /// the first in the order of names takes the first share, and so on. Neither
    /// seed nor bucket matters, so that data sets with the same shares never
    /// leak into each other.
    pub fn split_of(&self, fraction: f64) -> usize {
        let total: f64 = self.split.values().sum();
        let mut end = 0.0;
        let ends = self.split.values().map(|share| {
            end += share / total;
            end
        });
        let last = self.split.len().saturating_sub(1);
        ends.take(last).filter(|end| fraction >= *end).count()
    }

    /// How many disguises a puzzle of this split gets.
    pub fn copies(&self, split: &str) -> u64 {
        let chosen = &self.augment.splits;
        match chosen.is_empty() || chosen.iter().any(|name| name == split) {
            true => self.augment.copies,
            false => 0,
        }
    }

    fn check(&self, text: &str) -> Result<(), BadRecipe> {
        let at = |word: &str| text.find(word).unwrap_or(0);
        let fail = |word: &str, message: String| Err(bad(text, at(word), message));
        if self.buckets.is_empty() {
            let message = "expected a [[bucket]] with a `count`, found none";
            return fail("", message.to_string());
        }
        if self.block == 0 {
            return fail(
                "block",
                "expected a block of 1 or more puzzles, found 0".into(),
            );
        }
        let blocks = self.buckets().fold(0u64, |sum, bucket| {
            sum.saturating_add(bucket.count.div_ceil(self.block))
        });
        if blocks > MOST_BLOCKS {
            let message = format!(
                "expected at most {MOST_BLOCKS} blocks of `block` = {} puzzles, found {blocks}",
                self.block
            );
            return fail("count", message);
        }
        if self.formats.is_empty() {
            return fail("formats", "expected a format, found none".into());
        }
        if !self.formats.iter().all(|format| format.is_built()) {
            return fail("formats", crate::write::NO_PARQUET.to_string());
        }
        for (name, share) in &self.split {
            let named = !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
            if !named || name == "traces" || name == "npy" {
                let message =
                    format!("expected the name of a split, such as train, found `{name}`");
                return fail(name, message);
            }
            if !(share.is_finite() && *share > 0.0) {
                return fail(
                    name,
                    format!("expected a share above 0 of {name}, found {share}"),
                );
            }
        }
        for split in &self.augment.splits {
            if !self.splits().contains(&split.as_str()) {
                return fail(
                    "splits",
                    format!("expected a split named above, found `{split}`"),
                );
            }
        }
        if !(0.0..=1.0).contains(&self.traces.share) {
            let message = format!("expected a share from 0 to 1, found {}", self.traces.share);
            return fail("[traces]", message);
        }
        if let Err(message) = self.labels.check() {
            return fail("engines", message);
        }
        for bucket in &self.buckets {
            if let Err(message) = bucket.get_ref().check() {
                return Err(bad(text, bucket.span().start, message));
            }
        }
        Ok(())
    }
}

impl Bucket {
    /// The order it is, if clues alone do not say it.
    pub fn order(&self) -> Option<PuzzleOrder> {
        let asks = self.rating.is_some() || !self.with.is_empty() || !self.without.is_empty();
        asks.then(|| PuzzleOrder {
            rating: self.rating.clone().unwrap_or(Rating(10)..=Rating(u8::MAX)),
            with: self.with.clone(),
            without: self.without.clone(),
            clues: self.clues.clone().unwrap_or(0..=81),
            minimal: self.minimal,
            symmetry: self.symmetry,
        })
    }

    /// The recipe of its clues.
    pub fn clues(&self) -> generate::PuzzleRecipe {
        generate::PuzzleRecipe {
            shape: Shape::Three,
            clues: self.clues.clone().unwrap_or(0..=81),
            // Nobody who asks for nothing wants a full board.
            minimal: self.minimal || self.clues.is_none(),
            symmetry: self.symmetry,
        }
    }

    fn check(&self) -> Result<(), String> {
        match self.order() {
            Some(order) => order.check().map_err(|unmet| unmet.to_string()),
            None => self.clues().check().map_err(|why| why.to_string()),
        }
    }
}

fn bad(text: &str, at: usize, message: String) -> BadRecipe {
    let before = &text.as_bytes()[..at.min(text.len())];
    let start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |nl| nl + 1);
    BadRecipe {
        line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
        column: String::from_utf8_lossy(&before[start..]).chars().count() + 1,
        message: message.trim().replace('\n', ", "),
    }
}

fn ten_thousand() -> u64 {
    10_000
}

fn yes() -> bool {
    true
}

fn csv() -> Vec<TableFormat> {
    vec![TableFormat::Csv]
}

fn no_symmetry() -> PatternSymmetry {
    PatternSymmetry::None
}

type Read<'de, D, T> = Result<T, <D as serde::Deserializer<'de>>::Error>;

fn ratings<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Read<'de, D, Option<RangeInclusive<Rating>>> {
    let text = String::deserialize(from)?;
    let (low, high) = text.split_once("..").unwrap_or((&text, &text));
    let high = high.strip_prefix('=').unwrap_or(high);
    let read = |text: &str| text.trim().parse::<Rating>().map_err(D::Error::custom);
    Ok(Some(read(low)?..=read(high)?))
}

fn techniques<'de, D: serde::Deserializer<'de>>(from: D) -> Read<'de, D, Vec<Technique>> {
    let names = Vec::<String>::deserialize(from)?;
    let read = |name: &String| name.parse().map_err(D::Error::custom);
    names.iter().map(read).collect()
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected clues such as 27 or \"24..30\"")]
enum Clues {
    One(usize),
    Range(String),
}

fn clues<'de, D: serde::Deserializer<'de>>(from: D) -> Read<'de, D, Option<RangeInclusive<usize>>> {
    let wanted = |text: &str| {
        let message = format!("expected clues such as 27 or \"24..30\", found `{text}`");
        D::Error::custom(message)
    };
    match Clues::deserialize(from)? {
        Clues::One(count) => Ok(Some(count..=count)),
        Clues::Range(text) => {
            let (low, high) = text.split_once("..").unwrap_or((&text, &text));
            let high = high.strip_prefix('=').unwrap_or(high);
            let read = |part: &str| part.trim().parse::<usize>().map_err(|_| wanted(&text));
            Ok(Some(read(low)?..=read(high)?))
        }
    }
}

fn symmetry<'de, D: serde::Deserializer<'de>>(from: D) -> Read<'de, D, PatternSymmetry> {
    let text = String::deserialize(from)?;
    let all = PatternSymmetry::ALL;
    all.into_iter()
        .find(|symmetry| symmetry.name() == text)
        .ok_or_else(|| {
            let names = all.map(PatternSymmetry::name).join(", ");
            D::Error::custom(format!("expected a symmetry ({names}), found `{text}`"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = DatasetRecipe::read(text).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }

    #[test]
    fn mistakes_are_located() {
        check(
            "seed = 1\n[[bucket]]\ncount = 18446744073709551615\n",
            "3:1: expected at most 1000000 blocks",
        );
        check(
            "seed = 1\n[[bucket]]\ncount = 5\nsises = 3\n",
            "4:1: unknown field `sises`",
        );
        check(
            "seed = 1\n[[bucket]]\ncount = 5\nrating = \"7..x\"\n",
            "4:10: expected a rating",
        );
        check(
            "seed = 1\n[[bucket]]\ncount = 5\nwith = [\"z-wing\"]\n",
            "4:8: expected a technique",
        );
        check(
            "seed = 1\n[[bucket]]\ncount = 5\nsymmetry = \"odd\"\n",
            "4:12: expected a symmetry",
        );
        check(
            "seed = 1\n[[bucket]]\ncount = 5\nrating = \"5.0..4.0\"\n",
            "2:1: no puzzle is rated",
        );
        check(
            "seed = 1\n[split]\ntrain = -1\n[[bucket]]\ncount = 5\n",
            "3:1: expected a share",
        );
        check("seed = 1\n", "1:1: expected a [[bucket]]");
        check("seed = \n", "1:8:");
        check(
            "seed = 1\nformats = [\"xls\"]\n[[bucket]]\ncount = 1\n",
            "2:12:",
        );
        check(
            "seed = 1\n[labels]\nengines = [\"nobody\"]\n[[bucket]]\ncount = 1\n",
            "`nobody`",
        );
    }

    #[test]
    fn shares_cut_the_line_in_the_order_of_names() {
        let recipe = DatasetRecipe::read(
            "seed = 1\n[split]\ntrain = 0.8\ntest = 0.1\nvalid = 0.1\n[[bucket]]\ncount = 1\n",
        )
        .unwrap();
        assert_eq!(recipe.splits(), ["test", "train", "valid"]);
        let split = |at| recipe.splits()[recipe.split_of(at)];
        assert_eq!(
            [0.0, 0.05, 0.15, 0.89, 0.91, 1.0].map(split),
            ["test", "test", "train", "train", "valid", "valid"]
        );
    }
}
