//! How a person solves a puzzle, as a plan: every action is a technique.
//!
//! Candidates are struck and cells are solved, never the reverse, so the
//! problem is delete-free: grounding alone decides whether the techniques
//! suffice, and a cheapest plan, by the ratings of Sudoku Explainer, is the
//! easiest explanation that these techniques allow. The planner proves that; it
//! knows nothing of Sudoku.
//!
//! Every technique is sound: whatever the solutions of a puzzle are, it strikes
//! no candidate of theirs. So if a plan exists, the puzzle has at most the
//! solution it leads to; and if what it leads to breaks the rules, none.

mod problem;
mod sentence;

use std::fmt;
use std::str::FromStr;

use planoku_engine::name::{Grammar, Group, Spelling};
use planoku_engine::{
    EncodeError, End, Ended, Engine, EngineError, Formulation, Outcome, Profile, Run, Sink,
    UnknownName,
};
use planoku_planning::cost::Cost;
use planoku_planning::ground::Derivation;
use planoku_planning::planners::optimal;
use planoku_sudoku::{Cell, Digit, Grid, Shape};

use super::{Planning, Texts};
use crate::family::EngineFamily;
use crate::{Solution, Witness};
pub use sentence::Line;

/// The techniques a person knows; each level knows those of the levels before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TechniqueLevel {
    /// Hidden and naked singles.
    Singles,
    /// Pointing and claiming.
    Locked,
    /// Naked and hidden pairs.
    Pairs,
    /// X-wings.
    XWing,
}

impl TechniqueLevel {
    /// Every level, the easiest first.
    pub const ALL: [TechniqueLevel; 4] = [
        TechniqueLevel::Singles,
        TechniqueLevel::Locked,
        TechniqueLevel::Pairs,
        TechniqueLevel::XWing,
    ];

    /// The name after the colon of an engine.
    pub const fn name(self) -> &'static str {
        match self {
            TechniqueLevel::Singles => "singles",
            TechniqueLevel::Locked => "locked",
            TechniqueLevel::Pairs => "pairs",
            TechniqueLevel::XWing => "x-wing",
        }
    }
}

impl fmt::Display for TechniqueLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TechniqueLevel {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<TechniqueLevel, UnknownName> {
        let mut levels = TechniqueLevel::ALL.into_iter();
        levels.find(|level| level.name() == name).ok_or_else(|| {
            let known = TechniqueLevel::ALL.map(TechniqueLevel::name).join(", ");
            UnknownName::new(format!("one of {known}"), name)
        })
    }
}

/// A puzzle as the problem of explaining its solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Human {
    /// What may be used.
    pub level: TechniqueLevel,
    /// HDDL, where methods say what a step is good for; otherwise PDDL.
    pub hierarchical: bool,
}

impl Human {
    /// Domain and problem for a grid. The problem is called `name`.
    pub fn texts(self, grid: &Grid, name: &str) -> Texts {
        let domain = match self.hierarchical {
            true => include_str!("../../../../models/htn/human/domain.hddl"),
            false => include_str!("../../../../models/strips/human/domain.pddl"),
        };
        Texts {
            domain: domain.into(),
            problem: problem::problem(self, grid, name),
        }
    }
}

impl Formulation<Grid> for Human {
    type Problem = Planning;
    type Found = Derivation;
    type Answer = Explanation;

    fn preserves_count(&self) -> bool {
        false
    }

    /// [`EncodeError::Refuted`] says that the techniques do not suffice.
    fn encode(&self, grid: &Grid, run: &mut Run<'_>) -> Result<Planning, EncodeError> {
        Planning::read("human", &self.texts(grid, "grid"), run)
    }

    fn decode(
        &self,
        grid: &Grid,
        problem: &Planning,
        found: Derivation,
    ) -> Result<Explanation, EngineError> {
        let plan = problem.judged(&found)?;
        let mut filled = grid.clone();
        for step in &plan.steps {
            let name = problem.model.actions[step.action.index()].name.as_str();
            if !name.contains("single") {
                continue;
            }
            let mut names =
                (step.arguments.iter()).map(|id| problem.model.objects[id.index()].name.as_str());
            let place = names.next().and_then(|it| cell(grid.shape(), it));
            let digit = names.next().and_then(digit);
            let (Some(place), Some(digit)) = (place, digit) else {
                return Err(EngineError::Internal(format!("`{name}` fills no cell")));
            };
            filled.set(place, Some(digit));
        }
        let cost = plan.cost.and_then(Cost::small);
        let cost = cost.ok_or_else(|| EngineError::Internal("the plan has no cost".into()))?;
        Ok(Explanation {
            grid: filled,
            cost,
            lines: sentence::lines(&plan, &problem.model),
            plan: plan.text(&problem.model),
        })
    }
}

/// Why the solution is what it is, in steps a person can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The board at the end.
    pub grid: Grid,
    /// Ten times the sum of the steps' ratings; no explanation with the same
    /// techniques has less.
    pub cost: u64,
    /// The tree in reading order.
    pub lines: Vec<Line>,
    /// The plan as its format writes it.
    pub plan: String,
}

impl Explanation {
    /// The steps alone: techniques with their ratings.
    pub fn steps(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.technique.is_some())
    }

    /// The rating of the hardest step times ten; 0 if there is none.
    pub fn hardest(&self) -> u64 {
        self.steps().map(|line| line.rating).max().unwrap_or(0)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{:indent$}{line}", "", indent = 2 * line.depth)?;
        }
        Ok(())
    }
}

