//! One walk after the other, until a puzzle is as ordered.

use planoku_engine::{Run, Stop};
use planoku_sudoku::generate::full_grid;
use planoku_sudoku::native::{self, Cells};
use planoku_sudoku::rng::Rng;
use planoku_sudoku::{Cell, Digit, Grid, Shape};

use super::{OrderedPuzzle, PuzzleOrder};
use crate::{Rated, Rater, Unrated};

/// How often a puzzle that is too easy is changed before another is begun.
const CLIMBS: usize = 12;

/// Clues given back before others are dug away.
const GIVEN_BACK: usize = 4;

/// Puzzles rated on one way down before another is begun.
const PATIENCE: usize = 150;

/// Changes that leave a puzzle as ordered, before it counts as another one.
const MOVES: usize = 10;

/// Puzzles rated around a good one before a new one is begun.
const NEIGHBOURS: usize = 4_000;

/// Walks for one puzzle of the order.
pub(super) struct Walk<'a, 'r> {
    order: &'a PuzzleOrder,
    rng: Rng,
    rater: &'a mut Rater,
    run: &'a mut Run<'r>,
    tries: u64,
    solution: Cells,
    orbits: Vec<&'static [Cell]>,
}

/// How a puzzle stands to the order.
enum Verdict {
    /// As ordered.
    Right(Rated),
    /// Harder than ordered, or lacking something; so many wishes are met on the
    /// part of the path that is not too hard.
    Above(usize),
    /// Not harder, but not as ordered.
    Below(Rated),
}

impl<'a, 'r> Walk<'a, 'r> {
    pub fn new(
        order: &'a PuzzleOrder,
        seed: u64,
        index: u64,
        rater: &'a mut Rater,
        run: &'a mut Run<'r>,
    ) -> Walk<'a, 'r> {
        let orbits = order.symmetry.orbits(Shape::Three).iter();
        Walk {
            order,
            rng: Rng::stream(seed, index),
            rater,
            run,
            tries: 0,
            solution: [0; 81],
            orbits: orbits.map(Vec::as_slice).collect(),
        }
    }

    pub fn make(mut self) -> Result<OrderedPuzzle, Stop> {
        loop {
            self.run.check()?;
            let full = full_grid(Shape::Three, &mut self.rng, self.run)?;
            self.solution = native::to_cells(&full).expect("a 9x9 board");
            let puzzle = self.dig(self.solution);
            if let Some(found) = self.from(puzzle)? {
                return Ok(self.made(found));
            }
        }
    }

    /// Another puzzle of the order, found around one that is known.
    pub fn make_near(mut self, known: &Grid) -> Result<OrderedPuzzle, Stop> {
        let mut puzzle = native::to_cells(known).expect("a 9x9 board");
        let mut moves = 0;
        for _ in 0..NEIGHBOURS {
            let Some(other) = self.neighbour(&puzzle)? else {
                continue;
            };
            if let Verdict::Right(rated) = self.judge(&other)? {
                puzzle = other;
                moves += 1;
                if moves >= MOVES {
                    return Ok(self.made((puzzle, rated)));
                }
            }
        }
        self.make()
    }

    fn made(&self, (puzzle, rated): (Cells, Rated)) -> OrderedPuzzle {
        OrderedPuzzle {
            puzzle: native::from_cells(&puzzle).expect("cells of digits"),
            rated,
            tries: self.tries,
        }
    }

    /// Takes a few clues away, chooses one of the solutions there are then, and
    /// gives clues of that one until it is the only one.
    fn neighbour(&mut self, puzzle: &Cells) -> Result<Option<Cells>, Stop> {
        let mut other = *puzzle;
        let mut orbits = self.orbits.clone();
        self.rng.shuffle(&mut orbits);
        let is_clue = |orbit: &&&[Cell]| puzzle[orbit[0].index()] != 0;
        let gone = 1 + self.rng.below(3);
        for orbit in orbits.iter().filter(is_clue).take(gone) {
            orbit.iter().for_each(|cell| other[cell.index()] = 0);
        }
        let start = native::from_cells(&other).expect("cells of digits");
        let outcome = native::random_solution(&start, &mut self.rng, &mut Run::limit(1));
        let solution = outcome
            .ok()
            .and_then(|outcome| outcome.answers.into_iter().next());
        let solution = solution.and_then(|grid| native::to_cells(&grid));
        self.solution = solution.expect("a part of a puzzle has a solution");
        self.run.tick()?;
        for orbit in &orbits {
            if native::count(&other, 2) == 1 {
                break;
            }
            if other[orbit[0].index()] == 0 {
                self.give(&mut other, orbit);
            }
        }
        if self.order.minimal {
            other = self.dig(other);
        } else {
            // Otherwise clues would become more and more.
            self.rng.shuffle(&mut orbits);
            for orbit in orbits.iter().take(gone + 2) {
                let mut fewer = other;
                orbit.iter().for_each(|cell| fewer[cell.index()] = 0);
                if native::count(&fewer, 2) == 1 {
                    other = fewer;
                }
            }
        }
        Ok((other != *puzzle).then_some(other))
    }

