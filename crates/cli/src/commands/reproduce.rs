//! `planoku reproduce`: the papers' tables with ours beside them.

use std::path::PathBuf;

use clap::ValueEnum;
use indicatif::ProgressBar;
use planoku_workbench::reproduce::{Chapter, Effort, Paper, reproduce, text};
use serde_json::json;

use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Check the papers Planoku grew from: their tables, ours, and a verdict a row.
#[derive(clap::Args)]
pub struct Args {
    /// Which paper; all of them if absent.
    #[arg(default_value = "all")]
    paper: Which,
    /// Smaller samples and shorter budgets: under half a minute.
    #[arg(long)]
    quick: bool,
    /// One JSON object a line, for each row of each table.
    #[arg(long)]
    json: bool,
    /// Write a page, complete in one HTML file, instead of text.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// The CSP Sudoku: node counts of six searches.
    Csp,
    /// A Block World Problem Based Sudoku Solver: robots on a table.
    Blocks,
    /// Planning Sudoku: the HDDL model no planner could run.
    Hddl,
    /// The note on a PDDL encoding: the branching factor.
    Pddl,
    /// All four.
    All,
}

impl Which {
    fn papers(self) -> Vec<Paper> {
        match self {
            Which::Csp => vec![Paper::Csp],
            Which::Blocks => vec![Paper::Blocks],
            Which::Hddl => vec![Paper::Hddl],
            Which::Pddl => vec![Paper::Pddl],
            Which::All => Paper::ALL.to_vec(),
        }
    }
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let mut out = match args.json {
        true => Output::stdout(),
        false => Output::to(args.output.as_deref())?,
    };
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(std::time::Duration::from_millis(120));
    let progress = |what: &str| bar.set_message(what.to_string());
    let effort = Effort {
        quick: args.quick,
        cancel: &context.cancel,
        progress: &progress,
    };
    let mut chapters = Vec::new();
    for paper in args.paper.papers() {
        if context.cancel.is_cancelled() {
            break;
        }
        let chapter = reproduce(paper, &effort);
        if args.json {
            out.write(&json_rows(&chapter))?;
        } else if args.output.is_none() {
            bar.suspend(|| out.write(&format!("{}\n\n", text(&chapter, 100))))?;
        }
        chapters.push(chapter);
    }
    bar.finish_and_clear();
    if let Some(path) = args.output.as_ref().filter(|_| !args.json) {
        out.write(&planoku_web::report::papers_page(&chapters))?;
        out.flush()?;
        complain(format_args!("wrote {}", path.display()));
    }
    out.flush()?;
    Ok(if context.cancel.is_cancelled() {
        Exit::Stopped
    } else {
        Exit::Done
    })
}

fn json_rows(chapter: &Chapter) -> String {
    let tables = chapter.tables.iter();
    let rows = tables.flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    rows.map(|(table, row)| {
        let cells: serde_json::Map<String, serde_json::Value> = table
            .head
            .iter()
            .zip(&row.cells)
            .map(|(head, cell)| (head.to_string(), json!(cell)))
            .collect();
        let line = json!({
            "paper": chapter.paper.name(),
            "table": table.title,
            "row": cells,
            "verdict": row.verdict.words(),
        });
        format!("{line}\n")
    })
    .collect()
}
