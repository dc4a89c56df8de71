//! How people solve: hints in three depths, ratings with their path, puzzles.

use planoku_engine::clock::Instant;
use planoku_human::{Depth, Position, PositionMistake, Rater, Step, Unrated};
use planoku_sudoku::generate::{Level, PuzzleRecipe};
use planoku_sudoku::{Candidates, Digit, Grid, Shape};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{Allowance, Problem, Question, Wish, micros, one_puzzle};

/// A position, and how much help is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"puzzle": crate::EXAMPLE, "depth": 3}))]
pub struct AskHint {
    /// The puzzle as it was given: a 9x9 board in any format.
    pub puzzle: String,
    /// All digits on the board now, row by row; the puzzle if absent.
    pub position: Option<String>,
    /// The digits noted in each cell, row by row: 81 texts, empty where nothing
    /// is noted.
    pub marks: Option<Vec<String>>,
    /// 1 names the technique, 2 says where to look, 3 tells everything.
    #[schema(minimum = 1, maximum = 3)]
    pub depth: Option<u8>,
}

/// What comes next, or what is wrong.
#[derive(Serialize, ToSchema)]
pub struct Hint {
    /// In words.
    pub hint: String,
    /// True if nothing is left to do.
    pub solved: bool,
    /// How many mistakes there are; a hint speaks of them first.
    pub mistakes: usize,
    /// The mistakes, at depth 3: kind (`wrong` or `struck`), row, column, digit.
    #[schema(value_type = Vec<Object>)]
    pub wrong: Vec<Value>,
    /// The houses to look at, from depth 2 on, such as `row 3` or `box 7`.
    pub houses: Vec<String>,
    /// The whole step, at depth 3: technique, rating, placement, eliminations,
    /// causes, chains.
    #[schema(value_type = Option<Object>)]
    pub step: Option<Value>,
    /// Time spent, in microseconds.
    pub time_us: u64,
}

impl Question for AskHint {
    type Answer = Hint;

    fn wish(&self) -> Wish {
        Wish::time(5_000)
    }

    fn answer(&self, allowance: &Allowance) -> Result<Hint, Problem> {
        let depth = match self.depth.unwrap_or(1) {
            1 => Depth::Technique,
            2 => Depth::Where,
            3 => Depth::Everything,
            other => {
                return Err(Problem::bad_input(format!(
                    "expected depth 1, 2 or 3, found {other}"
                )));
            }
        };
        let position = position(self)?;
        let started = Instant::now();
        let solution = position.solution().map_err(Problem::bad_input)?;
        let mistakes = position.mistakes(&solution);
        let board = position.board().map_err(Problem::bad_input)?;
        let step = match mistakes.is_empty() && !board.is_solved() {
            true => Rater::new().next(&board, &mut allowance.run(1))?,
            false => None,
        };
        let everything = depth == Depth::Everything;
        let words = match &step {
            _ if !mistakes.is_empty() => PositionMistake::hint(&mistakes, depth),
            Some(step) => step.hint(depth),
            None if board.is_solved() => "Solved.".to_owned(),
            None => "No technique of the scale goes on from here.".to_owned(),
        };
        let said = step.as_ref().filter(|_| depth != Depth::Technique);
        let wrong = mistakes.iter().map(|mistake| value(&mistake.json()));
        Ok(Hint {
            hint: words,
            solved: board.is_solved() && mistakes.is_empty(),
            mistakes: mistakes.len(),
            wrong: wrong.filter(|_| everything).collect(),
            houses: said.map_or(Vec::new(), |step| {
                step.houses.iter().map(ToString::to_string).collect()
            }),
            step: step.filter(|_| everything).map(|step| value(&step.json())),
            time_us: micros(started),
        })
    }
}

fn position(asked: &AskHint) -> Result<Position, Problem> {
    let clues = nine(one_puzzle(&asked.puzzle)?)?;
    let mut grid = match &asked.position {
        Some(text) => nine(one_puzzle(text)?)?,
        None => clues.clone(),
    };
    for (cell, clue) in clues.clues() {
        match grid.get(cell) {
            None => grid.set(cell, Some(clue)),
            Some(digit) if digit == clue => {}
            Some(digit) => {
                let (row, column) = (cell.index() / 9 + 1, cell.index() % 9 + 1);
                return Err(Problem::bad_input(format!(
                    "r{row}c{column}: the puzzle has {clue}, the position has {digit}"
                )));
            }
        }
    }
    let marks = asked.marks.as_deref().map(marks).transpose()?;
    Ok(Position::new(clues, grid, marks))
}

fn nine(grid: Grid) -> Result<Grid, Problem> {
    match grid.shape() {
        Shape::Three => Ok(grid),
        other => Err(Problem::bad_input(format!(
            "expected a 9x9 board, which the scale is made for, found {other}"
        ))),
    }
}

