//! Any engine, watched: the same search as ever, and a trace of it.

use std::sync::{Mutex, PoisonError};

use planoku_engine::{
    Budget, Cancel, End, Ended, Engine, EngineError, Event as Told, Leave, Profile, Run, Sink,
    Stats,
};
use planoku_sudoku::Grid;

use super::people::{PEOPLE, People};
use super::robots::{Robots, header as robots_header};
use super::sat::Sat;
use super::search::Search;
use super::{BoardChange, Player, Recorder, Trace, TraceEvent, TraceHeader, TraceKind, lock, plan};
use crate::agents::Agents;
use crate::agents::judge::unique_solution;
use crate::formulate::planning::Vocabulary;
use crate::formulate::sat::WATCHED;
use crate::{Solution, registry, solve};

/// What to watch, and what it may cost.
#[derive(Clone, Debug)]
pub struct WatchRequest {
    /// Solutions to look for; a trace of 1 ends with the solution on the board.
    pub wanted: u64,
    /// What the search may spend.
    pub budget: Budget,
    /// A switch to stop it.
    pub cancel: Cancel,
    /// Events of the trace.
    pub limit: usize,
}

impl Default for WatchRequest {
    /// One solution, without a budget.
    fn default() -> WatchRequest {
        WatchRequest {
            wanted: 1,
            budget: Budget::default(),
            cancel: Cancel::new(),
            limit: super::LIMIT,
        }
    }
}

/// A search and its trace.
#[derive(Clone, Debug)]
pub struct Watched {
    /// What happened.
    pub trace: Trace,
    /// How the search ended.
    pub end: End,
    /// What it cost.
    pub stats: Stats,
    /// Solutions found.
    pub found: u64,
}

/// What a trace of the engine shows.
pub fn kind_of(engine: &str) -> TraceKind {
    let first = engine.split([':', '+']).next().unwrap_or(engine);
    match first {
        PEOPLE => TraceKind::People,
        "cdcl" => TraceKind::Sat,
        "agents" => TraceKind::Robots,
        "native" | "reference" | "sat" | "dlx" => TraceKind::Answer,
        _ => match Vocabulary::by(engine) {
            Some(said) if said.is_hierarchical() => TraceKind::Htn,
            Some(_) => TraceKind::Strips,
            None => TraceKind::Search,
        },
    }
}

/// Everything that can be watched, with what its trace shows: the registry,
/// and [`PEOPLE`].
pub fn engines() -> Vec<(Profile, TraceKind)> {
    let people = Profile::new(PEOPLE, "techniques that people use, easiest first");
    let listed = registry::engines().into_iter();
    listed
        .map(|engine| engine.profile())
        .chain([people])
        .map(|profile| {
            let kind = kind_of(&profile.name);
            (profile, kind)
        })
        .collect()
}

