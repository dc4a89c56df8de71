//! Digging: taking clues away while one solution remains.
//!
//! Cells are tried in random order, each once: a clue that was needed among
//! many clues is needed among fewer. For the same reason a whole group may be
//! taken away at once if one solution remains after it, and digging starts
//! with large groups, which are halved until the needed clue is found; the
//! puzzle is the one that cell by cell would give.
//!
//! A single clue is judged by asking for a solution in which its cell is
//! *different*, which needs one solution where counting needs two.
//!
//! Digging only asks; who answers is another matter. One puzzle is answered by
//! the native engine on the spot ([`Dig::finish`]); many 9x9 puzzles dig in
//! step, and their questions go to the batch engine together ([`dig_many`]).
//! Either way the questions, the answers and the puzzles are the same.

use std::ops::Range;

use planoku_engine::{End, Engine, Run, Stop};

use super::PuzzleRecipe;
use super::full::{full_grid, search_within};
use crate::native::{self, Barred, Batch, Cells, Isa, Native, NativeAnswer};
use crate::rng::Rng;
use crate::{Cell, Digit, Grid, Shape};

/// What digging wants to know about its puzzle as it stands.
#[derive(Clone, Copy)]
enum Question {
    /// Are there two solutions?
    Ambiguous,
    /// Is there a solution with another digit in this blank cell?
    Differs(Cell),
}

/// A puzzle with one solution that is losing its clues.
pub(super) struct Dig<'a> {
    recipe: &'a PuzzleRecipe,
    solution: Grid,
    /// The puzzle, 0 for a blank.
    cells: Vec<u8>,
    clues: usize,
    /// Fewer clues than this are not wanted.
    target: usize,
    /// The cells to take away, in order, those of one orbit together.
    order: Vec<Cell>,
    /// Where each orbit ends.
    ends: Vec<u16>,
    /// The first orbit not yet tried, and how many to try at once.
    next: usize,
    group: usize,
    /// If this is beyond `next`, taking away all orbits before it is known to
    /// be too much.
    too_far: usize,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Removing,
    /// Whether this and every later cell is needed; all before it are.
    Checking(usize),
    Ended {
        kept: bool,
    },
}

/// Nodes after which a clue of a large board is kept rather than judged.
const PATIENCE: u64 = 400;

