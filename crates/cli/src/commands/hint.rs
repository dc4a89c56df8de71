//! `planoku hint`: the next step for somebody who is stuck.
//!
//! Before any hint the position is compared with the solution: from a wrong
//! digit, or a mark struck out that should not be, no step leads anywhere.

use std::path::PathBuf;

use planoku_human::{Board, Depth, Rater, Step, picture};
use planoku_sudoku::native;
use planoku_sudoku::text::{self, Notes};
use planoku_sudoku::{Candidates, Cell, Grid, Shape, no_repeats};

use crate::each::Limits;
use crate::exit::{Context, Exit, Failure};
use crate::input::{Item, Reader};
use crate::output::Output;

/// Give a hint: the next step, as much of it as you like.
///
/// The position may be a puzzle, a board with digits entered, a grid of pencil
/// marks, or a line of HoDoKu's library. A mistake in it is told first (exit
/// code 1).
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle or position written out, a file with one, or - for standard
    /// input.
    input: String,
    /// How far you have come, if INPUT is the puzzle as it was given: the same
    /// board with your digits, or with your pencil marks.
    #[arg(long, value_name = "POSITION")]
    entries: Option<String>,
    /// 1 names the technique, 2 says where to look, 3 tells everything.
    #[arg(long, value_name = "1|2|3", default_value = "1", value_parser = depth)]
    depth: Depth,
    /// Draw the position with its candidates.
    #[arg(long)]
    pencil: bool,
    /// Draw the position and the step as an SVG picture.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
}

fn depth(text: &str) -> Result<Depth, String> {
    match text {
        "1" => Ok(Depth::Technique),
        "2" => Ok(Depth::Where),
        "3" => Ok(Depth::Everything),
        _ => Err("expected 1, 2 or 3".into()),
    }
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let position = Position::read(&args)?;
    let solution = position.solution()?;
    let mistakes = position.mistakes(&solution);
    let mut out = Output::stdout();
    if args.pencil {
        out.write(&text::pencil(&position.grid, |cell| {
            position.candidates(cell)
        }))?;
    }
    let mut step = None;
    let board = position.board()?;
    if mistakes.is_empty() && !board.is_solved() {
        let run = &mut args.limits.run(context);
        step = match Rater::new().next(&board, run) {
            Ok(Some(step)) => Some(step),
            Ok(None) => return Err(gave_up()),
            Err(stop) => {
                return Err(Failure {
                    exit: Exit::Stopped,
                    message: format!("no hint found: stopped by {stop}"),
                });
            }
        };
    }
    if let Some(path) = &args.svg {
        let mut file = Output::to(Some(path))?;
        file.write(&picture::alone(&board, &position.clues, step.as_ref()))?;
        file.flush()?;
    }
    out.write(&match args.json {
        true => object(&position, &mistakes, step.as_ref(), args.depth),
        false => words(&mistakes, step.as_ref(), args.depth),
    })?;
    out.flush()?;
    Ok(match mistakes.is_empty() {
        true => Exit::Done,
        false => Exit::No,
    })
}

fn gave_up() -> Failure {
    Failure {
        exit: Exit::GaveUp,
        message: "no technique of the scale goes on from here".to_string(),
    }
}

/// How far somebody has come with a puzzle.
struct Position {
    /// The digits that were given, as far as that is known.
    clues: Grid,
    /// All digits on the board.
    grid: Grid,
    /// The candidates noted in each cell; none where nothing is noted.
    marks: Vec<Candidates>,
}

/// What is wrong in a position.
enum Mistake {
    /// A digit that is not that of the solution.
    Entry(Cell, char),
    /// The digit of the solution was struck out.
    Struck(Cell, char),
}

impl Position {
    fn read(args: &Args) -> Result<Position, Failure> {
        let (grid, notes) = one(&args.input)?;
        let Some(entries) = &args.entries else {
            let clues = notes
                .as_ref()
                .map_or_else(|| grid.clone(), |notes| notes.clues(&grid));
            return Ok(Position::new(clues, grid, notes));
        };
        let (mut now, notes) = one(entries)?;
        for (cell, clue) in grid.clues() {
            match now.get(cell) {
                None => now.set(cell, Some(clue)),
                Some(digit) if digit == clue => {}
                Some(digit) => {
                    let message = format!(
                        "{}: the puzzle has {clue}, --entries has {digit}",
                        name(cell)
                    );
                    return Err(Failure::bad_input(message));
                }
            }
        }
        Ok(Position::new(grid, now, notes))
    }

    fn new(clues: Grid, grid: Grid, notes: Option<Box<Notes>>) -> Position {
        let marks = match notes {
            Some(notes) => notes.marks.into_vec(),
            None => vec![Candidates::default(); grid.shape().cells()],
        };
        Position { clues, grid, marks }
    }

    /// The candidates of a cell: those noted, as far as the digits allow them.
    fn candidates(&self, cell: Cell) -> Candidates {
        let (noted, allowed) = (self.marks[cell.index()], self.grid.candidates(cell));
        match noted.is_empty() {
            true => allowed,
            false => Candidates(noted.0 & allowed.0),
        }
    }

    fn board(&self) -> Result<Board, Failure> {
        let marks = |cell: Cell| Some(self.marks[cell.index()]).filter(|marks| !marks.is_empty());
        Board::with_marks(&self.grid, marks)
            .or_else(|_| Board::new(&self.clues))
            .map_err(Failure::bad_input)
    }

