//! A search as a trace: signs of life while it runs, the events when it is
//! done, since only then is it known what is deep enough to be left out.

use std::time::Duration;

use planoku_engine::clock::Instant;
use planoku_engine::{EngineError, Event as Told};
use planoku_sudoku::Grid;
use planoku_workbench::registry::find;
use planoku_workbench::trace::{self, Trace, WatchRequest};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::solve::no_engine;
use crate::{Allowance, Problem, Wish, one_puzzle};

/// Events of a trace on the page, and at most.
const EVENTS: usize = 20_000;
const MOST_EVENTS: usize = 100_000;

/// Events told at a time.
const CHUNK: usize = 500;

/// Between two signs of life.
const SIGN: Duration = Duration::from_millis(200);

/// What to watch.
#[derive(Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// A puzzle in any format that `planoku solve` reads.
    puzzle: String,
    /// A name of `/api/v1/watch/engines`, or any other engine.
    engine: String,
    /// Events of the trace, up to 100,000; 20,000 if absent. The deepest are
    /// left out where there would be more.
    limit: Option<usize>,
    /// Milliseconds the search may take, within the limit of the service.
    time_ms: Option<u64>,
    /// Nodes the search may take, within the limit of the service.
    nodes: Option<u64>,
}

/// Something that can be watched.
#[derive(Serialize, ToSchema)]
pub struct Watchable {
    /// What to pass as `engine`.
    name: String,
    /// How it thinks, in a line.
    summary: String,
    /// What its trace shows: `search`, `sat`, `htn`, `strips`, `robots`,
    /// `people` or `answer`.
    kind: String,
}

/// What can be watched: every engine, and the techniques of people.
pub fn engines() -> Vec<Watchable> {
    let rows = trace::engines().into_iter();
    let rows = rows.map(|(profile, kind)| Watchable {
        name: profile.name.into(),
        summary: profile.summary.into(),
        kind: kind.name().to_owned(),
    });
    rows.collect()
}

/// A search that is about to be watched: its puzzle and its engine exist.
pub struct Search {
    puzzle: Grid,
    engine: String,
    limit: usize,
}

impl Watch {
    /// What it wishes to spend.
    pub fn wish(&self) -> Wish {
        Wish {
            time_ms: self.time_ms,
            nodes: self.nodes,
        }
    }

    /// The search, or why there is none.
    pub fn search(&self) -> Result<Search, Problem> {
        let puzzle = one_puzzle(&self.puzzle)?;
        if self.engine != trace::PEOPLE {
            find(&self.engine).map_err(|error| no_engine(&error))?;
        }
        Ok(Search {
            puzzle,
            engine: self.engine.clone(),
            limit: self.limit.unwrap_or(EVENTS).clamp(100, MOST_EVENTS),
        })
    }
}

impl Search {
    /// Searches; `sign` hears how many choices were made, some times a second.
    pub fn record(
        &self,
        allowance: &Allowance,
        mut sign: impl FnMut(u64) + Send,
    ) -> Result<Trace, Problem> {
        let asked = WatchRequest {
            wanted: 1,
            budget: allowance.budget,
            cancel: allowance.cancel.clone(),
            limit: self.limit,
        };
        let (mut choices, mut last) = (0_u64, Instant::now());
        let mut hear = |told: &Told| {
            match told {
                Told::Assign { .. } => choices += 1,
                Told::Progress { nodes, .. } => choices = *nodes,
                _ => return,
            }
            if choices.is_multiple_of(256) && last.elapsed() > SIGN {
                last = Instant::now();
                sign(choices);
            }
        };
        let watched = trace::watch(&self.engine, &self.puzzle, &asked, &mut hear, &mut |_| {
            Ok(())
        });
        let watched = watched.map_err(|error| match error {
            EngineError::Unsupported(why) => Problem::bad_input(why),
            other => other.into(),
        })?;
        Ok(watched.trace)
    }
}

/// The events of a trace as JSON lists, some hundred at a time.
pub fn chunks(trace: &Trace) -> impl Iterator<Item = String> {
    let shape = trace.header.puzzle.shape();
    let chunks = trace.events.chunks(CHUNK).enumerate();
    chunks.map(move |(nth, events)| {
        let numbered = events.iter().enumerate();
        let numbered = numbered.map(|(at, event)| event.json((nth * CHUNK + at + 1) as u64, shape));
        format!("[{}]", numbered.collect::<Vec<_>>().join(","))
    })
}