impl<'a> Dig<'a> {
    /// Begins to dig in a full grid.
    pub fn new(recipe: &'a PuzzleRecipe, solution: Grid, rng: &mut Rng) -> Dig<'a> {
        let orbits = recipe.symmetry.orbits(recipe.shape);
        let mut orbits: Vec<&[Cell]> = orbits.iter().map(Vec::as_slice).collect();
        rng.shuffle(&mut orbits);
        let target = if recipe.minimal {
            0
        } else {
            let span = recipe.clues.end() - recipe.clues.start() + 1;
            recipe.clues.start() + rng.below(span)
        };
        let digits = solution.cells().iter();
        Dig {
            recipe,
            cells: digits.map(|digit| digit.map_or(0, Digit::get)).collect(),
            clues: solution.clue_count(),
            solution,
            target,
            order: orbits.concat(),
            ends: orbits
                .iter()
                .scan(0, |end, orbit| {
                    *end += orbit.len() as u16;
                    Some(*end)
                })
                .collect(),
            next: 0,
            group: orbits.len() * 2 / 5,
            too_far: 0,
            stage: Stage::Removing,
        }
    }

    /// Takes clues away and asks whether that was right; `None` at the end.
    fn ask(&mut self) -> Option<Question> {
        loop {
            match self.stage {
                Stage::Removing if self.next == self.ends.len() => self.end_removing(),
                Stage::Removing => {
                    self.group = self.group.clamp(1, self.ends.len() - self.next);
                    let tried = self.tried();
                    let known = self.next < self.too_far && self.too_far <= self.next + self.group;
                    if known || self.clues < self.target + tried.len() {
                        self.go_on(false);
                        continue;
                    }
                    for cell in &self.order[tried.clone()] {
                        self.cells[cell.index()] = 0;
                    }
                    return Some(match &self.order[tried] {
                        [cell] => Question::Differs(*cell),
                        _ => Question::Ambiguous,
                    });
                }
                Stage::Checking(cell) if cell == self.cells.len() => {
                    self.stage = Stage::Ended { kept: true };
                }
                Stage::Checking(cell) if self.cells[cell] == 0 => {
                    self.stage = Stage::Checking(cell + 1);
                }
                Stage::Checking(cell) => {
                    self.cells[cell] = 0;
                    return Some(Question::Differs(Cell::new(cell)));
                }
                Stage::Ended { .. } => return None,
            }
        }
    }

    /// The answer to the last question; yes means that the clues are needed.
    fn tell(&mut self, needed: bool) {
        match self.stage {
            Stage::Removing => {
                let tried = self.tried();
                if needed {
                    for cell in &self.order[tried] {
                        self.cells[cell.index()] = self.solution_at(*cell).get();
                    }
                } else {
                    self.clues -= tried.len();
                }
                self.go_on(!needed);
            }
            Stage::Checking(cell) => {
                self.cells[cell] = self.solution_at(Cell::new(cell)).get();
                self.stage = match needed {
                    true => Stage::Checking(cell + 1),
                    false => Stage::Ended { kept: false },
                };
            }
            Stage::Ended { .. } => {}
        }
    }

    /// The puzzle, if the digging has ended inside the recipe.
    fn puzzle(&self) -> Option<Grid> {
        (self.stage == Stage::Ended { kept: true }).then(|| self.grid())
    }

    /// The cells whose clues are being taken away, as a part of the order.
    fn tried(&self) -> Range<usize> {
        let end_of = |orbits: usize| match orbits {
            0 => 0,
            orbits => usize::from(self.ends[orbits - 1]),
        };
        end_of(self.next)..end_of(self.next + self.group)
    }

    fn go_on(&mut self, removed: bool) {
        let end = self.next + self.group;
        match (removed, self.group) {
            (true, _) => self.next = end,
            // A clue that stays may make up for what goes later.
            (false, 1) => (self.next, self.too_far) = (end, 0),
            (false, _) if self.next < self.too_far => self.too_far = end.min(self.too_far),
            (false, _) => self.too_far = end,
        }
        self.group = match self.too_far.saturating_sub(self.next) {
            0 => self.stretch(),
            rest => (rest / 2).max(1),
        };
    }

    /// How many orbits to try at once: so many that all of them can go about
    /// as often as not. Near the end most clues are needed.
    fn stretch(&self) -> usize {
        let orbits = self.ends.len();
        let easy = (orbits * 5 / 8).saturating_sub(self.next);
        match self.next {
            0 => orbits * 2 / 5,
            _ => (easy / 3).max(1),
        }
    }

    /// Clues taken away one by one leave a minimal puzzle; whole orbits may
    /// leave clues that are not needed alone.
    fn end_removing(&mut self) {
        let wanted = self.recipe.clues.contains(&self.clues);
        let minimal = !self.recipe.minimal || self.ends.len() == self.order.len();
        self.stage = match wanted && !minimal {
            true => Stage::Checking(0),
            false => Stage::Ended { kept: wanted },
        };
    }

    /// Digs to the end; `None` if that is outside the recipe.
    pub fn finish(mut self, run: &mut Run<'_>) -> Result<Option<Grid>, Stop> {
        while let Some(question) = self.ask() {
            run.tick()?;
            let needed = self.judge(question, run)?;
            self.tell(needed);
        }
        Ok(self.puzzle())
    }

    fn judge(&self, question: Question, run: &Run<'_>) -> Result<bool, Stop> {
        if let Ok(cells) = self.cells.as_slice().try_into() {
            return Ok(match question {
                Question::Ambiguous => native::count(cells, 2) > 1,
                Question::Differs(cell) => native::differs(cells, cell, self.solution_at(cell)),
            });
        }
        let limit = match question {
            Question::Ambiguous => 2,
            Question::Differs(_) => 1,
        };
        let mut search = search_within(run, limit);
        if !self.recipe.minimal {
            search = search.with_nodes(PATIENCE);
        }
        let outcome = match question {
            Question::Ambiguous => Native.solve(&self.grid(), &mut search),
            Question::Differs(cell) => {
                native::solve_without(&self.grid(), cell, self.solution_at(cell), &mut search)
            }
        };
        match outcome.map(|outcome| outcome.end) {
            Ok(End::Exhausted) => Ok(false),
            Ok(End::Stopped(stop)) if stop != Stop::Nodes => Err(stop),
            _ => Ok(true),
        }
    }

    fn solution_at(&self, cell: Cell) -> Digit {
        self.solution.get(cell).expect("a full grid")
    }

    fn grid(&self) -> Grid {
        let shape: Shape = self.solution.shape();
        let mut grid = Grid::empty(shape);
        for (cell, &digit) in shape.all_cells().zip(&self.cells) {
            grid.set(cell, Digit::new(digit));
        }
        grid
    }
}

/// Puzzles that dig in step: enough to fill the widest vectors twice.
const IN_STEP: usize = 1024;

/// The puzzles of a seed at these indices, 9x9; what `run` stops is left out.
pub(super) fn dig_many(
    recipe: &PuzzleRecipe,
    seed: u64,
    indices: Range<u64>,
    run: &mut Run<'_>,
) -> Vec<Result<Grid, Stop>> {
    let count = (indices.end - indices.start) as usize;
    let mut made: Vec<Result<Grid, Stop>> = Vec::new();
    made.resize_with(count, || Err(Stop::Cancelled));
    let mut waiting = indices.clone();
    let mut diggers: Vec<Digger<'_>> = Vec::new();
    let mut crowd = Crowd::new();
    loop {
        let free = IN_STEP - diggers.len();
        for index in waiting.by_ref().take(free) {
            let mut rng = Rng::stream(seed, index);
            match begin(recipe, &mut rng, run) {
                Ok(dig) => diggers.push(Digger { index, rng, dig }),
                Err(stop) => return stopped(made, stop),
            }
        }
        if diggers.is_empty() {
            return made;
        }
        crowd.clear();
        let mut nth = 0;
        while nth < diggers.len() {
            let digger = &mut diggers[nth];
            match digger.dig.ask() {
                Some(question) => {
                    if let Err(stop) = run.tick() {
                        return stopped(made, stop);
                    }
                    crowd.add(nth, question, &digger.dig);
                    nth += 1;
                }
                None => match digger.dig.puzzle() {
                    Some(puzzle) => {
                        made[(digger.index - indices.start) as usize] = Ok(puzzle);
                        diggers.swap_remove(nth);
                    }
                    None => match begin(recipe, &mut digger.rng, run) {
                        Ok(dig) => digger.dig = dig,
                        Err(stop) => return stopped(made, stop),
                    },
                },
            }
        }
        crowd.answer(|nth, needed| diggers[nth].dig.tell(needed));
    }
}

/// The next attempt at a puzzle.
fn begin<'a>(recipe: &'a PuzzleRecipe, rng: &mut Rng, run: &mut Run<'_>) -> Result<Dig<'a>, Stop> {
    run.check()?;
    let solution = full_grid(recipe.shape, rng, run)?;
    Ok(Dig::new(recipe, solution, rng))
}

fn stopped(mut made: Vec<Result<Grid, Stop>>, stop: Stop) -> Vec<Result<Grid, Stop>> {
    for puzzle in &mut made {
        if puzzle.is_err() {
            *puzzle = Err(stop);
        }
    }
    made
}

struct Digger<'a> {
    index: u64,
    rng: Rng,
    dig: Dig<'a>,
}

