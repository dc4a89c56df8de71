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
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use planoku_api::Problem;
use planoku_api::watch::{Watch, chunks};
use planoku_workbench::trace::Trace;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

use super::stream::StreamEvent;
use crate::App;
use crate::problem::RequestRefused;

/// Its address.
pub fn router() -> Router<App> {
    Router::new().route("/watch", get(watch))
}

/// How long a reader may take for one chunk.
const PATIENCE: Duration = Duration::from_secs(120);

/// A search as a stream of server-sent events: `progress`, `header`, `events`,
/// then `done` or `refused`.
#[utoipa::path(get, path = "/watch", tag = "watch", params(Watch),
    responses((status = 200, description = "server-sent events", content_type = "text/event-stream", body = StreamEvent),
        (status = 400, description = "not a puzzle, or no such engine", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "too many streams", body = Problem, content_type = "application/problem+json")))]
pub async fn watch(
    State(app): State<App>,
    asked: Result<Query<Watch>, QueryRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, RequestRefused> {
    let Query(asked) = asked.map_err(|error| Problem::bad_input(error.body_text()))?;
    let search = asked.search()?;
    let budget = app.queue.budget(asked.wish());
    let place = app.queue.stream()?;
    let (send, receive) = mpsc::channel::<Result<Event, Infallible>>(4);
    tokio::spawn(async move {
        let _place = place;
        let signs = send.clone();
        let work = app.queue.work(budget, move |allowance| {
            search.record(allowance, |choices| {
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

/// Sends a trace, as fast as it is read.
async fn tell(send: &mpsc::Sender<Result<Event, Infallible>>, trace: Trace) {
    let header = Event::default().event("header").data(trace.header.json());
    if send.send(Ok(header)).await.is_err() {
        return;
    }
    for data in chunks(&trace) {
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
