//! `planoku minimal`: whether a puzzle has more clues than it needs.

use planoku_sudoku::minimal::{Needed, clues_needed};
use planoku_sudoku::{Cell, Grid};

use crate::each::Limits;
use crate::exit::{Context, Exit, Failure};
use crate::input::Item;
use crate::output::{Output, stopped_by};
use crate::pipeline::{self, Page};

/// Say which clues are not needed, and show a puzzle without them.
///
/// A puzzle is minimal if it has one solution and would have several without
/// any one of its clues. Each line begins with a minimal puzzle; if that is not
/// the puzzle itself, the remark names the clues that could be taken away.
///
/// Exit code 0 if every puzzle is minimal, 1 if one is not, 10 if one has no
/// solution.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input.
    #[arg(required = true)]
    input: Vec<String>,
    #[command(flatten)]
    limits: Limits,
    /// One JSON object a line, for each puzzle.
    #[arg(long)]
    json: bool,
    /// How many puzzles are looked at at once; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let (limits, json, cancel) = (args.limits, args.json, context.cancel.clone());
    let out = Output::stdout();
    let work = move |puzzle: &Grid, _: &Item, page: &mut Page<()>| {
        let needed = match clues_needed(puzzle, &mut limits.run_until(&cancel)) {
            Ok(needed) => needed,
            Err(stop) => {
                let complaint = format!("{puzzle}: stopped by {stop}", stop = stopped_by(stop));
                page.complaints.push(complaint);
                return Exit::Stopped;
            }
        };
        let text = match json {
            true => object(puzzle, &needed),
            false => line(puzzle, &needed),
        };
        page.text.extend_from_slice(text.as_bytes());
        exit(&needed)
    };
    pipeline::puzzles(&args.input, args.threads, out, context, work)
}

fn exit(needed: &Needed) -> Exit {
    match needed {
        Needed::NoSolution => Exit::Proved,
        Needed::Several => Exit::No,
        Needed::Clues { redundant, .. } if redundant.is_empty() => Exit::Done,
        Needed::Clues { .. } => Exit::No,
    }
}

fn line(puzzle: &Grid, needed: &Needed) -> String {
    match needed {
        Needed::NoSolution => format!("{puzzle}  # no solution\n"),
        Needed::Several => format!("{puzzle}  # several solutions: too few clues, not too many\n"),
        Needed::Clues { redundant, .. } if redundant.is_empty() => {
            format!("{puzzle}  # minimal, {} clues\n", puzzle.clue_count())
        }
        Needed::Clues { redundant, minimal } => {
            let names: Vec<String> = redundant.iter().map(|cell| name(puzzle, *cell)).collect();
            format!(
                "{minimal}  # {} of {} clues are enough; any one of these could go: {}\n",
                minimal.clue_count(),
                puzzle.clue_count(),
                names.join(" ")
            )
        }
    }
}

/// A clue as players write it: `r1c9=7`.
fn name(puzzle: &Grid, cell: Cell) -> String {
    let shape = puzzle.shape();
    let digit = puzzle.get(cell).map_or('.', |digit| digit.symbol());
    format!(
        "r{}c{}={digit}",
        shape.row(cell) + 1,
        shape.column(cell) + 1
    )
}

fn object(puzzle: &Grid, needed: &Needed) -> String {
    let shape = puzzle.shape();
    let (solutions, minimal, redundant, smaller) = match needed {
        Needed::NoSolution => (0, None, None, None),
        Needed::Several => (2, None, None, None),
        Needed::Clues { redundant, minimal } => {
            let clue = |cell: &Cell| {
                serde_json::json!({
                    "row": shape.row(*cell) + 1,
                    "column": shape.column(*cell) + 1,
                    "digit": puzzle.get(*cell).map(|digit| digit.get()),
                })
            };
            let redundant: Vec<_> = redundant.iter().map(clue).collect();
            (
                1,
                Some(redundant.is_empty()),
                Some(redundant),
                Some(minimal.to_string()),
            )
        }
    };
    let object = serde_json::json!({
        "puzzle": puzzle.to_string(),
        "solutions": match solutions {
            0 => "none",
            1 => "one",
            _ => "several",
        },
        "minimal": minimal,
        "clues": puzzle.clue_count(),
        "redundant": redundant,
        "minimal_puzzle": smaller,
    });
    format!("{object}\n")
}
