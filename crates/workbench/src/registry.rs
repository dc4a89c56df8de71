//! Every engine that takes a Sudoku grid, in one readable list.
//!
//! A new engine joins by being listed here; the conformance suite, `planoku
//! engines`, `solve --engine` and `compare` then know it.

use planoku_engine::Engine;
use planoku_sudoku::{Grid, native::Native, reference::Reference};

use crate::formulate::{csp, planning, sat};
use crate::{Plain, Solution, agents};

/// An engine for Sudoku, whatever it does inside.
pub type SudokuEngine = Box<dyn Engine<Grid, Answer = Solution>>;

/// Every engine, in the order `planoku engines` shows them.
pub fn engines() -> Vec<SudokuEngine> {
    // The first is the default of `planoku solve`.
    let mut list: Vec<SudokuEngine> = vec![Box::new(Plain(Native))];
    list.extend(csp::engines());
    list.extend(sat::engine("sat"));
    #[cfg(feature = "cadical")]
    list.extend(sat::engine("sat:cadical"));
    for robots in agents::engine::engines() {
        list.push(Box::new(Plain(robots)));
    }
    list.extend(planning::engines());
    // The slow judge stays last.
    list.push(Box::new(Plain(Reference)));
    list
}

/// The engine of that name, listed or composed from parts; `None` if nobody
/// answers to it.
pub fn engine(name: &str) -> Option<SudokuEngine> {
    engines()
        .into_iter()
        .find(|engine| engine.profile().name == name)
        .or_else(|| csp::engine(name))
        .or_else(|| sat::engine(name))
        .or_else(|| planning::engine(name))
}

/// Why [`engine`] finds nobody, if the name is put together from parts that do
/// not go together.
pub fn refusal(name: &str) -> Option<String> {
    csp::refusal(name)
}
