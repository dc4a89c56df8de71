//! Benchmarks that nothing else depends on.
//!
//! `peers` measures the native engine beside the crate `sudoku`, in one
//! interleaved run. Benchmarks are named verb/engine/corpus.

mod corpus;
mod peers;

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
    Peers(peers::Args),
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().command {
        Command::Peers(args) => peers::run(&args),
    };
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            std::process::ExitCode::from(30)
        }
    }
}