/// The easiest explanation of a puzzle with the techniques of a level, proved
/// so: [`End::Enough`] with an answer, [`End::Exhausted`] if these techniques
/// do not suffice.
///
/// ```
/// use planoku_engine::Run;
/// use planoku_sudoku::Grid;
/// use planoku_workbench::formulate::planning::human::{TechniqueLevel, explain};
///
/// let puzzle: Grid = "1.....2..3.....4".parse().unwrap();
/// let outcome = explain(&puzzle, TechniqueLevel::Singles, &mut Run::default()).unwrap();
/// let explanation = &outcome.answers[0];
/// assert_eq!(explanation.grid.to_string(), "1243342143122134");
/// assert_eq!(explanation.steps().count(), 12);
/// ```
pub fn explain(
    grid: &Grid,
    level: TechniqueLevel,
    run: &mut Run<'_>,
) -> Result<Outcome<Explanation>, EngineError> {
    let human = Human {
        level,
        hierarchical: true,
    };
    human.explain(grid, run)
}

impl Human {
    fn explain(self, grid: &Grid, run: &mut Run<'_>) -> Result<Outcome<Explanation>, EngineError> {
        let problem = match self.encode(grid, run) {
            Ok(problem) => problem,
            Err(EncodeError::Failed(error)) => return Err(error),
            Err(other) => {
                let end = match other {
                    EncodeError::Stopped(stop) => End::Stopped(stop),
                    _ => End::Exhausted,
                };
                return Ok(Outcome {
                    answers: Vec::new(),
                    end,
                    stats: run.finish(),
                });
            }
        };
        let encode_us = run.elapsed().as_micros() as u64;
        let outcome = optimal(&problem.instance).solve(&problem.instance, run)?;
        let mut outcome = outcome.try_map(|found| self.decode(grid, &problem, found))?;
        outcome.stats.add("encode_us", encode_us);
        Ok(outcome)
    }

    /// The engine's name.
    fn name(self) -> String {
        let model = match self.hierarchical {
            true => "htn-human",
            false => "strips-human",
        };
        match self.level {
            TechniqueLevel::XWing => model.into(),
            level => format!("{model}:{level}"),
        }
    }

    /// What a name of [`EXPLANATIONS`] means.
    pub(crate) fn spelt(spelling: &Spelling) -> Human {
        let level = spelling.word("levels");
        let level = TechniqueLevel::ALL
            .into_iter()
            .find(|known| known.name() == level);
        Human {
            level: level.expect("a word of the grammar"),
            hierarchical: spelling.word("models") == "htn-human",
        }
    }
}

/// A model and, after a colon, a [`TechniqueLevel`].
pub(crate) const EXPLANATIONS: EngineFamily = EngineFamily {
    grammar: &Grammar {
        groups: &[
            Group::first("models", &["htn-human", "strips-human"]),
            Group::after(
                ':',
                "levels",
                &[
                    TechniqueLevel::XWing.name(),
                    TechniqueLevel::Singles.name(),
                    TechniqueLevel::Locked.name(),
                    TechniqueLevel::Pairs.name(),
                ],
            ),
        ],
        rules: &[],
    },
    listed: &["htn-human"],
    make: |spelling| Box::new(Human::spelt(spelling)),
};

impl Engine<Grid> for Human {
    type Answer = Solution;

    /// It does not claim to be complete: puzzles that need more than its
    /// techniques are left undecided.
    fn profile(&self) -> Profile {
        let language = match self.hierarchical {
            true => "HDDL",
            false => "PDDL",
        };
        let up_to = match self.level {
            TechniqueLevel::Singles => "singles",
            TechniqueLevel::Locked => "locked candidates",
            TechniqueLevel::Pairs => "pairs",
            TechniqueLevel::XWing => "X-wings",
        };
        Profile::new(
            self.name(),
            format!("{language}, the easiest explanation by techniques up to {up_to}; proved"),
        )
    }

    fn solve_into(
        &self,
        grid: &Grid,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Solution>,
    ) -> Result<Ended, EngineError> {
        let clash = |(cell, digit)| !grid.candidates(cell).contains(digit);
        let refuted =
            grid.clues().any(clash) || grid.blanks().any(|cell| grid.candidates(cell).is_empty());
        if refuted {
            return Ok(Ended {
                end: End::Exhausted,
                stats: run.finish(),
            });
        }
        let outcome = self.explain(grid, run)?;
        let mut end = match outcome.end {
            // Harder techniques might explain it.
            End::Exhausted if outcome.answers.is_empty() => End::Incomplete,
            end => end,
        };
        for explanation in outcome.answers {
            // Sound steps that end in a wrong board prove that none is right.
            if planoku_sudoku::verify(grid, &explanation.grid).is_err() {
                end = End::Exhausted;
                continue;
            }
            let kind = match self.hierarchical {
                true => "hddl-plan",
                false => "pddl-plan",
            };
            let solution = Solution {
                grid: explanation.grid,
                witness: Some(Witness {
                    kind,
                    text: explanation.plan,
                }),
            };
            if let Err(leave) = sink(solution) {
                end = leave.end()?;
                break;
            }
        }
        Ok(Ended {
            end,
            stats: outcome.stats,
        })
    }
}

/// The name of a cell, as players write it.
fn cell_name(shape: Shape, cell: Cell) -> String {
    format!("r{}c{}", shape.row(cell) + 1, shape.column(cell) + 1)
}

/// The cell of that name.
pub(super) fn cell(shape: Shape, name: &str) -> Option<Cell> {
    let (row, column) = name.strip_prefix('r')?.split_once('c')?;
    let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    let (row, column) = (number(row)?, number(column)?);
    (row < shape.side() && column < shape.side()).then(|| shape.cell(row, column))
}

/// The digit of that name.
fn digit(name: &str) -> Option<Digit> {
    Digit::new(name.strip_prefix('d')?.parse().ok()?)
}
