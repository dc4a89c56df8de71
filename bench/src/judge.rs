//! Native held to the reference, on many puzzles and both cores.
//!
//! Every path there is (each set of instructions, one call for each puzzle and
//! one call for many) must find as many solutions as the reference, up to two,
//! and the solution shown must be one: the reference's own where there is only
//! one, and one that keeps the rules where there are more.
//!
//! The reference is slow on boards with few clues. It is given a budget of
//! nodes; puzzles it cannot decide are counted and said, and there the paths
//! must at least agree with each other.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use planoku_engine::{End, Engine, Run};
use planoku_sudoku::generate::PuzzleRecipe;
use planoku_sudoku::native::{self, Cells, Isa, NativeAnswer};
use planoku_sudoku::reference::Reference;
use planoku_sudoku::rng::Rng;
use planoku_sudoku::{Grid, Shape, verify};

/// What the reference said.
#[derive(Clone, Copy, Default)]
pub struct Seen {
    none: u64,
    one: u64,
    more: u64,
    undecided: u64,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} with no solution, {} with one, {} with more; every path says what the reference says",
            self.none, self.one, self.more
        )?;
        if self.undecided > 0 {
            write!(
                f,
                " ({} more were too hard for the reference; there the paths agree)",
                self.undecided
            )?;
        }
        Ok(())
    }
}

/// Nodes the reference may spend on a puzzle.
const NODES: u64 = 1_000_000;
/// Nodes for random puzzles, of which there are too many to wait for each.
const NODES_AT_RANDOM: u64 = 20_000;
/// Puzzles that go through the paths together.
const TOGETHER: usize = 4096;

/// Checks these puzzles.
pub fn all(puzzles: &[Cells]) -> Result<Seen, String> {
    in_parallel(puzzles.len().div_ceil(TOGETHER), |nth| {
        let end = puzzles.len().min((nth + 1) * TOGETHER);
        judge(&puzzles[nth * TOGETHER..end], NODES)
    })
}

/// Checks as many random and mutilated puzzles.
pub fn random(puzzles: usize, seed: u64) -> Result<Seen, String> {
    in_parallel(puzzles.div_ceil(TOGETHER), |nth| {
        let count = TOGETHER.min(puzzles - nth * TOGETHER);
        let puzzles = mixture(count, &mut Rng::stream(seed, nth as u64));
        judge(&puzzles, NODES_AT_RANDOM)
    })
}

/// Does the numbered pieces of work on all cores; the first mistake wins.
fn in_parallel(
    pieces: usize,
    work: impl Fn(usize) -> Result<Seen, String> + Sync,
) -> Result<Seen, String> {
    let next = AtomicUsize::new(0);
    let sum = Mutex::new(Ok(Seen::default()));
    let take_part = || {
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            if nth >= pieces {
                return;
            }
            let result = work(nth);
            let mut sum = sum.lock().expect("nobody panics with the sum in hand");
            match (&mut *sum, result) {
                (Ok(sum), Ok(more)) => {
                    sum.none += more.none;
                    sum.one += more.one;
                    sum.more += more.more;
                    sum.undecided += more.undecided;
                }
                (Ok(_), Err(wrong)) => *sum = Err(wrong),
                (Err(_), _) => return,
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(take_part);
        }
    });
    sum.into_inner().expect("nobody panicked")
}

fn judge(puzzles: &[Cells], nodes: u64) -> Result<Seen, String> {
    let mut paths: Vec<(String, Vec<NativeAnswer>)> = Vec::new();
    for isa in Isa::available() {
        let single = puzzles
            .iter()
            .map(|puzzle| native::solve_cells(puzzle, 2, isa));
        paths.push((format!("{} single", isa.name()), single.collect()));
        let batch = native::solve_batch(puzzles, 2, isa);
        paths.push((format!("{} batch", isa.name()), batch));
    }
    let mut seen = Seen::default();
    for (nth, cells) in puzzles.iter().enumerate() {
        let puzzle = native::from_cells(cells).ok_or("a byte that is no digit")?;
        let run = &mut Run::limit(2).with_nodes(nodes);
        let outcome = Reference
            .solve(&puzzle, run)
            .map_err(|error| error.to_string())?;
        let decided = !matches!(outcome.end, End::Stopped(_));
        match outcome.answers.len() {
            _ if !decided => seen.undecided += 1,
            0 => seen.none += 1,
            1 => seen.one += 1,
            _ => seen.more += 1,
        }
        let expected = match decided {
            true => outcome.answers.len() as u64,
            false => paths[0].1[nth].count,
        };
        let only = outcome.answers.first().filter(|_| expected == 1);
        for (path, answers) in &paths {
            if !is_right(&puzzle, &answers[nth], expected, only) {
                let found = answers[nth].count;
                return Err(format!(
                    "{path}: {found} solutions instead of {expected}, or a wrong one: {puzzle}"
                ));
            }
        }
    }
    Ok(seen)
}

/// True if the count is as expected, and the solution shown is one.
fn is_right(puzzle: &Grid, answer: &NativeAnswer, expected: u64, only: Option<&Grid>) -> bool {
    let shown = match &answer.first {
        None => expected == 0,
        Some(first) => native::from_cells(first).is_some_and(|first| {
            verify(puzzle, &first).is_ok() && only.is_none_or(|only| *only == first)
        }),
    };
    answer.count == expected && shown
}

/// Puzzles of every kind: full boards robbed of more and more clues, minimal
/// puzzles, a few clues thrown anywhere; two thirds of them mutilated.
fn mixture(count: usize, rng: &mut Rng) -> Vec<Cells> {
    // Making a minimal puzzle costs more than solving many, so each serves
    // several times, mutilated differently.
    let pool: Vec<Cells> = (0..count.div_ceil(64))
        .filter_map(|_| {
            let recipe = PuzzleRecipe::minimal(Shape::Three);
            let made = recipe.make(rng.next_u64(), 0, &mut Run::limit(1));
            native::to_cells(&made.ok()?)
        })
        .collect();
    let full: Vec<Cells> = pool
        .iter()
        .filter_map(|puzzle| native::solve_cells(puzzle, 1, Isa::best()).first)
        .collect();
    (0..count)
        .map(|nth| {
            let mut puzzle = match nth % 16 {
                0 => pool[rng.below(pool.len())],
                1 => scattered(rng),
                _ => robbed(&full[rng.below(full.len())], rng),
            };
            for _ in 0..rng.below(3) {
                mutilate(&mut puzzle, rng);
            }
            puzzle
        })
        .collect()
}

/// A full board with 22 to 81 clues left.
fn robbed(full: &Cells, rng: &mut Rng) -> Cells {
    let mut order: Vec<usize> = (0..81).collect();
    rng.shuffle(&mut order);
    let mut puzzle = *full;
    // Most boards lose nearly all they can; some keep more.
    let spread = [8, 8, 16, 60][rng.below(4)];
    for cell in &order[22 + rng.below(spread)..] {
        puzzle[*cell] = 0;
    }
    puzzle
}

/// Up to 30 random digits in random cells, which rarely go together.
fn scattered(rng: &mut Rng) -> Cells {
    let mut puzzle = [0; 81];
    for _ in 0..rng.below(31) {
        puzzle[rng.below(81)] = rng.below(9) as u8 + 1;
    }
    puzzle
}

/// Takes a clue away, or writes a random digit into a random cell.
fn mutilate(puzzle: &mut Cells, rng: &mut Rng) {
    puzzle[rng.below(81)] = match rng.below(2) {
        0 => 0,
        _ => rng.below(9) as u8 + 1,
    };
}