fn marks(words: &[String]) -> Result<Vec<Candidates>, Problem> {
    if words.len() != 81 {
        let found = words.len();
        return Err(Problem::bad_input(format!(
            "marks: expected 81 texts, found {found}"
        )));
    }
    let one = |word: &String| {
        word.chars()
            .try_fold(Candidates::default(), |marks, symbol| {
                let value = symbol
                    .to_digit(10)
                    .and_then(|value| u8::try_from(value).ok());
                let digit = value.and_then(Digit::new);
                let digit = digit.ok_or_else(|| {
                    Problem::bad_input(format!("marks: expected digits 1 to 9, found `{symbol}`"))
                })?;
                Ok(marks.with(digit))
            })
    };
    words.iter().map(one).collect()
}

/// A puzzle to rate.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"puzzle": crate::EXAMPLE, "path": true}))]
pub struct AskRating {
    /// A 9x9 puzzle in any format.
    pub puzzle: String,
    /// Whether the steps are wanted too.
    pub path: Option<bool>,
    /// Milliseconds to spend, within the limit of the service.
    pub time_ms: Option<u64>,
}

/// How hard a puzzle is, on the scale of Sudoku Explainer.
#[derive(Serialize, ToSchema)]
pub struct Rating {
    /// The cells of the puzzle.
    pub puzzle: String,
    /// Null, with a reason in `error`, if the puzzle cannot be rated.
    pub er: Option<f64>,
    /// The hardest step up to the first digit placed.
    pub ep: Option<f64>,
    /// The first step.
    pub ed: Option<f64>,
    /// The hardest technique.
    pub hardest: Option<String>,
    /// How many steps the path has.
    pub steps: Option<usize>,
    /// How often each technique is used.
    #[schema(value_type = Object)]
    pub histogram: Value,
    /// Why there is no rating.
    pub error: Option<String>,
    /// The path, if wanted: technique, rating, placement, eliminations, and the
    /// sentence that explains the step.
    #[schema(value_type = Option<Vec<Object>>)]
    pub path: Option<Vec<Value>>,
}

impl Question for AskRating {
    type Answer = Rating;

    fn wish(&self) -> Wish {
        Wish::time(self.time_ms)
    }

    fn answer(&self, allowance: &Allowance) -> Result<Rating, Problem> {
        let puzzle = nine(one_puzzle(&self.puzzle)?)?;
        let path = match Rater::new().path(&puzzle, &mut allowance.run(1)) {
            Ok(path) => path,
            Err(Unrated::Stopped(stop)) => return Err(stop.into()),
            Err(why) => return Ok(unrated(&puzzle, &why)),
        };
        let rated: Value = value(&format!("{{{}}}", path.rated.json_members()));
        let steps = || path.steps.iter().map(Step::json).map(|step| value(&step));
        Ok(Rating {
            puzzle: puzzle.to_string(),
            er: rated["er"].as_f64(),
            ep: rated["ep"].as_f64(),
            ed: rated["ed"].as_f64(),
            hardest: rated["hardest"].as_str().map(str::to_owned),
            steps: Some(path.steps.len()),
            histogram: rated["histogram"].clone(),
            error: None,
            path: self.path.unwrap_or(false).then(|| steps().collect()),
        })
    }
}

fn unrated(puzzle: &Grid, why: &Unrated) -> Rating {
    Rating {
        puzzle: puzzle.to_string(),
        er: None,
        ep: None,
        ed: None,
        hardest: None,
        steps: None,
        histogram: Value::Object(serde_json::Map::new()),
        error: Some(why.to_string()),
        path: None,
    }
}

/// What kind of puzzle is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"level": "medium", "seed": 7}))]
pub struct AskPuzzle {
    /// `easy`, `medium`, `hard` or `crazy`; `medium` if absent.
    pub level: Option<String>,
    /// 4, 6 or 9; 9 if absent.
    pub size: Option<u8>,
    /// The same seed makes the same puzzle.
    pub seed: Option<u64>,
}

/// A puzzle with one solution.
#[derive(Serialize, ToSchema)]
#[schema(as = MadePuzzle)]
pub struct Made {
    /// Its cells, row by row.
    pub puzzle: String,
    /// How many digits are given.
    pub clues: usize,
}

impl Question for AskPuzzle {
    type Answer = Made;

    fn wish(&self) -> Wish {
        Wish::time(10_000)
    }

    fn answer(&self, allowance: &Allowance) -> Result<Made, Problem> {
        let level = match self.level.as_deref().unwrap_or("medium") {
            "easy" => Level::Easy,
            "medium" => Level::Medium,
            "hard" => Level::Hard,
            "crazy" => Level::Crazy,
            other => {
                return Err(Problem::bad_input(format!(
                    "level: expected easy, medium, hard or crazy, found `{other}`"
                )));
            }
        };
        let shape = match self.size.unwrap_or(9) {
            4 => Shape::Two,
            6 => Shape::TwoByThree,
            9 => Shape::Three,
            other => {
                return Err(Problem::bad_input(format!(
                    "size: expected 4, 6 or 9, found {other}"
                )));
            }
        };
        let recipe = PuzzleRecipe::for_level(level, shape);
        let grid = recipe.make(self.seed.unwrap_or(1), 0, &mut allowance.run(1))?;
        Ok(Made {
            puzzle: grid.to_string(),
            clues: grid.clue_count(),
        })
    }
}

/// What our own code wrote as JSON.
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}
