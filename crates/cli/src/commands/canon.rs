//! `planoku canon`: which puzzles are the same puzzle.

use std::path::PathBuf;

use planoku_data::Share;
use planoku_data::columns::Work;
use planoku_sudoku::canon::{Canonical, canonical};
use planoku_sudoku::{Grid, Shape, Symmetry, no_repeats};

use crate::columns;
use crate::each;
use crate::exit::{Context, Exit, Failure};
use crate::input::{Inputs, Item};
use crate::output::Output;
use crate::pipeline::{self, Page};

/// Show the canonical form of puzzles or solutions.
///
/// Of all boards that are the same as a given one (rows, columns, bands and
/// stacks exchanged, the board transposed, digits renamed) the canonical form
/// is the first in reading order, a blank before any digit: the minlex form.
/// Each line begins with it; the number of automorphisms follows, the ways to
/// turn the board into itself.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle or solution written out, a file of them in any format, or - for
    /// standard input.
    #[arg(required = true)]
    input: Vec<String>,
    /// Say whether two boards are the same, and how to turn the first into the
    /// second; exit code 1 if they are not.
    #[arg(long)]
    same: bool,
    /// One JSON object a line, for each board.
    #[arg(long)]
    json: bool,
    /// How many boards are looked at at once; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Only part I of N of the puzzles, for one of N machines.
    #[arg(long, value_name = "I/N", conflicts_with = "same")]
    shard: Option<Share>,
    /// Write to a Parquet file: a row for each row of the input with all its
    /// columns, the form, its id and the automorphisms.
    #[arg(long, short, value_name = "FILE.parquet", conflicts_with_all = ["same", "json"])]
    output: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let inputs = Inputs {
        names: &args.input,
        share: args.shard,
    };
    if let Some(path) = &args.output {
        if !columns::wanted(Some(path)) {
            let name = path.display();
            let message = format!("expected a name that ends in .parquet, found `{name}`");
            return Err(Failure::bad_input(message));
        }
        return columns::run(inputs, path, &Work::Canon, args.threads, context);
    }
    if args.same {
        return same(&args, context);
    }
    let (json, out) = (args.json, Output::stdout());
    let work = move |board: &Grid, _: &Item, page: &mut Page<()>| match canonical(board) {
        Some(canonical) => {
            let text = match json {
                true => object(board, &canonical),
                false => line(&canonical),
            };
            page.text.extend_from_slice(text.as_bytes());
            Exit::Done
        }
        None => {
            let complaint = format!("error: {board}: {}", why_none(board));
            page.complaints.push(complaint);
            Exit::BadInput
        }
    };
    pipeline::puzzles(inputs, args.threads, out, context, work)
}

/// What stands in the way of a canonical form.
fn why_none(board: &Grid) -> String {
    match no_repeats(board) {
        Err(broken) => broken.to_string(),
        Ok(()) => format!(
            "expected a board up to {}, found {}: larger ones have too many symmetries",
            Shape::Three,
            board.shape()
        ),
    }
}

fn line(canonical: &Canonical) -> String {
    let s = if canonical.automorphisms == 1 {
        ""
    } else {
        "s"
    };
    format!(
        "{}  # {} automorphism{s}\n",
        canonical.form, canonical.automorphisms
    )
}

fn object(board: &Grid, canonical: &Canonical) -> String {
    let object = serde_json::json!({
        "puzzle": board.to_string(),
        "canonical": canonical.form.to_string(),
        "automorphisms": canonical.automorphisms,
        "symmetry": parts(&canonical.symmetry),
    });
    format!("{object}\n")
}

/// A symmetry as data: where each row and column goes and what each digit
/// becomes, all counted from 1; transposed first.
fn parts(symmetry: &Symmetry) -> serde_json::Value {
    let from_one = |images: &[usize]| images.iter().map(|n| n + 1).collect::<Vec<_>>();
    serde_json::json!({
        "transposed": symmetry.is_transposed(),
        "rows": from_one(symmetry.row_images()),
        "columns": from_one(symmetry.column_images()),
        "digits": from_one(symmetry.digit_images()),
    })
}

fn same(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let mut boards = Vec::new();
    let exit = each::puzzle(&args.input, context, |_, board| {
        boards.push(board.clone());
        Ok(Exit::Done)
    })?;
    if exit != Exit::Done {
        return Ok(exit);
    }
    let [first, second] = &boards[..] else {
        let found = boards.len();
        let message = format!("--same compares two boards, found {found}");
        return Err(Failure::bad_input(message));
    };
    let form = |board: &Grid| {
        canonical(board).ok_or_else(|| Failure::bad_input(format!("{board}: {}", why_none(board))))
    };
    let forms = [form(first)?, form(second)?];
    let symmetry = (forms[0].form == forms[1].form)
        .then(|| forms[0].symmetry.then(&forms[1].symmetry.inverse()));
    if symmetry
        .as_ref()
        .is_some_and(|symmetry| symmetry.apply(first) != *second)
    {
        return Err(Failure::fault(
            "the symmetry found does not turn one into the other",
        ));
    }
    let mut out = Output::stdout();
    out.write(&match (&symmetry, args.json) {
        (_, true) => {
            let object = serde_json::json!({
                "puzzles": [first.to_string(), second.to_string()],
                "canonical": forms.each_ref().map(|form| form.form.to_string()),
                "same": symmetry.is_some(),
                "symmetry": symmetry.as_ref().map(parts),
            });
            format!("{object}\n")
        }
        (Some(symmetry), false) => format!("the same: {}\n", in_words(symmetry)),
        (None, false) => "not the same\n".to_string(),
    })?;
    out.flush()?;
    Ok(if symmetry.is_some() {
        Exit::Done
    } else {
        Exit::No
    })
}

fn in_words(symmetry: &Symmetry) -> String {
    let list = |what: &str, images: &[usize]| {
        let changed = images.iter().enumerate().any(|(n, image)| n != *image);
        let images: Vec<String> = images.iter().map(|n| (n + 1).to_string()).collect();
        changed.then(|| format!("{what} {}", images.join(" ")))
    };
    let turned = symmetry
        .is_transposed()
        .then(|| "rows and columns exchanged".to_string());
    let steps = [
        turned,
        list("rows to", symmetry.row_images()),
        list("columns to", symmetry.column_images()),
        list("digits to", symmetry.digit_images()),
    ];
    let steps: Vec<String> = steps.into_iter().flatten().collect();
    match steps.is_empty() {
        true => "nothing changes".to_string(),
        false => steps.join(", then "),
    }
}
