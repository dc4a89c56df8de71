//! `planoku count`: how many solutions, and nothing kept.

use std::path::PathBuf;
use std::time::Duration;

use super::solve;
use crate::exit::{Context, Exit, Failure};
use crate::values;

/// Count the solutions of puzzles; each is verified and none is kept.
///
/// One line a puzzle: the number of its solutions. If the count was not brought
/// to its end, the line says so after `#`: `1000  # or more: as many as wanted`.
/// Without --limit all solutions are counted, and Ctrl-C shows the count so
/// far. That no solution is counted twice is checked exactly for the first
/// 65,536 of a puzzle, then on a sample.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input.
    #[arg(required = true)]
    input: Vec<String>,
    /// The engine to use; it must count, see `planoku engines`.
    #[arg(long, short, value_name = "NAME", value_parser = values::offered(values::engines, values::any), hide_possible_values = true)]
    engine: Vec<String>,
    /// Stop at this many solutions of a puzzle.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Time for each puzzle, such as 10s or 500ms.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// Search nodes for each puzzle.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Memory for each puzzle, such as 512M.
    #[arg(long, value_name = "SIZE", value_parser = values::bytes)]
    memory: Option<u64>,
    /// How many puzzles are looked at at once; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Write results to a file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let args = solve::Args {
        input: args.input,
        engine: args.engine,
        limit: args.limit,
        count: true,
        time: args.time,
        nodes: args.nodes,
        memory: args.memory,
        threads: args.threads,
        shard: None,
        trace: None,
        trace_limit: solve::TRACE_LIMIT,
        json: args.json,
        format: None,
        output: args.output,
        pencil: false,
        svg: None,
    };
    solve::run(args, context)
}
