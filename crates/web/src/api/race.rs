//! A race: every engine on one puzzle at once, told by server-sent events.
//!
//! Each engine runs on a thread of its own with the same budget; a sample of
//! all lanes is sent some times a second. A lane is cancelled by
//! `POST /api/v1/race/cancel`, all of them when the client leaves. One race
//! runs at a time: it takes every core as it is.
//!
//! | event | data |
//! |---|---|
//! | `start` | the race's name, its lanes, how many cells are blank |
//! | `lanes` | the time so far, and lanes that have changed |
//! | `refused` | why there is no race: a problem |

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{get, post};
use axum::{Json, Router};
use planoku_api::solve::no_engine;
use planoku_api::{Problem, Wish, one_puzzle};
use planoku_engine::{Budget, Cancel, End, Event as Told, Run};
use planoku_sudoku::Grid;
use planoku_workbench::registry::find;
use planoku_workbench::{SudokuEngine, solve, trace};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::{IntoParams, ToSchema};

use super::Asked;
use super::stream::StreamEvent;
use crate::App;
use crate::problem::RequestRefused;

/// Its addresses.
pub fn router() -> Router<App> {
    Router::new()
        .route("/race", get(race))
        .route("/race/cancel", post(cancel))
}

/// Time for each engine if nobody says how much.
const TIME: Duration = Duration::from_secs(10);

/// Between two samples.
const SAMPLE: Duration = Duration::from_millis(80);

/// What to race on.
#[derive(Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Race {
    /// A puzzle in any format that `planoku solve` reads.
    puzzle: String,
    /// Names of `/api/v1/engines`, with commas between; all of them if absent.
    engines: Option<String>,
    /// Milliseconds for each engine, within the limit of the service; 10,000 if
    /// absent.
    time_ms: Option<u64>,
}

/// Which lane to cancel.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"race": "r1", "engine": "native"}))]
pub struct CancelLane {
    /// The race's name, as its `start` says.
    race: String,
    /// The lane; every lane if absent.
    engine: Option<String>,
}

/// How many lanes were told to stop.
#[derive(Serialize, ToSchema)]
pub struct Cancelled {
    cancelled: usize,
}

/// What a lane has done so far.
#[derive(Clone, Serialize, ToSchema)]
pub struct Lane {
    engine: String,
    /// Digits that stand on the board, apart from clues.
    placed: u64,
    /// Choices so far; at the end nodes, as the engine counts them.
    nodes: u64,
    /// Time so far, in microseconds.
    time_us: u64,
    /// How it ended: `enough`, `exhausted`, `incomplete`, `time`, `nodes`,
    /// `memory`, `cancelled`, or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    /// A solution was found, and verified.
    solved: bool,
}

/// The races that run, by name.
static RACES: Mutex<Option<HashMap<String, HashMap<String, Cancel>>>> = Mutex::new(None);
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// All engines on one puzzle, as server-sent events: `start`, then `lanes`.
#[utoipa::path(get, path = "/race", tag = "race", params(Race),
    responses((status = 200, description = "server-sent events", content_type = "text/event-stream", body = StreamEvent),
        (status = 400, description = "not a puzzle, or no such engine", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "another race is running", body = Problem, content_type = "application/problem+json")))]
pub async fn race(
    State(app): State<App>,
    asked: Result<Query<Race>, QueryRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, RequestRefused> {
    let Query(asked) = asked.map_err(|error| Problem::bad_input(error.body_text()))?;
    let puzzle = one_puzzle(&asked.puzzle)?;
    let engines = engines(asked.engines.as_deref())?;
    let time = asked.time_ms.map_or(TIME, Duration::from_millis);
    let budget = app
        .queue
        .budget(Wish::time(u64::try_from(time.as_millis()).ok()));
    let place = app.queue.stream()?;
    let entry = Entry::new(&engines)?;
    let (send, receive) = mpsc::channel::<Result<Event, Infallible>>(16);
    tokio::spawn(async move {
        let _place = place;
        let updates = send.clone();
        // The samples go on until every lane has ended, a little after its time.
        let whole = Budget {
            time: None,
            ..budget
        };
        let work = app.queue.work(whole, move |_| {
            run(&engines, &puzzle, budget, &entry, &updates);
            Ok(())
        });
        let done = tokio::select! {
            done = work => done,
            () = send.closed() => return,
        };
        if let Err(problem) = done {
            let data = serde_json::to_string(&problem).unwrap_or_default();
            let _ = send
                .send(Ok(Event::default().event("refused").data(data)))
                .await;
        }
    });
    Ok(Sse::new(ReceiverStream::new(receive)).keep_alive(KeepAlive::default()))
}

/// Cancels a lane of a race, or all of them.
#[utoipa::path(post, path = "/race/cancel", tag = "race", request_body = CancelLane,
    responses((status = 200, description = "how many lanes were told", body = Cancelled),
        (status = "4XX", description = "no such race is running, or not what was expected", body = Problem, content_type = "application/problem+json")))]
