//! One case: a problem, what is true of it, whom to ask, and what they may
//! spend. The same seed always makes the same case.

use std::time::Duration;

use planoku_engine::Budget;

use crate::attempt::{Bench, Report, names};
use crate::dice::Dice;
use crate::generate;
use crate::judge::{Finding, Kind, judge};
use crate::oracle::{EFFORT, Truth, truth};
use crate::print::texts;
use crate::problem::Problem;
use crate::shapes::{SHAPES, largest, shape};

/// A problem with all that is needed to judge planners by it.
pub struct Case {
    /// The problem.
    pub problem: Problem,
    /// What is true of it.
    pub truth: Truth,
    /// Whom to ask.
    pub planners: Vec<String>,
    /// What each may spend.
    pub budget: Budget,
}

/// Nodes for each planner on a small problem.
pub const NODES: u64 = 2_000;

/// How many planners are asked about one huge problem, beside the team.
const AT_ONCE: usize = 6;

impl Case {
    /// Mostly small random problems, some small shapes, and one in `rare` a
    /// shape of up to some ten thousand parts (never if `rare` is 0).
    pub fn of(seed: u64, rare: u64) -> Case {
        let mut dice = Dice::seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // One of every `rare` seeds, now odd, now even: workers that share
        // the seeds share these too.
        if rare > 0 && (seed + seed / rare).is_multiple_of(rare) {
            return Case::huge((seed / rare) as usize, &mut dice);
        }
        let (problem, known) = match dice.below(12) {
            // One of five seeds has numbers.
            at if seed % 5 == 4 => (generate::numeric(&mut dice, at % 4), None),
            0 => {
                let name = dice.one_of(&SHAPES);
                let most = 1 << dice.below(7);
                let size = 1 + dice.below(most);
                let (problem, truth) = shape(name, size, &mut dice);
                (problem, Some(truth))
            }
            at => (generate::problem(&mut dice, at % 4), None),
        };
        let mut case = Case::small(problem, known);
        case.budget.nodes = Some(dice.one_of(&[50, 500, NODES]));
        case
    }

    /// A case of a small problem, for every planner.
    pub fn small(problem: Problem, known: Option<Truth>) -> Case {
        Case {
            truth: known.unwrap_or_else(|| truth(&problem, EFFORT)),
            planners: names(),
            budget: Budget {
                nodes: Some(NODES),
                time: Some(Duration::from_millis(200)),
                memory: Some(1 << 28),
            },
            problem,
        }
    }

    /// A case that is large on purpose, for some planners. One after the
    /// other, every shape meets every planner, in the first round as large as
    /// it can be.
    fn huge(number: usize, dice: &mut Dice<'_>) -> Case {
        let name = SHAPES[number % SHAPES.len()];
        let round = number / SHAPES.len();
        let (problem, truth) = shape(name, largest(name) >> (round % 8), dice);
        let mut planners = vec!["ground".to_string(), "portfolio".into()];
        let mut others = names();
        others.retain(|name| !planners.contains(name));
        let chosen = round * AT_ONCE..(round + 1) * AT_ONCE;
        planners.extend(chosen.map(|it| others[it % others.len()].clone()));
        Case {
            problem,
            truth,
            planners,
            budget: Budget {
                nodes: None,
                time: Some(Duration::from_secs(1)),
                // Beside a short text there is less to hold.
                memory: Some(if name == "wide" { 1 << 26 } else { 1 << 28 }),
            },
        }
    }

    /// Asks everyone in turn; `ask` stands between the case and each planner,
    /// to measure it.
    pub fn examine(
        &self,
        mut ask: impl FnMut(&str, &mut dyn FnMut() -> Report) -> Report,
    ) -> (Vec<Report>, Vec<Finding>) {
        let (domain, instance) = texts(&self.problem);
        let mut bench = match Bench::read(&domain, &instance) {
            Ok(bench) => bench,
            Err(detail) => {
                let finding = Finding {
                    kind: Kind::Unreadable,
                    planner: "ground".into(),
                    detail,
                };
                return (vec![], vec![finding]);
            }
        };
        let names = self.planners.iter();
        let reports: Vec<Report> = names
            .map(|name| ask(name, &mut || bench.attempt(name, self.budget)))
            .collect();
        let findings = judge(&self.problem, self.truth, self.budget, &reports);
        (reports, findings)
    }
}

/// Asks all planners about the problem that these bytes choose, and panics if
/// one of them says something untrue. The body of a fuzz target.
pub fn check_bytes(bytes: &[u8]) {
    let problem = generate::problem(&mut Dice::bytes(bytes), 1);
    let case = Case::small(problem, None);
    let (_, findings) = case.examine(|_, attempt| attempt());
    if let Some(finding) = findings.first() {
        let (domain, instance) = texts(&case.problem);
        panic!("{finding}\n{domain}\n{instance}");
    }
}
