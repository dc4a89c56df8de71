//! Every engine that takes a Sudoku grid, in one readable list.
//!
//! A new engine joins by being listed here; the conformance suite, `planoku
//! engines`, `solve --engine` and `compare` then know it.

use planoku_sudoku::{native::Native, reference::Reference};

use crate::formulate::{csp, planning, sat};
use crate::{Plain, agents};

pub use crate::name::NameError;
pub use crate::solution::SudokuEngine;

/// Every engine, in the order `planoku engines` shows them.
pub fn engines() -> Vec<SudokuEngine> {
    // The first is the default of `planoku solve`.
    let mut list: Vec<SudokuEngine> = vec![Box::new(Plain(Native))];
    list.extend(csp::engines());
    list.extend(sat::engine("sat"));
    #[cfg(feature = "cadical")]
    list.extend(sat::engine("sat:cadical"));
    list.push(sat::cdcl());
    for robots in agents::engine::engines() {
        list.push(Box::new(Plain(robots)));
    }
    list.extend(planning::engines());
    // The slow judge stays last.
    list.push(Box::new(Plain(Reference)));
    list
}

/// The engine of that name, listed or put together from parts; or why there is
/// none.
///
/// ```
/// use planoku_workbench::registry::{NameError, find};
/// assert_eq!(find("sat:minimal").unwrap().profile().name, "sat:minimal");
/// assert!(matches!(find("sat:minimal:extended"), Err(NameError::Refused(_))));
/// assert!(matches!(find("magic"), Err(NameError::Unknown(_))));
/// ```
pub fn find(name: &str) -> Result<SudokuEngine, NameError> {
    let mut listed = engines().into_iter();
    if let Some(engine) = listed.find(|engine| engine.profile().name == name) {
        return Ok(engine);
    }
    type Grammar = fn(&str) -> Result<SudokuEngine, NameError>;
    let grammars: [Grammar; 3] = [csp::engine, sat::engine, planning::engine];
    for grammar in grammars {
        match grammar(name) {
            Err(NameError::Unknown(_)) => {}
            engine => return engine,
        }
    }
    Err(NameError::Unknown(name.to_string()))
}

/// The same without the reason.
pub fn engine(name: &str) -> Option<SudokuEngine> {
    find(name).ok()
}
