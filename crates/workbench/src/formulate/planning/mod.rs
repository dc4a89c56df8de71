//! Sudoku as a planning problem, solved by planners that never heard of it.
//!
//! The grid is written as HDDL or PDDL, and from there everything is what a
//! stranger's model would meet: the text is read, resolved and grounded, a
//! planner finds a derivation, the plan is judged by the verifier that knows
//! the model only, and its `place` or `assign` steps are read back as digits.

pub mod human;
mod text;

pub use text::{PlanningModel, Texts};

use planoku_engine::name::{Grammar, Group, Spelling};
use planoku_engine::{
    EncodeError, Ended, Engine, EngineError, Formulation, Profile, Run, Sink, Via,
};
use planoku_planning::Instance;
use planoku_planning::ground::{Derivation, ground};
use planoku_planning::model::Model;
use planoku_planning::plan::Plan;
use planoku_planning::satplan::SatPlan;
use planoku_planning::search::{Commit, LoopsOr, Progression};
use planoku_planning::verify::verify;
use planoku_sudoku::{Cell, Digit, Grid, House, HouseKind, Shape};

use crate::family::EngineFamily;
use crate::solution::SudokuEngine;
use crate::{Solution, Witness};

/// Sudoku said in one of the planning models.
#[derive(Clone, Copy, Debug)]
pub struct SudokuPlanning(pub PlanningModel);

/// A planning problem, with and without variables.
pub struct Planning {
    /// What the text says.
    pub model: Model,
    /// What the planner sees.
    pub instance: Instance,
}

impl Planning {
    /// Reads and grounds a model of ours.
    fn read(name: &str, texts: &Texts, run: &mut Run<'_>) -> Result<Planning, EncodeError> {
        let (model, diagnostics) = planoku_planning::read(&texts.domain, &texts.problem);
        let Some(model) = model else {
            let count = diagnostics.list.len();
            let what = format!("our own model `{name}` has {count} mistakes");
            return Err(EngineError::Internal(what).into());
        };
        let instance = Instance::new(ground(&model, run)?);
        Ok(Planning { model, instance })
    }

    /// The plan that a derivation is, once the verifier has agreed.
    fn judged(&self, found: &Derivation) -> Result<Plan, EngineError> {
        let plan = found.plan(&self.instance)?;
        match verify(&self.model, &plan) {
            Ok(_) => Ok(plan),
            Err(broken) => Err(EngineError::Internal(format!(
                "the plan is wrong: {broken}"
            ))),
        }
    }
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
        Planning::read(self.0.name(), &self.0.texts(grid, "grid"), run)
    }

    fn decode(
        &self,
        grid: &Grid,
        problem: &Planning,
        found: Derivation,
    ) -> Result<Solution, EngineError> {
        let plan = problem.judged(&found)?;
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
pub struct GroundPlanner<E>(pub E);

impl<E: Engine<Instance, Answer = Derivation>> Engine<Planning> for GroundPlanner<E> {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        self.0.profile()
    }

    fn solve_into(
        &self,
        problem: &Planning,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        self.0.solve_into(&problem.instance, run, sink)
    }
}

/// Sudoku through a planning model and a planner, as an engine of that name.
fn via(
    name: String,
    model: PlanningModel,
    how: &str,
    planner: impl Engine<Instance, Answer = Derivation> + 'static,
) -> SudokuEngine {
    let language = if model.is_hierarchical() {
        "HDDL"
    } else {
        "PDDL"
    };
    Box::new(Via {
        name: name.into(),
        summary: format!("{language}, {}; {how}", model.summary()).into(),
        formulation: SudokuPlanning(model),
        engine: GroundPlanner(planner),
    })
}

/// A model and, after a colon, a planner.
///
/// | model | |
/// |---|---|
/// | `htn`, `htn-published` | one task per blank, with plain or published checks |
/// | `htn-recursive`, `htn-recursive-published` | fill any cell, and again |
/// | `strips` (also `strips-b`), `strips-a`, `strips-d` | the three classical models |
pub(crate) const MODELS: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[
            Group::first(
                "models",
                &[
                    "htn",
                    "htn-published",
                    "htn-recursive",
                    "htn-recursive-published",
                    "strips",
                    "strips-a",
                    "strips-b",
                    "strips-d",
                ],
            ),
            Group::after(':', "planners", &["sat", "search"]),
        ],
        rules: &[],
    },
    listed: &[
        "htn",
        "htn:search",
        "htn-recursive",
        "htn-recursive:search",
        "strips",
        "strips:search",
    ],
    make,
};

