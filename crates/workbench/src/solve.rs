//! Solve a puzzle and believe nothing: every grid is verified.
//!
//! Grids are judged one by one as the engine finds them, so that a puzzle with
//! a hundred million solutions takes no more memory than one with a single
//! solution. Whether an engine that claims to count finds a grid twice is
//! noticed exactly among the first 65,536 grids; after that by a sample of the
//! same size, drawn by a hash of the grid. A search that repeats itself repeats
//! many grids, and a sample is enough to notice.

use std::collections::HashSet;

use planoku_engine::{Ended, Engine, EngineError, Leave, Outcome, Profile, Run, Sink};
use planoku_sudoku::native::{self, Cells};
use planoku_sudoku::{Grid, verify, verify_cells};

use crate::Solution;

/// Runs an engine, verifies what it finds, and keeps all of it.
///
/// A wrong grid, or a repeated one where the engine claims to count, is the
/// engine's mistake and becomes
/// [`EngineError::Internal`]; it is never returned as an answer.
pub fn solve(
    engine: &dyn Engine<Grid, Answer = Solution>,
    puzzle: &Grid,
    run: &mut Run<'_>,
) -> Result<Outcome<Solution>, EngineError> {
    Outcome::collect(|sink| solve_into(engine, puzzle, run, sink))
}

/// Runs an engine, and hands each solution on once it is verified. What was
/// handed on before a mistake is right; the mistake is an error.
pub fn solve_into(
    engine: &dyn Engine<Grid, Answer = Solution>,
    puzzle: &Grid,
    run: &mut Run<'_>,
    sink: &mut Sink<'_, Solution>,
) -> Result<Ended, EngineError> {
    let Profile { name, counts, .. } = engine.profile();
    let mut repeats = Repeats::new(counts);
    let clues = native::to_cells(puzzle);
    engine.solve_into(puzzle, run, &mut |solution| {
        // Both verifiers agree; the one for 9x9 boards is quicker, the other
        // says what is wrong.
        let cells = native::to_cells(&solution.grid);
        let right = clues.zip(cells);
        if !right.is_some_and(|(clues, cells)| verify_cells(&clues, &cells)) {
            verify(puzzle, &solution.grid).map_err(|broken| {
                EngineError::Internal(format!("{name} found a wrong grid: {broken}"))
            })?;
        }
        let cells = solution.grid.cells().iter();
        let bytes = cells.map(|digit| digit.map_or(0, |digit| digit.get()));
        repeats.note(&name, bytes)?;
        sink(solution)
    })
}

/// How many solutions there are, up to what the run wants: each is verified,
/// and none is kept.
pub fn count(
    engine: &dyn Engine<Grid, Answer = Solution>,
    puzzle: &Grid,
    run: &mut Run<'_>,
) -> Result<Counted, EngineError> {
    let mut count = 0;
    let ended = match (native::to_cells(puzzle), &*engine.profile().name) {
        // Millions a second, and no grid on the heap.
        (Some(cells), name @ "native") => {
            let mut repeats = Repeats::new(true);
            native::solve_cells_into(&cells, run, &mut |solution: &Cells| {
                if !verify_cells(&cells, solution) {
                    let wrong = format!("{name} found a wrong grid");
                    return Err(EngineError::Internal(wrong).into());
                }
                repeats.note(name, solution.iter().copied())?;
                count += 1;
                Ok(())
            })
        }
        _ => solve_into(engine, puzzle, run, &mut |_| {
            count += 1;
            Ok(())
        }),
    };
    let Ended { end, stats } = ended?;
    Ok(Counted { count, end, stats })
}

/// What [`count`] found.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Solutions found, all different.
    pub count: u64,
    /// [`End::Exhausted`](planoku_engine::End::Exhausted) says that there are no others.
    pub end: planoku_engine::End,
    /// What it cost.
    pub stats: planoku_engine::Stats,
}

/// Notices a grid that comes twice, in memory that does not depend on how many
/// come.
struct Repeats {
    /// False if the engine may repeat itself.
    watching: bool,
    /// Fingerprints of the grids in the sample.
    seen: HashSet<u128>,
    /// The bits of a fingerprint that are zero in the sample.
    mask: u64,
}

/// How many grids are remembered.
const REMEMBERED: usize = 1 << 16;

impl Repeats {
    fn new(watching: bool) -> Repeats {
        Repeats {
            watching,
            seen: HashSet::new(),
            mask: 0,
        }
    }

    /// An error if these cells are remembered.
    fn note(&mut self, name: &str, cells: impl Iterator<Item = u8> + Clone) -> Result<(), Leave> {
        if !self.watching {
            return Ok(());
        }
        let low = fingerprint(cells.clone(), 0x9e37_79b9_7f4a_7c15);
        if low & self.mask != 0 {
            return Ok(());
        }
        let high = fingerprint(cells, 0xc2b2_ae3d_27d4_eb4f);
        if !self.seen.insert(u128::from(high) << 64 | u128::from(low)) {
            let twice = format!("{name} claims to count and found a grid twice");
            return Err(EngineError::Internal(twice).into());
        }
        if self.seen.len() > REMEMBERED {
            self.mask = self.mask << 1 | 1;
            let mask = u128::from(self.mask);
            self.seen.retain(|print| print & mask == 0);
        }
        Ok(())
    }
}

