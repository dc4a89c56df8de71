//! The solving itself: every puzzle of a chunk through every engine asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};

use planoku_engine::{Budget, Cancel, EngineError, Run};
use planoku_sudoku::Grid;
use planoku_workbench::SudokuEngine;
use rayon::prelude::*;

use super::Args;
use super::attempt::{Attempt, Record};
use super::trace::Trace;
use crate::exit::{Context, Failure};
use crate::input::Item;

/// Solutions looked for if nobody says how many: enough to name the number
/// where a puzzle has only a few.
const LIMIT: u64 = 10;

/// Planners recurse deeply; untouched stack costs nothing.
pub const STACK: usize = 256 << 20;

/// Engines, their budget, and the threads they run on.
pub struct Work {
    settings: Settings,
    pool: rayon::ThreadPool,
    trace: Option<Trace>,
}

/// What is done with each puzzle.
pub struct Settings {
    engines: Vec<SudokuEngine>,
    limit: Option<u64>,
    budget: Budget,
    cancel: Cancel,
}

impl Work {
    /// The threads and the trace that the arguments ask for.
    pub fn new(args: &Args, settings: Settings) -> Result<Work, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(args.threads.map_or(0, usize::from))
            .stack_size(STACK)
            .build()
            .map_err(|error| Failure::bad_input(format!("cannot start threads: {error}")))?;
        Ok(Work {
            settings,
            pool,
            trace: args.trace.as_deref().map(Trace::create).transpose()?,
        })
    }

    /// Solves a chunk on all cores; the records come back in order.
    pub fn solve(&mut self, chunk: Vec<Item>) -> Vec<Record> {
        let Work {
            settings,
            pool,
            trace,
        } = self;
        pool.install(|| match trace {
            Some(trace) => chunk
                .into_iter()
                .map(|item| settings.solve(item, Some(&mut *trace)))
                .collect(),
            None => chunk
                .into_par_iter()
                .map(|item| settings.solve(item, None))
                .collect(),
        })
    }

    /// Completes the trace, if there is one.
    pub fn finish(self) -> Result<(), Failure> {
        self.trace.map_or(Ok(()), Trace::finish)
    }
}

impl Settings {
    /// What the arguments ask for.
    pub fn new(args: &Args, context: &Context) -> Result<Settings, Failure> {
        Ok(Settings {
            engines: engines(&args.engine)?,
            limit: args.limit,
            budget: Budget {
                time: args.time,
                nodes: args.nodes,
                memory: args.memory,
            },
            cancel: context.cancel.clone(),
        })
    }

    /// Every engine's attempt at a puzzle.
    pub fn solve(&self, item: Item, mut trace: Option<&mut Trace>) -> Record {
        let attempts = match &item.puzzle {
            Err(_) => Vec::new(),
            Ok(puzzle) => {
                let attempt = |engine| self.attempt(engine, puzzle, trace.as_deref_mut());
                self.engines.iter().map(attempt).collect()
            }
        };
        Record { item, attempts }
    }

    fn attempt(&self, engine: &SudokuEngine, puzzle: &Grid, trace: Option<&mut Trace>) -> Attempt {
        let profile = engine.profile();
        let limit = match self.limit {
            _ if !profile.counts => 1,
            limit => limit.unwrap_or(LIMIT),
        };
        let mut observer = trace.map(|trace| {
            trace.begin(puzzle, &profile.name);
            move |event: &_| trace.event(event)
        });
        let mut run = Run::limit(limit)
            .with_budget(self.budget)
            .with_cancel(self.cancel.clone());
        if let Some(observer) = &mut observer {
            run = run.with_observer(observer);
        }
        // One engine's mistake must not cost the answers of the others.
        let solved = catch_unwind(AssertUnwindSafe(|| {
            planoku_workbench::solve::solve(engine, puzzle, &mut run)
        }));
        let result = solved.unwrap_or_else(|_| {
            let what = format!("{} panicked on {puzzle}", profile.name);
            Err(EngineError::Internal(what))
        });
        Attempt {
            engine: profile.name,
            result,
        }
    }
}

/// The engines of those names; the first of the registry if none is named.
fn engines(names: &[String]) -> Result<Vec<SudokuEngine>, Failure> {
    if names.is_empty() {
        let first = planoku_workbench::engines().into_iter().next();
        let first = first.ok_or_else(|| Failure::fault("no engine is registered"))?;
        return Ok(vec![first]);
    }
    let by_name = |name: &String| {
        planoku_workbench::engine(name).ok_or_else(|| {
            if let Some(why) = planoku_workbench::registry::refusal(name) {
                return Failure::bad_input(why);
            }
            let known: Vec<String> = planoku_workbench::engines()
                .iter()
                .map(|engine| engine.profile().name.into_owned())
                .collect();
            Failure::bad_input(format!(
                "there is no engine `{name}`; there are {}",
                known.join(", ")
            ))
        })
    };
    names.iter().map(by_name).collect()
}
