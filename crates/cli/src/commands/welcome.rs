//! `planoku` alone: what it can do, with examples to paste.

use anstyle::{AnsiColor, Style};
use clap::CommandFactory;
use planoku_workbench::EXAMPLES;

use crate::Cli;
use crate::exit::{Exit, Failure};
use crate::output::Output;

pub fn run() -> Result<Exit, Failure> {
    let command = Cli::command();
    let mut out = Output::stdout();
    let bold = Style::new().bold();
    let dim = AnsiColor::BrightBlack.on_default();
    out.write(&format!(
        "{bold}planoku{bold:#}: {}.\n\n",
        command.get_about().unwrap_or_default()
    ))?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let about = sub.get_about().unwrap_or_default().to_string();
        out.write(&format!("  {bold}{:<12}{bold:#} {about}\n", sub.get_name()))?;
    }
    out.write("\nTry:\n")?;
    for (line, remark) in [
        ("planoku solve".to_string(), "a built-in puzzle"),
        (
            format!("planoku solve {}", EXAMPLES[4].text),
            "not a proper Sudoku",
        ),
        (
            "planoku engines".to_string(),
            "every way to solve, for --engine",
        ),
    ] {
        out.write(&format!("  {line}  {dim}# {remark}{dim:#}\n"))?;
    }
    out.write("\nEvery command explains itself: planoku solve --help\n")?;
    out.flush()?;
    Ok(Exit::Done)
}
