//! `planoku steps`: the whole path of a puzzle, in words, data or pictures.

mod plan;

use std::path::{Path, PathBuf};

use planoku_human::{Rater, Step, Unrated, page, picture};
use planoku_sudoku::{Grid, text};
use planoku_workbench::formulate::planning::human::TechniqueLevel;
use planoku_workbench::trace;

use crate::each::{self, Limits};
use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Explain a puzzle step by step.
///
/// Without -o, a line for each step. The ending of FILE decides what it holds:
/// .txt the same lines, .json an object, .html a page with a board for every
/// step, .svg one picture a step (FILE-001.svg and so on).
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file with puzzles in any format, or - for
    /// standard input.
    #[arg(required = true)]
    input: Vec<String>,
    /// One JSON object a line, for each puzzle.
    #[arg(long)]
    json: bool,
    /// Show the gentlest path found instead of the one that is rated: other
    /// orders are tried, the hardest step is kept low, then hard steps few.
    #[arg(long)]
    gentlest: bool,
    /// Draw the position with its candidates before every step.
    #[arg(long, conflicts_with = "json")]
    pencil: bool,
    /// Tell chains that branch link by link, and the chains inside them.
    #[arg(long, conflicts_with = "json")]
    links: bool,
    /// After the path, the easiest explanation with techniques up to LEVEL
    /// (singles, locked, pairs or x-wing), found by the planner and proved; its
    /// tree says what each step is good for. In words only.
    #[arg(
        long,
        value_name = "LEVEL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "x-wing",
        conflicts_with = "json"
    )]
    plan: Option<TechniqueLevel>,
    /// Where to write, and as what: FILE.html, FILE.svg, FILE.txt or FILE.json.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also write the path as a trace, for `planoku replay`.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

#[derive(Clone, Copy, PartialEq)]
enum View {
    Words,
    Json,
    Page,
    Pictures,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let view = view(&args)?;
    if args.plan.is_some() && view != View::Words {
        return Err(Failure::bad_input("--plan is told in words only"));
    }
    let mut out = match (&args.output, view) {
        (Some(_), View::Pictures) => None,
        (path, _) => Some(Output::to(path.as_deref())?),
    };
    let mut traces = match &args.trace {
        Some(path) => Some(Output::to(Some(path))?),
        None => None,
    };
    let rater = &mut Rater::new();
    let exit = each::puzzle(&args.input, context, |number, puzzle| {
        if number > 1 && matches!(view, View::Page | View::Pictures) {
            let message = "a page or pictures show one puzzle, the input holds several";
            return Err(Failure::bad_input(message));
        }
        let run = &mut args.limits.run(context);
        let path = match args.gentlest {
            true => rater.gentlest(puzzle, run),
            false => rater.path(puzzle, run),
        };
        let path = match path {
            Ok(path) => path,
            Err(why) => {
                complain(format_args!("error: {puzzle}: {why}"));
                return Ok(exit(&why));
            }
        };
        if let Some(traces) = &mut traces {
            traces.write(&trace::people(puzzle, &path).to_string())?;
        }
        let mut told = Exit::Done;
        let mut text = match view {
            View::Words => words(puzzle, &path, &args),
            View::Json => object(puzzle, &path),
            View::Page => page::path(puzzle, &path),
            View::Pictures => {
                let file = args.output.as_deref().unwrap_or(Path::new("step.svg"));
                pictures(puzzle, &path.steps, file)?;
                String::new()
            }
        };
        if let Some(level) = args.plan {
            let mut run = args.limits.run(context);
            let (tree, exit) = plan::words(puzzle, level, path.steps.len(), &mut run)?;
            text += &tree;
            told = exit;
        }
        match &mut out {
            Some(out) => out.write(&text).map(|()| told),
            None => Ok(told),
        }
    })?;
    for out in out.iter_mut().chain(&mut traces) {
        out.flush()?;
    }
    Ok(exit)
}

fn view(args: &Args) -> Result<View, Failure> {
    let ending = args.output.as_ref().and_then(|path| path.extension());
    match ending.map(|ending| ending.to_string_lossy().to_lowercase()) {
        _ if args.json => Ok(View::Json),
        None => Ok(View::Words),
        Some(ending) => match ending.as_str() {
            "txt" => Ok(View::Words),
            "json" | "jsonl" => Ok(View::Json),
            "html" | "htm" => Ok(View::Page),
            "svg" => Ok(View::Pictures),
            other => Err(Failure::bad_input(format!(
                "expected a file that ends in .html, .svg, .txt or .json, found .{other}"
            ))),
        },
    }
}

fn exit(why: &Unrated) -> Exit {
    match why {
        Unrated::NoSolution => Exit::Proved,
        Unrated::TooHard { .. } => Exit::GaveUp,
        Unrated::Stopped(_) => Exit::Stopped,
        _ => Exit::BadInput,
    }
}

fn words(puzzle: &Grid, path: &planoku_human::Path, args: &Args) -> String {
    let rated = &path.rated;
    let mut lines = format!(
        "{puzzle}  # ER {} EP {} ED {}, {} steps\n",
        rated.er,
        rated.ep,
        rated.ed,
        rated.steps()
    );
    let boards = page::positions(puzzle, &path.steps);
    for (nth, (step, board)) in path.steps.iter().zip(&boards).enumerate() {
        if args.pencil {
            lines += &text::pencil(&board.grid(), |cell| board.candidates(cell));
        }
        lines += &format!("{:>3}. {:>4}  {}\n", nth + 1, step.rating, step.sentence());
        if args.links {
            for (title, links) in step.details() {
                lines += &format!("           {title}\n");
                for link in links {
                    lines += &format!("             {link}\n");
                }
            }
        }
    }
    lines += &format!("{}  # solved\n", path.solution);
    lines
}

fn object(puzzle: &Grid, path: &planoku_human::Path) -> String {
    let steps: Vec<String> = path.steps.iter().map(Step::json).collect();
    format!(
        "{{\"puzzle\":\"{puzzle}\",\"solution\":\"{}\",{},\"path\":[{}]}}\n",
        path.solution,
        path.rated.json_members(),
        steps.join(",")
    )
}

/// One picture a step, the last of the solved board.
fn pictures(puzzle: &Grid, steps: &[Step], file: &Path) -> Result<(), Failure> {
    let stem = file.with_extension("");
    let boards = page::positions(puzzle, steps);
    for (nth, board) in boards.iter().enumerate() {
        let name = format!("{}-{:03}.svg", stem.display(), nth + 1);
        let mut out = Output::to(Some(Path::new(&name)))?;
        out.write(&picture::alone(board, puzzle, steps.get(nth)))?;
        out.flush()?;
    }
    complain(format_args!(
        "{} pictures written: {}-001.svg and so on",
        boards.len(),
        stem.display()
    ));
    Ok(())
}
