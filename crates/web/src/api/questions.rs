//! The questions of `planoku-api`, each at its address.

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use planoku_api::examples::{EXAMPLES, ModelExample};
use planoku_api::list::{self, Engine, Example};
use planoku_api::model::{
    AskGround, AskPlan, AskVerdict, Checked, Grounded, Meaning, Planned, Pointed, Texts, Tidy,
    Untidy, Verdict,
};
use planoku_api::people::{AskHint, AskPuzzle, AskRating, Hint, Made, Rating};
use planoku_api::read::{Read, TextRead};
use planoku_api::solve::{Solve, Solved};
use planoku_api::watch::{self, Watchable};
use planoku_api::{Problem, Question};

use super::Asked;
use crate::App;
use crate::problem::RequestRefused;

/// A handler and its description for each question: what it does, its name,
/// address, tag, and the types of question and answer.
macro_rules! questions {
    ($($(#[doc = $doc:literal])* $name:ident $path:literal $tag:literal $question:ident => ($($answer:tt)*);)*) => {
        $(
            $(#[doc = $doc])*
            #[utoipa::path(post, path = $path, tag = $tag, request_body = $question, responses(
                (status = 200, body = $($answer)*),
                (status = "4XX", body = Problem, content_type = "application/problem+json"),
                (status = "5XX", body = Problem, content_type = "application/problem+json")))]
            pub async fn $name(
                State(app): State<App>,
                Asked(question): Asked<$question>,
            ) -> Result<Json<<$question as Question>::Answer>, RequestRefused> {
                Ok(Json(app.queue.answer(question).await?))
            }
        )*

        fn answered() -> Router<App> {
            Router::new()$(.route($path, post($name)))*
        }
    };
}

questions! {
    /// Solves a puzzle with any engine; two solutions are looked for, so that
    /// `exhausted` with one of them says that it is the only one.
    solve "/solve" "puzzles" Solve => (Solved);

    /// Reads puzzles in any format, and says how many solutions each has.
    read "/read" "puzzles" Read => (TextRead);

    /// The next step for somebody who is stuck.
    hint "/hint" "people" AskHint => (Hint);

    /// Rates a puzzle, and tells the path.
    rate "/rate" "people" AskRating => (Rating);

    /// Makes a puzzle with exactly one solution.
    generate "/generate" "people" AskPuzzle => (Made);

    /// Says everything that is wrong with a domain and a problem.
    check "/check" "models" Texts => (Checked);

    /// Lays a domain or a problem out.
    layout "/format" "models" Untidy => (Tidy);

    /// Tells what the name at a place means; null where there is none.
    hover "/hover" "models" Pointed => (Option<Meaning>);

    /// Counts facts, actions, tasks and methods without variables.
    ground "/ground" "models" AskGround => (Grounded);

    /// Finds a plan and verifies it, or says why there is none.
    plan "/plan" "models" AskPlan => (Planned);

    /// Judges a plan, and names the first rule it breaks.
    verify "/verify" "models" AskVerdict => (Verdict);
}

/// Their addresses.
pub fn router() -> Router<App> {
    answered()
        .route("/engines", get(engines))
        .route("/examples", get(examples))
        .route("/models", get(models))
        .route("/watch/engines", get(watchable))
}

/// Every engine, with what it claims.
#[utoipa::path(get, path = "/engines", tag = "puzzles", responses((status = 200, body = Vec<Engine>)))]
pub async fn engines() -> Json<Vec<Engine>> {
    Json(list::engines())
}

/// The built-in puzzles.
#[utoipa::path(get, path = "/examples", tag = "puzzles", responses((status = 200, body = Vec<Example>)))]
pub async fn examples() -> Json<Vec<Example>> {
    Json(list::examples())
}

/// Models to begin with.
#[utoipa::path(get, path = "/models", tag = "models", responses((status = 200, body = Vec<ModelExample>)))]
pub async fn models() -> Json<&'static [ModelExample]> {
    Json(EXAMPLES)
}

/// What can be watched: every engine, and the techniques of people.
#[utoipa::path(get, path = "/watch/engines", tag = "watch", responses((status = 200, body = Vec<Watchable>)))]
pub async fn watchable() -> Json<Vec<Watchable>> {
    Json(watch::engines())
}
