//! Everything that is true of Sudoku however it is solved.
//!
//! A [`Grid`] knows its [`Shape`] (the size of its boxes) and what stands in
//! each [`Cell`]. Cells belong to [`House`]s: rows, columns and boxes. A
//! solution fills every cell so that no house repeats a [`Digit`]; [`verify`]
//! says whether it does, and if not, which rule is broken where.
//!
//! ```
//! use planoku_sudoku::{Grid, reference, verify};
//!
//! let puzzle: Grid = "1.....3..4......".parse().unwrap();
//! let solution = reference::solve(&puzzle).unwrap();
//! assert_eq!(verify(&puzzle, &solution), Ok(()));
//! assert_eq!(solution.to_string().len(), 16);
//! ```

pub mod canon;
mod check;
pub mod generate;
mod grid;
pub mod minimal;
pub mod native;
pub mod reference;
pub use planoku_engine::random as rng;
mod shape;
mod symmetry;
pub mod text;
mod verify;

#[doc(hidden)]
pub use check::check_solving;
pub use grid::{Grid, ReadError};
pub use shape::{Candidates, Cell, Digit, House, HouseKind, Shape};
pub use symmetry::Symmetry;
pub use verify::{Broken, no_repeats, verify, verify_cells};

pub use planoku_engine as engine;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
