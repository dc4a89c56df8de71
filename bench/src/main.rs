//! Benchmarks that nothing else depends on.
//!
//! `peers` measures the native engine beside the crate `sudoku`, in one
//! interleaved run; `files` measures the command on files, on one thread and
//! several; `sat` measures Sudoku as SAT; `csp` measures the constraint
//! engines beside each other and beside the times their paper printed; `explain`
//! measures the easiest explanations beside the usual scale's path; `ipc`
//! runs the planning portfolio on competition instances, one process each, and
//! `lengths` holds its plans against the shortest known, `members` its time and
//! memory against what each of its members needs alone, and `learn` fits to that
//! how the team guesses who will plan; `rate`
//! compares ratings and their times with a table of the reference program.
//! Benchmarks are named verb/engine/corpus. `torture` measures nothing: it looks
//! for problems on which some planner says something untrue.

mod agents;
mod corpus;
mod csp;
mod explain;
mod files;
mod ipc;
mod judge;
mod outside;
mod peers;
mod rate;
mod sat;
mod sizes;
mod torture;

use std::alloc::System;

use clap::{Parser, Subcommand};
use planoku_engine::memory::Counting;

/// Memory limits go by what is counted here, as they do in the command.
#[global_allocator]
static ALLOCATOR: Counting<System> = Counting(System);

/// Planoku's benchmarks beside its peers.
#[derive(Parser)]
#[command(name = "planoku-bench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Csp(csp::Args),
    Explain(explain::Args),
    Files(files::Args),
    Ipc(ipc::Args),
    #[command(hide = true)]
    IpcOne(ipc::OneArgs),
    Lengths(ipc::lengths::Args),
    Members(ipc::members::Args),
    Learn(ipc::learn::Args),
    Peers(peers::Args),
    Rate(rate::Args),
    Agents(agents::Args),
    Sat(sat::Args),
    Sizes(sizes::Args),
    Torture(torture::Args),
    #[command(hide = true)]
    TortureWorker(torture::WorkerArgs),
    #[command(hide = true)]
    TortureShrink(torture::ShrinkArgs),
    #[command(hide = true)]
    TortureProbe(torture::ProbeArgs),
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().command {
        Command::Csp(args) => csp::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Files(args) => files::run(&args),
        Command::Ipc(args) => ipc::run(&args),
        Command::IpcOne(args) => ipc::run_one(&args),
        Command::Lengths(args) => ipc::lengths::run(&args),
        Command::Members(args) => ipc::members::run(&args),
        Command::Learn(args) => ipc::learn::run(&args),
        Command::Peers(args) => peers::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Agents(args) => agents::run_experiments(&args),
        Command::Sat(args) => sat::run(&args),
        Command::Sizes(args) => sizes::run(&args),
        Command::Torture(args) => match torture::run(&args) {
            Ok(code) => return code,
            Err(message) => Err(message),
        },
        Command::TortureWorker(args) => torture::run_worker(&args),
        Command::TortureShrink(args) => torture::run_shrink(&args),
        Command::TortureProbe(args) => torture::run_probe(&args),
    };
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            std::process::ExitCode::from(30)
        }
    }
}
