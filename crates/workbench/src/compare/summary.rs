//! One row per engine: what it solved, and how fast.

use std::time::Duration;

use super::{Claim, EngineComparison};

/// An engine over all puzzles.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The engine's name.
    pub engine: String,
    /// Index into [`EngineComparison::engines`].
    pub index: usize,
    /// Puzzles with a verified solution.
    pub solved: usize,
    /// Puzzles it proved to have none.
    pub refuted: usize,
    /// Puzzles it gave up on, or does not take.
    pub gave_up: usize,
    /// Puzzles on which its budget ran out.
    pub stopped: usize,
    /// Puzzles on which it was caught in a mistake.
    pub wrong: usize,
    /// Time a puzzle. A search that was stopped counts with the time it got.
    pub time: Spread<Duration>,
    /// Nodes a puzzle.
    pub nodes: Spread<u64>,
}

impl Summary {
    /// True if the engine decided every puzzle it was given.
    pub fn decided_all(&self) -> bool {
        self.gave_up + self.stopped + self.wrong == 0
    }
}

/// Five numbers that say how a sample lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread<T> {
    /// Smallest.
    pub least: T,
    /// A quarter lies below.
    pub lower: T,
    /// Half lies below.
    pub median: T,
    /// Three quarters lie below.
    pub upper: T,
    /// Largest.
    pub most: T,
}

impl<T: Copy + Ord + Default> Spread<T> {
    /// Of a sample in any order; all zero for an empty one.
    pub fn of(sample: impl IntoIterator<Item = T>) -> Spread<T> {
        let mut sample: Vec<T> = sample.into_iter().collect();
        sample.sort_unstable();
        let at = |part: usize| {
            let index = sample.len().saturating_sub(1) * part / 4;
            sample.get(index).copied().unwrap_or_default()
        };
        Spread {
            least: at(0),
            lower: at(1),
            median: at(2),
            upper: at(3),
            most: at(4),
        }
    }
}

/// A row per engine: first those that decided every puzzle, fastest first, then
/// the others; those caught in a mistake come last.
pub fn summaries(report: &EngineComparison) -> Vec<Summary> {
    let mut rows: Vec<Summary> = (0..report.engines.len())
        .map(|index| {
            let mine = || report.results.iter().filter(move |m| m.engine == index);
            let count = |test: fn(&Claim) -> bool| mine().filter(|m| test(&m.claim)).count();
            Summary {
                engine: report.engines[index].clone(),
                index,
                solved: count(|claim| matches!(claim, Claim::Solved(_))),
                refuted: count(|claim| matches!(claim, Claim::None)),
                gave_up: count(|claim| matches!(claim, Claim::GaveUp | Claim::Refused(_))),
                stopped: count(|claim| matches!(claim, Claim::Stopped(_))),
                wrong: count(|claim| matches!(claim, Claim::Wrong(_))),
                time: Spread::of(mine().map(super::Measured::time)),
                nodes: Spread::of(mine().map(|m| m.nodes)),
            }
        })
        .collect();
    rows.sort_by_key(|row| {
        (
            row.wrong > 0,
            !row.decided_all(),
            row.time.median,
            row.time.most,
        )
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_nine_numbers_is_every_other_one() {
        let spread = Spread::of([9, 1, 8, 2, 7, 3, 6, 4, 5]);
        assert_eq!(
            spread,
            Spread {
                least: 1,
                lower: 3,
                median: 5,
                upper: 7,
                most: 9
            }
        );
        assert_eq!(Spread::<u64>::of([]), Spread::default());
    }
}