/// Runs the engine of that name, hands each verified solution to `sink`, and
/// tells how it came about. `hear` is told what the engine says while it says
/// it, which is the place for signs of life.
///
/// ```
/// use planoku_workbench::trace::{Player, WatchRequest, watch};
///
/// let puzzle = "1.....2..3.....4".parse().unwrap();
/// let mut ignore = |_: &_| ();
/// let watched = watch("cbj", &puzzle, &WatchRequest::default(), &mut ignore, &mut |_| Ok(())).unwrap();
/// let mut player = Player::new(&watched.trace);
/// while player.forward() {}
/// assert_eq!(player.board().to_string(), "1243342143122134");
/// ```
pub fn watch(
    engine: &str,
    puzzle: &Grid,
    asked: &WatchRequest,
    hear: &mut (dyn FnMut(&Told) + Send),
    sink: &mut Sink<'_, Solution>,
) -> Result<Watched, EngineError> {
    let kind = kind_of(engine);
    let header = TraceHeader::new(engine, kind, puzzle);
    let recorder = |header: TraceHeader| Recorder::new(header, asked.limit);
    let mut first: Option<Solution> = None;
    let mut found = 0;
    let mut keep = |solution: Solution| {
        found += 1;
        if first.is_none() {
            first = Some(solution.clone());
        }
        sink(solution)
    };
    let listed =
        || registry::find(engine).map_err(|error| EngineError::Unsupported(error.to_string()));
    let (mut recorder, ended) = match kind {
        TraceKind::Search => {
            let mut search = Search::new(recorder(header));
            let mut tell = |told: &Told| {
                hear(told);
                search.event(told);
            };
            let ended = run(&*listed()?, puzzle, asked, &mut tell, &mut keep)?;
            (search.finish(), ended)
        }
        TraceKind::Sat => {
            let mut sat = Sat::new(recorder(header), WATCHED.say(puzzle));
            let mut tell = |told: &Told| {
                hear(told);
                sat.event(told);
            };
            let ended = run(&*listed()?, puzzle, asked, &mut tell, &mut keep)?;
            (sat.finish(), ended)
        }
        TraceKind::Robots => {
            let agents = Agents::named(engine)
                .map_err(|error| EngineError::Unsupported(error.to_string()))?;
            let solution = unique_solution(puzzle, JUDGE_NODES);
            let header = robots_header(engine, puzzle, solution.as_ref(), &agents.settings());
            let heard = Heard {
                agents,
                robots: Mutex::new(Robots::new(header, asked.limit)),
            };
            let ended = run(&heard, puzzle, asked, hear, &mut keep)?;
            let robots = heard.robots.into_inner();
            let robots = robots.unwrap_or_else(PoisonError::into_inner);
            (robots.into_recorder(), ended)
        }
        TraceKind::People => {
            let people = People {
                recorder: Mutex::new(recorder(header)),
            };
            let ended = run(&people, puzzle, asked, hear, &mut keep)?;
            let recorder = people.recorder.into_inner();
            (recorder.unwrap_or_else(PoisonError::into_inner), ended)
        }
        TraceKind::Htn | TraceKind::Strips | TraceKind::Answer => {
            let mut recorder = recorder(header);
            let mut tell = |told: &Told| {
                hear(told);
                if let Told::Progress { stage, nodes, best } = told {
                    recorder.push(super::search::progress(stage, *nodes, *best));
                }
            };
            let ended = run(&*listed()?, puzzle, asked, &mut tell, &mut keep)?;
            (recorder, ended)
        }
    };
    if let Some(solution) = &first {
        let witness = solution.witness.as_ref();
        match (kind, witness, Vocabulary::by(engine)) {
            (TraceKind::Htn | TraceKind::Strips, Some(witness), Some(said)) => {
                let nodes = ended.stats.nodes;
                recorder.push(TraceEvent::note(format!(
                    "a plan, after {nodes} nodes of search"
                )));
                plan::record(&witness.text, &said, puzzle, &mut recorder);
            }
            (TraceKind::Answer, ..) => fill(&solution.grid, &mut recorder),
            _ => {}
        }
    }
    let nodes = Some(ended.stats.nodes);
    let trace = recorder.finish(ended.end.name(), found, nodes);
    if let (1, Some(solution)) = (asked.wanted, &first) {
        check(&trace, solution)?;
    }
    Ok(Watched {
        trace,
        end: ended.end,
        stats: ended.stats,
        found,
    })
}

/// Nodes the judge of robots may spend on what the only solution is.
const JUDGE_NODES: u64 = 2_000_000;

fn run(
    engine: &dyn Engine<Grid, Answer = Solution>,
    puzzle: &Grid,
    asked: &WatchRequest,
    tell: &mut (dyn FnMut(&Told) + Send),
    sink: &mut Sink<'_, Solution>,
) -> Result<Ended, EngineError> {
    let mut run = Run::limit(asked.wanted)
        .with_budget(asked.budget)
        .with_cancel(asked.cancel.clone())
        .with_observer(tell);
    solve::solve_into(engine, puzzle, &mut run, sink)
}

/// An engine that does not tell how it came to its answer.
fn fill(solution: &Grid, recorder: &mut Recorder) {
    let puzzle = recorder.header().puzzle.clone();
    let engine = recorder.header().engine.clone();
    recorder.push(TraceEvent::note(format!(
        "{engine} tells its answer, not its steps"
    )));
    for cell in puzzle.blanks() {
        if let Some(digit) = solution.get(cell) {
            recorder.push(TraceEvent::board(BoardChange::Place(cell, digit)));
        }
    }
}

/// A trace that does not end with the solution on the board is our mistake.
fn check(trace: &Trace, solution: &Solution) -> Result<(), EngineError> {
    let mut player = Player::new(trace);
    player.go_to(trace.events.len());
    match player.board() == solution.grid {
        true => Ok(()),
        false => {
            let engine = &trace.header.engine;
            let what = format!("the trace of {engine} does not end with its solution");
            Err(EngineError::Internal(what))
        }
    }
}

/// Robots with somebody who writes down what they say.
struct Heard {
    agents: Agents,
    robots: Mutex<Robots>,
}

impl Engine<Grid> for Heard {
    type Answer = Solution;

    fn profile(&self) -> Profile {
        self.agents.profile()
    }

    fn solve_into(
        &self,
        puzzle: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Solution>,
    ) -> Result<Ended, EngineError> {
        let mut note = |event| lock(&self.robots).event(event);
        let mut wrap = |grid: Grid| -> Result<(), Leave> {
            sink(Solution {
                grid,
                witness: None,
            })
        };
        let agents = &self.agents;
        agents.solve_heard(puzzle, run, &mut wrap, Some(&mut note))
    }
}
