//! Benchmarks that nothing else depends on.
//!
//! `peers` measures the native engine beside the crate `sudoku`, in one
//! interleaved run; `sat` measures Sudoku as SAT; `csp` measures the constraint
//! engines beside each other and beside the times their paper printed.
//! Benchmarks are named verb/engine/corpus.

mod corpus;
mod csp;
mod peers;
mod sat;

use clap::{Parser, Subcommand};

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
    Peers(peers::Args),
    Sat(sat::Args),
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().command {
        Command::Csp(args) => csp::run(&args),
        Command::Peers(args) => peers::run(&args),
        Command::Sat(args) => sat::run(&args),
    };
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            std::process::ExitCode::from(30)
        }
    }
}
