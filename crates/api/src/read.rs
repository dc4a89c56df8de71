//! Reading puzzles in any format, and how many solutions each has.

use planoku_engine::{End, Run};
use planoku_sudoku::text::Puzzles;
use planoku_sudoku::{Grid, no_repeats};
use planoku_workbench::solve::count;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Allowance, Problem, Question, Wish};

/// Puzzles that one answer holds.
const MOST: usize = 200;

/// A text with puzzles.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": crate::EXAMPLE}))]
pub struct Read {
    /// One puzzle or many, in any format that `planoku solve` reads.
    text: String,
}

/// What a text holds.
#[derive(Serialize, ToSchema)]
pub struct TextRead {
    /// The puzzles, in the order of the text; the first 200 at most.
    puzzles: Vec<Puzzle>,
    /// Mistakes; each costs the puzzle it stands in.
    mistakes: Vec<Mistake>,
    /// True if the text holds more than is answered.
    more: bool,
}

/// A puzzle, and how many solutions it has.
#[derive(Serialize, ToSchema)]
pub struct Puzzle {
    /// The digits that are given, row by row.
    puzzle: String,
    /// All digits on the board, where the text tells entries from givens.
    position: Option<String>,
    /// The digits noted in each cell, where the text has pencil marks.
    marks: Option<Vec<String>>,
    /// Rows of the board: 4, 6, 9, 16 or 25.
    side: usize,
    /// `none`, `one`, `many`, or `unknown` if time ran out.
    solutions: &'static str,
    /// How many there are, up to 100.
    count: u64,
    /// Why there is none, where two clues contradict each other.
    why: Option<String>,
    /// The line of the text it begins at, counted from 1.
    line: usize,
}

/// A mistake in a text.
#[derive(Serialize, ToSchema)]
pub struct Mistake {
    /// Counted from 1.
    line: usize,
    /// Counted from 1.
    column: usize,
    /// What was wanted and what was found.
    message: String,
}

impl Question for Read {
    type Answer = TextRead;

    fn wish(&self) -> Wish {
        Wish::time(5_000)
    }

    fn answer(&self, allowance: &Allowance) -> Result<TextRead, Problem> {
        Ok(found(&self.text, allowance))
    }
}

fn found(text: &str, allowance: &Allowance) -> TextRead {
    let mut found = TextRead {
        puzzles: Vec::new(),
        mistakes: Vec::new(),
        more: false,
    };
    // One budget for all of them.
    let mut run = allowance.run(u64::MAX);
    for item in Puzzles::new(text.as_bytes()) {
        if found.puzzles.len() == MOST || found.mistakes.len() == MOST {
            found.more = true;
            break;
        }
        match item {
            Ok(puzzle) => found.puzzles.push(judged(puzzle, allowance, &mut run)),
            Err(error) => found.mistakes.push(Mistake {
                line: error.line,
                column: error.column,
                message: error.problem.to_string(),
            }),
        }
    }
    found
}

fn judged(
    puzzle: planoku_sudoku::text::Puzzle,
    allowance: &Allowance,
    all: &mut Run<'_>,
) -> Puzzle {
    let (grid, notes) = (puzzle.grid, puzzle.notes);
    let clues = notes.as_ref().map_or(grid.clone(), |n| n.clues(&grid));
    let marks = notes.as_ref().map(|notes| {
        let words = notes.marks.iter();
        words
            .map(|marks| marks.iter().map(|digit| digit.symbol()).collect())
            .collect()
    });
    let why = no_repeats(&clues).err().map(|broken| broken.to_string());
    let (solutions, number) = match (&why, all.time_left()) {
        (Some(_), _) => ("none", 0),
        (None, Some(left)) => how_many(&clues, allowance, left),
        (None, None) => ("unknown", 0),
    };
    Puzzle {
        position: (clues != grid).then(|| grid.to_string()),
        puzzle: clues.to_string(),
        marks,
        side: grid.shape().side(),
        solutions,
        count: number,
        why,
        line: puzzle.line,
    }
}

fn how_many(clues: &Grid, allowance: &Allowance, left: std::time::Duration) -> (&'static str, u64) {
    let native = planoku_workbench::engine("native").expect("it is listed first");
    let mut run = allowance.run(100).with_time(left);
    match count(&*native, clues, &mut run) {
        Ok(counted) => match (counted.count, counted.end) {
            (0, End::Exhausted) => ("none", 0),
            (1, End::Exhausted) => ("one", 1),
            (0 | 1, _) => ("unknown", counted.count),
            (many, _) => ("many", many),
        },
        Err(_) => ("unknown", 0),
    }
}
