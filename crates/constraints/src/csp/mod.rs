//! Constraint satisfaction: networks, and the classic family of searches.
//!
//! A [`Network`] has variables, values for each, and constraints between them.
//! A [`Recipe`] says how to search it, put together from parts that each live
//! in a file of their own:
//!
//! | part | choices |
//! |---|---|
//! | before the search | nothing, `ac3` |
//! | look-ahead | none, `fc`, `mac`, `mac2001`, `elim`, `hall`, `regin` |
//! | look-back | `bt`, `bj`, `gbj`, `cbj`, `bm`, `db` |
//! | learning | none, `learn` |
//! | variable order | `static`, `mrv`, `mrv-deg`, `domwdeg` |
//! | value order | `asc`, `lcv`, `few` |
//! | restarts | none, `luby` |
//!
//! A recipe is read from its name, `fc+cbj:mrv`, and is an
//! [`Engine`](planoku_engine::Engine). Every recipe that exists is sound,
//! complete and counts answers; combinations that would not make sense are
//! [refused](planoku_engine::name::NameProblem::Refused) with the reason.
//!
//! Two engines of another kind, [`MinConflicts`] and [`Annealing`], repair a
//! full assignment step by step. They may fail where there is an answer, never
//! prove that there is none, and say so.

mod counters;
mod follow;
mod graph;
mod level_sets;
pub mod local;
mod look_ahead;
mod look_back;
mod matching;
mod network;
mod nogoods;
mod order;
mod recipe;
mod restarts;
mod store;
mod values;

pub use local::{Annealing, MinConflicts};
pub use look_back::LookBackPart;
pub use network::{Assignment, Network, NetworkError, Variable};
pub use order::{ValueOrder, VariableOrder};
pub use recipe::{GRAMMAR, LookAheadPart, Parts, Recipe};
pub use values::Values;