fn make(spelling: &Spelling) -> SudokuEngine {
    let name = spelling.to_string();
    let model = model_named(spelling.word("models")).expect("a word of the grammar");
    if spelling.word("planners") == "sat" {
        return via(name, model, "planning as SAT", SatPlan::Layered);
    }
    match model {
        PlanningModel::Recursive | PlanningModel::RecursivePublished => via(
            name,
            model,
            "the loop as macro actions, tightest first",
            LoopsOr(Progression::fail_first()),
        ),
        PlanningModel::Order | PlanningModel::OrderPublished => via(
            name,
            model,
            "progression, tightest task first",
            Progression::fail_first(),
        ),
        PlanningModel::A | PlanningModel::B | PlanningModel::D => via(
            name,
            model,
            "an action for each goal, tightest first",
            Commit::default(),
        ),
    }
}

fn model_named(name: &str) -> Option<PlanningModel> {
    Some(match name {
        "htn" => PlanningModel::Order,
        "htn-published" => PlanningModel::OrderPublished,
        "htn-recursive" => PlanningModel::Recursive,
        "htn-recursive-published" => PlanningModel::RecursivePublished,
        "strips-a" => PlanningModel::A,
        "strips" | "strips-b" => PlanningModel::B,
        "strips-d" => PlanningModel::D,
        _ => return None,
    })
}

/// How an engine's model speaks of the board: what the objects of a plan are.
#[derive(Clone, Copy, Debug)]
pub enum Vocabulary {
    /// Rows, columns and boxes from 0.
    Sudoku(SudokuPlanning),
    /// As players do, from 1.
    Human(human::Human),
}

impl Vocabulary {
    /// By the engine of that name.
    pub fn by(engine: &str) -> Option<Vocabulary> {
        if let Ok(spelling) = human::EXPLANATIONS.grammar.read(engine) {
            return Some(Vocabulary::Human(human::Human::spelt(&spelling)));
        }
        let spelling = MODELS.grammar.read(engine).ok()?;
        let model = model_named(spelling.word("models"))?;
        Some(Vocabulary::Sudoku(SudokuPlanning(model)))
    }

    /// True if its plans have a decomposition.
    pub fn is_hierarchical(&self) -> bool {
        match self {
            Vocabulary::Sudoku(planning) => planning.0.is_hierarchical(),
            Vocabulary::Human(human) => human.hierarchical,
        }
    }

    /// The model of a puzzle.
    pub fn model(&self, puzzle: &Grid) -> Option<Model> {
        let texts = match self {
            Vocabulary::Sudoku(planning) => planning.0.texts(puzzle, "grid"),
            Vocabulary::Human(human) => human.texts(puzzle, "grid"),
        };
        planoku_planning::read(&texts.domain, &texts.problem).0
    }

    /// What an action, given by name and arguments, writes into a cell.
    pub fn placed(&self, puzzle: &Grid, words: &[String]) -> Option<(Cell, Digit)> {
        let (name, arguments) = words.split_first()?;
        match self {
            Vocabulary::Sudoku(planning) => {
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                planning.read_step(puzzle, &arguments)
            }
            Vocabulary::Human(_) if name.contains("single") => {
                let digit = arguments.get(1)?.strip_prefix('d')?.parse().ok();
                Some((self.cell(puzzle, arguments.first()?)?, Digit::new(digit?)?))
            }
            Vocabulary::Human(_) => None,
        }
    }

    /// The cell that an object is.
    pub fn cell(&self, puzzle: &Grid, name: &str) -> Option<Cell> {
        match self {
            Vocabulary::Sudoku(planning) if name.starts_with('s') => planning.tile(puzzle, name),
            Vocabulary::Sudoku(_) => None,
            Vocabulary::Human(_) => human::cell(puzzle.shape(), name),
        }
    }

