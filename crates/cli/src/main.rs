//! The `planoku` command: arguments, files, exit codes, and nothing else.

mod columns;
mod commands;
mod each;
#[allow(dead_code)] // the first commands do not need every ending yet
mod exit;
mod files;
mod gunzip;
mod input;
mod lsp;
mod memory;
mod output;
mod pipeline;
mod progress;
mod values;
mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use exit::{Context, Exit, Failure};

/// Sudoku solved as planning, and planning made to work.
#[derive(Parser)]
#[command(
    name = "planoku",
    version,
    about = "Sudoku solved as planning, and planning made to work"
)]
#[command(
    after_help = "Exit codes: 0 done as asked; 1 the answer is \"no\"; 10 proved: no \
    solution; 11 gave up without proof; 20 stopped by time, nodes or memory; 30 bad input; \
    70 our own fault. Many inputs: the highest code any of them earned."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// One variant per command; each is a file in `commands/`.
#[derive(Subcommand)]
enum Command {
    Solve(commands::solve::Args),
    Count(commands::count::Args),
    Generate(commands::generate::Args),
    Bench(commands::bench::Args),
    Engines(commands::engines::Args),
    Agents(commands::agents::Args),
    Replay(commands::replay::Args),
    Encode(commands::encode::Args),
    Prove(commands::prove::Args),
    Backbone(commands::backbone::Args),
    Core(commands::core::Args),
    Rate(commands::rate::Args),
    Hint(commands::hint::Args),
    Steps(commands::steps::Args),
    Canon(commands::canon::Args),
    Minimal(commands::minimal::Args),
    Dataset(commands::dataset::Args),
    Compare(commands::compare::Args),
    Reproduce(commands::reproduce::Args),
    New(commands::new::Args),
    Doctor(commands::doctor::Args),
    Check(commands::check::Args),
    Explain(commands::explain::Args),
    Fmt(commands::fmt::Args),
    Lsp(commands::lsp::Args),
    Ground(commands::ground::Args),
    Plan(commands::plan::Args),
    Verify(commands::verify::Args),
    Serve(commands::serve::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

fn run(command: Option<Command>, context: &Context) -> Result<Exit, Failure> {
    match command {
        None => commands::welcome::run(),
        Some(Command::Solve(args)) => commands::solve::run(args, context),
        Some(Command::Count(args)) => commands::count::run(args, context),
        Some(Command::Bench(args)) => commands::bench::run(args, context),
        Some(Command::Generate(args)) => commands::generate::run(args, context),
        Some(Command::Engines(args)) => commands::engines::run(args, context),
        Some(Command::Agents(args)) => commands::agents::run(args, context),
        Some(Command::Replay(args)) => commands::replay::run(args, context),
        Some(Command::Encode(args)) => commands::encode::run(args, context),
        Some(Command::Prove(args)) => commands::prove::run(args, context),
        Some(Command::Backbone(args)) => commands::backbone::run(args, context),
        Some(Command::Core(args)) => commands::core::run(args, context),
        Some(Command::Rate(args)) => commands::rate::run(args, context),
        Some(Command::Hint(args)) => commands::hint::run(args, context),
        Some(Command::Steps(args)) => commands::steps::run(args, context),
        Some(Command::Canon(args)) => commands::canon::run(args, context),
        Some(Command::Minimal(args)) => commands::minimal::run(args, context),
        Some(Command::Dataset(args)) => commands::dataset::run(args, context),
        Some(Command::Compare(args)) => commands::compare::run(args, context),
        Some(Command::Reproduce(args)) => commands::reproduce::run(args, context),
        Some(Command::New(args)) => commands::new::run(args, context),
        Some(Command::Doctor(args)) => commands::doctor::run(args, context),
        Some(Command::Check(args)) => commands::check::run(args, context),
        Some(Command::Explain(args)) => commands::explain::run(args, context),
        Some(Command::Fmt(args)) => commands::fmt::run(args, context),
        Some(Command::Lsp(args)) => commands::lsp::run(args, context),
        Some(Command::Ground(args)) => commands::ground::run(args, context),
        Some(Command::Plan(args)) => commands::plan::run(args, context),
        Some(Command::Verify(args)) => commands::verify::run(args, context),
        Some(Command::Serve(args)) => commands::serve::run(args, context),
        Some(Command::Completions(args)) => commands::completions::run(args, context),
        Some(Command::Man(args)) => commands::man::run(args, context),
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let context = Context::default();
    listen_for_ctrl_c(&context);
    quiet_closed_pipes();
    let result = catch_unwind(AssertUnwindSafe(|| run(cli.command, &context)));
    finish(result.unwrap_or_else(|_| {
        Err(Failure::fault(
            "planoku made a mistake (see above); please report it",
        ))
    }))
}

/// Help and version are results; a wrong argument is bad input.
fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    ExitCode::from(match error.use_stderr() {
        true => Exit::BadInput,
        false => Exit::Done,
    } as u8)
}

/// The first Ctrl-C asks the work to stop and keep its results; the second
/// does not wait.
fn listen_for_ctrl_c(context: &Context) {
    let cancel = context.cancel.clone();
    // Without a handler Ctrl-C still ends the process, only less gently.
    let _ = ctrlc::set_handler(move || {
        if cancel.is_cancelled() {
            std::process::exit(Exit::Stopped as i32);
        }
        cancel.cancel();
    });
}

/// `println!` panics when the reader of a pipe has left. Commands avoid it, but
/// whatever still prints that way shall end as quietly as they do.
fn quiet_closed_pipes() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or_default();
        if message.contains("failed printing") && message.contains("Broken pipe") {
            std::process::exit(Exit::Done as i32);
        }
        usual(panic);
    }));
}

/// Reports a failure and turns the result into the process's exit code.
fn finish(result: Result<Exit, Failure>) -> ExitCode {
    let exit = result.unwrap_or_else(|failure| {
        if !failure.message.is_empty() {
            output::complain(format_args!("error: {}", failure.message));
        }
        failure.exit
    });
    ExitCode::from(exit as u8)
}
