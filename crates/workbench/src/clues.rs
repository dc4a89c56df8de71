//! What the clues of a puzzle force, and which of them contradict each other.
//!
//! Both are questions to one incremental SAT solver that knows the rules and
//! takes the clues as assumptions.

use planoku_constraints::cnf::Lit;
use planoku_constraints::sat::{self, Sat};
use planoku_engine::{Run, Stop};
use planoku_sudoku::{Cell, Digit, Grid};

use crate::formulate::sat::{Encoded, Encoding, Family};

/// The rules of an empty board, and a solver that knows them.
fn rules(puzzle: &Grid) -> (Encoded, Sat) {
    let rules = Encoding::plain(Family::Extended).say(&Grid::empty(puzzle.shape()));
    let mut sat = Sat::new();
    sat.add_cnf(&rules.cnf);
    (rules, sat)
}

fn lit(rules: &Encoded, (cell, digit): (Cell, Digit)) -> Lit {
    let lit = rules.lit(cell, digit);
    lit.expect("on the empty board every digit has a variable")
}

/// What all solutions of a puzzle have in common: the puzzle with every forced
/// cell filled in. `None` if it has no solution.
///
/// A puzzle has exactly one solution if and only if the result is full.
pub fn forced(puzzle: &Grid, run: &mut Run<'_>) -> Result<Option<Grid>, Stop> {
    let encoded = Encoding::default().say(puzzle);
    let mut sat = Sat::new();
    sat.add_cnf(&encoded.cnf);
    let digits = || puzzle.shape().digits();
    let asked: Vec<Lit> = puzzle
        .blanks()
        .flat_map(|cell| digits().map(move |digit| (cell, digit)))
        .filter_map(|(cell, digit)| encoded.lit(cell, digit))
        .collect();
    let Some(forced) = sat::backbone(&mut sat, &asked, run)? else {
        return Ok(None);
    };
    let mut grid = encoded.decided().clone();
    for lit in forced {
        if let Some((cell, digit)) = encoded.meaning(lit.var()) {
            grid.set(cell, Some(digit));
        }
    }
    Ok(Some(grid))
}

/// A set of clues that contradict each other, such that without any one of
/// them the rest can be solved: the board with those clues alone. `None` if
/// the puzzle has a solution.
pub fn contradiction(puzzle: &Grid, run: &mut Run<'_>) -> Result<Option<Grid>, Stop> {
    let (rules, mut sat) = rules(puzzle);
    let clues: Vec<Lit> = puzzle.clues().map(|clue| lit(&rules, clue)).collect();
    let core = sat::minimal_core(&mut sat, &clues, run)?;
    Ok(core.map(|core| {
        let mut grid = Grid::empty(puzzle.shape());
        for lit in core {
            if let Some((cell, digit)) = rules.meaning(lit.var()) {
                grid.set(cell, Some(digit));
            }
        }
        grid
    }))
}
