//! Engines compared, and the papers checked.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use planoku_api::solve::no_engine;
use planoku_api::{EXAMPLE, Problem, Wish};
use planoku_engine::{Budget, Cancel};
use planoku_sudoku::text::Puzzles;
use planoku_workbench::compare::Contest;
use planoku_workbench::reproduce::{Effort, Paper, reproduce};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::Asked;
use crate::App;
use crate::problem::RequestRefused;
use crate::report::{Comparison, PaperRow, Papers, Provenance, checked, comparison};
use crate::work::CancelOnDrop;

/// Puzzles and engines of one comparison.
const MOST_PUZZLES: usize = 20;
const MOST_ENGINES: usize = 100;
/// How long a comparison may take in all.
const WHOLE: Duration = Duration::from_secs(20);

/// Its addresses.
pub fn router() -> Router<App> {
    Router::new()
        .route("/compare", post(compare))
        .route("/papers", get(papers))
}

/// What to compare, and whom.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"puzzles": EXAMPLE, "engines": ["native", "sat"]}))]
pub struct AskComparison {
    /// Up to 20 puzzles in any format.
    pub puzzles: String,
    /// Names of `/api/v1/engines`, up to 100.
    pub engines: Vec<String>,
    /// Milliseconds for each search, up to 2000; 1000 if absent.
    pub time_ms: Option<u64>,
}

/// Runs the same puzzles through many engines, in turns.
#[utoipa::path(post, path = "/compare", tag = "reports", request_body = AskComparison,
    responses((status = 200, body = Comparison), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn compare(
    State(app): State<App>,
    Asked(asked): Asked<AskComparison>,
) -> Result<Json<Comparison>, RequestRefused> {
    let budget = app.queue.budget(Wish::default());
    let contest = contest(&asked, budget)?;
    // Stopped when the client leaves, and when it has taken long enough: then
    // what was measured is the answer.
    let cancel = Cancel::new();
    let _switch = CancelOnDrop(cancel.clone());
    let enough = cancel.clone();
    let clock = tokio::spawn(async move {
        tokio::time::sleep(WHOLE).await;
        enough.cancel();
    });
    let work = app.queue.work(budget, move |_| {
        Ok(comparison(&contest.run(&cancel, &|_, _| {})))
    });
    let answer = work.await;
    clock.abort();
    Ok(Json(answer?))
}

fn contest(asked: &AskComparison, budget: Budget) -> Result<Contest, Problem> {
    if asked.engines.is_empty() || asked.engines.len() > MOST_ENGINES {
        let found = asked.engines.len();
        return Err(Problem::bad_input(format!(
            "engines: expected 1 to {MOST_ENGINES} names, found {found}"
        )));
    }
    let find = |name: &String| planoku_workbench::find(name).map_err(|error| no_engine(&error));
    let engines = asked.engines.iter().map(find).collect::<Result<_, _>>()?;
    let mut puzzles = Vec::new();
    for puzzle in Puzzles::new(asked.puzzles.as_bytes()) {
        let puzzle =
            puzzle.map_err(|error| Problem::bad_text(&error.problem, error.line, error.column))?;
        if puzzles.len() == MOST_PUZZLES {
            return Err(Problem::bad_input(format!(
                "more than {MOST_PUZZLES} puzzles"
            )));
        }
        puzzles.push(puzzle.grid);
    }
    if puzzles.is_empty() {
        return Err(Problem::bad_input("expected a puzzle, found nothing"));
    }
    let time = Duration::from_millis(asked.time_ms.unwrap_or(1000).clamp(1, 2000));
    Ok(Contest {
        engines,
        puzzles,
        budget: Budget {
            time: Some(time),
            nodes: None,
            memory: budget.memory,
        },
        rounds: 3,
        threads: 1,
    })
}

/// Which paper.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// `csp`, `blocks`, `hddl` or `pddl`.
    #[param(example = "csp")]
    paper: String,
}

/// Chapters that were finished, for the next who asks.
static DONE: Mutex<Vec<PaperRow>> = Mutex::new(Vec::new());

/// The chapter, if it was finished before.
fn known(paper: Paper) -> Option<PaperRow> {
    let done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    done.iter()
        .find(|chapter| chapter.name == paper.name())
        .cloned()
}

/// Checks a paper's tables against ours, by small samples.
#[utoipa::path(get, path = "/papers", tag = "reports", params(Which),
    responses((status = 200, body = Papers), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn papers(
    State(app): State<App>,
    query: Result<Query<Which>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Papers>, RequestRefused> {
    let Query(which) = query.map_err(Problem::bad_input)?;
    let found = Paper::ALL
        .into_iter()
        .find(|paper| paper.name() == which.paper);
    let Some(paper) = found else {
        let words = "paper: expected csp, blocks, hddl or pddl";
        let problem = Problem::bad_input(format!("{words}, found `{}`", which.paper));
        return Err(problem.into());
    };
    let chapter = match known(paper) {
        Some(chapter) => chapter,
        None => {
            let budget = app.queue.budget(Wish::default());
            let work = app.queue.work(budget, move |allowance| {
                let chapter = reproduce(
                    paper,
                    &Effort {
                        quick: true,
                        cancel: &allowance.cancel,
                        progress: &|_| {},
                    },
                );
                let chapter = checked(&chapter);
                if !allowance.cancel.is_cancelled() {
                    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
                    if !done.iter().any(|other| other.name == chapter.name) {
                        done.push(chapter.clone());
                    }
                }
                Ok(chapter)
            });
            work.await?
        }
    };
    Ok(Json(Papers {
        made: Provenance::here(),
        chapters: vec![chapter],
    }))
}