    /// Walks from a puzzle that is dug as far as it goes.
    fn from(&mut self, mut puzzle: Cells) -> Result<Option<(Cells, Rated)>, Stop> {
        let mut best = None;
        for _ in 0..CLIMBS {
            match self.judge(&puzzle)? {
                Verdict::Right(rated) => return Ok(Some((puzzle, rated))),
                Verdict::Above(_) if self.order.minimal => return Ok(None),
                Verdict::Above(met) => return self.down(puzzle, met),
                Verdict::Below(rated) => {
                    // Of two puzzles the harder one is closer to the order.
                    if best.as_ref().is_none_or(|(_, er)| rated.er >= *er) {
                        best = Some((puzzle, rated.er));
                    }
                }
            }
            let (start, _) = best.expect("at least this one");
            puzzle = self.change(start);
        }
        Ok(None)
    }

    /// Gives clues back until the puzzle is no longer too hard. A clue that
    /// leads too far, or to a path on which fewer wishes are met, is left out;
    /// after others it may do.
    fn down(&mut self, mut puzzle: Cells, mut met: usize) -> Result<Option<(Cells, Rated)>, Stop> {
        let mut left: Vec<&'static [Cell]> = self.orbits.clone();
        left.retain(|orbit| puzzle[orbit[0].index()] == 0);
        self.rng.shuffle(&mut left);
        let mut left_out = Vec::new();
        for _ in 0..PATIENCE {
            let Some(orbit) = left.pop() else { break };
            let mut easier = puzzle;
            self.give(&mut easier, orbit);
            if clues(&easier) > *self.order.clues.end() {
                break;
            }
            match self.judge(&easier)? {
                Verdict::Right(rated) => return Ok(Some((easier, rated))),
                Verdict::Above(now) if now >= met => {
                    (puzzle, met) = (easier, now);
                    if met > 0 {
                        left.append(&mut left_out);
                        self.rng.shuffle(&mut left);
                    }
                }
                Verdict::Above(_) | Verdict::Below(_) => left_out.push(orbit),
            }
        }
        Ok(None)
    }

    /// Gives some clues back and digs others away.
    fn change(&mut self, mut puzzle: Cells) -> Cells {
        let mut blank: Vec<&'static [Cell]> = self.orbits.clone();
        blank.retain(|orbit| puzzle[orbit[0].index()] == 0);
        self.rng.shuffle(&mut blank);
        for orbit in blank.into_iter().take(GIVEN_BACK) {
            self.give(&mut puzzle, orbit);
        }
        self.dig(puzzle)
    }

    fn give(&self, puzzle: &mut Cells, orbit: &[Cell]) {
        for cell in orbit {
            puzzle[cell.index()] = self.solution[cell.index()];
        }
    }

    /// Takes orbits away in random order, as long as one solution remains.
    fn dig(&mut self, mut puzzle: Cells) -> Cells {
        let mut orbits = self.orbits.clone();
        orbits.retain(|orbit| puzzle[orbit[0].index()] != 0);
        self.rng.shuffle(&mut orbits);
        // Two in five cells of a full board go without a question as often as
        // not; where they do not, one by one.
        let mut rest = &orbits[..];
        if clues(&puzzle) == 81 {
            let (first, others) = orbits.split_at(orbits.len() * 2 / 5);
            let mut fewer = puzzle;
            first
                .iter()
                .copied()
                .flatten()
                .for_each(|cell| fewer[cell.index()] = 0);
            if native::count(&fewer, 2) == 1 {
                (puzzle, rest) = (fewer, others);
            }
        }
        for orbit in rest {
            let mut fewer = puzzle;
            orbit.iter().for_each(|cell| fewer[cell.index()] = 0);
            let needed = match *orbit {
                [cell] => {
                    let digit = Digit::new(self.solution[cell.index()]).expect("a full board");
                    native::differs(&fewer, *cell, digit)
                }
                _ => native::count(&fewer, 2) > 1,
            };
            if !needed {
                puzzle = fewer;
            }
        }
        puzzle
    }

    fn judge(&mut self, puzzle: &Cells) -> Result<Verdict, Stop> {
        self.run.tick()?;
        self.tries += 1;
        let grid = native::from_cells(puzzle).expect("cells of digits");
        let most = *self.order.rating.end();
        let (rated, solved) = match self.rater.rate_up_to(&grid, most, self.run) {
            Ok(path) => path,
            Err(Unrated::Stopped(stop)) => return Err(stop),
            Err(unrated) => unreachable!("a puzzle with one solution: {unrated}"),
        };
        let right = solved
            && self.order.accepts(&rated)
            && self.order.clues.contains(&clues(puzzle))
            && (!self.order.minimal || self.is_minimal(puzzle));
        // A puzzle rated high enough that lacks something, or has something it
        // must not, may become right with more clues.
        let high = rated.er >= *self.order.rating.start();
        let met = self.order.with.iter();
        let met = met
            .filter(|technique| rated.count_of(**technique) > 0)
            .count();
        Ok(match right {
            true => Verdict::Right(rated),
            false if high || !solved => Verdict::Above(met + usize::from(high)),
            false => Verdict::Below(rated),
        })
    }

    /// Whether every clue is needed; dug by whole orbits, some may not be.
    fn is_minimal(&self, puzzle: &Cells) -> bool {
        (0..81).filter(|cell| puzzle[*cell] != 0).all(|cell| {
            let mut fewer = *puzzle;
            let digit = Digit::new(std::mem::take(&mut fewer[cell])).expect("a clue");
            native::differs(&fewer, Cell::new(cell), digit)
        })
    }
}

fn clues(puzzle: &Cells) -> usize {
    puzzle.iter().filter(|digit| **digit != 0).count()
}
