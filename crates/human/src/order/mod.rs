//! Puzzles to order: of a rating, with and without certain techniques.
//!
//! Most puzzles that digging leaves are either easy or hard, so waiting for one
//! of a given rating can take long. Instead each attempt starts from a puzzle
//! dug as far as it goes and *walks* towards the order:
//!
//! - too hard: clues are given back, one orbit of the pattern at a time. Where
//!   one clue leads past the order, another is tried from the same place. Once
//!   the path up to where it becomes too hard holds what is wanted, such as a
//!   step rated high enough, only clues that leave it there are given back;
//! - too easy: some clues are given back, and others are dug away. What became
//!   harder is kept, what became easier is not.
//!
//! Where even that takes long, the next puzzle is found around the last one: a
//! few clues go, one of the solutions there are then is chosen, and clues of it
//! come until it is the only one. Ten such changes, each of which leaves the
//! puzzle as ordered, make another puzzle.
//!
//! Rating stops as soon as a step is harder than the order allows, which for
//! most puzzles is soon. The `index`-th puzzle of a seed depends on nothing
//! else, so that any number of threads makes the same puzzles.
//!
//! ```
//! use planoku_engine::Run;
//! use planoku_human::{PuzzleOrder, Rater, Rating, Technique};
//!
//! let order = PuzzleOrder { with: vec![Technique::NakedPair], ..PuzzleOrder::rated(Rating(30), Rating(32)) };
//! let made = order.make(7, 0, &mut Rater::new(), &mut Run::limit(1)).unwrap();
//! assert!((Rating(30)..=Rating(32)).contains(&made.rated.er));
//! assert!(made.rated.count_of(Technique::NakedPair) > 0);
//! ```

mod walk;

use std::fmt;
use std::ops::RangeInclusive;

use planoku_engine::{Run, Stop};
use planoku_sudoku::canon::canonical;
use planoku_sudoku::generate::{Impossible, PatternSymmetry, PuzzleRecipe};
use planoku_sudoku::{Grid, Shape};

use crate::{Rated, Rater, Rating, Technique};
use walk::Walk;

/// How many puzzles are made one after the other.
pub const GROUP: u64 = 16;

/// A puzzle that takes more tries than this is rare.
const RARE: u64 = 1_000;

/// What kind of puzzle is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleOrder {
    /// The rating of the hardest step.
    pub rating: RangeInclusive<Rating>,
    /// Techniques that must be used on the scale's path.
    pub with: Vec<Technique>,
    /// Techniques that must not.
    pub without: Vec<Technique>,
    /// How many clues.
    pub clues: RangeInclusive<usize>,
    /// Whether every clue must be needed.
    pub minimal: bool,
    /// The symmetry of the pattern of clues.
    pub symmetry: PatternSymmetry,
}

/// A puzzle made to order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderedPuzzle {
    /// The puzzle.
    pub puzzle: Grid,
    /// Its rating.
    pub rated: Rated,
    /// How many puzzles were rated until this one came.
    pub tries: u64,
}

/// Why an order can never be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// The range of ratings is empty, or holds nothing a step can have.
    NoRating {
        /// From.
        from: Rating,
        /// To.
        to: Rating,
    },
    /// A technique is wanted that is harder than the order allows.
    TooHard {
        /// The technique.
        technique: Technique,
        /// The hardest allowed.
        most: Rating,
    },
    /// A technique is wanted and not wanted.
    Both(Technique),
    /// Every technique that could give the rating is excluded.
    NothingLeft,
    /// No such pattern of clues exists.
    Clues(Impossible),
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unmet::NoRating { from, to } => write!(
                f,
                "no puzzle is rated {from} to {to}: ratings begin at {}",
                Technique::ALL[0].base()
            ),
            Unmet::TooHard { technique, most } => write!(
                f,
                "a {technique} is rated {} or more, at most {most} was allowed",
                technique.base()
            ),
            Unmet::Both(technique) => write!(f, "{} is wanted and excluded", technique.key()),
            Unmet::NothingLeft => write!(
                f,
                "every technique that could give such a rating is excluded"
            ),
            Unmet::Clues(impossible) => impossible.fmt(f),
        }
    }
}

impl std::error::Error for Unmet {}

impl PuzzleOrder {
    /// Any puzzle rated so, from and to included.
    pub fn rated(from: Rating, to: Rating) -> PuzzleOrder {
        PuzzleOrder {
            rating: from..=to,
            with: Vec::new(),
            without: Vec::new(),
            clues: 0..=81,
            minimal: false,
            symmetry: PatternSymmetry::None,
        }
    }