    /// The house that an object is.
    pub fn house(&self, shape: Shape, name: &str) -> Option<House> {
        let digits = name.find(|letter: char| letter.is_ascii_digit())?;
        let kind = match &name[..digits] {
            "row" | "r" => HouseKind::Row,
            "column" | "c" => HouseKind::Column,
            "box" | "b" => HouseKind::Box,
            _ => return None,
        };
        let number = name[digits..].parse::<u8>().ok()?;
        let index = match self {
            Vocabulary::Sudoku(_) => number,
            Vocabulary::Human(_) => number.checked_sub(1)?,
        };
        (usize::from(index) < shape.side()).then_some(House { kind, index })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{engine, names};
    use crate::solve::solve;
    use planoku_engine::End;

    const SMALL: &str = "1.....2..3.....4";

    #[test]
    fn every_model_solves_the_small_puzzle_with_one_step_per_blank() {
        let grid: Grid = SMALL.parse().unwrap();
        for model in [
            "htn",
            "htn-published",
            "htn-recursive",
            "htn-recursive-published",
            "strips-a",
            "strips-b",
            "strips-d",
        ] {
            let engine = engine(model).unwrap();
            let outcome = solve(&*engine, &grid, &mut Run::limit(1)).unwrap();
            let plan = outcome.answers[0].witness.as_ref().unwrap();
            let steps = plan
                .text
                .lines()
                .filter(|l| l.contains("place ") || l.contains("(assign"))
                .count();
            assert_eq!(steps, 12, "{model}:\n{}", plan.text);
        }
    }

    #[test]
    fn a_puzzle_without_solution_is_proved_to_have_none() {
        // Row 1 needs 3 and 4, but the last cell of the row sees both.
        for text in ["12.....3...4....", "1..1............"] {
            let grid: Grid = text.parse().unwrap();
            for name in names().filter(|name| Vocabulary::by(name).is_some()) {
                let outcome = engine(name)
                    .unwrap()
                    .solve(&grid, &mut Run::limit(1).with_nodes(100_000));
                let outcome = outcome.unwrap();
                assert!(outcome.answers.is_empty(), "{name} on {text}");
                assert!(
                    matches!(outcome.end, End::Exhausted | End::Incomplete),
                    "{name}: {:?}",
                    outcome.end
                );
            }
        }
    }

    #[test]
    fn the_explained_problems_in_the_models_folder_are_what_we_write() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let figure_one = crate::EXAMPLES[2].grid();
        let small: Grid = SMALL.parse().unwrap();
        for (place, ending) in [("htn/human", "hddl"), ("strips/human", "pddl")] {
            let human = human::Human {
                level: human::TechniqueLevel::XWing,
                hierarchical: ending == "hddl",
            };
            for (grid, name, file) in [
                (&small, "four-by-four", "4x4"),
                (&figure_one, "figure-1", "figure-1"),
            ] {
                let path = folder.join(place).join(format!("{file}.{ending}"));
                let text = human.texts(grid, name).problem;
                if std::env::var_os("PLANOKU_WRITE_MODELS").is_some() {
                    std::fs::write(&path, &text).unwrap();
                }
                let stored = std::fs::read_to_string(&path).unwrap();
                assert_eq!(stored, text, "{}", path.display());
            }
        }
    }

    #[test]
    fn the_problems_in_the_models_folder_are_what_we_write() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let figure_one = crate::EXAMPLES[2].grid();
        let small: Grid = SMALL.parse().unwrap();
        for (model, place) in PlanningModel::ALL.into_iter().zip([
            "htn/order/plain",
            "htn/order/published",
            "htn/recursive/plain",
            "htn/recursive/published",
            "strips/a",
            "strips/b",
            "strips/d",
        ]) {
            for (grid, name, file) in [
                (&small, "four-by-four", "4x4"),
                (&figure_one, "figure-1", "figure-1"),
            ] {
                let path = folder
                    .join(place)
                    .join(format!("{file}.{}", model.extension()));
                let text = model.texts(grid, name).problem;
                if std::env::var_os("PLANOKU_WRITE_MODELS").is_some() {
                    std::fs::write(&path, &text).unwrap();
                }
                assert_eq!(
                    std::fs::read_to_string(&path).unwrap(),
                    text,
                    "{}",
                    path.display()
                );
            }
        }
        let four =
            std::fs::read_to_string(folder.join("htn/order/published/domain-4x4.hddl")).unwrap();
        assert_eq!(PlanningModel::OrderPublished.domain(small.shape()), four);
        let four = std::fs::read_to_string(folder.join("htn/recursive/published/domain-4x4.hddl"))
            .unwrap();
        assert_eq!(
            PlanningModel::RecursivePublished.domain(small.shape()),
            four
        );
    }
}
