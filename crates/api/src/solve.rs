//! Solving a puzzle with any engine.

use planoku_engine::End;
use planoku_workbench::registry::NameError;
use planoku_workbench::solve::solve_into;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Allowance, Problem, Question, Wish, one_puzzle};

/// Solutions that one answer holds.
const MOST: u64 = 100;

/// A puzzle, and who shall solve it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"puzzle": crate::EXAMPLE, "engine": "native"}))]
pub struct Solve {
    /// A puzzle in any format that `planoku solve` reads.
    puzzle: String,
    /// A name of `/api/v1/engines`; `native` if absent.
    engine: Option<String>,
    /// How many solutions are wanted, up to 100; 2 if absent, which decides
    /// whether the solution is the only one.
    limit: Option<u64>,
    /// Milliseconds to spend, within the limit of the service.
    time_ms: Option<u64>,
    /// Search nodes to spend, within the limit of the service.
    nodes: Option<u64>,
}

/// What an engine found.
#[derive(Serialize, ToSchema)]
pub struct Solved {
    /// The cells of the puzzle, row by row.
    puzzle: String,
    /// Who solved it.
    engine: String,
    /// `exhausted`: there are no others; `enough`; `incomplete`; `stopped`.
    end: String,
    /// `time`, `nodes`, `memory` or `cancelled` if stopped.
    stopped_by: Option<String>,
    /// Solutions, each verified.
    solutions: Vec<String>,
    /// Search nodes, as the engine counts them.
    nodes: u64,
    /// Time spent, in microseconds.
    time_us: u64,
    /// Every solution passed the verifier: nothing else is ever returned. Null
    /// where none was found, since then there was nothing to verify.
    verified: Option<bool>,
}

impl Question for Solve {
    type Answer = Solved;

    fn wish(&self) -> Wish {
        Wish {
            time_ms: self.time_ms,
            nodes: self.nodes,
        }
    }

    fn answer(&self, allowance: &Allowance) -> Result<Solved, Problem> {
        let puzzle = one_puzzle(&self.puzzle)?;
        let name = self.engine.as_deref().unwrap_or("native");
        let engine = planoku_workbench::find(name).map_err(|error| no_engine(&error))?;
        let limit = self.limit.unwrap_or(2).clamp(1, MOST);
        let mut solutions = Vec::new();
        let mut run = allowance.run(limit);
        let ended = solve_into(&*engine, &puzzle, &mut run, &mut |solution| {
            solutions.push(solution.grid.to_string());
            Ok(())
        })?;
        Ok(Solved {
            puzzle: puzzle.to_string(),
            engine: engine.profile().name.into(),
            end: ended.end.name().to_owned(),
            stopped_by: match ended.end {
                End::Stopped(stop) => Some(stop.name().to_owned()),
                _ => None,
            },
            verified: (!solutions.is_empty()).then_some(true),
            solutions,
            nodes: ended.stats.nodes,
            time_us: ended.stats.time.as_micros().try_into().unwrap_or(u64::MAX),
        })
    }
}

/// Nobody answers to that name.
pub fn no_engine(error: &NameError) -> Problem {
    Problem::bad_input(format!("{error}; see /api/v1/engines"))
}
