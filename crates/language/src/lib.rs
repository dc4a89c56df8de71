//! HDDL and PDDL as languages: text, meaning, mistakes, plans and their judge.
//!
//! ```text
//! source ◄ diagnostic ◄ syntax ◄ model ◄ lint        what is wrong, and what would mend it
//!                          │       ├───◄ write       a model back to text
//!                          │       └───◄ plan ◄ verify    plans as text and trees, and their judge
//!                          ├───◄ layout              a text laid out anew
//!                          └───◄ index               where a name is declared and used
//! ```
//!
//! Nothing here searches: a verifier that knows no planner cannot share its
//! mistakes.
//!
//! ```
//! use planoku_language::{plan::text, read, verify::verify};
//! let domain = "(define (domain d) (:predicates (lit ?l))
//!     (:action light :parameters (?l) :effect (lit ?l)))";
//! let problem = "(define (problem p) (:domain d) (:objects a)
//!     (:init) (:goal (lit a)))";
//! let (model, diagnostics) = read(domain, problem);
//! let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
//! let plan = text::read("(light a)", &model).unwrap();
//! assert!(verify(&model, &plan).is_ok());
//! ```

pub mod cost;
pub mod diagnostic;
pub mod index;
pub mod layout;
pub mod lint;
pub mod model;
pub mod number;
pub mod plan;
mod read;
pub mod source;
pub mod syntax;
pub mod verify;
pub mod write;

pub use read::{ReadError, read, read_files};

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
