//! The rows of one block.
//!
//! A block is so many puzzles of one bucket. Its rows depend on the recipe and
//! its number alone: threads share the work inside a block in pieces that have
//! streams of random numbers of their own, and are put together in order.

use std::ops::Range;

use planoku_engine::{Cancel, Run, Stop};
use planoku_human::{GROUP, OrderedPuzzle, Rater};
use planoku_sudoku::rng::Rng;
use planoku_sudoku::{Grid, Symmetry};
use rayon::prelude::*;

use crate::id::Id;
use crate::label::{self, Label, SHAPE, Status, with_labeller};
use crate::recipe::{Bucket, DatasetRecipe};
use crate::table::{ColumnValues, Table};
use crate::trace::TraceRows;

/// Puzzles one thread makes at a time where clues are all that is asked for:
/// they are dug in step.
const PIECE: u64 = 256;

/// Which puzzles a block holds.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Counted from 0, over all buckets.
    pub number: u64,
    /// Of this bucket.
    pub bucket: &'a Bucket,
    /// What the rows say they belong to.
    bucket_number: u64,
    /// Which block of the bucket.
    nth: u64,
    /// How many puzzles.
    pub puzzles: u64,
    /// The first of them among all puzzles of the data set.
    first: u64,
}

/// The rows of a split.
#[derive(Debug, Default)]
pub struct Part {
    /// Puzzles without disguises: number and canonical id.
    pub ids: Vec<(u64, Id)>,
    /// Puzzles with their labels.
    pub rows: Table,
    /// Steps.
    pub trace: Table,
}

/// All blocks of a recipe.
pub fn blocks(recipe: &DatasetRecipe) -> Vec<Block<'_>> {
    let mut list = Vec::new();
    let mut first = 0;
    for (bucket_number, bucket) in recipe.buckets().enumerate() {
        for nth in 0..bucket.count.div_ceil(recipe.block) {
            let puzzles = recipe.block.min(bucket.count - nth * recipe.block);
            list.push(Block {
                number: list.len() as u64,
                bucket,
                bucket_number: bucket_number as u64,
                nth,
                puzzles,
                first,
            });
            first += puzzles;
        }
    }
    list
}

/// A row before it is written.
struct Row {
    id: u64,
    parent: Option<u64>,
    split: usize,
    puzzle: Grid,
    label: Label,
}

