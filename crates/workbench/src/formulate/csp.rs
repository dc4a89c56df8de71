//! Sudoku as a constraint network, for every size of board.
//!
//! Each cell is a variable, numbered row by row, with its digits as values: all
//! of them if the cell is blank, one if it is given. Every house is a set of
//! cells that must all differ; seen as pairs, those are the 810 constraints of
//! "The CSP Sudoku" on a 9x9 board.

use std::sync::OnceLock;

use planoku_constraints::csp::{
    self, Annealing, Assignment, MinConflicts, Network, NetworkError, Recipe, Values, Variable,
};
use planoku_engine::name::{Grammar, Group};
use planoku_engine::{EncodeError, Engine, EngineError, Formulation, Profile, Run, Via};
use planoku_sudoku::{Cell, Digit, Grid, Shape};

use crate::family::EngineFamily;
use crate::{Solution, SudokuEngine};

/// Sudoku said as a constraint network.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsNetwork;

impl Formulation<Grid> for AsNetwork {
    type Problem = Network;
    type Found = Assignment;
    type Answer = Solution;

    fn encode(&self, puzzle: &Grid, _: &mut Run<'_>) -> Result<Network, EncodeError> {
        let mistake = |error: NetworkError| EngineError::Internal(error.to_string());
        let mut network = blank(puzzle.shape()).map_err(mistake)?.clone();
        for (cell, digit) in puzzle.clues() {
            let variable = Variable(cell.index() as u32);
            let values = Values(1 << digit.get());
            network.restrict(variable, values).map_err(mistake)?;
        }
        Ok(network)
    }

    fn decode(
        &self,
        puzzle: &Grid,
        _: &Network,
        found: Assignment,
    ) -> Result<Solution, EngineError> {
        let mut grid = Grid::empty(puzzle.shape());
        for (index, value) in found.0.into_iter().enumerate() {
            let digit = u8::try_from(value).ok().and_then(Digit::new);
            grid.set(Cell::new(index), digit);
        }
        Ok(Solution {
            grid,
            witness: None,
        })
    }
}

/// The network of the empty board, made once for each size.
fn blank(shape: Shape) -> Result<&'static Network, NetworkError> {
    static BLANK: [OnceLock<Result<Network, NetworkError>>; Shape::ALL.len()] =
        [const { OnceLock::new() }; Shape::ALL.len()];
    let place = Shape::ALL.iter().position(|known| *known == shape);
    BLANK[place.unwrap_or(0)]
        .get_or_init(|| {
            let mut network = Network::new();
            let cells = network.variables(shape.cells(), 1..=shape.side() as u32)?;
            for house in shape.houses() {
                let scope: Vec<Variable> = (shape.house_cells(house))
                    .map(|cell| cells[cell.index()])
                    .collect();
                network.all_different(&scope)?;
            }
            Ok(network)
        })
        .as_ref()
        .map_err(Clone::clone)
}

/// Searches put together from parts, such as `fc+cbj:mrv`.
pub(crate) const RECIPES: EngineFamily = EngineFamily {
    grammar: &csp::GRAMMAR,
    listed: &[
        "bt",
        "bj",
        "cbj",
        "ac3+bt",
        "ac3+bj",
        "ac3+cbj",
        "ac3+gbj",
        "ac3+bm",
        "ac3+db",
        "fc",
        "fc:mrv",
        "fc+cbj:mrv",
        "mac:mrv",
        "mac:domwdeg",
        "mac+cbj:mrv",
        "mac2001:mrv",
        "elim:mrv-deg",
        "elim+cbj+learn:domwdeg:luby",
        "hall:mrv",
        "regin:mrv",
        "regin:domwdeg",
    ],
    make: |spelling| lift(Recipe::spelt(spelling)),
};

/// Searches that repair a full board.
pub(crate) const LOCAL: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[Group::first(
            "local searches",
            &["min-conflicts", "annealing"],
        )],
        rules: &[],
    },
    listed: &["min-conflicts", "annealing"],
    make: |spelling| match spelling.word("local searches") {
        "annealing" => lift(Annealing::default()),
        _ => lift(MinConflicts::default()),
    },
};

fn lift<E>(engine: E) -> SudokuEngine
where
    E: Engine<Network, Answer = Assignment> + 'static,
{
    let Profile { name, summary, .. } = engine.profile();
    Box::new(Via {
        name,
        summary,
        formulation: AsNetwork,
        engine,
    })
}