    /// Why no such puzzle exists, where that is known.
    pub fn check(&self) -> Result<(), Unmet> {
        let (from, to) = (*self.rating.start(), *self.rating.end());
        if from > to || to < Technique::ALL[0].base() {
            return Err(Unmet::NoRating { from, to });
        }
        for technique in &self.with {
            if technique.base() > to {
                let technique = *technique;
                return Err(Unmet::TooHard {
                    technique,
                    most: to,
                });
            }
            if self.without.contains(technique) {
                return Err(Unmet::Both(*technique));
            }
        }
        let possible = |technique: &&Technique| {
            technique.base() <= to
                && highest(**technique) >= from
                && !self.without.contains(technique)
        };
        if !Technique::ALL.iter().any(|technique| possible(&technique)) {
            return Err(Unmet::NothingLeft);
        }
        self.recipe().check().map_err(Unmet::Clues)
    }

    /// The order as far as clues go.
    fn recipe(&self) -> PuzzleRecipe {
        PuzzleRecipe {
            shape: Shape::Three,
            clues: self.clues.clone(),
            minimal: self.minimal,
            symmetry: self.symmetry,
        }
    }

    /// The `index`-th puzzle of a seed; tries until it succeeds or `run` says
    /// stop. A node is one puzzle rated, or one step of its path.
    pub fn make(
        &self,
        seed: u64,
        index: u64,
        rater: &mut Rater,
        run: &mut Run<'_>,
    ) -> Result<OrderedPuzzle, Stop> {
        let mut made = Vec::new();
        self.make_group(seed, index / GROUP, rater, run, |one| {
            made.push(one);
            made.len() as u64 <= index % GROUP
        })?;
        Ok(made.pop().expect("a group has as many as it should"))
    }

    /// The puzzles of a group, those with the indices from `GROUP * group` on,
    /// one after the other until `take` has enough. Puzzles that are rare are
    /// found around the one before, so that it is a group that threads work on.
    pub fn make_group(
        &self,
        seed: u64,
        group: u64,
        rater: &mut Rater,
        run: &mut Run<'_>,
        mut take: impl FnMut(OrderedPuzzle) -> bool,
    ) -> Result<(), Stop> {
        let mut forms = Vec::new();
        let mut last: Option<Grid> = None;
        let mut tries = 0;
        while (forms.len() as u64) < GROUP {
            let index = GROUP * group + forms.len() as u64;
            // Attempts that come to nothing draw from streams of their own.
            let stream = index ^ (tries << 32);
            let walk = Walk::new(self, seed, stream, rater, run);
            let made = match &last {
                Some(known) if tries > RARE * forms.len() as u64 => walk.make_near(known)?,
                _ => walk.make()?,
            };
            tries += made.tries;
            let form = canonical(&made.puzzle).map(|canonical| canonical.form);
            if forms.contains(&form) {
                continue;
            }
            forms.push(form);
            last = Some(made.puzzle.clone());
            if !take(made) {
                break;
            }
        }
        Ok(())
    }

    /// Whether a rated puzzle is what is wanted, but for its clues.
    fn accepts(&self, rated: &Rated) -> bool {
        self.rating.contains(&rated.er)
            && self
                .with
                .iter()
                .all(|technique| rated.count_of(*technique) > 0)
            && self
                .without
                .iter()
                .all(|technique| rated.count_of(*technique) == 0)
    }
}

