//! One puzzle after the other, for commands that write files or explain.
//!
//! A mistake in the input is reported with its place and the rest goes on; the
//! command ends with the highest code any puzzle earned.

use std::time::Duration;

use planoku_engine::{Budget, Cancel, Run, Stop};
use planoku_sudoku::Grid;

use crate::exit::{Context, Exit, Failure};
use crate::input::Input;
use crate::output::{Output, complain, stopped_by};
use crate::values;

/// What every command of this kind may spend on one puzzle.
#[derive(clap::Args, Default)]
pub struct Limits {
    /// Time for each puzzle, such as 10s or 500ms.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub time: Option<Duration>,
    /// Search nodes for each puzzle: conflicts, calls of the solver, steps of a
    /// proof.
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

impl Limits {
    /// A run for one puzzle.
    pub fn run(&self, context: &Context) -> Run<'static> {
        self.run_until(&context.cancel)
    }

    /// A run for one puzzle that ends when it is cancelled.
    pub fn run_until(&self, cancel: &Cancel) -> Run<'static> {
        let budget = Budget {
            time: self.time,
            nodes: self.nodes,
            memory: None,
        };
        Run::limit(1)
            .with_budget(budget)
            .with_cancel(cancel.clone())
    }
}

/// Asks about every puzzle, and writes what `say` makes of the answer. A
/// budget that runs out costs that puzzle only.
pub fn answer<A>(
    inputs: &[String],
    limits: &Limits,
    context: &Context,
    ask: impl Fn(&Grid, &mut Run<'_>) -> Result<A, Stop>,
    say: impl Fn(&Output, &Grid, A) -> (String, Exit),
) -> Result<Exit, Failure> {
    let mut out = Output::stdout();
    let exit = puzzle(inputs, context, |_, puzzle| {
        match ask(puzzle, &mut limits.run(context)) {
            Ok(answer) => {
                let (text, exit) = say(&out, puzzle, answer);
                out.write(&text)?;
                Ok(exit)
            }
            Err(stop) => {
                complain(format_args!(
                    "{puzzle}: stopped by {stop}",
                    stop = stopped_by(stop)
                ));
                Ok(Exit::Stopped)
            }
        }
    })?;
    out.flush()?;
    Ok(exit)
}

/// Calls `work` on every puzzle, with its number from 1.
pub fn puzzle(
    inputs: &[String],
    context: &Context,
    mut work: impl FnMut(usize, &Grid) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let input = Input::open(inputs);
    let (mut exit, mut number) = (Exit::Done, 0);
    loop {
        let items = input.next_chunk(1, &context.cancel);
        if context.cancel.is_cancelled() {
            complain("stopped by Ctrl-C; what was done so far is kept");
            return Ok(exit.max(Exit::Stopped));
        }
        let Some(item) = items.first() else {
            return Ok(exit);
        };
        match &item.puzzle {
            Ok(grid) => {
                number += 1;
                exit = exit.max(work(number, grid)?);
            }
            Err(_) => {
                complain(format_args!(
                    "error: {}",
                    item.mistake().unwrap_or_default()
                ));
                exit = exit.max(Exit::BadInput);
            }
        }
    }
}
