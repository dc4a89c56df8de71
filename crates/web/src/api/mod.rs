//! The JSON API: one file for each group of addresses.
//!
//! A group is a module with `pub fn router() -> Router<App>`; it joins by one
//! line in [`router`]. Requests with a body are taken by [`Asked`], which
//! bounds and reads it; work that may take long goes through
//! [`Desk::work`](crate::work::Desk::work).

mod asked;
mod engines;
mod model;
mod models;
pub mod openapi;
mod people;
mod race;
mod read;
mod reports;
mod solve;
mod watch;

pub use asked::Asked;

use axum::Router;
use planoku_sudoku::Grid;

use crate::App;
use crate::problem::Problem;

/// What the description shows: a puzzle of ours, and a small planning problem.
pub(crate) const EXAMPLE: &str =
    "..7....2..1.7..5...35.....4..9.831...2.....9...316.4..5.....81...2..5.3..6....2..";
pub(crate) const DOMAIN: &str = "(define (domain lamps) (:predicates (lit ?l))
  (:action light :parameters (?l) :effect (lit ?l)))";
pub(crate) const PROBLEM: &str = "(define (problem one) (:domain lamps) (:objects a)
  (:init) (:goal (lit a)))";

/// Every address under `/api/v1`.
pub fn router() -> Router<App> {
    Router::new()
        .merge(engines::router())
        .merge(model::router())
        .merge(openapi::router())
        .merge(people::router())
        .merge(race::router())
        .merge(read::router())
        .merge(reports::router())
        .merge(solve::router())
        .merge(watch::router())
        .fallback(crate::problem::not_found)
}

/// The one puzzle of a text, in any format.
pub fn one_puzzle(text: &str) -> Result<Grid, Problem> {
    let mut puzzles = planoku_sudoku::text::Puzzles::new(text.as_bytes());
    match puzzles.next() {
        Some(Ok(puzzle)) => Ok(puzzle.grid),
        Some(Err(error)) => Err(Problem::bad_text(&error.problem, error.line, error.column)),
        None => Err(Problem::bad_input("expected a puzzle, found nothing")),
    }
}