/// The questions of many, of the same kind together.
struct Crowd {
    batch: Batch,
    answers: Vec<NativeAnswer>,
    ambiguous: (Vec<usize>, Vec<Cells>),
    differs: (Vec<usize>, Vec<Cells>, Vec<Barred>),
}

impl Crowd {
    fn new() -> Crowd {
        Crowd {
            batch: Batch::new(Isa::best()),
            answers: vec![NativeAnswer::default(); IN_STEP],
            ambiguous: Default::default(),
            differs: Default::default(),
        }
    }

    fn clear(&mut self) {
        self.ambiguous.0.clear();
        self.ambiguous.1.clear();
        self.differs.0.clear();
        self.differs.1.clear();
        self.differs.2.clear();
    }

    fn add(&mut self, who: usize, question: Question, dig: &Dig<'_>) {
        let cells: Cells = dig.cells.as_slice().try_into().expect("a 9x9 board");
        match question {
            Question::Ambiguous => {
                self.ambiguous.0.push(who);
                self.ambiguous.1.push(cells);
            }
            Question::Differs(cell) => {
                let barred = (cell.index() as u8, dig.solution_at(cell).index() as u8);
                self.differs.0.push(who);
                self.differs.1.push(cells);
                self.differs.2.push(barred);
            }
        }
    }

    fn answer(&mut self, mut tell: impl FnMut(usize, bool)) {
        let (who, puzzles) = &self.ambiguous;
        let answers = &mut self.answers[..puzzles.len()];
        self.batch.count(puzzles, 2, answers);
        for (who, answer) in who.iter().zip(answers) {
            tell(*who, answer.count > 1);
        }
        let (who, puzzles, barred) = &self.differs;
        let answers = &mut self.answers[..puzzles.len()];
        self.batch.differ(puzzles, barred, answers);
        for (who, answer) in who.iter().zip(answers) {
            tell(*who, answer.count > 0);
        }
    }
}