impl Block<'_> {
    /// The name of the bucket.
    pub fn bucket_name(&self) -> String {
        let number = || self.bucket_number.to_string();
        self.bucket.name.clone().unwrap_or_else(number)
    }

    /// The numbers of its puzzles among all of the data set.
    pub fn numbers(&self) -> Range<u64> {
        self.first..self.first + self.puzzles
    }

    /// Makes the block without these puzzles: a part for every split.
    pub fn make(
        &self,
        recipe: &DatasetRecipe,
        without: &[u64],
        cancel: &Cancel,
    ) -> Result<Vec<Part>, Stop> {
        let piece = match self.bucket.order() {
            Some(_) => GROUP,
            None => PIECE,
        };
        let pieces: Result<Vec<_>, Stop> = (0..self.puzzles.div_ceil(piece))
            .into_par_iter()
            .map(|nth| self.piece(recipe, nth, piece, without, cancel))
            .collect();
        let mut rows: Vec<Row> = Vec::new();
        let mut traces: Vec<TraceRows> = recipe
            .splits()
            .iter()
            .map(|_| TraceRows::default())
            .collect();
        for (more, steps) in pieces? {
            rows.extend(more);
            for (trace, steps) in traces.iter_mut().zip(steps) {
                trace.append(steps);
            }
        }
        let parts = traces.into_iter().enumerate().map(|(split, trace)| {
            let rows: Vec<&Row> = rows.iter().filter(|row| row.split == split).collect();
            let puzzles = rows.iter().filter(|row| row.parent.is_none());
            let ids = puzzles.map(|row| {
                let id = row.label.puzzle_id.expect("it has one solution");
                (row.id / (1 + recipe.augment.copies), id)
            });
            Part {
                ids: ids.collect(),
                rows: self.table(recipe, &rows),
                trace: match trace.is_empty() {
                    true => Table::default(),
                    false => trace.table(),
                },
            }
        });
        Ok(parts.collect())
    }

    /// The seed of the bucket: the same puzzles do not come twice because two
    /// buckets ask for the same.
    fn seed(&self, recipe: &DatasetRecipe) -> u64 {
        Rng::stream(recipe.seed, self.bucket_number).next_u64()
    }

    fn piece(
        &self,
        recipe: &DatasetRecipe,
        nth: u64,
        size: u64,
        without: &[u64],
        cancel: &Cancel,
    ) -> Result<(Vec<Row>, Vec<TraceRows>), Stop> {
        let start = nth * size;
        let count = size.min(self.puzzles - start);
        let puzzles = self.puzzles(recipe, nth, start, count, cancel)?;
        let mut rows = Vec::new();
        let mut traces: Vec<TraceRows> = recipe
            .splits()
            .iter()
            .map(|_| TraceRows::default())
            .collect();
        for (offset, puzzle) in puzzles.into_iter().enumerate() {
            if cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            let nth = self.first + start + offset as u64;
            if without.binary_search(&nth).is_ok() {
                continue;
            }
            self.puzzle(recipe, nth, puzzle, cancel, &mut rows, &mut traces)?;
        }
        Ok((rows, traces))
    }

    /// The puzzles of a piece, without labels.
    fn puzzles(
        &self,
        recipe: &DatasetRecipe,
        nth: u64,
        start: u64,
        count: u64,
        cancel: &Cancel,
    ) -> Result<Vec<Grid>, Stop> {
        let seed = self.seed(recipe);
        let mut run = Run::limit(1).with_cancel(cancel.clone());
        let Some(order) = self.bucket.order() else {
            let from = self.nth * recipe.block + start;
            let made = self
                .bucket
                .clues()
                .make_many(seed, from..from + count, &mut run);
            return made.into_iter().collect();
        };
        // Blocks have groups of their own even where sixteen does not divide
        // their size.
        let group = self.nth * recipe.block.div_ceil(GROUP) + nth;
        let mut made = Vec::new();
        let take = |one: OrderedPuzzle| {
            made.push(one.puzzle);
            (made.len() as u64) < count
        };
        RATER.with_borrow_mut(|rater| order.make_group(seed, group, rater, &mut run, take))?;
        Ok(made)
    }

    /// Labels a puzzle and its disguises.
    fn puzzle(
        &self,
        recipe: &DatasetRecipe,
        nth: u64,
        puzzle: Grid,
        cancel: &Cancel,
        rows: &mut Vec<Row>,
        traces: &mut [TraceRows],
    ) -> Result<(), Stop> {
        let id = nth * (1 + recipe.augment.copies);
        let traced = recipe.traces.share > 0.0
            && Id::of(&puzzle).is_some_and(|id| share_of(&id) < recipe.traces.share);
        let (label, path) = with_labeller(&recipe.labels, |labeller| match traced {
            true => labeller.label_and_path(&puzzle, cancel),
            false => Ok((labeller.label(&puzzle, cancel)?, None)),
        })?;
        assert!(
            label.status == Status::Unique,
            "{puzzle} has not one solution"
        );
        let solution_id = label.solution_id.expect("it has a solution");
        let split = recipe.split_of(solution_id.fraction());
        if let Some(path) = path {
            let rng = &mut Rng::stream(recipe.seed ^ WRONG_STEPS, id);
            traces[split].add(id, &puzzle, &path, &recipe.traces, rng);
        }
        let rng = &mut Rng::stream(recipe.seed ^ DISGUISES, id);
        let mut seen = vec![puzzle.clone()];
        rows.push(Row {
            id,
            parent: None,
            split,
            puzzle,
            label,
        });
        for copy in 1..=recipe.copies(recipe.splits()[split]) {
            let puzzle = disguise(&seen, rng);
            let label = with_labeller(&recipe.labels, |one| one.label(&puzzle, cancel))?;
            seen.push(puzzle.clone());
            rows.push(Row {
                id: id + copy,
                parent: Some(id),
                split,
                puzzle,
                label,
            });
        }
        Ok(())
    }

    fn table(&self, recipe: &DatasetRecipe, rows: &[&Row]) -> Table {
        let mut table = Table::default();
        let bucket = self.bucket_name();
        table.push(
            "id",
            ColumnValues::Number(rows.iter().map(|row| Some(row.id)).collect()),
        );
        table.push(
            "parent",
            ColumnValues::Number(rows.iter().map(|row| row.parent).collect()),
        );
        table.push("bucket", ColumnValues::Text(vec![Some(bucket); rows.len()]));
        let puzzles = rows.iter().map(|row| Some(row.puzzle.to_string()));
        table.push("puzzle", ColumnValues::Text(puzzles.collect()));
        let labels: Vec<Label> = rows.iter().map(|row| row.label.clone()).collect();
        let mut labels = label::columns(&labels, &recipe.labels);
        // All of them are unique.
        labels.columns.retain(|column| column.name != "status");
        table.columns.append(&mut labels.columns);
        table
    }
}

const WRONG_STEPS: u64 = 0x5743_4f4e_4753_5445;
const DISGUISES: u64 = 0x4449_5347_5549_5345;

thread_local! {
    /// The memory a thread makes puzzles to order in.
    static RATER: std::cell::RefCell<Rater> = std::cell::RefCell::new(Rater::new());
}

/// Where a puzzle stands between 0 and 1 when some are chosen for traces: by
/// the half of its id that splits do not look at.
fn share_of(id: &Id) -> f64 {
    let mut other = id.0;
    other.rotate_left(8);
    Id(other).fraction()
}

/// A disguise of the first of these boards that is none of them, as far as there
/// is another.
fn disguise(seen: &[Grid], rng: &mut Rng) -> Grid {
    let mut image = seen[0].clone();
    for _ in 0..100 {
        image = Symmetry::draw(SHAPE, |bound| rng.below(bound)).apply(&seen[0]);
        if !seen.contains(&image) {
            break;
        }
    }
    image
}
