//! `planoku dataset`: data sets made, checked, compared, described, labelled.
//!
//! What is done stands in `planoku-data`; here are arguments, files and words.

mod check;
mod describe;
mod label;
mod leaks;
mod make;

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use planoku_engine::Stop;

use crate::exit::{Context, Exit, Failure};
use crate::output::complain;

/// Make data sets to train and test on, and see through those there are.
///
/// Puzzles with labels whose meaning is stated, split by canonical solution, the
/// same bytes from the same recipe; and the means to find out what other sets
/// hold: wrong rows, duplicates in disguise, leaks between train and test.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Make(make::Args),
    Check(check::Args),
    Leaks(leaks::Args),
    Describe(describe::Args),
    Label(label::Args),
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    match args.command {
        Command::Make(args) => make::run(&args, context),
        Command::Check(args) => check::run(&args, context),
        Command::Leaks(args) => leaks::run(&args, context),
        Command::Describe(args) => describe::run(&args, context),
        Command::Label(args) => label::run(&args, context),
    }
}

/// Threads to work on.
fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::bad_input(format!("cannot start threads: {error}")))
}

/// A bar on terminals that leaves no trace.
fn bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    let template = match length {
        0 => "{spinner} {msg}  {elapsed}",
        _ => "{bar:30} {percent:>3} %  {msg}  {eta} left",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// What is said when work was stopped.
fn stopped(stop: Stop, then: &str) -> Exit {
    let by = match stop {
        Stop::Cancelled => "Ctrl-C",
        other => other.name(),
    };
    complain(format_args!("stopped by {by}; {then}"));
    Exit::Stopped
}