pub async fn cancel(Asked(asked): Asked<CancelLane>) -> Result<Json<Cancelled>, RequestRefused> {
    let races = lock(&RACES);
    let lanes = races.as_ref().and_then(|races| races.get(&asked.race));
    let lanes = lanes.ok_or_else(|| Problem::bad_input("that race is over, or never began"))?;
    let chosen = lanes
        .iter()
        .filter(|(engine, _)| asked.engine.as_ref().is_none_or(|name| name == *engine));
    let cancelled = chosen.map(|(_, cancel)| cancel.cancel()).count();
    Ok(Json(Cancelled { cancelled }))
}

fn engines(names: Option<&str>) -> Result<Vec<SudokuEngine>, Problem> {
    let Some(names) = names else {
        return Ok(planoku_workbench::engines());
    };
    let mut engines = Vec::new();
    for name in names.split(',').map(str::trim).take(64) {
        let engine = find(name);
        engines.push(engine.map_err(|error| no_engine(&error))?);
    }
    Ok(engines)
}

/// A race among those that run; dropping it cancels its lanes.
struct Entry {
    name: String,
    lanes: HashMap<String, Cancel>,
}

impl Entry {
    fn new(engines: &[SudokuEngine]) -> Result<Entry, Problem> {
        let mut races = lock(&RACES);
        let races = races.get_or_insert_default();
        if !races.is_empty() {
            return Err(Problem::busy("another race is running"));
        }
        let lanes: HashMap<String, Cancel> = engines
            .iter()
            .map(|engine| (engine.profile().name.into_owned(), Cancel::new()))
            .collect();
        let name = format!("race-{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        races.insert(name.clone(), lanes.clone());
        Ok(Entry { name, lanes })
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        for cancel in self.lanes.values() {
            cancel.cancel();
        }
        if let Some(races) = lock(&RACES).as_mut() {
            races.remove(&self.name);
        }
    }
}

/// Runs every lane on a thread and sends samples until all have ended or the
/// reader has left.
fn run(
    engines: &[SudokuEngine],
    puzzle: &Grid,
    budget: Budget,
    entry: &Entry,
    updates: &mpsc::Sender<Result<Event, Infallible>>,
) {
    let started = Instant::now();
    let lanes: Vec<Arc<Track>> = engines
        .iter()
        .map(|engine| Arc::new(Track::new(engine.profile().name.into_owned())))
        .collect();
    let say = |name: &str, data: String| {
        let event = Event::default().event(name).data(data);
        updates.blocking_send(Ok(event)).is_ok()
    };
    if !say("start", start(engines, puzzle, entry)) {
        return;
    }
    std::thread::scope(|scope| {
        for (engine, track) in engines.iter().zip(&lanes) {
            let cancel = entry.lanes.get(&track.name).cloned().unwrap_or_default();
            let track = Arc::clone(track);
            let started = std::thread::Builder::new()
                .stack_size(8 << 20)
                .spawn_scoped(scope, move || {
                    race_one(&**engine, puzzle, budget, cancel, &track)
                });
            if started.is_err() {
                continue;
            }
        }
        let mut told: Vec<Option<(u64, u64, bool)>> = vec![None; lanes.len()];
        loop {
            let ended = lanes.iter().all(|lane| lock(&lane.end).is_some());
            let now = started.elapsed();
            let changed = lanes.iter().zip(&mut told).filter_map(|(lane, told)| {
                let lane = lane.sample(now);
                let state = (lane.placed, lane.nodes, lane.end.is_some());
                (told.replace(state) != Some(state)).then_some(lane)
            });
            let changed: Vec<Lane> = changed.collect();
            let time_us = now.as_micros() as u64;
            let data = serde_json::json!({"time_us": time_us, "lanes": changed});
            let heard = say("lanes", data.to_string());
            if !heard {
                entry.lanes.values().for_each(Cancel::cancel);
            }
            if ended || !heard {
                return;
            }
            std::thread::sleep(SAMPLE);
        }
    });
}

fn start(engines: &[SudokuEngine], puzzle: &Grid, entry: &Entry) -> String {
    let lanes: Vec<serde_json::Value> = engines
        .iter()
        .map(|engine| {
            let profile = engine.profile();
            let kind = trace::kind_of(&profile.name).name();
            serde_json::json!({"engine": profile.name, "summary": profile.summary, "kind": kind})
        })
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let blanks = puzzle.blanks().count();
    serde_json::json!({"race": entry.name, "puzzle": puzzle.to_string(), "blanks": blanks,
        "threads": threads, "lanes": lanes})
    .to_string()
}

/// How far a lane is, shared between its thread and the sampler.
struct Track {
    name: String,
    placed: AtomicU64,
    nodes: AtomicU64,
    /// The last sample.
    end: Mutex<Option<Lane>>,
}

impl Track {
    fn new(name: String) -> Track {
        Track {
            name,
            placed: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            end: Mutex::new(None),
        }
    }

