//! Watching: a trace as a stream of server-sent events.
//!
//! The search runs within the limits of the service and is cancelled when the
//! client leaves; signs of life are sent while it runs, the trace when it is
//! done, since only then is it known what is deep enough to be left out. A
//! slow reader holds the trace and a place among the streams, never a turn.
//!
//! | event | data |
//! |---|---|
//! | `progress` | `{"choices": 1200}` while the search runs |
//! | `header` | the header of the trace |
//! | `events` | a list of its events, some hundred at a time |
//! | `refused` | why there is none: a problem |
//! | `done` | `{}` |

use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use axum::{Json, Router};
use planoku_engine::{EngineError, Event as Told};
use planoku_sudoku::Grid;
use planoku_workbench::registry::find;
use planoku_workbench::trace::{self, Asked, Trace};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::{IntoParams, ToSchema};

use super::one_puzzle;
use super::solve::no_engine;
use crate::App;
use crate::problem::Problem;

/// Its addresses.
pub fn router() -> Router<App> {
    Router::new()
        .route("/watch", get(watch))
        .route("/watch/engines", get(engines))
}

/// Events of a trace on the page, and at most.
const EVENTS: usize = 20_000;
const MOST_EVENTS: usize = 100_000;

/// Events sent at a time.
const CHUNK: usize = 500;

/// Between two signs of life.
const SIGN: Duration = Duration::from_millis(200);

/// How long a reader may take for one chunk.
const PATIENCE: Duration = Duration::from_secs(120);

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

/// What can be watched.
#[utoipa::path(get, path = "/watch/engines", tag = "watch",
    responses((status = 200, description = "every engine, and the techniques of people", body = Vec<Watchable>)))]
pub async fn engines() -> Json<Vec<Watchable>> {
    let rows = trace::engines().into_iter();
    let rows = rows.map(|(profile, kind)| Watchable {
        name: profile.name.into(),
        summary: profile.summary.into(),
        kind: kind.name().to_owned(),
    });
    Json(rows.collect())
}

/// A search as a stream of server-sent events: `progress`, `header`, `events`,
/// then `done` or `refused`.
#[utoipa::path(get, path = "/watch", tag = "watch", params(Watch),
    responses((status = 200, description = "server-sent events", content_type = "text/event-stream", body = String),
        (status = 400, description = "not a puzzle, or no such engine", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "too many streams", body = Problem, content_type = "application/problem+json")))]
pub async fn watch(
    State(app): State<App>,
    asked: Result<Query<Watch>, QueryRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let Query(asked) = asked.map_err(|error| Problem::bad_input(error.body_text()))?;
    let puzzle = one_puzzle(&asked.puzzle)?;
    let engine = known(&asked.engine)?;
    let limit = asked.limit.unwrap_or(EVENTS).clamp(100, MOST_EVENTS);
    let budget = app.desk.budget(asked.time_ms, asked.nodes);
    let place = app.desk.stream()?;
    let (send, receive) = mpsc::channel::<Result<Event, Infallible>>(4);
    tokio::spawn(async move {
        let _place = place;
        let signs = send.clone();
        let work = app.desk.work(budget, move |allowance| {
            let asked = Asked {
                wanted: 1,
                budget: allowance.budget,
                cancel: allowance.cancel.clone(),
                limit,
            };
            record(&engine, &puzzle, &asked, |choices| {
                let sign = Event::default()
                    .event("progress")
                    .data(format!("{{\"choices\":{choices}}}"));
                // A reader who is slow misses signs of life and nothing else.
                let _ = signs.try_send(Ok(sign));
            })
        });
        let traced = tokio::select! {
            traced = work => traced,
            // The client has left: dropping the work cancels it.
            () = send.closed() => return,
        };
        match traced {
            Ok(trace) => tell(&send, trace).await,
            Err(problem) => {
                let data = serde_json::to_string(&problem).unwrap_or_default();
                let _ = send
                    .send(Ok(Event::default().event("refused").data(data)))
                    .await;
            }
        }
    });
    Ok(Sse::new(ReceiverStream::new(receive)).keep_alive(KeepAlive::default()))
}

/// The name, if somebody answers to it.
fn known(name: &str) -> Result<String, Problem> {
    if name != trace::PEOPLE {
        find(name).map_err(|error| no_engine(&error))?;
    }
    Ok(name.to_owned())
}

fn record(
    engine: &str,
    puzzle: &Grid,
    asked: &Asked,
    mut sign: impl FnMut(u64) + Send,
) -> Result<Trace, Problem> {
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
    let watched = trace::watch(engine, puzzle, asked, &mut hear, &mut |_| Ok(()));
    let watched = watched.map_err(|error| match error {
        EngineError::Unsupported(why) => Problem::bad_input(why),
        other => other.into(),
    })?;
    Ok(watched.trace)
}

/// Sends a trace, as fast as it is read.
async fn tell(send: &mpsc::Sender<Result<Event, Infallible>>, trace: Trace) {
    let shape = trace.header.puzzle.shape();
    let header = Event::default().event("header").data(trace.header.json());
    if send.send(Ok(header)).await.is_err() {
        return;
    }
    let mut number = 0;
    for chunk in trace.events.chunks(CHUNK) {
        let mut data = String::from("[");
        for event in chunk {
            number += 1;
            if data.len() > 1 {
                data.push(',');
            }
            data += &event.json(number, shape);
        }
        data.push(']');
        let event = Event::default().event("events").data(data);
        match tokio::time::timeout(PATIENCE, send.send(Ok(event))).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
    let _ = send
        .send(Ok(Event::default().event("done").data("{}")))
        .await;
}