    /// The solution that the position is to lead to.
    fn solution(&self) -> Result<Grid, Failure> {
        if let Err(broken) = no_repeats(&self.clues) {
            return Err(wrong(&broken.to_string()));
        }
        let cells = native::to_cells(&self.clues).expect("a 9x9 board");
        let answer = native::solve_cells(&cells, 2, native::Isa::best());
        match (answer.count, answer.first) {
            (1, Some(first)) => Ok(native::from_cells(&first).expect("a solution has digits")),
            (0, _) => Err(wrong(
                "no solution: a digit is wrong; with the puzzle as it was given and --entries I can say which",
            )),
            _ => Err(Failure::bad_input(
                "expected a puzzle with one solution, found several: a clue may be missing",
            )),
        }
    }

    fn mistakes(&self, solution: &Grid) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        for cell in Shape::Three.all_cells() {
            let right = solution.get(cell).expect("a solution is full");
            let marks = self.marks[cell.index()];
            match self.grid.get(cell) {
                Some(digit) if digit != right => {
                    mistakes.push(Mistake::Entry(cell, digit.symbol()))
                }
                Some(_) => {}
                None if !marks.is_empty() && !marks.contains(right) => {
                    mistakes.push(Mistake::Struck(cell, right.symbol()));
                }
                None => {}
            }
        }
        mistakes
    }
}

fn wrong(message: &str) -> Failure {
    Failure {
        exit: Exit::Proved,
        message: message.to_string(),
    }
}

/// The one board of an input, with what is noted on it.
fn one(input: &str) -> Result<(Grid, Option<Box<Notes>>), Failure> {
    let item = Reader::new(&[input.to_string()]).next();
    let Some(item) = item else {
        return Err(Failure::bad_input("expected a puzzle, found nothing"));
    };
    let mistake = Item::mistake(&item);
    match item.puzzle {
        Ok(grid) if grid.shape() == Shape::Three => Ok((grid, item.notes)),
        Ok(grid) => Err(Failure::bad_input(format!(
            "expected a 9x9 board, which the scale is made for, found {}",
            grid.shape()
        ))),
        Err(_) => Err(Failure::bad_input(mistake.unwrap_or_default())),
    }
}

fn name(cell: Cell) -> String {
    format!("r{}c{}", cell.index() / 9 + 1, cell.index() % 9 + 1)
}

/// What is wrong or comes next, as much of it as wanted.
fn words(mistakes: &[Mistake], step: Option<&Step>, depth: Depth) -> String {
    if !mistakes.is_empty() {
        return mistakes_in_words(mistakes, depth);
    }
    match step {
        Some(step) => format!("{}\n", step.hint(depth)),
        None => "Solved.\n".to_string(),
    }
}

fn mistakes_in_words(mistakes: &[Mistake], depth: Depth) -> String {
    let cell = |mistake: &Mistake| match mistake {
        Mistake::Entry(cell, _) | Mistake::Struck(cell, _) => *cell,
    };
    match depth {
        Depth::Technique => {
            let entry = mistakes
                .iter()
                .any(|mistake| matches!(mistake, Mistake::Entry(..)));
            let what = if entry {
                "A digit is wrong"
            } else {
                "A candidate was struck out that belongs there"
            };
            format!("{what}. Mend that first.\n")
        }
        Depth::Where => {
            let mut boxes: Vec<usize> = mistakes
                .iter()
                .map(|mistake| Shape::Three.box_of(cell(mistake)) + 1)
                .collect();
            boxes.dedup();
            let boxes: Vec<String> = boxes.iter().map(usize::to_string).collect();
            format!(
                "Look for a mistake in box {}. Mend that first.\n",
                boxes.join(", ")
            )
        }
        Depth::Everything => mistakes
            .iter()
            .map(|mistake| match mistake {
                Mistake::Entry(cell, digit) => format!("{} is not {digit}.\n", name(*cell)),
                Mistake::Struck(cell, digit) => {
                    format!("{digit} belongs in {}, but was struck out.\n", name(*cell))
                }
            })
            .collect(),
    }
}

fn object(position: &Position, mistakes: &[Mistake], step: Option<&Step>, depth: Depth) -> String {
    let mistakes_data: Vec<String> = mistakes
        .iter()
        .map(|mistake| {
            let (kind, cell, digit) = match mistake {
                Mistake::Entry(cell, digit) => ("wrong", cell, digit),
                Mistake::Struck(cell, digit) => ("struck", cell, digit),
            };
            let (row, column) = (cell.index() / 9 + 1, cell.index() % 9 + 1);
            format!("{{\"kind\":\"{kind}\",\"row\":{row},\"column\":{column},\"digit\":{digit}}}")
        })
        .collect();
    let everything = depth == Depth::Everything;
    let step_data = step.filter(|_| everything).map(Step::json);
    format!(
        "{{\"puzzle\":\"{}\",\"position\":\"{}\",\"hint\":{},\"mistakes\":{},\"step\":{}}}\n",
        position.clues,
        position.grid,
        serde_json::Value::from(words(mistakes, step, depth).trim()),
        match everything {
            true => format!("[{}]", mistakes_data.join(",")),
            false => mistakes.len().to_string(),
        },
        step_data.as_deref().unwrap_or("null")
    )
}
