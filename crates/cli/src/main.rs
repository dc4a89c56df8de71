//! The `planoku` command: arguments, files, exit codes, and nothing else.

mod commands;
#[allow(dead_code)] // the first commands do not need every ending yet
mod exit;

use clap::{Parser, Subcommand};
use exit::{Context, Exit};

/// Sudoku solved as planning, and planning made to work.
#[derive(Parser)]
#[command(name = "planoku", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// One variant per command; each is a file in `commands/`.
#[derive(Subcommand)]
enum Command {
    Engines(commands::engines::Args),
}

fn main() -> std::process::ExitCode {
    let context = Context::default();
    let result = match Cli::parse().command {
        None => Ok(Exit::Done),
        Some(Command::Engines(args)) => commands::engines::run(args, &context),
    };
    exit::finish(result)
}
