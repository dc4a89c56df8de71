//! `planoku core`: why a puzzle cannot be solved.

use anstyle::{AnsiColor, Style};
use planoku_sudoku::Grid;
use planoku_sudoku::text::{self, Layer};
use planoku_workbench::clues;

use crate::each;
use crate::exit::{Context, Exit, Failure};
use crate::output::Output;

/// Show the clues of an unsolvable puzzle that contradict each other.
///
/// The set is minimal: without any one of these clues the others have a
/// solution. The puzzle is drawn with those clues marked; a pipe gets one line
/// a puzzle. The exit code is 10 if there is no solution, 1 if there is one.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input.
    #[arg(required = true)]
    input: Vec<String>,
    #[command(flatten)]
    limits: each::Limits,
    /// Draw the board even into a pipe; the clues of the core stay, the other
    /// clues become `+`.
    #[arg(long, conflicts_with = "json")]
    draw: bool,
    /// One JSON object a line, for each puzzle.
    #[arg(long)]
    json: bool,
}

const BLAMED: Style = AnsiColor::Red.on_default().bold();
const DIM: Style = AnsiColor::BrightBlack.on_default();

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let say = |out: &Output, puzzle: &Grid, core: Option<Grid>| {
        let text = match &core {
            _ if args.json => object(puzzle, core.as_ref()),
            None => format!("{puzzle}: has a solution\n"),
            Some(core) if args.draw || out.is_terminal() => drawing(puzzle, core),
            Some(core) => format!("{core}  # {}\n", remark(puzzle, core)),
        };
        let exit = match core {
            Some(_) => Exit::Proved,
            None => Exit::No,
        };
        (text, exit)
    };
    each::answer(
        &args.input,
        &args.limits,
        context,
        clues::contradiction,
        say,
    )
}

fn remark(puzzle: &Grid, core: &Grid) -> String {
    let (all, some) = (puzzle.clue_count(), core.clue_count());
    format!(
        "{some} of {all} clues contradict each other; without any one of them the others do not"
    )
}

fn drawing(puzzle: &Grid, core: &Grid) -> String {
    let picture = text::draw(puzzle, puzzle, |cell, layer, symbol| match layer {
        Layer::Clue if core.get(cell).is_some() => format!("{BLAMED}{symbol}{BLAMED:#}"),
        Layer::Clue => format!("{DIM}+{DIM:#}"),
        _ => format!("{DIM}{symbol}{DIM:#}"),
    });
    format!("{picture}{}\n", remark(puzzle, core))
}

fn object(puzzle: &Grid, core: Option<&Grid>) -> String {
    let shape = puzzle.shape();
    let clues: Option<Vec<_>> = core.map(|core| {
        let clue = |(cell, digit): (planoku_sudoku::Cell, planoku_sudoku::Digit)| {
            serde_json::json!({
                "row": shape.row(cell) + 1,
                "column": shape.column(cell) + 1,
                "digit": digit.get(),
            })
        };
        core.clues().map(clue).collect()
    });
    let object = serde_json::json!({
        "puzzle": puzzle.to_string(),
        "solvable": core.is_none(),
        "core": core.map(Grid::to_string),
        "clues": clues,
    });
    format!("{object}\n")
}
