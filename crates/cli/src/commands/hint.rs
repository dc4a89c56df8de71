//! `planoku hint`: the next step for somebody who is stuck.
//!
//! Before any hint the position is compared with the solution; see
//! [`Position`].

use std::path::PathBuf;

use planoku_human::{Astray, Depth, Position, PositionMistake, Rater, Step, picture};
use planoku_sudoku::text::{self, Notes};
use planoku_sudoku::{Grid, Shape};

use crate::each::Limits;
use crate::exit::{Context, Exit, Failure};
use crate::input::{Item, Reader};
use crate::output::{Output, stopped_by};

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
    let position = position(&args)?;
    let solution = position.solution().map_err(|why| astray(&why))?;
    let mistakes = position.mistakes(&solution);
    let mut out = Output::stdout();
    if args.pencil {
        out.write(&text::pencil(&position.grid, |cell| {
            position.candidates(cell)
        }))?;
    }
    let mut step = None;
    let board = position.board().map_err(Failure::bad_input)?;
    if mistakes.is_empty() && !board.is_solved() {
        let run = &mut args.limits.run(context);
        step = match Rater::new().next(&board, run) {
            Ok(Some(step)) => Some(step),
            Ok(None) => return Err(gave_up()),
            Err(stop) => {
                return Err(Failure {
                    exit: Exit::Stopped,
                    message: format!("no hint found: stopped by {stop}", stop = stopped_by(stop)),
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

/// The position that the arguments say.
fn position(args: &Args) -> Result<Position, Failure> {
    let (grid, notes) = one(&args.input)?;
    let Some(entries) = &args.entries else {
        let clues = notes
            .as_ref()
            .map_or_else(|| grid.clone(), |notes| notes.clues(&grid));
        return Ok(noted(clues, grid, notes));
    };
    let (mut now, notes) = one(entries)?;
    for (cell, clue) in grid.clues() {
        match now.get(cell) {
            None => now.set(cell, Some(clue)),
            Some(digit) if digit == clue => {}
            Some(digit) => {
                let (row, column) = (cell.index() / 9 + 1, cell.index() % 9 + 1);
                let message =
                    format!("r{row}c{column}: the puzzle has {clue}, --entries has {digit}");
                return Err(Failure::bad_input(message));
            }
        }
    }
    Ok(noted(grid, now, notes))
}

fn noted(clues: Grid, grid: Grid, notes: Option<Box<Notes>>) -> Position {
    Position::new(clues, grid, notes.map(|notes| notes.marks.into_vec()))
}

fn astray(why: &Astray) -> Failure {
    let message = match why {
        Astray::NoSolution => {
            format!("{why}; with the puzzle as it was given and --entries I can say which")
        }
        _ => why.to_string(),
    };
    let exit = match why {
        Astray::Several => Exit::BadInput,
        Astray::Repeats(_) | Astray::NoSolution => Exit::Proved,
    };
    Failure { exit, message }
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

/// What is wrong or comes next, as much of it as wanted.
fn words(mistakes: &[PositionMistake], step: Option<&Step>, depth: Depth) -> String {
    if !mistakes.is_empty() {
        return PositionMistake::hint(mistakes, depth) + "\n";
    }
    match step {
        Some(step) => format!("{}\n", step.hint(depth)),
        None => "Solved.\n".to_string(),
    }
}

fn object(
    position: &Position,
    mistakes: &[PositionMistake],
    step: Option<&Step>,
    depth: Depth,
) -> String {
    let mistakes_data: Vec<String> = mistakes.iter().map(|mistake| mistake.json()).collect();
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
