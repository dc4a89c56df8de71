//! `planoku backbone`: what all solutions of a puzzle have in common.

use anstyle::{AnsiColor, Style};
use planoku_sudoku::Grid;
use planoku_sudoku::text::{self, Layer};
use planoku_workbench::clues;

use crate::each;
use crate::exit::{Context, Exit, Failure};
use crate::output::Output;

/// Say which cells are forced: the same in every solution.
///
/// A puzzle has exactly one solution if every cell is forced.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input.
    #[arg(required = true)]
    input: Vec<String>,
    #[command(flatten)]
    limits: each::Limits,
    /// One JSON object a line, for each puzzle.
    #[arg(long)]
    json: bool,
}

const CLUE: Style = Style::new().bold();
const FORCED: Style = AnsiColor::Cyan.on_default();

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let say = |out: &Output, puzzle: &Grid, forced: Option<Grid>| {
        let text = match &forced {
            _ if args.json => object(puzzle, forced.as_ref()),
            None => format!("{puzzle}: no solution\n"),
            Some(forced) if out.is_terminal() => drawing(puzzle, forced),
            Some(forced) => format!("{forced}  # {}\n", remark(puzzle, forced)),
        };
        let exit = match forced {
            Some(_) => Exit::Done,
            None => Exit::Proved,
        };
        (text, exit)
    };
    each::answer(&args.input, &args.limits, context, clues::forced, say)
}

fn remark(puzzle: &Grid, forced: &Grid) -> String {
    let blanks = puzzle.blanks().count();
    let found = blanks - forced.blanks().count();
    let unique = if forced.is_full() {
        ", so the solution is unique"
    } else {
        ""
    };
    format!("{found} of {blanks} blank cells are forced{unique}")
}

fn drawing(puzzle: &Grid, forced: &Grid) -> String {
    let picture = text::draw(puzzle, forced, |_, layer, symbol| match layer {
        Layer::Clue => format!("{CLUE}{symbol}{CLUE:#}"),
        Layer::Found => format!("{FORCED}{symbol}{FORCED:#}"),
        Layer::Blank => symbol.to_string(),
    });
    format!("{picture}{}\n", remark(puzzle, forced))
}

fn object(puzzle: &Grid, forced: Option<&Grid>) -> String {
    let object = serde_json::json!({
        "puzzle": puzzle.to_string(),
        "forced": forced.map(Grid::to_string),
        "blanks": puzzle.blanks().count(),
        "open": forced.map(|grid| grid.blanks().count()),
        "unique": forced.map(Grid::is_full),
    });
    format!("{object}\n")
}