    fn sample(&self, now: Duration) -> Lane {
        if let Some(lane) = &*lock(&self.end) {
            return lane.clone();
        }
        Lane {
            engine: self.name.clone(),
            placed: self.placed.load(Ordering::Relaxed),
            nodes: self.nodes.load(Ordering::Relaxed),
            time_us: now.as_micros() as u64,
            end: None,
            solved: false,
        }
    }
}

fn race_one(
    engine: &dyn planoku_engine::Engine<Grid, Answer = planoku_workbench::Solution>,
    puzzle: &Grid,
    budget: Budget,
    cancel: Cancel,
    track: &Track,
) {
    let started = Instant::now();
    let mut counter = Counter::new(puzzle, track);
    let mut hear = |told: &Told| counter.hear(told);
    let mut run = Run::limit(1)
        .with_budget(budget)
        .with_cancel(cancel)
        .with_observer(&mut hear);
    let mut found = 0;
    let solved = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        solve::solve_into(engine, puzzle, &mut run, &mut |_| {
            found += 1;
            Ok(())
        })
    }));
    let (end, nodes) = match solved {
        Ok(Ok(ended)) => {
            let end = match ended.end {
                End::Stopped(stop) => stop.name(),
                end => end.name(),
            };
            (end, ended.stats.nodes)
        }
        _ => ("failed", 0),
    };
    let blanks = puzzle.blanks().count() as u64;
    *lock(&track.end) = Some(Lane {
        engine: track.name.clone(),
        placed: match found {
            0 => track.placed.load(Ordering::Relaxed),
            _ => blanks,
        },
        nodes,
        time_us: started.elapsed().as_micros() as u64,
        end: Some(end.to_owned()),
        solved: found > 0,
    });
}

/// Counts the digits that stand, from what an engine says.
struct Counter<'t> {
    track: &'t Track,
    clue: Vec<bool>,
    /// Values left to each cell, where look-ahead tells.
    left: Vec<u32>,
    chosen: Vec<bool>,
    /// For engines over literals: digits placed since each decision.
    literals: Vec<u64>,
    over_literals: bool,
    placed: i64,
}

impl Counter<'_> {
    fn new<'t>(puzzle: &Grid, track: &'t Track) -> Counter<'t> {
        let clue: Vec<bool> = puzzle.cells().iter().map(Option::is_some).collect();
        Counter {
            left: vec![puzzle.shape().side() as u32; clue.len()],
            chosen: vec![false; clue.len()],
            clue,
            literals: vec![0],
            over_literals: track.name == "cdcl",
            track,
            placed: 0,
        }
    }

    fn hear(&mut self, told: &Told) {
        if let Told::Progress { nodes, .. } = told {
            self.track.nodes.store(*nodes, Ordering::Relaxed);
            return;
        }
        if let Told::Assign { .. } = told {
            self.track.nodes.fetch_add(1, Ordering::Relaxed);
        }
        match self.over_literals {
            true => self.literal(told),
            false => self.cell(told),
        }
        let placed = u64::try_from(self.placed).unwrap_or(0);
        self.track.placed.store(placed, Ordering::Relaxed);
    }

    fn cell(&mut self, told: &Told) {
        let (Told::Assign { variable, .. }
        | Told::Unassign { variable }
        | Told::Prune { variable, .. }
        | Told::Restore { variable, .. }) = told
        else {
            return;
        };
        let at = *variable as usize;
        if self.clue.get(at) != Some(&false) {
            return;
        }
        let before = self.chosen[at] || self.left[at] == 1;
        match told {
            Told::Assign { .. } => self.chosen[at] = true,
            Told::Unassign { .. } => self.chosen[at] = false,
            Told::Prune { .. } => self.left[at] = self.left[at].saturating_sub(1),
            _ => self.left[at] += 1,
        }
        let after = self.chosen[at] || self.left[at] == 1;
        self.placed += i64::from(after) - i64::from(before);
    }

    fn literal(&mut self, told: &Told) {
        match told {
            Told::Assign { value, .. } => {
                self.literals.push(u64::from(*value));
                self.placed += i64::from(*value);
            }
            Told::Derive { value, .. } => {
                if let Some(last) = self.literals.last_mut() {
                    *last += u64::from(*value);
                }
                self.placed += i64::from(*value);
            }
            Told::Unassign { .. } => {
                self.placed -= self.literals.pop().unwrap_or(0) as i64;
            }
            _ => {}
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