/// A hash that depends on every cell, twelve of them at a step.
fn fingerprint(cells: impl Iterator<Item = u8>, factor: u64) -> u64 {
    let (mut hash, mut word, mut held) = (factor, 0u64, 0);
    for digit in cells {
        word = word << 5 | u64::from(digit);
        held += 1;
        if held == 12 {
            hash = (hash ^ word).wrapping_mul(factor).rotate_left(29);
            (word, held) = (0, 0);
        }
    }
    hash = (hash ^ word).wrapping_mul(factor);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use planoku_engine::End;

    use super::*;

    /// Says what it is told, again and again.
    struct Told {
        grids: Vec<Grid>,
        times: usize,
    }

    impl Engine<Grid> for Told {
        type Answer = Solution;

        fn profile(&self) -> Profile {
            Profile::new("told", "says what it is told")
                .complete()
                .counting()
        }

        fn solve_into(
            &self,
            _: &Grid,
            run: &mut Run<'_>,
            sink: &mut Sink<'_, Solution>,
        ) -> Result<Ended, EngineError> {
            run.search(sink, |run, found| {
                for grid in std::iter::repeat_n(&self.grids, self.times).flatten() {
                    run.tick()?;
                    let grid = grid.clone();
                    let witness = None;
                    found.push(Solution { grid, witness })?;
                }
                Ok(())
            })
        }
    }

    fn grids(limit: u64) -> Vec<Grid> {
        let empty: Grid = ".".repeat(81).parse().unwrap();
        let native = native::Native.solve(&empty, &mut Run::limit(limit));
        native.unwrap().answers
    }

    #[test]
    fn answers_are_handed_on_until_one_is_wrong() {
        let mut grids = grids(3);
        let digit = grids[2].cells()[1];
        grids[2].set(planoku_sudoku::Cell::new(0), digit);
        let empty = Grid::empty(grids[0].shape());
        let (mut handed, told) = (0, Told { grids, times: 1 });
        let result = solve_into(&told, &empty, &mut Run::all(), &mut |_| {
            handed += 1;
            Ok(())
        });
        assert!(matches!(result, Err(EngineError::Internal(_))));
        assert_eq!(handed, 2);
    }

    #[test]
    fn a_sink_that_wants_no_more_ends_the_search() {
        let (empty, mut handed) = (Grid::empty(planoku_sudoku::Shape::Three), 0);
        let engine = crate::engine("native").unwrap();
        let ended = solve_into(&*engine, &empty, &mut Run::all(), &mut |_| {
            handed += 1;
            match handed {
                7 => Err(Leave::Enough),
                _ => Ok(()),
            }
        });
        assert_eq!((ended.unwrap().end, handed), (End::Enough, 7));
    }

    #[test]
    fn a_search_that_repeats_itself_is_noticed_however_late() {
        let empty = Grid::empty(planoku_sudoku::Shape::Three);
        for many in [1, 100, 200_000] {
            let grids = grids(many);
            let once = Told { grids, times: 1 };
            assert_eq!(
                count(&once, &empty, &mut Run::all()).unwrap().count,
                many,
                "different grids are not taken for equal ones"
            );
            let twice = Told { times: 2, ..once };
            let result = count(&twice, &empty, &mut Run::all());
            assert!(
                result.is_err_and(|error| error.to_string().contains("twice")),
                "{many}"
            );
        }
    }

    #[test]
    fn no_more_is_remembered_however_many_come() {
        let mut repeats = Repeats::new(true);
        for number in 0u32..1_000_000 {
            let digits = number.to_le_bytes().map(|byte| byte % 16);
            let more = number.to_le_bytes().map(|byte| byte / 16);
            let cells = digits.into_iter().chain(more);
            repeats.note("", cells).unwrap();
        }
        assert!(repeats.seen.len() <= REMEMBERED);
        assert!(repeats.seen.len() > REMEMBERED / 8, "a sample, not nothing");
    }

    #[test]
    fn counting_stops_where_it_is_told_to() {
        let empty = Grid::empty(planoku_sudoku::Shape::Three);
        let native = crate::engine("native").unwrap();
        let counted = |mut run: Run<'_>| {
            let counted = count(&*native, &empty, &mut run).unwrap();
            (counted.count, counted.end)
        };
        assert_eq!(counted(Run::limit(5000)), (5000, End::Enough));
        let (found, end) = counted(Run::all().with_nodes(5000));
        assert_eq!(end, End::Stopped(planoku_engine::Stop::Nodes));
        assert!((1..5000).contains(&found), "{found}");
    }

    #[test]
    fn both_ways_of_counting_agree() {
        let native = crate::engine("native").unwrap();
        let reference = crate::engine("reference").unwrap();
        for example in crate::EXAMPLES {
            let Ok(puzzle) = example.text.parse::<Grid>() else {
                continue;
            };
            if native::to_cells(&puzzle).is_none() {
                continue; // The other way is for 9x9 boards.
            }
            let [ours, theirs] = [&native, &reference].map(|engine| {
                let counted = count(&**engine, &puzzle, &mut Run::limit(50)).unwrap();
                (counted.count, counted.end)
            });
            assert_eq!(ours, theirs, "{puzzle}");
        }
    }
}