/// The highest rating a step of the technique can have.
fn highest(technique: Technique) -> Rating {
    match technique {
        Technique::UniqueRectangle => Rating(48),
        Technique::UniqueLoop => Rating(52),
        Technique::Bug => Rating(60),
        technique if technique.is_chain() => Rating(u8::MAX),
        technique => technique.base(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use planoku_sudoku::minimal::{Needed, clues_needed};
    use planoku_sudoku::reference;

    use super::*;
    use crate::rate;

    #[track_caller]
    fn check(order: &PuzzleOrder, count: u64) {
        order.check().unwrap();
        for index in 0..count {
            let make = || {
                let run = &mut Run::limit(1).with_nodes(20_000_000);
                order.make(3, index, &mut Rater::new(), run).unwrap()
            };
            let made = make();
            assert_eq!(made, make(), "the same index, another puzzle");
            // What an order cannot see is judged from outside.
            let rated = rate(&made.puzzle).unwrap();
            assert_eq!(rated, made.rated, "{}", made.puzzle);
            assert!(order.accepts(&rated), "{}", made.puzzle);
            assert_eq!(reference::solutions(&made.puzzle, 2).len(), 1);
            assert!(order.clues.contains(&made.puzzle.clue_count()));
            for (cell, _) in made.puzzle.clues() {
                let image = order.symmetry.image(Shape::Three, cell);
                assert!(made.puzzle.get(image).is_some(), "{}", made.puzzle);
            }
        }
    }

    #[test]
    fn common_half_points_can_be_ordered() {
        for from in [10, 15, 20, 25, 40, 55, 65, 70] {
            check(&PuzzleOrder::rated(Rating(from), Rating(from + 4)), 1);
        }
    }

    /// Makes groups on two threads until there are so many puzzles or the time
    /// is up; how many, and how many were rated.
    fn make_on_two_threads(order: &PuzzleOrder, count: u64, seconds: u64) -> (u64, u64) {
        let (next, started) = (AtomicU64::new(0), std::time::Instant::now());
        let (made, tries) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let rater = &mut Rater::new();
                    while started.elapsed().as_secs() < seconds {
                        let group = next.fetch_add(1, Ordering::Relaxed);
                        if group * GROUP >= count {
                            break;
                        }
                        let run = &mut Run::limit(1);
                        let take = |one: OrderedPuzzle| {
                            tries.fetch_add(one.tries, Ordering::Relaxed);
                            made.fetch_add(1, Ordering::Relaxed) + 1 < count
                        };
                        order.make_group(5, group, rater, run, take).unwrap();
                    }
                });
            }
        });
        (made.into_inner(), tries.into_inner())
    }

    #[test]
    #[ignore = "a measurement: run it with --release --nocapture"]
    fn how_many_tries_each_half_point_takes() {
        let limit = |name, usual| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
        let (count, seconds) = (limit("COUNT", 1000), limit("SECONDS", 600));
        for from in (10..90).step_by(5) {
            let order = PuzzleOrder::rated(Rating(from), Rating(from + 4));
            let started = std::time::Instant::now();
            let (made, tries) = make_on_two_threads(&order, count, seconds);
            println!(
                "{}..{}: {made} made, {:.1} s, 1 of {:.1} as ordered",
                order.rating.start(),
                order.rating.end(),
                started.elapsed().as_secs_f64(),
                tries as f64 / made as f64,
            );
        }
    }

    #[test]
    fn techniques_patterns_and_clues_are_as_ordered() {
        let order = PuzzleOrder::rated(Rating(32), Rating(50));
        check(
            &PuzzleOrder {
                with: vec![Technique::XWing],
                without: vec![Technique::NakedPair, Technique::HiddenPair],
                ..order.clone()
            },
            1,
        );
        let symmetry = PatternSymmetry::Rotation180;
        check(
            &PuzzleOrder {
                symmetry,
                ..order.clone()
            },
            2,
        );
        let clues = 28..=30;
        check(
            &PuzzleOrder {
                clues,
                ..PuzzleOrder::rated(Rating(15), Rating(26))
            },
            2,
        );
    }

    #[test]
    fn minimal_orders_are_minimal() {
        let order = PuzzleOrder {
            minimal: true,
            ..PuzzleOrder::rated(Rating(23), Rating(30))
        };
        check(&order, 2);
        let made = order
            .make(3, 0, &mut Rater::new(), &mut Run::limit(1))
            .unwrap();
        let needed = clues_needed(&made.puzzle, &mut Run::all()).unwrap();
        assert!(matches!(needed, Needed::Clues { redundant, .. } if redundant.is_empty()));
    }

    #[test]
    fn impossible_orders_are_refused_with_the_reason() {
        let reason = |order: &PuzzleOrder| order.check().unwrap_err().to_string();
        let order = |from, to| PuzzleOrder::rated(Rating(from), Rating(to));
        assert!(reason(&order(50, 40)).contains("no puzzle is rated 5.0 to 4.0"));
        assert!(reason(&order(0, 9)).contains("ratings begin at 1.0"));
        assert!(reason(&order(11, 11)).contains("excluded"));
        let with = vec![Technique::XWing];
        assert!(
            reason(&PuzzleOrder {
                with: with.clone(),
                ..order(20, 30)
            })
            .contains("3.2")
        );
        let without = with.clone();
        assert!(
            reason(&PuzzleOrder {
                with,
                without,
                ..order(20, 40)
            })
            .contains("wanted and excluded")
        );
        let clues = 5..=9;
        assert!(
            reason(&PuzzleOrder {
                clues,
                ..order(20, 40)
            })
            .contains("17")
        );
    }
}
