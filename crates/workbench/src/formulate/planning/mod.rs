//! Sudoku as a planning problem, solved by planners that never heard of it.
//!
//! The grid is written as HDDL or PDDL, and from there everything is what a
//! stranger's model would meet: the text is read, resolved and grounded, a
//! planner finds a derivation, the plan is judged by the verifier that knows
//! the model only, and its `place` or `assign` steps are read back as digits.

mod text;

pub use text::{PlanningModel, Texts};

use planoku_engine::{EncodeError, Engine, EngineError, Formulation, Outcome, Profile, Run, Via};
use planoku_planning::ground::{Derivation, Ground, ground};
use planoku_planning::model::Model;
use planoku_planning::plan::Plan;
use planoku_sudoku::{Cell, Digit, Grid};

use crate::registry::SudokuEngine;
use crate::{Solution, Witness};

/// Sudoku said in one of the planning models.
#[derive(Clone, Copy, Debug)]
pub struct SudokuPlanning(pub PlanningModel);

/// A planning problem, with and without variables.
pub struct Planning {
    /// What the text says.
    pub model: Model,
    /// What the planner sees.
    pub ground: Ground,
}

impl Formulation<Grid> for SudokuPlanning {
    type Problem = Planning;
    type Found = Derivation;
    type Answer = Solution;

    /// Many plans fill one grid.
    fn preserves_count(&self) -> bool {
        false
    }

    fn encode(&self, grid: &Grid, run: &mut Run<'_>) -> Result<Planning, EncodeError> {
        // The models take the clues as they are; clashing ones end here.
        if grid
            .clues()
            .any(|(cell, digit)| !grid.candidates(cell).contains(digit))
        {
            return Err(EncodeError::Refuted);
        }
        let texts = self.0.texts(grid, "grid");
        let (model, diagnostics) = planoku_planning::read(&texts.domain, &texts.problem);
        let Some(model) = model else {
            let count = diagnostics.list.len();
            let what = format!("our own model `{}` has {count} mistakes", self.0.name());
            return Err(EngineError::Internal(what).into());
        };
        let ground = ground(&model, run)?;
        Ok(Planning { model, ground })
    }

    fn decode(
        &self,
        grid: &Grid,
        problem: &Planning,
        found: Derivation,
    ) -> Result<Solution, EngineError> {
        let plan = Plan::of(&problem.ground, &found)?;
        let mut solution = grid.clone();
        for step in &plan.steps {
            let names = step
                .arguments
                .iter()
                .map(|id| problem.model.objects[id.index()].name.as_str());
            let (cell, digit) = self
                .read_step(grid, &names.collect::<Vec<_>>())
                .ok_or_else(|| {
                    EngineError::Internal("a step of the plan fills no cell".to_string())
                })?;
            solution.set(cell, Some(digit));
        }
        let kind = if self.0.is_hierarchical() {
            "hddl-plan"
        } else {
            "pddl-plan"
        };
        let witness = Some(Witness {
            kind,
            text: plan.text(&problem.model),
        });
        Ok(Solution {
            grid: solution,
            witness,
        })
    }
}

impl SudokuPlanning {
    /// The cell and digit a step is about.
    fn read_step(self, grid: &Grid, arguments: &[&str]) -> Option<(Cell, Digit)> {
        let shape = grid.shape();
        let number = |name: &str| name.get(1..)?.parse::<usize>().ok();
        let digit = |name: &str| Digit::new(u8::try_from(number(name)?).ok()?);
        match (self.0, arguments) {
            (PlanningModel::A, [tile, value]) | (PlanningModel::B, [tile, value, ..]) => {
                Some((self.tile(grid, tile)?, digit(value)?))
            }
            (PlanningModel::D, [tile, _, value, ..]) => {
                Some((self.tile(grid, tile)?, digit(value)?))
            }
            (_, [_, column, row, value]) => {
                Some((shape.cell(number(row)?, number(column)?), digit(value)?))
            }
            _ => None,
        }
    }

    fn tile(self, grid: &Grid, name: &str) -> Option<Cell> {
        grid.shape()
            .all_cells()
            .find(|cell| text::tile(grid.shape(), *cell) == name)
    }
}

/// A planner for ground problems, taken as one that still knows the words.
pub struct Grounded<E>(pub E);

impl<E: Engine<Ground, Answer = Derivation>> Engine<Planning> for Grounded<E> {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        self.0.profile()
    }

    fn solve(
        &self,
        problem: &Planning,
        run: &mut Run<'_>,
    ) -> Result<Outcome<Derivation>, EngineError> {
        self.0.solve(&problem.ground, run)
    }
}

/// Sudoku through a planning model and a planner, as an engine of that name.
pub fn engine(
    name: &'static str,
    summary: &'static str,
    model: PlanningModel,
    planner: impl Engine<Ground, Answer = Derivation> + 'static,
) -> SudokuEngine {
    Box::new(Via {
        name: name.into(),
        summary: summary.into(),
        formulation: SudokuPlanning(model),
        engine: Grounded(planner),
    })
}

/// Every planning engine the registry lists.
pub fn engines() -> Vec<SudokuEngine> {
    use planoku_planning::satplan::SatPlan;
    vec![
        engine(
            "htn",
            "HDDL, one task per blank; the planner finds the SAT encoding by itself",
            PlanningModel::Order,
            SatPlan,
        ),
        engine(
            "htn-recursive",
            "HDDL, fill any cell and again; the loop lifted to parallel steps of SAT",
            PlanningModel::Recursive,
            SatPlan,
        ),
        engine(
            "strips",
            "PDDL, one fact per house and free value; parallel steps of SAT",
            PlanningModel::B,
            SatPlan,
        ),
    ]
}
